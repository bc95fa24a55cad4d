import { describe, expect, test } from "@jest/globals";
import { streamBody } from "../../src/experiment/body.ts";
import { explainExperiments } from "../../src/experiment/explain.ts";
import { createTrim, parseDrop } from "../../src/experiment/exclusion.ts";
import { readTexts } from "./read-text.ts";

const HEADER = {
  experiment_name: "x",
  experiment_start_time: "2026-01-01T00:00:00Z",
  experiment_end_time: "2026-01-02T00:00:00Z",
};

/** The rows of a body as text, since parsing it would lose the order. */
async function bodyOf(
  files: Readonly<Record<string, string>>,
  how: { readonly mapping?: string; readonly drop?: string } = {},
): Promise<string> {
  const { experiments, problems } = await readTexts(
    files,
    how.mapping === undefined ? {} : { mapping: how.mapping },
  );
  expect(problems).toEqual([]);
  const trim = how.drop === undefined ? undefined : createTrim(parseDrop([how.drop]).rules);
  let text = "";
  for await (const chunk of streamBody(experiments[0]!, HEADER, { trim }))
    text += Buffer.from(chunk).toString("utf8");
  return text;
}

const SCORE = [{ key: "pass", score: 1 }];
/** A row in which whole numbers are names, in no order of theirs, at every depth. */
const INPUTS = '{"year":"y","2024":"b","1":"a","nested":{"x":1,"10":2,"9":[{"b":1,"0":2}]}}';
const ROW = `{"inputs":${INPUTS},"actual_outputs":{"z":1,"30":2,"4":3},"evaluation_scores":${JSON.stringify(SCORE)}}`;

describe("names that are whole numbers keep their place", () => {
  test.each([
    ["JSONL", "rows.jsonl", `${ROW}\n`],
    ["a list", "rows.json", `[${ROW}]`],
    ["a request body", "body.json", `{"experiment_name":"x","results":[${ROW}]}`],
    ["JSON with tokens of Python", "rows.jsonl", `${ROW.replace('"x":1', '"x":NaN')}\n`],
  ])("in %s", async (_, name, text) => {
    const body = await bodyOf({ [name]: text });
    expect(body).toContain(INPUTS.replace('"x":1', text.includes("NaN") ? '"x":null' : '"x":1'));
    expect(body).toContain('"actual_outputs":{"z":1,"30":2,"4":3}');
  });

  test("in CSV by convention, and in CSV that promptfoo wrote", async () => {
    const csv = "inputs.q,inputs.2024,inputs.1,outputs.b,outputs.7,feedback.pass\nq,a,b,c,d,1\n";
    const body = await bodyOf({ "rows.csv": csv });
    expect(body).toContain('"inputs":{"q":"q","2024":"a","1":"b"}');
    expect(body).toContain('"actual_outputs":{"b":"c","7":"d"}');
    const own = "q,12,3,[p] p,Status,Score,Named Scores,Grader Reason\na,b,c,d,PASS,1,{},ok\n";
    expect(await bodyOf({ "out.csv": own })).toContain('"inputs":{"q":"a","12":"b","3":"c"}');
  });

  test("in rows read by a mapping: columns of a pattern, whole objects, tables of pandas", async () => {
    const mapping = 'inputs: { columns: "in.*" }\nevaluation_scores.pass: ok\n';
    const csv = "in.b,in.20,in.3,ok\nx,y,z,1\n";
    expect(await bodyOf({ "t.csv": csv }, { mapping })).toContain(
      '"inputs":{"b":"x","20":"y","3":"z"}',
    );
    const whole = "inputs: asked\nevaluation_scores.pass: ok\n";
    expect(
      await bodyOf({ "t.json": `[{"ok":1,"asked":${INPUTS}}]` }, { mapping: whole }),
    ).toContain(INPUTS);
    const split = `orient: split\n${mapping}`;
    const table = '{"columns":["in.b","in.20","in.3","ok"],"data":[["x","y","z",1]]}';
    expect(await bodyOf({ "t.json": table }, { mapping: split })).toContain(
      '{"b":"x","20":"y","3":"z"}',
    );
  });

  test("when `drop` cuts a row, when it is explained, and in a draft", async () => {
    const body = await bodyOf({ "rows.jsonl": `${ROW}\n` }, { drop: "actual_outputs.z" });
    expect(body).toContain('"actual_outputs":{"30":2,"4":3}');
    const { experiments } = await readTexts({ "rows.jsonl": `${ROW}\n` });
    const names = explainExperiments(experiments).flatMap(
      (line) => /inputs\.(\w+) =/.exec(line)?.[1] ?? [],
    );
    expect(names).toEqual(["year", "2024", "1", "nested"]);
    const { problems } = await readTexts({ "own.json": '[{"question":"q","2024":0.5,"1":0.7}]' });
    expect(problems[0]!.message).toMatch(/2024.*"1"/s);
  });

  test("without changing an id, since order does not identify an example", async () => {
    const ids = async (inputs: string): Promise<unknown> => {
      const body = await bodyOf({ "rows.jsonl": `{"inputs":${inputs}}\n` });
      return (JSON.parse(body) as { results: { row_id: string }[] }).results[0]!.row_id;
    };
    expect(await ids(INPUTS)).toBe(await ids(JSON.stringify(JSON.parse(INPUTS))));
  });

  test("next to names that look like our own marks, and texts that look like names", async () => {
    const odd = '{"\ue0005":1,"4":"\\"7\\": a \\"8\\":","007":2,"-1":3,"4294967295":4,"2":"b"}';
    expect(await bodyOf({ "rows.jsonl": `{"inputs":${odd}}\n` })).toContain(odd);
    const escaped = odd.replace("\ue000", String.raw`\ue000`);
    expect(await bodyOf({ "rows.jsonl": `{"inputs":${escaped}}\n` })).toContain(odd);
  });

  test("when a row that nests as deep as a file may is cut", async () => {
    const deep = `${"[".repeat(198)}"long"${"]".repeat(198)}`;
    const inputs = `{"z":1,"2":${deep}}`;
    const body = await bodyOf(
      { "rows.jsonl": `{"inputs":${inputs},"run_name":"r"}\n` },
      { drop: "run_name" },
    );
    expect(body).toContain(inputs);
    expect(body).not.toContain("run_name");
  });
});
