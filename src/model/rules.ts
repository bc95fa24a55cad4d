import { allFields, deploymentShape, fieldAt, type Field, type Shape } from "./shape.ts";
import { spellKey, spellSource, type Dialect } from "./dialect.ts";
import type { SourceKind } from "./fields.ts";

/** Stands for a value that is not known offline, or was refused already: every rule passes over it. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** What a rule sees of a document: its body in canonical dialect, holding only what has the right type. */
export interface RuleInput {
  readonly source: SourceKind | undefined;
  readonly dialect: Dialect;
  readonly body: Readonly<Record<string, unknown>>;
  /** The document names a deployment that exists (`deploy.id`), so nothing has to be complete enough for a create. */
  readonly adopted: boolean;
}

/** One thing a rule found; `at` says whether its place is the key or the value of `path`. */
export interface Finding {
  readonly level: "error" | "warning";
  /** Canonical dialect, list positions as numbers. */
  readonly path: readonly (string | number)[];
  readonly at: "key" | "value";
  /** What is wrong; what to write instead. */
  readonly message: string;
}
/** A rule across fields: pure, total, silent about what it does not know. */
export type Rule = (document: RuleInput) => readonly Finding[];

type Path = readonly (string | number)[];
type Struct = Readonly<Record<string, unknown>>;
const isStruct = (value: unknown): value is Struct =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const structAt = (parent: Struct, key: string): Struct | undefined =>
  isStruct(parent[key]) ? parent[key] : undefined;
const listAt = (parent: Struct | undefined, key: string): readonly unknown[] =>
  Array.isArray(parent?.[key]) ? parent[key] : [];
const found = (
  level: Finding["level"],
  at: Finding["at"],
  path: Path,
  message: string,
): Finding => ({ level, at, path, message });
const isSet = (value: unknown): boolean => value !== undefined && value !== null;

interface Written {
  readonly path: Path;
  readonly row: Field;
  readonly value: unknown;
}

/** Every written field of the table with its row, parents first; list items under their index. */
function written(
  value: unknown,
  shape: Shape = deploymentShape,
  path: Path = [],
  into: Written[] = [],
): readonly Written[] {
  if (shape.kind === "struct" && isStruct(value)) {
    for (const [key, child] of Object.entries(value)) {
      const row = shape.fields.get(key);
      if (row === undefined) continue;
      const at = [...path, key];
      into.push({ path: at, row, value: child });
      written(child, row.shape, at, into);
    }
  } else if (shape.kind === "list" && Array.isArray(value)) {
    for (const [index, item] of value.entries()) written(item, shape.item, [...path, index], into);
  }
  return into;
}

const RESOURCE_SPEC = ["source_config", "resource_spec"] as const;
const resourceSpec = (body: Struct): Struct | undefined =>
  structAt(structAt(body, "source_config") ?? {}, "resource_spec");

/** Init containers and sidecars with their paths; names are shared by both lists within a pod. */
function containers(body: Struct): { readonly path: Path; readonly container: Struct }[] {
  return ["init_containers", "sidecars"].flatMap((key) =>
    listAt(resourceSpec(body), key).flatMap((item, index) =>
      isStruct(item) ? [{ path: [...RESOURCE_SPEC, key, index], container: item }] : [],
    ),
  );
}

/** A document that may have to create must say what is built: docs/interface.md, SourceConfig and SourceRevisionConfig. */
function requiredBySourceKind({ source, dialect, body, adopted }: RuleInput): Finding[] {
  const required: readonly (readonly [
    kind: SourceKind,
    config: string,
    key: string,
    example: string,
  ])[] = [
    ["repohost", "source_config", "repo_url", "the URL of the git repository"],
    [
      "repohost",
      "source_revision_config",
      "graph_config_path",
      "the path of the graph configuration file",
    ],
    ["external_container", "source_revision_config", "image_uri", "the URI of the container image"],
  ];
  return adopted
    ? []
    : required.flatMap(([kind, config, key, example]) => {
        // A block with nothing below it is written, and empty.
        const written = body[config] === null ? {} : structAt(body, config);
        if (
          kind !== source ||
          written === undefined ||
          (isSet(written[key]) && written[key] !== "")
        )
          return [];
        const message = `is required for source ${spellSource(kind, dialect)}; write ${spellKey(key, dialect)}: ${example}`;
        // `null` is no change where nothing is set, and a blocked one where something is: only the plan can tell.
        return [found(written[key] === null ? "warning" : "error", "key", [config, key], message)];
      });
}

/** Fields that belong to the other source kind; the topmost of a branch, and none that has a sentence of its own. */
function fieldsOfOtherKind({ source, dialect, body }: RuleInput): Finding[] {
  if (source !== "repohost" && source !== "external_container") return [];
  const findings: Finding[] = [];
  for (const { path, row, value } of written(body)) {
    const special =
      source === "repohost" &&
      ["source_config.custom_url", "source_config.resource_spec"].includes(row.path);
    const nested = findings.some((other) => other.path.every((key, index) => key === path[index]));
    if (
      row.meta.only === undefined ||
      row.meta.only === source ||
      row.mutability === "read-only" ||
      special ||
      nested ||
      value === null
    )
      continue;
    findings.push(
      found(
        "error",
        "key",
        path,
        `belongs to source ${spellSource(row.meta.only, dialect)} alone; remove it, or change source`,
      ),
    );
  }
  return findings;
}

/** Fields that only the service sets. */
function readOnlyFields({ body }: RuleInput): Finding[] {
  return [...written(body)].flatMap(({ path, row }) =>
    row.mutability === "read-only"
      ? [
          found(
            "error",
            "key",
            path,
            row.path === "id"
              ? "is read-only; remove it, or write it as id in the deploy block to adopt that deployment"
              : "is read-only, set by the service; remove it",
          ),
        ]
      : [],
  );
}

/** docs/interface.md, SourceConfig: for a repository source the service sets the URL itself. */
function customUrlOnRepohost({ source, dialect, body }: RuleInput): Finding[] {
  return source === "repohost" && isSet(structAt(body, "source_config")?.["custom_url"])
    ? [
        found(
          "error",
          "key",
          ["source_config", "custom_url"],
          `is set by the service for source ${spellSource(source, dialect)}; remove it`,
        ),
      ]
    : [];
}

/** docs/interface.md, ResourceSpec: applies only to a container source. */
function resourceSpecOnRepohost({ source, dialect, body }: RuleInput): Finding[] {
  return source === "repohost" && isSet(structAt(body, "source_config")?.["resource_spec"])
    ? [
        found(
          "error",
          "key",
          RESOURCE_SPEC,
          `applies only to source ${spellSource("external_container", dialect)}; remove it (deployment_type chooses the size of a repository deployment)`,
        ),
      ]
    : [];
}

/** Deployments of the vendor's command line: this tool keeps their secrets and nothing that is built. */
function internalSourceFields({ source, body }: RuleInput): Finding[] {
  if (source !== "internal_docker" && source !== "internal_source") return [];
  const isEmpty = (value: unknown): boolean =>
    value === null || (isStruct(value) && Object.keys(value).length === 0);
  return Object.entries(body).flatMap(([key, value]) => {
    const own =
      ["name", "source", "secrets"].includes(key) ||
      fieldAt([key])?.mutability === "read-only" ||
      isEmpty(value);
    const message =
      `cannot be managed for source ${source}, which the vendor's command line builds: a plan that would change it is blocked; ` +
      "keep only name, source, secrets and deploy, or migrate: write a new deployment under another name with source repohost or external_container";
    return own ? [] : [found("warning", "key", [key], message)];
  });
}

const DNS_LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/u;
const LABEL_ADVICE =
  "use 1 to 63 lowercase letters, digits and -, beginning and ending with a letter or digit";

/** docs/service.md 2.8: a name that is no DNS label may build and then fail at the image registry. */
function nameIsDnsLabel({ body }: RuleInput): Finding[] {
  const name = body["name"];
  if (name === "") return [found("error", "value", ["name"], `is empty; ${LABEL_ADVICE}`)];
  return typeof name === "string" && !DNS_LABEL.test(name)
    ? [
        found(
          "warning",
          "value",
          ["name"],
          `is not a valid DNS label, which the service may refuse or fail to build; ${LABEL_ADVICE}`,
        ),
      ]
    : [];
}

/** docs/interface.md, SourceConfig: `build_on_push` cannot be true when `repo_ref` is a tag. */
function buildOnPushWithTag({ body }: RuleInput): Finding[] {
  const ref = structAt(body, "source_revision_config")?.["repo_ref"];
  return structAt(body, "source_config")?.["build_on_push"] === true &&
    typeof ref === "string" &&
    ref.startsWith("refs/tags/")
    ? [
        found(
          "error",
          "value",
          ["source_config", "build_on_push"],
          "cannot be true while repo_ref is a tag; write false, or a branch name as repo_ref",
        ),
      ]
    : [];
}

/** docs/interface.md, Volume and Container: names are DNS labels. */
function dnsLabels({ body }: RuleInput): Finding[] {
  const volumes = listAt(resourceSpec(body), "volumes").map((item, index) => ({
    path: [...RESOURCE_SPEC, "volumes", index],
    container: isStruct(item) ? item : {},
  }));
  return [...volumes, ...containers(body)].flatMap(({ path, container: { name } }) =>
    typeof name === "string" && !DNS_LABEL.test(name)
      ? [found("error", "value", [...path, "name"], `is not a valid DNS label; ${LABEL_ADVICE}`)]
      : [],
  );
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
          found(
            "error",
            "value",
            path,
            `repeats the ${what} of ${before.slice(0, -1).join(".")}; give each its own, or remove one`,
          ),
        ];
  });
}

/** Lists that the service keys by name or path, and the containers of a pod, hold each key once. */
function duplicateNames({ body }: RuleInput): Finding[] {
  const keyed = [...written(body)].flatMap(({ path, row, value }) => {
    const key = row.shape.kind === "list" && row.name !== "sidecars" ? row.shape.match : undefined;
    if (key === undefined || !Array.isArray(value)) return [];
    return repeated(
      value.map((item, index) => ({
        path: [...path, index, key],
        key: isStruct(item) ? item[key] : undefined,
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

/** docs/interface.md, VolumeMount: the name must match a volume. */
export function mountsMatchVolumes({ body }: RuleInput): Finding[] {
  const spec = resourceSpec(body);
  if (spec === undefined || spec["volumes"] === UNKNOWN) return [];
  const volumes = new Set(
    listAt(spec, "volumes").map((volume) => (isStruct(volume) ? volume["name"] : UNKNOWN)),
  );
  if (volumes.has(UNKNOWN)) return [];
  const lists = [
    { path: [...RESOURCE_SPEC, "volume_mounts"] as Path, mounts: listAt(spec, "volume_mounts") },
    ...containers(body).map(({ path, container }) => ({
      path: [...path, "volumeMounts"],
      mounts: listAt(container, "volumeMounts"),
    })),
  ];
  const known =
    volumes.size === 0
      ? "write it under volumes"
      : `write one of ${[...volumes].slice(0, 10).join(", ")}, or add it under volumes`;
  return lists.flatMap(({ path, mounts }) =>
    mounts.flatMap((mount, index) => {
      const name = isStruct(mount) ? mount["name"] : UNKNOWN;
      return typeof name !== "string" || volumes.has(name)
        ? []
        : [
            found(
              "error",
              "value",
              [...path, index, "name"],
              `matches no volume of resource_spec; ${known}`,
            ),
          ];
    }),
  );
}

const envVars = (body: Struct): { readonly path: Path; readonly variable: Struct }[] =>
  containers(body).flatMap(({ path, container }) =>
    listAt(container, "env").flatMap((item, index) =>
      isStruct(item) ? [{ path: [...path, "env", index], variable: item }] : [],
    ),
  );

/** docs/interface.md, EnvVar: `valueFrom` is not allowed when `value` is non-empty. */
function valueWithValueFrom({ body }: RuleInput): Finding[] {
  return envVars(body).flatMap(({ path, variable: { value, valueFrom } }) =>
    typeof value === "string" && value !== "" && isSet(valueFrom)
      ? [
          found(
            "error",
            "key",
            [...path, "valueFrom"],
            "cannot stand beside a non-empty value; keep one of the two",
          ),
        ]
      : [],
  );
}

/** What an environment variable may be called. */
export const C_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/u;
/** How to write one. */
export const IDENTIFIER_ADVICE = "write letters, digits and _, not beginning with a digit";

/** docs/interface.md, EnvVar: the name is a C identifier; a secret becomes a variable too, where the service may be laxer. */
function variableNames({ body }: RuleInput): Finding[] {
  const secrets = ["secrets", "secret_references"].flatMap((key) =>
    listAt(body, key).map((item, index) => ({
      path: [key, index],
      name: isStruct(item) ? item["name"] : UNKNOWN,
    })),
  );
  const bad = (name: unknown): boolean => typeof name === "string" && !C_IDENTIFIER.test(name);
  return [
    ...envVars(body).flatMap(({ path, variable }) =>
      bad(variable["name"])
        ? [
            found(
              "error",
              "value",
              [...path, "name"],
              `is not a valid environment variable name; ${IDENTIFIER_ADVICE}`,
            ),
          ]
        : [],
    ),
    ...secrets.flatMap(({ path, name }) =>
      bad(name)
        ? [
            found(
              "error",
              "value",
              [...path, "name"],
              `is not a valid environment variable name; ${IDENTIFIER_ADVICE}`,
            ),
          ]
        : [],
    ),
  ];
}

/** A number as written, else as the table's default gives it from its siblings; undefined where neither does. */
function effective(spec: Struct, name: string): number | undefined {
  const value = spec[name];
  if (typeof value === "number") return value;
  if (value === UNKNOWN) return undefined;
  const preset = fieldAt([...RESOURCE_SPEC, name])?.meta.default;
  if (preset === undefined || !("of" in preset)) return undefined;
  const base = effective(spec, preset.of);
  return base === undefined ? undefined : base * preset.times;
}

const RESOURCE_NAMES: readonly string[] = allFields(deploymentShape)
  .filter((row) => /^source_config\.resource_spec\.[a-z_]+$/u.test(row.path))
  .map((row) => row.name);
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

/** A Kubernetes quantity (`500m`, `1Gi`) as a number; undefined for what is none. */
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

/** docs/service.md 2.4: refused everywhere. */
const RESERVED: ReadonlySet<string> = new Set(
  `LANGCHAIN_TRACING_V2 LANGSMITH_TRACING_V2 LANGCHAIN_ENDPOINT LANGCHAIN_PROJECT LANGSMITH_PROJECT
  LANGSMITH_LANGGRAPH_GIT_REPO LANGGRAPH_GIT_REPO_PATH LANGCHAIN_API_KEY LANGSMITH_CONTROL_PLANE_API_KEY POSTGRES_URI POSTGRES_PASSWORD DATABASE_URI
  LANGSMITH_LANGGRAPH_GIT_REF LANGSMITH_LANGGRAPH_GIT_REF_SHA LANGGRAPH_AUTH_TYPE LANGSMITH_AUTH_ENDPOINT LANGSMITH_TENANT_ID
  LANGSMITH_AUTH_VERIFY_TENANT_ID LANGSMITH_HOST_PROJECT_ID LANGSMITH_HOST_PROJECT_NAME LANGSMITH_HOST_REVISION_ID LOG_JSON LOG_DICT_TRACEBACKS REDIS_URI
  LANGCHAIN_CALLBACKS_BACKGROUND DD_TRACE_PSYCOPG_ENABLED DD_TRACE_REDIS_ENABLED LANGSMITH_DEPLOYMENT_NAME LANGGRAPH_CLOUD_LICENSE_KEY`.split(
    /\s+/u,
  ),
);
/** docs/service.md 2.4: refused by the hosted service, free on self-hosted (container) deployments. */
const RESERVED_ON_CLOUD: ReadonlySet<string> = new Set(
  `LANGSMITH_API_KEY LANGSMITH_ENDPOINT POSTGRES_URI_CUSTOM REDIS_URI_CUSTOM PATH PORT MOUNT_PREFIX
  LSD_ENV LSD_DD_API_KEY LSD_DD_ENDPOINT LSD_DEPLOYMENT_TYPE`.split(/\s+/u),
);

/** docs/service.md 2.4: secret names that the service keeps for itself. */
export function reservedSecretNames({ source, body }: RuleInput): Finding[] {
  return ["secrets", "secret_references"].flatMap((key) =>
    listAt(body, key).flatMap((item, index) => {
      const name = isStruct(item) ? item["name"] : undefined;
      const reserved =
        typeof name === "string" &&
        (RESERVED.has(name) || (RESERVED_ON_CLOUD.has(name) && source !== "external_container"));
      return reserved
        ? [
            found(
              "warning",
              "value",
              [key, index, "name"],
              `${name} is a name the service keeps for itself and may refuse; use another name, or remove it`,
            ),
          ]
        : [];
    }),
  );
}

/** Fields that docs/interface.md marks as not to be used. */
function fieldsToAvoid({ body }: RuleInput): Finding[] {
  return [...written(body)].flatMap(({ path, row }) =>
    row.meta.avoid === true
      ? [
          found(
            "warning",
            "key",
            path,
            "is marked as not to be used by the service's documentation; remove it",
          ),
        ]
      : [],
  );
}

/** Fields and fractions that only the hosted service documents, in a document written in the interface document's dialect. */
function hostedOnly({ source, dialect, body }: RuleInput): Finding[] {
  if (dialect !== "document") return [];
  const hosted = source === undefined ? "" : ` (source: ${spellSource(source, "hosted")})`;
  return [...written(body)].flatMap(({ path, row, value }) => {
    if (row.mutability === "read-only") return [];
    if (row.meta.hosted === "only")
      return [
        found(
          "warning",
          "key",
          path,
          `is known to the hosted service alone; remove it, or use the hosted spelling${hosted}`,
        ),
      ];
    return row.meta.hosted === "fraction" && typeof value === "number" && !Number.isInteger(value)
      ? [
          found(
            "warning",
            "value",
            path,
            `is a fraction, which only the hosted service takes; write a whole number, or use the hosted spelling${hosted}`,
          ),
        ]
      : [];
  });
}

/** docs/service.md 2.6: the hosted service rounds these to one decimal, so that more of them change nothing. */
function fractionsOfCores({ body }: RuleInput): Finding[] {
  return [...written(body)].flatMap(({ path, row, value }) =>
    row.meta.compare === "one-decimal" &&
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

/** A PATCH with the same tag builds nothing new, and a moved tag is not seen. */
function mutableImageTag({ body }: RuleInput): Finding[] {
  const image = structAt(body, "source_revision_config")?.["image_uri"];
  return typeof image === "string" && image !== "" && !/@sha256:[0-9a-f]{64}$/iu.test(image)
    ? [
        found(
          "warning",
          "value",
          ["source_revision_config", "image_uri"],
          "names an image by a tag that can move, and an unchanged tag is not redeployed; write the digest, as in image@sha256:…",
        ),
      ]
    : [];
}

/** Every rule, in the order in which they are checked. */
export const RULES: readonly Rule[] = [
  requiredBySourceKind,
  fieldsOfOtherKind,
  readOnlyFields,
  nameIsDnsLabel,
  buildOnPushWithTag,
  customUrlOnRepohost,
  resourceSpecOnRepohost,
  internalSourceFields,
  dnsLabels,
  duplicateNames,
  mountsMatchVolumes,
  valueWithValueFrom,
  variableNames,
  limitBelowRequest,
  minAboveMax,
  reservedSecretNames,
  fieldsToAvoid,
  hostedOnly,
  fractionsOfCores,
  mutableImageTag,
];
