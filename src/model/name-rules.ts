import { isObject } from "./json.ts";
import { SOURCE_VARIABLE } from "./source-mark.ts";
import {
  UNKNOWN,
  type RuleInput,
  type Finding,
  type Path,
  listAt,
  found,
  isSet,
  written,
  RESOURCE_SPEC,
  resourceSpec,
  containers,
  envVars,
} from "./rule-input.ts";

const DNS_LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/u;

const LABEL_ADVICE =
  "use 1 to 63 lowercase letters, digits and -, beginning and ending with a letter or digit";

/** contributing/service.md 2.8: a name that is not a DNS label may build and then fail at the image registry. */
export function nameIsDnsLabel({ body }: RuleInput): Finding[] {
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

/** Longest name that leaves room for what a self-hosted service appends (contributing/service.md 2.8). */
const MOST_SELF_HOSTED = 21;

/** contributing/service.md 2.8: the service's own names are made of it, and must not pass 63 characters. */
export function nameIsShort({ source, body }: RuleInput): Finding[] {
  const name = body["name"];
  if (source !== "external_container" || typeof name !== "string") return [];
  return name.length > MOST_SELF_HOSTED
    ? [
        found(
          "warning",
          "value",
          ["name"],
          `has ${name.length} characters: names that the service makes of it may grow too long, and then no revision becomes ready; use at most ${MOST_SELF_HOSTED}`,
        ),
      ]
    : [];
}

/** contributing/service.md 2.3: a display name is never empty, and cannot be cleared. */
export function displayNameIsSet({ body }: RuleInput): Finding[] {
  return body["display_name"] === ""
    ? [found("error", "value", ["display_name"], "is empty; write a name, or remove the line")]
    : [];
}

/** contributing/interface.md, Volume and Container: names are DNS labels. */
export function dnsLabels({ body }: RuleInput): Finding[] {
  const volumes = listAt(resourceSpec(body), "volumes").map((item, index) => ({
    path: [...RESOURCE_SPEC, "volumes", index],
    container: isObject(item) ? item : {},
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
  const known =
    volumes.size === 0
      ? "write it under volumes"
      : `write one of ${[...volumes].slice(0, 10).join(", ")}, or add it under volumes`;
  return lists.flatMap(({ path, mounts }) =>
    mounts.flatMap((mount, index) => {
      const name = isObject(mount) ? mount["name"] : UNKNOWN;
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

/** contributing/interface.md, EnvVar: `valueFrom` is not allowed when `value` is non-empty. */
export function valueWithValueFrom({ body }: RuleInput): Finding[] {
  return envVars(body).flatMap(({ path, variable: { value, valueFrom } }) =>
    typeof value === "string" && value !== "" && isSet(valueFrom)
      ? [
          found(
            "error",
            "key",
            [...path, "valueFrom"],
            "cannot be combined with a non-empty value; keep one of the two",
          ),
        ]
      : [],
  );
}

/** What an environment variable may be called. */
export const C_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/u;

/** How to write one. */
export const IDENTIFIER_ADVICE = "write letters, digits and _, not beginning with a digit";

/**
 * contributing/interface.md, EnvVar: the name is a C identifier; a secret becomes a variable too, where the
 * service may be laxer.
 */
export function variableNames({ body }: RuleInput): Finding[] {
  const secrets = ["secrets", "secret_references"].flatMap((key) =>
    listAt(body, key).map((item, index) => ({
      path: [key, index],
      name: isObject(item) ? item["name"] : UNKNOWN,
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

/** contributing/service.md 2.4: refused everywhere. */
const RESERVED: ReadonlySet<string> = new Set(
  `LANGCHAIN_TRACING_V2 LANGSMITH_TRACING_V2 LANGCHAIN_ENDPOINT LANGCHAIN_PROJECT LANGSMITH_PROJECT
  LANGSMITH_LANGGRAPH_GIT_REPO LANGGRAPH_GIT_REPO_PATH LANGCHAIN_API_KEY LANGSMITH_CONTROL_PLANE_API_KEY POSTGRES_URI POSTGRES_PASSWORD DATABASE_URI
  LANGSMITH_LANGGRAPH_GIT_REF LANGSMITH_LANGGRAPH_GIT_REF_SHA LANGGRAPH_AUTH_TYPE LANGSMITH_AUTH_ENDPOINT LANGSMITH_TENANT_ID
  LANGSMITH_AUTH_VERIFY_TENANT_ID LANGSMITH_HOST_PROJECT_ID LANGSMITH_HOST_PROJECT_NAME LANGSMITH_HOST_REVISION_ID LOG_JSON LOG_DICT_TRACEBACKS REDIS_URI
  LANGCHAIN_CALLBACKS_BACKGROUND DD_TRACE_PSYCOPG_ENABLED DD_TRACE_REDIS_ENABLED LANGSMITH_DEPLOYMENT_NAME LANGGRAPH_CLOUD_LICENSE_KEY`.split(
    /\s+/u,
  ),
);

/** contributing/service.md 2.4: refused by the hosted service, free on self-hosted (container) deployments. */
const RESERVED_ON_CLOUD: ReadonlySet<string> = new Set(
  `LANGSMITH_API_KEY LANGSMITH_ENDPOINT POSTGRES_URI_CUSTOM REDIS_URI_CUSTOM PATH PORT MOUNT_PREFIX
  LSD_ENV LSD_DD_API_KEY LSD_DD_ENDPOINT LSD_DEPLOYMENT_TYPE`.split(/\s+/u),
);

/** Whether the service keeps a name for itself: some only where it runs the agent. */
export const isReservedName = (name: string, source: unknown): boolean =>
  RESERVED.has(name) || (RESERVED_ON_CLOUD.has(name) && source !== "external_container");

/** contributing/service.md 2.4: secret names that the service keeps for itself. */
export function reservedSecretNames({ source, body }: RuleInput): Finding[] {
  return ["secrets", "secret_references"].flatMap((key) =>
    listAt(body, key).flatMap((item, index) => {
      const name = isObject(item) ? item["name"] : undefined;
      return typeof name === "string" && isReservedName(name, source)
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

/** The value that remembers the uploaded source is ours. */
export function sourceVariable({ body }: RuleInput): Finding[] {
  return listAt(body, "secrets").flatMap((item, index) =>
    isObject(item) && item["name"] === SOURCE_VARIABLE
      ? [
          found(
            "error",
            "value",
            ["secrets", index, "name"],
            `${SOURCE_VARIABLE} is where agent-deploy remembers the source that it uploaded; use another name`,
          ),
        ]
      : [],
  );
}

/** A line break in an address, a branch, a path or a name is what a command left at its end. */
export function lineBreaks({ body }: RuleInput): Finding[] {
  return written(body).flatMap(({ path, row, value }) =>
    typeof value === "string" && /[\r\n]/u.test(value) && row.meta.lines !== "many"
      ? [
          found(
            "error",
            "value",
            path,
            "holds a line break; write it on one line (a file or a variable often ends in one: set it with printf %s)",
          ),
        ]
      : [],
  );
}
