import { isHostedSource, spellSource } from "../model/dialect.ts";
import type { Json } from "../model/json.ts";
import type { LiveDeployment } from "../model/live.ts";
import type { Field } from "../model/field-shape.ts";
import type { Desired } from "../spec/desired.ts";
import type { Leaf } from "./diff.ts";
import type { ExtraComparison } from "./extra.ts";
import type { Blocker, Change, SecretMark, PlanPart } from "./plan.ts";
import { holdsSensitive } from "./value.ts";

/** A managed field that differs, with what a PATCH would send for its whole unit. */
export interface ChangedUnit {
  readonly field: Field;
  readonly value: Json;
}

/** What a write of the whole list of environment values would send, and what prevents it. */
export interface WholeList {
  /** Without the value that records the uploaded source. */
  readonly body: readonly Json[];
  readonly blockers: readonly Blocker[];
  /** Whether the list is sent for a change in it; an upload sends it anyway. */
  readonly isSent: boolean;
}

/** How a spec document compares with its live deployment, as far as it has been compared. */
export interface DocumentComparison extends Required<PlanPart> {
  readonly changes: Change[];
  readonly units: ChangedUnit[];
  /** Units that the reply does not contain: not compared, and sent only along with a PATCH that is made anyway. */
  readonly unreadable: ChangedUnit[];
  readonly blockers: Blocker[];
  readonly dropped: string[];
  /** Live values that the spec does not name and that stay unchanged. */
  readonly unmanaged: string[];
  /** Those that a write of the whole value sends along; for unknown keys only the name. */
  readonly kept: Leaf[];
  /** Sensitive values that only apply knows, other than the environment values of the list. */
  readonly atApply: string[];
  readonly warnings: string[];
  readonly notes: string[];
  secrets: readonly SecretMark[];
  environment: WholeList;
  /** Fields that the table does not know. */
  readonly extra: ExtraComparison;
}

/** A comparison under way: both sides, and what it has found so far. */
export interface Comparing {
  readonly desired: Desired;
  readonly live: LiveDeployment;
  readonly secretsUnknown: "keep" | "send";
  readonly out: DocumentComparison;
}

/** Adds a change and a blocker for a value that is set and that the spec clears, which the service cannot do. */
export function addClear({ out }: Comparing, field: Field, path: string, before: Json): void {
  out.changes.push({
    path,
    before,
    after: null,
    effect: "impossible",
    sensitive: holdsSensitive(field, before),
  });
  out.blockers.push({
    code: "clear",
    path,
    message:
      `${path} is set and the spec clears it, which the service cannot do; ` +
      `remove ${path} from the spec to keep the live value, or write a value`,
  });
}

/** Adds the differences of a field that cannot change after creation, each with a blocker. */
export function addImpossible(
  { desired, out }: Comparing,
  field: Field,
  found: readonly Leaf[],
): void {
  for (const { path, before, after, sensitive } of found) {
    const spelled = (value: Json): Json =>
      field.path === "source" ? spellSource(String(value), desired.dialect) : value;
    const [from, to] = [spelled(before), spelled(after)];
    out.changes.push({ path, before: from, after: to, effect: "impossible", sensitive });
    const hint =
      field.path === "source" && isHostedSource(before)
        ? "This deployment was made by the vendor's own tools: what it is built from is changed there, or by a new deployment under another name"
        : "A new deployment under another name is needed; or write the live value into the spec";
    out.blockers.push({
      code: "immutable",
      path,
      message: `${path} cannot change after creation (live ${show(from)}, spec ${show(to)}). ${hint}`,
    });
  }
}

const show = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
