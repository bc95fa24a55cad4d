import { isObject, parseJson } from "../model/json.ts";
import { isSecretVariable, looksLikeKey } from "./key-like.ts";
import { userInfoOf } from "../model/user-info.ts";

/** A secret value of the run's own environment, and the variable that holds it. */
export interface EnvironmentKey {
  readonly name: string;
  readonly value: string;
}

/** Variables of the runner: their values (a commit, a branch, an actor) are in every report. */
const PUBLIC = /^(?:GITHUB|RUNNER|CI)_/u;
/** Our own inputs and state, which are handled one by one. */
const OURS = /^(?:INPUT|STATE)_/u;
/** A stage or number after the telling word (`DB_PASSWORD_PROD`). */
const STAGE = /_(?:PROD(?:UCTION)?|STAGING|STAGE|DEV|TEST|LIVE|[A-Z]?\d+)$/u;
/** Names that end in a word for password: the value is secret even if it is a plain word. */
const PASSWORD = /(?:^|_)(?:\w*PASS(?:WORD|WD|PHRASE|CODE)|PASS)\d*$/u;
/** The same for machine-made secrets. A plain KEY is just as often a cache or table key. */
const MACHINE_MADE =
  /(?:^|_)(?:TOKEN|SECRET|CREDENTIALS?|AUTH|DSN|(?:API|ACCESS|PRIVATE|SECRET|AUTH|MASTER|SERVICE|SIGNING|ENCRYPTION)_?KEY)\d*$/u;
const SHORTEST = 8;
/** A shorter single word (`postgres`) is not worth an unreadable report. */
const SHORTEST_WORD = 12;
const PATH = /^(?:~|\.{0,2}\/|[A-Za-z]:[\\/])/u;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//iu;
/** A number, version, date or amount. */
const NUMBER = /^[\d.,:+\s-]+[a-z]{0,2}$/iu;
const WORD = /^(?:[A-Z]?[a-z]+|[A-Z]+|v?\d{1,4})?$/u;
const MAX_DEPTH = 4;

/**
 * The values of an environment that are secret by the name of their variable. Ordinary words,
 * paths, numbers and flags are not, whatever the name says (`SSH_AUTH_SOCK`, `CACHE_KEY`,
 * `TOKENIZERS_PARALLELISM`): masking them would make reports unreadable.
 */
export function keysOfEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): readonly EnvironmentKey[] {
  const entries = Object.entries(env);
  const known = new Set(
    entries.flatMap(([name, value]) =>
      PUBLIC.test(name) && !isSecretVariable(name) ? [value] : [],
    ),
  );
  return entries
    .filter(([name]) => isSecretVariable(name) && !OURS.test(name))
    .flatMap(([name, value = ""]) => secretsIn(name, value, 0).map((one) => ({ name, value: one })))
    .filter(({ value }) => !known.has(value));
}

/** The secrets in one value; for JSON those of its leaves, by their own names. */
function secretsIn(name: string, value: string, depth: number): readonly string[] {
  // A secret may begin with a brace.
  const members = depth < MAX_DEPTH ? parseJson(value) : undefined;
  if (isObject(members)) return leavesOf(members, depth);
  return isSecret(name, value.trim()) ? [value] : [];
}

function leavesOf(members: object, depth: number): readonly string[] {
  if (depth >= MAX_DEPTH) return [];
  return Object.entries(members).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === "string") return secretsIn(name, value, depth + 1);
    return typeof value === "object" && value !== null ? leavesOf(value, depth + 1) : [];
  });
}

function isSecret(name: string, value: string): boolean {
  if (isSecretVariable(name) && looksLikeKey(value)) return true;
  if (value.length < SHORTEST || PATH.test(value) || NUMBER.test(value)) return false;
  const upper = name
    .replace(/([a-z])([A-Z])/gu, "$1_$2")
    .toUpperCase()
    .replace(STAGE, "");
  if (ADDRESS.test(value))
    return isSecretVariable(name) && (userInfoOf(value) ?? "").length >= SHORTEST;
  if (PASSWORD.test(upper) && !upper.endsWith("ASKPASS"))
    return value.length >= SHORTEST_WORD || !WORD.test(value);
  return MACHINE_MADE.test(upper) && !value.split(/[-_.:/,\s]+/u).every((part) => WORD.test(part));
}
