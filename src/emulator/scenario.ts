import { parseRevisionRules } from "./admin.ts";
import { CHOICES } from "./choices.ts";
import { parseFaults } from "./fault.ts";
import { isObject } from "./json.ts";
import type { EmulatorOptions } from "./options.ts";

/** A scenario that cannot be used: the file, and what to write instead. */
class ScenarioError extends Error {
  override readonly name = "ScenarioError";
}

const KEYS = [
  "clock",
  "timeScale",
  "phases",
  "lags",
  "revisions",
  "faults",
  "seed",
  "readback",
  "secretValues",
  "maskedSecrets",
  "dialect",
  "apiKeys",
  "bearerTokens",
  "region",
  "limits",
  "strict",
  ...Object.keys(CHOICES),
];

/** The options in a scenario file (YAML or JSON): the names are those of EmulatorOptions. */
export async function parseScenario(text: string, file: string): Promise<EmulatorOptions> {
  const { load } = await import("js-yaml");
  let value: unknown;
  try {
    value = load(text, { filename: file });
  } catch (error) {
    throw new ScenarioError(`${file}: ${(error as Error).message}`);
  }
  if (value === null || value === undefined) return {};
  if (!isObject(value))
    throw new ScenarioError(`${file}: a scenario is a mapping of options, such as "timeScale: 50"`);
  const unknown = Object.keys(value).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0)
    throw new ScenarioError(
      `${file}: unknown key ${unknown.join(", ")}; there are: ${KEYS.join(", ")}`,
    );
  const faults = parseFaults(value["faults"] ?? []);
  if ("problem" in faults) throw new ScenarioError(`${file}: ${faults.problem}`);
  const rules = parseRevisionRules(value["revisions"] ?? []);
  if ("problem" in rules) throw new ScenarioError(`${file}: ${rules.problem}`);
  return value as unknown as EmulatorOptions;
}
