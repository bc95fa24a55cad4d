import { renderDuration } from "../duration.ts";
import { spellKey, spellSource } from "../model/dialect.ts";
import { deploymentShape } from "../model/shape.ts";
import type { Field, Shape } from "../model/field-shape.ts";
import { endWith } from "../ci/report-assembly.ts";
import { atPlaceOf } from "./place.ts";
import type { CommandEnd, Session } from "../ci/session.ts";
import { readSpec } from "../ci/spec-source.ts";
import { KNOWN_AT_APPLY, type Desired, type Position } from "../spec/desired.ts";
import { isObject, withMembers, type Json } from "../model/json.ts";
import { describeLeftOut } from "../plan/secrets-comparison.ts";
import { looksLikeKey } from "../secrets/key-like.ts";
import { userInfo } from "../spec/scalar.ts";

const MASK = "***";
/** Positions of values up to this width share a column. */
const PLACE_COLUMN = 56;

/** `render`: the resolved documents of a target, each value with its source line; no network, secrets masked. */
export async function runRender(given: Session): Promise<CommandEnd> {
  const documents = await readSpec(given, "validate");
  const session = atPlaceOf(given, documents);
  session.print(`${documents.map(renderResolved).join("---\n")}`);
  return endWith(session, { outcome: "unchanged", changed: false });
}

/** One resolved document as YAML, with a comment of file and line after each value. */
function renderResolved(desired: Desired): string {
  const { secrets, ...rest } = desired.body;
  const { fields } = deploymentShape;
  const lines = [
    ...renderHead(desired),
    ...Object.entries(rest).flatMap(([key, value]) => {
      const field = fields.get(key);
      const shown = toMasked(desired, value, field?.shape, field);
      return renderKey(desired, key, shown, [key], "");
    }),
    ...renderSecrets(desired, secrets, desired.variables ?? new Set()),
    ...describeLeftOut(desired, undefined).map((note) => `# ${note}`),
    ...renderBlock(desired),
  ];
  return `${lines.join("\n")}\n`;
}

function renderHead({ target }: Desired): readonly string[] {
  if (target === undefined) return [];
  const places = Object.entries(target.values).map(([key, value]) =>
    withPlace(`# ${key}: ${toScalar(value)}`, placeWords(target.lines[key]!)),
  );
  return [withPlace(`# target: ${toScalar(target.name)}`, placeWords(target.at)), ...places];
}

const placeWords = ({ file, line }: Position): string => `${file}:${line}`;

function withPlace(text: string, place: string): string {
  return `${text.padEnd(PLACE_COLUMN)} # ${place}`;
}

function renderSecrets(
  desired: Desired,
  secrets: Json | undefined,
  variables: ReadonlySet<string>,
): readonly string[] {
  if (!Array.isArray(secrets)) return secrets === undefined ? [] : ["secrets: null"];
  const entries = (secrets as readonly { readonly name: string; readonly value: string }[]).map(
    (entry, index) => ({ ...entry, place: placeWords(desired.positionOf(`secrets.${index}`)) }),
  );
  const hidden = entries
    .filter(({ name }) => !variables.has(name))
    .map(({ name, value, place }) => {
      const masked = value === KNOWN_AT_APPLY ? KNOWN_AT_APPLY : MASK;
      return withPlace(`  - { name: ${toScalar(name)}, value: ${toScalar(masked)} }`, place);
    });
  const shown = entries
    .filter(({ name }) => variables.has(name))
    .map(({ name, value, place }) =>
      withPlace(`  ${toScalar(name)}: ${toScalar(looksLikeKey(value) ? MASK : value)}`, place),
    );
  return [
    ...(hidden.length === 0 && shown.length > 0 ? [] : listed("secrets:", hidden, "[]")),
    ...(shown.length === 0 ? [] : ["variables:", ...shown]),
  ];
}

const listed = (head: string, lines: readonly string[], empty: string): readonly string[] =>
  lines.length === 0 ? [`${head} ${empty}`] : [head, ...lines];

/** The `deploy:` block with its defaults. */
function renderBlock({ deploy, positionOf }: Desired): readonly string[] {
  const { timeoutMs, paths, ...rest } = deploy;
  const values: readonly (readonly [string, Json])[] = [
    ...Object.entries(rest),
    ...(paths.length === 0 ? [] : [["paths", paths] as const]),
    ...(timeoutMs === undefined ? [] : [["timeout", renderDuration(timeoutMs)] as const]),
  ];
  const whole = positionOf("deploy");
  const lines = values.map(([key, value]) => {
    const at = positionOf(`deploy.${key}`);
    const written = at.line !== whole.line || at.column !== whole.column;
    const text = isObject(value) ? JSON.stringify(value) : toListText(value);
    return withPlace(`  ${key}: ${text}`, written ? placeWords(at) : "default");
  });
  return ["deploy:", ...lines];
}

const toListText = (value: Json): string =>
  Array.isArray(value) ? `[${value.map(toScalar).join(", ")}]` : toScalar(value);

function renderKey(
  desired: Desired,
  key: string,
  value: Json,
  path: readonly string[],
  indent: string,
): readonly string[] {
  const head = `${toScalar(spellKey(key, desired.dialect))}:`;
  return renderValue(desired, value, path, indent, head);
}

/** `head` precedes the value: `key:` or `-`. */
function renderValue(
  desired: Desired,
  value: Json,
  path: readonly string[],
  indent: string,
  head: string,
): readonly string[] {
  const place = placeWords(desired.positionOf(path.join(".")));
  const line = (text: string): string => withPlace(`${indent}${head} ${text}`, place);
  if (typeof value !== "object" || value === null) return [line(toScalar(value))];
  const inner = Array.isArray(value)
    ? (value as readonly Json[]).flatMap((one, index) =>
        renderValue(desired, one, [...path, String(index)], `${indent}  `, "-"),
      )
    : Object.entries(value).flatMap(([key, child]) =>
        renderKey(desired, key, child, [...path, key], `${indent}  `),
      );
  if (inner.length === 0) return [line(Array.isArray(value) ? "[]" : "{}")];
  // The first key of an item follows its dash.
  return head === "-" && !Array.isArray(value)
    ? [`${indent}- ${inner[0]!.trimStart()}`, ...inner.slice(1)]
    : [`${indent}${head}`, ...inner];
}

/** The value as shown: secrets masked, the source spelled as in the document. */
function toMasked(
  desired: Desired,
  value: Json,
  shape: Shape | undefined,
  field: Field | undefined,
): Json {
  if (Array.isArray(value)) {
    const item = shape?.kind === "list" ? shape.item : undefined;
    return (value as readonly Json[]).map((one) => toMasked(desired, one, item, undefined));
  }
  if (isObject(value))
    return withMembers(value, (child, key) => {
      const under = shape?.kind === "struct" ? shape.fields.get(key) : undefined;
      return toMasked(desired, child, under?.shape, under);
    });
  if (typeof value !== "string") return value;
  if (field?.path === "source") return spellSource(value, desired.dialect);
  if (field?.meta.sensitive === "value") return MASK;
  const [info] = field?.meta.sensitive === "user-info" ? userInfo(value) : [];
  return info === undefined ? value : value.replace(info, () => MASK);
}

/** A YAML scalar. JSON is YAML: quotes are left out only where nothing could misread it. */
function toScalar(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const plain = /^[A-Za-z][A-Za-z0-9_./@-]*(?::\/\/[A-Za-z0-9_./@-]+)?$/u.test(value);
  const word = /^(?:true|false|null|yes|no|on|off|y|n)$/iu.test(value);
  return plain && !word ? value : JSON.stringify(value);
}
