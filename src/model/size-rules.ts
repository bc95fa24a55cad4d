import { fieldAt } from "./shape.ts";
import {
  UNKNOWN,
  type RuleInput,
  type Finding,
  type Struct,
  structAt,
  found,
  isSet,
  written,
  RESOURCE_SPEC,
  resourceSpec,
  containers,
} from "./rule-input.ts";

/** A number as written, else as the table's default gives it from its siblings; undefined where neither does. */
function effective(spec: Struct, name: string): number | undefined {
  const value = spec[name];
  if (typeof value === "number") return value;
  if (value === UNKNOWN) return undefined;
  const preset = fieldAt([...RESOURCE_SPEC, name])?.meta.default;
  if (preset === undefined || !("of" in preset)) return undefined;
  const base = effective(spec, preset.of);
  return base === undefined || base < 0 ? undefined : base * preset.times;
}

const resources = fieldAt(RESOURCE_SPEC)?.shape;
const RESOURCE_NAMES = resources?.kind === "struct" ? [...resources.fields.keys()] : [];

const LIMITS = RESOURCE_NAMES.filter((name) => /_limit(_mb)?$/u.test(name)).map((name) => ({
  limit: name,
  request: name.replace("_limit", ""),
}));

const RANGES = RESOURCE_NAMES.filter((name) => name.endsWith("min_scale")).map((name) => ({
  min: name,
  max: name.replace("min_", "max_"),
}));

const orderly = (
  spec: Struct,
  low: string,
  high: string,
): { readonly low: number; readonly high: number } | undefined => {
  const values = { low: effective(spec, low), high: effective(spec, high) };
  const one = isSet(spec[low]) || isSet(spec[high]);
  return one && values.low !== undefined && values.high !== undefined && values.high < values.low
    ? (values as { low: number; high: number })
    : undefined;
};

/** A limit below its request, documented defaults filled in; also the resources of containers. */
export function limitBelowRequest({ body }: RuleInput): Finding[] {
  const spec = resourceSpec(body) ?? {};
  const own = LIMITS.flatMap(({ limit, request }) => {
    const broken = orderly(spec, request, limit);
    return broken === undefined
      ? []
      : [
          found(
            "error",
            "value",
            [...RESOURCE_SPEC, isSet(spec[limit]) ? limit : request],
            `the limit ${limit} (${broken.high}) is below the request ${request} (${broken.low}); raise the limit, or lower the request`,
          ),
        ];
  });
  return [
    ...own,
    ...containers(body).flatMap(({ path, container }) => {
      const resources = structAt(container, "resources") ?? {};
      const limits = structAt(resources, "limits") ?? {};
      const requests = structAt(resources, "requests") ?? {};
      return Object.keys(limits).flatMap((name) => {
        const limit = quantity(limits[name]);
        const request = quantity(requests[name]);
        return limit !== undefined && request !== undefined && limit < request
          ? [
              found(
                "error",
                "value",
                [...path, "resources", "limits", name],
                "the limit is below the request of the same name; raise the limit, or lower the request",
              ),
            ]
          : [];
      });
    }),
  ];
}

const SUFFIXES: Readonly<Record<string, number>> = {
  "": 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** A Kubernetes quantity (`500m`, `1Gi`) as a number; undefined for anything else. */
function quantity(value: unknown): number | undefined {
  const match =
    typeof value === "string" ? /^(\d+(?:\.\d+)?)(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/u.exec(value) : null;
  return match === null ? undefined : Number(match[1]) * SUFFIXES[match[2] ?? ""]!;
}

/** A smallest number of replicas above the largest, documented defaults filled in. */
export function minAboveMax({ body }: RuleInput): Finding[] {
  const spec = resourceSpec(body) ?? {};
  return RANGES.flatMap(({ min, max }) => {
    const broken = orderly(spec, min, max);
    return broken === undefined
      ? []
      : [
          found(
            "error",
            "value",
            [...RESOURCE_SPEC, isSet(spec[min]) ? min : max],
            `the minimum ${min} (${broken.low}) is above the maximum ${max} (${broken.high}); lower the minimum, or raise the maximum`,
          ),
        ];
  });
}

/** contributing/service.md 2.6: the hosted service rounds these to one decimal, so that more of them change nothing. */
export function fractionsOfCores({ body }: RuleInput): Finding[] {
  return written(body).flatMap(({ path, row, value }) =>
    row.meta.compareWith === "one-decimal" &&
    typeof value === "number" &&
    Math.abs(value * 10 - Math.round(value * 10)) > 1e-6
      ? [
          found(
            "warning",
            "value",
            path,
            "has more than one decimal, and the service rounds it to one; write one decimal",
          ),
        ]
      : [],
  );
}

/** No size of the table can be below 0. */
export function negativeSizes({ body }: RuleInput): Finding[] {
  return written(body).flatMap(({ path, value }) =>
    typeof value === "number" && value < 0
      ? [found("error", "value", path, `is below 0 (${value}); write 0 or more`)]
      : [],
  );
}
