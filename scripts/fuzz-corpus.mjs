// The kept corpus: `__tests__/security/corpus/<surface>/<what>`, files as they would come from outside.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./compile.mjs";
import { folderOf } from "./fuzz-surfaces.mjs";

const corpus = join(root, "__tests__/security/corpus");

/** Every kept file: the folder it is in, its name, its bytes. */
export function readCorpus() {
  if (!existsSync(corpus)) return [];
  const folders = readdirSync(corpus, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  return folders.flatMap((folder) =>
    readdirSync(join(corpus, folder))
      .sort()
      .map((file) => ({ folder, file, bytes: readFileSync(join(corpus, folder, file)) })),
  );
}

/** The corpus by surface, as `createSurfaces` takes it to begin mutations from. */
export function toSeeds(names, kept = readCorpus()) {
  return Object.fromEntries(
    names.map((name) => [
      name,
      kept.filter(({ folder }) => folder === folderOf(name)).map(({ bytes }) => bytes),
    ]),
  );
}
