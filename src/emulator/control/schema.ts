import { nearestWord } from "../../spec/suggestion.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";

/**
 * What a value may be. One tree of these checks scenario files and admin bodies, and makes the
 * editor schema and the docs.
 */
export type OptionRule =
  | {
      readonly kind: "text";
      readonly pattern?: string;
      readonly what?: string;
      /** What is wrong with a text that fits the pattern; null where nothing is. */
      readonly why?: (text: string) => string | null;
    }
  | {
      readonly kind: "number";
      readonly integer?: true;
      readonly min?: number;
      readonly max?: number;
    }
  | { readonly kind: "boolean" }
  | { readonly kind: "words"; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: "list"; readonly of: OptionRule }
  | { readonly kind: "map"; readonly of: OptionRule }
  | { readonly kind: "object"; readonly fields: Fields; readonly check?: Check }
  | { readonly kind: "either"; readonly rules: readonly OptionRule[]; readonly what: string }
  | { readonly kind: "any"; readonly what: string };

/** One key: what it takes, what it does, and its default as a reader would write it. */
export interface FieldRow {
  readonly rule: OptionRule;
  readonly doc: string;
  readonly required?: true;
  readonly usual?: string;
}
/** The keys of a mapping. */
export type Fields = Readonly<Record<string, FieldRow>>;

type Required<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { readonly required: true } ? K : never]: ValueOf<
    F[K]["rule"]
  >;
};
/** What a mapping with these keys holds. */
export type ObjectOf<F extends Fields> = Required<F> & {
  readonly [K in keyof F as K extends keyof Required<F> ? never : K]?: ValueOf<F[K]["rule"]>;
};
/** What a rule takes, as a type. */
export type ValueOf<R extends OptionRule> = R extends { readonly kind: "words" }
  ? R["values"][number]
  : R extends { readonly kind: "list" }
    ? readonly ValueOf<R["of"]>[]
    : R extends { readonly kind: "map" }
      ? Readonly<Record<string, ValueOf<R["of"]>>>
      : R extends { readonly kind: "object" }
        ? ObjectOf<R["fields"]>
        : R extends { readonly kind: "either" }
          ? ValueOf<R["rules"][number]>
          : { text: string; number: number; boolean: boolean; any: Json }[Exclude<
              R["kind"],
              "words" | "list" | "map" | "object" | "either"
            >];

type Rule<K extends OptionRule["kind"]> = Extract<OptionRule, { readonly kind: K }>;
/** A text, with what it must look like. */
export const text = (more: Omit<Rule<"text">, "kind"> = {}): Rule<"text"> => ({
  kind: "text",
  ...more,
});
/** Text of any kind. */
export const TEXT = text();
/** Text that is not blank. */
export const FILLED = text({ pattern: "\\S", what: "text that is not empty" });
/** True or false. */
export const FLAG: Rule<"boolean"> = { kind: "boolean" };
/** A number within bounds. */
export const number = (more: Omit<Rule<"number">, "kind"> = {}): Rule<"number"> => ({
  kind: "number",
  ...more,
});
/** A length of time. */
export const MILLISECONDS = number({ min: 0 });
/** A whole number from 0 on. */
export const COUNT = number({ integer: true, min: 0 });
/** A whole number from 1 on. */
export const FROM_ONE = number({ integer: true, min: 1 });
/** JSON of any shape. */
export const ANY: Rule<"any"> = { kind: "any", what: "any JSON" };
/** One of some words or numbers. */
export const words = <const V extends readonly (string | number | boolean)[]>(...values: V) => ({
  kind: "words" as const,
  values,
});
/** A list of one kind of items. */
export const list = <R extends OptionRule>(of: R) => ({ kind: "list" as const, of });
/** A mapping from names that the rule does not know. */
export const map = <R extends OptionRule>(of: R) => ({ kind: "map" as const, of });
/** One of several rules, and how errors describe what it takes. */
export const either = <const R extends readonly OptionRule[]>(what: string, ...rules: R) => ({
  kind: "either" as const,
  what,
  rules,
});
/** A mapping with known keys. */
export const object = <F extends Fields>(fields: F, check?: Check) => ({
  kind: "object" as const,
  fields,
  ...(check === undefined ? {} : { check }),
});
/** A key that may be absent. */
export const row = <R extends OptionRule>(rule: R, doc: string, usual?: string | number) => ({
  rule,
  doc,
  ...(usual === undefined ? {} : { usual: String(usual) }),
});
/** A key that must be there. */
export const must = <R extends OptionRule>(rule: R, doc: string) => ({
  rule,
  doc,
  required: true as const,
});
/** Where a value is, from the top. */
export type SchemaPath = readonly (string | number)[];
/** One thing wrong; `onKey` says that the key is what is wrong, not its value. */
export interface Flaw {
  readonly path: SchemaPath;
  readonly onKey?: true;
  readonly message: string;
}
/** A rule over several keys; runs only where each key is right by itself. */
export type Check = (value: JsonObject, path: SchemaPath) => readonly Flaw[];

/** `faults[0].kind`, as a reader would write it. */
export function showPath(path: SchemaPath): string {
  return path
    .map((step, i) => {
      if (typeof step === "number") return `[${step}]`;
      return i === 0 ? step : `.${step}`;
    })
    .join("");
}

/** The end of a sentence about a word that is not known. */
export function suggest(word: string, known: readonly string[], what: string): string {
  const near = nearestWord(word, known);
  return near === undefined ? `${what} ${known.join(", ")}` : `did you mean "${near}"?`;
}

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "a mapping";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

const typeName = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a mapping" : `a ${typeof value}`;
};

/** What a rule takes, in words. */
export function describeRule(rule: OptionRule): string {
  switch (rule.kind) {
    case "text":
      return rule.what ?? "text";
    case "boolean":
      return "true or false";
    case "words":
      return rule.values.join(" | ");
    case "list":
      return `list of ${describeRule(rule.of)}`;
    case "map":
      return `mapping of names to ${describeRule(rule.of)}`;
    case "object":
      return "mapping";
    case "either":
    case "any":
      return rule.what;
    case "number": {
      const kind = rule.integer === true ? "whole number" : "number";
      if (rule.max !== undefined) return `${kind} from ${rule.min ?? 0} to ${rule.max}`;
      return rule.min === undefined ? kind : `${kind} from ${rule.min} on`;
    }
  }
}

/** Everything wrong with a value; empty where nothing is. */
export function checkRule(
  rule: OptionRule,
  value: unknown,
  path: SchemaPath = [],
): readonly Flaw[] {
  const wrong = (message: string): readonly Flaw[] => [{ path, message }];
  const expected = (): readonly Flaw[] =>
    wrong(`${typeName(value)} where it takes ${describeRule(rule)}`);
  switch (rule.kind) {
    case "any":
      return [];
    case "boolean":
      return typeof value === "boolean" ? [] : expected();
    case "text":
      if (typeof value !== "string") return expected();
      if (rule.pattern !== undefined && !new RegExp(rule.pattern, "u").test(value))
        return wrong(`${shown(value)} is not ${rule.what ?? "valid"}`);
      return [rule.why?.(value) ?? []].flat().flatMap(wrong);
    case "words":
      return checkWord(rule.values, value, path);
    case "number":
      return checkNumber(rule, value)
        ? []
        : wrong(`${shown(value)} is not a ${describeRule(rule)}`);
    case "list":
      return Array.isArray(value)
        ? value.flatMap((item, i) => checkRule(rule.of, item, [...path, i]))
        : expected();
    case "map":
      return isObject(value)
        ? Object.entries(value).flatMap(([key, item]) => checkRule(rule.of, item, [...path, key]))
        : expected();
    case "object":
      return isObject(value) ? checkFields(rule, value as JsonObject, path) : expected();
    case "either":
      return checkEither(rule, value, path);
  }
}

function checkNumber(rule: Extract<OptionRule, { kind: "number" }>, value: unknown): boolean {
  return (
    typeof value === "number" &&
    Number.isFinite(value) &&
    (rule.integer !== true || Number.isInteger(value)) &&
    value >= (rule.min ?? -Infinity) &&
    value <= (rule.max ?? Infinity)
  );
}

function checkWord(
  values: readonly (string | number | boolean)[],
  value: unknown,
  path: SchemaPath,
): readonly Flaw[] {
  if (values.includes(value as string)) return [];
  const end = suggest(String(value), values.map(String), "use one of");
  return [{ path, message: `${shown(value)} is not a valid value; ${end}` }];
}

function checkEither(
  rule: Extract<OptionRule, { kind: "either" }>,
  value: unknown,
  path: SchemaPath,
): readonly Flaw[] {
  const tried = rule.rules.map((one) => ({ one, flaws: checkRule(one, value, path) }));
  if (tried.some(({ flaws }) => flaws.length === 0)) return [];
  // The rule whose outer shape fits says more than "neither".
  const fitting = tried.find(({ one }) => one.kind === "object" && isObject(value));
  return (
    fitting?.flaws ?? [{ path, message: `${shown(value)} is not valid; it takes ${rule.what}` }]
  );
}

function checkFields(
  rule: Extract<OptionRule, { kind: "object" }>,
  value: JsonObject,
  path: SchemaPath,
): readonly Flaw[] {
  const names = Object.keys(rule.fields);
  const flaws: Flaw[] = [];
  for (const [key, item] of Object.entries(value)) {
    const at = [...path, key];
    if (!Object.hasOwn(rule.fields, key)) {
      const end =
        names.length === 0 ? "it takes no keys" : suggest(key, names, "the keys here are");
      flaws.push({ path: at, onKey: true, message: `unknown key "${key}"; ${end}` });
    } else if (item !== undefined && item !== null)
      flaws.push(...checkRule(rule.fields[key]!.rule, item, at));
  }
  for (const [name, field] of Object.entries(rule.fields)) {
    if (field.required === true && (value[name] ?? null) === null)
      flaws.push({
        path,
        message: `the key "${name}" is missing; it takes ${describeRule(field.rule)}`,
      });
  }
  return flaws.length === 0 ? (rule.check?.(value, path) ?? []) : flaws;
}

/** The rule as JSON Schema (draft 2020-12). */
export function toSchema(rule: OptionRule): JsonObject {
  switch (rule.kind) {
    case "any":
      return {};
    case "boolean":
      return { type: "boolean" };
    case "text":
      return { type: "string", ...(rule.pattern === undefined ? {} : { pattern: rule.pattern }) };
    case "words":
      return { enum: rule.values };
    case "number":
      return {
        type: rule.integer === true ? "integer" : "number",
        ...(rule.min === undefined ? {} : { minimum: rule.min }),
        ...(rule.max === undefined ? {} : { maximum: rule.max }),
      };
    case "list":
      return { type: "array", items: toSchema(rule.of) };
    case "map":
      return { type: "object", additionalProperties: toSchema(rule.of) };
    case "either":
      return { anyOf: rule.rules.map(toSchema) };
    case "object": {
      const required = Object.entries(rule.fields).filter(([, field]) => field.required === true);
      return {
        type: "object",
        additionalProperties: false,
        ...(required.length === 0 ? {} : { required: required.map(([name]) => name) }),
        properties: Object.fromEntries(
          Object.entries(rule.fields).map(([name, field]) => [
            name,
            { ...toSchema(field.rule), description: field.doc },
          ]),
        ),
      };
    }
  }
}
