import type { LiveDeployment } from "../model/live.ts";
import { sensitiveNames, sensitiveTexts } from "../model/sensitive.ts";
import { withoutSourceEntry } from "../model/source-mark.ts";
import { isReturned } from "../plan/value.ts";
import type { Desired } from "../spec/desired.ts";
import { isObject, type Json } from "../model/json.ts";
import {
  COMMAND_FIELDS,
  isSecretVariable,
  isSetting,
  keysIn,
  looksLikeKey,
} from "../secrets/key-like.ts";
import { userInfo } from "../spec/scalar.ts";
import type { Session } from "./session.ts";

/**
 * Masks the secrets that the service returned for a deployment: its logs and errors may repeat
 * values that are in no spec of this run. `desired` is the document that describes the deployment,
 * if there is one.
 */
export function maskLive(
  { mask, trust }: Session,
  live: LiveDeployment | null,
  desired?: Desired,
): void {
  if (live === null) return;
  const variables = desired?.variables ?? new Set();
  const secrets = withoutSourceEntry(live.body["secrets"]) ?? null;
  const hidden =
    Array.isArray(secrets) && trust.state !== "untrusted"
      ? secrets.filter((item: Json) => !isVariable(item, variables))
      : secrets;
  const filled = desired === undefined ? [] : filledFromSecrets(desired, live.body);
  const body = { ...live.body, secrets: hidden };
  mask([...sensitiveTexts(body), ...hiddenParts(body), ...filled].filter(isReturned));
}

const EXTRA = "deploy.extra.";

/**
 * The live values of what the spec fills from a variable whose name suggests a secret: the
 * variable's previous value is a secret, too, and stays valid until the new one is live.
 */
function filledFromSecrets({ fromEnvironment, body, deploy }: Desired, live: Json): string[] {
  return [...fromEnvironment]
    .filter(([name]) => isSecretVariable(name))
    .flatMap(([, paths]) => paths)
    .flatMap((path) =>
      path.startsWith(EXTRA)
        ? otherTexts(deploy.extra, live, path.slice(EXTRA.length))
        : otherTexts(body, live, path),
    );
}

/** Live texts at a dotted path that differ from the wanted one. A key may itself contain dots. */
function otherTexts(wanted: Json | undefined, live: Json, path: string): string[] {
  if (path === "") return typeof live === "string" && live !== wanted ? [live] : [];
  if (Array.isArray(live)) {
    const [index = "", ...rest] = path.split(".");
    const items: readonly Json[] = Array.isArray(wanted) ? wanted : [];
    const item = items[Number(index)];
    return (live as readonly Json[])
      .filter((one) => !items.includes(one) && nameOf(one) === nameOf(item))
      .flatMap((one) => otherTexts(item, one, rest.join(".")));
  }
  if (!isObject(live)) return [];
  return Object.entries(live).flatMap(([key, value]) =>
    path === key || path.startsWith(`${key}.`)
      ? otherTexts(
          isObject(wanted) ? wanted[key] : undefined,
          value as Json,
          path.slice(key.length + 1),
        )
      : [],
  );
}

/** The name or mount path by which an item of a list is matched; undefined if it has neither. */
const nameOf = (item: Json | undefined): Json | undefined =>
  isObject(item) ? (item["name"] ?? item["mountPath"]) : undefined;

/** Settings, and names that the spec lists as variables, are shown unless their live value looks like a key. */
function isVariable(item: Json, variables: ReadonlySet<string>): boolean {
  if (!isObject(item) || !("name" in item)) return false;
  const { name, value } = item;
  if (typeof value === "string" && isSetting(String(name), value)) return true;
  return variables.has(String(name)) && !(typeof value === "string" && looksLikeKey(value));
}

/** Fields that may hold `user:password@` without a scheme; elsewhere `a:b@c` is ordinary text. */
const ADDRESSES = sensitiveNames("user-info");

/** Keys in command lines, and the user-info of every URL, at any depth. */
function hiddenParts(value: Json, key = ""): string[] {
  if (typeof value === "string") {
    const isAddress = ADDRESSES.has(key) || COMMAND_FIELDS.has(key) || value.includes("://");
    const keys = COMMAND_FIELDS.has(key) ? keysIn(value) : [];
    return [...keys, ...(isAddress ? userInfo(value) : [])];
  }
  if (Array.isArray(value)) return value.flatMap((one: Json) => hiddenParts(one, key));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => hiddenParts(member, name));
}
