import { beforeAll, describe, expect, test } from "@jest/globals";
import { runAction } from "../support/action-run.ts";
import { runCli } from "../support/cli-run.ts";
import {
  EXAMPLES,
  GATE,
  rows,
  startStoredExperiments,
  type StoredExperiments,
} from "./stored-experiments.ts";
import { createTree } from "../support/tree.ts";

describe("an experiment in the service, as the head", () => {
  let service: StoredExperiments["service"];
  let store: StoredExperiments["store"];
  let judge: StoredExperiments["judge"];
  const writes = (): number => service.writes().filter((one) => !one.endsWith("/runs")).length;

  let good: { id: string };
  beforeAll(async () => {
    ({ service, store, judge } = await startStoredExperiments());
    good = await store("good-1", rows(3));
    await store("bad-1", rows(15, "other"));
  });

  test("is judged by its name or id, and nothing is uploaded again", async () => {
    const before = writes();
    for (const name of ["good-1", good.id, good.id.toUpperCase()]) {
      const { code, report } = await judge([`experiment:${name}`, ...GATE]);
      expect(code).toBe(0);
      expect(report.gates).toMatchObject([
        { metric: "correctness", verdict: "pass", n: EXAMPLES, head: 0.9 },
      ]);
      expect(report.experiments).toMatchObject([
        { name: "good-1", outcome: "gated-only", experiment_id: good.id, rows: EXAMPLES },
      ]);
    }
    const bad = await judge(["experiment:bad-1", "--gate", "correctness >= 0.99"]);
    expect(bad.code).toBe(4);
    expect(writes()).toBe(before);
  });

  test("is judged through the gate's own action, with the key as an input and the address as a variable", async () => {
    const { AGENT_DEPLOY_CONTROL_PLANE_URL, AGENT_DEPLOY_TRACING_URL } = service.env;
    const run = await runAction(
      { results: "experiment:good-1", gates: "correctness >= 0.8", "api-key": "test-key" },
      { entry: "gate", env: { AGENT_DEPLOY_CONTROL_PLANE_URL, AGENT_DEPLOY_TRACING_URL } },
    );
    expect({ code: run.code, verdict: run.outputs["verdict"] }).toEqual({
      code: 0,
      verdict: "pass",
    });
  });

  test("is refused with exit 2 if it is compared with itself, by name, by id, or by the file that it was uploaded from", async () => {
    for (const word of ["good-1", good.id]) {
      const { code, stderr, report } = await judge([
        "experiment:good-1",
        "--baseline",
        `experiment:${word}`,
        ...GATE,
      ]);
      expect(code).toBe(2);
      expect(stderr + JSON.stringify(report)).toContain("a run compared with itself never fails");
    }
    const workspace = createTree({ "own.json": JSON.stringify(rows(1, "own")) });
    const up = await runCli(
      ["upload", "own.json", "--experiment-name", "own", "--dataset-name", "capitals"],
      { workspace, env: service.env },
    );
    expect(up.code).toBe(0);
    const { code } = await judge(["experiment:own", "--baseline", "own.json", ...GATE], workspace);
    expect(code).toBe(2);
  });

  test.each([
    [
      "a name that does not exist",
      "experiment:goood-1",
      "there is no experiment goood-1; the nearest",
      2,
    ],
    ["no name", "experiment:", "names no experiment", 2],
    ["auto, which is for a baseline", "experiment:auto", "names no experiment", 2],
  ])("is refused with exit 2 and what to write: %s", async (_, word, said, code) => {
    const run = await judge([word, ...GATE]);
    expect(run.code).toBe(code);
    expect(run.stderr + JSON.stringify(run.report)).toContain(said);
  });

  test("is refused next to files or another experiment, in an upload and in a plan", async () => {
    const workspace = createTree({ "a.json": JSON.stringify(rows(0)) });
    for (const other of ["a.json", "experiment:good-1", "experiment:bad-1"]) {
      const mixed = await judge(["experiment:good-1", other, ...GATE], workspace);
      expect([other, mixed.code, mixed.stderr]).toEqual([
        other,
        2,
        expect.stringContaining("one experiment of the service is judged by itself"),
      ]);
    }
    const upload = await runCli(["upload", "experiment:good-1"], { workspace, env: service.env });
    expect(upload.code).toBe(2);
    expect(upload.stderr + upload.stdout).toContain("has experiment:good-1 already");
    const plan = await runCli(["gate", "plan", "experiment:good-1"], {
      workspace,
      env: service.env,
    });
    expect(plan.code).toBe(2);
    expect(plan.stderr).toContain("gate plan reads result files");
  });

  test("is refused with exit 2 without a key, but on a fork, which has none, the run is skipped and says so", async () => {
    const { AGENT_DEPLOY_API_KEY: _, ...address } = service.env;
    const keyless = await judge(["experiment:good-1", ...GATE], createTree(), address);
    expect(keyless.code).toBe(2);
    expect(keyless.stderr + JSON.stringify(keyless.report)).toContain("api-key");
    const fork = await runAction(
      { results: "experiment:good-1", gates: "correctness >= 0.8" },
      {
        entry: "gate",
        env: address,
        event: {
          name: "pull_request",
          payload: {
            pull_request: {
              number: 7,
              head: { sha: "a".repeat(40), repo: { full_name: "stranger/agents", fork: true } },
              base: { ref: "main", repo: { full_name: "acme/agents" } },
            },
          },
        },
      },
    );
    expect({ code: fork.code, verdict: fork.outputs["verdict"] }).toEqual({
      code: 0,
      verdict: "none",
    });
    expect(fork.stdout).toContain("not judged: experiment:good-1 needs a key");
  });

  test("without a scored row ends as a file of such rows does", async () => {
    const unscored = rows(0, "unscored").map(({ evaluation_scores: _, ...row }) => ({
      ...row,
      error: "it broke",
    }));
    await store("unscored", unscored);
    const stored = await judge(["experiment:unscored", ...GATE]);
    const file = await judge(
      ["a.json", ...GATE],
      createTree({ "a.json": JSON.stringify(unscored) }),
    );
    expect({ code: stored.code, verdict: stored.report.gate_verdict }).toEqual({
      code: 4,
      verdict: "fail",
    });
    expect(stored.report.gates).toEqual(file.report.gates);
  });

  test("is calibrated from repeats of its examples", async () => {
    await store("repeated", [...rows(9, "r"), ...rows(3, "s"), ...rows(9, "t"), ...rows(3, "u")]);
    const run = await runCli(
      ["gate", "calibrate", "experiment:repeated", "--gate", "correctness drop <= 0.1"],
      { env: service.env },
    );
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/calibration: .*failed \d+ of/);
  });
});
