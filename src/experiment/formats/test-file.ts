/** How many folders are used to distinguish two files of one name: a hostile report's path may have millions. */
const MAX_FOLDERS = 40;

/** A path's last parts, from any system: folders, then the file's name. */
const partsOf = (path: string): string[] =>
  path
    .split(/[\\/]+/)
    .filter((part) => part !== "" && part !== ".")
    .slice(-MAX_FOLDERS);

/** How many parts it takes until no two of the paths end alike. */
function depthOf(paths: readonly (readonly string[])[]): number {
  const most = Math.max(...paths.map(({ length }) => length));
  for (let depth = 1; depth < most; depth += 1)
    if (new Set(paths.map((parts) => parts.slice(-depth).join("/"))).size === paths.length)
      return depth;
  return most;
}

/** A test whose file may distinguish it from others. */
export interface FiledTest {
  /** The rest of the test's identity, as text. */
  readonly key: string;
  readonly path: string | undefined;
  /** Whether `key` already names the file. */
  readonly isNamed?: boolean;
}

/**
 * The file of each test for its identity: only its name, since runners write the paths of their
 * machine. The name is always included, so that a second file changes no id of the first. Folders
 * precede it only if the report has another test with the same `key` in another file of that name:
 * as many as distinguish them. A path relative to the checkout would differ whenever tests ran in
 * a container or the report is read on another machine.
 */
export function shortPaths(tests: readonly FiledTest[]): (string | undefined)[] {
  const groups = new Map<string, Map<string, readonly string[]>>();
  const placed = tests.map(({ key, path, isNamed = false }) => {
    const parts = partsOf(path ?? "");
    if (parts.length === 0) return undefined;
    const alike = JSON.stringify([key, parts.at(-1)]);
    const paths = groups.get(alike) ?? new Map<string, readonly string[]>();
    groups.set(alike, paths.set(parts.join("/"), parts));
    return { alike, parts, isNamed };
  });
  const depths = new Map(
    [...groups].map(([alike, paths]) => [alike, depthOf([...paths.values()])]),
  );
  return placed.map((found) =>
    found === undefined || (found.isNamed && groups.get(found.alike)!.size === 1)
      ? undefined
      : found.parts.slice(-depths.get(found.alike)!).join("/"),
  );
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Whether a class, module or suite is named after the file, as in pytest and vitest: then the file adds nothing. */
export function isNamedAfter(name: string, path: string): boolean {
  const base = partsOf(path).at(-1) ?? "";
  const spellings = new Set(
    [base, base.replace(/\.[^.]*$/, ""), base.replace(/\..*$/s, "")].map(plain),
  );
  return [name, ...name.split(/[\\/]/).slice(-1), ...name.split(/[\\/.:$]+/)].some(
    (part) => part !== "" && spellings.has(plain(part)),
  );
}
