import type { LiveDeployment } from "../model/live.ts";
import { allFields } from "../model/shape.ts";
import { isReturned } from "../plan/value.ts";
import type { Desired, Json } from "../spec/desired.ts";
import { looksLikeKey } from "../spec/key-like.ts";
import { userInfo } from "../spec/document.ts";
import type { Session } from "./session.ts";

/** Masks what the service itself told of a deployment's secrets: a log tail or an error of the service may repeat values that no spec of this run holds. */
export function maskLive(
  { mask }: Session,
  live: LiveDeployment | null,
  variables: Desired["variables"] = new Set(),
): void {
  if (live === null) return;
  const { secrets, ...body } = live.body;
  const listed: readonly Json[] = Array.isArray(secrets) ? secrets : [];
  const hidden = listed.filter((item) => !isVariable(item, variables));
  mask(secretsWithin([body, hidden]).filter(isReturned));
}

/** What the spec calls a variable is shown, unless its live value looks like a key. */
function isVariable(item: Json, variables: ReadonlySet<string>): boolean {
  if (typeof item !== "object" || item === null || !("name" in item)) return false;
  const { name, value } = item as { readonly name: Json; readonly value?: Json };
  return variables.has(String(name)) && !(typeof value === "string" && looksLikeKey(value));
}

/** Fields that may hold a user and password without a scheme before them; elsewhere `a:b@c` is any text. */
const ADDRESSES = new Set(
  allFields()
    .filter((field) => field.meta.sensitive === "user-info")
    .map((field) => field.name),
);

/** Every string under a key `value` (secrets, container environments) and the user-info of every URL, at any depth. */
function secretsWithin(value: Json, key = ""): string[] {
  if (typeof value === "string") {
    if (key === "value") return [value];
    return ADDRESSES.has(key) || value.includes("://") ? userInfo(value) : [];
  }
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item: Json) => secretsWithin(item));
  return Object.entries(value).flatMap(([name, item]) => secretsWithin(item as Json, name));
}
