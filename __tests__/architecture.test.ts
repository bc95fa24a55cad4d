import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { repositoryRoot } from "./support/tree.ts";

/** What each folder may import at run time, besides itself, packages and Node. Folders that are not named here are files of src/ itself. */
const DIRECTIONS: Readonly<Record<string, readonly string[]>> = {
  model: ["spec"],
  spec: ["model", "duration.ts"],
  plan: ["model", "spec"],
  gate: ["model", "spec", "report"],
  report: ["model", "spec", "plan", "gate", "duration.ts"],
  experiment: ["model", "spec", "gate", "report", "clock.ts", "duration.ts"],
  service: ["model", "spec", "clock.ts", "duration.ts"],
  deploy: ["model", "spec", "plan", "report", "service", "clock.ts", "duration.ts"],
  host: ["model", "spec", "plan", "report", "inputs.ts", "clock.ts", "duration.ts"],
  emulator: ["model", "clock.ts"],
  commands: ["model", "spec", "plan", "gate", "report", "experiment", "service", "deploy", "host", "emulator", "clock.ts", "duration.ts", "inputs.ts", "arguments.ts", "help.ts"],
};
const PURE = ["model", "plan", "gate", "report", "spec"];
const HASHES = ["plan", "gate", "experiment"];
/** The doors, and the folders through which a run reaches what is outside it. */
const EDGES = ["action.ts", "cli.ts", "post.ts", "wiring.ts", "host", "service", "emulator"];

interface Import { readonly specifier: string; readonly typeOnly: boolean }
interface Source { readonly path: string; readonly folder: string; readonly code: string; readonly text: string; readonly imports: readonly Import[] }

function readSources(root: string): Source[] {
  return readdirSync(join(repositoryRoot, root), { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts")).sort().map((path) => {
    const text = readFileSync(join(repositoryRoot, root, path), "utf8");
    const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(?<![:"'`])\/\/.*$/gm, "");
    const imports = [
      ...[...code.matchAll(/^\s*(?:import|export)\s+(type\s+)?[^;"'()]*?from\s+["']([^"']+)["']/gm)].map(([, type, specifier]) => ({ specifier: specifier!, typeOnly: type !== undefined })),
      ...[...code.matchAll(/(?:^\s*import\s+|import\()["']([^"']+)["']/gm)].map(([, specifier]) => ({ specifier: specifier!, typeOnly: false })),
    ];
    return { path, folder: path.split("/")[0]!, code, text, imports };
  });
}

const sources = readSources("src");
const target = (source: Source, specifier: string): string => relative("/src", resolve("/src", dirname(source.path), specifier));
const offences = (find: (source: Source) => readonly string[]): string[] => sources.flatMap((source) => find(source).map((what) => `${source.path}: ${what}`));

describe("directions", () => {
  test("a folder imports only what stands below it; types may come from beside it", () => {
    expect(offences((source) => source.imports.filter(({ specifier, typeOnly }) => {
      if (!specifier.startsWith(".") || specifier.includes("/node_modules/") || DIRECTIONS[source.folder] === undefined) return false;
      const folder = target(source, specifier).split("/")[0]!;
      return folder !== source.folder && !typeOnly && !DIRECTIONS[source.folder]!.includes(folder);
    }).map(({ specifier }) => `imports ${specifier}`))).toEqual([]);
  });

  test("the emulator shares the field table and the clock with the client, and not even a type more", () => {
    expect(offences((source) => (source.folder !== "emulator" ? [] : source.imports.map(({ specifier }) => specifier)
      .filter((specifier) => specifier.startsWith(".") && !["emulator", "model", "clock.ts"].includes(target(source, specifier).split("/")[0]!))))).toEqual([]);
  });

  test("only commands, never the rest, know the emulator", () => {
    expect(offences((source) => (["commands", "emulator"].includes(source.folder) ? [] : source.imports.map(({ specifier }) => specifier)
      .filter((specifier) => specifier.startsWith(".") && target(source, specifier).startsWith("emulator/"))))).toEqual([]);
  });

  test("every folder of src/ has its directions here", () => {
    const folders = new Set(sources.filter(({ path }) => path.includes("/")).map(({ folder }) => folder));
    expect([...folders].filter((folder) => DIRECTIONS[folder] === undefined)).toEqual([]);
  });

  test("no files import each other in a ring at run time", () => {
    const below = new Map(sources.map((source) => [source.path, source.imports.filter(({ specifier, typeOnly }) => specifier.startsWith(".") && !typeOnly).map(({ specifier }) => target(source, specifier))]));
    const done = new Set<string>();
    const rings: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) rings.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
      if (trail.includes(path) || done.has(path)) return;
      for (const next of below.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const { path } of sources) visit(path, []);
    expect(rings).toEqual([]);
  });
});

describe("purity", () => {
  test("model, plan, gate, report and spec reach nothing outside themselves", () => {
    expect(offences((source) => {
      if (!PURE.includes(source.folder)) return [];
      const modules = source.imports.map(({ specifier }) => specifier).filter((specifier) => /^(node:|@actions\/|undici)/.test(specifier))
        .filter((specifier) => !(specifier === "node:crypto" && HASHES.includes(source.folder)));
      return [...modules, ...(source.code.match(/\bprocess\.|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bconsole\.|\bperformance\.|\bset(?:Timeout|Interval)\(|\bglobalThis\b/g) ?? [])];
    })).toEqual([]);
  });

  test("time and randomness are handed in, everywhere", () => {
    expect(offences((source) => (source.path === "clock.ts" || EDGES.includes(source.folder) ? [] : source.code.match(/\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/g) ?? []))).toEqual([]);
  });

  test("the environment is read at the edges alone", () => {
    expect(offences((source) => (EDGES.includes(source.folder) ? [] : source.code.match(/\bprocess\.env\b|\bgetInput\(/g) ?? []))).toEqual([]);
  });
});

describe("names and manners", () => {
  test("no bag files, no barrels", () => {
    expect(sources.map(({ path }) => path).filter((path) => /(^|\/)(utils?|helpers?|common|manager|types|index)\.ts$/.test(path))).toEqual([]);
  });

  test("files are kebab-case nouns", () => {
    expect(sources.map(({ path }) => path).filter((path) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.d)?\.ts$/.test(path))).toEqual([]);
  });

  test("named exports only, and classes for errors alone", () => {
    expect(offences(({ code }) => code.match(/^export default\b|^(?:export )?(?:abstract )?class \w+(?! extends \w*Error\b)(?=[\s{])/gm) ?? [])).toEqual([]);
  });

  test("every exported function says in a docstring what its type cannot", () => {
    expect(offences(({ text }) => [...text.matchAll(/^(.*)\n(export (?:async )?function\*? \w+)/gm)].filter(([, before]) => !/\*\/\s*$/.test(before!)).map(([, , what]) => what!))).toEqual([]);
  });

  test("no path of a developer's machine stands in the sources", () => {
    expect(offences(({ text }) => text.match(/["'`\s]\/(?:work|root|home)\//g) ?? [])).toEqual([]);
  });

  test("tests replace no module", () => {
    const mocking = new RegExp(["jest", "vi"].map((name) => `\\b${name}\\.(?:unstable_)?(?:mock|mockModule|doMock)\\(`).join("|"));
    expect(readSources("__tests__").filter(({ code }) => mocking.test(code)).map(({ path }) => path)).toEqual([]);
  });
});
