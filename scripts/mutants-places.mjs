// The places of a source that a mutant can change, and a source that has several mutants at once, each to be switched on.
import { parseSync } from "@swc/core";

/**
 * The bytes to change, what takes their place, and the bytes of the whole expression.
 * @typedef {object} Place
 * @property {"operator" | "value" | "condition"} kind
 * @property {number} from
 * @property {number} to
 * @property {string} text
 * @property {[number, number]} whole
 */

/** Operators and what takes their place. */
const OPERATORS = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "&&": "||",
  "||": "&&",
};
/** Expressions around a value that are types only. */
const AS_IF = [
  "TsAsExpression",
  "TsNonNullExpression",
  "TsSatisfiesExpression",
  "TsConstAssertion",
];
/** Of two places in the same bytes, the first has the second within itself. */
const OUTER_FIRST = ["condition", "operator", "value"];

/**
 * Every place of a source.
 * @returns {Place[]}
 */
export function placesOf(bytes) {
  // With a statement of our own in front, so that the module begins at a known byte, whatever comments come first.
  const module = parseSync(`0;${bytes.toString("utf8")}`, { syntax: "typescript" });
  const base = module.span.start + 2;
  /** @type {Place[]} */
  const found = [];
  /** @returns {[number, number]} */
  const at = (span) => [span.start - base, span.end - base];
  const textOf = (from, to) => bytes.subarray(from, to).toString("utf8");
  const addValue = (node, text) => {
    const whole = at(node.span);
    found.push({ kind: "value", from: whole[0], to: whole[1], text, whole });
  };
  const addOperator = ({ span, left, right, operator }) => {
    const from = at(left.span)[1];
    const to = at(right.span)[0];
    const gap = textOf(from, to);
    if (!gap.includes(operator)) return;
    const text = gap.replace(operator, OPERATORS[operator]);
    found.push({ kind: "operator", from, to, text, whole: at(span) });
  };
  const addCondition = ({ test }) => {
    const whole = at(test.span);
    const text = `!(${textOf(...whole)})`;
    found.push({ kind: "condition", from: whole[0], to: whole[1], text, whole });
  };
  const visit = (node) => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    if (AS_IF.includes(node.type)) return visit(node.expression);
    if (node.type?.startsWith("Ts")) return;
    if (node.type === "BinaryExpression" && OPERATORS[node.operator] !== undefined)
      addOperator(node);
    if (node.type === "BooleanLiteral") addValue(node, String(!node.value));
    if (node.type === "NumericLiteral") addValue(node, String(node.value + 1));
    if (node.type === "IfStatement" || node.type === "ConditionalExpression") addCondition(node);
    for (const [name, child] of Object.entries(node)) if (name !== "key") visit(child);
  };
  visit(module.body.slice(1));
  return found;
}

/** A source with one place changed. */
export function changed(bytes, { from, to, text }) {
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(text), bytes.subarray(to)]);
}

/**
 * A source that asks at each place whether its mutant is switched on: `globalThis.isMutant(id)`.
 * @param {Buffer} bytes
 * @param {(Place & {id: number})[]} places
 */
export function switched(bytes, places) {
  const textOf = (from, to) => bytes.subarray(from, to).toString("utf8");
  const withSwitch = (place, inner) => {
    const { id, kind, from, to, text, whole } = place;
    const isOn = `isMutant(${id})`;
    if (kind === "value") return `(${isOn} ? ${text} : ${textOf(from, to)})`;
    if (kind === "condition") return `(${isOn} !== !!(${withSwitches(...whole, inner)}))`;
    const left = withSwitches(
      whole[0],
      from,
      inner.filter((one) => one.whole[1] <= from),
    );
    const right = withSwitches(
      to,
      whole[1],
      inner.filter((one) => one.whole[0] >= to),
    );
    return `(${isOn} ? (${left}${text}${right}) : (${left}${textOf(from, to)}${right}))`;
  };
  const withSwitches = (from, to, sorted) => {
    let made = "";
    let done = from;
    let rest = sorted;
    while (rest.length > 0) {
      const [outer, ...others] = rest;
      const [begin, end] = outer.whole;
      const inner = others.filter((one) => one.whole[0] < end);
      made += textOf(done, begin) + withSwitch(outer, inner);
      done = end;
      rest = others.slice(inner.length);
    }
    return made + textOf(done, to);
  };
  const sorted = [...places].sort(
    (one, other) =>
      one.whole[0] - other.whole[0] ||
      other.whole[1] - one.whole[1] ||
      OUTER_FIRST.indexOf(one.kind) - OUTER_FIRST.indexOf(other.kind),
  );
  const never = "const isMutant = globalThis.isMutant ?? (() => false);";
  return `${never} ${withSwitches(0, bytes.length, sorted)}`;
}
