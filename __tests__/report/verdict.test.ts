// Headlines of ends that no scenario comes to by itself.
import { describe, expect, test } from "@jest/globals";
import type { DeploymentReport, Report } from "../../src/report/report.ts";
import { renderComment } from "../../src/report/markdown.ts";
import { toHeadline } from "../../src/report/verdict.ts";
import { deployment, gate, report, seen } from "./sample-reports.ts";

const ID = "7c1d1a52-53f4-4a35-8a5f-3f1c0c8a9b22";
const BEFORE = "5e0a9d3b-8c1f-4c69-b7b8-2d9e6a7f3c33";
const headline = (one: Partial<DeploymentReport>, over: Partial<Report> = {}): string => {
  const ended = deployment({ name: "it", revision_id: ID, previous_revision_id: BEFORE, ...one });
  return toHeadline(report({ outcome: ended.outcome, deployments: [ended], ...over }), "end");
};

describe("the headline of one deployment", () => {
  test.each<readonly [string, Partial<DeploymentReport>, ...Partial<Report>[]]>([
    ["it timed out: it is still being deleted", { outcome: "timed-out" }, { command: "destroy" }],
    [
      "it timed out: v2 is live, but its end was not confirmed",
      {
        outcome: "timed-out",
        version: "v2",
        revision_status: "DEPLOYING",
        serving: { revision_id: ID, version: "v2" },
      },
    ],
    ["it was not deployed: another deployment failed first", { outcome: "not-run" }],
    [
      "it: the revision of v2 could not be created",
      { outcome: "failed", reason: "CREATE_FAILED", version: "v2" },
    ],
    [
      "it: revision 7c1d1a52 could not be created; revision 5e0a9d3b is still serving",
      {
        outcome: "failed",
        reason: "CREATE_FAILED",
        version: "main",
        serving: { revision_id: BEFORE, version: "main" },
      },
    ],
    [
      "it: the new revision was built, but did not start",
      { outcome: "failed", reason: "DEPLOY_FAILED" },
    ],
    [
      "it: the build failed; the new revision is live",
      {
        outcome: "failed",
        reason: "BUILD_FAILED",
        serving: { revision_id: ID, version: null },
      },
    ],
    [
      "it: the build failed; v3 is serving",
      {
        outcome: "failed",
        reason: "BUILD_FAILED",
        serving: { revision_id: "another", version: "v3" },
      },
    ],
    [
      "it was superseded: the service skipped this revision",
      { outcome: "superseded", reason: "SKIPPED" },
    ],
    [
      "it was superseded: another update's revision came first",
      {
        outcome: "superseded",
        reason: "superseded",
        revision_id: null,
        superseded_by: "another",
        changed: false,
      },
    ],
  ])("%s", (words, one, ...over) => expect(headline(one, ...over)).toBe(words));

  test.each<readonly [string, Partial<DeploymentReport>]>([
    ["cancelled", { revision_id: null }],
    ["cancelled; nothing was changed", { revision_status: "DEPLOYED", changed: false }],
    ["cancelled after it was updated in place", { revision_status: "DEPLOYED" }],
    [
      "cancelled after the new revision went live",
      { revision_status: "DEPLOYED", timeline: seen(["DEPLOYED", 0]) },
    ],
    ["cancelled; v2 is still building", { revision_status: null, version: "v2" }],
  ])("of a cancelled run: %s", (words, one) =>
    expect(headline({ outcome: "cancelled", ...one })).toBe(`it: ${words}`),
  );

  test.each<readonly [string, NonNullable<DeploymentReport["rollback"]>]>([
    ["gave way to a newer revision", { outcome: "superseded", revision_id: "another" }],
    ["gave way to a newer revision", { outcome: "superseded", revision_id: null }],
    ["did not finish", { outcome: "timed-out", revision_id: "another" }],
  ])("of a rollback that %s: what serves is what served before", (words, rollback) => {
    const serving = { revision_id: BEFORE, version: "v1" };
    expect(headline({ outcome: "failed", reason: "BUILD_FAILED", rollback, serving })).toBe(
      `it: the build failed, and the rollback ${words}; v1 is serving`,
    );
  });
});

describe("the headline of a run", () => {
  test("mentions the cancellation, unless the end of a deployment does", () => {
    expect(headline({}, { outcome: "cancelled" })).toMatch(/^it was deployed.* · the run was/);
    expect(headline({}, { outcome: "cancelled", deployments: [] })).toBe("The run was cancelled");
  });

  test("of a rollback says so", () => {
    expect(headline({ action: "redeploy" }, { command: "rollback" })).toMatch(
      /^it was rolled back/,
    );
    expect(headline({ action: "redeploy" }, { command: "redeploy" })).toMatch(/^it was redeployed/);
  });

  test("counts what a gate rolled back and did not roll back, among many", () => {
    const of = (name: string, outcome: "deployed" | "blocked") =>
      deployment({ name, rollback: { revision_id: null, outcome } });
    const deployments = [of("a", "deployed"), of("b", "blocked"), deployment({ name: "c" })];
    expect(toHeadline(report({ outcome: "deployed", deployments }), "end")).toBe(
      "3 deployments: all deployed; 1 rolled back (a); 1 not rolled back (b)",
    );
  });

  test("of a deployed run that failed otherwise gives that cause", () => {
    const problems = [{ message: "one thing" }];
    const judgement = { red: true, exit_code: 1, why: "one thing", cause: "problem" } as const;
    expect(headline({}, { problems, judgement })).toBe("see the error · it was deployed");
    const fell = gate({ metric: "tone", rule: "tone drop <= 0.02", verdict: "fail" });
    expect(headline({}, { gates: [fell], gate_verdict: "fail" })).toBe(
      "it was deployed, but tone fell",
    );
  });

  test("names three files with problems, and mentions others", () => {
    const problems = ["a", "b", "c", "d"].map((name) => ({ message: "x", file: `${name}.csv` }));
    const over = { problems, deployments: [], outcome: "failed", command: "gate" } as const;
    expect(headline({}, over)).toBe(
      "4 problems in a.csv, b.csv, c.csv and others; nothing was sent",
    );
  });
});

test.each<readonly [string, readonly DeploymentReport["outcome"][]]>([
  ["3 deployments: 1 failed (agent-1), 2 deployed", ["deployed", "failed", "deployed"]],
  [
    "4 deployments: 1 failed, 1 blocked (agent-1, agent-3), 1 not-run, 1 unchanged",
    ["not-run", "blocked", "unchanged", "failed"],
  ],
  ["2 deployments: all failed (agent-0, agent-1)", ["failed", "failed"]],
  ["2 deployments: 1 deployed, 1 unchanged", ["unchanged", "deployed"]],
])("of several deployments lists names after their outcome: %s", (words, outcomes) => {
  const deployments = outcomes.map((outcome, at) => deployment({ name: `agent-${at}`, outcome }));
  expect(toHeadline(report({ deployments }), "end")).toBe(words);
});

test("a build is not reported as not reached if a deploy was seen", () => {
  const failed = (...seenAt: [status: string, second: number][]): string => {
    const ended = deployment({ outcome: "failed", timeline: seen(...seenAt) });
    return renderComment(report({ deployments: [ended], outcome: "failed" }), { header: "" });
  };
  const image = failed(["DEPLOYING", 0], ["DEPLOY_FAILED", 4]);
  expect(image).toContain("deploy  ██████████✗ 4 s");
  expect(image).not.toContain("not reached");
  expect(failed(["QUEUED", 0], ["CREATE_FAILED", 4])).toMatch(/build +not reached/);
});

test.each([
  ["plan", "Planning"],
  ["apply", "Planning"],
  ["wait", "Waiting for"],
  ["redeploy", "Redeploying"],
  ["rollback", "Rolling back"],
  ["destroy", "Deleting"],
])("the comment on a running %s says what it is doing", (command, words) => {
  const begun = report({ command, deployments: [deployment({ name: "it", plan: null })] });
  expect(renderComment(begun, { header: "", stage: "begin" })).toContain(`### ⏳ ${words} \`it\`…`);
});

test("a rollback's message shortens revision ids, except within an address", () => {
  const id = "d98ad8f7-dbbc-4204-a56b-bf9bbd0df807";
  const address = `https://api.example.com/v2/deployments/x/revisions/${id}/redeploy`;
  const failed = deployment({
    outcome: "failed",
    previous_revision_id: id,
    rollback: { revision_id: null, outcome: "failed" },
    message: `it failed. Rollback: POST ${address}: 503, and ${id} stays`,
  });
  expect(renderComment(report({ deployments: [failed] }), { header: "" })).toContain(
    `POST \`${address}\`: 503, and \`d98ad8f7\` stays`,
  );
});
