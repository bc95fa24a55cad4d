import { describe, expect, test } from "@jest/globals";
import type { DeploymentReport } from "../../src/report/report.ts";
import { createFlow, desiredOf, INTEGRATION, REPO, repohost } from "./flow.ts";
import { changingAnswers } from "./gateway.ts";

const ID = "0b6f0000-0000-4000-8000-000000000001";
const [LIVE, WANTED, BUILT] = ["a".repeat(40), "b".repeat(40), "c".repeat(40)] as const;

/** A service that shows no commit on a revision, only on the deployment. */
const withoutRevisionCommits = changingAnswers((answer, { url }) =>
  /\/revisions\/[^/]+$/.test(url)
    ? { ...answer, text: answer.text.replace(/,?"repo_commit_sha":"[^"]*"/, "") }
    : answer,
);

interface Update {
  /** How the commit that was built relates to the wanted one. */
  readonly relation: "ahead" | "identical" | "behind" | "diverged" | "unknown";
  /** The head of the branch when the service builds it. */
  readonly built?: string;
  readonly onDeploymentOnly?: boolean;
  /** `deploy:` of the spec. */
  readonly deploy?: string;
}

/** An update that wants one commit, while the branch may be at another when the service builds it. */
function update({
  relation,
  built = BUILT,
  onDeploymentOnly = false,
  deploy,
}: Update): Promise<DeploymentReport> {
  const flow = createFlow({
    emulator: {
      seed: {
        deployments: [{ ...desiredOf(repohost()).body, id: ID }],
        heads: { [REPO]: { main: LIVE } },
      },
    },
    policy: { commit: WANTED },
    run: { repositoryUrl: REPO, ref: "refs/heads/main" },
    repository: {
      checkedOut: async () => null,
      compare: async (older) =>
        older === WANTED
          ? { relation, files: null }
          : { relation: "ahead", files: ["docs/page.md"] },
    },
    ...(onDeploymentOnly ? { between: withoutRevisionCommits } : {}),
  });
  flow.emulator.push({ repo_url: REPO, ref: "main", commit: built });
  const spec = repohost({ graph: "other.json", ...(deploy === undefined ? {} : { deploy }) });
  return flow.apply(desiredOf(spec));
}

describe("a DEPLOYED revision", () => {
  test.each([
    { relation: "behind" },
    { relation: "diverged" },
    { relation: "behind", onDeploymentOnly: true },
  ] as const)("built from another commit fails, %j", async (given) => {
    const report = await update(given);
    expect([report.outcome, report.reason, report.message, report.next]).toEqual([
      "failed",
      "commit",
      `revision ${report.revision_id} is DEPLOYED, but it was built from ${BUILT}, which does not hold the wanted commit ${WANTED}`,
      [
        expect.stringMatching(/^Check that b{12} is pushed to the branch/),
        expect.stringMatching(/^Run again/),
      ],
    ]);
  });
  test("built from the live commit again fails if the history is unknown", async () => {
    const report = await update({ relation: "unknown", built: LIVE });
    expect([report.outcome, report.reason]).toEqual(["failed", "commit"]);
  });
  test("built from an unknown commit is deployed with a warning that names both commits", async () => {
    const report = await update({ relation: "unknown" });
    expect([report.outcome, report.warnings]).toEqual([
      "deployed",
      [expect.stringMatching(`built from ${BUILT}; whether .* wanted commit ${WANTED} could not`)],
    ]);
  });
  test("built from a later commit is reported with that commit", async () => {
    const later =
      "the branch was at a later commit: the service built cccccccccccc, not bbbbbbbbbbbb";
    expect((await update({ relation: "ahead" })).notes).toContain(later);
    expect((await update({ relation: "behind", built: WANTED })).notes).not.toContain(later);
  });
  test.each([
    { relation: "ahead" },
    { relation: "identical" },
    { relation: "behind", built: WANTED },
    { relation: "behind", deploy: "{ paths: [src/**] }" },
  ] as const)(
    "built from the wanted or a later commit, or without changes under deploy.paths, is deployed, %j",
    async (given) => {
      const report = await update(given);
      expect([report.outcome, report.reason, report.warnings]).toEqual(["deployed", "", []]);
    },
  );
});

test("with two pushes in a row, the first push's revision is skipped, and logged once", async () => {
  const flow = createFlow({
    emulator: {
      seed: {
        deployments: [{ ...desiredOf(repohost({ push: true })).body, id: ID }],
        heads: { [REPO]: { main: LIVE } },
      },
    },
    policy: { commit: WANTED },
    run: { repositoryUrl: REPO, ref: "refs/heads/main" },
    repository: {
      checkedOut: async () => null,
      compare: async () => ({ relation: "ahead", files: null }),
    },
  });
  for (const [afterMs, commit] of [
    [5_000, BUILT],
    [30_000, WANTED],
  ] as const)
    void flow.clock
      .sleep(afterMs)
      .then(() => flow.emulator.push({ repo_url: REPO, ref: "main", commit }));
  const report = await flow.apply(desiredOf(repohost({ push: true })));
  expect(report.outcome).toBe("deployed");
  const said = flow.lines.filter((line) => line.includes("shows the earlier commit"));
  expect(said).toEqual([expect.stringContaining(BUILT.slice(0, 12))]);
});

test("a report has the version that was sent, or what the revision itself shows", async () => {
  const renamed = changingAnswers((answer, { url }) =>
    /\/revisions\/[^/]+$/.test(url)
      ? { ...answer, text: answer.text.replace('"repo_ref":"main"', '"repo_ref":"release"') }
      : answer,
  );
  const flow = createFlow({
    emulator: {
      seed: { integrations: [INTEGRATION] },
    },
    between: renamed,
  });
  const created = await flow.apply(desiredOf(repohost()));
  expect([created.outcome, created.version]).toEqual(["deployed", "main"]);
  const updated = await flow.apply(desiredOf(repohost({ secret: "two" })));
  expect([updated.outcome, updated.version]).toEqual(["deployed", "release"]);
});
