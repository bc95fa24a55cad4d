import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { readModules, parseModule, type Export, type Module } from "./support/source-graph.ts";
import { repositoryRoot } from "./support/tree.ts";

/** What each folder may import, besides itself, packages and Node. Folders that are not named here are files of src/ itself. */
const DIRECTIONS: Readonly<Record<string, readonly string[]>> = {
  files: [],
  model: [],
  source: ["files", "model"],
  secrets: ["model", "terminal-codes.ts"],
  spec: ["model", "secrets", "duration.ts"],
  plan: ["model", "secrets", "spec", "canonical-json.ts", "sha256.ts"],
  gate: ["model", "spec", "report"],
  report: ["model", "spec", "plan", "filled-lines.ts", "terminal-codes.ts"],
  experiment: [
    "files",
    "model",
    "spec",
    "service",
    "gate",
    "report",
    "canonical-json.ts",
    "clock.ts",
  ],
  service: ["model", "secrets", "clock.ts"],
  deploy: ["files", "model", "spec", "plan", "report", "service", "clock.ts", "run-context.ts"],
  github: [
    "model",
    "deploy",
    "files",
    "secrets",
    "spec",
    "plan",
    "report",
    "service",
    "ci",
    "canonical-json.ts",
    "clock.ts",
    "run-context.ts",
    "sha256.ts",
    "terminal-codes.ts",
  ],
  ci: [
    "files",
    "model",
    "secrets",
    "spec",
    "plan",
    "report",
    "service",
    "deploy",
    "cli",
    "clock.ts",
    "run-context.ts",
  ],
  cli: ["model", "spec", "duration.ts", "filled-lines.ts"],
  emulator: ["model", "spec", "clock.ts"],
  evaluation: [
    "files",
    "model",
    "spec",
    "plan",
    "service",
    "gate",
    "report",
    "experiment",
    "deploy",
    "ci",
    "cli",
    "clock.ts",
    "run-context.ts",
  ],
  commands: [
    "evaluation",
    "files",
    "model",
    "secrets",
    "spec",
    "plan",
    "gate",
    "report",
    "experiment",
    "service",
    "source",
    "deploy",
    "ci",
    "cli",
    "github",
    "emulator",
    "clock.ts",
    "duration.ts",
  ],
  entry: [
    "commands",
    "ci",
    "github",
    "secrets",
    "files",
    "cli",
    "report",
    "clock.ts",
    "run-context.ts",
    "version.ts",
  ],
};
const PURE = [
  ...["model", "plan", "gate", "report", "spec"],
  ...["canonical-json.ts", "filled-lines.ts", "terminal-codes.ts"],
];
const HASHES = ["plan", "gate", "experiment"];
/** The entry points, and the folders through which a run reaches what is outside it. */
const EDGES = ["entry", "ci", "github", "secrets", "service", "emulator", "files", "source"];

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}
interface Source {
  readonly path: string;
  readonly folder: string;
  readonly code: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

function readSources(root: string): Source[] {
  return readdirSync(join(repositoryRoot, root), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
    .sort()
    .map((path) => {
      const text = readFileSync(join(repositoryRoot, root, path), "utf8");
      const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(?<![:"'`])\/\/.*$/gm, "");
      const imports = [
        ...[
          ...code.matchAll(/^\s*(?:import|export)\s+(type\s+)?[^;"'()]*?from\s+["']([^"']+)["']/gm),
        ].map(([, type, specifier]) => ({ specifier: specifier!, typeOnly: type !== undefined })),
        ...[...code.matchAll(/(?:^\s*import\s+|import\()["']([^"']+)["']/gm)].map(
          ([, specifier]) => ({ specifier: specifier!, typeOnly: false }),
        ),
      ];
      return { path, folder: path.split("/")[0]!, code, text, imports };
    });
}

const sources = readSources("src");
const target = (source: Source, specifier: string): string =>
  relative("/src", resolve("/src", dirname(source.path), specifier));
const offences = (find: (source: Source) => readonly string[]): string[] =>
  sources.flatMap((source) => find(source).map((what) => `${source.path}: ${what}`));

describe("import directions", () => {
  test("a folder imports, types included, only from folders below it", () => {
    expect(
      offences((source) =>
        source.imports
          .filter(({ specifier }) => {
            if (!specifier.startsWith(".") || DIRECTIONS[source.folder] === undefined) return false;
            const folder = target(source, specifier).split("/")[0]!;
            return folder !== source.folder && !DIRECTIONS[source.folder]!.includes(folder);
          })
          .map(({ specifier }) => `imports ${specifier}`),
      ),
    ).toEqual([]);
  });

  test("the emulator shares only the field table, the clock and the YAML reader with the client", () => {
    const shared = ["spec/yaml.ts", "spec/yaml-node.ts", "spec/suggestion.ts", "spec/desired.ts"];
    expect(
      offences((source) =>
        source.folder !== "emulator"
          ? []
          : source.imports
              .map(({ specifier }) => specifier)
              .filter(
                (specifier) =>
                  specifier.startsWith(".") &&
                  !shared.includes(target(source, specifier)) &&
                  !["emulator", "model", "clock.ts"].includes(
                    target(source, specifier).split("/")[0]!,
                  ),
              ),
      ),
    ).toEqual([]);
  });

  test("only commands import the emulator", () => {
    expect(
      offences((source) =>
        ["commands", "emulator"].includes(source.folder)
          ? []
          : source.imports
              .map(({ specifier }) => specifier)
              .filter(
                (specifier) =>
                  specifier.startsWith(".") && target(source, specifier).startsWith("emulator/"),
              ),
      ),
    ).toEqual([]);
  });

  test("in experiment, formats import only formats and input, and input only input", () => {
    const inner = (path: string): string => /^experiment\/(formats|input)\//.exec(path)?.[1] ?? "";
    expect(
      offences((source) =>
        source.imports
          .map(({ specifier }) => (specifier.startsWith(".") ? target(source, specifier) : ""))
          .filter((to) => {
            const [from, into] = [inner(source.path), inner(to)];
            const isBelow = into === "input" || (from === "formats" && into === "formats");
            return from !== "" && to.startsWith("experiment/") && !isBelow;
          }),
      ),
    ).toEqual([]);
  });

  test("every folder of src/ has its import directions listed here", () => {
    const folders = new Set(
      sources.filter(({ path }) => path.includes("/")).map(({ folder }) => folder),
    );
    expect([...folders].filter((folder) => DIRECTIONS[folder] === undefined)).toEqual([]);
  });

  test("there are no import cycles, types included", () => {
    const below = new Map(
      sources.map((source) => [
        source.path,
        source.imports
          .filter(({ specifier }) => specifier.startsWith("."))
          .map(({ specifier }) => target(source, specifier)),
      ]),
    );
    const done = new Set<string>();
    const rings: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path))
        rings.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
      if (trail.includes(path) || done.has(path)) return;
      for (const next of below.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const { path } of sources) visit(path, []);
    expect(rings).toEqual([]);
  });
});

describe("purity", () => {
  test("model, plan, gate, report and spec use no I/O, clock, randomness or globals", () => {
    expect(
      offences((source) => {
        if (!PURE.includes(source.folder)) return [];
        const modules = source.imports
          .map(({ specifier }) => specifier)
          .filter((specifier) => /^(node:|@actions\/|undici)/.test(specifier))
          .filter((specifier) => !(specifier === "node:crypto" && HASHES.includes(source.folder)));
        return [
          ...modules,
          ...(source.code.match(
            /\bprocess\.|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bconsole\.|\bperformance\.|\bset(?:Timeout|Interval)\(|\bglobalThis\b/g,
          ) ?? []),
        ];
      }),
    ).toEqual([]);
  });

  test("no module outside the edges reads the clock or draws random numbers", () => {
    expect(
      offences((source) =>
        source.path === "clock.ts" || EDGES.includes(source.folder)
          ? []
          : (source.code.match(/\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/g) ?? []),
      ),
    ).toEqual([]);
  });

  test("in deploy, only look.ts waits", () => {
    expect(
      offences((source) =>
        source.folder !== "deploy" || source.path === "deploy/look.ts"
          ? []
          : (source.code.match(/\bsleep\(|\bsetTimeout\(|\bfor \(;;\)|\bwhile \(/g) ?? []),
      ),
    ).toEqual([]);
  });

  test("only the edges read the environment", () => {
    expect(
      offences((source) =>
        EDGES.includes(source.folder)
          ? []
          : (source.code.match(/\bprocess\.env\b|\bgetInput\(/g) ?? []),
      ),
    ).toEqual([]);
  });
});

describe("tables", () => {
  test("a revision status is named only in its table", () => {
    const table = sources.find(({ path }) => path === "model/revision-status.ts")!;
    const statuses = [...table.text.matchAll(/status: "([A-Z_]+)"/g)].map(([, status]) => status);
    expect(statuses.length).toBeGreaterThan(10);
    const named = new RegExp(`"(?:${statuses.join("|")})"`, "g");
    expect(
      offences(({ path, folder, code }) =>
        folder === "emulator" || path === table.path ? [] : (code.match(named) ?? []),
      ),
    ).toEqual([]);
  });

  test("plan/ reads a field's columns instead of naming the fields that they mark", () => {
    expect(
      offences(({ folder, code }) =>
        folder === "plan"
          ? (code.match(
              /(?:path ===|path !==|body\[|path:) ?["`](?:secrets|source_[\w.]*\.(?:repo_ref|repo_branch|resource_spec))\b/g,
            ) ?? [])
          : [],
      ),
    ).toEqual([]);
  });
});

describe("messages", () => {
  /** A word searched for in a sentence of ours: facts are fields. A value that is handed in may be looked for. */
  const SEARCHES = [
    /\b(?:message|reason|why|sentence)\)?\??\.(?:includes|startsWith|endsWith|indexOf|match|search|split)\((?:["'`][^"'`$]*[a-z]{3}|\/[^/]*[a-z]{3})/g,
    /\/[^/\n]*[a-z]{3}[^/\n]*\/[a-z]*\.(?:test|exec)\((?:\w+\.)*(?:message|reason|why|sentence)\)/g,
    /\b(?:message|reason|why|sentence)\.replace\(\/[^/]*[a-z]{3}/g,
  ];
  const searchesIn = (code: string): readonly string[] =>
    SEARCHES.flatMap((search) => code.match(search) ?? []);

  test("no code searches its own messages", () => {
    // The spec's own names of fields are spelled in a sentence as the user spells them.
    const spelled = "plan/plan-draft.ts";
    expect(offences(({ path, code }) => (path === spelled ? [] : searchesIn(code)))).toEqual([]);
  });

  test("the check finds a search of a message", () => {
    for (const code of [
      'if (message.includes("took over"))',
      'gate.reason.startsWith("no-baseline")',
      "/ tried (\\d+) times/.exec(end.message)",
      'why.replace(/^(an experiment): .*/, "$1")',
    ])
      expect([code, searchesIn(code).length]).toEqual([code, 1]);
    expect(searchesIn("message.includes(id)")).toEqual([]);
  });
});

describe("naming and exports", () => {
  /** What says nothing of a file's content, as its name or at its end; and barrels. */
  const CATCH_ALL =
    /(^|[/-])(utils?|helpers?|managers?|handlers?|common|shared|misc|data|info|types)(\.ts$|\/)|(^|\/)index\.ts$/;
  /** Words of others: Docker's program that hands out logins, and a URL's part before the @. */
  const OF_OTHERS = ["ci/credential-helper.ts", "model/user-info.ts"];
  /** Verbs of functions that are no nouns here, unlike the create of `create-plan.ts`. */
  const VERBS = /(^|\/)(parse|judge|render|to|get|set|make|handle|process|send|find)-/;

  test("there are no catch-all files and no barrels", () => {
    const paths = sources.map(({ path }) => path);
    expect(paths.filter((path) => CATCH_ALL.test(path))).toEqual(OF_OTHERS);
    expect("plan/text-utils.ts").toMatch(CATCH_ALL);
    expect("helpers/text.ts").toMatch(CATCH_ALL);
  });

  test("file names are nouns, without the verb of a function", () => {
    expect(sources.map(({ path }) => path).filter((path) => VERBS.test(path))).toEqual([]);
    expect("plan/render-plan.ts").toMatch(VERBS);
  });

  test("file names are in kebab case", () => {
    expect(
      sources
        .map(({ path }) => path)
        .filter((path) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.d)?\.ts$/.test(path)),
    ).toEqual([]);
  });

  test("modules have named exports only, and classes only for errors", () => {
    expect(
      offences(
        ({ code }) =>
          code.match(
            /^export default\b|^(?:export )?(?:abstract )?class \w+(?! extends \w*Error\b)(?=[\s{])/gm,
          ) ?? [],
      ),
    ).toEqual([]);
  });

  test("the sources contain no path of a developer's machine", () => {
    expect(offences(({ text }) => text.match(/["'`\s]\/(?:work|root|home)\//g) ?? [])).toEqual([]);
  });

  test("tests mock no modules", () => {
    const mocking = new RegExp(
      ["jest", "vi"]
        .map((name) => `\\b${name}\\.(?:unstable_)?(?:mock|mockModule|doMock)\\(`)
        .join("|"),
    );
    expect(
      readSources("__tests__")
        .filter(({ code }) => mocking.test(code))
        .map(({ path }) => path),
    ).toEqual([]);
  });
});

const modules = readModules("src");
const testModules = readModules("__tests__", /\.m?ts$/);
const scriptModules = [
  ...readModules("scripts", /\.mjs$/),
  ...readModules("benchmarks", /\.mjs$/),
  ...readModules("__tests__", /\.mjs$/),
];
/** Words that say nothing of their own. */
const FILLERS =
  /^(a|an|and|are|as|at|be|by|for|from|get|gets|give|gives|has|if|in|into|is|it|its|made|make|makes|of|on|one|or|return|returns|set|sets|that|the|this|to|value|whether|which|with)$/;

/** Words of a doc comment that stand in neither the name nor the fillers; a method with its path is two. */
function newsOf({ name, doc }: Export): string[] {
  const stem = (word: string): string => word.toLowerCase().replace(/(ies|es|s|ed|ing)$/, "");
  const known = new Set(name.split(/(?=[A-Z][a-z])|_|(?<=[a-z])(?=[A-Z])/).map(stem));
  if (/^(GET|POST|PATCH|DELETE) \S*\//.test(doc)) return doc.split(" ");
  return [...new Set(doc.match(/[\w/.{}…-]*[\w}]/g) ?? [])].filter(
    (word) => !FILLERS.test(word.toLowerCase()) && !known.has(stem(word)),
  );
}

function undocumented(module: Module): string[] {
  // A type that is inferred from the schema of the same name is what that one says; schemas of the field table say it field by field.
  const said = (one: Export): boolean =>
    newsOf(one).length >= 2 ||
    module.exports.some(
      (other) => other !== one && other.name === one.name && newsOf(other).length >= 2,
    );
  return module.exports
    .filter((one) => !said(one))
    .map(
      ({ name, doc }) =>
        `${module.path}: ${name}: ${doc === "" ? "has no doc comment" : `"${doc}" repeats the name`}`,
    );
}

describe("doc comments", () => {
  test("every export has a doc comment that says more than its name and type", () => {
    expect(modules.flatMap(undocumented)).toEqual([]);
  });

  test("the check finds a missing doc comment, and one that repeats the name", () => {
    const text =
      "export const timeoutMs = 1;\n\n/** Reads the spec. */\nexport function readSpec(): void {}\n\n/** Milliseconds, counted from leaving the queue. */\nexport const limitMs = 2;\n";
    expect(undocumented(parseModule("src/a.ts", text))).toEqual([
      "src/a.ts: timeoutMs: has no doc comment",
      'src/a.ts: readSpec: "Reads the spec." repeats the name',
    ]);
  });
});

describe("dependencies", () => {
  const manifest = JSON.parse(
    readFileSync(join(repositoryRoot, "package.json"), "utf8"),
  ) as Readonly<Record<"overrides", Readonly<Record<string, string>>>>;
  const packageOf = (specifier: string): string =>
    specifier
      .split("/")
      .slice(0, specifier.startsWith("@") ? 2 : 1)
      .join("/");
  const packagesOf = (from: readonly Module[]): string[] =>
    [
      ...new Set(
        from.flatMap(({ imports }) =>
          imports
            .filter(({ specifier, typeOnly }) => !/^(\.|node:)/.test(specifier) && !typeOnly)
            .map(({ specifier }) => packageOf(specifier)),
        ),
      ),
    ].sort();

  test("installing the package installs no dependency: dist/ bundles what src/ imports, by its documented entry points", () => {
    expect(Object.keys(manifest)).not.toContain("dependencies");
    const bundled = readFileSync(join(repositoryRoot, "dist/licenses.txt"), "utf8").split("\n");
    expect(packagesOf(modules).filter((name) => !bundled.includes(name))).toEqual([]);
    const specifiers = modules.flatMap(({ imports }) => imports.map((one) => one.specifier));
    expect(
      specifiers.filter((specifier) => /node_modules|^(?!@)\w[^/]*\/.*\.js$/.test(specifier)),
    ).toEqual([]);
  });

  test("only commands, entry points and the GitHub host import modules dynamically", () => {
    const late = sources.flatMap(({ path, code }) =>
      [...code.matchAll(/(?<!typeof )\bimport\(/g)].map(() => path),
    );
    expect([...new Set(late)]).toEqual([
      "commands/apply.ts",
      "commands/gate.ts",
      "entry/action.ts",
      "entry/command.ts",
      "github/history-request.ts",
      "github/host.ts",
    ]);
  });

  test("every override names an installed package", () => {
    const { packages } = JSON.parse(
      readFileSync(join(repositoryRoot, "package-lock.json"), "utf8"),
    ) as { packages: Readonly<Record<string, unknown>> };
    expect(
      Object.keys(manifest.overrides).filter(
        (name) => packages[`node_modules/${name}`] === undefined,
      ),
    ).toEqual([]);
  });
});

test("the build exports every name that scripts and benchmarks import from it", () => {
  const namesIn = (text: string): string[] =>
    text
      .split(",")
      .map((name) => name.split(/ as |:/)[0]!.trim())
      .filter((name) => name !== "");
  const taken = scriptModules.flatMap(({ path, text }) =>
    [
      ...[...text.matchAll(/import \{([^}]*)\} from "#built\/([^"]+)\.js"/g)].map(
        ([, names, from]) => [names!, from!] as const,
      ),
      ...[...text.matchAll(/const \{([^}]*)\} = modules\["([^"]+)"\];/g)].map(
        ([, names, from]) => [names!, from!] as const,
      ),
      ...[...text.matchAll(/modules\["([^"]+)"\]\.(\w+)/g)].map(
        ([, from, name]) => [name!, from!] as const,
      ),
    ].flatMap(([names, from]) =>
      namesIn(names).map((name) => ({ path, from: `src/${from}.ts`, name })),
    ),
  );
  expect(taken.length).toBeGreaterThan(50);
  const isExported = ({ from, name }: { from: string; name: string }): boolean =>
    modules.some(
      (module) => module.path === from && module.exports.some((one) => one.name === name),
    );
  expect(taken.filter((one) => !isExported(one))).toEqual([]);
  const { text = "" } =
    scriptModules.find(({ path }) => path === "scripts/fuzz-surfaces.mjs") ?? {};
  const listed = /const MODULES = \[([^\]]*)\]/.exec(text)?.[1] ?? "";
  const used = new Set([...text.matchAll(/modules\["([^"]+)"\]/g)].map(([, name]) => name!));
  const named = [...listed.matchAll(/"([^"]+)"/g)].map(([, name]) => name!);
  expect([...used].filter((name) => !named.includes(name))).toEqual([]);
});

test("scripts are type-checked against the sources, without declaration files of their own", () => {
  const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  expect(scripts["typecheck"]).toContain("tsc -p tsconfig.scripts.json");
  expect(scripts["check"]).toContain("npm run typecheck");
  const declared = ["scripts", "benchmarks"].flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: "utf8" }).filter(
      (name) => /\.d\.[mc]?ts$/.test(name),
    ),
  );
  expect(declared).toEqual([]);
});

test("no test sets a timeout under ten minutes, which a busy machine could exceed", () => {
  const limits = testModules.flatMap(({ path, text }) =>
    [...text.matchAll(/^ *\},(?: |\n *)([\d_]+),?\n? *\);$/gm)].map(([, limit]) => ({
      path,
      ms: Number(limit!.replaceAll("_", "")),
    })),
  );
  expect(limits.length).toBeGreaterThan(0);
  // Under a second it is a timer of the test's own.
  expect(limits.filter(({ ms }) => ms >= 1000 && ms < 600_000)).toEqual([]);
});

describe("ARCHITECTURE.md", () => {
  const page = readFileSync(join(repositoryRoot, "ARCHITECTURE.md"), "utf8");

  test("names no module that does not exist", () => {
    const named = [...page.matchAll(/`((?:[a-z-]+\/)+[a-z-]+\.ts)`/g)].map(([, file]) =>
      file!.startsWith("__tests__") ? file! : `src/${file}`,
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
  });

  test("lists every folder of src/ below the folders that import from it", () => {
    const [, table = ""] = /^## Folders\n([\s\S]*?)^## /m.exec(page) ?? [];
    const rooms = [...table.matchAll(/^\| ([a-z]+) \|/gm)].map(([, room]) => room!);
    expect([...rooms].sort()).toEqual(Object.keys(DIRECTIONS).sort());
    const upward = Object.entries(DIRECTIONS).flatMap(([room, below]) =>
      below
        .filter((other) => !other.endsWith(".ts") && rooms.indexOf(other) > rooms.indexOf(room))
        .map((other) => `${room} imports ${other}`),
    );
    expect(upward).toEqual([]);
  });
});
