import type { JsonObject } from "../../model/json.ts";
import type { OptionRule } from "./schema.ts";

/** The rule as JSON Schema (draft 2020-12). */
export function toSchema(rule: OptionRule): JsonObject {
  switch (rule.kind) {
    case "any":
      return rule.schema ?? {};
    case "boolean":
      return { type: "boolean" };
    case "text":
      return {
        type: "string",
        ...(rule.format === undefined ? {} : { format: rule.format }),
        ...(rule.pattern === undefined ? {} : { pattern: rule.pattern }),
      };
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
        ...(rule.open === true ? {} : { additionalProperties: false }),
        ...(required.length === 0 ? {} : { required: required.map(([name]) => name) }),
        properties: Object.fromEntries(
          Object.entries(rule.fields).map(([name, { rule: of, doc, required: must }]) => {
            // A request may say null of what it need not say.
            const mayBeNull = rule.open === true && must !== true;
            const schema = mayBeNull ? { anyOf: [toSchema(of), { type: "null" }] } : toSchema(of);
            return [name, { ...schema, ...(doc === "" ? {} : { description: doc }) }];
          }),
        ),
      };
    }
  }
}
