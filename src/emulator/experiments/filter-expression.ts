import { isObject, nestsDeeper, type Json, type JsonObject } from "../../model/json.ts";
import { contains } from "../http/listing.ts";
import { parseTime, type Param } from "../http/parameter.ts";

type Test = (one: JsonObject) => boolean;
/** A test of the thing itself (`of` is ""), or of one of its parts: its feedback, its metadata. */
interface Condition {
  readonly of: string;
  readonly field: string;
  readonly test: Test;
}

const TOKEN = /([^\s(),[\]"']+)\s*(\()?|("(?:[^"\\]|\\.)*")|'((?:[^'\\]|\\.)*)'|\)/gsu;
/** Two per call: the call, and its list of arguments. */
const MAX_LEVELS = 100;

/** The error for what the language cannot express, or the emulator does not support. */
const unknown = (): Error => new SyntaxError("not known here");

const isLiteral = (word: string): boolean => /^([-+.\d]|(true|false|null)$)/.test(word);

/**
 * Parses an expression by converting it to JSON: a call becomes an object with its arguments, a
 * name an object with itself. Throws if it is not an expression.
 */
function parse(text: string): Json {
  const toJson = (
    _: string,
    word?: string,
    call?: string,
    double?: string,
    single?: string,
  ): string => {
    if (call !== undefined) return `{"call":${JSON.stringify(word)},"args":[`;
    if (word !== undefined)
      return JSON.stringify(isLiteral(word) ? JSON.parse(word) : { name: word });
    if (double !== undefined) return double;
    if (single !== undefined) return JSON.stringify(single.replace(/\\(.)/gsu, "$1"));
    return "]}";
  };
  const term = JSON.parse(text.replace(TOKEN, toJson)) as Json;
  if (nestsDeeper(term, MAX_LEVELS)) throw unknown();
  return term;
}

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** A value as a sortable number: times in milliseconds, latencies in seconds; NaN if it has no order. */
function toNumber(field: string, value: Json | undefined): number {
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  if (typeof value !== "string") return NaN;
  if (/_(time|at)$/.test(field)) return parseTime(value);
  const [, amount, unit = ""] = /^([\d.]+) ?(ms|[smh])$/.exec(value) ?? [];
  return field === "latency" && amount !== undefined ? Number(amount) * UNITS[unit]! : NaN;
}

const ORDERS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
};

function toEquality(field: string, wanted: Json): Test {
  const number = toNumber(field, wanted);
  return (one) => {
    const value = one[field] ?? null;
    return value === null || wanted === null
      ? value === wanted
      : toNumber(field, value) === number || String(value as string) === String(wanted as string);
  };
}

const literalOf = (term: Json | undefined): Json => {
  if (term === undefined || (typeof term === "object" && term !== null)) throw unknown();
  return term;
};

function toFieldTest(call: string, field: string, value: Json | undefined): Test {
  const order = ORDERS[call];
  if (order !== undefined) {
    const bound = toNumber(field, literalOf(value));
    if (Number.isNaN(bound)) throw unknown();
    return (one) => order(toNumber(field, one[field]), bound);
  }
  const wanted = call === "in" ? value : [value];
  if (!["eq", "neq", "in"].includes(call) || !Array.isArray(wanted)) throw unknown();
  const tests = wanted.map((one) => toEquality(field, literalOf(one)));
  return (one) => tests.some((test) => test(one)) === (call !== "neq");
}

/** `has(tags, "a")`, `has(metadata, '{"a":1}')`, `exists(metadata, "a")`. */
function toContentTest(call: string, field: string, asked: string): Test {
  if (field === "tags" && call === "has")
    return (one) => (one[field] as readonly Json[]).includes(asked);
  if (field !== "metadata") throw unknown();
  if (call === "exists") return (one) => Object.hasOwn(one[field] as JsonObject, asked);
  const wanted = JSON.parse(asked) as Json;
  return (one) => contains(one[field], wanted);
}

/** Texts that `search("…")` searches. */
const SEARCHED = ["name", "error", "inputs", "outputs"];

function toSearch(fields: readonly string[], asked: string): Test {
  const part = asked.toLowerCase();
  return (one) =>
    fields.some((field) =>
      JSON.stringify(one[field] ?? "")
        .toLowerCase()
        .includes(part),
    );
}

function toCondition(term: Json, names: readonly string[]): Condition {
  const plain = (test: Test): Condition => ({ of: "", field: "", test });
  if (!isObject(term) || !("call" in term)) throw unknown();
  const { call, args } = term as { readonly call: string; readonly args: readonly Json[] };
  if (call === "and") return plain(every(args, names));
  if (call === "or") {
    const tests = args.map((one) => every([one], names));
    return plain((one) => tests.some((test) => test(one)));
  }
  const [first, second, more] = args;
  if (call === "not" && second === undefined) {
    const test = every(args, names);
    return plain((one) => !test(one));
  }
  if (call === "search" && second === undefined)
    return plain(toSearch(SEARCHED, String(literalOf(first) as string)));
  const { name } = isObject(first) ? first : {};
  if (typeof name !== "string" || !names.includes(name) || more !== undefined) throw unknown();
  if (call === "has" || call === "exists")
    return plain(toContentTest(call, name, String(literalOf(second) as string)));
  if (name === "tags" || name === "metadata") throw unknown();
  const [, of = "", field = name] = /^(feedback|metadata)_(.+)$/.exec(name) ?? [];
  return { of, field, test: toFieldTest(call, field, second) };
}

/** Conditions about the same kind of part apply to a single part: the score of that key. */
function every(terms: readonly Json[], names: readonly string[]): Test {
  const kinds = new Map<string, Condition[]>();
  for (const term of terms) {
    const one = toCondition(term, names);
    const known = kinds.get(one.of) ?? [];
    if (one.field === "key" && known.some(({ field }) => field === "key")) throw unknown();
    kinds.set(one.of, [...known, one]);
  }
  if (terms.length === 0) throw unknown();
  return (one) =>
    [...kinds].every(([of, conditions]) => {
      const all: Test = (part) => conditions.every(({ test }) => test(part));
      return of === "" ? all(one) : toParts(one[of]).some(all);
    });
}

/** The feedback of a run, or its metadata as keys and values. */
const toParts = (value: Json | undefined): readonly JsonObject[] =>
  isObject(value)
    ? Object.entries(value).map(([key, one]) => ({ key, value: one }))
    : (value as readonly JsonObject[]);

/**
 * A filter by an expression over objects with those names; its 422 describes the language. `text`
 * is the expression if the parameter contains more than that.
 */
export const language =
  <T>(names: readonly string[], see: (one: T) => JsonObject) =>
  (param: Param, text: Json = param.value): ((one: T) => boolean) => {
    if (text === null || text === "") return () => true;
    try {
      const test = every([parse(text as string)], names);
      return (one) => test(see(one));
    } catch {
      const msg = `The emulator does not understand this "${param.name}". Leave it out, or write and(…), or(…), not(…) of eq, neq, gt, gte, lt, lte, in, has, exists and search("…"), over ${names.join(", ")}.`;
      return param.refuse("not_supported", msg);
    }
  };
