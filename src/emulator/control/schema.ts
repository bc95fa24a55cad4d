import { nearestWord } from "../../spec/suggestion.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";

/** Why a request is refused, as the service says it: pydantic's type and message. */
type Pydantic = readonly [type: string, msg: string];

/**
 * What a value may be. One tree of these checks scenario files, admin bodies and the requests of the
 * service, and makes the editor schema, the docs and the OpenAPI.
 */
export type OptionRule =
  | {
      readonly kind: "text";
      readonly pattern?: string;
      /** What JSON Schema calls texts of that pattern. */
      readonly format?: "uuid";
      readonly what?: string;
      /** What is wrong with a text that fits the pattern; null where nothing is. */
      readonly why?: (text: string) => string | null;
      /** How the service refuses what is no text, and a text that does not fit. */
      readonly refused?: readonly [noText: Pydantic, noFit: Pydantic];
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
  | {
      readonly kind: "object";
      readonly fields: Fields;
      readonly check?: Check;
      /** Other keys are allowed, as the service does. */
      readonly open?: true;
    }
  | { readonly kind: "either"; readonly rules: readonly OptionRule[]; readonly what: string }
  | {
      readonly kind: "any";
      readonly what: string;
      /** What the service refuses, where no rule says it, and how its OpenAPI describes the rest. */
      readonly refuses?: (value: Json) => Pydantic | null;
      readonly schema?: JsonObject;
    };

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
/** A uuid, in any case. */
export const ID = text({
  pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
  what: "a uuid",
  format: "uuid",
  refused: [
    ["uuid_type", "UUID input should be a string, bytes or UUID object"],
    ["uuid_parsing", "Input should be a valid UUID"],
  ],
});
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
/** A mapping of a request: a key that ends with `!` must be there, and others are allowed. */
export const body = (keys: Readonly<Record<string, OptionRule>>): Rule<"object"> => ({
  kind: "object",
  open: true,
  fields: Object.fromEntries(
    Object.entries(keys).map(([key, rule]) => {
      const name = key.replace(/!$/, "");
      return [name, name === key ? row(rule, "") : must(rule, "")];
    }),
  ),
});
/** What only a test of its own can say of a request. */
export const special = (
  schema: JsonObject,
  refuses: NonNullable<Rule<"any">["refuses"]>,
): Rule<"any"> => ({ kind: "any", what: "any JSON", schema, refuses });
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
  /** The same as the service says it: what and, below the path, which key is missing. */
  readonly refused?: Pydantic;
  readonly missing?: string;
  readonly input?: unknown;
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

/** Words as pydantic lists them. */
export const quoted = (words: readonly unknown[]): string =>
  words
    .map((word) => `'${String(word)}'`)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1");

/** How the service refuses a value of another kind. */
function refusalOf(rule: OptionRule): Pydantic {
  switch (rule.kind) {
    case "text":
      return rule.refused?.[0] ?? ["string_type", "Input should be a valid string"];
    case "boolean":
      return ["bool_type", "Input should be a valid boolean"];
    case "words":
      return ["literal_error", `Input should be ${quoted(rule.values)}`];
    case "number":
      return rule.integer === true
        ? ["int_type", "Input should be a valid integer"]
        : ["float_type", "Input should be a valid number"];
    case "list":
      return ["list_type", "Input should be a valid list"];
    case "object":
      return [
        "model_attributes_type",
        "Input should be a valid dictionary or object to extract fields from",
      ];
    default:
      return ["dict_type", "Input should be a valid dictionary"];
  }
}

/** Everything wrong with a value; empty where nothing is. */
export function checkRule(
  rule: OptionRule,
  value: unknown,
  path: SchemaPath = [],
): readonly Flaw[] {
  const wrong = (message: string, refused: Pydantic = refusalOf(rule)): readonly Flaw[] => [
    { path, message, refused, input: value },
  ];
  const expected = (): readonly Flaw[] =>
    wrong(`${typeName(value)} where it takes ${describeRule(rule)}`);
  switch (rule.kind) {
    case "any": {
      const refused = rule.refuses?.(value as Json) ?? null;
      return refused === null ? [] : wrong(refused[1], refused);
    }
    case "boolean":
      return typeof value === "boolean" ? [] : expected();
    case "text":
      if (typeof value !== "string") return expected();
      if (rule.pattern !== undefined && !new RegExp(rule.pattern, "u").test(value))
        return wrong(`${shown(value)} is not ${rule.what ?? "valid"}`, rule.refused?.[1]);
      return [rule.why?.(value) ?? []]
        .flat()
        .flatMap((why) => wrong(why, ["value_error", `Value error, ${why}`]));
    case "words": {
      if (rule.values.includes(value as string)) return [];
      const end = suggest(String(value), rule.values.map(String), "use one of");
      return wrong(`${shown(value)} is not a valid value; ${end}`);
    }
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
    case "either": {
      const tried = rule.rules.map((one) => ({ one, flaws: checkRule(one, value, path) }));
      if (tried.some(({ flaws }) => flaws.length === 0)) return [];
      // The rule whose outer shape fits says more than "neither".
      const fitting = tried.find(({ one }) => one.kind === "object" && isObject(value));
      return fitting?.flaws ?? wrong(`${shown(value)} is not valid; it takes ${rule.what}`);
    }
  }
}

function checkNumber(rule: Rule<"number">, value: unknown): boolean {
  return (
    typeof value === "number" &&
    Number.isFinite(value) &&
    (rule.integer !== true || Number.isInteger(value)) &&
    value >= (rule.min ?? -Infinity) &&
    value <= (rule.max ?? Infinity)
  );
}

function checkFields(rule: Rule<"object">, value: JsonObject, path: SchemaPath): readonly Flaw[] {
  const names = Object.keys(rule.fields);
  const given = Object.entries(value).flatMap(([key, item]): readonly Flaw[] => {
    const at = [...path, key];
    const field = Object.hasOwn(rule.fields, key) ? rule.fields[key] : undefined;
    if (field !== undefined)
      return item === undefined || (item === null && field.required !== true)
        ? []
        : checkRule(field.rule, item, at);
    if (rule.open === true) return [];
    const end = names.length === 0 ? "it takes no keys" : suggest(key, names, "the keys here are");
    const refused: Pydantic = ["extra_forbidden", "Extra inputs are not permitted"];
    const message = `unknown key "${key}"; ${end}`;
    return [{ path: at, onKey: true, message, refused, input: item }];
  });
  const flaws = [
    ...given,
    ...Object.entries(rule.fields)
      .filter(([name, field]) => field.required === true && value[name] === undefined)
      .map(
        ([name, field]): Flaw => ({
          path,
          message: `the key "${name}" is missing; it takes ${describeRule(field.rule)}`,
          refused: ["missing", "Field required"],
          missing: name,
          input: value,
        }),
      ),
  ];
  return flaws.length > 0 || rule.check === undefined
    ? flaws
    : rule.check(withoutNulls(rule, value) as JsonObject, path);
}

/** A value that was found right without its keys that are null: those say nothing. */
export function withoutNulls(rule: OptionRule, value: Json): Json {
  if (rule.kind === "list" && Array.isArray(value))
    return value.map((item: Json) => withoutNulls(rule.of, item));
  if (rule.kind !== "object" || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const of = Object.hasOwn(rule.fields, key) ? rule.fields[key]!.rule : ANY;
      return item === null && of.kind !== "any" ? [] : [[key, withoutNulls(of, item)]];
    }),
  );
}
