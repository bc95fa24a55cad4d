import { describe, expect, test } from "@jest/globals";
import { isRollbackCancelled, redeployPrevious, toRestore } from "../../src/deploy/rollback.ts";
import type { Change } from "../../src/plan/plan.ts";
import { blankDeployment } from "../../src/report/report.ts";
import { ServiceError } from "../../src/service/control-plane.ts";
import { toDeployment, toRevision } from "../../src/service/replies.ts";
import { createBareRun } from "./bare-run.ts";

const FIX = "Fix the cause, then deploy again";
const changed = (...paths: readonly string[]) => paths.map((path) => ({ path })) as Change[];

test.each<[readonly string[], readonly string[]]>([
  [[], []],
  [["revision", "source", "source_revision_config.repo_ref"], []],
  [["secrets.TOKEN", "secrets.KEY"], ["secrets"]],
  [
    ["source_config.resource_spec.cpu", "source_config.build_on_push"],
    ["resource_spec", "build_on_push"],
  ],
])("after the changes %j a redeploy does not restore %j", (paths, names) => {
  expect(toRestore(changed(...paths))).toEqual(
    names.length === 0
      ? []
      : [
          `Still as this run changed them: ${names.join(", ")}. Revert them in the spec and deploy to restore them`,
        ],
  );
});

interface Failure {
  readonly failedId?: string | null;
  readonly previousId?: string | null;
  readonly wasActive?: boolean;
  /** What is live by now; null: it is gone; an error: it cannot be read. */
  readonly live?:
    | {
        readonly latest?: string | null;
        readonly active?: string | null;
        readonly status?: string;
      }
    | ServiceError
    | null;
  readonly cancelAt?: "read" | "redeploy";
  readonly taken?: boolean;
}

/** Rolls back to p after f has failed, on a service that refuses the redeploy unless it takes it. */
async function rollBackOver({
  failedId = "f",
  previousId = "p",
  wasActive = false,
  live = {},
  cancelAt,
  taken,
}: Failure) {
  const asked: string[] = [];
  const bare = createBareRun({
    policy: { placeFlags: " --region eu" },
    service: {
      getDeployment: async () => {
        if (cancelAt === "read") bare.abort.abort(new Error("SIGINT"));
        bare.context.signal.throwIfAborted();
        if (live === null) return null;
        if (live instanceof ServiceError) throw live;
        const {
          latest = failedId,
          active = wasActive ? failedId : previousId,
          status = "READY",
        } = live;
        return toDeployment({
          id: "d",
          name: "agent",
          status,
          latest_revision_id: latest,
          active_revision_id: active,
        });
      },
      getRevision: async (_, id) => toRevision({ id, status: "DEPLOYED" }),
      listRevisions: async () => {
        const items = ["f", "between", "p"].map((id) => toRevision({ id, status: "DEPLOYED" }));
        return { state: "found", items };
      },
      redeploy: async (_, id) => {
        asked.push(id);
        if (taken !== true) return { state: "refused", status: 400, error: new Error("not now") };
        if (cancelAt === "redeploy") bare.abort.abort(new Error("SIGINT"));
        return {
          state: "taken",
          reply: toDeployment({
            id: "d",
            name: "agent",
            latest_revision_id: "n",
            active_revision_id: "f",
          }),
        };
      },
    },
  });
  const report = await redeployPrevious(bare.context, {
    name: "agent",
    id: "d",
    revision_id: failedId,
    previous_revision_id: previousId,
    changes: changed("secrets.TOKEN"),
    timeoutMs: 600_000,
    wasActive,
  });
  return { report, asked, lines: bare.lines };
}

describe("a rollback is not done", () => {
  test.each<[string, Failure, string, string]>([
    [
      "if nothing was active before",
      { previousId: null },
      "blocked",
      "nothing was active before this run, so there is nothing to go back to",
    ],
    [
      "if the failed revision was active before",
      { previousId: "f" },
      "blocked",
      "revision f, which failed, is the one that was active before",
    ],
    [
      "if the deployment cannot be read",
      { live: new ServiceError("GET d: 403: Forbidden", { status: 403, ownWords: true }) },
      "failed",
      "GET d: 403: Forbidden",
    ],
    ["if the deployment is gone", { live: null }, "failed", "deployment d is not found any more"],
    [
      "while it is being deleted",
      { live: { status: "AWAITING_DELETE" } },
      "blocked",
      "not done: deployment d is being deleted",
    ],
    [
      "over a newer revision",
      { live: { latest: "x" } },
      "superseded",
      "not done: revision x is newer",
    ],
    [
      "over a newer revision, after ours was active",
      { wasActive: true, live: { latest: "x" } },
      "superseded",
      "not done: revision x is newer",
    ],
    [
      "over another one that became active",
      { live: { active: "x" } },
      "superseded",
      "not done: revision x, which is not of this run, became active while this run was under way, and stays",
    ],
    [
      "if the previous one is active again",
      { wasActive: true, live: { active: "p" } },
      "superseded",
      "not done: revision p, the previous one, is active already",
    ],
    [
      "if another one replaced ours",
      { wasActive: true, live: { active: "x" } },
      "superseded",
      "not done: revision x is active by now, not revision f",
    ],
    [
      "if none replaced ours",
      { wasActive: true, live: { active: null } },
      "superseded",
      "not done: no revision is active by now, not revision f",
    ],
  ])("%s", async (_, failure, outcome, message) => {
    const { report, asked } = await rollBackOver(failure);
    expect([report.outcome, report.message, asked]).toEqual([outcome, `Rollback: ${message}`, []]);
    const isDeleting = message.endsWith("is being deleted");
    expect(report.next.includes(FIX)).toBe(!isDeleting);
  });
});

describe("a rollback is done", () => {
  test.each<[string, Failure, string]>([
    ["to the previous revision", {}, "p"],
    ["if none is active", { live: { active: null } }, "p"],
    ["if the previous one is the latest", { live: { latest: "p" } }, "p"],
    [
      "if the failed one has no id, whatever is the latest",
      { failedId: null, live: { latest: "x", active: "p" } },
      "p",
    ],
    ["to the one right before, if ours was active", { wasActive: true }, "between"],
  ])("%s", async (_, failure, to) => {
    const { report, asked, lines } = await rollBackOver(failure);
    expect([asked, report.previous_revision_id, report.message]).toEqual([
      [to],
      to,
      "Rollback: not now",
    ]);
    expect([lines[0], report.next]).toEqual([`agent: rolling back to revision ${to}`, [FIX]]);
  });
});

describe("a cancelled rollback", () => {
  test.each<[string, Failure, string, readonly string[]]>([
    ["before it was sent", { cancelAt: "read" }, "cancelled before it was sent", []],
    [
      "before it was sent, with the failed revision still live",
      { cancelAt: "read", wasActive: true },
      "cancelled before it was sent: revision f, which failed, is still live",
      ["agent-deploy rollback agent --to p --region eu"],
    ],
    [
      "while it builds",
      { cancelAt: "redeploy", taken: true },
      "cancelled: revision n still building",
      [
        "agent-deploy wait --deployment-id d --revision-id n --region eu",
        "Still as this run changed them: secrets. Revert them in the spec and deploy to restore them",
      ],
    ],
  ])("%s", async (_, failure, message, next) => {
    const { report } = await rollBackOver(failure);
    expect([report.outcome, report.message, report.next]).toEqual([
      "cancelled",
      `Rollback: ${message}`,
      next,
    ]);
  });

  test("counts for a run if one of its deployments has one", () => {
    const report = (outcome: "cancelled" | "deployed") => ({
      ...blankDeployment("a"),
      rollback: { revision_id: null, outcome },
    });
    expect(isRollbackCancelled([blankDeployment("a"), report("deployed")])).toBe(false);
    expect(isRollbackCancelled([report("deployed"), report("cancelled")])).toBe(true);
  });
});
