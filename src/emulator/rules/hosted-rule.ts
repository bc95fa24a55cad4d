import { spellPath, spellSource, type Dialect } from "../../model/dialect.ts";
import { isObject, type JsonObject } from "../../model/json.ts";
import { isReservedName } from "../../model/name-rules.ts";
import { deploymentShape } from "../../model/shape.ts";
import { refuse, refuseValue } from "../http/reply.ts";
import type { StoredDeployment, StoredListener } from "../state/store.ts";
import type { World } from "../world.ts";

/** What a create, a PATCH or a new revision asks for, in canonical dialect. */
export interface Wanted {
  readonly kind: "create" | "patch";
  readonly body: JsonObject;
  readonly source: string;
  readonly dialect: Dialect;
  readonly secrets: StoredDeployment["secrets"];
  readonly source_config: JsonObject;
  readonly source_revision_config: JsonObject;
}

/** Why the hosted service refuses it, 400 by default; null where it does not. */
type Rule = (wanted: Wanted, world: World) => string | readonly [status: 404, why: string] | null;

const when = (broken: boolean, why: string): string | null => (broken ? why : null);
const specOf = ({ source_config: config }: Wanted): JsonObject =>
  isObject(config["resource_spec"]) ? config["resource_spec"] : {};
const namesOf = ({ secrets }: Wanted): readonly string[] => secrets.map(({ name }) => name);
const onCreate =
  (rule: Rule, source?: string): Rule =>
  (wanted, world) =>
    wanted.kind === "create" && (source ?? wanted.source) === wanted.source
      ? rule(wanted, world)
      : null;

/** A field next to the two groups that another source has for itself. */
const strayField: Rule = ({ body, source, dialect }) => {
  const stray = [...deploymentShape.fields.values()].find(
    ({ name, meta: { only } }) => only !== undefined && only !== source && body[name] != null,
  );
  if (stray === undefined) return null;
  return `${stray.name} is only applicable for ${spellSource(stray.meta.only!, dialect)} source.`;
};

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

/** Numbers of a spec that lie outside their range (contributing/service.md 2.6). */
const inRange =
  (field: RegExp, least: number, most: number): Rule =>
  (wanted) => {
    const bad = Object.entries(specOf(wanted)).find(
      ([name, value]) =>
        field.test(name) && typeof value === "number" && (value < least || value > most),
    );
    return bad === undefined
      ? null
      : `resource_spec.${bad[0]} must be between ${least} and ${most}.`;
  };

const secretName =
  (bad: (name: string, all: readonly string[], wanted: Wanted) => boolean, why: string): Rule =>
  (wanted) => {
    const names = namesOf(wanted);
    const found = names.find((name, i) => bad(name, names.slice(0, i), wanted));
    return found === undefined ? null : why.replace("$", found);
  };

const knownIntegration: Rule = ({ source_config: config }, { store }) => {
  const id = config["integration_id"];
  return id === undefined || store.get("integrations", String(id).toLowerCase()) === undefined
    ? [404, `Integration ID ${String(id ?? null)} not found.`]
    : null;
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

/** What the hosted service refuses although the interface document does not say so, the first broken rule first. */
const HOSTED_RULES: readonly Rule[] = [
  strayField,
  required("repohost", "source_config", "deployment_type"),
  required("repohost", "source_config", "build_on_push"),
  required("repohost", "source_revision_config", "graph_config_path"),
  required("external_container", "source_config", "resource_spec"),
  // Names that the image registry and the host name of a deployment can take (contributing/service.md 2.8).
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
  // contributing/service.md 2.2: the only type without a replica while nobody asks.
  (wanted) =>
    when(
      specOf(wanted)["min_scale"] === 0 && wanted.source_config["deployment_type"] !== "dev_zero",
      "resource_spec.min_scale must be at least 1 unless deployment_type is dev_zero.",
    ),
  inRange(/^(queue_|redis_)?cpu$/, 0.1, 8),
  inRange(/^(queue_|redis_)?cpu_limit$/, 0.1, 16),
  (wanted) => {
    const bad = Object.entries(specOf(wanted)).find(
      ([, one]) => typeof one === "number" && one < 0,
    );
    return bad === undefined ? null : `resource_spec.${bad[0]} must not be negative.`;
  },
  (wanted) =>
    when(
      Number(specOf(wanted)["redis_memory_mb"] ?? 512) < 512,
      "resource_spec.redis_memory_mb must be at least 512.",
    ),
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

/** Refuses what the hosted service is known to refuse (`createRules: hosted`). */
export function checkHosted(world: World, wanted: Wanted): void {
  if (wanted.kind === "create" && wanted.body["display_name"] != null)
    refuseValue("body", "display_name", "Extra inputs are not permitted", "extra_forbidden");
  for (const rule of HOSTED_RULES) {
    const broken = rule(wanted, world);
    if (typeof broken === "string") refuse(400, broken);
    if (broken !== null) refuse(...(broken as readonly [404, string]));
  }
}

/** The compute type of a listener checks its config: a namespace must be one that it has. */
export function checkNamespace(world: World, config: JsonObject): void {
  const names = listenerOf(config, world)?.k8s_namespaces ?? null;
  const { k8s_namespace: asked } = isObject(config["listener_config"])
    ? config["listener_config"]
    : {};
  if (typeof asked === "string" && names !== null && !names.includes(asked))
    refuse(400, `source_config.listener_config.k8s_namespace must be one of ${names.join(", ")}.`);
}
