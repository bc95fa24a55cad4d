// What the sources cite must stand in the repository, and a type name means one thing.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseSync } from "@swc/core";

/** A Markdown page or a path below a folder of the repository, as comments and pages write it. */
const CITED =
  /(?<![\w/.@-])((?:\.\.?\/)*(?:[\w-]+\/)*[\w-]+\.md|(?:src|docs|contributing|scripts|benchmarks|examples|schema|templates|__tests__)\/[\w./-]+\.\w+)/g;
/** Pages that users or other tools have in their own folders. */
const ELSEWHERE = new Set(["comment.md", "report.md", "summary.md"]);

function trackedFiles(root, ...patterns) {
  const listed = execFileSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard", ...patterns],
    { cwd: root, encoding: "utf8" },
  );
  return listed.split("\n").filter((path) => path !== "" && existsSync(join(root, path)));
}

const lineOf = (text, index) => text.slice(0, index).split("\n").length;

/** The comments of a source; strings name files that a run makes. */
function commentsOf(text) {
  return [...text.matchAll(/^[ \t]*\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ [^\n]*/gm)];
}

/** `file:line: …` for every comment that cites a file which does not exist. */
export function missingReferences(root) {
  return trackedFiles(root, "src", "scripts", "benchmarks", "__tests__/*.ts", "__tests__/**/*.ts")
    .filter((path) => /\.(ts|mjs|mts)$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return commentsOf(text).flatMap((comment) =>
        [...comment[0].matchAll(CITED)]
          .map(([, cited]) => cited)
          .filter((cited) => !isThere(root, path, cited))
          .map(
            (cited) =>
              `${path}:${lineOf(text, comment.index)}: cites ${cited}, which does not exist`,
          ),
      );
    });
}

function isThere(root, path, cited) {
  if (ELSEWHERE.has(cited)) return true;
  return existsSync(join(root, cited)) || existsSync(resolve(root, dirname(path), cited));
}

/** `Name: file, file` for every type name that is declared and exported more than once in src/. */
export function repeatedTypes(root) {
  const places = new Map();
  for (const path of trackedFiles(root, "src").filter((each) => /\.m?ts$/.test(each)))
    for (const name of exportedTypes(readFileSync(join(root, path), "utf8")))
      places.set(name, [...(places.get(name) ?? []), path]);
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name}: exported by ${paths.join(", ")}`);
}

const TYPES = [
  "TsInterfaceDeclaration",
  "TsTypeAliasDeclaration",
  "TsEnumDeclaration",
  "ClassDeclaration",
];

function exportedTypes(source) {
  return parseSync(source, { syntax: "typescript" })
    .body.filter((node) => node.type === "ExportDeclaration")
    .map((node) => /** @type {any} */ (node).declaration)
    .filter(({ type }) => TYPES.includes(type))
    .map((declaration) => (declaration.id ?? declaration.identifier).value);
}

function main() {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const onlyFiles = process.argv.includes("--files");
  const found = [...missingReferences(root), ...(onlyFiles ? [] : repeatedTypes(root))];
  for (const line of found) console.error(line);
  console.log(found.length === 0 ? "references: all there" : `references: ${found.length} to fix`);
  process.exitCode = found.length === 0 ? 0 : 1;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  main();
