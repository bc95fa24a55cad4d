import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** A commit id, full or abbreviated. */
export const COMMIT = /^[0-9a-f]{7,64}$/i;
/** Branch names, without what git could read as an option or a range. */
export const BRANCH = /^[A-Za-z0-9_](?!.*\.\.)[A-Za-z0-9._/#@+-]{0,200}$/;

/**
 * The path of git; "git" if it is in no folder of the PATH. Only absolute folders count, and not
 * the current one, which Windows searches first: a checkout may contain a program of that name.
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
 * git follows the configuration of its repository, which may name programs. A folder in a commit
 * can be a bare repository with its own configuration, and a missing commit would be fetched by a
 * program named there: both are forbidden.
 */
const GIT_GUARDS = {
  args: ["-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false"],
  env: { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" },
} as const;

/** A guarded git call. By itself it has no time limit: for commands that a person runs and can interrupt. */
export function gitCall({ env }: Pick<GitPlace, "env">, args: readonly string[]) {
  return {
    file: findGit(env["PATH"] ?? ""),
    args: [...GIT_GUARDS.args, ...args],
    env: { ...env, ...GIT_GUARDS.env },
  };
}

/** git only reads the disk, which takes seconds: one that hangs is killed. */
const GIT_MS = 30_000;
/** For `rev-list` over a long history. */
const MAX_GIT_BYTES = 64 * 1024 * 1024;
/** Places where git hung, and is not run again. */
const hung = new WeakSet<GitPlace>();

/** Where git runs, and its time limit. */
export interface GitPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The run's time limit; absent: git's own. */
  readonly timeoutMs?: number | null;
  readonly signal?: AbortSignal;
  readonly warn?: (message: string) => void;
}

/**
 * Runs git on local data only: no network, and no program named by a folder's configuration.
 * Rejects if git cannot be started, was killed, or hung before.
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

/** The trimmed output of git; null if it fails. */
export async function readGit(place: GitPlace, ...args: readonly string[]): Promise<string | null> {
  const { exitCode, stdout } = await runGit(place, args);
  return exitCode === 0 ? stdout.trim() : null;
}
