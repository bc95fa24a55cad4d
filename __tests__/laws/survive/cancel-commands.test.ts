import { readdirSync, readlinkSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { startAction, type ActionRun } from "../../support/action-run.ts";
import { expectWithin } from "../../support/busy.ts";
import { startTestEmulator } from "../../support/emulator-process.ts";
import { createTree } from "../../support/tree.ts";
import { desiredOf, repohost } from "../../survive/flow.ts";
import { startStoppingFront, type Verdict } from "../../survive/process/front.ts";

const LIMIT_MS = 5_000;
const ID = "0b6f0000-0000-4000-8000-000000000001";
const UPLOAD = /upload-experiment/;
const seed = {
  integrations: [{ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" }],
  deployments: [{ ...desiredOf(repohost()).body, id: ID }],
};

const row = (n: number): string =>
  `${JSON.stringify({ inputs: { question: `question ${n}`, context: "x".repeat(400) }, actual_outputs: { answer: `answer ${n}` }, evaluation_scores: [{ key: "correctness", score: n % 2 }] })}\n`;
const rows = (count: number): string => Array.from({ length: count }, (_, n) => row(n)).join("");

/** Waits until a process has a file of that name open, as Linux lists them; rejects where it ends before. */
async function untilOpen(pid: number, name: string): Promise<void> {
  const folder = `/proc/${pid}/fd`;
  const isOpen = (fd: string): boolean => {
    try {
      return readlinkSync(`${folder}/${fd}`).endsWith(`/${name}`);
    } catch {
      return false;
    }
  };
  while (!readdirSync(folder).some(isOpen))
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
}

interface Cancelled {
  readonly run: ActionRun;
  readonly ms: number;
}

/** Runs the Action through a front, and sends SIGTERM as soon as `until` shows in its output, or a request is stopped. */
async function cancel(
  inputs: Readonly<Record<string, string>>,
  how: {
    readonly options?: Parameters<typeof startTestEmulator>[0];
    readonly files?: Record<string, string>;
    readonly stop?: (method: string, path: string) => Verdict;
    readonly until?: RegExp;
    /** A file that the run has to have open by then. */
    readonly reading?: string;
  },
): Promise<Cancelled> {
  const emulator = await startTestEmulator(how.options ?? { seed });
  const { front, stopped } = await startStoppingFront(
    emulator.url,
    ({ method = "", url = "" }) => how.stop?.(method, url) ?? "pass",
  );
  const child = startAction(
    { ...emulator.inputs, "control-plane-url": front, "tracing-url": front, ...inputs },
    { workspace: createTree({ "agent-deploy.yml": repohost(), ...how.files }) },
  );
  await (how.until === undefined ? stopped : child.until(how.until));
  if (how.reading !== undefined) await untilOpen(child.process.pid!, how.reading);
  const at = performance.now();
  child.process.kill("SIGTERM");
  const run = await child.done;
  return { run, ms: performance.now() - at };
}

function expectCancelled({ run, ms }: Cancelled): void {
  expect([run.outputs["outcome"], run.code, run.stdout]).toEqual([
    "cancelled",
    1,
    expect.any(String),
  ]);
  expectWithin(ms, LIMIT_MS);
  expect(JSON.parse(run.outputs["deployments"]!)).toEqual(expect.any(Array));
  expect(run.outputs["report"]).toMatch(/^\//);
  expect(run.summary).toMatch(/cancelled/i);
}

const held =
  (method: string, path: RegExp, verdict: Verdict = "stop-before") =>
  (sent: string, url: string): Verdict =>
    sent === method && path.test(url) ? verdict : "pass";

test("a cancel during an upload without an answer says that the experiment may exist", async () => {
  const end = await cancel(
    { command: "upload", experiment: "rows.jsonl" },
    { files: { "rows.jsonl": rows(20) }, stop: held("POST", UPLOAD, "stop-after") },
  );
  expectCancelled(end);
  expect(JSON.parse(end.run.outputs["experiments"]!)).toMatchObject([
    { outcome: "unknown", message: expect.stringMatching(/unknown.*Look for "rows-/s) },
  ]);
});

test("a cancel during the upload after a deploy ends as cancelled, not deployed, and names what was deployed", async () => {
  const end = await cancel(
    { command: "apply", experiment: "rows.jsonl", "poll-interval": "20ms" },
    { options: {}, files: { "rows.jsonl": rows(20) }, stop: held("POST", UPLOAD, "stop-after") },
  );
  expectCancelled(end);
  expect(JSON.parse(end.run.outputs["deployments"]!)).toMatchObject([
    { name: "agent", outcome: "deployed", revision_status: "DEPLOYED" },
  ]);
  expect([end.run.outputs["deployment-id"], JSON.parse(end.run.outputs["experiments"]!)]).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36}$/),
    [expect.objectContaining({ outcome: "unknown" })],
  ]);
});

test("a cancel while a lost upload is looked up sends nothing again", async () => {
  const end = await cancel(
    { command: "upload", experiment: "rows.jsonl" },
    {
      options: {
        faults: [{ route: "POST /api/v1/datasets/upload-experiment", kind: "reset-before" }],
      },
      files: { "rows.jsonl": rows(20) },
      until: /looking whether the experiment is ours/,
    },
  );
  expectCancelled(end);
});

test.each([
  ["gate", { gate: "correctness >= 0.4" }],
  ["upload", {}],
] as const)("a cancel of %s while a big file is read sends nothing", async (command, more) => {
  const end = await cancel(
    { command, experiment: "rows.jsonl", ...more },
    {
      files: { "rows.jsonl": rows(150_000) },
      until: /add-mask/,
      reading: "rows.jsonl",
      stop: (method) => (method === "POST" ? "stop-before" : "pass"),
    },
  );
  expectCancelled(end);
});

test.each([
  ["plan", { command: "plan" }, held("GET", /deployments/)],
  [
    "redeploy, as it is sent",
    { command: "redeploy", "deployment-id": ID },
    held("POST", /redeploy/, "stop-after"),
  ],
  [
    "redeploy, as it waits",
    { command: "redeploy", "deployment-id": ID },
    held("GET", /revisions\/(?!.*redeploy)/),
  ],
  [
    "destroy, as it is sent",
    { command: "destroy", "deployment-id": ID, confirm: "agent" },
    held("DELETE", /deployments/, "stop-after"),
  ],
  ["wait", { command: "wait", "deployment-id": ID }, held("GET", /revisions/)],
  ["export", { command: "export", "deployment-id": ID }, held("GET", /deployments/)],
] as const)("a cancel during %s ends as cancelled", async (_, inputs, stop) => {
  expectCancelled(await cancel(inputs, { stop }));
});

test("a cancel while a deleted deployment goes away names what is in progress", async () => {
  let gone = 0;
  const end = await cancel(
    { command: "destroy", "deployment-id": ID, confirm: "agent" },
    {
      options: { seed, lags: { delete: 60_000 } },
      stop: (method) => {
        if (method === "GET") gone += 1;
        return method === "GET" && gone > 2 ? "stop-after" : "pass";
      },
    },
  );
  expectCancelled(end);
  expect([end.run.outputs["deployment-id"], end.run.summary]).toEqual([
    ID,
    expect.stringContaining("is still being deleted"),
  ]);
});
