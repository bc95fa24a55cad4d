import { isObject } from "../model/json.ts";
import { C_IDENTIFIER, IDENTIFIER_ADVICE } from "../model/name-rules.ts";
import { UNKNOWN } from "../model/rule-input.ts";
import { isPastedKey } from "../secrets/key-like.ts";
import { filledText, interpolate, variableOf } from "./interpolation.ts";
import {
  type Reading,
  type Spot,
  addDiagnostic,
  addMissing,
  maskNode,
  maskRefused,
  movePaths,
  noteVariable,
  under,
} from "./reading.ts";
import { endsInLineBreak, LINE_BREAK, readText } from "./scalar.ts";
import {
  entryOf,
  isNullNode,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from "./yaml-node.ts";

/** The value of an optional secret whose variable is unset or empty in this run. */
const LEFT_OUT: unique symbol = Symbol("left out");

/**
 * Takes the optional secrets that are not set in this run out of a body, once the rules have seen
 * every name, and returns their names. Those that follow move up.
 */
export function dropLeftOut(reading: Reading, body: Readonly<Record<string, unknown>>) {
  const listed: readonly unknown[] = Array.isArray(body["secrets"]) ? body["secrets"] : [];
  const isLeft = (item: unknown) => isObject(item) && item["value"] === LEFT_OUT;
  const secrets = listed.filter((item) => !isLeft(item));
  const names = listed.filter(isLeft).map((item) => (item as { readonly name: unknown }).name);
  const leftOut = new Set(names.filter((name) => typeof name === "string"));
  if (names.length === 0) return { body, leftOut };
  movePaths(reading, (path) => {
    const [whole, index] = /^secrets\.(\d+)(?![^.])/u.exec(path) ?? [];
    if (whole === undefined) return path;
    const at = secrets.indexOf(listed[Number(index)]);
    return at < 0 ? undefined : `secrets.${at}${path.slice(whole.length)}`;
  });
  return { body: { ...body, secrets }, leftOut };
}

/** Reads one item of `secrets`: a name or an entry. `readAll` reads the item by its shape. */
export function readSecret(
  reading: Reading,
  item: YamlNode,
  spot: Spot,
  readAll: (node: YamlNode) => unknown,
): unknown {
  if (item.kind === "map") return readEntry(reading, item, spot, readAll as ReadEntry);
  return item.kind === "scalar" && typeof item.value === "string"
    ? readNamed(reading, item, spot)
    : readAll(item);
}

/** Text in place of a name may be the secret itself: it is masked and never repeated. */
function isRefused(reading: Reading, node: YamlScalar, spot: Spot): boolean {
  const filled = interpolate(String(node.value), reading);
  const text = filled.text ?? String(node.value).replaceAll(/\$\{[^}]*\}/gu, "A");
  const isName = C_IDENTIFIER.test(text);
  const isPasted = isName && isPastedKey(text) && !Object.hasOwn(reading.env, text);
  if (isName && !isPasted) return false;
  const assigned = /^[^=:]*[=:]\s*(.*)$/su.exec(text)?.[1];
  maskRefused(reading, [text, ...(assigned === undefined ? [] : [assigned]), ...filled.taken]);
  addDiagnostic(reading, spot, wrongName(text, isPasted));
  return true;
}

function wrongName(text: string, isPasted: boolean): string {
  if (isPasted)
    return "looks like the secret itself; write the name of the environment variable that holds it";
  return /^[A-Za-z_][A-Za-z0-9_]*=/u.test(text)
    ? "a secret is never written as NAME=value; write only the name, and set an environment variable of that name"
    : `is not a valid environment variable name; ${IDENTIFIER_ADVICE}`;
}

/** `- NAME`: the secret NAME takes the value of the environment variable NAME. */
function readNamed(reading: Reading, node: YamlScalar, spot: Spot): unknown {
  for (const path of [spot.path, `${spot.path}.name`, `${spot.path}.value`])
    reading.marks.set(path, spot);
  if (!isRefused(reading, node, spot)) {
    const name = readText(reading, node, spot);
    return { name, value: readVariable(reading, spot, `${spot.path}.value`, name) };
  }
  return { name: UNKNOWN, value: UNKNOWN };
}

function readVariable(
  reading: Reading,
  spot: Spot,
  valuePath: string,
  variable: unknown,
): string | typeof UNKNOWN {
  if (typeof variable !== "string" || !reading.trusted) return UNKNOWN;
  noteVariable(reading, variable, valuePath);
  const value = variableOf(reading, variable);
  if (value !== undefined && value !== "") {
    reading.sensitiveValues.push(value);
    if (endsInLineBreak(value)) addDiagnostic(reading, spot, LINE_BREAK, { level: "warning" });
    return value;
  }
  const other = spot.written.endsWith(".from")
    ? "name another variable here"
    : `write { name: ${variable}, value: "\${OTHER_NAME}" }`;
  const message =
    value === undefined
      ? `the environment variable ${variable} is not set; set it in the environment of this step (or pass --env-file FILE on the command line), or ${other}`
      : `the environment variable ${variable} is empty, which is what GitHub gives for a secret that does not exist; create it and pass it to this step, or write value: "\${${variable}:-}"`;
  addDiagnostic(reading, spot, message, { level: reading.mode === "apply" ? "error" : "warning" });
  return UNKNOWN;
}

/** Reads a mapping by the shape of an entry. */
type ReadEntry = (node: YamlMap) => Readonly<Record<string, unknown>>;

const BLANK_VALUE =
  'write "${NAME}" with the variable that holds the secret, or "${NAME:-}" where empty is meant';
const BLANK_FROM = "write the name of the variable that holds the secret, or remove from";

/** `{ name, value }`, `{ name, from }` or `{ name, optional }`. */
function readEntry(reading: Reading, node: YamlMap, spot: Spot, readAll: ReadEntry): unknown {
  const [name, value, from, optional] = ["name", "value", "from", "optional"].map((key) =>
    entryOf(node, key),
  );
  for (const [entry, advice] of [[value, BLANK_VALUE] as const, [from, BLANK_FROM] as const])
    if (entry !== undefined && isNullNode(entry.value))
      addDiagnostic(reading, under(spot, entry), `must not be blank; ${advice}`);
  const isOptional = filledText(optional, reading)?.toLowerCase() === "true";
  if (from?.value.kind === "scalar") {
    const place = under(spot, from);
    if (value !== undefined) {
      const message = "is written together with value; keep the one that is meant";
      addDiagnostic(reading, place, message, { at: from.keyAt });
    }
    if (isRefused(reading, from.value, place))
      return toSent(readAll(leaving(node, "from")), UNKNOWN);
  } else if (from !== undefined) maskNode(reading, from.value);
  if (isOptional && holdsNothing(reading, name, value, from))
    return toSent(readAll(leaving(node, "value")), LEFT_OUT);
  const read = readAll(node);
  if (value !== undefined) return toSent(read, read["value"]);
  // `optional: false`, as a target may say, takes the variable of that name too.
  const source = from ?? (optional === undefined ? undefined : name);
  if (source === undefined) {
    addMissing(
      reading,
      spot,
      "value",
      "is required; add value, or write just the name as text to take the environment variable of that name",
    );
    return toSent(read, UNKNOWN);
  }
  const place = { ...under(spot, source), path: `${spot.path}.value` };
  reading.marks.set(place.path, place);
  const variable =
    source.value.kind === "scalar" ? read[from === undefined ? "name" : "from"] : undefined;
  return toSent(read, readVariable(reading, place, place.path, variable));
}

function toSent(
  { from: _from, optional: _optional, ...sent }: Readonly<Record<string, unknown>>,
  value: unknown,
): unknown {
  return { ...sent, value };
}

const leaving = (node: YamlMap, key: string): YamlMap => ({
  ...node,
  entries: node.entries.filter((entry) => entry.key !== key),
});

/** Whether the variable of an entry is unset or empty; always false for an untrusted spec. */
function holdsNothing(
  reading: Reading,
  name: YamlEntry | undefined,
  value: YamlEntry | undefined,
  from: YamlEntry | undefined,
): boolean {
  if (!reading.trusted) return false;
  if (value === undefined) {
    const variable = filledText(from ?? name, reading);
    return variable !== undefined && (variableOf(reading, variable) ?? "") === "";
  }
  if (value.value.kind !== "scalar" || typeof value.value.value !== "string") return false;
  const filled = interpolate(value.value.value, reading);
  const isUnset = filled.faults.length > 0 && filled.faults.every(({ kind }) => kind === "unset");
  return filled.references.length > 0 && (isUnset || filled.text === "");
}
