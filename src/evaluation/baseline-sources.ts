import type { Session } from "../ci/session.ts";
import { readBaseBranchBaseline } from "./base-branch-baseline.ts";
import { type BaselineRequest, type FoundBaseline, ofFile } from "./baselines.ts";
import { readFileBaseline } from "./file-baseline.ts";
import { readStoredBaseline } from "./stored-baseline.ts";
import { STORED_PREFIX } from "./wanted-rows.ts";

/** Where a baseline comes from, by how the input begins. */
interface BaselineSource {
  readonly prefix: string;
  /** Whether it is a file of this checkout. */
  readonly isFile: boolean;
  /** Finds it by the word after the prefix. */
  readonly find: (word: string, request: BaselineRequest) => Promise<FoundBaseline>;
}

/** The last one takes what no other does. */
const SOURCES: readonly BaselineSource[] = [
  { prefix: STORED_PREFIX, isFile: false, find: findStored },
  {
    prefix: "base:",
    isFile: false,
    find: async (path, request) => ofFile(await readBaseBranchBaseline(path, request)),
  },
  {
    prefix: "",
    isFile: true,
    find: async (path, request) => ofFile(await readFileBaseline(path, request)),
  },
];

const sourceOf = (given: string): BaselineSource =>
  SOURCES.find(({ prefix }) => given.startsWith(prefix))!;

const givenOf = ({ options }: Session): string => (options.baseline ?? "").trim();

/** Finds the runs to compare with, by the input `baseline`; none if that is empty. */
export async function findBaseline(request: BaselineRequest): Promise<FoundBaseline> {
  const { session } = request;
  const given = givenOf(session);
  const { prefix, find } = sourceOf(given);
  const found =
    given === "" ? ofFile(null) : await find(given.slice(prefix.length).trim(), request);
  return found.baseline === null ? { ...found, replaced: await findReplaced(session) } : found;
}

/** The file of this checkout that the input names as the baseline; empty if there is none. */
export function fileOf(session: Session): string {
  const given = givenOf(session);
  return sourceOf(given).isFile ? given : "";
}

async function findStored(word: string, request: BaselineRequest): Promise<FoundBaseline> {
  const { session, tracing, readHead } = request;
  if (tracing !== null)
    return readStoredBaseline(word, { ...request, tracing, head: await readHead() });
  const why = session.options.dryRun
    ? "a dry run asks the service nothing"
    : "this run has no key, and the service keeps the baseline";
  return { ...ofFile(null), why: [why] };
}

/** The file that this run would replace as the baseline, if there is one. */
async function findReplaced({ options, workspace }: Session): Promise<string | null> {
  const path = options.writeBaseline;
  if (path === undefined) return null;
  const found = await workspace.expand([path]).catch(() => []);
  return found.length > 0 ? path : null;
}
