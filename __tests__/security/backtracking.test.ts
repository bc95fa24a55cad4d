import { expect, test } from "@jest/globals";
import { readFiles } from "../../src/experiment/experiment.ts";
import { memoryFile } from "../experiment/memory-file.ts";
import { parseGates } from "../../src/gate/language.ts";
import { text, toLogLine, toSentence } from "../../src/report/escape.ts";
import { withoutTerminalCodes } from "../../src/terminal-codes.ts";
import { serviceWords } from "../../src/service/error-text.ts";
import { pathMatcher } from "../../src/files/glob.ts";
import { parseSpec } from "../../src/spec/spec.ts";
import { nearestWord } from "../../src/spec/suggestion.ts";

// Texts that a stranger, a tested agent or the service writes, of a length that a pattern which tries again from each of its
// characters would take minutes for. With time by the length, each takes milliseconds.
const N = 200_000;
const LIMIT_MS = 5_000;
const words = (body: string, type = "application/json"): string =>
  serviceWords(body, type, (each) => each);
const read = (content: string, name: string, format?: string): Promise<unknown> =>
  readFiles([memoryFile(name, Buffer.from(content), 1)], format === undefined ? {} : { format });
const gates = (given: string): unknown => parseGates({ text: given, file: "g" });
const spec = (given: string): unknown =>
  parseSpec({ files: [{ path: "a.yml", text: given }], env: { A: "x" }, mode: "apply" });

const CASES: readonly (readonly [name: string, run: () => unknown])[] = [
  ["a service message without spaces", () => words(JSON.stringify({ detail: "a.".repeat(N) }))],
  ["a service message of URLs", () => words(JSON.stringify({ detail: "a://b".repeat(N) }))],
  ["a web page of unclosed titles", () => words("<title".repeat(N), "text/html")],
  ["a web page of unclosed tags", () => words(`<html>${"<".repeat(N)}`, "text/html")],
  ["a web page of unclosed scripts", () => words("<html><script>".repeat(N), "text/html")],
  ["a service message of blanks", () => words(JSON.stringify({ detail: `${" \t".repeat(N)}x` }))],
  ["a sentence of blanks", () => toSentence(`a${" \t".repeat(N)}b`)],
  ["a sentence of line breaks and blanks", () => text("\n ".repeat(N))],
  ["a log line of carriage returns", () => toLogLine(`${"\r".repeat(N)}x`)],
  ["unterminated terminal codes", () => withoutTerminalCodes("\u001b]\u001b[0".repeat(N))],
  ["a result file of unterminated quotes", () => read(`[NaN, ${'\\"'.repeat(N)}`, "r.json")],
  [
    "a result file with an unterminated string",
    () => read(`[{"inputs":{"q":NaN},"x":"${'\\"'.repeat(N)}`, "r.json"),
  ],
  [
    "a line of results with unterminated quotes",
    () => read(`{"inputs":{"q":NaN}, ${'\\"'.repeat(N)}\n`, "r.jsonl"),
  ],
  ["a CSV of quotes", () => read(`input,score\n"${'""'.repeat(N)}`, "r.csv")],
  ["a CSV of blanks", () => read(`input,score\n${" ".repeat(N)},1\n`, "r.csv")],
  [
    "a literal of brackets in a CSV",
    () => read(`user_input,response,m\n"${"[".repeat(N)}",b,1\n`, "r.csv", "ragas"),
  ],
  [
    "XML of blanks, and of unterminated comments and sections",
    () =>
      Promise.all(
        ["<", "<!--", "<![CDATA[", 'a="" ', " "].map((piece) =>
          read(`<testsuites ${piece.repeat(N)}`, "r.xml"),
        ),
      ),
  ],
  ["a gate of blanks", () => gates(`a${" ".repeat(N)}x >= 1`)],
  ["a gate of quotes", () => gates(`${"\"'".repeat(N)} >= 1`)],
  ["a gate of signs", () => gates(`a ${">".repeat(N)}`)],
  ["a spec of block signs", () => spec(`name: a\nverify: ${"|#".repeat(N)}`)],
  ["a spec of unterminated references", () => spec(`name: "${"${A:-".repeat(N)}"`)],
  ["a spec of references", () => spec(`name: "${"${A}".repeat(N)}"`)],
  [
    "a path pattern of stars in a spec",
    () => spec(`name: a\nsource: repohost\ndeploy: { paths: ["${"*a".repeat(N / 100)}"] }`),
  ],
  [
    "a changed path against directories of any depth",
    () =>
      pathMatcher([
        `${"**/".repeat(1_300)}x`,
        `${"**/a/".repeat(800)}x`,
        "/".repeat(N),
        `${"*a".repeat(2_000)}b`,
      ])("a/".repeat(2_000)),
  ],
  [
    "a word compared with long ones",
    () =>
      nearestWord(
        "correctness",
        Array.from({ length: 2_000 }, (_, n) => `${n}${"x".repeat(N / 100)}`),
      ),
  ],
];

test.each(CASES)("time grows linearly with the length: %s", async (_, run) => {
  // Processor time: how busy the machine is says nothing about the code.
  const begin = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(begin);
  expect((user + system) / 1000).toBeLessThan(LIMIT_MS);
});
