import { spellKey, spellSource } from "./dialect.ts";
import { isOfKind } from "./field-shape.ts";
import { isObject } from "./json.ts";
import {
  containers,
  errorAtValue,
  type Finding,
  isSet,
  listAt,
  type Path,
  resourceSpec,
  RESOURCE_SPEC,
  type RuleInput,
  type Struct,
  structAt,
  UNKNOWN,
  written,
} from "./rule-input.ts";
import { fieldAt } from "./shape.ts";

/** What a create needs (contributing/interface.md, SourceConfig and SourceRevisionConfig), with what to write. */
const REQUIRED = [
  ["repohost", "source_config.repo_url", "the URL of the git repository"],
  [
    "repohost",
    "source_revision_config.graph_config_path",
    "the path of the graph configuration file",
  ],
  ["external_container", "source_revision_config.image_uri", "the URI of the container image"],
] as const;

/** A document that may create a deployment must say what to build. */
export function requiredBySourceKind({ source, dialect, body, adopted }: RuleInput): Finding[] {
  return REQUIRED.flatMap(([kind, path, example]) => {
    const [config, key] = path.split(".") as [string, string];
    // A block written without content counts as written and empty.
    const written = body[config] === null ? {} : structAt(body, config);
    if (adopted || kind !== source || written === undefined) return [];
    if (isSet(written[key]) && written[key] !== "") return [];
    const message = `is required for source ${spellSource(kind, dialect)}; write ${spellKey(key, dialect)}: ${example}`;
    // `null` is harmless if nothing is set on the service and blocked if something is: only the plan knows.
    const level = written[key] === null ? "warning" : "error";
    return [{ level, at: "key", path: [config, key], message, missing: true as const }];
  });
}

/**
 * What a repository deployment has in place of fields of a container one (contributing/interface.md,
 * SourceConfig and ResourceSpec).
 */
const OF_A_REPOSITORY: Readonly<Record<string, (spell: (source: string) => string) => string>> = {
  "source_config.custom_url": (spell) =>
    `is set by the service for source ${spell("repohost")}; remove it`,
  "source_config.resource_spec": (spell) =>
    `applies only to source ${spell("external_container")}; remove it (deployment_type chooses the size of a repository deployment)`,
};

/** Reports fields that belong to another source kind: only the topmost of a branch. */
export function fieldsOfOtherKind({ source, dialect, body }: RuleInput): Finding[] {
  if (source !== "repohost" && source !== "external_container" && source !== "internal_source")
    return [];
  const spell = (kind: string): string => spellSource(kind, dialect);
  const findings: Finding[] = [];
  for (const { path, row, value } of written(body)) {
    const { only } = row.meta;
    const nested = findings.some((other) => other.path.every((key, index) => key === path[index]));
    if (only === undefined || isOfKind(row, source) || row.mutability === "read-only") continue;
    if (nested || value === null) continue;
    const own = source === "repohost" ? OF_A_REPOSITORY[row.path]?.(spell) : undefined;
    const message = own ?? `is only for source ${spell(only)}; remove it, or change source`;
    findings.push({ level: "error", at: "key", path, message });
  }
  return findings;
}

function repeated(
  items: readonly { readonly path: Path; readonly key: unknown }[],
  what: string,
): Finding[] {
  const first = new Map<string, Path>();
  return items.flatMap(({ path, key }) => {
    if (typeof key !== "string") return [];
    const before = first.get(key);
    if (before === undefined) first.set(key, path);
    return before === undefined
      ? []
      : [
          errorAtValue(
            path,
            `repeats the ${what} of ${before.slice(0, -1).join(".")}; give each its own, or remove one`,
          ),
        ];
  });
}

/** Reports duplicate keys in lists that the service keys by name or path, and in the containers of a pod. */
export function duplicateNames({ body }: RuleInput): Finding[] {
  const keyed = written(body).flatMap(({ path, row, value }) => {
    const key = row.shape.kind === "list" && row.name !== "sidecars" ? row.shape.match : undefined;
    if (key === undefined || !Array.isArray(value)) return [];
    return repeated(
      value.map((item, index) => ({
        path: [...path, index, key],
        key: isObject(item) ? item[key] : undefined,
      })),
      key,
    );
  });
  return [
    ...keyed,
    ...repeated(
      containers(body).map(({ path, container }) => ({
        path: [...path, "name"],
        key: container["name"],
      })),
      "name",
    ),
  ];
}

/** contributing/interface.md, VolumeMount: the name must match a volume. */
export function mountsMatchVolumes({ body }: RuleInput): Finding[] {
  const spec = resourceSpec(body);
  if (spec === undefined || spec["volumes"] === UNKNOWN) return [];
  const volumes = new Set(
    listAt(spec, "volumes").map((volume) => (isObject(volume) ? volume["name"] : UNKNOWN)),
  );
  if (volumes.has(UNKNOWN)) return [];
  const lists = [
    { path: [...RESOURCE_SPEC, "volume_mounts"] as Path, mounts: listAt(spec, "volume_mounts") },
    ...containers(body).map(({ path, container }) => ({
      path: [...path, "volumeMounts"],
      mounts: listAt(container, "volumeMounts"),
    })),
  ];
  const names = [...volumes].filter((name) => typeof name === "string" && name !== "");
  const known =
    names.length === 0
      ? "write it under volumes"
      : `write one of ${names.slice(0, 10).join(", ")}, or add it under volumes`;
  return lists.flatMap(({ path, mounts }) =>
    mounts.flatMap((mount, index) => {
      const name = isObject(mount) ? mount["name"] : UNKNOWN;
      return typeof name !== "string" || volumes.has(name)
        ? []
        : [errorAtValue([...path, index, "name"], `matches no volume of resource_spec; ${known}`)];
    }),
  );
}

/** A number as written, or else its documented default computed from its siblings; undefined if there is neither. */
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

/** A finding if the second of two numbers is below the first, at the first of `keys` that the spec sets. */
function misordered(
  { body, shown }: RuleInput,
  [lowKey, highKey]: readonly [string, string],
  keys: readonly [string, string],
  toWords: (low: string, high: string) => string,
): Finding[] {
  const spec = resourceSpec(body) ?? {};
  const quote = (key: string, value: number): string =>
    shown?.get([...RESOURCE_SPEC, key].join(".")) ?? String(value);
  const [low, high] = [effective(spec, lowKey), effective(spec, highKey)];
  const key = keys.find((one) => isSet(spec[one]));
  if (key === undefined || low === undefined || high === undefined) return [];
  return high < low
    ? [errorAtValue([...RESOURCE_SPEC, key], toWords(quote(lowKey, low), quote(highKey, high)))]
    : [];
}

/** Reports a limit below its request, with documented defaults filled in; also for the resources of containers. */
export function limitBelowRequest(document: RuleInput): Finding[] {
  const own = LIMITS.flatMap(({ limit, request }) =>
    misordered(
      document,
      [request, limit],
      [limit, request],
      (low, high) =>
        `the limit ${limit} (${high}) is below the request ${request} (${low}); raise the limit, or lower the request`,
    ),
  );
  return [
    ...own,
    ...containers(document.body).flatMap(({ path, container }) => {
      const resources = structAt(container, "resources") ?? {};
      const limits = structAt(resources, "limits") ?? {};
      const requests = structAt(resources, "requests") ?? {};
      return Object.keys(limits).flatMap((name) => {
        const limit = quantity(limits[name]);
        const request = quantity(requests[name]);
        return limit !== undefined && request !== undefined && limit < request
          ? [
              errorAtValue(
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

/** Reports a minimum number of replicas above the maximum, with documented defaults filled in. */
export function minAboveMax(document: RuleInput): Finding[] {
  return RANGES.flatMap(({ min, max }) =>
    misordered(
      document,
      [min, max],
      [min, max],
      (low, high) =>
        `the minimum ${min} (${low}) is above the maximum ${max} (${high}); lower the minimum, or raise the maximum`,
    ),
  );
}
