import { describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";
import { problemsOf, readOne, readTexts } from "./read-text.ts";

const json = (value: unknown): string => JSON.stringify(value);

describe("a file without results is refused for what it is", () => {
  test.each([
    ["a header and no rows", "r.csv", "question,answer,score\n", /a header and no rows/],
    [
      "a log",
      "run.txt",
      "2026-01-01 10:00:00 INFO starting, please wait\n2026-01-01 10:00:01 ERROR boom\n",
      /looks like a log/,
    ],
    [
      "a log with levels first",
      "run.log",
      "INFO: loaded 3, took 2 s\nERROR: x\n",
      /looks like a log/,
    ],
    ["a list as Python prints it", "r.json", "[{'question': 'a', 'score': 1}]\n", /Python prints/],
    ["dicts as Python prints them", "r.jsonl", "{'q': 'a', 'ok': True}\n", /Python prints/],
    [
      "lists of lists",
      "r.json",
      json([
        ["q", "score"],
        ["a", 1],
      ]),
      /lists without names/,
    ],
    ["lists on lines", "r.jsonl", '["q", "score"]\n["a", 1]\n["b", 0]\n', /lists without names/],
    [
      "a list of averages",
      "r.json",
      json([
        { category: "math", accuracy: 0.9, n: 10 },
        { category: "geo", accuracy: 0.4, n: 10 },
      ]),
      /no row of its list has a score of its own \(an average/,
    ],
    [
      "a baseline",
      "baseline.json",
      '\uFEFF{\n"schema": "agent-deploy-baseline/2",\n"history": [{"means":{"a":1}}]\n}',
      /is a baseline.*leave it out of the result files/,
    ],
    [
      "a table under a title",
      "r.csv",
      "Evaluation Nov 2026,,,Scores,,\nID,Question,Answer,Correct,Tone,Notes\n1,q,a,1,2,\n",
      /names less than half of the columns, so it seems to be a title/,
    ],
    [
      "a table under a title without commas",
      "r.csv",
      "Evaluation Nov 2026\nID,Question,Correct\n1,q,1\n",
      /names less than half of the columns, so it seems to be a title/,
    ],
    [
      "events of go test",
      "r.json",
      '{"Time":"2026-11-20T10:00:00Z","Action":"start","Package":"x/y"}\n' +
        '{"Time":"2026-11-20T10:00:01Z","Action":"pass","Package":"x/y","Test":"TestQ"}\n',
      /gotestsum --junitfile/,
    ],
    [
      "events of Rust's tests",
      "r.json",
      '{"type":"suite","event":"started","test_count":2}\n' +
        '{"type":"test","event":"started","name":"a"}\n{"type":"test","name":"a","event":"ok"}\n',
      /cargo nextest/,
    ],
    [
      "a report of Cucumber",
      "r.json",
      json([
        {
          uri: "a.feature",
          elements: [{ id: "s", name: "s", steps: [{ name: "x", result: { status: "passed" } }] }],
        },
      ]),
      /Cucumber's JSON report is not read/,
    ],
    ["averages", "r.json", json({ accuracy: 0.5, f1: 0.25 }), /averages/],
  ])("%s", async (_, name, text, said) => {
    const [message, ...more] = await problemsOf(text, { name });
    expect([message, more]).toEqual([expect.stringMatching(said), []]);
    expect(message).not.toContain("mapping to start from");
  });

  test("an Inspect log without a scorer says so, and gets no draft of a mapping", async () => {
    const samples = [{ id: "a", epoch: 1, input: "x", target: "y", output: { completion: "z" } }];
    const { experiment } = await readOne(
      json({ version: 2, status: "success", eval: { task: "t", model: "m" }, samples }),
    );
    expect(experiment.whyUnscored).toContain("give the task a scorer");
    expect(experiment.whyUnscored).not.toContain("mapping");
  });

  test.each([
    [
      "r.xml",
      '<testsuite name="s"><testcase name="a"><skipped/></testcase><testcase name="b"><skipped/></testcase></testsuite>',
    ],
    [
      "ctrf.json",
      json({
        results: {
          tool: { name: "jest" },
          summary: { tests: 2, skipped: 2 },
          tests: ["a", "b"].map((name) => ({ name, status: "skipped", duration: 0 })),
        },
      }),
    ],
  ])("a report whose tests were all skipped is not called empty: %s", async (name, report) => {
    const workspace = createTree({ [name]: report });
    const run = await runCli(["upload", name, "--dry-run"], {
      workspace,
      env: { AGENT_DEPLOY_API_KEY: "key" },
    });
    const said = run.stdout + run.stderr;
    expect(said).toContain("every test was skipped (2)");
    expect(said).not.toContain("results is empty");
  });
});

test("a prompt of several pages is shortened in labels, which still differ between two such prompts", async () => {
  const prompt = (end: string): string => `${"Answer as a helpful assistant. ".repeat(100)}${end}`;
  const row = (promptIdx: number, n: number): object => ({
    vars: { n },
    promptIdx,
    prompt: { raw: prompt(String(promptIdx)), label: prompt(String(promptIdx)) },
    provider: { id: "p" },
    success: true,
    score: 1,
    response: { output: "o" },
  });
  const text = [row(0, 1), row(1, 1)].map((one) => `${json(one)}\n`).join("");
  const { experiments } = await readTexts({ "r.jsonl": text });
  const labels = experiments.map(({ label }) => label);
  expect(new Set(labels).size).toBe(2);
  for (const label of labels) expect(label.length).toBeLessThan(130);
});

test.each([
  ["Playwright's JSON", { suites: [], config: { rootDir: "/r" } }, "suites"],
  ["Braintrust's summary", { projectName: "p", experimentName: "e" }, "projectName"],
  ["Braintrust's summary", { ProjectName: "p", ExperimentName: "e" }, "ExperimentName"],
  ["Phoenix's client", { task_runs: [], evaluation_runs: [] }, "task_runs"],
])("%s is recognised by both of its keys, not by one", async (what, report, key) => {
  const one = Object.fromEntries(Object.entries(report).filter(([name]) => name === key));
  expect((await problemsOf(json(report))).join()).toContain(what);
  expect((await problemsOf(json(one))).join()).not.toContain(what);
});
