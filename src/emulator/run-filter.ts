import type { JsonObject } from "../model/json.ts";
import type { KeptRun } from "./experiment-rows.ts";
import { isReply, type Reply } from "./reply.ts";
import { bodyBoolean, flaw, isAsked, textsIn } from "./request-value.ts";
import { parseTime } from "./upload-check.ts";

/** Whether a run is one of those asked for. */
export type RunTest = (run: KeptRun) => boolean;

/** Names of the filters in a body; the two versions of the API call them differently. */
export interface FilterNames {
  readonly ids: string;
  readonly trace: string;
  readonly examples: string;
  readonly error: string;
  /** Earliest start. */
  readonly from: string;
  /** Latest start, where there is such a filter. */
  readonly to?: string;
}

/** What an expression can ask about. Every run here is the root of its trace, and a chain. */
const ATTRIBUTES: Readonly<Record<string, (run: KeptRun) => string>> = {
  id: ({ id }) => id,
  trace_id: ({ id }) => id,
  name: ({ row }) => row.run_name ?? "run",
  run_type: () => "chain",
  status: ({ row }) => (row.error === null ? "success" : "error"),
  is_root: () => "true",
};

const TERM =
  /^\s*(eq|neq)\(\s*(\w+)\s*,\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(true|false))\s*\)\s*(?:,|$)/su;

/** The test of `eq(name, "x")`, `neq(…)` or several of them in `and(…)`; null for any other expression. */
function toExpressionTest(text: string): RunTest | null {
  let rest = (/^\s*and\((.*)\)\s*$/su.exec(text)?.[1] ?? text).trim();
  const tests: RunTest[] = [];
  while (rest !== "") {
    const [term, operator, name = "", double, single, word] = TERM.exec(rest) ?? [];
    if (term === undefined || !Object.hasOwn(ATTRIBUTES, name)) return null;
    const read = ATTRIBUTES[name]!;
    const wanted = (double ?? single ?? word ?? "").replace(/\\(.)/gsu, "$1");
    tests.push((run) => (read(run) === wanted) === (operator === "eq"));
    rest = rest.slice(term.length).trim();
  }
  return tests.length === 0 ? null : (run) => tests.every((test) => test(run));
}

function expressionIn(body: JsonObject, name: string): RunTest | Reply {
  const text = body[name] ?? "";
  if (text === "") return () => true;
  const test = typeof text === "string" ? toExpressionTest(text) : null;
  const names = Object.keys(ATTRIBUTES).join(", ");
  const msg = `The emulator supports only eq(…) and neq(…) of ${names}, alone or in and(…), in "${name}".`;
  return test ?? flaw("body", name, msg, "not_supported");
}

function oneOf(
  body: JsonObject,
  name: string,
  read: (run: KeptRun) => string | null,
): RunTest | Reply {
  const asked = textsIn(body, name);
  return isReply(asked) ? asked : (run) => isAsked(asked, read(run));
}

function isTrue(body: JsonObject, name: string, read: RunTest): RunTest | Reply {
  const asked = bodyBoolean(body, name);
  return isReply(asked) ? asked : (run) => asked === null || read(run) === asked;
}

function startTest(
  body: JsonObject,
  name: string,
  fits: (start: number, bound: number) => boolean,
): RunTest | Reply {
  if ((body[name] ?? null) === null) return () => true;
  const bound = parseTime(body[name]);
  return Number.isNaN(bound)
    ? flaw("body", name, "Input should be a valid datetime", "datetime_parsing")
    : ({ row }) => fits(parseTime(row.start_time), bound);
}

/** The test that a body's filters make together, or the 422 for the first that is wrong or not supported. */
export function toRunTest(body: JsonObject, names: FilterNames): RunTest | Reply {
  const tests = [
    oneOf(body, names.ids, ({ id }) => id),
    oneOf(body, names.trace, ({ id }) => id),
    oneOf(body, "parent_run", () => null),
    oneOf(body, names.examples, ({ row }) => row.row_id),
    oneOf(body, "run_type", () => "chain"),
    isTrue(body, names.error, ({ row }) => row.error !== null),
    isTrue(body, "is_root", () => true),
    startTest(body, names.from, (start, bound) => start >= bound),
    ...(names.to === undefined
      ? []
      : [startTest(body, names.to, (start, bound) => start <= bound)]),
    ...["filter", "trace_filter", "tree_filter"].map((name) => expressionIn(body, name)),
  ];
  const wrong = tests.find(isReply);
  return wrong ?? ((run) => (tests as readonly RunTest[]).every((test) => test(run)));
}
