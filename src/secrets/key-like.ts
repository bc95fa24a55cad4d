import type { Json } from "../model/json.ts";
import { UUID } from "../model/live.ts";

/** Beginnings that only keys have. */
const PREFIXES =
  /^(?:sk-|sk_|pk_live_|rk_live_|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|ya29\.|lsv2_|hf_|npm_|pypi-|dop_v1_|SG\.|eyJ[A-Za-z0-9_-]+\.eyJ|-----BEGIN [A-Z ]*PRIVATE KEY)/u;
/** A key is at least this long, where its beginning does not say. */
const MIN_CHARS = 24;
/** Bits a character; hex of chance has 3.5 to 4 at these lengths, words and paths less. */
const MIN_ENTROPY = 3.3;
/** The password of `scheme://user:password@host`. */
const URL_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@:]*:[^/?#@]+@/iu;

function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / text.length);
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}

/** Whether a value looks like a key, a token or a URL with a password: such a value belongs under `secrets`. */
export function looksLikeKey(value: string): boolean {
  const text = value.trim();
  if (PREFIXES.test(text) || URL_PASSWORD.test(text)) return true;
  if (text.length < MIN_CHARS || text.length > 4096 || UUID.test(text)) return false;
  // One word of letters and digits mixed: no path, address, list, sentence, version or file name.
  if (!/^[A-Za-z0-9+/=_-]+$/u.test(text) || /^[A-Za-z]*$/u.test(text)) return false;
  const digits = text.replaceAll(/[^0-9]/gu, "").length;
  return digits >= 3 && !isMostlyWords(text) && entropyOf(text) >= MIN_ENTROPY;
}

function isMostlyWords(text: string): boolean {
  const words = text.split(/[-_/]/u).filter((word) => /^(?:[A-Za-z]+|[0-9]{1,4})$/u.test(word));
  return words.join("").length > text.length / 2;
}

/** Whether a word that could be a variable's name is a key that somebody pasted: `AKIA…` and `ghp_…` are names too. */
export function isPastedKey(word: string): boolean {
  return word.length >= 20 && /\d/u.test(word) && !isMostlyWords(word) && looksLikeKey(word);
}

/** A prefix by itself does not count (`AKIA`, `sk-…` in a sentence about keys). */
const MIN_PREFIXED = 16;

/** Whether a word begins as only keys do, and is as long as one. */
export function beginsAsKey(word: string): boolean {
  return word.length >= MIN_PREFIXED && PREFIXES.test(word);
}

/** Shorter words of a command line are names (`sk-agent`). */
const MIN_ARGUMENT = 12;

/**
 * The words of a command line, and what follows a `=`, that are keys and no names, files or ids:
 * somebody pasted one.
 */
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

/** Fields that hold command lines, where a key may stand among the words. */
export const COMMAND_FIELDS: ReadonlySet<string> = new Set([
  "args",
  "command",
  "install_command",
  "build_command",
]);

/** Whether a word of a command is a key, and no digest, id, path or file name. */
export function isKeyInCommand(word: string): boolean {
  return beginsAsKey(word) || (!/^[0-9a-f-]+$/iu.test(word) && looksLikeKey(word));
}

const WORD = /[A-Za-z0-9+/_.-]{16,}=*/gu;

/** A text with each word that is long enough for a key given to `toShown`. */
export function replaceWords(text: string, toShown: (word: string) => string): string {
  return text.replace(WORD, toShown);
}

/** The words of a text that are keys. */
export function keysIn(text: string): string[] {
  return [...text.matchAll(WORD)].map(([word]) => word).filter(isKeyInCommand);
}

/** The keys among the words of every command line of a body, at any depth. */
export function keysInCommands(value: Json, key = ""): string[] {
  if (typeof value === "string") return COMMAND_FIELDS.has(key) ? keysIn(value) : [];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one: Json) => keysInCommands(one, key));
  return Object.entries(value).flatMap(([name, one]) => keysInCommands(one as Json, name));
}

/** Whether a variable's name says that what it holds is secret. */
export function isSecretVariable(name: string): boolean {
  return /KEY|TOKEN|SECRET|PASS|CRED|AUTH|DSN|PRIVATE/iu.test(name);
}

/**
 * Whether what is live under a name of `variables` may be shown: the service has no word for what
 * was a secret before.
 */
export function isShownLive(name: string, value: string): boolean {
  // MAX_TOKENS and its like count what a model reads and writes.
  const isCount = /TOKENS/iu.test(name) && /^\d+$/u.test(value);
  return isCount || !(isSecretVariable(name) || looksLikeKey(value));
}

/** Settings that many programs read, at the end of a name. */
const SETTING =
  /(?:^|_)(?:LOG_?LEVEL|ENV|ENVIRONMENT|DEBUG|VERBOSE|TZ|PORT|REGION|TIMEOUT(?:_M?S)?|MODEL|TEMPERATURE|TRACING(?:_V2)?|ENABLED)$/u;
/** A switch, a number, or a few short words with signs between them. */
const PLAIN = /^(?:\d{1,6}(?:\.\d{1,6})?|[a-z][a-z0-9]{0,15}(?:[-_.][a-z0-9]{1,12}){0,4})$/iu;

/** Whether both the name and the value of an environment value say that it is a setting and no secret. */
export function isSetting(name: string, value: string): boolean {
  return SETTING.test(name) && PLAIN.test(value) && !isSecretVariable(name) && !looksLikeKey(value);
}
