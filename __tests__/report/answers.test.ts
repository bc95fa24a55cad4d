import { describe, expect, test } from "@jest/globals";
import { mergeReports } from "../../src/report/merge.ts";
import type { DeploymentReport, Report } from "../../src/report/report.ts";
import { deployment, report } from "./sample-reports.ts";

type Matrix = Readonly<Record<string, string>>;

/** A report of a job with these deployments, one of `agent` if none are given. */
const job =
  (command: "plan" | "apply", outcome: "planned" | "deployed") =>
  (id: string | null, matrix: Matrix | null = null, over: Partial<DeploymentReport> = {}): Report =>
    report({
      command,
      outcome: over.outcome ?? outcome,
      leg: {
        run: "7",
        attempt: 1,
        place: "us",
        event: "push",
        matrix: matrix === null ? "" : JSON.stringify(matrix),
      },
      deployments: [deployment({ name: "agent", id, outcome, ...over })],
    });
const plan = job("plan", "planned");
const leg = job("apply", "deployed");

const retried = (one: Report, attempt: number): Report => ({
  ...one,
  leg: { ...one.leg!, attempt },
});
const joined = (first: Report, ...others: readonly Report[]): Report => ({
  ...first,
  deployments: [first, ...others].flatMap(({ deployments }) => deployments),
});

const STAGING = { target: "staging" };
const PROD = { target: "prod" };
const LOST = "failed no-report";

/** What happened, the plans, the legs, and each row as its id, outcome and reason. */
const CASES: readonly (readonly [
  what: string,
  plans: readonly Report[],
  legs: readonly Report[],
  rows: readonly string[],
])[] = [
  [
    "two legs with their own workspaces, and only one reports",
    [plan("S", STAGING), plan("P", PROD)],
    [leg("S", STAGING)],
    ["S deployed", `P ${LOST}`],
  ],
  [
    "two legs with their own workspaces, and both report",
    [plan("S", STAGING), plan("P", PROD)],
    [leg("P", PROD), leg("S", STAGING)],
    ["S deployed", "P deployed"],
  ],
  [
    "jobs without a matrix, and only one leg reports",
    [plan("S"), plan("P")],
    [leg("P")],
    [`S ${LOST}`, "P deployed"],
  ],
  [
    "two new deployments, and only one leg reports",
    [plan(null, STAGING), plan(null, PROD)],
    [leg("P", PROD)],
    [`null ${LOST}`, "P deployed"],
  ],
  [
    "two new deployments, and both legs report",
    [plan(null, STAGING), plan(null, PROD)],
    [leg("P", PROD), leg("S", STAGING)],
    ["S deployed", "P deployed"],
  ],
  [
    "two new deployments from jobs without a matrix, and both report",
    [plan(null, STAGING), plan(null, PROD)],
    [leg("S"), leg("P")],
    ["S deployed", "P deployed"],
  ],
  [
    "two new deployments from jobs without a matrix in two suites, and only one reports",
    [plan(null, STAGING), plan(null, PROD)],
    [leg("S", { suite: "a" }), leg("S", { suite: "b" })],
    ["S deployed", "S deployed", `null ${LOST}`],
  ],
  [
    "a plan without a matrix, and a leg whose key belongs to another plan",
    [plan(null), plan(null, PROD)],
    [leg("P", { ...PROD, shard: "1" }), leg("S", { ...STAGING, shard: "1" })],
    ["S deployed", "P deployed"],
  ],
  [
    "one new and one updated deployment, and only the new one reports",
    [plan(null, STAGING), plan("P", PROD)],
    [leg("S", STAGING)],
    ["S deployed", `P ${LOST}`],
  ],
  [
    "a leg that failed before it knew the id, matched by its matrix",
    [plan("S", STAGING), plan("P", PROD)],
    [leg(null, PROD, { outcome: "failed", reason: "unreachable" }), leg("S", STAGING)],
    ["S deployed", "null failed unreachable"],
  ],
  [
    "a plan without a matrix, and legs with one",
    [plan("S")],
    [leg("S", { suite: "a" }), leg("S", { suite: "b" })],
    ["S deployed", "S deployed"],
  ],
  [
    "a re-run leg, whose newest attempt counts even if the first did not know the id",
    [plan("S", STAGING), plan("P", PROD)],
    [
      leg(null, STAGING, { outcome: "failed" }),
      retried(leg("S", STAGING), 2),
      leg("P", PROD, { outcome: "failed" }),
      retried(leg("P", PROD, { outcome: "unchanged" }), 3),
    ],
    ["S deployed", "P unchanged"],
  ],
  [
    "a leg with several names, and a deployment of the plan in no leg",
    [joined(plan("A", null, { name: "a" }), plan("B", null, { name: "b" }), plan("C"))],
    [joined(leg("B", PROD, { name: "b" }), leg("A", PROD, { name: "a" }))],
    ["A deployed", "B deployed", `C ${LOST}`],
  ],
  [
    "a deployment that was deleted after the plan, and created again by the leg in that workspace",
    [plan("S", null, { tenant_id: "T" })],
    [leg("S2", null, { tenant_id: "T", action: "create" })],
    ["S2 deployed"],
  ],
  [
    "a deployment of the same name that an earlier job created in another workspace",
    [plan("P", null, { tenant_id: "T" })],
    [leg("S", null, { tenant_id: "U", action: "create" })],
    [`P ${LOST}`, "S deployed"],
  ],
  [
    "another deployment of the same name that an earlier job deployed",
    [plan("P")],
    [leg("S")],
    [`P ${LOST}`, "S deployed"],
  ],
];

describe("the report that belongs to a document of the plan is found for", () => {
  test.each(CASES)("%s", (_what, plans, legs, rows) => {
    const merged = mergeReports([...legs, ...plans]);
    expect(
      merged.deployments.map(({ id, outcome, reason }) => `${id} ${outcome} ${reason}`.trim()),
    ).toEqual(rows);
    expect(merged.outcome).toBe(rows.some((row) => row.includes("failed")) ? "failed" : "deployed");
  });
});
