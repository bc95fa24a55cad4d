import type { LiveDeployment } from "../model/live.ts";
import { isSensitive, sensitiveNames } from "../model/sensitive.ts";
import { deploymentShape } from "../model/shape.ts";
import type { Shape } from "../model/field-shape.ts";
import { withoutSourceEntry } from "../model/source-mark.ts";
import { isReturned } from "../plan/value.ts";
import type { Desired } from "../spec/desired.ts";
import type { Json } from "../model/json.ts";
import { COMMAND_FIELDS, isSetting, keysIn, looksLikeKey } from "../secrets/key-like.ts";
import { userInfo } from "../spec/scalar.ts";
import type { Session } from "./session.ts";

/**
 * Masks the secrets that the service returned for a deployment: its logs and errors may repeat
 * values that are in no spec of this run.
 */
export function maskLive(
  { mask, trust }: Session,
  live: LiveDeployment | null,
  variables: Desired["variables"] = new Set(),
): void {
  if (live === null) return;
  const secrets = withoutSourceEntry(live.body["secrets"]) ?? null;
  const hidden =
    Array.isArray(secrets) && trust.state !== "untrusted"
      ? secrets.filter((item: Json) => !isVariable(item, variables))
      : secrets;
  mask(secretsWithin(deploymentShape, { ...live.body, secrets: hidden }).filter(isReturned));
}

/** Settings, and names that the spec lists as variables, are shown unless their live value looks like a key. */
function isVariable(item: Json, variables: ReadonlySet<string>): boolean {
  if (typeof item !== "object" || item === null || !("name" in item)) return false;
  const { name, value } = item as { readonly name: Json; readonly value?: Json };
  if (typeof value === "string" && isSetting(String(name), value)) return true;
  return variables.has(String(name)) && !(typeof value === "string" && looksLikeKey(value));
}

/** Fields that may hold `user:password@` without a scheme; elsewhere `a:b@c` is ordinary text. */
const ADDRESSES = sensitiveNames("user-info");

/** Every sensitive string in a value and the user-info of every URL, at any depth. */
function secretsWithin(shape: Shape | undefined, value: Json, key = "", hidden = false): string[] {
  if (typeof value === "string") {
    if (hidden) return [value];
    if (COMMAND_FIELDS.has(key)) return [...keysIn(value), ...userInfo(value)];
    return ADDRESSES.has(key) || value.includes("://") ? userInfo(value) : [];
  }
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    const item = shape?.kind === "list" ? shape.item : undefined;
    return value.flatMap((one: Json) => secretsWithin(item, one, key, hidden));
  }
  return Object.entries(value).flatMap(([name, member]) => {
    const row = shape?.kind === "struct" ? shape.fields.get(name) : undefined;
    const isHidden = hidden || isSensitive(shape, name);
    return secretsWithin(row?.shape, member as Json, name, isHidden);
  });
}
