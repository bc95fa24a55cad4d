import { isObject, parseJson } from "../model/json.ts";
import { execFile } from "node:child_process";
import type { RegistryLogin } from "../service/registry.ts";

/**
 * Asks a credential helper of the Docker config for the login of a host; null if it has none or
 * gives an invalid answer. Never throws.
 */
export type AskCredentialHelper = (helper: string, server: string) => Promise<RegistryLogin | null>;

/** Names of programs on the PATH, not paths. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/u;
const TIMEOUT_MS = 15_000;
const MAX_BYTES = 64 * 1024;

/** Runs `docker-credential-<helper> get` without a shell, in the script environment. */
export function createCredentialHelper({
  env,
  signal,
}: {
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}): AskCredentialHelper {
  return async (helper, server) => {
    if (!NAME.test(helper)) return null;
    const text = await new Promise<string | null>((resolve) => {
      const child = execFile(
        `docker-credential-${helper}`,
        ["get"],
        { env, signal, timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES, encoding: "utf8" },
        (error, stdout) => resolve(error === null ? stdout : null),
      );
      // A helper that exits before reading its input is seen by its exit code.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(server);
    });
    signal.throwIfAborted();
    return text === null ? null : toLogin(text);
  };
}

function toLogin(text: string): RegistryLogin | null {
  const read = parseJson(text);
  if (!isObject(read)) return null;
  const { Username: user, Secret: password } = read;
  const given = typeof user === "string" && typeof password === "string";
  return given && user !== "" && password !== "" ? { user, password } : null;
}
