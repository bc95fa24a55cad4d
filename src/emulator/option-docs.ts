import { ADMIN_ROUTES } from "./admin.ts";
import type { JsonObject } from "./json.ts";
import { SCENARIO } from "./option-schema.ts";
import { describeRule, toSchema, type Fields, type Rule } from "./schema.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** The keys below a rule, whichever list or mapping stands around them. */
function inner(rule: Rule): Fields | null {
  switch (rule.kind) {
    case "object":
      return rule.fields;
    case "list":
    case "map":
      return inner(rule.of);
    case "either": {
      const found = rule.rules.map(inner).find((fields) => fields !== null);
      return found ?? null;
    }
    default:
      return null;
  }
}

function rowsOf(fields: Fields, before: string): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const key = `${before}${name}`;
    const usual = field.required === true ? "required" : (field.usual ?? "");
    const line = `| \`${key}\` | ${cell(describeRule(field.rule))} | ${cell(usual)} | ${cell(field.doc)} |`;
    const below = inner(field.rule);
    const mark = field.rule.kind === "list" ? "[]." : ".";
    return [line, ...(below === null ? [] : rowsOf(below, `${key}${mark}`))];
  });
}

/** Every key of a scenario file as the rows of a table. */
export function renderScenarioKeys(): readonly string[] {
  return [
    "| Key | Takes | Default | Does |",
    "|---|---|---|---|",
    ...rowsOf(inner(SCENARIO) ?? {}, ""),
  ];
}

/** Every admin endpoint as the rows of a table. */
export function renderAdminRoutes(): readonly string[] {
  const rows = Object.entries(ADMIN_ROUTES).map(
    ([key, { doc }]) => `| \`${key.replace(" ", " /_emulator/")}\` | ${cell(doc)} |`,
  );
  return ["| Endpoint | Does |", "|---|---|", ...rows];
}

/** What editors check a scenario file by. */
export function scenarioSchema(): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Scenario of the agent-deploy emulator",
    ...toSchema(SCENARIO),
  };
}
