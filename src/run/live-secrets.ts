import type { LiveDeployment } from "../model/live.ts";
import { isReturned } from "../plan/secrets.ts";
import type { Json } from "../spec/desired.ts";
import { userInfo } from "../spec/document.ts";
import type { Session } from "./session.ts";

/** Masks what the service itself told of a deployment's secrets: a log tail or an error of the service may repeat values that no spec of this run holds. */
export function maskLive({ mask }: Session, live: LiveDeployment | null): void {
  if (live !== null) mask(secretsWithin(live.body).filter(isReturned));
}

/** Every string under a key `value` (secrets, container environments) and the user-info of every URL, at any depth. */
function secretsWithin(value: Json, key = ""): string[] {
  if (typeof value === "string") return key === "value" ? [value] : userInfo(value);
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item: Json) => secretsWithin(item));
  return Object.entries(value).flatMap(([name, item]) => secretsWithin(item as Json, name));
}
