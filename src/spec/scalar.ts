import { C_IDENTIFIER } from "../model/name-rules.ts";
import { UNKNOWN } from "../model/rule-input.ts";
import type { Field, Shape } from "../model/field-shape.ts";
import { spellKey, spellSource, type Dialect } from "../model/dialect.ts";
import { userInfoOf, withoutUserInfo } from "../model/user-info.ts";
import { unescapeUrl } from "../secrets/encodings.ts";
import type { Diagnostic } from "./desired.ts";
import { interpolate, type Interpolated } from "./interpolation.ts";
import { nearestWord } from "./suggestion.ts";
import type { YamlNode, YamlScalar } from "./yaml-node.ts";
import {
  type Reading,
  type Spot,
  addDiagnostic,
  maskRefused,
  maskNode,
  noteVariable,
} from "./reading.ts";
import { UUID } from "../model/live.ts";

type Scalar = Extract<Shape, { kind: "scalar" }>;

/** The shape of what is free text. */
export const TEXT: Shape = { kind: "scalar", type: "string" };

/** Most often the value was read from a file together with its last line break. */
export const endsInLineBreak = (value: string): boolean => /[\r\n]$/u.test(value);

/** What to do about a trailing line break. */
export const LINE_BREAK =
  "the value ends in a line break, a common mistake with echo secret | gh secret set; set it with printf %s, or remove the line break where it is not meant";

/** Warns of likely mistakes in a value that is never shown; no message repeats any of it. */
function warnOfSensitive(
  reading: Reading,
  written: string,
  filled: Interpolated & { readonly text: string },
  spot: Spot,
): void {
  const { sensitive } = spot.row?.meta ?? {};
  if (sensitive === undefined) return;
  const warn = (message: string): void => {
    addDiagnostic(reading, spot, message, { level: "warning" });
  };
  const place = sensitive === "value" ? written : (userInfo(written)[0] ?? "");
  if (/(?<![$\w])\$[A-Za-z_]/u.test(place))
    warn("holds $NAME without braces, which is sent as it is; write ${NAME} for the variable");
  if (sensitive === "value" && endsInLineBreak(filled.text)) warn(LINE_BREAK);
  if (isSecretValue(spot) && filled.references.length === 0 && filled.text !== "")
    warn(
      "the secret's value is written in the spec, visible to anyone who can read the file; write ${NAME} and set that environment variable",
    );
}

const isSecretValue = ({ row }: Spot): boolean => row?.path === "secrets.value";

/** An unset variable is known after apply, except in a name: deployments are looked up by name. */
function levelOf(
  { mode }: Reading,
  kind: Interpolated["faults"][number]["kind"],
  { path }: Spot,
): Diagnostic["level"] {
  const isOpen = kind === "unset" && (mode === "validate" || (mode === "plan" && path !== "name"));
  return isOpen ? "warning" : "error";
}

/** Reads a string scalar and interpolates it; reports a problem and returns UNKNOWN if a reference has no value. */
export function readText(
  reading: Reading,
  node: YamlScalar,
  spot: Spot,
  filled = interpolate(String(node.value), reading),
): string | typeof UNKNOWN {
  noteShown(reading, node, spot, filled);
  for (const { name, operator } of filled.references)
    if (operator !== ":-") noteVariable(reading, name, spot.path);
  for (const { kind, message, written } of filled.faults) {
    const shell = spot.path === "deploy.verify" && kind === "unset" ? " for bash to read" : "";
    const [level, at] = [levelOf(reading, kind, spot), node.locate?.(written) ?? spot.value];
    addDiagnostic(reading, spot, message + shell, { level, at });
  }
  // The whole value is one variable, and it is empty: GitHub gives that for a secret that does not exist.
  const [first] = filled.references;
  const isEmpty = filled.whole && filled.text === "" && first?.operator === "";
  if (filled.text !== undefined && (!isEmpty || isSecretValue(spot))) return filled.text;
  if (filled.text !== undefined) {
    const message = `the environment variable ${first!.name} is empty; set it in the environment of this step, or write \${${first!.name}:-} where empty is meant`;
    addDiagnostic(reading, spot, message, { level: levelOf(reading, "unset", spot) });
  }
  return UNKNOWN;
}

/**
 * Records how to show a text that a secret's variable fills in, unless words or nothing are shown
 * for that part of it.
 */
function noteShown(
  reading: Reading,
  node: YamlScalar,
  { path, row }: Spot,
  filled: Interpolated,
): void {
  const sensitive = row?.meta.sensitive;
  if (filled.shown === undefined || sensitive === "value") return;
  const { shown } =
    sensitive === "user-info" ? interpolate(withoutUserInfo(String(node.value)), reading) : filled;
  if (shown !== undefined) reading.shown.set(path, shown);
}

/** Reads a value as its type requires, with references resolved; UNKNOWN if it is wrong or not known yet. */
export function readScalar(reading: Reading, node: YamlScalar, shape: Scalar, spot: Spot): unknown {
  const { value } = node;
  if (typeof value !== "string") {
    // Numbers and booleans of variables are text, kept as written.
    if (node.text !== undefined && spot.path.startsWith("variables.")) return node.text;
    const fits =
      typeof value === "boolean"
        ? shape.type === "boolean"
        : shape.type === "number" || (shape.type === "integer" && Number.isSafeInteger(value));
    return fits ? value : refuseType(reading, node, shape, spot);
  }
  const filled = interpolate(value, reading);
  const text = readText(reading, node, spot, filled);
  if (text === UNKNOWN) return UNKNOWN;
  gatherSensitive(reading, text, filled, spot.row);
  if (spot.row?.path === "secrets.name" && !C_IDENTIFIER.test(text)) maskRefused(reading, [text]);
  warnOfSensitive(reading, value, { ...filled, text }, spot);
  if (isSecretValue(spot) && text === "" && !filled.mayBeEmpty)
    return refuseEmptySecret(reading, filled, spot);
  switch (shape.type) {
    case "string":
      return text;
    case "uuid":
      return UUID.test(text) ? text : refuseType(reading, node, shape, spot, filled);
    case "enum":
      return readChoice(reading, node, shape, spot, { ...filled, text });
    default:
      return (
        (filled.whole ? typed(text, shape.type) : undefined) ??
        refuseType(reading, node, shape, spot, filled)
      );
  }
}

function typed(text: string, type: "integer" | "number" | "boolean"): number | boolean | undefined {
  const word = text.toLowerCase();
  if (type === "boolean") return word === "true" || (word === "false" ? false : undefined);
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/iu.test(text)) return undefined;
  const value = Number(text) + 0;
  return Number.isFinite(value) && (type === "number" || Number.isSafeInteger(value))
    ? value
    : undefined;
}

function readChoice(
  reading: Reading,
  node: YamlScalar,
  shape: Extract<Scalar, { type: "enum" }>,
  spot: Spot,
  filled: Interpolated & { readonly text: string },
): unknown {
  const { text } = filled;
  const { values } = shape;
  const isSource = spot.path === "source";
  const value = isSource ? spellSource(text, "document") : text;
  if (values.includes(value)) return value;
  const known = isSource ? choicesOf(values, "document") : values;
  const near = nearestWord(text, known);
  // The hosted service keeps adding values: an unknown word is sent as it is. A source close to a
  // known one is a typo; deployments of any other are managed like those of the vendor's tools.
  const isOpen = isSource
    ? near === undefined
    : spot.row?.meta.open === true || reading.dialect === "hosted";
  if (!isOpen || spot.path.startsWith("deploy."))
    return refuseType(reading, node, shape, spot, filled, near && `did you mean ${near}?`);
  const guess = near === undefined ? "" : `; did you mean ${near}?`;
  const then = isSource
    ? ": only the secrets of such a deployment can be managed"
    : ", and is sent as it is";
  const message = `is not one of the known words ${known.join(", ")}${then}${guess}`;
  addDiagnostic(reading, spot, message, { level: "warning" });
  return text;
}

function refuseEmptySecret(
  reading: Reading,
  { references }: Interpolated,
  spot: Spot,
): string | typeof UNKNOWN {
  const name = references[0]?.name;
  const advice =
    name === undefined
      ? 'write ${NAME} with the variable that holds it, or "${NAME:-}" where empty is meant'
      : `create it and pass it to this step, or write \${${name}:-} where empty is meant`;
  const message = `the secret is empty, which is what GitHub gives for a secret that does not exist; ${advice}`;
  const isNeeded = reading.mode === "apply";
  addDiagnostic(reading, spot, message, { level: isNeeded ? "error" : "warning" });
  return isNeeded || name === undefined ? "" : UNKNOWN;
}

function gatherSensitive(
  reading: Reading,
  text: string,
  filled: Interpolated,
  row: Field | undefined,
): void {
  if (row?.meta.sensitive === "value")
    reading.sensitiveValues.push(...[text, ...filled.taken].filter((value) => value !== ""));
  if (row?.meta.sensitive === "user-info") reading.sensitiveValues.push(...userInfo(text));
}

/**
 * The `user:password` of a URL, with both forms of the password. A lone user counts only if it is
 * long enough to be a token (`git@` is not).
 */
export function userInfo(url: string): string[] {
  const info = userInfoOf(url);
  if (info === undefined || (!info.includes(":") && info.length < 8)) return [];
  const password = info.includes(":") ? info.slice(info.indexOf(":") + 1) : info;
  return [...new Set([info, password, unescapeUrl(password)])].filter((value) => value !== "");
}

/** The accepted words; source kinds in both dialects. */
function choicesOf(values: readonly string[], dialect: Dialect): readonly string[] {
  const other = dialect === "hosted" ? "document" : "hosted";
  return [
    ...new Set(
      [dialect, other].flatMap((to) => values.map((value) => spellSource(value, to as Dialect))),
    ),
  ];
}

/** Describes what a field takes. */
export function wants(shape: Shape, dialect: Dialect): string {
  switch (shape.kind) {
    case "struct":
      return `a mapping of ${shape.fields.size <= 4 ? [...shape.fields.keys()].map((key) => spellKey(key, dialect)).join(", ") : "its fields"}`;
    case "list":
      return "a list";
    case "map":
      return "a mapping of text to text";
    case "free":
      return "a mapping";
    case "scalar":
      return shape.type === "enum"
        ? `one of ${choicesOf(shape.values, dialect).join(", ")}`
        : SCALAR_WORDS[shape.type];
  }
}

const SCALAR_WORDS = {
  string: "text",
  uuid: "a UUID",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
} as const;

/**
 * Whether a value of this shape holds something that is never shown: a secret, a container's
 * variable, or a list of these.
 */
export function holdsSecret(shape: Shape): boolean {
  if (shape.kind === "list") return holdsSecret(shape.item);
  return (
    shape.kind === "struct" &&
    [...shape.fields.values()].some(({ meta }) => meta.sensitive === "value")
  );
}

function describe(node: YamlNode, isHidden: boolean, filled?: Interpolated): string {
  if (node.kind !== "scalar") return node.kind === "map" ? "a mapping" : "a list";
  const reference = filled?.references[0];
  if (reference !== undefined) return `another value from \${${reference.name}}`;
  if (isHidden)
    return node.value === ""
      ? "an empty text"
      : `a ${typeof node.value === "string" ? "text" : typeof node.value}`;
  return typeof node.value === "string"
    ? `the text ${JSON.stringify(node.value.slice(0, 40))}`
    : String(node.value);
}

const isHidden = (shape: Shape, { path, row }: Spot): boolean =>
  row?.meta.sensitive !== undefined ||
  /^secrets\b|(?:^|\.)env\.\d/u.test(path) ||
  holdsSecret(shape);

/** Reports a wrong type: what is there, what is expected and how to write it. */
export function refuseType(
  reading: Reading,
  node: YamlNode,
  shape: Shape,
  spot: Spot,
  filled?: Interpolated,
  guess?: string,
): typeof UNKNOWN {
  const wanted = wants(shape, reading.dialect);
  const hidden = isHidden(shape, spot);
  if (hidden) maskNode(reading, node);
  const advice = guess ?? adviceFor(node, shape, spot) ?? `write ${wanted}`;
  const there = describe(node, hidden, filled);
  return addDiagnostic(reading, spot, `takes ${wanted}, got ${there}; ${advice}`);
}

/** What to write instead, if there is more to say than the type. */
function adviceFor(node: YamlNode, shape: Shape, spot: Spot): string | undefined {
  if (spot.path === "secrets") return "write the names, each after a dash: - OPENAI_API_KEY";
  if (spot.path === "deploy.timeout") return "write 500ms, 90s, 30m or 1h";
  if (shape.kind !== "scalar" || node.kind !== "scalar") return undefined;
  const { type } = shape;
  if (type === "string") return "put it in quotes";
  if (type !== "integer" && type !== "number" && type !== "boolean") return undefined;
  const isBare = typeof node.value === "string" && typed(node.value, type) !== undefined;
  return isBare ? "write it without quotes" : undefined;
}
