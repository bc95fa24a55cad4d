/**
 * The source kinds, in the interface document's dialect (the hosted one is in dialect.ts). The first two are that
 * document's, the others only the hosted service's.
 */
export const SOURCE_KINDS = [
  "repohost",
  "external_container",
  "internal_docker",
  "internal_source",
  "internal_template",
] as const;

/** The word of `source:` in that dialect. */
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** What a PATCH that carries the field does (contributing/interface.md, "Rules that create revisions"). */
export type Effect = "in-place" | "next-build" | "new-revision";

/**
 * A documented default: a literal, a multiple of a sibling (`cpu_limit` is 2 x `cpu`), or
 * Kubernetes' rule for an image.
 */
export type Default =
  | { readonly value: string | number | boolean }
  | { readonly of: string; readonly times: number }
  | { readonly pullPolicyOf: string };

/**
 * One row of the field table. The columns are a closed list: what does not fit in one is a named rule in rules.ts.
 * `effect` is on the fields that travel in a PATCH as one unit; leaves below a unit take the unit's.
 */
export interface FieldMeta {
  readonly doc: string;
  /** Belongs only to this source kind; absent: to every kind. */
  readonly only?: SourceKind;
  /** `patch-only`: a create refuses it, so it is sent right after one. */
  readonly mutability?: "create-only" | "read-only" | "patch-only";
  readonly effect?: Effect;
  /** How list items are matched; absent on a list: in order. */
  readonly match?: "name" | "mountPath";
  readonly default?: Default;
  /** What Kubernetes fills in by itself: a leaf that equals it says no more than its absence. */
  readonly kubernetes?: Default;
  /** `value`: never shown. `user-info`: the `user:password@` of a URL is never shown. */
  readonly sensitive?: "value" | "user-info";
  /**
   * Which services leave the key out of a reply (contributing/service.md 2.6); null always says "not set".
   * Absent: none is known to.
   */
  readonly readback?: "never" | "sometimes";
  /** What a text is: the rules of that kind of name hold for it. */
  readonly format?: "dns-label" | "variable" | "image";
  /** A text that may have several lines; absent: a line break in it is a mistake. */
  readonly lines?: "many";
  /**
   * How a value is compared where the service rewrites or hides it: rounded to one decimal, as a
   * repository's URL, or as environment values (by name, and by value where one is returned).
   */
  readonly compareWith?: "one-decimal" | "repository" | "environment";
  /**
   * One value of many parts: a PATCH replaces all of it. `deploy:` says, under the same name,
   * whether live parts stay.
   */
  readonly sentWhole?: true;
  /** Where a reply may hold the value too, when at its own place it shows the commit that was built. */
  readonly alias?: string;
  /** What the hosted service was seen to fill in, besides the documented defaults. */
  readonly filledIn?: number;
  /** The sibling that is a lower bound for what is filled in. */
  readonly filledAbove?: string;
  /** The service adds words: one that is not known is sent, with a warning. */
  readonly open?: true;
  /** Marked "not to be used" by the interface document. */
  readonly avoid?: true;
  /** Known only to the hosted service's own OpenAPI: the whole field, or its fractional values. */
  readonly hosted?: "only" | "fraction";
}

/**
 * The field table as a plain tree: what the diff, the spec reader and the emulator walk, without
 * knowing a field by name.
 */
export type Shape =
  | { readonly kind: "struct"; readonly fields: ReadonlyMap<string, Field> }
  | { readonly kind: "list"; readonly item: Shape; readonly match: string | undefined }
  | { readonly kind: "map" }
  | { readonly kind: "free" }
  | { readonly kind: "scalar"; readonly type: ScalarType; readonly values?: readonly string[] };

/** How a value is written in YAML; a uuid and an enum are strings on the wire. */
export type ScalarType = "string" | "uuid" | "integer" | "number" | "boolean" | "enum";

/** One row of the table at its place: `path` is dotted and canonical (`source_config.resource_spec.cpu`). */
export interface Field {
  readonly name: string;
  readonly path: string;
  readonly meta: FieldMeta;
  readonly required: boolean;
  readonly shape: Shape;
  /**
   * What a PATCH with this field does: its own, or that of the unit it travels in; undefined where
   * it cannot be patched.
   */
  readonly effect: Effect | undefined;
  readonly mutability: "mutable" | "create-only" | "read-only" | "patch-only";
}
