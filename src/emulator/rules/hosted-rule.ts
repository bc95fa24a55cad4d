import { isHostedSource, spellPath, spellSource, type Dialect } from "../../model/dialect.ts";
import type { Field, Shape } from "../../model/field-shape.ts";
import { isObject, sameJson, type Json, type JsonObject } from "../../model/json.ts";
import { isReservedName } from "../../model/name-rules.ts";
import { deploymentShape } from "../../model/shape.ts";
import { refuse, refuseValue } from "../http/reply.ts";
import type { StoredDeployment, StoredListener } from "../state/store.ts";
import type { World } from "../world.ts";

/** The fields of a group of the deployment. */
export const groupOf = (name: string): Extract<Shape, { kind: "struct" }> =>
  deploymentShape.fields.get(name)!.shape as Extract<Shape, { kind: "struct" }>;

/** The groups of fields that say what to build. */
export const GROUPS = ["source_config", "source_revision_config"] as const;

/** What a create, a PATCH or a new revision requests, in canonical dialect. */
export interface Asked {
  /** The deployment to change; null for a create. */
  readonly of: StoredDeployment | null;
  readonly body: JsonObject;
  readonly source: string;
  readonly dialect: Dialect;
  readonly secrets: StoredDeployment["secrets"];
  readonly source_config: JsonObject;
  readonly source_revision_config: JsonObject;
  /** The resulting configuration of the deployment. */
  readonly config: JsonObject;
  /** What to build; for a change, merged with what the latest revision was built from. */
  readonly revisionConfig: JsonObject;
}

/** Why it is refused, with 400 unless a status is given; null if it is not. */
type Rule = (wanted: Asked, world: World) => string | readonly [status: 404, why: string] | null;

const when = (broken: boolean, why: string): string | null => (broken ? why : null);
const specOf = ({ source_config: config }: Asked): JsonObject =>
  isObject(config["resource_spec"]) ? config["resource_spec"] : {};
const onCreate =
  (rule: Rule, source?: string): Rule =>
  (wanted, world) =>
    wanted.of === null && (source ?? wanted.source) === wanted.source ? rule(wanted, world) : null;

const required = (
  source: string,
  group: "source_config" | "source_revision_config",
  key: string,
): Rule =>
  onCreate(
    (wanted) =>
      when(
        wanted[group][key] === undefined,
        `${spellPath(`${group}.${key}`, wanted.dialect)} is required for ${spellSource(source, wanted.dialect)} source.`,
      ),
    source,
  );

/** Numbers of a spec outside their range (contributing/service.md 2.6). */
const inRange =
  (field: RegExp, least: number, most: number, why = `be between ${least} and ${most}`): Rule =>
  (wanted) => {
    const bad = Object.entries(specOf(wanted)).find(
      ([name, value]) =>
        field.test(name) && typeof value === "number" && (value < least || value > most),
    );
    return bad === undefined ? null : `resource_spec.${bad[0]} must ${why}.`;
  };

const secretName =
  (bad: (name: string, all: readonly string[], wanted: Asked) => boolean, why: string): Rule =>
  (wanted) => {
    const names = wanted.secrets.map(({ name }) => name);
    const found = names.find((name, i) => bad(name, names.slice(0, i), wanted));
    return found === undefined ? null : why.replace("$", found);
  };

const knownIntegration: Rule = ({ source_config: config }, { store }) => {
  const id = config["integration_id"];
  return id === undefined || store.get("integrations", String(id).toLowerCase()) === undefined
    ? [404, `Integration ID ${String(id ?? null)} not found.`]
    : null;
};

/** Fields of other source kinds that sources of the vendor's command line have, too. */
const INTERNAL_FIELDS = [
  "deployment_type",
  "image_uri",
  "graph_config_path",
  "source_tarball_path",
  "resource_spec",
];

/** None of the given fields belongs to another source kind. */
const ownFields =
  (given: (wanted: Asked) => readonly Field[]): Rule =>
  (wanted) => {
    const { source, dialect } = wanted;
    const stray = given(wanted).find(({ name, meta: { only } }) => {
      const isOwn = isHostedSource(source) && INTERNAL_FIELDS.includes(name);
      return only !== undefined && only !== source && !isOwn;
    });
    return stray === undefined
      ? null
      : `${spellPath(stray.path, dialect)} is only applicable for ${spellSource(stray.meta.only!, dialect)} source.`;
  };
const inGroups = (wanted: Asked): readonly Field[] =>
  GROUPS.flatMap((group) =>
    Object.keys(wanted[group]).map((key) => groupOf(group).fields.get(key)!),
  );
const outsideGroups = ({ body }: Asked): readonly Field[] =>
  [...deploymentShape.fields.values()].filter(({ name }) => body[name] != null);

/** Fields of a PATCH that cannot change and differ from the stored value; null and equal values change nothing. */
function changedFixed(shape: Shape, asked: Json | undefined, stored: Json | undefined): string[] {
  if (shape.kind !== "struct" || !isObject(asked)) return [];
  return [...shape.fields.values()].flatMap(({ name, path, shape: inner, mutability }) => {
    const value = asked[name] ?? null;
    const was = isObject(stored) ? stored[name] : undefined;
    if (inner.kind === "struct") return changedFixed(inner, value, was);
    return mutability === "create-only" && value !== null && !sameJson(value, was) ? [path] : [];
  });
}

const fixedFields: Rule = ({ of, body }) => {
  const fixed =
    of === null
      ? []
      : changedFixed(deploymentShape, body, { ...of.others, ...of } as unknown as JsonObject);
  return when(
    fixed.length > 0,
    `${fixed.join(", ")} cannot be changed once the deployment is created.`,
  );
};

const listenerOf = (config: JsonObject, { store }: World): StoredListener | undefined =>
  store.get("listeners", String(config["listener_id"]).toLowerCase());

const knownListener: Rule = ({ source_config: config }, world) => {
  const id = config["listener_id"];
  if (id !== undefined)
    return listenerOf(config, world) === undefined
      ? [404, `Listener ID ${String(id)} not found.`]
      : null;
  const ids = world.store.all("listeners").map((one) => one.id);
  return when(
    ids.length > 0,
    `'source_config.listener_id' is required; available listener IDs: ${ids.join(", ")}.`,
  );
};

/** What the hosted service refuses although the interface document does not say so; the first broken rule counts. */
const HOSTED_RULES: readonly Rule[] = [
  ownFields(outsideGroups),
  required("repohost", "source_config", "deployment_type"),
  required("repohost", "source_config", "build_on_push"),
  required("repohost", "source_revision_config", "graph_config_path"),
  required("external_container", "source_config", "resource_spec"),
  // Names that the image registry and a deployment's host name accept (contributing/service.md 2.8).
  onCreate(({ body: { name } }) =>
    when(
      !/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(String(name)),
      "name must consist of lower case letters, digits and hyphens, and begin with a letter.",
    ),
  ),
  // contributing/service.md 2.4.
  secretName((name, _, { source }) => isReservedName(name, source), "Secret name $ is reserved."),
  secretName((name, before) => before.includes(name), "Secret name $ is given more than once."),
  secretName((name) => name === "", "Secret names must not be empty."),
  // contributing/service.md 2.2: the only type without a replica while idle.
  (wanted) =>
    when(
      specOf(wanted)["min_scale"] === 0 && wanted.config["deployment_type"] !== "dev_zero",
      "resource_spec.min_scale must be at least 1 unless deployment_type is dev_zero.",
    ),
  inRange(/^(queue_|redis_)?cpu$/, 0.1, 8),
  inRange(/^(queue_|redis_)?cpu_limit$/, 0.1, 16),
  inRange(/./, 0, Infinity, "not be negative"),
  inRange(/^redis_memory_mb$/, 512, Infinity, "be at least 512"),
  (wanted) => {
    const { min_scale: min, max_scale: max } = specOf(wanted);
    return when(
      typeof min === "number" && typeof max === "number" && min > max,
      "resource_spec.min_scale must not be greater than max_scale.",
    );
  },
  onCreate(knownIntegration, "repohost"),
  onCreate(knownListener, "external_container"),
];

/** The sources that a deployment may change between (contributing/service.md 2.9). */
const REVISION_SOURCES = ["github", "internal_docker", "internal_source"];

const possibleSource: Rule = ({ of, body, dialect }) => {
  const wanted = body["revision_source"] ?? null;
  if (of === null || wanted === null) return null;
  if (!REVISION_SOURCES.includes(String(wanted)))
    refuseValue(
      "body",
      "revision_source",
      `Input should be ${REVISION_SOURCES.map((word) => `'${word}'`).join(", ")}`,
      "enum",
    );
  return when(
    !REVISION_SOURCES.includes(spellSource(of.source, "hosted")),
    `revision_source ${String(wanted)} is not possible for a deployment of source ${spellSource(of.source, dialect)}.`,
  );
};

/** What every profile refuses. */
const RULES: readonly Rule[] = [
  ({ of }) =>
    when((of?.deleted_ms ?? null) !== null, `Deployment ID ${of?.id ?? ""} is being deleted.`),
  fixedFields,
  possibleSource,
  ownFields(inGroups),
  // A tag is built once: pushes to it build nothing.
  ({ config, revisionConfig }) =>
    when(
      config["build_on_push"] === true &&
        String(revisionConfig["repo_ref"]).startsWith("refs/tags/"),
      "source_config.build_on_push must be false when source_revision_config.repo_ref is a tag.",
    ),
];

/** A listener's compute type checks the config: a namespace must be one of the listener's. */
const knownNamespace: Rule = ({ config }, world) => {
  const names = listenerOf(config, world)?.k8s_namespaces ?? null;
  const { k8s_namespace: asked } = isObject(config["listener_config"])
    ? config["listener_config"]
    : {};
  return when(
    typeof asked === "string" && names !== null && !names.includes(asked),
    `source_config.listener_config.k8s_namespace must be one of ${names?.join(", ") ?? ""}.`,
  );
};

/** Refuses a request by the first rule that it breaks. */
export function checkRules(world: World, asked: Asked): void {
  const hosted = world.settings.hostedRules ? HOSTED_RULES : [];
  for (const rule of [...RULES, ...hosted, onCreate(knownNamespace)]) {
    const broken = rule(asked, world);
    if (typeof broken === "string") refuse(400, broken);
    if (broken !== null) refuse(...broken);
  }
}
