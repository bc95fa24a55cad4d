import { beforeAll, describe, expect, test } from "@jest/globals";
import { load } from "js-yaml";
import { runAction, type ActionRun } from "../../support/action-run.ts";
import { startTestEmulator, type TestEmulator } from "../../support/emulator-process.ts";
import { createTree } from "../../support/tree.ts";
import { evaluated, foundry, junit, promptfoo, suiteOf } from "./gate-files.ts";

/** One public eval gate, written again: a step of a workflow, and the files that its author's tool writes. */
interface WildGate {
  /** Where it was found, in November 2026. */
  readonly of: string;
  readonly step: string;
  /** What is written by hand next to the step: a gate file, a mapping. */
  readonly written?: Readonly<Record<string, string>>;
  /** Files of runs that the author's own script lets pass, each with what differs. */
  readonly green: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** And of runs that it fails. */
  readonly red: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const stages = (...passed: readonly boolean[]): string =>
  JSON.stringify({
    skill: "content-plan",
    stages: passed.map((one, i) => ({ name: `stage-${i}`, prompt: `Do step ${i}`, passed: one })),
  });

const agent = (tone: number, safety: number): string =>
  JSON.stringify({
    agent: "inventory",
    generated: "2026-11-01",
    cases: Array.from({ length: 12 }, (_, i) => ({
      prompt: `Case number ${i}`,
      grades: { tone: tone + (i % 2) * 0.02, safety },
    })),
  });

const ragas = (faithfulness: number, relevancy = 0.88): string =>
  JSON.stringify({ faithfulness, answer_relevancy: relevancy, context_recall: 0.8 });
const judged = (overall: number): string => JSON.stringify({ judge: { overall, cases: 30 } });
const scores = (high: number, low: number, n = 40): (number | null)[] =>
  Array.from({ length: n }, (_, i) => (i % 10 === 0 ? low : high));

const GATES: readonly WildGate[] = [
  {
    of: "google-gemini/gemini-cli, eval-regression.yml",
    step: `
uses: your-org/agent-deploy/gate@v0.1.0
with:
  results: evals.junit.xml
  baseline: nightly.junit.xml
  gates: pass drop <= 0`,
    green: {
      "every stable test passes as in the nights before": {
        "evals.junit.xml": junit("evals", suiteOf(24, 0, 3)),
        "nightly.junit.xml": junit("evals", suiteOf(24, 0, 3), 0.02),
      },
      "one test fails one of three reruns": {
        "evals.junit.xml": junit("evals", {
          ...suiteOf(24, 0, 3),
          test_case_3: ["pass", "fail", "pass"],
        }),
        "nightly.junit.xml": junit("evals", suiteOf(24, 0, 3), 0.02),
      },
    },
    red: {
      "stable tests fail every rerun": {
        "evals.junit.xml": junit("evals", suiteOf(24, 7, 3)),
        "nightly.junit.xml": junit("evals", suiteOf(24, 0, 3), 0.02),
      },
    },
  },
  {
    of: "langchain-ai/langsmith-agent-lifecycle-workshop, eval-regression.yml",
    step: `
uses: your-org/agent-deploy/gate@v0.1.0
with:
  results: experiment:NAME
  gates: correctness >= 0.8
  api-key: test-key`,
    green: { "16 of 20": { right: "16" } },
    red: { "15 of 20": { right: "15" } },
  },
  {
    of: "GoogleCloudPlatform/gke-mcp, deepeval.yml",
    step: `
uses: your-org/agent-deploy/gate@v0.1.0
with:
  results: results.xml
  gates: pass >= 1
  on-inconclusive: fail`,
    green: { "every assert holds": { "results.xml": junit("test_mcp", suiteOf(9, 0)) } },
    red: {
      "one assert fails": { "results.xml": junit("test_mcp", suiteOf(9, 1)) },
      "one test errors in its set-up": {
        "results.xml": junit("test_mcp", { ...suiteOf(9, 0), test_case_4: ["error"] }),
      },
    },
  },
  {
    of: "Azure-Samples/holiday-peak-hub, eval-gate.yml (advisory)",
    step: `
uses: your-org/agent-deploy@v0.1.0
continue-on-error: true
with: { command: gate, experiment: inventory.json, mapping: map.yml, gate: "tone >= 0.8, safety >= 0.95" }`,
    written: {
      "map.yml": `
rows: cases
inputs.prompt: prompt
evaluation_scores.tone: grades.tone
evaluation_scores.safety: grades.safety`,
    },
    green: { "both floors": { "inventory.json": agent(0.85, 0.97) } },
    red: { "safety below its floor": { "inventory.json": agent(0.85, 0.9) } },
  },
  {
    of: "Automattic/iapi-skills-experiments, eval-gate.yml",
    step: `
uses: your-org/agent-deploy@v0.1.0
with: { command: gate, experiment: stages.json, mapping: map.yml, gate: pass >= 1 }`,
    written: {
      "map.yml": `
rows: stages
inputs.stage: name
evaluation_scores.pass: passed`,
    },
    green: { "every stage passes": { "stages.json": stages(true, true, true, true) } },
    red: { "one stage fails": { "stages.json": stages(true, true, false, true) } },
  },
  {
    of: "ChunkyTortoise/docextract, eval-gate.yml",
    step: `
uses: your-org/agent-deploy/gate@v0.1.0
with:
  results: promptfoo.json, ragas.json, judge.json
  baseline: baseline.json
  gates: score >= 0.8, score drop <= 3%, pass >= 0.85, faithfulness >= 0.85, answer_relevancy >= 0.8, judge.overall >= 4`,
    green: {
      "all floors, and no fall": {
        "promptfoo.json": promptfoo(scores(0.95, 0.6)),
        "baseline.json": promptfoo(scores(0.94, 0.6)),
        "ragas.json": ragas(0.9),
        "judge.json": judged(4.3),
      },
    },
    red: {
      "an average below its floor": {
        "promptfoo.json": promptfoo(scores(0.95, 0.6)),
        "baseline.json": promptfoo(scores(0.94, 0.6)),
        "ragas.json": ragas(0.84),
        "judge.json": judged(4.3),
      },
      "a fall of more than 3 % above every floor": {
        "promptfoo.json": promptfoo(scores(0.88, 0.6)),
        "baseline.json": promptfoo(scores(0.97, 0.6)),
        "ragas.json": ragas(0.9),
        "judge.json": judged(4.3),
      },
    },
  },
  {
    of: "Iloveiaverymuch/langgraph-lab, eval-gate.yml",
    step: `
uses: your-org/agent-deploy/gate@v0.1.0
with: { results: results.json, gates: pass >= 1, on-inconclusive: fail }`,
    green: { "promptfoo ends with 0": { "results.json": promptfoo([1, 1, 0.7, 1, 1]) } },
    red: {
      "one test fails": { "results.json": promptfoo([1, 1, 0.2, 1, 1]) },
      "one test errors": { "results.json": promptfoo([1, 1, null, 1, 1]) },
    },
  },
  {
    of: "tikalk/agentic-sdlc-spec-kit, eval.yml (advisory)",
    step: `
uses: your-org/agent-deploy/gate@v0.1.0
continue-on-error: true
with: { results: results.json, gates: gates.yml }`,
    written: {
      "gates.yml": `
gates: [pass >= 0.7, score >= 0.5]
errors: ignore`,
    },
    green: {
      "7 of 10": { "results.json": promptfoo([...Array(7).fill(0.9), 0.2, 0.2, 0.2]) },
      "7 of 10, and API errors besides": {
        "results.json": promptfoo([...Array(7).fill(0.9), 0.2, 0.2, 0.2, null, null, null]),
      },
    },
    red: {
      "6 of 10": { "results.json": promptfoo([...Array(6).fill(0.9), 0.2, 0.2, 0.2, 0.2]) },
      "a mean below one half": { "results.json": promptfoo([...Array(8).fill(0.5), 0.1, 0.1]) },
    },
  },
  {
    of: "anuragsirish/foundry-agents-cicd, agent-eval-on-pr.yml",
    step: `
uses: your-org/agent-deploy/gate@v0.1.0
with:
  results: eval.json
  baseline: baseline.json
  gates: "* drop <= 5%"`,
    green: {
      "nothing is worse": {
        "eval.json": foundry(0),
        "baseline.json": foundry(0, "", "Earlier answer"),
      },
      better: { "eval.json": foundry(-0.5), "baseline.json": foundry(0, "", "Earlier answer") },
    },
    red: {
      "one of seven is worse by a fifth": {
        "eval.json": foundry(1, "groundedness"),
        "baseline.json": foundry(0, "", "Earlier answer"),
      },
      "all of them are": {
        "eval.json": foundry(1),
        "baseline.json": foundry(0, "", "Earlier answer"),
      },
    },
  },
  {
    of: "avirath-kumar/cicd-pipeline-example, test-with-results.yml",
    step: `
uses: your-org/agent-deploy/gate@v0.1.0
with:
  results: test-results.xml
  gates: pass >= 1
  on-inconclusive: fail`,
    green: {
      "every test passes": { "test-results.xml": junit("tests.test_agent", suiteOf(6, 0)) },
    },
    red: {
      "one fails": { "test-results.xml": junit("tests.test_agent", suiteOf(6, 1)) },
      "one errors in its set-up": {
        "test-results.xml": junit("tests.test_agent", { ...suiteOf(6, 0), test_case_2: ["error"] }),
      },
    },
  },
];

interface Step {
  readonly uses: string;
  readonly "continue-on-error"?: boolean;
  readonly with: Readonly<Record<string, string>>;
}

let service: TestEmulator;
beforeAll(async () => {
  service = await startTestEmulator();
});

/** Stores an experiment as a suite that uploads by itself does. */
async function store(right: number): Promise<string> {
  const name = `run-${right}`;
  const reply = await fetch(`${service.url}/api/v1/datasets/upload-experiment`, {
    method: "POST",
    headers: { "x-api-key": "test-key", "content-type": "application/json" },
    body: JSON.stringify({
      experiment_name: name,
      experiment_start_time: "2026-11-01T10:00:00Z",
      experiment_end_time: "2026-11-01T10:00:01Z",
      dataset_name: "workshop",
      results: evaluated(right),
    }),
  });
  expect(reply.status).toBe(200);
  return name;
}

async function judge(gate: WildGate, files: Readonly<Record<string, string>>): Promise<ActionRun> {
  const { right, ...own } = files;
  const name = right === undefined ? "" : await store(Number(right));
  const step = load(gate.step.replace("NAME", name)) as Step;
  const { AGENT_DEPLOY_CONTROL_PLANE_URL, AGENT_DEPLOY_TRACING_URL } = service.env;
  return runAction(step.with, {
    entry: step.uses.includes("/gate@") ? "gate" : "index",
    workspace: createTree({ ...gate.written, ...own }),
    env: { AGENT_DEPLOY_CONTROL_PLANE_URL, AGENT_DEPLOY_TRACING_URL },
  });
}

const verdictOf = ({ outputs }: ActionRun): string | undefined =>
  outputs["verdict"] ?? outputs["gate-verdict"];

describe.each(GATES.map((gate) => [gate.of, gate] as const))("%s", (_, gate) => {
  test("has at most eight lines", () => {
    const lines = [gate.step, ...Object.values(gate.written ?? {})].flatMap((text) =>
      text.split("\n").filter((line) => line.trim() !== ""),
    );
    expect(lines.length).toBeLessThanOrEqual(8);
  });

  test.each(Object.entries(gate.green))("green: %s", async (_, files) => {
    const run = await judge(gate, files);
    expect({ code: run.code, log: run.code === 0 ? "" : run.stdout }).toEqual({ code: 0, log: "" });
    expect(verdictOf(run)).not.toBe("fail");
  });

  test.each(Object.entries(gate.red))("red: %s", async (_, files) => {
    const run = await judge(gate, files);
    expect({ code: run.code, log: run.code === 1 ? "" : run.stdout }).toEqual({ code: 1, log: "" });
    expect(["fail", "inconclusive"]).toContain(verdictOf(run));
  });
});
