import { describe, expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { canonicalJson } from "../../src/canonical-json.ts";
import { resolveDefault } from "../../src/model/default.ts";
import { deploymentShape } from "../../src/model/shape.ts";
import type { Shape } from "../../src/model/field-shape.ts";
import { patchUnits } from "../../src/plan/units.ts";
import type { DeploymentPlan, Planned } from "../../src/plan/plan.ts";
import { valueAt, withoutNulls, withValue } from "../../src/plan/value.ts";
import type { Desired } from "../../src/spec/desired.ts";
import type { Json } from "../../src/model/json.ts";
import { planOn, toLive, type Body } from "../plan/sample.ts";
import { randomPair, toDesired, type RandomSpec } from "./random-spec.ts";

/** `EDITS=10000 npm run test:laws -- __tests__/laws/edits.test.ts` makes as many edits. */
const EDITS = Number(process.env["EDITS"] ?? 600);

type Nulls = "spelled" | "left out" | "mixed";
/** How a service answers: what it says of a field that is not set, and whether it fills in documented defaults. */
interface Manner {
  readonly nulls: Nulls;
  readonly filled: boolean;
}
const manner: fc.Arbitrary<Manner> = fc.record({
  nulls: fc.constantFrom<Nulls>("spelled", "left out", "mixed"),
  filled: fc.boolean(),
});

const isStruct = (value: Json | undefined): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What is stored as a reply gives it. */
function answer(shape: Shape, value: Json, { nulls, filled }: Manner): Json {
  if (shape.kind === "list" && Array.isArray(value))
    return value.map((item: Json) => answer(shape.item, item, { nulls, filled }));
  if (shape.kind !== "struct" || !isStruct(value)) return value;
  const out: Record<string, Json> = {};
  for (const [at, field] of [...shape.fields.values()].entries()) {
    const given =
      value[field.name] ?? (filled ? (resolveDefault(field.meta.default, out) ?? null) : null);
    const leaves = nulls === "left out" || (nulls === "mixed" && at % 2 === 0);
    if (given !== null) out[field.name] = answer(field.shape, given, { nulls, filled });
    else if (!leaves) out[field.name] = null;
  }
  return out;
}

/** Two specs of one deployment, with or without the name that people see. */
const namedPair = fc
  .tuple(randomPair, ...[0, 1].map(() => fc.constantFrom(undefined, "Support", "Search")))
  .map(([[first, second], ...names]) => {
    const named = (spec: RandomSpec, name: string | undefined): RandomSpec =>
      name === undefined ? spec : { ...spec, body: { ...spec.body, display_name: name } };
    return [named(first, names[0]), named(second, names[1])] as const;
  });

const GROUPS = ["source_config", "source_revision_config"];
const toReply = (stored: Body, { source }: RandomSpec, how: Manner): ReturnType<typeof toLive> => {
  const live = toLive({}, { source, name: "app" });
  const shown = stored["display_name"] ?? null;
  const body: Record<string, Json> = {
    ...live.body,
    ...(shown === null && how.nulls === "left out" ? {} : { display_name: shown }),
    secrets: stored["secrets"] ?? [],
  };
  for (const group of GROUPS) {
    const { shape } = deploymentShape.fields.get(group)!;
    body[group] = answer(shape, stored[group] ?? {}, how);
  }
  return { ...live, body };
};

/** Two values that mean the same to the service: defaults filled in, empty is absent. */
function meaning(shape: Shape, value: Json): Json {
  if (shape.kind === "list" && Array.isArray(value)) {
    const items = value.map((item: Json) => meaning(shape.item, item));
    const { match } = shape;
    const keyOf = (item: Json): string => String((item as Body)[match ?? ""]);
    return match === undefined ? items : items.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }
  if (shape.kind !== "struct" || !isStruct(value)) return value;
  const out: Record<string, Json> = {};
  for (const field of shape.fields.values()) {
    const rule = field.meta.default ?? field.meta.kubernetes;
    const given = value[field.name] ?? resolveDefault(rule, { ...value, ...out });
    if (given === undefined || given === null || given === "") continue;
    const inner = meaning(field.shape, given);
    const empty = typeof inner === "object" && inner !== null && Object.keys(inner).length === 0;
    if (!empty || field.shape.kind === "free") out[field.name] = inner;
  }
  return out;
}

type Path = readonly string[];

/** Every path of keys and list places below a body. */
function pathsOf(value: Json, path: Path = []): Path[] {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return entries.flatMap(([key, item]) => [
    [...path, key],
    ...pathsOf(item as Json, [...path, key]),
  ]);
}

const at = (value: Json | undefined, path: Path): Json | undefined =>
  path.reduce<Json | undefined>(
    (inner, key) => (inner as Record<string, Json> | undefined | null)?.[key],
    value,
  );

/** The value with what is at the path replaced, or taken out. */
function put(value: Json, [key, ...rest]: Path, next: Json | undefined): Json {
  if (key === undefined) return next ?? null;
  if (Array.isArray(value)) {
    const items = value.map((item: Json, index) => {
      if (String(index) !== key) return item;
      return rest.length === 0 ? next : put(item, rest, next);
    });
    if (Number(key) >= value.length && next !== undefined) items.push(next);
    return items.filter((item) => item !== undefined);
  }
  const copy: Record<string, Json> = { ...(value as Body) };
  if (rest.length > 0) copy[key] = put(copy[key] ?? {}, rest, next);
  else if (next === undefined) delete copy[key];
  else copy[key] = next;
  return copy;
}

interface Edit {
  readonly path: Path;
  readonly body: Body;
}

/** One edit of the first body: something of the second put in or in place, or something taken out. */
function editOf(first: Body, second: Body, removes: boolean, pick: number): Edit | undefined {
  const paths = removes
    ? pathsOf(first).filter((path) => path.length > 1)
    : pathsOf(second).filter(
        (path) =>
          JSON.stringify(at(first, path)) !== JSON.stringify(at(second, path)) &&
          at(first, path.slice(0, -1)) !== undefined,
      );
  const path = paths[pick % Math.max(1, paths.length)];
  if (path === undefined) return undefined;
  return { path, body: put(first, path, removes ? undefined : at(second, path)) as Body };
}

function readSpec(spec: RandomSpec, body: Body): Desired | undefined {
  try {
    return toDesired({ ...spec, body }, "app");
  } catch {
    // The edit made a spec that is refused: it is not passed over.
    return undefined;
  }
}

/** All that a plan names. */
function namesOf(plan: DeploymentPlan): string[] {
  return [
    ...plan.changes.map(({ path }) => path),
    ...plan.blockers.map(({ path }) => path ?? ""),
    ...plan.unreadable,
    ...plan.unmanaged,
    ...plan.dropped,
  ].map((path) => path.replace("langgraph_config_path", "graph_config_path"));
}

/**
 * Whether the plan names the edit: by a path above or below it. Items of lists are named by their
 * keys, so lists are named as such.
 */
function isNamed(plan: DeploymentPlan, path: Path): boolean {
  const list = path.findIndex((key) => /^\d+$/.test(key));
  const place = (list < 0 ? path : path.slice(0, list)).join(".");
  return namesOf(plan).some(
    (name) => name === place || name.startsWith(`${place}.`) || place.startsWith(`${name}.`),
  );
}

/** What is stored after the steps of a plan. */
function carryOut(stored: Body, { steps }: Planned): Body {
  return steps.reduce<Body>((body, step) => {
    if (step.kind !== "patch") return body;
    return patchUnits().reduce<Body>((inner, { path }) => {
      const sent = valueAt(step.body, path);
      return sent === undefined ? inner : (withValue(inner, path, sent) as Body);
    }, body);
  }, stored);
}

const canonical = (body: Body): Body => withoutNulls(body) as Body;

/** An empty object says the same as none: a service may fill one in. */
function withoutEmpty(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutEmpty);
  const entries = Object.entries(value).map(([key, item]) => [key, withoutEmpty(item as Json)]);
  return Object.fromEntries(entries.filter(([, item]) => JSON.stringify(item) !== "{}")) as Json;
}
const meant = (body: Body): string =>
  canonicalJson(meaning(deploymentShape, withoutEmpty(body) as Body), "written");

describe("no edit of a spec is ignored silently", () => {
  test("a single edit at any depth is sent, blocked or named, and then the plan is empty", () => {
    const seen = { sent: 0, blocked: 0, named: 0, refused: 0, same: 0 };
    fc.assert(
      fc.property(
        namedPair,
        manner,
        fc.boolean(),
        fc.nat(),
        ([first, second], how, removes, pick) => {
          const before = readSpec(first, first.body);
          const edit = editOf(first.body, second.body, removes, pick);
          fc.pre(before !== undefined && edit !== undefined);
          const stored = canonical(before!.body);
          expect(planOn(before!, toReply(stored, first, how)).steps).toEqual([]);
          const after = readSpec(first, edit!.body);
          if (after === undefined) {
            seen.refused += 1;
            return;
          }
          const planned = planOn(after, toReply(stored, first, how));
          const { plan, steps } = planned;
          const same = meant(canonical(after.body)) === meant(stored);
          if (plan.blockers.length > 0) {
            seen.blocked += 1;
            return;
          }
          if (!same && !isNamed(plan, edit!.path))
            throw new Error(`silent: ${edit!.path.join(".")}\n${JSON.stringify(plan, null, 1)}`);
          const carriedOut = steps.length > 0 ? "sent" : "named";
          seen[same ? "same" : carriedOut] += 1;
          const again = planOn(after, toReply(carryOut(stored, planned), first, how));
          expect({ changes: again.plan.changes, steps: again.steps }).toEqual({
            changes: [],
            steps: [],
          });
        },
      ),
      { numRuns: EDITS },
    );
    expect(seen.sent).toBeGreaterThan(EDITS / 10);
    if (process.env["EDITS"] !== undefined) console.log(seen);
  });
});
