import { isObject, itemsOf, type Json, type JsonObject } from "./json.ts";

/** The environment variable that records what was uploaded; it holds no secret. */
export const SOURCE_VARIABLE = "AGENT_DEPLOY_SOURCE";

/** What a deployment records about the source that agent-deploy last uploaded. */
export interface SourceMark {
  /** SHA-256 of the uncompressed archive, 64 hex digits. */
  readonly hash: string;
  /** Object path of the upload. */
  readonly path: string;
}

const WRITTEN = /^sha256:([0-9a-f]{64}) (\S+)$/;

/** A source mark as one text, which a later run reads back. */
export const toSourceValue = ({ hash, path }: SourceMark): string => `sha256:${hash} ${path}`;

/** Reads the variable's value back; null if agent-deploy did not write it, or it is hidden. */
export function parseSourceValue(value: unknown): SourceMark | null {
  const match = typeof value === "string" ? WRITTEN.exec(value) : null;
  return match === null ? null : { hash: match[1]!, path: match[2]! };
}

/** How many characters of the hash plans and headlines show. */
export const SHOWN_OF_HASH = 8;

/** The name of an uploaded source in messages. */
export const toSourceVersion = (hash: string): string => `source ${hash.slice(0, SHOWN_OF_HASH)}`;

const isSourceEntry = (item: Json): item is JsonObject =>
  isObject(item) && item["name"] === SOURCE_VARIABLE;

/** The environment values without this variable: no plan shows it, and no write removes it. */
export function withoutSourceEntry(secrets: Json | undefined): Json | undefined {
  return Array.isArray(secrets) ? itemsOf(secrets).filter((item) => !isSourceEntry(item)) : secrets;
}

/** This variable's entry in a list of environment values. */
export function sourceEntryOf(secrets: Json | undefined): JsonObject | undefined {
  return itemsOf(secrets).find(isSourceEntry);
}
