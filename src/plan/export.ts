import { hideUserInfo, userInfoOf } from "../model/user-info.ts";
import { COMMAND_FIELDS, isKeyInCommand, isSetting, replaceWords } from "../secrets/key-like.ts";
import type { LiveDeployment } from "../model/live.ts";
import { deploymentShape } from "../model/shape.ts";
import { isOfKind, type Field, type Shape } from "../model/field-shape.ts";
import { withoutSourceEntry } from "../model/source-mark.ts";
import { C_IDENTIFIER } from "../model/name-rules.ts";
import { isHostedSource, isVendorBuilt, spellPath, spellSource } from "../model/dialect.ts";
import { isObject, itemsOf, withMembers, type Json, type JsonObject } from "../model/json.ts";
import { readableRef } from "./comparison.ts";
import {
  createVariableNames,
  toVariable,
  type NameVariable,
  type VariableUse,
} from "./export-variables.ts";
import { toEntries } from "./secrets.ts";
import { ENVIRONMENT, patchUnits, REF } from "./units.ts";
import { isNull, isReturned, valueAt, withoutDefaults, withoutNulls, withValue } from "./value.ts";

/** A spec document made from a live deployment, in the service's own dialect, with notes for the reader. */
export interface ExportedDocument {
  readonly name: string;
  readonly body: JsonObject;
  /** Dotted paths, spelled as in `body`, of fields that cannot change after creation. */
  readonly fixed: readonly string[];
  readonly comments: readonly string[];
}

/**
 * Specs whose plans against these deployments are empty: secrets as names, no sensitive values, no
 * defaults that the service fills in. No variable is used for two different values.
 */
export function toExports(deployments: readonly LiveDeployment[]): readonly ExportedDocument[] {
  const nameFor = createVariableNames(deployments.flatMap(findUses));
  return deployments.map((live) => {
    const name = nameFor(live.name);
    const own = new Map<string, string>();
    const exported = exportOne(live, (variable, value) => {
      const chosen = name(variable, value);
      if (chosen !== variable) own.set(chosen, variable);
      return chosen;
    });
    return { ...exported, comments: [...exported.comments, ...toOwnComment(own)] };
  });
}

/** Escapes a literal `${NAME}` of a live value, so that the spec keeps it as text. */
const escaped = (text: string): string => text.replaceAll("${", () => "$${");

/** The spec of a single deployment. */
export function toExport(live: LiveDeployment): ExportedDocument {
  return toExports([live])[0]!;
}

function findUses(live: LiveDeployment): readonly VariableUse[] {
  const uses: VariableUse[] = [];
  exportOne(live, (variable, value) => {
    uses.push({ document: live.name, variable, value });
    return variable;
  });
  return uses;
}

function toOwnComment(own: ReadonlyMap<string, string>): string[] {
  const names = [...own.keys()];
  return names.length === 0
    ? []
    : [
        `${names.join(", ")}: named apart, since ${[...new Set(own.values())].join(", ")} would stand for live values that differ`,
      ];
}

function exportOne(live: LiveDeployment, name: NameVariable): ExportedDocument {
  const source = String(live.source);
  let body: JsonObject = { name: live.name, source: spellSource(source, live.dialect) };
  const fixed: string[] = [];
  const comments: string[] = [];
  for (const field of patchUnits()) {
    if (field.path === "name" || field.path === "source") continue;
    if (!isOfKind(field, source)) continue;
    const value = exportValue(field, live, comments, name);
    if (isNull(value)) continue;
    if (isVendorBuilt(source) && field !== ENVIRONMENT) continue;
    const path = spellPath(field.path, live.dialect);
    body = withValue(body, path, value);
    if (field.mutability === "create-only") fixed.push(path);
  }
  if (toEntries(valueAt(live.body, ENVIRONMENT.path)).some(({ name }) => !C_IDENTIFIER.test(name)))
    body = { ...body, deploy: { secrets: "merge" } };
  const settings = settingsOf(valueAt(live.body, ENVIRONMENT.path));
  const names = Object.keys(settings);
  if (names.length > 0) {
    body = { ...body, variables: settings };
    comments.push(
      `${names.join(", ")}: written by value, since name and value say that ${names.length === 1 ? "it is not a secret" : "they are not secrets"}`,
    );
  }
  const hidden = toUnexported(live, source);
  if (hidden.length > 0) comments.push(`live, and not managed by a spec: ${hidden.join(", ")}`);
  return { name: live.name, body, fixed, comments };
}

/** Groups of a deployment that contain settings; everything else in a reply belongs to the service. */
const GROUPS = ["source_config", "source_revision_config"] as const;
/** Fields that some services add to a group. */
const ADDED: readonly string[] = [REF.meta.alias!.split(".").at(-1)!];

/** Settings of a reply that the table does not know, dotted: an export cannot write them. */
function toUnexported({ body }: LiveDeployment, source: string): string[] {
  if (isHostedSource(source)) return [];
  return GROUPS.flatMap((group) => {
    const shape = deploymentShape.fields.get(group)?.shape;
    const value = body[group];
    if (shape?.kind !== "struct" || !isObject(value)) return [];
    return Object.entries(value)
      .filter(([key, item]) => !isNull(item) && !shape.fields.has(key) && !ADDED.includes(key))
      .map(([key]) => `${group}.${key}`);
  });
}

function exportValue(
  field: Field,
  live: LiveDeployment,
  comments: string[],
  name: NameVariable,
): Json | undefined {
  const value = valueAt(live.body, field.path);
  if (isNull(value)) return undefined;
  if (field === ENVIRONMENT) return exportSecrets(value, comments, name);
  if (field === REF) {
    const ref = readableRef(live);
    if (ref !== undefined) return escaped(ref);
    comments.push(
      `${field.name}: the service returns the commit it built, not the branch; write the branch or tag here`,
    );
    return undefined;
  }
  const info = typeof value === "string" ? userInfoOf(value) : undefined;
  if (field.meta.sensitive === "user-info" && info !== undefined) {
    const variable = name(`${field.name.toUpperCase()}_USER_INFO`, isReturned(info) ? info : null);
    comments.push(`${field.name}: \${${variable}} holds the user and password of the live URL`);
    return escaped(String(value).replace(`${info}@`, "@")).replace("@", () => `\${${variable}}@`);
  }
  const cleaned = toWritten(field, field.shape, withoutNulls(value), [], name);
  const keys = [
    ...JSON.stringify(cleaned).matchAll(/(?<!\$)\$\{(\w*(COMMAND_KEY|URL_USER_INFO)(?:_\d+)?)\}/gu),
  ];
  for (const [variable, kind] of new Map(keys.map((key) => [key[1], key[2]])))
    comments.push(
      kind === "COMMAND_KEY"
        ? `${field.name}: \${${variable}} holds what looks like a key in a command`
        : `${field.name}: \${${variable}} holds the user and password of a URL in it`,
    );
  return isObject(cleaned) && Object.keys(cleaned).length === 0 && field.meta.sentWhole !== true
    ? undefined
    : cleaned;
}

/**
 * Secrets by name. An empty value may be a hidden one: it counts as empty only if others are
 * shown, and `apply` then accepts an unset variable for it.
 */
function exportSecrets(
  value: Json,
  comments: string[],
  nameVariable: NameVariable,
): Json | undefined {
  const settings = settingsOf(value);
  const entries = toEntries(withoutSourceEntry(value)).filter(
    (entry) => !Object.hasOwn(settings, entry.name),
  );
  for (const { name } of entries.filter((one) => !C_IDENTIFIER.test(one.name)))
    comments.push(
      `${JSON.stringify(name)}: a live secret that no spec can name, since it is not a valid variable name; \`deploy.secrets: merge\` keeps it`,
    );
  const named = entries.map(({ name }) => name).filter((name) => C_IDENTIFIER.test(name));
  // A spec lists a name once, even if the service holds it twice.
  const written = [...new Set(named)];
  const emptyNames = emptySecrets(value);
  const empty = written.filter((name) => emptyNames.has(name));
  const showsOthers = entries.some((one) => isReturned(one.value));
  const [first] = empty;
  if (first !== undefined && !showsOthers)
    comments.push(
      `${empty.join(", ")}: live value empty or hidden; for an empty one write { name: ${first}, value: "\${${first}:-}" }`,
    );
  if (written.length === 0) return undefined;
  const values = new Map(entries.map((entry) => [entry.name, entry.value]));
  return written.map((name) => {
    const isEmptySet = showsOthers && emptyNames.has(name);
    const live = values.get(name) ?? "";
    const variable = nameVariable(name, isEmptySet || isReturned(live) ? live : null);
    if (isEmptySet) return { name, value: `\${${variable}:-}` };
    return variable === name ? name : { name, value: `\${${variable}}` };
  });
}

/** Live values that are settings rather than secrets: a spec lists them under `variables`. */
function settingsOf(value: Json | undefined): Readonly<Record<string, string>> {
  const entries = toEntries(withoutSourceEntry(value)).filter(
    (entry) => isReturned(entry.value) && isSetting(entry.name, entry.value),
  );
  return Object.fromEntries(entries.map((entry) => [entry.name, entry.value]));
}

/** Names whose value is an empty string; a null value is a hidden one. */
function emptySecrets(secrets: Json): ReadonlySet<unknown> {
  return new Set(
    itemsOf(secrets).flatMap((item) =>
      isObject(item) && item["value"] === "" ? [item["name"]] : [],
    ),
  );
}

/** A value as a spec writes it: without defaults, and with references to the environment for sensitive values. */
function toWritten(
  field: Field | undefined,
  shape: Shape,
  value: Json,
  trail: readonly string[],
  name: NameVariable,
  isCommand = COMMAND_FIELDS.has(field?.name ?? ""),
): Json {
  if (field?.meta.sensitive === "value")
    return value === "" ? "" : `\${${name(toVariable(trail), knownText(value))}}`;
  if (typeof value === "string") {
    const place = trail.length === 0 && field !== undefined ? [field.name] : trail;
    const variable = toVariable([...place, "URL_USER_INFO"]);
    const named = hideUserInfo(escaped(value), (info) => `\${${name(variable, knownText(info))}}`);
    return isCommand ? withoutKeys(named, trail, name) : named;
  }
  if (shape.kind === "list" && Array.isArray(value))
    return value.map((item: Json, index) => {
      const own = isObject(item) ? String(item["name"] ?? index) : String(index);
      return toWritten(undefined, shape.item, item, [...trail, own], name, isCommand);
    });
  if (shape.kind === "struct" && isObject(value))
    return withMembers(withoutDefaults(shape, value), (item, key) => {
      const child = shape.fields.get(key);
      return child && toWritten(child, child.shape, item, trail, name);
    });
  const part = (item: Json): Json => toWritten(undefined, shape, item, trail, name);
  if (Array.isArray(value)) return value.map(part);
  return isObject(value) ? withMembers(value, part) : value;
}

/** A command line with each key in it replaced by a reference to the environment. */
function withoutKeys(text: string, trail: readonly string[], name: NameVariable): string {
  const variable = toVariable([...trail, "COMMAND_KEY"]);
  return replaceWords(text, (word) =>
    isKeyInCommand(word) ? `\${${name(variable, word)}}` : word,
  );
}

/** A value that can be compared; null if the service hides it. */
const knownText = (value: Json): string | null =>
  typeof value === "string" && isReturned(value) ? value : null;
