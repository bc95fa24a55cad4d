import { isObject, parseJson } from "../model/json.ts";
import { listSome } from "../model/count-words.ts";
import { existsSync } from "node:fs";
import { lstat, readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathMatcher } from "../files/glob.ts";
import { compressFiles, hashFiles, type GzipArchive, type Packing } from "./archive.ts";
import { readTree, toPosix, type FoundFile, type Tree } from "./tree.ts";

/** The part of the checkout that a document is built from, ready for upload. */
export interface CheckoutSource {
  /** SHA-256 that changes with the source, 64 hex digits. */
  readonly hash: string;
  /** `langgraph_config_path`, relative to the archive. */
  readonly configPath: string;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** Opens the archive; rejects if the files changed since the plan. */
  readonly open: () => Promise<GzipArchive>;
}

/** One problem; `at` is the part of the spec to change. */
export interface SourceProblem {
  readonly at: "config" | "source";
  readonly message: string;
}

/** What a document says about its source, and where files may be. */
export interface SourceRequest {
  /** Top of the checkout; folders above it are never read. */
  readonly checkout: string;
  /** The current directory of the run. */
  readonly cwd: string;
  /** As written, relative to the checkout; undefined if the spec has none. */
  readonly configPath: string | undefined;
  /** `deploy.source`. */
  readonly folder: string | undefined;
  /** `deploy.paths`. */
  readonly paths: readonly string[];
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
  /** Names of secrets whose value only `apply` knows: no file is searched for them. */
  readonly unknown?: readonly string[];
  /** Absolute paths of our own files. */
  readonly ours: readonly string[];
  /** The files that git tracks in some folders; null if git cannot say. */
  readonly trackedFiles: (folders: readonly string[]) => Promise<readonly string[] | null>;
  /** Folder for temporary files; undefined: the system's. */
  readonly temporary: string | undefined;
  readonly signal: AbortSignal;
}

/** Either the packed source, or every problem with it. */
export type SourceRead =
  | { readonly state: "read"; readonly source: CheckoutSource }
  | { readonly state: "refused"; readonly problems: readonly SourceProblem[] };

/** The vendor's default. */
const CONFIG = "langgraph.json";
const MAX_CONFIG_BYTES = 1024 * 1024;
/** A shorter value is part of too many words. */
const SHORTEST_SEARCHED = 8;
/** From WARN_BYTES the service is slow; MAX_BYTES is its limit (contributing/service.md 2.9). */
const MIB = 1024 * 1024;
const WARN_BYTES = 50 * MIB;
const MAX_BYTES = 200 * MIB;
/** The most names in one note. */
const MAX_NAMES = 10;
const LARGEST = 5;

/** Ends the reading of a source with its problems. */
class SourceError extends Error {
  override readonly name = "SourceError";
  readonly problems: readonly SourceProblem[];
  constructor(at: SourceProblem["at"], ...messages: readonly string[]) {
    super(messages.join("\n"));
    this.problems = messages.map((message) => ({ at, message }));
  }
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Reads the source of a document: the packed files, their hash, and any problems. */
export async function readCheckoutSource(request: SourceRequest): Promise<SourceRead> {
  try {
    return { state: "read", source: await readSource(request) };
  } catch (error) {
    if (error instanceof SourceError) return { state: "refused", problems: error.problems };
    throw error;
  }
}

async function readSource(request: SourceRequest): Promise<CheckoutSource> {
  const checkout = await realpath(request.checkout);
  const placed = await placeConfig({ ...request, checkout });
  const folders = await findFolders(placed);
  const root = placed.root ?? commonParent(folders);
  const packed = placed.root === null ? withoutNested(folders) : [placed.root];
  const ours = new Set(await Promise.all(request.ours.map(resolveLinks)));
  const { signal, temporary, secrets } = request;
  const known = await request.trackedFiles(packed);
  const tracked = known ?? [];
  const tree = await readTree({ root, folders: packed, top: checkout, ours, tracked, signal });
  if (tree.problems.length > 0) throw new SourceError("source", ...tree.problems);
  const configPath = toPosix(relative(root, placed.config));
  if (!tree.files.some(({ path }) => path === configPath))
    throw new SourceError(
      "config",
      `${configPath} is left out of the archive by .gitignore or .dockerignore, and the build needs it; take it back there with !`,
    );
  const prefix = toPosix(relative(checkout, root));
  const matches = request.paths.length === 0 ? null : pathMatcher(request.paths);
  const packing = await hashFiles({
    files: tree.files,
    secrets: secrets.flatMap(({ value }) => toNeedles(value)),
    counts: (path) => matches === null || matches(prefix === "" ? path : `${prefix}/${path}`),
    signal,
  });
  if (packing.problems.length > 0) throw new SourceError("source", ...packing.problems);
  if (packing.withSecret.includes(configPath))
    throw new SourceError(
      "config",
      `${configPath} holds the value of a secret of this spec, and the build needs the file; take the value out of it`,
    );
  const compress = (): Promise<GzipArchive> => compressFiles(packing.files, temporary, signal);
  // An archive that may be too large is compressed at once, and kept for the upload.
  const early = packing.tarBytes > WARN_BYTES ? await compress() : null;
  return {
    hash: packing.counted,
    configPath,
    notes: [
      ...toNotes(tree, packing, request, placed.env),
      ...(known === null && tree.ignores
        ? [
            "git does not say which files it tracks, so every file that .gitignore matches is left out",
          ]
        : []),
    ],
    warnings: judgeSize(early?.bytes ?? 0, packing.files),
    open: async () => {
      const archive = early ?? (await compress());
      if (archive.hash !== packing.hash)
        throw new Error(
          "the files changed after they were planned; run again on a checkout that nothing writes to",
        );
      return archive;
    },
  };
}

/** A file may contain the value without the line break that it came with. */
function toNeedles(value: string): Buffer[] {
  return [...new Set([value, value.trim()])]
    .filter((one) => one.length >= SHORTEST_SEARCHED)
    .map((one) => Buffer.from(one));
}

interface Placed {
  /** The configuration file, with links resolved. */
  readonly config: string;
  readonly dependencies: unknown;
  readonly env: unknown;
  /** `deploy.source`, resolved; null if the folder of the configuration decides. */
  readonly root: string | null;
  readonly checkout: string;
}

async function placeConfig(request: SourceRequest): Promise<Placed> {
  const { checkout, cwd, folder } = request;
  const root = folder === undefined ? null : await resolveLinks(resolve(checkout, folder));
  if (root !== null && !isWithin(root, checkout))
    throw new SourceError("source", "is outside of the repository; write a folder in it");
  if (root !== null && !existsSync(root))
    throw new SourceError(
      "source",
      `there is no folder ${folder} in the checkout; write one that is there`,
    );
  const written =
    request.configPath ?? (root === null ? CONFIG : join(relative(checkout, root), CONFIG));
  const found = [checkout, cwd].map((base) => resolve(base, written)).find(existsSync);
  const wrong = (why: string): Error => new SourceError("config", why);
  if (found === undefined)
    throw wrong(
      `there is no ${written} in the checkout; write the path of the configuration file, or check out the repository in a step before this one`,
    );
  const about = await lstat(found);
  const config = await realpath(found);
  if (!about.isFile())
    throw wrong(
      `${written} is not a regular file; write the path of the configuration file itself`,
    );
  if (!isWithin(config, checkout))
    throw wrong(`${written} is outside of the repository; write a path in it`);
  if (root !== null && !isWithin(config, root))
    throw wrong(`${written} is not in deploy.source (${folder}); write a path in that folder`);
  const text = about.size > MAX_CONFIG_BYTES ? "" : await readFile(config, "utf8").catch(() => "");
  const parsed = parseJson(text);
  if (!isObject(parsed))
    throw wrong(
      `${toPosix(relative(checkout, config))} is not a JSON object; write the configuration as JSON`,
    );
  const { dependencies, env } = parsed;
  return { config, dependencies, env, root, checkout };
}

const resolveLinks = (path: string): Promise<string> => realpath(path).catch(() => path);

/** The folder of the configuration and those of the local dependencies that it names. */
async function findFolders({ config, dependencies, root, checkout }: Placed): Promise<string[]> {
  const own = dirname(config);
  const folders = [own];
  for (const one of Array.isArray(dependencies) ? (dependencies as readonly unknown[]) : []) {
    if (typeof one !== "string" || !one.startsWith(".")) continue;
    const folder = await resolveLinks(resolve(own, one));
    const about = await lstat(folder).catch(() => null);
    const wrong = (why: string): Error =>
      new SourceError(
        "config",
        `dependencies of ${toPosix(relative(checkout, config))}: ${one} ${why}`,
      );
    if (!isWithin(folder, checkout))
      throw wrong("is outside of the repository, and is never packed; move it into the repository");
    if (about?.isDirectory() !== true)
      throw wrong("is not a folder of the checkout; write a folder that is there");
    if (root !== null && !isWithin(folder, root))
      throw wrong("is outside of deploy.source; write a folder that holds both");
    folders.push(folder);
  }
  return folders;
}

function commonParent(folders: readonly string[]): string {
  let parent = folders[0]!;
  while (!folders.every((folder) => isWithin(folder, parent))) parent = dirname(parent);
  return parent;
}

const withoutNested = (folders: readonly string[]): string[] =>
  [...new Set(folders)].filter(
    (one) => !folders.some((other) => other !== one && isWithin(one, other)),
  );

/** Notes about the archive for the reader. */
function toNotes(
  tree: Pick<Tree, "never" | "special" | "tracked">,
  { withSecret }: Packing,
  { secrets, unknown = [] }: SourceRequest,
  env: unknown,
): readonly string[] {
  const note = (words: string, names: readonly string[], rest = ""): string[] =>
    names.length === 0 ? [] : [`${words} ${listSome(names, String, MAX_NAMES)}${rest}`];
  const short = secrets.filter(({ value }) => value !== "" && value.length < SHORTEST_SEARCHED);
  const isSearched = secrets.some(({ value }) => value.length >= SHORTEST_SEARCHED);
  return [
    ...note("never packed:", tree.never),
    ...note("packed although .gitignore matches them, since git tracks them:", tree.tracked),
    ...note("not packed, since they are links or not regular files:", tree.special),
    ...note("not packed, since they hold the value of a secret:", withSecret),
    ...note(
      "files were not searched for",
      short.map(({ name }) => name),
      `: values under ${SHORTEST_SEARCHED} characters are part of too many words${isSearched ? "; for the others they were" : ""}`,
    ),
    ...note(
      "files were not searched for",
      unknown,
      ": no value here, so apply may leave out more files",
    ),
    // The configuration names an env file, where secrets usually are.
    ...(typeof env === "string"
      ? [
          `${CONFIG} names env: ${env}, which is not packed: write its values under secrets or variables`,
        ]
      : []),
  ];
}

const inMib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;

/** What to say of an archive of this size; refuses one that the service does not take. */
function judgeSize(bytes: number, files: readonly FoundFile[]): readonly string[] {
  if (bytes <= WARN_BYTES) return [];
  if (bytes > MAX_BYTES)
    throw new SourceError(
      "source",
      `the archive has ${inMib(bytes)}, and the service takes ${inMib(MAX_BYTES)}; leave out what is not part of the agent in .gitignore or .dockerignore. The largest: ${largest(files)}`,
    );
  return [`the archive has ${inMib(bytes)}; the largest folders: ${largest(files)}`];
}

/** The folders with the most bytes, counting direct content only. */
function largest(files: readonly FoundFile[]): string {
  const sizes = new Map<string, number>();
  for (const { path, bytes } of files) {
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
    sizes.set(folder, (sizes.get(folder) ?? 0) + bytes);
  }
  return [...sizes]
    .sort((a, b) => b[1] - a[1])
    .slice(0, LARGEST)
    .map(([folder, bytes]) => `${folder} (${inMib(bytes)})`)
    .join(", ");
}
