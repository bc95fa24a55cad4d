import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Position } from "../../spec/desired.ts";
import { parseYaml } from "../../spec/yaml.ts";
import { placeAt, toPlain } from "../../spec/yaml-node.ts";
import { type Json, type JsonObject, isObject } from "../../model/json.ts";
import { SCENARIO, SEED, toSeedBody } from "./option-schema.ts";
import type { EmulatorOptions } from "../options.ts";
import {
  checkRule,
  showPath,
  withoutNulls,
  type Flaw,
  type OptionRule,
  type SchemaPath,
} from "./schema.ts";

/** A scenario or seed that cannot be used; each line names its place and what to write instead. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
}

const show = (at: Position, message: string): string =>
  `${at.file}:${at.line}:${at.column}: ${message}`;

const describeFlaw = ({ path, message }: Flaw): string =>
  path.length === 0 ? message : `${showPath(path)}: ${message}`;

interface Parsed {
  readonly value: JsonObject;
  readonly placeOf: (path: SchemaPath) => Position | null;
}

/** One document of YAML as the value that a rule takes; every mistake at once otherwise. */
function parseBy(rule: OptionRule, text: string, file: string): Parsed {
  const { documents, problems } = parseYaml(text, file);
  const [node, second] = documents;
  const refused = problems.map((one) => show(one, one.message));
  if (second !== undefined) refused.push(show(second.at, "a scenario is one document; remove ---"));
  if (refused.length > 0) throw new ScenarioError(refused.join("\n"));
  const value = node === undefined ? {} : (toPlain(node) ?? {});
  if (!isObject(value))
    throw new ScenarioError(
      show(node!.at, 'a scenario is a mapping of options, such as "timeScale: 50"'),
    );
  const flaws = checkRule(rule, value);
  if (flaws.length > 0)
    throw new ScenarioError(
      flaws
        .map((flaw) => show(placeAt(node!, flaw.path, flaw.onKey === true), describeFlaw(flaw)))
        .join("\n"),
    );
  return {
    value: withoutNulls(rule, value) as JsonObject,
    placeOf: (path) => (node === undefined ? null : placeAt(node, path, false)),
  };
}

/** The deployments of a spec file: our own keys are left out, `deploy.id` becomes the id. */
export function parseSeedFile(text: string, file: string): readonly JsonObject[] {
  const { documents, problems } = parseYaml(text, file);
  if (problems.length > 0)
    throw new ScenarioError(problems.map((one) => show(one, one.message)).join("\n"));
  return documents.flatMap((node) => {
    const value = toPlain(node);
    if (value === null) return [];
    if (!isObject(value)) throw new ScenarioError(show(node.at, "a deployment is a mapping"));
    const { deploy, variables, ...rest } = value;
    const id = isObject(deploy) && typeof deploy["id"] === "string" ? { id: deploy["id"] } : {};
    const given = Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith("x-")));
    const plain = isObject(variables)
      ? Object.entries(variables).map(([name, one]) => ({ name, value: String(one ?? "") }))
      : [];
    const body: JsonObject = { ...given, ...id };
    const seeded = {
      ...body,
      secrets: [...(toSeedBody(body)["secrets"] as readonly Json[]), ...plain],
    };
    const [flaw] = checkRule(SEED, { deployments: [seeded] });
    if (flaw !== undefined) {
      const inner = flaw.path.slice(2);
      throw new ScenarioError(
        show(placeAt(node, inner, flaw.onKey === true), describeFlaw({ ...flaw, path: inner })),
      );
    }
    return [seeded];
  });
}

/** The seed with the deployments of its files; paths are relative to `folder`. */
function withFiles(seed: JsonObject, folder: string, placeOf: Parsed["placeOf"]): JsonObject {
  const { files, ...rest } = seed;
  if (!Array.isArray(files)) return seed;
  const read = (files as readonly string[]).flatMap((file, i) => {
    let text: string;
    try {
      text = readFileSync(resolve(folder, file), "utf8");
    } catch (error) {
      const { code = "unknown" } = error as { readonly code?: string };
      const why = code === "ENOENT" ? "was not found" : `cannot be read (${code})`;
      const at = placeOf(["seed", "files", i]);
      const message = `seed.files[${i}]: ${file} ${why}; paths are relative to the scenario file`;
      throw new ScenarioError(at === null ? message : show(at, message));
    }
    return parseSeedFile(text, file);
  });
  const own = (rest["deployments"] ?? []) as readonly Json[];
  return { ...rest, deployments: [...own, ...read] };
}

/** The options in a scenario file (YAML or JSON). */
export function parseScenario(text: string, file: string): EmulatorOptions {
  const { value, placeOf: find } = parseBy(SCENARIO, text, file);
  const seed = value["seed"];
  return (isObject(seed)
    ? { ...value, seed: withFiles(seed, dirname(file), find) }
    : value) as unknown as EmulatorOptions;
}

/** Refuses options of a program that are wrong, by the same rules as a file. */
export function checkOptions(options: object): void {
  const { clock, random: _random, ...rest } = options as Record<string, unknown>;
  const manual = isObject(clock) && !("now" in clock) ? { clock } : {};
  const flaws = checkRule(SCENARIO, { ...rest, ...manual });
  if (flaws.length > 0) throw new ScenarioError(flaws.map(describeFlaw).join("\n"));
}
