/** The environment that values are taken from; handed in, never read here. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** How a run treats what the environment does not have; `validate` and `plan` only warn. */
export type SpecMode = "apply" | "plan" | "validate";

/** One `${…}`: which variable, and what happens where it is not set or empty. */
export interface Reference {
  readonly name: string;
  readonly operator: "" | ":-" | ":?";
  /** The default or the message. */
  readonly operand: string;
  /** As it is written, to find its place in the file. */
  readonly written: string;
}

/** A string scalar taken apart; `problem` says what is wrong with its syntax and what to write. */
export type Template =
  | { readonly state: "parsed"; readonly parts: readonly (string | Reference)[] }
  | { readonly state: "malformed"; readonly problem: string; readonly written: string };

/** A string scalar after interpolation. */
export interface Interpolated {
  /** The text; undefined where a reference has no value. */
  readonly text: string | undefined;
  /** The scalar is one whole `${…}`, so that it takes the type its field wants. */
  readonly whole: boolean;
  /** It holds at least one `${…}`. */
  readonly references: readonly Reference[];
  /** It holds a `:-`: an empty result is meant. */
  readonly mayBeEmpty: boolean;
  /** Values of the environment that went into the text. */
  readonly taken: readonly string[];
  /** One sentence for each reference without a value, the first 20 of them, and for bad syntax. */
  readonly faults: readonly {
    readonly kind: "unset" | "malformed" | "refused";
    readonly message: string;
    readonly written: string;
  }[];
}

const MAX_FAULTS = 20;
const REFERENCE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?:(:-|:\?)([^}]*))?\}/u;

/** Splits a string scalar into text and references; `$${` is a literal `${`. */
export function parseTemplate(text: string): Template {
  const parts: (string | Reference)[] = [];
  let literal = "";
  for (let index = 0; index < text.length; ) {
    if (text.startsWith("$${", index)) {
      literal += "${";
      index += 3;
    } else if (text.startsWith("${", index)) {
      const match = REFERENCE.exec(text.slice(index));
      if (match === null || match[3]?.includes("${") === true)
        return malformed(text.slice(index), match !== null);
      if (literal !== "") parts.push(literal);
      literal = "";
      parts.push({
        name: match[1]!,
        operator: (match[2] ?? "") as Reference["operator"],
        operand: match[3] ?? "",
        written: match[0],
      });
      index += match[0].length;
    } else {
      literal += text[index]!;
      index += 1;
    }
  }
  if (literal !== "" || parts.length === 0) parts.push(literal);
  return { state: "parsed", parts };
}

function malformed(rest: string, nested: boolean): Template {
  const close = rest.indexOf("}");
  const expression = /^\$\{\{\s*(?:secrets|vars|env|inputs)\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/u.exec(
    rest,
  );
  if (rest.startsWith("${{")) {
    const name = expression?.[1] ?? "NAME";
    return {
      state: "malformed",
      written: "${",
      problem: `GitHub expressions are not evaluated in a spec; pass the value in the step's env: as ${name}, and write \${${name}} here`,
    };
  }
  const problem = nested
    ? "a default or message holds another ${; write a plain text there"
    : describeMalformed(rest, close);
  return {
    state: "malformed",
    written: "${",
    problem: `${problem}; write \${NAME}, \${NAME:-default} or \${NAME:?message}, or $\${ for a literal \${`,
  };
}

/**
 * Fills a string scalar from the environment; a value is only ever text, it can add no YAML.
 * `trusted: false` refuses every reference.
 */
export function interpolate(text: string, env: Environment, trusted: boolean): Interpolated {
  const template = parseTemplate(text);
  if (template.state === "malformed") {
    return {
      text: undefined,
      whole: false,
      references: [],
      mayBeEmpty: false,
      taken: [],
      faults: [{ kind: "malformed", message: template.problem, written: template.written }],
    };
  }
  const references = template.parts.filter((part) => typeof part !== "string");
  const filled = template.parts.map((part) =>
    typeof part === "string" ? { text: part } : fill(part, env, trusted),
  );
  const faults = new Map(
    filled.flatMap((part) => ("fault" in part ? [[part.fault.written, part.fault] as const] : [])),
  );
  return {
    text:
      faults.size > 0
        ? undefined
        : filled.map((part) => ("text" in part ? part.text : "")).join(""),
    whole: template.parts.length === 1 && references.length === 1,
    references,
    mayBeEmpty: references.some((reference) => reference.operator === ":-"),
    taken: filled.flatMap((part) => ("taken" in part && part.taken !== "" ? [part.taken] : [])),
    faults: [...faults.values()].slice(0, MAX_FAULTS),
  };
}

type Filled =
  | { readonly text: string; readonly taken?: string }
  | { readonly fault: Interpolated["faults"][number] };

function fill(reference: Reference, env: Environment, trusted: boolean): Filled {
  const { name, operator, operand, written } = reference;
  if (!trusted) {
    return {
      fault: {
        kind: "refused",
        written,
        message: `\${${name}} is refused, since this run reads the spec of an untrusted pull request and a value would hand it the job's environment; write the value itself, or run from a trusted event`,
      },
    };
  }
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (value !== undefined && (value !== "" || operator === ""))
    return { text: value, taken: value };
  if (operator === ":-") return { text: operand };
  if (operator === ":?") {
    return {
      fault: {
        kind: "unset",
        written,
        message: `the environment variable ${name} is ${value === undefined ? "not set" : "empty"}: ${operand === "" ? "it is required; set it in the environment of this step" : operand}`,
      },
    };
  }
  return {
    fault: {
      kind: "unset",
      written,
      message: `the environment variable ${name} is not set; set it in the environment of this step, write \${${name}:-default}, or $\${${name}} where the text itself is meant`,
    },
  };
}

/** What is wrong with a reference that begins `${`; `close` is the place of its `}`. */
function describeMalformed(rest: string, close: number): string {
  if (close < 0) return "a ${ is not closed";
  if (close === 2) return "${} names no variable";
  return /^\$\{[A-Za-z_][A-Za-z0-9_]*[^A-Za-z0-9_}]/u.test(rest)
    ? "a ${…} uses an operator other than :- and :?"
    : "a ${…} does not hold the name of an environment variable";
}
