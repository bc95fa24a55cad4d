import { expect, test } from "@jest/globals";
import { CONTAINER, createStage, edit, expectEnd, movedByRequests, REPOSITORY } from "./stage.ts";

/** A build of some looks, whatever the machine: each request takes a tenth of a second of the service's clock. */
const SLOW = { clock: movedByRequests(100), phases: { BUILDING: 2_000, DEPLOYING: 1_000 } };
const STREAMED = { "stream-logs": "true", "poll-interval": "10ms" };
const BUILD = ["Step 1/9 : FROM python", "token is first-value", "Step 9/9 : CMD run"];
const failing = { ...SLOW, revisions: [{ outcome: "build-failed" as const, log: BUILD }] };

type Stage = Awaited<ReturnType<typeof createStage>>;
const logReads = ({ emulator }: Stage): number =>
  emulator.emulator.requests().filter(({ path }) => path.endsWith("/logs")).length;

const annotations = ({ stdout }: { readonly stdout: string }): string[] =>
  stdout.match(/^::(?:error|warning|notice|debug).*$/gmu) ?? [];

/** Each group with what is in it; lines outside of groups are left out. */
function groupsIn(text: string): (readonly [title: string, lines: string[]])[] {
  const found: [string, string[]][] = [];
  let open = false;
  for (const line of text.split("\n")) {
    const title = /^::group::(.*)$/.exec(line)?.[1];
    if (title !== undefined) found.push([title, []]);
    else if (open && line !== "::endgroup::") found.at(-1)![1].push(line.trim());
    if (title !== undefined) expect(open).toBe(false);
    open = title !== undefined || (open && line !== "::endgroup::");
  }
  expect(open).toBe(false);
  return found;
}

test("a build log is streamed in its own group, each line once and without secrets", async () => {
  const stage = await createStage(REPOSITORY, failing);
  const run = await stage.run(STREAMED);
  expectEnd(run, { outcome: "failed" }, 1);
  const logs = groupsIn(run.stdout).filter(([title]) => title.startsWith("Build log of"));
  expect(logs.map(([title]) => title)).toEqual([
    "Build log of support-agent",
    ...logs.slice(1).map(() => "Build log of support-agent, continued"),
  ]);
  expect(logs.flatMap(([, lines]) => lines)).toEqual([
    "waiting for a builder",
    "building the image",
    BUILD[0],
    "token is ***",
    BUILD[2],
    "the build failed",
  ]);
});

test("without the input no log is read while a revision builds", async () => {
  const stage = await createStage(REPOSITORY, SLOW);
  const run = await stage.run({ "poll-interval": "10ms" });
  expectEnd(run, { outcome: "deployed" });
  expect(logReads(stage)).toBe(0);
  expect(run.stdout).not.toContain("log of");
});

test("debug logging of the runner streams logs too", async () => {
  const stage = await createStage(REPOSITORY, SLOW);
  const run = await stage.run({ "poll-interval": "10ms" }, { env: { RUNNER_DEBUG: "1" } });
  expectEnd(run, { outcome: "deployed" });
  expect(groupsIn(run.stdout).map(([title]) => title)).toContain("Build log of support-agent");
  expect(groupsIn(run.stdout).map(([title]) => title)).toContain("Deploy log of support-agent");
});

test("concurrent deployments keep their lines separate", async () => {
  const named = (name: string): string => edit(CONTAINER, "search-agent", name);
  const stage = await createStage([named("ant"), named("bee")].join("---\n"), {
    ...SLOW,
    revisions: ["ant", "bee"].map((deployment) => ({
      deployment,
      log: Array.from({ length: 9 }, (_, at) => `${deployment} step ${at}`),
    })),
  });
  const run = await stage.run(STREAMED);
  expectEnd(run, { outcome: "deployed" });
  for (const name of ["ant", "bee"]) {
    const logs = groupsIn(run.stdout).filter(([title]) =>
      title.startsWith(`Deploy log of ${name}`),
    );
    const lines = logs.flatMap(([, all]) => all).filter((line) => line.includes(" step "));
    expect(lines).toEqual(Array.from({ length: 9 }, (_, at) => `${name} step ${at}`));
  }
});

/** Every address that a log is read from, one after the other. */
const LOGS = [
  "GET /v2/deployments/{id}/revisions/{rid}/logs",
  "GET /v2/deployment-logs",
  "POST /v1/projects/{id}/revisions/{rid}/build_logs",
  "POST /v1/projects/{id}/revisions/{rid}/deploy_logs",
];

test("a log that cannot be read does not affect the run", async () => {
  const faults = LOGS.map((route) => ({ route, kind: "status" as const, status: 500, times: 0 }));
  const stage = await createStage(REPOSITORY, { ...SLOW, faults });
  const run = await stage.run(STREAMED);
  expectEnd(run, { outcome: "deployed" });
  expect(logReads(stage)).toBeGreaterThan(0);
  expect(groupsIn(run.stdout).map(([title]) => title)).toEqual(["Plan"]);
  const unread = await (await createStage(REPOSITORY, SLOW)).run({ "poll-interval": "10ms" });
  expect(annotations(run)).toEqual(annotations(unread));
  expect(run.stderr).toBe(unread.stderr);
});

test("on GitLab the log is a collapsed section, and elsewhere has a heading", async () => {
  const gitlab = await createStage(REPOSITORY, failing);
  const args = ["apply", "--stream-logs", "--poll-interval", "10ms"];
  const { stderr } = await gitlab.cli(args, { CI: "true", GITLAB_CI: "true" });
  const sections = [
    ...stderr.matchAll(
      /\u001b\[0Ksection_start:\d+:(\w+)\[collapsed=true\]\r\u001b\[0KBuild log of support-agent/gu,
    ),
  ];
  expect(sections.length).toBeGreaterThan(0);
  for (const [, key] of sections) expect(stderr).toMatch(new RegExp(`section_end:\\d+:${key}\\r`));
  const jenkins = await createStage(REPOSITORY, failing);
  const plain = await jenkins.cli(args, { CI: "true" });
  expect(plain.stderr).toContain("Build log of support-agent:\n  waiting for a builder\n");
  expect(plain.stderr).not.toContain("\u001b");
});
