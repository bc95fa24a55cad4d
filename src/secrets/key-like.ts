import type { Json } from "../model/json.ts";
import { UUID } from "../model/live.ts";

/** Prefixes that only keys have. */
const PREFIXES =
  /^(?:sk-|sk_|pk_live_|rk_live_|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|ya29\.|lsv2_|hf_|npm_|pypi-|dop_v1_|SG\.|eyJ[A-Za-z0-9_-]+\.eyJ|-----BEGIN [A-Z ]*PRIVATE KEY)/u;
/** The minimum length of a key without a known prefix. */
const MIN_CHARS = 24;
/** Bits per character. Random hex has 3.5 to 4 at these lengths; words and paths have less. */
const MIN_ENTROPY = 3.3;
/** The password of `scheme://user:password@host`. */
const URL_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@:]*:[^/?#@]+@/iu;

function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / text.length);
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}

/** Whether a value looks like a key, a token or a URL with a password, and so belongs under `secrets`. */
export function looksLikeKey(value: string): boolean {
  const text = value.trim();
  if (PREFIXES.test(text) || URL_PASSWORD.test(text)) return true;
  if (text.length < MIN_CHARS || text.length > 4096 || UUID.test(text)) return false;
  // A single word that mixes letters and digits: no path, address, list, sentence, version or file name.
  if (!/^[A-Za-z0-9+/=_-]+$/u.test(text) || /^[A-Za-z]*$/u.test(text)) return false;
  const digits = text.replaceAll(/[^0-9]/gu, "").length;
  return digits >= 3 && !isMostlyWords(text) && entropyOf(text) >= MIN_ENTROPY;
}

function isMostlyWords(text: string): boolean {
  const words = text.split(/[-_/]/u).filter((word) => /^(?:[A-Za-z]+|[0-9]{1,4})$/u.test(word));
  return words.join("").length > text.length / 2;
}

/** Whether a word that could be a variable's name is a pasted key: `AKIA…` and `ghp_…` are valid names too. */
export function isPastedKey(word: string): boolean {
  return word.length >= 20 && /\d/u.test(word) && !isMostlyWords(word) && looksLikeKey(word);
}

/** A bare prefix does not count (`AKIA`, or `sk-…` in a sentence about keys). */
const MIN_PREFIXED = 16;

/** Whether a word has a key's prefix and length. */
export function beginsAsKey(word: string): boolean {
  return word.length >= MIN_PREFIXED && PREFIXES.test(word);
}

/** Shorter words on a command line are names (`sk-agent`). */
const MIN_ARGUMENT = 12;

/** The words of a command line, and values after `=`, that are pasted keys rather than names, files or ids. */
export function keysAmong(argv: readonly string[]): string[] {
  return argv.flatMap((word, at) => {
    const isBare = !word.startsWith("-") && argv[at - 1]?.startsWith("-") !== true;
    return word
      .replace(/^--?/u, "")
      .split(/[=,\s]/u)
      .filter((one) => {
        if (one.length < MIN_ARGUMENT || /\/|\.[a-z]{2,5}$/iu.test(one) || isMostlyWords(one))
          return false;
        return (PREFIXES.test(one) && /\d/u.test(one)) || (isBare && isKeyInCommand(one));
      });
  });
}

/** Fields that hold command lines, which may contain keys. */
export const COMMAND_FIELDS: ReadonlySet<string> = new Set([
  "args",
  "command",
  "install_command",
  "build_command",
]);

/** Whether a word of a command is a key rather than a digest, id, path or file name. */
export function isKeyInCommand(word: string): boolean {
  return beginsAsKey(word) || (!/^[0-9a-f-]+$/iu.test(word) && looksLikeKey(word));
}

const WORD = /[A-Za-z0-9+/_.-]{16,}=*/gu;

/** Replaces each word that is long enough for a key with `toShown` of it. */
export function replaceWords(text: string, toShown: (word: string) => string): string {
  return text.replace(WORD, toShown);
}

/** The words of a text that are keys. */
export function keysIn(text: string): string[] {
  return [...text.matchAll(WORD)].map(([word]) => word).filter(isKeyInCommand);
}

/** The keys in every command line of a body, at any depth. */
export function keysInCommands(value: Json, key = ""): string[] {
  if (typeof value === "string") return COMMAND_FIELDS.has(key) ? keysIn(value) : [];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one: Json) => keysInCommands(one, key));
  return Object.entries(value).flatMap(([name, one]) => keysInCommands(one as Json, name));
}

/** Whether a variable's name suggests that its value is secret. */
export function isSecretVariable(name: string): boolean {
  return /KEY|TOKEN|SECRET|PASS|CRED|AUTH|DSN|PRIVATE/iu.test(name);
}

/** Whether a live value under `variables` may be shown: the service does not say whether it used to be a secret. */
export function isShownLive(name: string, value: string): boolean {
  // MAX_TOKENS and the like count what a model reads and writes.
  const isCount = /TOKENS/iu.test(name) && /^\d+$/u.test(value);
  return isCount || !(isSecretVariable(name) || looksLikeKey(value));
}

/** Endings of names that many programs use for settings. */
const SETTING =
  /(?:^|_)(?:LOG_?LEVEL|ENV|ENVIRONMENT|DEBUG|VERBOSE|TZ|PORT|REGION|TIMEOUT(?:_M?S)?|MODEL|TEMPERATURE|TRACING(?:_V2)?|ENABLED)$/u;
/** A switch, a number, or a few short words joined by signs. */
const PLAIN = /^(?:\d{1,6}(?:\.\d{1,6})?|[a-z][a-z0-9]{0,15}(?:[-_.][a-z0-9]{1,12}){0,4})$/iu;

/** Whether both the name and the value indicate a setting rather than a secret. */
export function isSetting(name: string, value: string): boolean {
  return SETTING.test(name) && PLAIN.test(value) && !isSecretVariable(name) && !looksLikeKey(value);
}
