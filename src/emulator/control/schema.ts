import * as z from "zod/v4";
import { nearestWord } from "../../spec/suggestion.ts";
import { isObject, withMembers, type Json, type JsonObject } from "../../model/json.ts";

/** How the service refuses a request: pydantic's type and message. */
type Pydantic = readonly [type: string, msg: string];

/**
 * The keys of a mapping, each with its rule. One tree of rules checks scenario files, admin bodies
 * and the service's requests, and generates the option types, the editor schema, the docs and the
 * OpenAPI.
 */
export type Fields = Readonly<Record<string, z.ZodType>>;
/** The type of a mapping with these keys. */
export type ObjectOf<F extends Fields> = z.infer<z.ZodObject<F>>;

/** Metadata of a rule: a description, and how the service refuses a value of another kind. */
interface Said {
  readonly what?: string;
  readonly refused?: Pydantic;
  /** How the service refuses a text that does not match its pattern. */
  readonly misfit?: Pydantic;
  readonly description?: string;
  /** The default, as documented. */
  readonly usual?: string;
}

/** A rule without the marks for an optional or nullable key. */
export const bare = (rule: z.ZodType): z.ZodType =>
  rule instanceof z.ZodOptional || rule instanceof z.ZodNullable
    ? bare(rule.unwrap() as z.ZodType)
    : rule;
/** The metadata of a key's rule. */
export const saidOf = (rule: z.ZodType): Said => (rule.meta() ?? {}) as Said;
/** What a rule accepts, in words. */
export const describeRule = (rule: z.ZodType): string => saidOf(bare(rule)).what ?? kindOf(rule)[0];

/** What a rule accepts, in words, and how the service refuses anything else. */
function kindOf(rule: z.ZodType): readonly [what: string, type: string, wanted: string] {
  const own = bare(rule);
  if (own instanceof z.ZodString) return ["text", "string_type", "a valid string"];
  if (own instanceof z.ZodBoolean) return ["true or false", "bool_type", "a valid boolean"];
  if (own instanceof z.ZodLiteral) {
    const values = [...own.values];
    return [values.join(" | "), "literal_error", quoted(values)];
  }
  if (own instanceof z.ZodNumber) {
    const [min, max] = [own.minValue ?? -Infinity, own.maxValue ?? Infinity];
    const to = max < Number.MAX_SAFE_INTEGER ? `to ${max}` : "on";
    const range = min > Number.MIN_SAFE_INTEGER ? ` from ${min} ${to}` : "";
    return own.isInt
      ? [`whole number${range}`, "int_type", "a valid integer"]
      : [`number${range}`, "float_type", "a valid number"];
  }
  if (own instanceof z.ZodArray)
    return [`list of ${describeRule(own.element as z.ZodType)}`, "list_type", "a valid list"];
  if (own instanceof z.ZodObject)
    return [
      "mapping",
      "model_attributes_type",
      "a valid dictionary or object to extract fields from",
    ];
  const of = own instanceof z.ZodRecord ? (own.valueType as z.ZodType) : null;
  const what = of === null ? "any JSON" : `mapping of names to ${describeRule(of)}`;
  return [what, "dict_type", "a valid dictionary"];
}

/** Text with a pattern, and the words by which errors describe it. */
export const like = (pattern: RegExp, what: string): z.ZodString =>
  z.string().regex(pattern).meta({ what });
/** Text that is not blank. */
export const FILLED = like(/\S/u, "text that is not empty");
/** A uuid, in any case. */
export const ID = like(
  /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/u,
  "a uuid",
).meta({
  refused: ["uuid_type", "UUID input should be a string, bytes or UUID object"],
  misfit: ["uuid_parsing", "Input should be a valid UUID"],
  format: "uuid",
});
/** JSON of any shape. */
export const ANY = z.unknown() as unknown as z.ZodType<Json>;
/** A list of items with one rule. */
export const list = <R extends z.ZodType>(of: R): z.ZodType<readonly z.infer<R>[]> => z.array(of);
/** A mapping with known keys, and a check across them. */
export const object = <F extends Fields>(fields: F, check: Check = () => []) =>
  because(z.strictObject(fields), (value) => check(value as JsonObject));
/** The same for a request, which may have other keys. */
export const open = (fields: Fields, check: Check = () => []): z.ZodType =>
  because(z.looseObject(fields), (value) => check(value as JsonObject));
/** A rule of a request that a function tests: `refuses` returns the refusal, or null; `schema` only documents it. */
export const special = (
  schema: JsonObject,
  refuses: (value: Json) => Pydantic | null,
): z.ZodType<Json> =>
  because(ANY.meta(schema), (value) => {
    const refused = refuses(value as Json);
    return refused === null ? [] : [{ path: [], message: refused[1], refused }];
  });
/** An optional key. */
export const row = <R extends z.ZodType>(rule: R, doc: string, usual?: string | number) =>
  rule.optional().meta({
    description: doc,
    ...(usual === undefined ? {} : { usual: String(usual) }),
  });
/** A required key. */
export const must = <R extends z.ZodType>(rule: R, doc: string): R =>
  rule.meta({ description: doc });

/** Keys and indexes from the top of what is checked. */
export type SchemaPath = readonly (string | number)[];
/** One mistake; `onKey`: the key is wrong rather than its value. */
export interface Flaw {
  readonly path: SchemaPath;
  readonly onKey?: true;
  readonly message: string;
  /** The same in the service's words, if they are others: the refusal and, below the path, the missing key. */
  readonly refused?: Pydantic;
  readonly missing?: string;
  readonly input?: unknown;
}
/** A check across several keys, run only if each key is valid. */
export type Check = (value: JsonObject) => readonly Flaw[];

/** Adds a check by a function, for values that are otherwise valid. */
export const because = <R extends z.ZodType>(
  rule: R,
  flawsOf: (value: unknown) => readonly Flaw[],
): R =>
  rule.check((payload) => {
    if (payload.issues.length > 0) return;
    for (const { path, ...flaw } of flawsOf(payload.value))
      payload.issues.push({
        code: "custom",
        path: [...path],
        input: payload.value,
        params: { flaw },
      });
  }) as R;
/** The same for a text: returns what is wrong with it, or null. */
export const textThat = (rule: z.ZodString, why: (text: string) => string | null): z.ZodString =>
  because(rule, (value) => {
    const message = why(value as string);
    return message === null ? [] : [{ path: [], message }];
  });

/** Writes a path like `faults[0].kind`. */
export function showPath(path: SchemaPath): string {
  return path
    .map((step, i) => {
      if (typeof step === "number") return `[${step}]`;
      return i === 0 ? step : `.${step}`;
    })
    .join("");
}

/** Ends a sentence about an unknown word. */
export function suggest(word: string, known: readonly unknown[], what: string): string {
  const words = known.map(String);
  const near = nearestWord(word, words);
  if (near === undefined) return `${what} ${words.join(", ")}`;
  return `did you mean ${JSON.stringify(known[words.indexOf(near)])}?`;
}

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "a mapping";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

const typeName = (value: unknown): string =>
  typeof value === "object" ? shown(value) : `a ${typeof value}`;

/** Words as pydantic lists them. */
export const quoted = (words: readonly unknown[]): string =>
  words
    .map((word) => `'${String(word)}'`)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1");

/** The mapping among the options of a union, where the value is one; another rule stays as it is. */
const fitting = (rule: z.ZodType, value: unknown): z.ZodType =>
  rule instanceof z.ZodUnion && isObject(value)
    ? ((rule.options as readonly z.ZodType[]).find((one) => one instanceof z.ZodObject) ?? rule)
    : rule;

/** The value at a path, which may lead nowhere. */
const valueAt = (value: unknown, path: SchemaPath): unknown =>
  path.reduce(
    (inner, step) => (inner as Record<string | number, unknown> | null | undefined)?.[step],
    value,
  );

/** The rule at the path of a mistake that the rule found by itself. */
function ruleAt(rule: z.ZodType, value: unknown, [step, ...rest]: SchemaPath): z.ZodType {
  const own = fitting(bare(rule), value);
  if (step === undefined) return own;
  const { element, valueType } = own as { element?: unknown; valueType?: unknown };
  const inner = own instanceof z.ZodObject ? own.shape[step] : (element ?? valueType);
  return ruleAt(inner as z.ZodType, valueAt(value, [step]), rest);
}

/** Why a value does not match its rule. */
function whyNot(rule: z.ZodType, value: unknown): string {
  const what = describeRule(rule);
  if (rule instanceof z.ZodLiteral)
    return `${shown(value)} is not a valid value; ${suggest(String(value), [...rule.values], "use one of")}`;
  if (rule instanceof z.ZodUnion) return `${shown(value)} is not valid; it takes ${what}`;
  if (rule instanceof z.ZodNumber) return `${shown(value)} is not a ${what}`;
  return rule instanceof z.ZodString && typeof value === "string"
    ? `${shown(value)} is not ${what}`
    : `${typeName(value)} where it takes ${what}`;
}

/** Converts an issue to flaws, given the whole rule and value. */
function toFlaws(whole: z.ZodType, given: unknown, issue: z.core.$ZodIssue): readonly Flaw[] {
  const path = issue.path as (string | number)[];
  const value = valueAt(given, path);
  const missing = path.at(-1);
  // An absent value is a missing key, whatever a function would say of it.
  if (value === undefined && missing !== undefined) {
    const parent = path.slice(0, -1);
    const what = describeRule(ruleAt(whole, given, path));
    return [
      {
        path: parent,
        message: `the key "${missing}" is missing; it takes ${what}`,
        refused: ["missing", "Field required"],
        missing: String(missing),
        input: valueAt(given, parent),
      },
    ];
  }
  // The path of a function's flaw may be unknown to the rule: the value may be free JSON there.
  if (issue.code === "custom")
    return [{ input: value, ...(issue.params!["flaw"] as Omit<Flaw, "path">), path }];
  const rule = ruleAt(whole, given, path);
  if (issue.code === "unrecognized_keys") {
    const names = Object.keys((rule as z.ZodObject).shape);
    return issue.keys.map((key) => {
      const end =
        names.length === 0 ? "it takes no keys" : suggest(key, names, "the keys here are");
      const message = `unknown key "${key}"; ${end}`;
      const refused: Pydantic = ["extra_forbidden", "Extra inputs are not permitted"];
      const input = (value as JsonObject)[key];
      return { path: [...path, key], onKey: true, message, refused, input };
    });
  }
  // The option whose outer shape matches gives a better message than "neither".
  if (issue.code === "invalid_union" && !(rule instanceof z.ZodUnion))
    return checkRule(rule, value, path);
  const { refused, misfit } = saidOf(rule);
  const [, type, wanted] = kindOf(rule);
  const own = refused ?? ([type, `Input should be ${wanted}`] as const);
  const said = typeof value === "string" ? (misfit ?? own) : own;
  return [{ path, message: whyNot(rule, value), refused: said, input: value }];
}

/** Everything wrong with a value, missing keys last, those of inner mappings first; empty if nothing is. */
export function checkRule(rule: z.ZodType, value: unknown, path: SchemaPath = []): readonly Flaw[] {
  const { error } = rule.safeParse(withoutNulls(rule, value as Json));
  const rankOf = (flaw: Flaw): number =>
    flaw.missing === undefined ? 0 : 1 / (1 + flaw.path.length);
  return (error?.issues ?? [])
    .flatMap((issue) => toFlaws(rule, value, issue))
    .sort((a, b) => rankOf(a) - rankOf(b))
    .map((flaw) => ({ ...flaw, path: [...path, ...flaw.path] }));
}

/** Removes keys that are null, unless their rule allows any JSON. */
export function withoutNulls(rule: z.ZodType, value: Json): Json {
  const own = bare(rule);
  if (own instanceof z.ZodArray && Array.isArray(value))
    return value.map((item: Json) => withoutNulls(own.element as z.ZodType, item));
  if (!(own instanceof z.ZodObject) || !isObject(value)) return value;
  return withMembers(value, (item, key) => {
    const of = Object.hasOwn(own.shape, key) ? bare(own.shape[key] as z.ZodType) : ANY;
    const isFree = of instanceof z.ZodUnknown && of.def.checks === undefined;
    return item === null && !isFree ? undefined : withoutNulls(of, item);
  });
}

/** The rule as JSON Schema (draft 2020-12). */
export function toSchema(rule: z.ZodType): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(rule, {
    unrepresentable: "any",
    override: ({ jsonSchema: one }) => {
      for (const key of ["what", "refused", "misfit", "usual", "propertyNames"]) delete one[key];
      if (one.minimum === Number.MIN_SAFE_INTEGER) delete one.minimum;
      if (one.maximum === Number.MAX_SAFE_INTEGER) delete one.maximum;
    },
  });
  return schema as JsonObject;
}
