import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** A commit's id, whole or abridged. */
export const COMMIT = /^[0-9a-f]{7,64}$/i;
/** Names of branches, without what git could take for an option or a range. */
export const BRANCH = /^[A-Za-z0-9_](?!.*\.\.)[A-Za-z0-9._/#@+-]{0,200}$/;

/**
 * Where git is; "git" where no folder of the PATH has one. The runner's own lookup prints a line
 * for each folder it may not read.
 */
function findGit(path: string): string {
  const names = process.platform === "win32" ? ["git.exe", "git.cmd"] : ["git"];
  for (const folder of path.split(delimiter))
    for (const name of names) {
      const file = join(folder, name);
      if (isAbsolute(file) && isExecutable(file)) return file;
    }
  return "git";
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * git obeys the configuration of the repository it is in, which may name programs. A folder of a
 * commit can be a bare repository with a configuration of its own, and a commit that is missing
 * there would be fetched by the program it names: neither is allowed.
 */
const GIT_GUARDS = {
  args: ["-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false"],
  env: { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" },
} as const;

/** git with nothing but what it reads here: for commands that a person runs and can interrupt. */
export function gitCall(
  { env }: Pick<GitPlace, "env">,
  args: readonly string[],
): { readonly file: string; readonly args: string[]; readonly env: Record<string, string> } {
  return {
    file: findGit(env["PATH"] ?? ""),
    args: [...GIT_GUARDS.args, ...args],
    env: { ...env, ...GIT_GUARDS.env },
  };
}

/** git reads what is on the disk: it needs seconds, and one that hangs is ended. */
const GIT_MS = 30_000;
/** Of `rev-list` over a long history. */
const MAX_GIT_BYTES = 64 * 1024 * 1024;
/** Places where git hung: it is asked there no more. */
const hung = new WeakSet<GitPlace>();

/** Where git is asked, and how long it may take. */
export interface GitPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The run's limit; absent: git's own. */
  readonly timeoutMs?: number | null;
  readonly signal?: AbortSignal;
  readonly warn?: (message: string) => void;
}

/**
 * Runs git over what is there and nothing else: no network, no program that a folder's own
 * configuration names. Rejects where it cannot be started, was ended, or hung before.
 */
export async function runGit(
  place: GitPlace,
  args: readonly string[],
): Promise<{ readonly exitCode: number; readonly stdout: string }> {
  if (hung.has(place)) throw new Error("git did not answer before");
  const { cwd, signal } = place;
  const call = gitCall(place, args);
  const limitMs = Math.min(GIT_MS, place.timeoutMs ?? GIT_MS);
  return new Promise((resolve, reject) => {
    execFile(
      call.file,
      call.args,
      {
        cwd,
        env: call.env,
        timeout: limitMs,
        killSignal: "SIGKILL",
        maxBuffer: MAX_GIT_BYTES,
        ...(signal === undefined ? {} : { signal }),
      },
      (error, stdout) => {
        if (typeof error?.code === "number") resolve({ exitCode: error.code, stdout });
        else if (error === null) resolve({ exitCode: 0, stdout });
        else {
          if (error.killed === true && signal?.aborted !== true && !hung.has(place)) {
            hung.add(place);
            place.warn?.(
              `git ${args[0]} did not end within ${limitMs / 1000} s and was stopped: the checkout's history is not read`,
            );
          }
          reject(error);
        }
      },
    );
  });
}

/** What git prints, trimmed; null where it ends with a failure. */
export async function readGit(place: GitPlace, ...args: readonly string[]): Promise<string | null> {
  const { exitCode, stdout } = await runGit(place, args);
  return exitCode === 0 ? stdout.trim() : null;
}
