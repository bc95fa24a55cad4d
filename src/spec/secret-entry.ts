import { C_IDENTIFIER, IDENTIFIER_ADVICE } from "../model/name-rules.ts";
import { UNKNOWN } from "../model/rule-input.ts";
import { isPastedKey } from "../secrets/key-like.ts";
import { interpolate } from "./interpolation.ts";
import {
  type Reading,
  type Spot,
  addDiagnostic,
  addMissing,
  maskNode,
  maskRefused,
  noteVariable,
  under,
} from "./reading.ts";
import { endsInLineBreak, LINE_BREAK, readText } from "./scalar.ts";
import type { YamlMap, YamlNode, YamlScalar } from "./yaml-node.ts";

/** Marks an optional secret whose variable is empty here: it is not an entry of the list. */
export const LEFT_OUT: unique symbol = Symbol("left out");

/** What is written in place of a name may be the secret itself: it is masked, and not repeated. */
function refuseNamedSecret(
  reading: Reading,
  node: YamlScalar,
  spot: Spot,
): typeof UNKNOWN | undefined {
  const filled = interpolate(String(node.value), reading.env, reading.trusted);
  const text = filled.text ?? String(node.value).replaceAll(/\$\{[^}]*\}/gu, "A");
  const isName = C_IDENTIFIER.test(text);
  const isPasted = isName && isPastedKey(text) && !Object.hasOwn(reading.env, text);
  if (isName && !isPasted) return undefined;
  const assigned = /^[^=:]*[=:]\s*(.*)$/su.exec(text)?.[1];
  maskRefused(reading, [text, ...(assigned === undefined ? [] : [assigned]), ...filled.taken]);
  reading.unknown.add(`${spot.path}.value`);
  return addDiagnostic(reading, node.at, spot, wrongName(text, isPasted));
}

function wrongName(text: string, isPasted: boolean): string {
  if (isPasted)
    return "looks like the secret itself; write the name of the environment variable that holds it";
  return /^[A-Za-z_][A-Za-z0-9_]*=/u.test(text)
    ? "a secret is never written as NAME=value; write only the name, and set an environment variable of that name"
    : `is not a valid environment variable name; ${IDENTIFIER_ADVICE}`;
}

/** `- NAME`: the secret NAME with the value of the environment variable NAME. */
export function readNamedSecret(reading: Reading, node: YamlScalar, spot: Spot): unknown {
  const mark = { written: spot.written, key: node.at, value: node.at };
  for (const path of [spot.path, `${spot.path}.name`, `${spot.path}.value`])
    reading.marks.set(path, mark);
  const refused = refuseNamedSecret(reading, node, spot);
  if (refused !== undefined) return { name: UNKNOWN, value: UNKNOWN };
  const name = readText(reading, node, spot);
  return { name, value: readVariable(reading, node, spot, name) };
}

/** The value of the environment variable that a secret takes its value from. */
function readVariable(
  reading: Reading,
  node: YamlScalar,
  spot: Spot,
  variable: string | typeof UNKNOWN,
): string | typeof UNKNOWN {
  const valuePath = `${spot.path}.value`;
  if (typeof variable !== "string" || !reading.trusted) {
    reading.unknown.add(valuePath);
    return UNKNOWN;
  }
  noteVariable(reading, variable, valuePath);
  const value = variableOf(reading, variable);
  if (value !== undefined && value !== "") {
    reading.sensitiveValues.push(value);
    if (endsInLineBreak(value)) addDiagnostic(reading, node.at, spot, LINE_BREAK, "warning");
    return value;
  }
  const other = `value: "\${${variable}:-}"`;
  addDiagnostic(
    reading,
    node.at,
    spot,
    value === undefined
      ? `the environment variable ${variable} is not set; set it in the environment of this step, or write { name: ${variable}, value: "\${OTHER_NAME}" }`
      : `the environment variable ${variable} is empty, which is what GitHub gives for a secret that does not exist; create it and pass it to this step, or write ${other}`,
    reading.mode === "apply" ? "error" : "warning",
  );
  reading.unknown.add(valuePath);
  return UNKNOWN;
}

const variableOf = ({ env }: Reading, variable: string): string | undefined =>
  Object.hasOwn(env, variable) ? env[variable] : undefined;

type Entry = YamlMap["entries"][number];

/**
 * `{ name, value }`, `{ name, from }` or `{ name, optional: true }`; LEFT_OUT where it is optional
 * and its variable holds nothing. `readAll` reads the entry by its shape.
 */
export function readSecretEntry(
  reading: Reading,
  node: YamlMap,
  spot: Spot,
  readAll: (node: YamlMap) => unknown,
): unknown {
  const entry = (key: string): Entry | undefined => node.entries.find((one) => one.key === key);
  const [name, value, from] = [entry("name"), entry("value"), entry("from")];
  const isOptional = isTrue(reading, entry("optional"));
  if (from?.value.kind === "scalar") {
    const place = under(spot, "from", "from", from.keyAt, undefined);
    if (value !== undefined)
      addDiagnostic(
        reading,
        from.keyAt,
        place,
        "is written together with value; keep the one that is meant",
      );
    if (refuseNamedSecret(reading, from.value, { ...place, path: spot.path }) !== undefined)
      return { ...without(readAll(leaving(node, "from"))), value: UNKNOWN };
  } else if (from !== undefined) maskNode(reading, from.value);
  if (isOptional && holdsNothing(reading, name, value, from)) {
    noteLeftOut(reading, name);
    readAll(leaving(node, "value"));
    return LEFT_OUT;
  }
  const read = readAll(node);
  if (value !== undefined) return without(read);
  const source = from ?? (isOptional ? name : undefined);
  if (source === undefined) {
    addMissing(
      reading,
      under(spot, "value", "value", spot.key, undefined),
      "is required; add value, or write just the name as text to take the environment variable of that name",
    );
    return { ...without(read), value: UNKNOWN };
  }
  const variable = (read as Readonly<Record<string, unknown>>)[
    from === undefined ? "name" : "from"
  ];
  reading.marks.set(`${spot.path}.value`, {
    written: `${spot.written}.${source.key}`,
    key: source.keyAt,
    value: source.value.at,
  });
  if (source.value.kind !== "scalar" || typeof variable !== "string") {
    reading.unknown.add(`${spot.path}.value`);
    return { ...without(read), value: UNKNOWN };
  }
  const at = { ...spot, written: `${spot.written}.${source.key}` };
  return { ...without(read), value: readVariable(reading, source.value, at, variable) };
}

/** The entry as it is sent. */
function without(read: unknown): Readonly<Record<string, unknown>> {
  const { from: _from, optional: _optional, ...sent } = read as Readonly<Record<string, unknown>>;
  return sent;
}

const leaving = (node: YamlMap, key: string): YamlMap => ({
  ...node,
  entries: node.entries.filter((entry) => entry.key !== key),
});

function textOf(reading: Reading, node: YamlNode | undefined): string | undefined {
  if (node?.kind !== "scalar" || node.value === null) return undefined;
  return interpolate(String(node.value), reading.env, reading.trusted).text;
}

const isTrue = (reading: Reading, entry: Entry | undefined): boolean =>
  textOf(reading, entry?.value)?.toLowerCase() === "true";

/**
 * Whether the variable that an entry takes its value from is unset or empty; of a spec that is not
 * trusted nobody knows.
 */
function holdsNothing(
  reading: Reading,
  name: Entry | undefined,
  value: Entry | undefined,
  from: Entry | undefined,
): boolean {
  if (!reading.trusted) return false;
  if (value === undefined) {
    const variable = textOf(reading, (from ?? name)?.value);
    return variable !== undefined && (variableOf(reading, variable) ?? "") === "";
  }
  if (value.value.kind !== "scalar" || typeof value.value.value !== "string") return false;
  const filled = interpolate(value.value.value, reading.env, reading.trusted);
  const isUnset = filled.faults.length > 0 && filled.faults.every(({ kind }) => kind === "unset");
  return filled.references.length > 0 && (isUnset || filled.text === "");
}

function noteLeftOut(reading: Reading, name: Entry | undefined): void {
  const text = textOf(reading, name?.value);
  if (text !== undefined && C_IDENTIFIER.test(text)) reading.leftOut.add(text);
}
