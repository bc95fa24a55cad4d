import { setMaxListeners } from "node:events";
import { systemClock } from "../clock.ts";
import { judgeTrust } from "../ci/trust.ts";
import { UsageError, type EntrySession, type Session } from "../ci/session.ts";
import { findCheckoutFolder, findCheckoutTop } from "../ci/checkout-folder.ts";
import { createCommitHistory } from "../github/commit-history.ts";
import { createCredentialHelper } from "../ci/credential-helper.ts";
import { createHistoryRequests } from "../github/history-request.ts";
import type { Redactor } from "../secrets/redaction.ts";
import { createShell, toScriptEnvironment } from "../ci/shell.ts";
import { readStandardInput } from "../ci/standard-input.ts";
import { secretsOf, type Options } from "../cli/options.ts";
import { keysOfEnvironment } from "../secrets/environment-keys.ts";
import { VERSION } from "../version.ts";

/** What an entry point creates before it hands over to a command. */
interface EntryPointParts extends EntrySession {
  readonly redactor: Redactor;
  /** Where git and verify run. */
  readonly cwd: string;
}

/** Creates the session of a run, with every port connected to the real thing. */
export function createSession({ redactor, cwd, ...parts }: EntryPointParts): Session {
  const { options, run, env, host, signal } = parts;
  const scriptEnv = toScriptEnvironment(env, secretsOf(options));
  const timeoutMs = options.timeoutMs ?? null;
  const token = options.githubToken ?? "";
  const history = {
    root: cwd,
    cwd: findCheckoutFolder(cwd, [...options.spec, ...options.experiment]),
    env: scriptEnv,
    timeoutMs,
    signal,
    warn: (message: string) => {
      host.notify("warning", message);
    },
    ask: createHistoryRequests({ run, token, clock: systemClock, timeoutMs, signal }),
  };
  return {
    ...parts,
    files: {
      root: cwd,
      checkout: findCheckoutTop(history.cwd),
      temp: env["RUNNER_TEMP"] || undefined,
      allowOutside: options.allowOutside,
    },
    readPiped: (maxBytes) =>
      parts.entryPoint === "cli"
        ? readStandardInput(process.stdin, { maxBytes, signal })
        : Promise.reject(
            new UsageError("spec: - reads a pipe, which the Action does not have; name a file"),
          ),
    clock: systemClock,
    random: Math.random,
    startedAtMs: Date.now(),
    version: VERSION,
    trust: judgeTrust(run, options.allowUntrusted),
    repository: createCommitHistory(history),
    credentialHelper: createCredentialHelper({ env: scriptEnv, signal }),
    shell: createShell({ env: scriptEnv, cwd, redact: redactor.redact }),
    mask: (values, shownAs) => {
      for (const value of values) redactor.add(value, shownAs);
    },
    keep: (names) => {
      for (const name of names) redactor.keep(name);
    },
    redact: redactor.redact,
    redactAll: redactor.redactAll,
    // Also called for a closed pipe.
    printed: () =>
      new Promise((resolve) => {
        process.stdout.write("", () => {
          resolve();
        });
      }),
  };
}

/**
 * Registers secrets before any output: those from the inputs and the call, and the keys in the
 * step's environment. A script, a result file or the service may repeat these, although no spec or
 * input names them.
 */
export function maskSecrets(
  { add }: Redactor,
  given: readonly string[],
  env: Session["env"],
): void {
  for (const secret of given) add(secret);
  for (const { name, value } of keysOfEnvironment(env))
    if (!given.includes(value.trim())) add(value, `\${${name}}`);
}

/** Whether to print logs while revisions build: by the input, or by GitHub's box "Enable debug logging". */
export function wantsLogs({ streamLogs }: Options, env: Session["env"]): boolean {
  return streamLogs || env["RUNNER_DEBUG"] === "1";
}

/** The longest time from a signal to the end of the process. */
const CANCEL_LIMIT_MS = 4_500;
const FLUSH_MS = 500;

/** Ends what a cancelled run still does, such as reading a large file, and flushes what it printed. */
export function endIfCancelled(signal: AbortSignal): void {
  if (signal.aborted)
    setTimeout(() => {
      process.exit();
    }, FLUSH_MS).unref();
}

/** A signal that aborts on SIGINT, SIGTERM or a closed terminal; a run that does not end in time is killed. */
export function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  // Every request of a run listens to it, and Node warns of a leak beyond ten listeners.
  setMaxListeners(0, controller.signal);
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) return;
      controller.abort(new Error(`cancelled by ${name}`));
      setTimeout(() => {
        process.exit(130);
      }, CANCEL_LIMIT_MS).unref();
    });
  }
  return controller.signal;
}
