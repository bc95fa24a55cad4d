import { renderDuration } from "../duration.ts";
import { spellKey, spellSource } from "../model/dialect.ts";
import { deploymentShape } from "../model/shape.ts";
import type { Field, Shape } from "../model/field-shape.ts";
import { endWith } from "../ci/report-assembly.ts";
import { atPlaceOf } from "./place.ts";
import type { CommandEnd, Session } from "../ci/session.ts";
import { readSpec } from "../ci/spec-source.ts";
import type { Desired, Position } from "../spec/desired.ts";
import { isObject, type Json } from "../model/json.ts";
import { looksLikeKey } from "../secrets/key-like.ts";
import { userInfo } from "../spec/scalar.ts";

const MASK = "***";
/** Values up to this width have their places in one column. */
const PLACE_COLUMN = 56;

/** `render`: the resolved documents of a target, each value with the line it comes from; no network, secrets masked. */
export async function runRender(given: Session): Promise<CommandEnd> {
  const documents = await readSpec(given, "validate");
  const session = atPlaceOf(given, documents);
  session.print(`${documents.map(renderResolved).join("---\n")}`);
  return endWith(session, { outcome: "unchanged", changed: false });
}

/** One resolved document as YAML, a comment with file and line after each value. */
function renderResolved(desired: Desired): string {
  const { body, variables } = desired;
  const { secrets, ...rest } = body;
  const lines = [...renderHead(desired)];
  for (const [key, value] of Object.entries(rest))
    lines.push(...renderKey(desired, key, value, deploymentShape.fields.get(key), [key], ""));
  lines.push(...renderSecrets(desired, secrets, variables ?? new Set()));
  lines.push(...renderBlock(desired));
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
    .map(({ name, place }) =>
      withPlace(`  - { name: ${toScalar(name)}, value: ${toScalar(MASK)} }`, place),
    );
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
  field: Field | undefined,
  path: readonly string[],
  indent: string,
): readonly string[] {
  const name = toScalar(spellKey(key, desired.dialect));
  return renderValue(desired, value, {
    field,
    shape: field?.shape,
    path,
    indent,
    head: `${name}:`,
  });
}

interface Spot {
  readonly field: Field | undefined;
  readonly shape: Shape | undefined;
  readonly path: readonly string[];
  readonly indent: string;
  /** The prefix of the value: `key:` or `-`. */
  readonly head: string;
}

function renderValue(desired: Desired, value: Json, spot: Spot): readonly string[] {
  const { field, shape, path, indent, head } = spot;
  const place = placeWords(desired.positionOf(path.join(".")));
  const line = (text: string): string => withPlace(`${indent}${head} ${text}`, place);
  if (Array.isArray(value)) {
    if (value.length === 0) return [line("[]")];
    const item = shape?.kind === "list" ? shape.item : undefined;
    const items = (value as readonly Json[]).flatMap((one, index) =>
      renderValue(desired, one, {
        field: undefined,
        shape: item,
        path: [...path, String(index)],
        indent: `${indent}  `,
        head: "-",
      }),
    );
    return [`${indent}${head}`, ...items];
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    if (entries.length === 0) return [line("{}")];
    const inner = entries.flatMap(([key, child]) => {
      const under = shape?.kind === "struct" ? shape.fields.get(key) : undefined;
      return renderKey(desired, key, child, under, [...path, key], `${indent}  `);
    });
    // The first key of an item follows its dash.
    if (head === "-") return [`${indent}- ${inner[0]!.trimStart()}`, ...inner.slice(1)];
    return [`${indent}${head}`, ...inner];
  }
  return [line(toScalar(toShownScalar(desired, value, field)))];
}

function toShownScalar(desired: Desired, value: Json, field: Field | undefined): Json {
  if (typeof value !== "string") return value;
  if (field?.path === "source") return spellSource(value, desired.dialect);
  if (field?.meta.sensitive === "value") return MASK;
  if (field?.meta.sensitive !== "user-info") return value;
  const [info] = userInfo(value);
  return info === undefined ? value : value.replace(info, () => MASK);
}

/** A scalar as YAML takes it; JSON is YAML, so that quotes are only left out where no reader could be misled. */
function toScalar(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const plain = /^[A-Za-z][A-Za-z0-9_./@-]*(?::\/\/[A-Za-z0-9_./@-]+)?$/u.test(value);
  const word = /^(?:true|false|null|yes|no|on|off|y|n)$/iu.test(value);
  return plain && !word ? value : JSON.stringify(value);
}
