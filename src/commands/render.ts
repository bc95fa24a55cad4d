import { renderDuration } from "../duration.ts";
import { spellKey, spellSource } from "../model/dialect.ts";
import { fieldAt } from "../model/shape.ts";
import { endWith } from "../ci/report-assembly.ts";
import { atPlaceOf } from "./place.ts";
import type { Session } from "../ci/session.ts";
import { readSpec } from "../ci/spec-source.ts";
import { KNOWN_AT_APPLY, type Desired, type Position } from "../spec/desired.ts";
import type { Json } from "../model/json.ts";
import { withReferences } from "../plan/references.ts";
import { describeLeftOut } from "../plan/secrets.ts";
import type { JudgedReport } from "../report/report.ts";
import { looksLikeKey } from "../secrets/key-like.ts";
import { userInfo } from "../spec/scalar.ts";

const MASK = "***";
/** Positions of values up to this width share a column. */
const PLACE_COLUMN = 56;

/** `render`: the resolved documents of a target, each value with its source line; no network, secrets masked. */
export async function runRender(given: Session): Promise<JudgedReport> {
  const documents = await readSpec(given, "validate");
  const session = atPlaceOf(given, documents);
  session.print(`${documents.map(renderResolved).join("---\n")}`);
  return endWith(session, { outcome: "unchanged", changed: false });
}

function renderResolved(desired: Desired): string {
  const { secrets, ...rest } = desired.body;
  const lines = [
    ...renderHead(desired),
    ...Object.entries(rest).flatMap(([key, value]) => renderValue(desired, [key], value)),
    ...renderSecrets(desired, secrets),
    ...describeLeftOut(desired, undefined).map((note) => `# ${note}`),
    ...renderBlock(desired),
  ];
  return `${lines.join("\n")}\n`;
}

function renderHead({ target }: Desired): readonly string[] {
  if (target === undefined) return [];
  const places = Object.entries(target.shown).map(([key, value]) =>
    withPlace(`# ${key}: ${toScalar(value)}`, placeWords(target.lines[key]!)),
  );
  return [withPlace(`# target: ${toScalar(target.name)}`, placeWords(target.at)), ...places];
}

const placeWords = ({ file, line }: Position): string => `${file}:${line}`;

const withPlace = (text: string, place: string): string =>
  `${text.padEnd(PLACE_COLUMN)} # ${place}`;

/** The service's one list, as it is written in a spec: secrets masked, variables by value. */
function renderSecrets(
  { positionOf, variables, shown: texts }: Desired,
  secrets: Json | undefined,
): readonly string[] {
  if (!Array.isArray(secrets)) return secrets === undefined ? [] : ["secrets: null"];
  const hidden: string[] = [];
  const shown: string[] = [];
  for (const [index, { name, value }] of (
    secrets as readonly { readonly name: string; readonly value: string }[]
  ).entries()) {
    const place = placeWords(positionOf(`secrets.${index}`));
    const isVariable = variables?.has(name) === true;
    const asShown = withReferences(value, { path: `variables.${name}`, shown: texts });
    const isMasked = isVariable ? looksLikeKey(String(asShown)) : value !== KNOWN_AT_APPLY;
    const text = toScalar(isMasked ? MASK : asShown);
    if (isVariable) shown.push(withPlace(`  ${toScalar(name)}: ${text}`, place));
    else hidden.push(withPlace(`  - { name: ${toScalar(name)}, value: ${text} }`, place));
  }
  if (hidden.length === 0 && shown.length === 0) return ["secrets: []"];
  return [
    ...(hidden.length === 0 ? [] : ["secrets:", ...hidden]),
    ...(shown.length === 0 ? [] : ["variables:", ...shown]),
  ];
}

/** The `deploy:` block with its defaults. */
function renderBlock({ deploy, positionOf, shown }: Desired): readonly string[] {
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
    const asShown = withReferences(value, { path: `deploy.${key}`, shown });
    const list = Array.isArray(asShown)
      ? `[${asShown.map(toScalar).join(", ")}]`
      : toScalar(asShown);
    return withPlace(`  ${key}: ${list}`, written ? placeWords(at) : "default");
  });
  return ["deploy:", ...lines];
}

/** The lines of a value, two spaces deeper with each step of its path. */
function renderValue(
  desired: Desired,
  path: readonly (string | number)[],
  value: Json,
): readonly string[] {
  const key = path.at(-1)!;
  const isItem = typeof key === "number";
  const head = `${"  ".repeat(path.length - 1)}${isItem ? "-" : `${toScalar(spellKey(key, desired.dialect))}:`}`;
  const line = (text: string): string =>
    withPlace(`${head} ${text}`, placeWords(desired.positionOf(path.join("."))));
  if (typeof value !== "object" || value === null)
    return [line(toScalar(toShown(desired, path, value)))];
  const isList = Array.isArray(value);
  const inner = Object.entries(value).flatMap(([name, child]) =>
    renderValue(desired, [...path, isList ? Number(name) : name], child as Json),
  );
  if (inner.length === 0) return [line(isList ? "[]" : "{}")];
  // The first key of an item follows its dash.
  return isItem && !isList
    ? [`${head} ${inner[0]!.trimStart()}`, ...inner.slice(1)]
    : [head, ...inner];
}

/** A value as shown: secrets masked, the source spelled as in the document. */
function toShown(desired: Desired, path: readonly (string | number)[], wanted: Json): Json {
  const value = withReferences(wanted, { path: path.join("."), shown: desired.shown });
  if (typeof value !== "string") return value;
  if (path[0] === "source") return spellSource(value, desired.dialect);
  const sensitive = fieldAt(path)?.meta.sensitive;
  if (sensitive === "value") return MASK;
  const [info] = sensitive === "user-info" ? userInfo(value) : [];
  return info === undefined ? value : value.replace(info, () => MASK);
}

/** A YAML scalar. JSON is YAML: quotes are left out only where nothing could misread it. */
function toScalar(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const plain = /^[A-Za-z][A-Za-z0-9_./@-]*(?::\/\/[A-Za-z0-9_./@-]+)?$/u.test(value);
  const word = /^(?:true|false|null|yes|no|on|off|y|n)$/iu.test(value);
  return plain && !word ? value : JSON.stringify(value);
}
