import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../model/json.ts";
import type { Params } from "./http/parameter.ts";
import type { Settings } from "./options.ts";
import type { RevisionRule } from "./deployments/revision.ts";
import type { Store, Tables } from "./state/store.ts";

/** The settings, state and clock that every endpoint uses. */
export interface World {
  readonly settings: Settings;
  readonly store: Store;
  /** Milliseconds since the epoch, from the emulator's own clock. */
  readonly now: () => number;
  /** A fresh id; with stable ids it is made from `name`, which must be new. */
  readonly newId: (name: string) => string;
  /** The rule for a revision that is about to be created; counts as one use of it. */
  readonly ruleFor: (deployment: string, revision: number) => RevisionRule;
}

/** A request that reached an endpoint. */
export interface Call {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Params;
  /** The keys of the body. */
  readonly sent: Params;
  /** Undefined if the request has no body; endpoints that stream read `stream`. */
  readonly body: Json | undefined;
  readonly stream: ReadableStream<Uint8Array> | null;
  /** Tenant of the caller, whose credentials were checked. */
  readonly tenant_id: string;
  readonly headers: Headers;
  /** Scheme, host and port of the request. */
  readonly origin: string;
  /** Sets what the request log shows instead of the body. */
  readonly note: (summary: JsonObject) => void;
}

/** Whether the caller's tenant may see something; what has no tenant is everyone's. */
export const isMine = (call: Call, { tenant_id }: { tenant_id: string | null }): boolean =>
  tenant_id === null || tenant_id === call.tenant_id;

/** What the caller's tenant may see of a table. */
export const mineIn = <T extends "deployments" | "datasets" | "sessions">(
  { store }: World,
  call: Call,
  table: T,
): readonly Tables[T][] => store.all(table).filter((one) => isMine(call, one));

/** A stable uuid for a name, so that ids stay the same from run to run. */
export function uuidOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Gives URLs of the same repository the same text: ignores scheme, user, case, `.git` and final slashes. */
export function normaliseRepo(url: string): string {
  return url
    .trim()
    .replace(/^[a-z+]+:\/\//i, "")
    .replace(/^[^@/]*@/, "")
    .replace(":", "/")
    .replace(/\/+$/, "")
    .replace(/\.git$/i, "")
    .toLowerCase();
}

/** The commit at a ref: the seeded or pushed one, else one derived from the names, always the same. */
export function headOf(world: World, repoUrl: string, ref: string): string {
  const key = `${normaliseRepo(repoUrl)} ${ref}`;
  return world.store.get("heads", key) ?? createHash("sha1").update(key).digest("hex");
}
