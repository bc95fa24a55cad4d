import { isSecretVariable } from "../secrets/key-like.ts";
import type { YamlEntry } from "./yaml-node.ts";

/** The environment that values come from; passed in, never read here. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the values of `${…}` come from. */
export interface Filling {
  readonly env: Environment;
  /** False on an untrusted pull request: every reference is refused. */
  readonly trusted: boolean;
}

/** How a run treats missing variables: `validate` and `plan` only warn. */
export type SpecMode = "apply" | "plan" | "validate";

/** One `${…}`: its variable, and what to do if that is unset or empty. */
export interface Reference {
  readonly name: string;
  readonly operator: "" | ":-" | ":?";
  /** The default or the message. */
  readonly operand: string;
  /** As written, to find its position in the file. */
  readonly written: string;
}

/** A string scalar after interpolation. */
export interface Interpolated {
  /** The text; undefined if a reference has no value or is malformed. */
  readonly text: string | undefined;
  /**
   * What to show instead if a variable's name suggests a secret: `${NAME}` stays in place of its
   * value, and a default is shown. Undefined: there is no such variable.
   */
  readonly shown: string | undefined;
  /** The scalar is a single `${…}`, so it takes the type of its field. */
  readonly whole: boolean;
  /** Every `${…}` in it, in order. */
  readonly references: readonly Reference[];
  /** It has a `:-`, so an empty result is intended. */
  readonly mayBeEmpty: boolean;
  /** Environment values that the text contains. */
  readonly taken: readonly string[];
  /** One sentence for each reference without a value (the first 20) and for bad syntax. */
  readonly faults: readonly {
    readonly kind: "unset" | "malformed" | "refused";
    readonly message: string;
    readonly written: string;
  }[];
}

const MAX_FAULTS = 20;
/** `$${` is a literal `${`; any other `${` begins a reference or is malformed. */
const TOKEN = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?:(:-|:\?)([^}]*))?\})?/gu;

/** Fills in a string scalar from the environment. A value stays text and cannot add YAML. */
export function interpolate(text: string, filling: Filling): Interpolated {
  const references: Reference[] = [];
  const taken: string[] = [];
  const faults = new Map<string, Interpolated["faults"][number]>();
  let [filled, shown, end] = ["", "", 0];
  const add = (piece: string, asShown = piece): void => {
    filled += piece;
    shown += asShown;
  };
  for (const { 0: written, 1: name, 2: operator = "", 3: operand = "", index } of text.matchAll(
    TOKEN,
  )) {
    add(text.slice(end, index));
    end = index + written.length;
    if (written === "$${") {
      add("${");
      continue;
    }
    if (name === undefined || operand.includes("${"))
      return malformed(text.slice(index), name !== undefined);
    const reference = { name, operator: operator as Reference["operator"], operand, written };
    references.push(reference);
    const value = fill(reference, filling);
    if ("fault" in value) faults.set(written, value.fault);
    const { text: piece = "", isDefault } = "fault" in value ? {} : value;
    if (piece !== "" && isDefault !== true) taken.push(piece);
    add(piece, isSecretVariable(name) && isDefault !== true ? `\${${name}}` : piece);
  }
  add(text.slice(end));
  return {
    text: faults.size > 0 ? undefined : filled,
    shown: references.some(({ name }) => isSecretVariable(name)) ? shown : undefined,
    whole: references[0]?.written === text,
    references,
    mayBeEmpty: references.some((reference) => reference.operator === ":-"),
    taken,
    faults: [...faults.values()].slice(0, MAX_FAULTS),
  };
}

/** The text of an entry's single value, filled in; undefined for anything else, and where a reference has no value. */
export function filledText(entry: YamlEntry | undefined, filling: Filling): string | undefined {
  const node = entry?.value;
  if (node?.kind !== "scalar" || node.value === null) return undefined;
  return interpolate(String(node.value), filling).text;
}

/** The value of an environment variable; undefined if it is not set. */
export const variableOf = ({ env }: Filling, name: string): string | undefined =>
  Object.hasOwn(env, name) ? env[name] : undefined;

function malformed(rest: string, nested: boolean): Interpolated {
  const [, name = "NAME"] =
    /^\$\{\{\s*(?:secrets|vars|env|inputs)\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/u.exec(rest) ?? [];
  const problem = nested
    ? "a default or message holds another ${; write a plain text there"
    : describeMalformed(rest, rest.indexOf("}"));
  const message = rest.startsWith("${{")
    ? `GitHub expressions are not evaluated in a spec; pass the value in the step's env: as ${name}, and write \${${name}} here`
    : `${problem}; write \${NAME}, \${NAME:-default} or \${NAME:?message}, or $\${ for a literal \${`;
  return {
    text: undefined,
    shown: undefined,
    whole: false,
    references: [],
    mayBeEmpty: false,
    taken: [],
    faults: [{ kind: "malformed", message, written: "${" }],
  };
}

/** Resolves one reference: its text, which may be the default, or why there is none. */
function fill(
  { name, operator, operand, written }: Reference,
  filling: Filling,
):
  | { readonly text: string; readonly isDefault: boolean }
  | { readonly fault: Interpolated["faults"][number] } {
  if (!filling.trusted) {
    const message = `\${${name}} is refused, since this run may read the spec of an untrusted pull request and a value would hand it the job's environment; write the value itself, or run from a trusted event`;
    return { fault: { kind: "refused", written, message } };
  }
  const value = variableOf(filling, name);
  if (value !== undefined && (value !== "" || operator === ""))
    return { text: value, isDefault: false };
  if (operator === ":-") return { text: operand, isDefault: true };
  const own = operand === "" ? "it is required; set it in the environment of this step" : operand;
  const message =
    operator === ":?"
      ? `the environment variable ${name} is ${value === undefined ? "not set" : "empty"}: ${own}`
      : `the environment variable ${name} is not set; set it in the environment of this step, write \${${name}:-default}, or $\${${name}} where the text itself is meant`;
  return { fault: { kind: "unset", written, message } };
}

/** Describes a malformed reference; `close` is the index of its `}`. */
function describeMalformed(rest: string, close: number): string {
  if (close < 0) return "a ${ is not closed";
  if (close === 2) return "${} names no variable";
  return /^\$\{[A-Za-z_][A-Za-z0-9_]*[^A-Za-z0-9_}]/u.test(rest)
    ? "a ${…} uses an operator other than :- and :?"
    : "a ${…} does not hold the name of an environment variable";
}
