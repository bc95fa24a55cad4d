import { existsSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { findRoleFaults, readRoles, type ServiceState } from "../support/revision-roles.ts";
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

describe("a comment names revisions by their actual roles after", () => {
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
    expect(run.outputs["revision-id"]).not.toBe("");
  });
});

describe("a report", () => {
  test("has the headline, state and next step of the end of a rollback", async () => {
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

  test("of a run that compared nothing shows no plan", async () => {
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

  test("counts examples instead of scores, and lists each once", async () => {
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
    const scores = body.match(/question \d+[^\n]*\ba 1 → 0\W+b 1 → 0\W+c 1 → 0/g);
    expect(scores).toHaveLength(12);
  });

  test("with an inconclusive gate has no green tick", async () => {
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

  test("links to an experiment on a local service, whose page shows its rows", async () => {
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

  test("does not link to a deployment's page, which the emulator does not have", async () => {
    const stage = await createStage(CONTAINER);
    await stage.run({ ...MARKDOWN, "tenant-id": "0b6f0000-0000-4000-8000-000000000001" });
    expect(comment(stage)).not.toContain("/host/deployments/");
  });
});

describe("the comment as a file", () => {
  test("has what a comment would have, without the hidden header, from the command line too", async () => {
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

  test("must be within the workspace, or nothing is sent", async () => {
    const stage = await createStage(REPOSITORY);
    const run = await stage.cli(["plan", "--markdown-file", "../comment.md"]);
    expect(run.code).toBe(2);
    expect(existsSync(`${stage.workspace.path}/../comment.md`)).toBe(false);
    expect(stage.emulator.emulator.requests()).toEqual([]);
  });
});

describe("the check of roles", () => {
  const [OLD, NEW] = ["1".repeat(8), "2".repeat(8)].map(
    (id) => `${id}-0000-4000-8000-000000000000`,
  ) as [string, string];
  const state = (active: string, ...statuses: readonly string[]): ServiceState => ({
    deployments: [
      {
        id: "d",
        active_revision_id: active,
        revisions: [
          { id: OLD, timeline: [{ status: "DEPLOYED" }] },
          ...statuses.map((status) => ({ id: NEW, timeline: [{ status }] })),
        ],
      },
    ],
  });
  const faultsOf = (body: string): readonly string[] =>
    findRoleFaults(body, readRoles(state(OLD), state(OLD, "BUILD_FAILED"), []));

  test("accepts correct statements", () => {
    expect(faultsOf("Live now: revision `11111111` (`main`).")).toEqual([]);
    expect(faultsOf(`revision \`${NEW}\` (failed) · [Run](https://x.example)`)).toEqual([]);
  });

  test("finds a revision in a wrong role, an unknown one, and one in unknown words", () => {
    expect(faultsOf("Live now: revision `22222222`.")).toHaveLength(1);
    expect(faultsOf("revision `11111111` (failed)")).toHaveLength(1);
    expect(faultsOf("Live now: revision `33333333`.")).toEqual([
      "Live now: revision `33333333`: the service has no such revision",
    ]);
    expect(faultsOf("The revision of yesterday was `11111111`.")[0]).toMatch(/^no claim covers/);
  });
});

describe("the text of a run", () => {
  const fail = async (): Promise<{ readonly stage: Stage; readonly log: string }> => {
    const stage = await createDeployed(REPOSITORY, {
      revisions: [
        { revision: 2, outcome: "build-failed", log: ["npm error ERESOLVE could not resolve"] },
      ],
      timeScale: 1,
      phases: {
        CREATING: 10,
        QUEUED: 10,
        AWAITING_BUILD: 10,
        BUILDING: 1500,
        AWAITING_DEPLOY: 10,
        DEPLOYING: 10,
      },
    });
    stage.spec(NEXT);
    const run = await stage.run(MARKDOWN);
    expectEnd(run, { outcome: "failed" }, 1);
    return { stage, log: run.stdout };
  };
  let failed: ReturnType<typeof fail> | undefined;
  const failing = (): ReturnType<typeof fail> => (failed ??= fail());

  test("does not describe a failed phase as finished, in the comment or in the log", async () => {
    const { stage, log } = await failing();
    expect(comment(stage)).toMatch(/build\s+█+✗\s+\d+ s\ndeploy\s+not reached/);
    expect(log).toMatch(/build \d+ s ✗/);
    for (const text of [comment(stage), log])
      expect(text).not.toMatch(/\bbuilt\b|\bwas deployed\b/);
  });

  test("has each sentence once in the comment and once in the log", async () => {
    const { stage, log } = await failing();
    const sentences = (text: string): readonly string[] =>
      text
        .replace(/```[\s\S]*?```/g, "")
        .split(/\n|(?<=[.!?]) /)
        .map((line) => line.replace(/^[\s>*#-]+|[.*]+$/g, ""))
        .filter((line) => line.split(" ").length > 4);
    for (const text of [comment(stage), log.replace(/^::(?:error|warning|group|debug).*$/gm, "")]) {
      const all = sentences(text);
      expect(all.filter((line, at) => all.indexOf(line) !== at)).toEqual([]);
    }
  });

  test("has no internal words, and no two links with the same label", async () => {
    const { stage, log } = await failing();
    for (const text of [comment(stage), log]) {
      expect(text).not.toMatch(
        /\bWhat: |\(input \w+\)|Run · Run|\bundefined\b|\[object |BUILD_FAILED\b.*\bBUILD_FAILED/,
      );
      const labels = [...text.matchAll(/\[([^\]]*)\]\(http/g)].map(([, label]) => label);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });
});
