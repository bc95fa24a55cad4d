import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { toOutputs } from "../../src/report/outputs.ts";
import { setOutputs } from "../../src/ci/runner.ts";
import { parseCommandFile } from "../support/action-run.ts";
import { renderComment } from "../../src/report/markdown.ts";
import type { Report } from "../../src/report/report.ts";
import { renderOutcome, renderPlan } from "../../src/report/terminal.ts";
import { parseHeader, renderHeader } from "../../src/github/comment-header.ts";
import { toLogText } from "../../src/ci/workflow-command.ts";
import { toSentence } from "../../src/report/escape.ts";
import { HOSTILE } from "../report/hostile-corpus.ts";
import { readStructure } from "../report/markdown-structure.ts";
import { SAMPLES, change, deployment, plan, report } from "../report/sample-reports.ts";

const FIXED = new Set([
  "version",
  "command",
  "outcome",
  "action",
  "effect",
  "verdict",
  "gate_verdict",
  "state",
  "source",
  "dialect",
  "revision",
  "started_at",
  "finished_at",
  "status",
]);

/** The report with every text in it that comes from outside replaced; keys of values and scores too. */
function withText<T>(value: T, text: string, key = ""): T {
  if (typeof value === "string") return (FIXED.has(key) ? value : text) as T;
  if (Array.isArray(value)) return value.map((item) => withText(item as unknown, text, key)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    ([name, item]) =>
      [
        ["scores", "changed", "means"].includes(key) ? text : name,
        withText(item as unknown, text, name),
      ] as const,
  );
  return Object.fromEntries(entries) as T;
}

/** One report that has every field a report can have. */
const one = deployment({
  outcome: "failed",
  reason: "r",
  message: "m",
  next: ["n"],
  revision_id: "i",
  previous_revision_id: "p",
  revision_status: "s",
  url: "u",
  warnings: ["w"],
  notes: ["n"],
  log_tail: ["l", "l"],
  cause: "c",
  version: "v",
  page: "p",
  serving: { revision_id: "s", version: "v" },
  verify: { exit_code: 1, tail: ["t"] },
  rollback: { revision_id: "b", outcome: "failed" },
  changes: [
    change("p", "b", "a"),
    change("p", null, "a", "in-place"),
    change("p", "b", null, "next-build"),
    change("p", "set", null, "new-revision", true),
    change("p", ["b"], "a", "impossible"),
  ],
  plan: plan({
    blockers: [{ code: "c", message: "another", path: "p" }],
    dropped: ["d"],
    unreadable: ["u"],
    notes: ["o"],
    warnings: ["v"],
    changes: [],
  }),
  timeline: [
    { status: "QUEUED", atMs: 0 },
    { status: "BUILDING", atMs: 1000 },
    { status: "BUILD_FAILED", atMs: 5000 },
  ],
});
const sample = SAMPLES["experiments-and-gates"]!;
const FULL: Report = report({
  outcome: "failed",
  deployments: [one],
  experiments: sample.experiments,
  gates: sample.gates,
  gate_verdict: "fail",
  rows_worse: sample.rows_worse.map((row) => ({
    ...row,
    base_output: "b",
    comment: "c",
    trace: "t",
  })),
  rows_better: sample.rows_worse,
  rows_new: sample.rows_new,
  rows_missing: sample.rows_missing,
  row_counts: {
    ...sample.row_counts,
    changed: {
      correctness: {
        worse: 2,
        better: 1,
        differences: [
          { low: -1, high: -0.5, count: 2 },
          { low: 0, high: 0, count: 9 },
          { low: 1, high: 1, count: 1 },
        ],
      },
    },
  },
  baseline: {
    ...sample.baseline!,
    history: [0.9, 0.8, 0.85].map((mean) => ({
      commit: "c",
      created_at: "d",
      means: { correctness: mean },
    })),
  },
  problems: [{ message: "p" }],
  warnings: ["w"],
});
const MANY: Report = {
  ...FULL,
  deployments: [
    one,
    { ...one, outcome: "deployed" },
    { ...one, outcome: "unchanged", action: "none" },
  ],
};

const HEADER = renderHeader({ v: 1, key: "abc", run: "1", attempt: 1, sha: "def", open: false });
// Structure is compared at full detail; what shortening does is for fit.test.ts.
const WHOLE = { header: HEADER, maxChars: 1e7, maxBytes: 1e8 };

const comments = new Map<Report, Map<string, string>>();

/** The whole comment on a report with the text in it; each is made once, and several laws read it. */
function commentOf(base: Report, text: string): string {
  const known = comments.get(base) ?? new Map<string, string>();
  comments.set(base, known);
  const comment = known.get(text) ?? renderComment(withText(base, text), WHOLE);
  known.set(text, comment);
  return comment;
}

/**
 * The blocks, without what is there only where a text is long: the folded list of long values, the
 * whole input of an example.
 */
const withoutLong = (blocks: readonly string[]): string =>
  blocks
    .join(" ")
    .replaceAll(/details list \d+ \/details (?=details list)/g, "")
    .replaceAll(/details quote (?=(?:paragraph )?fence)/g, "details ");
const shapeOf = (base: Report, text: string): string =>
  withoutLong(readStructure(commentOf(base, text), 1).blocks);

describe("text from outside", () => {
  test("the corpus has at least 200 strings", () =>
    expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(200));

  for (const [name, base] of [
    ["one deployment", FULL],
    ["many deployments", MANY],
  ] as const) {
    test(`no string of the corpus changes the structure, pings, links, refers or hides, with ${name}`, () => {
      const plain = shapeOf(base, "plain words");
      for (const text of HOSTILE) {
        const body = commentOf(base, text);
        const { blocks, faults } = readStructure(body, 1);
        expect({ text, faults }).toEqual({ text, faults: [] });
        // Nothing but blanks and terminal codes: not a sentence, so its line is left out.
        if (toSentence(text) === "") continue;
        expect({ text, blocks: withoutLong(blocks) }).toEqual({ text, blocks: plain });
      }
    });
  }

  test("no string of the corpus forges a line or a heading of a diff", () => {
    const diffsOf = (text: string): readonly string[] => {
      const body = commentOf(MANY, text);
      const blocks = [...body.matchAll(/^(`{3,})diff\n([\s\S]*?)\n\1$/gm)];
      expect(blocks.length).toBeGreaterThan(3);
      return blocks.flatMap(([, , lines = ""]) => lines.split("\n"));
    };
    const headings = new Set(diffsOf("plain words").filter((line) => line.startsWith("@@")));
    expect(headings.size).toBeGreaterThan(1);
    const isKnown = (line: string): boolean =>
      line.startsWith("@@") ? headings.has(line) : /^(?:[-+! ](?: |$)|…|\s*$)/.test(line);
    expect(isKnown("@@ forged @@") || isKnown("forged")).toBe(false);
    for (const text of HOSTILE) {
      const forged = diffsOf(text).filter((line) => !isKnown(line));
      expect({ text, forged }).toEqual({ text, forged: [] });
    }
  });

  test("no string of the corpus escapes from its output, or adds another", () => {
    const file = join(mkdtempSync(join(tmpdir(), "outputs-")), "output");
    const before = process.env["GITHUB_OUTPUT"];
    // Line breaks and halves of a character do not come through a file of text.
    const flat = (all: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(
        Object.entries(all).map(([name, value]) => [
          name,
          Buffer.from(value)
            .toString("utf8")
            .replace(/[\r\n]/g, ""),
        ]),
      );
    process.env["GITHUB_OUTPUT"] = file;
    try {
      for (const text of HOSTILE) {
        const outputs = toOutputs(withText(FULL, text), { reportPath: text, commentUrl: text });
        writeFileSync(file, "");
        setOutputs(outputs);
        expect(flat(parseCommandFile(readFileSync(file, "utf8")))).toEqual(flat(outputs));
      }
    } finally {
      if (before === undefined) delete process.env["GITHUB_OUTPUT"];
      else process.env["GITHUB_OUTPUT"] = before;
      rmSync(dirname(file), { recursive: true });
    }
  });

  test("no string of the corpus forges a header", () => {
    for (const text of HOSTILE) {
      const body = commentOf(FULL, text);
      expect(parseHeader(body)).toMatchObject({ key: "abc", run: "1" });
      expect(body.split("<!--")).toHaveLength(2);
      if (!text.startsWith('<!-- agent-deploy: {"v":1')) expect(parseHeader(text)).toBeNull();
    }
  });

  test("no string of the corpus reaches a terminal as a control sequence", () => {
    for (const text of HOSTILE) {
      for (const shown of [
        renderOutcome(withText(MANY, text), { color: false }),
        renderPlan(withText(MANY, text), { color: false }),
      ]) {
        expect(shown).not.toMatch(
          /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/,
        );
      }
    }
  });

  test("no string of the corpus is a workflow command in our log", () => {
    const isCommand = (line: string): boolean =>
      line.replace(/^[\s\u0085\u2028\u2029\ufeff]+/u, "").startsWith("::") || line.includes("##[");
    expect(isCommand(" ::set-output::") && isCommand("a ##[error]")).toBe(true);
    for (const text of HOSTILE) {
      const shown = renderOutcome(withText(FULL, text), { color: false });
      const commands = toLogText(`${text}\n${shown}`)
        .split(/\r\n|[\r\n]/)
        .filter(isCommand);
      expect({ text, commands }).toEqual({ text, commands: [] });
    }
  });
});
