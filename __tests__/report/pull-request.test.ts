import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { renderComment, renderSummary } from "../../src/report/markdown.ts";
import { startFakeGithub, type FakeGithub } from "../host/fake-github.ts";
import type { ActionRun } from "../support/action-run.ts";
import { REPOSITORY, createDeployed, edit, expectEnd, type Stage } from "../scenarios/stage.ts";
import { change, deployment, plan as plannedNothing, report } from "./sample-reports.ts";

const NEXT = edit(REPOSITORY, "build_on_push: false", "build_on_push: true");
let github: FakeGithub;
beforeAll(async () => {
  github = await startFakeGithub();
});
afterAll(() => github.close());

/** A plan on the pull request, with the comment as asked for. */
function plan(stage: Stage, inputs: Readonly<Record<string, string>>): Promise<ActionRun> {
  const payload = {
    pull_request: {
      number: github.pullRequest,
      head: { sha: "1".repeat(40), repo: { full_name: "octocat/agents" } },
      base: { ref: "main", repo: { full_name: "octocat/agents" } },
    },
    repository: { full_name: "octocat/agents" },
  };
  return stage.run(
    { command: "plan", "github-token": github.token, ...inputs },
    {
      event: { name: "pull_request", payload },
      env: {
        GITHUB_API_URL: github.url,
        GITHUB_REPOSITORY: "octocat/agents",
        GITHUB_BASE_REF: "main",
        GITHUB_REF: `refs/pull/${github.pullRequest}/merge`,
      },
    },
  );
}

const headlines = async (): Promise<readonly string[]> =>
  (await github.comments()).map(({ body }) => body.split("\n")[1]!);

describe("comment: changes", () => {
  test("comments once something changes, and updates the comment when nothing changes any more", async () => {
    const stage = await createDeployed(REPOSITORY);
    const changes = { comment: "changes" };
    expectEnd(await plan(stage, changes), { outcome: "unchanged" });
    expect(await headlines()).toEqual([]);

    stage.spec(NEXT);
    expectEnd(await plan(stage, changes), { outcome: "planned" });
    expect(await headlines()).toEqual([
      "### 📝 `support-agent` would be updated in place, without a new revision: 1 change",
    ]);

    stage.spec(REPOSITORY);
    expectEnd(await plan(stage, changes), { outcome: "unchanged" });
    expect(await headlines()).toEqual([
      "### ✅ `support-agent`: nothing to change in the settings; the commit was not checked",
    ]);
  });

  test("comments on a blocked plan and on an invalid spec", async () => {
    const stage = await createDeployed(REPOSITORY);
    for (const [text, words] of [
      [edit(REPOSITORY, "deployment_type: prod", "deployment_type: dev"), "cannot be deployed"],
      [edit(REPOSITORY, "repo_ref", "repo_reff"), "The spec has 1 problem"],
    ] as const) {
      stage.spec(text);
      expect((await plan(stage, { comment: "changes", "comment-key": words })).code).toBe(1);
      expect((await headlines()).filter((line) => line.includes(words))).toHaveLength(1);
    }
  });
});

describe("the footer of a comment", () => {
  test("links to the agent, the run and the commit", async () => {
    const stage = await createDeployed(REPOSITORY);
    stage.spec(NEXT);
    const key = "footer";
    await plan(stage, { comment: "auto", "comment-key": key });
    const body = (await github.comments()).at(-1)!.body;
    const footer = body.trimEnd().split("\n").at(-1)!;
    const links = new Map(
      [...footer.matchAll(/\[([^\]]*)\]\(([^)]*)\)/g)].map(([, label, url]) => [label!, url!]),
    );
    expect([...links.keys()]).toEqual(["Agent", "Run", "1111111"]);
    expect(links.get("Agent")).toBe((await stage.live()).url);
    expect(links.get("Run")).toMatch(/\/octocat\/agents\/actions\/runs\/1001\/attempts\/1$/);
    expect(links.get("1111111")).toMatch(new RegExp(`/octocat/agents/commit/${"1".repeat(40)}$`));
    expect(footer).toMatch(/by octocat · \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect((await fetch(links.get("Agent")!)).status).toBe(200);
  });
});

describe("the notes of a deployment without changes, among several,", () => {
  const MERGE = "on merge: builds the merged commit";
  const unchanged = (name: string, notes: readonly string[]) =>
    deployment({ name, action: "none", outcome: "unchanged", plan: plannedNothing({ notes }) });

  test("are listed once with the names of their deployments", () => {
    const both = report({
      deployments: [
        unchanged("support-agent", [MERGE, "commit not checked"]),
        unchanged("b", [MERGE]),
      ],
    });
    for (const text of [renderSummary(both), renderComment(both, { header: "" })]) {
      expect(text).toContain(`- ${MERGE} (\`support-agent\`, \`b\`)\n`);
      expect(text).toContain("- commit not checked (`support-agent`)\n");
    }
  });

  test("are kept next to one with its own details", () => {
    const mixed = report({
      deployments: [
        deployment({ changes: [change("image_uri", "a", "b")], notes: ["only here"] }),
        unchanged("b", [MERGE]),
      ],
    });
    const summary = renderSummary(mixed);
    expect(summary).toContain(`- ${MERGE} (\`b\`)\n`);
    expect(summary.match(/only here/g)).toHaveLength(1);
  });
});
