import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { applyDeployment } from "../../src/deploy/apply.ts";
import { prepareDeployment } from "../../src/deploy/prepare.ts";
import type { DeploymentPlan, Step } from "../../src/plan/plan.ts";
import { patchUnits } from "../../src/plan/units.ts";
import { valueAt, withoutNulls } from "../../src/plan/value.ts";
import { spell } from "../../src/model/dialect.ts";
import type { DeploymentReport } from "../../src/report/report.ts";
import type { Desired } from "../../src/spec/desired.ts";
import type { Json } from "../../src/model/json.ts";
import { randomPair, randomSpec, toDesired } from "./random-spec.ts";
import { SERVICES, type ServiceUnderLaw } from "./service-under-law.ts";

const RUNS = 40;
let names = 0;

describe.each(Object.entries(SERVICES))("against %s", (where, start) => {
  let service: ServiceUnderLaw;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.close());

  const planOf = async (
    desired: Desired,
  ): Promise<{ plan: DeploymentPlan; steps: readonly Step[] }> =>
    (await prepareDeployment(service.context, service.directory(), desired)).planned;
  const apply = async (desired: Desired): Promise<DeploymentReport> => {
    const directory = service.directory();
    const report = await applyDeployment(
      service.context,
      directory,
      await prepareDeployment(service.context, directory, desired),
    );
    // Live values carried over by a merge can break a rule with the spec's; such a plan is blocked,
    // and the law says nothing of it.
    if (report.reason === "merge") fc.pre(false);
    if (!["deployed", "updated", "unchanged"].includes(report.outcome))
      throw new Error(`apply ended ${report.outcome}: ${report.message}`);
    return report;
  };
  const revisionsOf = async (id: string): Promise<number> => {
    const found = await service.context.controlPlane.listRevisions(id, 100);
    return found.state === "found" ? found.items.length : Number.NaN;
  };
  const bodyOf = async (id: string): Promise<{ readonly [key: string]: Json }> =>
    (await service.context.controlPlane.getDeployment(id))!.body;
  const nameOf = (): string => {
    names += 1;
    return `law-${names}`;
  };
  const holds = <T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => Promise<void>): Promise<void> =>
    fc.assert(fc.asyncProperty(arbitrary, law), {
      numRuns: RUNS,
      endOnFailure: false,
    });

  test("the plan after an apply is empty", () =>
    holds(randomSpec, async (random) => {
      const desired = toDesired(random, nameOf());
      await apply(desired);
      const { plan, steps } = await planOf(desired);
      expect({
        changes: plan.changes,
        blockers: plan.blockers,
        steps,
        action: plan.action,
      }).toEqual({ changes: [], blockers: [], steps: [], action: "none" });
    }));

  test("a PATCH holds no field that is not in the plan, and a revision is forecast exactly when one is made", () =>
    holds(randomPair, async ([first, second]) => {
      const name = nameOf();
      await apply(toDesired(first, name));
      const desired = toDesired(second, name);
      const { plan } = await planOf(desired);
      const [sent, made] = [service.patches().length, await revisionsOf(plan.id!)];
      await apply(desired);
      const patches = service.patches().slice(sent);
      expect(patches.length).toBe(plan.action === "none" ? 0 : 1);
      for (const patch of patches) {
        for (const { path } of patchUnits().filter(
          (unit) =>
            valueAt(spell(patch as object, "document") as { [key: string]: Json }, unit.path) !==
            undefined,
        )) {
          const shown = spell(
            { source_revision_config: { [path.split(".").at(-1)!]: 1 } },
            second.dialect,
          ).source_revision_config;
          const word = [...path.split(".").slice(0, -1), Object.keys(shown)[0]].join(".");
          expect(
            [...plan.changes.map((change) => change.path), ...plan.unreadable].some(
              (at) => at === word || at.startsWith(`${word}.`),
            ),
          ).toBe(true);
        }
      }
      expect((await revisionsOf(plan.id!)) - made).toBe(plan.revision === "makes" ? 1 : 0);
      expect((await planOf(desired)).steps).toEqual([]);
    }));

  test("a change and its reversal end where they began", () =>
    holds(randomPair, async ([first, second]) => {
      const name = nameOf();
      const { id } = await apply(toDesired(first, name));
      const before = await bodyOf(id!);
      await apply(toDesired(second, name));
      await apply(toDesired(first, name));
      const after = await bodyOf(id!);
      for (const { path } of patchUnits()) {
        if (valueAt(first.body, path) === undefined) continue;
        const [was, is] = [before, after].map((body) => withoutNulls(valueAt(body, path) ?? null));
        const whole = first.resourceSpec === "replace" && !where.includes("hosted");
        if (path !== "source_config.resource_spec" || whole)
          expect(inOrder(is!)).toEqual(inOrder(was!));
        else
          expect(inOrder(is!)).toMatchObject(
            written(valueAt(first.body, path)!, inOrder(was!)) as object,
          );
      }
    }));
});

/** Of a value that the service may have filled in, what the spec itself wrote. */
function written(spec: Json, live: Json): Json {
  return Object.fromEntries(
    Object.keys(spec as object).map((key) => [
      key,
      (live as { readonly [key: string]: Json })[key] ?? null,
    ]),
  );
}

/** Lists of named things in the order of their names, as the service reads them. */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => inOrder(item as Json));
    const keys = items.map((item) =>
      typeof item === "object" && item !== null
        ? String(
            (item as { mountPath?: string; name?: string }).mountPath ??
              (item as { name?: string }).name,
          )
        : "",
    );
    return keys.every((key) => key !== "" && key !== "undefined")
      ? keys
          .map((key, at) => [key, items[at]!] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([, item]) => item)
      : items;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inOrder(item)]));
}
