import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { readExperiments } from "../../src/experiment/experiment.ts";
import { expectLinear } from "../support/busy.ts";
import { problemsOf, readOne } from "./read-text.ts";

const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

/** A zip of one entry, by hand: so that sizes and methods can lie. */
function zip(
  name: string,
  content: Buffer,
  lie: { method?: number; size?: number; raw?: Buffer } = {},
): Buffer {
  const packed = lie.raw ?? deflateRawSync(content);
  const size = lie.size ?? content.length;
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(lie.method ?? 8, 4);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(size, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, Buffer.from(name), packed]);
  const central = Buffer.concat([
    Buffer.from("PK\u0001\u0002"),
    Buffer.from([20, 0]),
    common,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

const xml = (inside: string): string => `<testsuites><testsuite>${inside}</testsuite></testsuites>`;

describe("every refusal is one clear sentence", () => {
  test.each<[string, string | Buffer, RegExp]>([
    ["an empty file", "", /is empty/],
    ["a blank file", " \n ", /is blank/],
    ["UTF-16", Buffer.from("\uFEFF{}", "utf16le"), /UTF-16/],
    ["binary", Buffer.from([1, 2, 0, 3]), /binary/],
    [
      "CSV: zero bytes far into the file, as a power failure leaves them",
      `inputs.q,feedback.s\n${`${"q".repeat(1000)},1\n`.repeat(300)}\0\0\0,\n`,
      /binary/,
    ],
    ["plain words", "hello world", /format is not known/],
    [
      "body: cut off in the middle",
      '{"experiment_name":"x","results":[{"inputs":{"q":1}},{"inputs":',
      /not valid JSON/,
    ],
    ["body: results is not an array", '{"dataset_name":"x","results":5}', /no array "results"/],
    ["body: no results", '{"experiment_name":"x","dataset_name":"x"}', /no array "results"/],
    [
      "body: nested too deep",
      `{"dataset_name":"x","results":[{"inputs":{"a":${deep(5000)}}}]}`,
      /nests deeper than 200/,
    ],
    ["rows: a line that is not JSON", '{"inputs":{}}\n{"inputs":\n', /row 2 is not valid JSON/],
    [
      "rows: a line nested too deep",
      `{"inputs":{"a":${deep(300)}}}\n{"inputs":{}}\n`,
      /nests deeper/,
    ],
    [
      "rows: invalid UTF-8",
      Buffer.concat([
        Buffer.from('{"inputs":{"a":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}}\n{"inputs":{}}\n'),
      ]),
      /not valid UTF-8/,
    ],
    ["rows: a trailing comma", '[{"inputs":{}},]', /not valid JSON from line 1, column 16 on/],
    ["rows: two lists", '[{"inputs":{}}] [1]', /not valid JSON from line 1, column 17 on/],
    ["rows: a list and more", '[{"inputs":{}}] {"a":1}', /not valid JSON from line 1, column 17/],
    ["rows: a missing comma", '[{"inputs":{}}\n {"inputs":{}}]', /from line 2, column 2 on/],
    ["rows: a key without quotes", "[\n{inputs:{}}]", /not valid JSON from line 2, column 2 on/],
    [
      "promptfoo: rows without vars",
      '{"evalId":"e","results":{"version":3,"results":[{"x":1}]}}',
      /no vars/,
    ],
    [
      "promptfoo: no results",
      '{"evalId":"e","results":{"version":3}}',
      /no rows at "results.results . results"/,
    ],
    [
      "promptfoo CSV: too many cells",
      "q,[p] l,Status,Score,Named Scores,Grader Reason\na,b,PASS,1,{},x,y,z\n",
      /8 cells, the header 6/,
    ],
    [
      "promptfoo CSV: an unclosed quote",
      'q,[p] l,Status,Score,Named Scores,Grader Reason\n"a,b\n',
      /not valid CSV/,
    ],
    ["DeepEval: a test case that is a number", '{"testCases":[5]}', /row 1 is not an object/],
    [
      "CTRF: tests that are not a list",
      '{"results":{"tool":{"name":"jest"},"tests":{"a":{"name":"a","status":"passed"}}}}',
      /^the file has no rows at "results.tests"$/,
    ],
    ...['"a"', "null", "[]"].map((second): [string, string, RegExp] => [
      `CTRF: a test that is ${second}`,
      `{"results":{"tool":{"name":"jest"},"tests":[{"name":"a","status":"passed"},${second}]}}`,
      /^row 2 is not an object$/,
    ]),
    ["DeepEval: cut off", '{"testCases":[{"input":"a"', /not valid JSON/],
    [
      "Inspect: a sample that is a list",
      '{"eval":{},"status":"success","samples":[[]]}',
      /row 1 is not an object/,
    ],
    ["Inspect: cut off", '{"eval":{},"status":"started","samples":[{"id":1}', /not valid JSON/],
    ["Inspect zip: damaged", Buffer.from("PK\u0003\u0004 nothing"), /zip is damaged/],
    [
      "Inspect zip: no log inside",
      zip("readme.txt", Buffer.from("x")),
      /neither header.json.*\. Unpack it.*as CSV/,
    ],
    [
      "Inspect zip: a bomb",
      zip("header.json", Buffer.alloc(0), {
        raw: deflateRawSync(Buffer.alloc(8 * 1024 * 1024)),
        size: 8 * 1024 * 1024,
      }),
      /unpacks to far more/,
    ],
    [
      "Inspect zip: wrong sizes",
      zip("header.json", Buffer.from('{"a":1}'), { size: 3 }),
      /zip is damaged/,
    ],
    [
      "Inspect zip: an unknown method",
      zip("header.json", Buffer.from("{}"), { method: 14 }),
      /method 14/,
    ],
    [
      "Inspect zip: invalid zstd, or no zstd on this machine",
      zip("header.json", Buffer.from("{}"), { method: 93 }),
      /zstd|damaged/,
    ],
    [
      "JUnit: entities",
      `<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>${xml('<testcase name="&c;"/>')}`,
      /document type/,
    ],
    [
      "JUnit: an external entity",
      `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${xml('<testcase name="&a;"/>')}`,
      /document type/,
    ],
    ["JUnit: not closed", "<testsuites><testsuite><testcase>", /not well-formed/],
    [
      "JUnit: suites nested 5000 deep",
      "<testsuite>".repeat(5000) + "</testsuite>".repeat(5000),
      /nests deeper|well-formed/,
    ],
    [
      "JUnit: a very long tag",
      `<testsuites ${'a="b" '.repeat(100_000)}/>`,
      /a tag is longer than 256 KiB/,
    ],
    [
      "JUnit: tags that do not match",
      "<testsuites><testsuite></testsuites></testsuite>",
      /not well-formed/,
    ],
    ["JUnit: another document", "<html></html>", /neither testsuites/],
    [
      "OpenAI evals: a broken event",
      '{"spec":{"eval_name":"e","run_id":"r"}}\n{"sample_id":\n',
      /row 2 is not valid JSON/,
    ],
    [
      "OpenAI evals: binary in a line",
      Buffer.concat([
        Buffer.from('{"spec":{"eval_name":"e","run_id":"r"}}\n{"sample_id":"'),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('"}\n'),
      ]),
      /UTF-8/,
    ],
    ["ragas: a column twice", "user_input,response,m,m\na,b,1,2\n", /is there twice/],
    [
      "ragas: a row that is a list",
      '{"user_input":"a","response":"b"}\n[]\n',
      /row 2 is not an object/,
    ],
    ["LangSmith: a side file that is cut off", '{"inputs":{},"feedback":[', /not valid JSON/],
    ["LangSmith: a report that is cut off", '{"numTotalTests":1,"testResults":[', /not valid JSON/],
    [
      "Phoenix: a run that is null",
      '[{"example_id":"a","annotations":[]},null]',
      /row 2 is not an object/,
    ],
    ["Phoenix: cut off", '[{"example_id":"a","annotations":[]', /not valid JSON/],
    ["CSV: more columns than the limit", `inputs.q${",x".repeat(5000)}\n`, /5001 columns/],
    ["CSV: a column twice", "inputs.q,inputs.q\na,b\n", /is there twice/],
    ["CSV: a million columns", `inputs.q${",x".repeat(1_000_000)}\n`, /not a CSV header|columns/],
  ])("%s", async (_, content, sentence) => {
    const messages = await problemsOf(content);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(sentence);
    expect(messages[0]).not.toMatch(/\n|node:|\.ts\b|undefined/);
  });

  test.each<[string, string, RegExp]>([
    ["a field that does not exist", "inputs.q: a\nrow_idd: b\n", /there is no such field/],
    ["no inputs", "row_id: a\n", /names no inputs/],
    [
      "aliases that multiply",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghijklmnop"
        .split("")
        .map((name, n) => `${name}: &${name} [${`*${"abcdefghijklmnop"[n]},`.repeat(9)}]`)
        .join("\n")}\n`,
      /YAML|no such field/,
    ],
    ["a list", "- a\n- b\n", /must be YAML lines/],
  ])("a mapping with %s is refused", async (_, mapping, sentence) => {
    await expect(readOne("a,b\n1,2\n", { mapping })).rejects.toThrow(sentence);
  });

  test("a mapping that names a missing column is refused with the columns that exist", async () => {
    expect(await problemsOf("a,b\n1,2\n", { mapping: "inputs.q: question\n" })).toEqual([
      "the mapping names columns that the file does not have: question; it has a, b",
    ]);
  });
});

test("thousands of names without a score do not hide a metric", async () => {
  const names = Array.from({ length: 10_001 }, (_, n) => ({ key: `name ${n}`, score: null }));
  const row = { inputs: { q: "a" }, evaluation_scores: [...names, { key: "correct", score: 1 }] };
  const { experiment } = await readOne(`${JSON.stringify(row)}\n`, { name: "r.jsonl" });
  expect(experiment.scores).toEqual({ correct: { mean: 1, n: 1 } });
});

test("numbering thousands of asserts of one type takes linear time", async () => {
  await expectLinear(20_000, async (many) => {
    const componentResults = Array.from({ length: many }, () => ({
      score: 1,
      assertion: { type: "contains" },
    }));
    const { rows } = await readOne(
      JSON.stringify({
        evalId: "e",
        results: {
          version: 3,
          results: [
            {
              vars: {},
              provider: "p",
              promptIdx: 0,
              success: true,
              gradingResult: { componentResults },
            },
          ],
        },
      }),
    );
    expect(rows[0]!.evaluation_scores!.at(-2)!.key).toBe(`contains#${many}`);
  });
});

test("a zstd frame that asks for a window of 2 GB is refused without taking that memory", async () => {
  const oneByte = Buffer.from([8, 0, 0, 32]);
  const last = Buffer.from([9, 0, 0, 32]);
  const raw = Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xa7]),
    ...Array.from({ length: 4 }, () => oneByte),
    last,
  ]);
  const before = process.resourceUsage().maxRSS;
  for (const packed of [raw, Buffer.concat([raw, raw])])
    expect(
      await problemsOf(zip("header.json", Buffer.alloc(0), { method: 93, size: 10, raw: packed })),
    ).toEqual([expect.stringMatching(/zip is damaged/)]);
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(500 * 1024);
});

describe("data that only looks hostile", () => {
  test("__proto__ and constructor are ordinary keys", async () => {
    const { rows } = await readOne(
      '{"inputs":{"__proto__":{"polluted":1},"constructor":2},"evaluation_scores":[{"key":"__proto__","score":1}],"run_metadata":{"__proto__":null}}\n{"inputs":{}}\n',
    );
    expect(JSON.stringify(rows[0]!.inputs)).toBe('{"__proto__":{"polluted":1},"constructor":2}');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    const csv = await readOne("inputs.__proto__,feedback.__proto__,outputs.constructor\nx,1,y\n");
    expect(Object.keys(csv.rows[0]!.inputs)).toEqual(["__proto__"]);
    expect(csv.rows[0]!.evaluation_scores).toEqual([{ key: "__proto__", score: 1 }]);
  });

  test("a byte order mark, CRLF, -0 and large integers are read, with a warning about a large integer", async () => {
    const { rows, experiment } = await readOne(
      '\uFEFF{"inputs":{"n":-0,"big":12345678901234567890}}\r\n{"inputs":{"n":1e400}}\r\n',
    );
    expect(rows[0]!.inputs).toEqual({ n: 0, big: 12345678901234567000 });
    expect(rows[1]!.inputs).toEqual({ n: null });
    expect(experiment.warnings.join()).toMatch(
      /beyond 2\^53.*became null|became null.*beyond 2\^53/s,
    );
  });

  test("XML entities in text are decoded once, and numeric ones beyond Unicode stay", async () => {
    const { rows } = await readOne(xml('<testcase name="a &amp;lt; &#x41; &#9999999;"/>'));
    expect(rows[0]!.inputs).toEqual({ test: "a &lt; A &#9999999;" });
  });

  test("console colours, a bare & and line breaks in an attribute are kept", async () => {
    const { rows } = await readOne(
      xml('<testcase name="a & b;&nbsp;"><failure message="one&#x1B;[31m\ntwo"/></testcase>'),
    );
    expect(rows[0]!.inputs).toEqual({ test: "a & b;&nbsp;" });
    expect(rows[0]!.evaluation_scores![0]!.comment).toBe("one\u001b[31m\ntwo");
  });

  test("a page that a test printed is text, even with a document type", async () => {
    const { rows } = await readOne(
      xml('<testcase name="a"><failure><![CDATA[<!DOCTYPE html><p>&amp;]]></failure></testcase>'),
    );
    // Nothing in such a section is an entity.
    expect(rows[0]!.evaluation_scores![0]!.comment).toBe("<!DOCTYPE html><p>&amp;");
  });

  test("a file whose name has the wrong extension is recognised by its content", async () => {
    const { experiment } = await readOne(xml('<testcase name="a"/>'), { name: "results.json" });
    expect(experiment.format).toBe("junit");
  });
});

describe("the path of a result file", () => {
  let root = "";
  let outside = "";
  beforeAll(async () => {
    outside = await mkdtemp(path.join(os.tmpdir(), "outside-"));
    root = path.join(outside, "workspace");
    await mkdir(path.join(root, "nested", "deeper"), { recursive: true });
    const row = '{"inputs":{"q":1}}\n';
    await Promise.all([
      writeFile(path.join(outside, "secret.jsonl"), row),
      writeFile(path.join(root, "a.jsonl"), row),
      writeFile(path.join(root, "nested", "b.jsonl"), row),
      writeFile(path.join(root, "nested", "deeper", "c[1].jsonl"), row),
    ]);
    await symlink(path.join(outside, "secret.jsonl"), path.join(root, "link.jsonl"));
    execFileSync("mkfifo", [path.join(root, "pipe.jsonl")]);
  });
  afterAll(() => rm(outside, { recursive: true, force: true }));

  test.each([
    ["../secret.jsonl", /outside the workspace/],
    ["link.jsonl", /outside the workspace/],
    ["pipe.jsonl", /not a regular file/],
    ["/dev/zero", /outside the workspace/],
    ["nested", /is a directory/],
    ["none.jsonl", /no such file/],
    ["none/*.jsonl", /no file matches/],
  ])("%s is refused", async (name, sentence) => {
    const { experiments, problems } = await readExperiments({ paths: [name], workspace: { root } });
    expect(experiments).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(sentence)]);
  });

  test.each([
    ["a mapping that is too long", "#".repeat(1024 * 1024 + 1), "m.yml is longer than the 1048576"],
    ["a mapping in Latin-1", Buffer.from("inputs.q: \xe9", "latin1"), "m.yml is not valid UTF-8"],
  ])("%s is refused, whatever the rows are", async (_, content, sentence) => {
    await writeFile(path.join(root, "m.yml"), content);
    const request = { paths: ["a.jsonl"], mapping: "m.yml", workspace: { root } };
    const { experiments, problems } = await readExperiments(request);
    expect(experiments).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(sentence)]);
  });

  test("a glob finds each file once, in order, and a name with brackets matches itself", async () => {
    const { experiments } = await readExperiments({
      paths: ["{a,nested/b}.jsonl", "**/[bc]*.jsonl", "nested/deeper/c[1].jsonl"],
      workspace: { root },
    });
    expect(experiments.map(({ file }) => file)).toEqual([
      "a.jsonl",
      "nested/b.jsonl",
      "nested/deeper/c[1].jsonl",
    ]);
  });

  test("a glob built to be slow matches no file, or is refused", async () => {
    for (const [pattern, sentence] of [
      ["*a".repeat(30), /no file matches/],
      ["**/**/**/**/**/x", /no file matches/],
      ["{a,b}".repeat(9), /too many choices/],
    ] as const) {
      const { problems } = await readExperiments({ paths: [pattern], workspace: { root } });
      expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(sentence)]);
    }
  });
});
