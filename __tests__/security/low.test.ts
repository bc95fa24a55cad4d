import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { resolveAddresses } from "../../src/service/addresses.ts";
import { CONTAINER, createStage, expectEnd, REPOSITORY } from "../scenarios/stage.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";

const row = (more: object): string =>
  `${JSON.stringify({ inputs: { q: 1 }, actual_outputs: { a: 1 }, ...more })}\n`;

test("a row of a hundred thousand metrics takes time by their number", async () => {
  const evaluation_scores = Array.from({ length: 100_000 }, (_, at) => ({
    key: `m${at}`,
    score: 1,
  }));
  const workspace = createTree({ "rows.jsonl": row({ evaluation_scores }) });
  const run = await runCli(["gate", "rows.jsonl", "--gate", "m1 >= 0.5", "--json"], { workspace });
  expect(Object.keys(JSON.parse(run.stdout).experiments[0].scores).length).toBeGreaterThan(0);
});

test("a row that holds the run's own key is told, once, when it is uploaded", async () => {
  const stage = await createStage(REPOSITORY, { apiKeys: ["lsv2_sk_0123456789"] });
  const score = { evaluation_scores: [{ key: "m", score: 1 }] };
  stage.workspace.write(
    "rows.jsonl",
    row({ ...score, run_metadata: { env: "KEY=lsv2_sk_0123456789" } }).repeat(3),
  );
  const given = { command: "upload", experiment: "rows.jsonl", "api-key": "lsv2_sk_0123456789" };
  const run = await stage.run(given);
  expectEnd(run, { outcome: "unchanged" });
  expect(run.stdout.match(/::warning.*a row holds a key or token of this run/g)).toHaveLength(1);
  stage.workspace.write("rows.jsonl", row(score));
  expect((await stage.run(given)).stdout).not.toContain("a row holds a key");
});

test("terminal codes of what the service says are not obeyed in the log", async () => {
  const stage = await createStage(CONTAINER, {
    revisions: [
      {
        outcome: "deploy-failed",
        status_message: "\u001b[2J\u001b]0;title\u0007crash\u001b[8m",
        log: [],
      },
    ],
  });
  const run = await stage.run();
  expectEnd(run, { outcome: "failed" }, 1);
  expect(run.stdout).toContain("crash");
  const foreign = run.stdout.replace(/\u001b\[\d+(?:;\d+)*m/g, "");
  expect([foreign.includes("\u001b"), run.stdout.includes("\u001b[8m")]).toEqual([false, false]);
});

test.each(["javascript:alert(1)//", "data:text/html,x"])(
  "an address of the service that is none for a browser is no output: %s",
  async (url) => {
    const stage = await createStage(REPOSITORY);
    stage.emulator.emulator.addFaults([]);
    const { toDeploymentReport, createTracker, track } = await import(
      "../../src/deploy/tracker.ts"
    );
    const tracker = createTracker("a");
    track(tracker, { ...liveOf(url) });
    expect(toDeploymentReport(tracker, { outcome: "deployed", reason: "", message: "" }).url).toBe(
      "",
    );
  },
);

test.each(["https://a.example.com", "agents.internal", "agents.internal:8000/x", "[::1]:8000"])(
  "an address with or without a scheme is the output as the service gives it: %s",
  async (url) => {
    const { createTracker, track } = await import("../../src/deploy/tracker.ts");
    const tracker = createTracker("a");
    track(tracker, { ...liveOf(url) });
    expect(tracker.url).toBe(url);
  },
);

function liveOf(url: string): Parameters<typeof import("../../src/deploy/tracker.ts").track>[1] {
  return { id: "1", name: "a", url, body: {} } as never;
}

describe("an address is paired with one of the same owner alone", () => {
  test.each(["https://api.host.com", "https://api.host.co.uk"])("%s", (controlPlaneUrl) => {
    expect(resolveAddresses({ region: "us", controlPlaneUrl })).toMatchObject({
      kind: "problem",
      input: "tracing-url",
    });
  });

  test("the hosted service's own are", () => {
    expect(
      resolveAddresses({ region: "us", controlPlaneUrl: "https://eu.api.host.langchain.com" }),
    ).toMatchObject({ tracing: "https://eu.api.smith.langchain.com" });
  });
});

test("a server that verify leaves running does not hold up the end, and is stopped", async () => {
  const stage = await createStage(REPOSITORY);
  const run = await stage.run({
    verify: "(while true; do sleep 1; done) & echo started; echo $! > pid; exit 0",
    timeout: "2m",
  });
  expectEnd(run, { outcome: "deployed" });
  expect(run.stdout).toContain("started");
  const pid = Number(stage.workspace.read("pid"));
  // What nobody has waited for yet is still listed, as a zombie.
  const state = existsSync(`/proc/${pid}/stat`)
    ? readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]![0]
    : "gone";
  expect(["gone", "Z"]).toContain(state);
});
