import { DEFAULTS } from "./gate-set.ts";

const SCHEMA_LINES = {
  description:
    "Gate lines, such as `correctness >= 0.85`, `latency_p95 <= 4s` or `correctness drop <= 0.02`.",
  oneOf: [{ type: "string" }, { type: "array", items: { type: "string", pattern: "[<>≥≤]" } }],
};

function mustPassSchema(): Record<string, unknown> {
  const scalar = { type: ["string", "number", "boolean"] };
  const marked = {
    type: "string",
    pattern: "^(inputs|run_metadata)\\.[^\\s:=]+$",
    description: "Field that marks the rows: any value but false, 0 and the empty text.",
  };
  const mustPass = {
    type: "object",
    minProperties: 1,
    additionalProperties: false,
    properties: {
      require: {
        ...SCHEMA_LINES,
        description: "What each row must score; default: the floors in `gates`.",
      },
      at_least: {
        type: "integer",
        minimum: 1,
        description: "Repeats of an example that must pass; default: all.",
      },
    },
    patternProperties: {
      "^(inputs|run_metadata)\\..": {
        oneOf: [scalar, { type: "array", items: scalar, minItems: 1 }],
      },
    },
  };
  return {
    description: "Rows that must pass whatever the averages say.",
    oneOf: [marked, mustPass, { type: "array", items: { oneOf: [marked, mustPass] } }],
  };
}

/** JSON Schema (draft-7) of a gate file, for editors. */
export function gateSchema(): Record<string, unknown> {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "agent-deploy gate file",
    type: "object",
    additionalProperties: false,
    properties: {
      gates: SCHEMA_LINES,
      direction: {
        type: "object",
        additionalProperties: { enum: ["lower", "higher"] },
        description: "Which side is better, by metric.",
      },
      alpha: {
        type: "number",
        exclusiveMinimum: 0,
        maximum: 0.5,
        default: DEFAULTS.alpha,
        description:
          "Accepted chance of failing an unchanged agent, all drops of the run together.",
      },
      proof: {
        enum: ["detect", "rule-out"],
        default: DEFAULTS.proof,
        description:
          "detect: fail on a proven fall. rule-out: pass only where a fall beyond the limit is ruled out.",
      },
      floors: {
        enum: ["observed", "proven"],
        default: DEFAULTS.floors,
        description:
          "observed: the score of this run decides about a floor. proven: fail only where it is surely missed.",
      },
      errors: {
        enum: ["count", "ignore"],
        default: DEFAULTS.errors,
        description: "Whether examples that crash now and did not in the baseline count.",
      },
      pool: {
        type: "boolean",
        default: DEFAULTS.pool,
        description: "Judge the providers and prompts of one file as one agent.",
      },
      evaluator: {
        type: "string",
        description:
          "Version of the judge or scorer; a baseline of another version is not compared.",
      },
      cluster_by: {
        type: "string",
        pattern: "^(inputs|run_metadata)\\..",
        description:
          "Rows with the same value are not independent: one document, one conversation.",
      },
      must_pass: mustPassSchema(),
      min_rows: {
        type: "integer",
        minimum: 1,
        default: DEFAULTS.min_rows,
        description: "Fewest rows that did not error.",
      },
      min_overlap: {
        description:
          "Smallest share of the baseline's examples that the new results must have too.",
        default: DEFAULTS.min_overlap,
        oneOf: [
          { type: "number", minimum: 0, maximum: 1 },
          { type: "string", pattern: "^\\d+(\\.\\d+)?\\s*%$" },
        ],
      },
    },
  };
}
