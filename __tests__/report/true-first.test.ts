import { existsSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import type { ActionRun } from "../support/action-run.ts";
import {
  CONTAINER,
  REPOSITORY,
  createDeployed,
  createStage,
  edit,
  expectEnd,
  type Stage,
} from "../scenarios/stage.ts";

const NEXT = edit(REPOSITORY, "repo_ref: main", "repo_ref: release-2");
const MARKDOWN = { "markdown-file": "out/comment.md" };

/** The Markdown that the last run wrote. */
const comment = (stage: Stage): string => stage.workspace.read("out/comment.md");

const headline = (stage: Stage): string => comment(stage).split("\n")[0]!;

/** Every revision that the service has, by the first digits of its id, with what happened to it. */
async function rolesOf(
  stage: Stage,
): Promise<ReadonlyMap<string, { status: string; active: boolean }>> {
  const { active_revision_id: active } = await stage.live();
  return new Map(
    (await stage.revisions()).map((one) => [
      one.id.slice(0, 8),
      { status: one.status, active: one.id === active },
    ]),
  );
}

/** Holds what a comment says of revisions against what the service knows: none plays another role than it played. */
async function expectRoles(stage: Stage, run: ActionRun): Promise<void> {
  const roles = await rolesOf(stage);
  const body = comment(stage);
  const claims: readonly (readonly [
    RegExp,
    (role: { status: string; active: boolean }) => boolean,
  ])[] = [
    [/Live now: revision `([0-9a-f]{8})`/g, (role) => role.active],
    [/as `([0-9a-f]{8})`, which is serving now/g, (role) => role.active],
    [/Revision `([0-9a-f]{8})` is serving/g, (role) => role.active],
    [/The failed revision is `([0-9a-f]{8})`/g, (role) => !role.active],
    [/revision `([0-9a-f]{8})-[0-9a-f-]+` \(failed\)/g, (role) => role.status.endsWith("FAILED")],
    [/revision `([0-9a-f]{8})-[0-9a-f-]+` \(skipped\)/g, (role) => role.status === "SKIPPED"],
  ];
  for (const [pattern, holds] of claims)
    for (const [said, id] of body.matchAll(pattern))
      expect({ said, role: roles.get(id!), holds: holds(roles.get(id!)!) }).toMatchObject({
        holds: true,
      });
  expect(
    roles.has((run.outputs["revision-id"] ?? "").slice(0, 8)) || run.outputs["revision-id"] === "",
  ).toBe(true);
}

describe("a comment names revisions in the roles they played", () => {
  test.each([
    ["a build that fails", { revisions: [{ revision: 2, outcome: "build-failed" }] }, {}],
    [
      "a rollback that makes a revision",
      { redeploy: "new-revision", revisions: [{ revision: 2, outcome: "deploy-failed" }] },
      { "on-failure": "rollback" },
    ],
    [
      "a rollback that keeps the revision",
      { redeploy: "same-revision", revisions: [{ revision: 2, outcome: "deploy-failed" }] },
      { "on-failure": "rollback" },
    ],
    [
      "a rollback that fails",
      {
        redeploy: "new-revision",
        revisions: [
          { revision: 2, outcome: "deploy-failed" },
          { revision: 3, outcome: "deploy-failed" },
        ],
      },
      { "on-failure": "rollback" },
    ],
    ["a verify that fails", {}, { verify: "exit 1" }],
    ["a skipped revision", { revisions: [{ revision: 2, outcome: "skipped" }] }, {}],
  ] as const)("%s", async (_name, options, inputs) => {
    const stage = await createDeployed(REPOSITORY, options as Parameters<typeof createDeployed>[1]);
    stage.spec(NEXT);
    const run = await stage.run({ ...inputs, ...MARKDOWN });
    expect(run.code).toBe(1);
    await expectRoles(stage, run);
  });
});

describe("what a report says is so", () => {
  test("after a rollback the headline, the state and the next step are those of its end", async () => {
    const stage = await createDeployed(REPOSITORY, { redeploy: "new-revision" });
    stage.spec(NEXT);
    expectEnd(
      await stage.run({ ...MARKDOWN, "on-failure": "rollback", verify: "exit 1" }),
      { outcome: "failed" },
      1,
    );
    expect(headline(stage)).toBe(
      "### ❌ `support-agent`: the verify command failed; rolled back to `main`",
    );
    expect(comment(stage)).toContain("Fix the cause, then deploy again");
    expect(comment(stage)).not.toMatch(/The revision is live|set on-failure/);
  });

  test("a run that compared nothing shows no plan", async () => {
    const stage = await createStage(REPOSITORY);
    const payload = {
      pull_request: {
        number: 1,
        head: { sha: "2".repeat(40), repo: { full_name: "stranger/agents" } },
      },
    };
    const fork = await stage.run(
      { ...MARKDOWN, command: "auto", "api-key": "" },
      { event: { name: "pull_request", payload } },
    );
    expect(fork.code).toBe(0);
    expect(fork.stdout).not.toMatch(/Plan:|no changes|unchanged/);
    stage.spec(edit(REPOSITORY, "repo_ref", "repo_reff"));
    const bad = await stage.run({ ...MARKDOWN, command: "plan" });
    expect(bad.stdout).not.toMatch(/Plan:|no changes/);
    expect(headline(stage)).toBe("### ❌ The spec has 1 problem; nothing was sent");
  });

  test("examples are counted, not scores, and each is listed once", async () => {
    const stage = await createStage(CONTAINER);
    const rows = (bad: number): string =>
      Array.from({ length: 20 }, (_, at) =>
        JSON.stringify({
          inputs: { q: `question ${at}` },
          evaluation_scores: ["a", "b", "c"].map((key) => ({ key, score: at < bad ? 0 : 1 })),
        }),
      ).join("\n");
    stage.workspace.write("base.jsonl", rows(0));
    stage.workspace.write("now.jsonl", rows(12));
    const gate = ["a", "b", "c"].map((key) => `${key} drop <= 0.02`).join("\n");
    await stage.run({
      ...MARKDOWN,
      command: "gate",
      experiment: "now.jsonl",
      baseline: "base.jsonl",
      gate,
    });
    const body = comment(stage);
    expect(body).toContain("12 of 20 examples got worse, none got better.");
    for (let at = 0; at < 12; at += 1)
      expect(body.match(new RegExp(`question ${at}\\b`, "g"))).toHaveLength(1);
  });

  test("an inconclusive gate is not a green tick", async () => {
    const stage = await createStage(CONTAINER);
    const row = (at: number, score: number): string =>
      JSON.stringify({ inputs: { q: at }, evaluation_scores: [{ key: "a", score }] });
    stage.workspace.write(
      "now.jsonl",
      Array.from({ length: 20 }, (_, at) => row(at, at < 9 ? 0 : 1)).join("\n"),
    );
    await stage.run({ ...MARKDOWN, command: "gate", experiment: "now.jsonl", gate: "a >= 0.7" });
    expect(headline(stage)).not.toContain("✅");
  });

  test("the experiment's link on a service on this machine answers, and shows its rows", async () => {
    const stage = await createStage(CONTAINER);
    stage.workspace.write(
      "now.jsonl",
      JSON.stringify({
        inputs: { q: "where is it?" },
        evaluation_scores: [{ key: "a", score: 1 }],
      }),
    );
    const run = await stage.run({ ...MARKDOWN, command: "upload", experiment: "now.jsonl" });
    const url = run.outputs["experiment-url"] ?? "";
    expect(url).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/o\/[^/]+\/datasets\/[^/]+\/compare\?selectedSessions=[\w-]+$/,
    );
    expect(comment(stage)).toContain(url);
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("where is it?");
  });

  test("no link leads to a deployment's page that the emulator has not", async () => {
    const stage = await createStage(CONTAINER);
    await stage.run({ ...MARKDOWN, "tenant-id": "0b6f0000-0000-4000-8000-000000000001" });
    expect(comment(stage)).not.toContain("/host/deployments/");
  });
});

describe("the comment as a file", () => {
  test("holds what a comment would, with no hidden header, from the command line too", async () => {
    const stage = await createStage(REPOSITORY);
    const run = await stage.cli([
      "plan",
      "--markdown-file",
      "out/comment.md",
      "--poll-interval",
      "20ms",
    ]);
    expect(run.code).toBe(0);
    expect(headline(stage)).toBe("### 📝 `support-agent` would be created with 9 fields");
    expect(comment(stage)).not.toContain("<!--");
  });

  test("lies where files may lie, else nothing is sent", async () => {
    const stage = await createStage(REPOSITORY);
    const run = await stage.cli(["plan", "--markdown-file", "../comment.md"]);
    expect(run.code).toBe(2);
    expect(existsSync(`${stage.workspace.path}/../comment.md`)).toBe(false);
    expect(stage.emulator.emulator.requests()).toEqual([]);
  });
});
