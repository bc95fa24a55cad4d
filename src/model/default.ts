import type { Default } from "./field-shape.ts";

/** The tag `latest`, or none: what Kubernetes pulls anew each time. */
const MOVING_IMAGE = /^(?:[^/@]+\/)*[^/:@]+(?::latest)?$/;

/** What a documented default amounts to with these siblings; undefined if they do not decide it. */
export function resolveDefault(
  rule: Default | undefined,
  siblings: Readonly<Record<string, unknown>>,
): string | number | boolean | undefined {
  if (rule === undefined) return undefined;
  if ("value" in rule) return rule.value;
  if ("pullPolicyOf" in rule) {
    const image = siblings[rule.pullPolicyOf];
    if (typeof image !== "string") return undefined;
    return MOVING_IMAGE.test(image) ? "Always" : "IfNotPresent";
  }
  const base = siblings[rule.of];
  return typeof base === "number" ? base * rule.times : undefined;
}

/** A documented default in words: `2 x cpu`, `merge`. */
export function defaultInWords(rule: Default): string {
  if ("value" in rule) return rule.value === "" ? "empty" : String(rule.value);
  if ("pullPolicyOf" in rule) return `by the tag of ${rule.pullPolicyOf}`;
  return rule.times === 1 ? rule.of : `${rule.times} x ${rule.of}`;
}

/** What Kubernetes fills in inside the free-form parts of a container or volume, by the name of the key. */
const FREE_FORM: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["apiVersion", "v1"],
  ["allowPrivilegeEscalation", true],
  ["defaultMode", 0o644],
  ["expirationSeconds", 3600],
  ["fsType", "ext4"],
  ["optional", false],
  ["privileged", false],
  ["procMount", "Default"],
  ["protocol", "TCP"],
  ["readOnly", false],
  ["readOnlyRootFilesystem", false],
  ["runAsNonRoot", false],
]);

/** Whether a leaf of free-form JSON says no more than its absence does: null, empty, or what Kubernetes fills in. */
export function isFreeFormDefault(key: string, value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (typeof value === "object") return Object.keys(value).length === 0;
  return FREE_FORM.get(key) === value;
}
