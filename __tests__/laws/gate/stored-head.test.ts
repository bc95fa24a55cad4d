import { beforeAll, describe, expect, test } from "@jest/globals";
import { runCli } from "../../support/cli-run.ts";
import { startProxy } from "../../support/service-proxy.ts";
import {
  EXAMPLES,
  GATE,
  rows,
  startStoredExperiments,
  type StoredExperiments,
} from "../../gate/stored-experiments.ts";
import { createTree } from "../../support/tree.ts";

describe("an experiment in the service, as the head", () => {
  let service: StoredExperiments["service"];
  let store: StoredExperiments["store"];
  let judge: StoredExperiments["judge"];
  beforeAll(async () => {
    ({ service, store, judge } = await startStoredExperiments());
    await store("good-1", rows(3));
    await store("bad-1", rows(15, "other"));
  });

  test("is compared with a result file, a baseline file and another experiment, example by example", async () => {
    const workspace = createTree({ "base.json": JSON.stringify(rows(2, "base")) });
    const drop = ["--gate", "correctness drop <= 0.02"];
    const byFile = await judge(["experiment:bad-1", "--baseline", "base.json", ...drop], workspace);
    expect(byFile.report.gates[0]).toMatchObject({ verdict: "fail", n: EXAMPLES });
    expect(byFile.report.rows_worse).toHaveLength(13);
    const byStored = await judge(["experiment:bad-1", "--baseline", "experiment:good-1", ...drop]);
    expect(byStored.report.gates[0]).toMatchObject({ verdict: "fail", n: EXAMPLES });
    const written = await judge(
      ["experiment:good-1", ...drop, "--write-baseline", "b.json", "--accept-baseline"],
      workspace,
    );
    expect(written.code).toBe(0);
    const byBaseline = await judge(
      ["experiment:bad-1", "--baseline", "b.json", ...drop],
      workspace,
    );
    expect(byBaseline.report.gates[0]).toMatchObject({ verdict: "fail", n: EXAMPLES });
    const files = await runCli(["gate", "base.json", "--baseline", "b.json", ...drop, "--json"], {
      workspace,
    });
    expect(JSON.parse(files.stdout).gates[0]).toMatchObject({ verdict: "pass", n: EXAMPLES });
  });

  test("is red after a second read if some of its rows are missing", async () => {
    await store("half", rows(0, "half"), {
      agent_deploy: { version: 1, complete: true, rows: EXAMPLES + 10 },
    });
    const { code, report, stderr } = await judge(["experiment:half", ...GATE]);
    expect(code).toBe(1);
    expect(stderr + JSON.stringify(report)).toContain(
      "experiment half has 40 rows, and the service gave 30, then 30",
    );
    expect(report.gate_verdict).toBe("none");
  });

  test("is read again if the service answers half the first time, and is red if it always does", async () => {
    let [reads, halves] = [0, 1];
    const url = await startProxy(service.url, async ({ path, body, forward }) => {
      if (!/\/datasets\/[^/]+\/runs$/.test(path)) return forward();
      const { offset } = JSON.parse(String(body)) as { offset: number };
      if (offset === 0) reads += 1;
      if (reads > halves) return forward();
      const page = JSON.parse(String((await forward()).body)) as unknown[];
      return { status: 200, body: JSON.stringify(offset > 0 ? [] : page.slice(0, 20)) };
    });
    const env = {
      AGENT_DEPLOY_API_KEY: "test-key",
      AGENT_DEPLOY_CONTROL_PLANE_URL: url,
      AGENT_DEPLOY_TRACING_URL: url,
    };
    const again = await judge(["experiment:good-1", ...GATE], createTree(), env);
    expect(again.stderr).toContain("20 of 30 rows came; reading them again");
    expect({ code: again.code, n: again.report.gates[0]?.n }).toEqual({ code: 0, n: EXAMPLES });
    halves = Infinity;
    const red = await judge(["experiment:good-1", ...GATE], createTree(), env);
    expect(red.code).toBe(1);
    expect(red.stderr + JSON.stringify(red.report)).toContain("the service gave 20, then 20");
  });
});
