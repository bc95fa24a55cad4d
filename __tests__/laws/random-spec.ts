import fc from "../support/property.ts";
import { deploymentShape } from "../../src/model/shape.ts";
import type { Field, Shape } from "../../src/model/field-shape.ts";
import { spell, type Dialect } from "../../src/model/dialect.ts";
import type { Desired } from "../../src/spec/desired.ts";
import type { Json } from "../../src/model/json.ts";
import { parseSpec } from "../../src/spec/spec.ts";
import { toProblemLine } from "../../src/report/report.ts";

type Body = { readonly [key: string]: Json };
type Source = "repohost" | "external_container";

const IMAGES = ["a", "b", "c"].map(
  (letter) => `registry.example.com/acme/app@sha256:${letter.repeat(64)}`,
);
const FREE: readonly Json[] = [
  {},
  { medium: "Memory" },
  { name: "other" },
  { nested: { list: [1, "two", true] } },
];

/** Strings that a rule of the spec asks for, by the field's name; everything else is any of a few plain texts. */
function textFor(name: string): fc.Arbitrary<string> {
  if (name === "image" || name === "image_uri") return fc.constantFrom(...IMAGES);
  if (name === "repo_url") return fc.constant("https://git.example.com/acme/agents");
  if (name === "custom_url")
    return fc.constantFrom("https://one.example.com", "https://two.example.com");
  if (name === "repo_ref") return fc.constantFrom("main", "release", "topic/x");
  if (name === "name") return fc.constantFrom("one", "two", "three", "four");
  if (name === "mountPath") return fc.constantFrom("/data", "/cache", "/etc/app");
  return fc.constantFrom(
    "plain",
    "with space",
    "käse: # no comment",
    "$${literal}",
    '{"json": 1}',
    "true",
    "12",
  );
}

/** Requests stay below limits, and lower bounds below upper ones, by their names. */
const numberFor = (name: string): fc.Arbitrary<number> =>
  /limit|max_scale/.test(name) ? fc.integer({ min: 8, max: 12 }) : fc.integer({ min: 1, max: 4 });

const QUANTITIES: Readonly<Record<string, readonly string[]>> = {
  limits: ["2", "4"],
  requests: ["1", "250m"],
};

function arbitraryOf(shape: Shape, name: string): fc.Arbitrary<Json> {
  switch (shape.kind) {
    case "free":
      return fc.constantFrom(...FREE);
    case "map":
      return fc.dictionary(
        fc.constantFrom("app", "team", "x.example.com/y"),
        fc.constantFrom(...(QUANTITIES[name] ?? ["1", "two"])),
        { noNullPrototype: true },
      );
    case "list":
      return fc.uniqueArray(arbitraryOf(shape.item, name), {
        maxLength: 3,
        selector: (item) => keyOf(item),
      });
    case "struct":
      return structOf(shape);
    case "scalar":
      switch (shape.type) {
        case "boolean":
          return fc.boolean();
        case "enum":
          return fc.constantFrom(...(shape.values ?? []));
        case "uuid":
          return fc.uuid();
        case "integer":
        case "number":
          return numberFor(name);
        case "string":
          return textFor(name);
      }
  }
}

const keyOf = (item: Json): string => {
  const { name, mountPath } = (typeof item === "object" && item !== null ? item : {}) as {
    name?: string;
    mountPath?: string;
  };
  return mountPath ?? name ?? JSON.stringify(item);
};

function structOf(
  shape: Extract<Shape, { kind: "struct" }>,
  wanted: (field: Field) => boolean = () => true,
): fc.Arbitrary<Body> {
  const fields = [...shape.fields.values()].filter(
    (field) =>
      field.mutability !== "read-only" &&
      field.meta.hosted !== "only" &&
      field.meta.avoid !== true &&
      wanted(field),
  );
  const model = Object.fromEntries(
    fields.map((field) => [field.name, arbitraryOf(field.shape, field.name)]),
  );
  const requiredKeys = fields.filter((field) => field.required).map((field) => field.name);
  return fc
    .record(model, { requiredKeys, noNullPrototype: true })
    .map((value) => makeValid(value as Record<string, Json>));
}

/**
 * The rules between fields that a random value would break: one volume source, one value of a
 * variable, mounts of real volumes.
 */
function makeValid(value: Record<string, Json>): Body {
  if ("valueFrom" in value) delete value["value"];
  const sources = Object.keys(value).filter((key) =>
    [
      "configMap",
      "secret",
      "emptyDir",
      "persistentVolumeClaim",
      "nfs",
      "projected",
      "downwardAPI",
      "csi",
    ].includes(key),
  );
  for (const extra of sources.slice(1)) delete value[extra];
  if (!("volume_mounts" in value || "init_containers" in value || "sidecars" in value))
    return value;
  const volumes = ((value["volumes"] ?? []) as readonly Body[]).map((one) => one["name"]);
  const mounted = (mounts: Json | undefined): Json[] =>
    ((mounts ?? []) as readonly Body[]).filter((mount) => volumes.includes(mount["name"] as Json));
  const contained = (list: Json | undefined, prefix: string): Json[] =>
    ((list ?? []) as readonly Body[]).map((one) => ({
      ...one,
      name: `${prefix}-${String(one["name"])}`,
      ...("volumeMounts" in one ? { volumeMounts: mounted(one["volumeMounts"]) } : {}),
    }));
  return {
    ...value,
    ...("volume_mounts" in value ? { volume_mounts: mounted(value["volume_mounts"]) } : {}),
    ...("init_containers" in value
      ? { init_containers: contained(value["init_containers"], "init") }
      : {}),
    ...("sidecars" in value ? { sidecars: contained(value["sidecars"], "side") } : {}),
  };
}

const isOf =
  (source: Source) =>
  (field: Field): boolean =>
    field.meta.only === undefined || field.meta.only === source;
const part = (name: string): Extract<Shape, { kind: "struct" }> =>
  deploymentShape.fields.get(name)!.shape as Extract<Shape, { kind: "struct" }>;
const secrets = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("TOKEN", "DB_URL", "OTHER"),
    value: fc.constantFrom("v1", "v2", "v3"),
  }),
  { minLength: 1, maxLength: 3, selector: ({ name }) => name },
);

/** What a random spec may say, before it has a name. */
export interface RandomSpec {
  readonly source: Source;
  readonly dialect: Dialect;
  readonly resourceSpec: "merge" | "replace";
  readonly body: Body;
}

function bodyOf(source: Source): fc.Arbitrary<Body> {
  const required: Body =
    source === "repohost"
      ? {
          source_config: {
            repo_url: "https://git.example.com/acme/agents",
            deployment_type: "prod",
            build_on_push: false,
          },
          source_revision_config: { repo_ref: "main", graph_config_path: "g.json" },
        }
      : { source_config: { resource_spec: {} }, source_revision_config: { image_uri: IMAGES[0]! } };
  return fc
    .record({
      source_config: structOf(part("source_config"), isOf(source)),
      source_revision_config: structOf(part("source_revision_config"), isOf(source)),
      secrets: fc.option(secrets, { nil: undefined }),
    })
    .map(({ source_config, source_revision_config, secrets: chosen }) => ({
      source_config: { ...(required["source_config"] as Body), ...source_config },
      source_revision_config: {
        ...(required["source_revision_config"] as Body),
        ...source_revision_config,
      },
      ...(chosen === undefined ? {} : { secrets: chosen }),
    }));
}

/** Any spec of either source kind, in either dialect. */
export const randomSpec: fc.Arbitrary<RandomSpec> = fc
  .constantFrom<Source>("repohost", "external_container")
  .chain((source) =>
    fc.record({
      source: fc.constant(source),
      dialect: fc.constantFrom<Dialect>("document", "hosted"),
      resourceSpec: fc.constantFrom("merge", "replace"),
      body: bodyOf(source),
    }),
  );

const fixed = (body: Body): Body =>
  Object.fromEntries(
    Object.entries(body["source_config"] as Body).filter(
      ([key]) => part("source_config").fields.get(key)?.mutability === "create-only",
    ),
  );

/** Two specs of one deployment: what cannot change after creation is the same in both. */
export const randomPair: fc.Arbitrary<readonly [RandomSpec, RandomSpec]> = randomSpec.chain(
  (first) =>
    bodyOf(first.source).map((body) => {
      const changeable = Object.fromEntries(
        Object.entries(body["source_config"] as Body).filter(
          ([key]) => part("source_config").fields.get(key)?.mutability !== "create-only",
        ),
      );
      return [
        first,
        { ...first, body: { ...body, source_config: { ...changeable, ...fixed(first.body) } } },
      ] as const;
    }),
);

/** The spec as the tool reads it: written as YAML, parsed and validated. */
export function toDesired(
  { source, dialect, resourceSpec, body }: RandomSpec,
  name: string,
): Desired {
  const text = JSON.stringify({
    ...spell({ ...body, source }, dialect),
    name,
    deploy: { resource_spec: resourceSpec },
  });
  const { documents, problems } = parseSpec({
    files: [{ path: "agent-deploy.yml", text }],
    env: {},
    mode: "apply",
  });
  const errors = problems.filter((problem) => problem.level === "error");
  if (errors.length > 0)
    throw new Error(
      `the generator made a bad spec:\n${errors.map(toProblemLine).join("\n")}\n${text}`,
    );
  return documents[0]!;
}
