import type { Default } from "./field-shape.ts";

/** Matches an image tagged `latest` or not tagged: Kubernetes pulls these again each time. */
const MOVING_IMAGE = /^(?:[^/@]+\/)*[^/:@]+(?::latest)?$/;

/** Computes a documented default from its sibling fields; undefined if they do not determine it. */
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

/** Values that Kubernetes fills in inside the free-form parts of a container or volume, by key. */
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

/** Whether a free-form leaf means the same as leaving it out: null, empty, or a Kubernetes default. */
export function isFreeFormDefault(key: string, value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (typeof value === "object") return Object.keys(value).length === 0;
  return FREE_FORM.get(key) === value;
}
