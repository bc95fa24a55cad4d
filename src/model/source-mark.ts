import { isObject, type Json, type JsonObject } from "./json.ts";

/** The environment value that remembers what was uploaded; it holds no secret. */
export const SOURCE_VARIABLE = "AGENT_DEPLOY_SOURCE";

/** What a deployment says of the source that agent-deploy uploaded last. */
export interface SourceMark {
  /** SHA-256 of the uncompressed archive, 64 hex digits. */
  readonly hash: string;
  /** Object path that it was uploaded to. */
  readonly path: string;
}

const WRITTEN = /^sha256:([0-9a-f]{64}) (\S+)$/;

/** A hash and the object path that it was uploaded to, as one text that a later run reads. */
export const toSourceValue = ({ hash, path }: SourceMark): string => `sha256:${hash} ${path}`;

/** A value of the variable, read back; null where it is not one of ours, or hidden. */
export function parseSourceValue(value: unknown): SourceMark | null {
  const match = typeof value === "string" ? WRITTEN.exec(value) : null;
  return match === null ? null : { hash: match[1]!, path: match[2]! };
}

/** How a source is named in plans and headlines: the first characters of its hash. */
export const SHOWN_OF_HASH = 8;

/** An uploaded source as people name it. */
export const toSourceVersion = (hash: string): string => `source ${hash.slice(0, SHOWN_OF_HASH)}`;

const isSourceEntry = (item: Json): boolean => isObject(item) && item["name"] === SOURCE_VARIABLE;

/** The list of environment values without the variable, which no plan shows and no write removes. */
export function withoutSourceEntry(secrets: Json | undefined): Json | undefined {
  return Array.isArray(secrets)
    ? (secrets as readonly Json[]).filter((item) => !isSourceEntry(item))
    : secrets;
}

/** The variable as it is in a list of environment values. */
export function sourceEntryOf(secrets: Json | undefined): JsonObject | undefined {
  return Array.isArray(secrets)
    ? ((secrets as readonly Json[]).find(isSourceEntry) as JsonObject | undefined)
    : undefined;
}
