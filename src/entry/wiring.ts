import { setMaxListeners } from "node:events";
import { systemClock } from "../clock.ts";
import { judgeTrust } from "../ci/trust.ts";
import { UsageError, type Session } from "../ci/session.ts";
import { createAncestry } from "../github/ancestry.ts";
import { findCheckoutFolder, findCheckoutTop } from "../ci/checkout-folder.ts";
import { createCommitHistory } from "../github/commit-history.ts";
import type { RunContext } from "../run-context.ts";
import { createCredentialHelper } from "../ci/credential-helper.ts";
import { createHistoryRequests } from "../github/history-request.ts";
import type { Host } from "../ci/host.ts";
import type { Redactor } from "../secrets/redaction.ts";
import { createShell, toScriptEnvironment } from "../ci/shell.ts";
import { readStandardInput } from "../ci/standard-input.ts";
import type { Workspace } from "../files/workspace.ts";
import { secretsOf, type EntryPoint, type Options } from "../cli/options.ts";
import type { Command } from "../cli/command-table.ts";
import { keysOfEnvironment } from "../secrets/environment-keys.ts";
import { VERSION } from "../version.ts";

/** What an entry point has made by itself, before it hands over to a command. */
export interface EntryPointParts {
  readonly entryPoint: EntryPoint;
  /** Inputs that come from the vendor's own variables. */
  readonly ambient?: readonly string[];
  readonly command: Command;
  readonly options: Options;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly host: Host;
  readonly redactor: Redactor;
  readonly workspace: Workspace;
  readonly run: RunContext;
  /** Where git and verify run. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
}

/** The session of one run: every port wired to the real thing. */
export function createSession(parts: EntryPointParts): Session {
  const { options, run, redactor, env, cwd } = parts;
  const secrets = secretsOf(options);
  const scriptEnv = toScriptEnvironment(env, secrets);
  const history = {
    root: cwd,
    cwd: findCheckoutFolder(cwd, [...options.spec, ...options.experiment]),
    env: scriptEnv,
    timeoutMs: options.timeoutMs ?? null,
    signal: parts.signal,
    warn: (message: string) => {
      parts.host.say("warning", message);
    },
    ask: createHistoryRequests({
      run,
      token: options.githubToken ?? "",
      clock: systemClock,
      timeoutMs: options.timeoutMs ?? null,
      signal: parts.signal,
    }),
  };
  return {
    entryPoint: parts.entryPoint,
    ambient: parts.ambient ?? [],
    command: parts.command,
    options,
    env,
    host: parts.host,
    workspace: parts.workspace,
    files: {
      root: cwd,
      checkout: findCheckoutTop(history.cwd),
      alsoAllowed:
        env["RUNNER_TEMP"] === undefined || env["RUNNER_TEMP"] === "" ? [] : [env["RUNNER_TEMP"]],
      allowOutside: options.allowOutside,
    },
    signal: parts.signal,
    readPiped: (maxBytes) =>
      parts.entryPoint === "cli"
        ? readStandardInput(process.stdin, { maxBytes, signal: parts.signal })
        : Promise.reject(
            new UsageError("spec: - reads a pipe, which the Action does not have; name a file"),
          ),
    print: parts.print,
    clock: systemClock,
    random: Math.random,
    startedAtMs: Date.now(),
    version: VERSION,
    run,
    trust: judgeTrust(run, options.allowUntrusted),
    repository: createCommitHistory(history),
    ancestry: createAncestry(history),
    credentialHelper: createCredentialHelper({ env: history.env, signal: parts.signal }),
    shell: createShell({ env: scriptEnv, cwd, redact: redactor.redact }),
    mask: (values, shownAs) => {
      for (const value of values) redactor.add(value, shownAs);
    },
    keep: (names) => {
      for (const name of names) redactor.keep(name);
    },
    redact: redactor.redact,
  };
}

/**
 * Makes known what must not be seen, before anything is said: what the inputs or the call gave, and the
 * keys of the step's environment. A script, a result file or the service may repeat those, though
 * no spec and no input names them.
 */
export function maskSecrets(
  { add }: Redactor,
  given: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): void {
  for (const secret of given) add(secret);
  for (const { name, value } of keysOfEnvironment(env))
    if (!given.includes(value.trim())) add(value, `\${${name}}`);
}

/** Most time between a signal and the end of the process. */
const CANCEL_LIMIT_MS = 4_500;
const FLUSH_MS = 500;

/**
 * What a cancelled run still does after it has reported its end, such as reading a large file, ends
 * with it; what it printed is written out.
 */
export function endIfCancelled(signal: AbortSignal): void {
  if (signal.aborted)
    setTimeout(() => {
      process.exit();
    }, FLUSH_MS).unref();
}

/** A signal that aborts on SIGINT, SIGTERM or a closed terminal; a run that cannot end by itself in time is ended. */
export function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  // Every request of a run listens to it; beyond ten, Node would print that it suspects a leak.
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
