import type * as z from "zod/v4";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Position } from "../../spec/desired.ts";
import { parseYaml } from "../../spec/yaml.ts";
import { placeAt, toPlain, type YamlNode } from "../../spec/yaml-node.ts";
import { type Json, type JsonObject, isObject } from "../../model/json.ts";
import { SCENARIO, SEEDED_DEPLOYMENT } from "./option-schema.ts";
import type { EmulatorOptions } from "../options.ts";
import { checkRule, showPath, withoutNulls, type Flaw } from "./schema.ts";

/** An unusable scenario or seed; each line names the place and what to write instead. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
}

const show = (at: Position, message: string): string =>
  `${at.file}:${at.line}:${at.column}: ${message}`;

/** A mistake with its place. */
export const describeFlaw = ({ path, message }: Flaw): string =>
  path.length === 0 ? message : `${showPath(path)}: ${message}`;

/** The documents of a text; throws every YAML mistake. */
function readDocuments(text: string, file: string): ReturnType<typeof parseYaml>["documents"] {
  const { documents, problems } = parseYaml(text, file);
  if (problems.length > 0)
    throw new ScenarioError(problems.map((one) => show(one, one.message)).join("\n"));
  return documents;
}

/** The checked value of a node; throws every mistake with its place. */
function checkAt(node: YamlNode, rule: z.ZodType, value: JsonObject): JsonObject {
  const flaws = checkRule(rule, value)
    .map((flaw) => ({ flaw, at: placeAt(node, flaw.path, flaw.onKey === true) }))
    .sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
  if (flaws.length > 0)
    throw new ScenarioError(flaws.map(({ at, flaw }) => show(at, describeFlaw(flaw))).join("\n"));
  return withoutNulls(rule, value) as JsonObject;
}

/** The deployments of a spec file: our own keys are removed, and `deploy.id` becomes the id. */
export function parseSeedFile(text: string, file: string): readonly JsonObject[] {
  return readDocuments(text, file).flatMap((node) => {
    const value = toPlain(node);
    if (value === null) return [];
    if (!isObject(value)) throw new ScenarioError(show(node.at, "a deployment is a mapping"));
    const { deploy, variables, secrets, ...rest } = value;
    // An empty `secrets:` is null.
    const own = secrets ?? [];
    const id = isObject(deploy) && typeof deploy["id"] === "string" ? { id: deploy["id"] } : {};
    const given = Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith("x-")));
    const plain = isObject(variables)
      ? Object.entries(variables).map(([name, one]) => ({ name, value: String(one ?? "") }))
      : [];
    const all = Array.isArray(own) ? [...(own as readonly Json[]), ...plain] : own;
    return [checkAt(node, SEEDED_DEPLOYMENT, { ...given, ...id, secrets: all })];
  });
}

/** The text of a file; `toError` says which one cannot be read. */
export function readTextFile(path: string, toError: (why: string) => Error): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "unknown" } = error as { readonly code?: string };
    throw toError(code === "ENOENT" ? "was not found" : `cannot be read (${code})`);
  }
}

/** The seed with the deployments of its files; paths are relative to `folder`. */
function withFiles(seed: JsonObject, folder: string, node: YamlNode): JsonObject {
  const { files, ...rest } = seed;
  if (!Array.isArray(files)) return seed;
  const read = (files as readonly string[]).flatMap((file, i) => {
    const text = readTextFile(resolve(folder, file), (why) => {
      const message = `seed.files[${i}]: ${file} ${why}; paths are relative to the scenario file`;
      return new ScenarioError(show(placeAt(node, ["seed", "files", i], false), message));
    });
    return parseSeedFile(text, file);
  });
  const own = (rest["deployments"] ?? []) as readonly Json[];
  return { ...rest, deployments: [...own, ...read] };
}

/** The options in a scenario file (YAML or JSON). */
export function parseScenario(text: string, file: string): EmulatorOptions {
  const [node, second] = readDocuments(text, file);
  if (second !== undefined)
    throw new ScenarioError(show(second.at, "a scenario is one document; remove ---"));
  const given = node === undefined ? null : toPlain(node);
  if (node === undefined || given === null) return {};
  if (!isObject(given))
    throw new ScenarioError(
      show(node.at, 'a scenario is a mapping of options, such as "timeScale: 50"'),
    );
  const value = checkAt(node, SCENARIO, given);
  const seed = value["seed"];
  return (isObject(seed)
    ? { ...value, seed: withFiles(seed, dirname(file), node) }
    : value) as unknown as EmulatorOptions;
}

/** Checks the options of a program by the same rules as a file. */
export function checkOptions(options: object): void {
  const { clock, ...rest } = options as Record<string, unknown>;
  const manual = isObject(clock) && !("now" in clock) ? { clock } : {};
  const flaws = checkRule(SCENARIO, { ...rest, ...manual });
  if (flaws.length > 0) throw new ScenarioError(flaws.map(describeFlaw).join("\n"));
}
