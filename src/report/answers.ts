import { groupBy } from "../model/group-by.ts";
import { isObject, parseJson } from "../model/json.ts";
import type { DeploymentReport, Report } from "./report.ts";

/** A deployment in the report that has it. */
interface Part {
  readonly report: Report;
  readonly one: DeploymentReport;
}

/**
 * The results of each planned deployment. A result belongs to only one of them: the one with its
 * id, else the one whose matrix has most in common with its own. Several results belong to the same
 * one only if they have one id.
 */
export function findAnswers<Result extends Part>(
  planned: readonly Part[],
  results: readonly Result[],
): ReadonlyMap<Part, readonly Result[]> {
  const byName = groupBy(results, ({ one }) => one.name);
  const pairs = planned.flatMap((plan) =>
    (byName.get(plan.one.name) ?? []).flatMap((result) => {
      const isExact = plan.one.id !== null && plan.one.id === result.one.id;
      const shared = countSharedKeys(plan.report, result.report);
      const fits =
        isSamePlace(plan.report, result.report) &&
        isSameDeployment(plan, result) &&
        shared !== null;
      return fits ? [{ plan, result, isExact, shared }] : [];
    }),
  );
  pairs.sort((a, b) => Number(b.isExact) - Number(a.isExact) || b.shared - a.shared);
  const answers = new Map<Part, Result[]>();
  const used = new Set<Result>();
  for (const { plan, result } of pairs) {
    const found = answers.get(plan) ?? [];
    if (used.has(result) || found.some(({ one }) => one.id !== result.one.id)) continue;
    answers.set(plan, [...found, result]);
    used.add(result);
  }
  return answers;
}

/** Whether both reports are of one address and tenant, as far as they say. */
export function isSamePlace({ leg: a }: Report, { leg: b }: Report): boolean {
  return a?.place === undefined || b?.place === undefined || a.place === b.place;
}

/** Whether a leg's deployment is the planned one, as far as they say. */
function isSameDeployment({ one: plan }: Part, { one: result }: Part): boolean {
  if (plan.id === null || result.id === null || plan.id === result.id) return true;
  // A create proved that the workspace no longer had one of this name: it replaced the planned one.
  return (
    result.action === "create" &&
    plan.tenant_id !== undefined &&
    plan.tenant_id === result.tenant_id
  );
}

/**
 * How many keys the matrices of a plan and a leg have in common; null if the value of one differs.
 * A leg may have more keys than its plan, whose job often has no matrix.
 */
function countSharedKeys(plan: Report, result: Report): number | null {
  const planned = matrixOf(plan);
  const shared = [...matrixOf(result)].filter(([key]) => planned.has(key));
  return shared.every(([key, value]) => planned.get(key) === value) ? shared.length : null;
}

/** The matrix of a report's job: the JSON of each value by key. */
function matrixOf({ leg }: Report): ReadonlyMap<string, string> {
  const matrix = parseJson(leg?.matrix ?? "");
  const entries = isObject(matrix) ? Object.entries(matrix) : [];
  return new Map(entries.map(([key, value]) => [key, JSON.stringify(value)]));
}
