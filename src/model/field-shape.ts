/**
 * The source kinds in the interface document's dialect (dialect.ts has the hosted one). The first
 * two are in that document; the others exist only on the hosted service.
 */
export const SOURCE_KINDS = [
  "repohost",
  "external_container",
  "internal_docker",
  "internal_source",
  "internal_template",
] as const;

/** What a spec writes under `source:`, in that dialect. */
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** What happens when a PATCH carries the field (contributing/interface.md, "Rules that create revisions"). */
export type Effect = "in-place" | "next-build" | "new-revision";

/**
 * A documented default: a literal, a multiple of a sibling (`cpu_limit` is 2 x `cpu`), or
 * Kubernetes' rule for images.
 */
export type Default =
  | { readonly value: string | number | boolean }
  | { readonly of: string; readonly times: number }
  | { readonly pullPolicyOf: string };

/**
 * One row of the field table. The columns are a closed list: anything else is a named rule in
 * rules.ts. `effect` is set on fields that a PATCH sends as one unit; fields below a unit inherit
 * it.
 */
export interface FieldMeta {
  readonly doc: string;
  /** The only source kind that has this field; absent: every kind. */
  readonly only?: SourceKind;
  /** A build from the checkout has it too (contributing/service.md 2.9). */
  readonly checkout?: true;
  /** `patch-only`: a create refuses it, so it is sent right after the create. */
  readonly mutability?: "create-only" | "read-only" | "patch-only";
  readonly effect?: Effect;
  /** The key that matches list items; absent: by position. */
  readonly match?: "name" | "mountPath";
  readonly default?: Default;
  /** The value that Kubernetes fills in. A leaf equal to it means the same as leaving it out. */
  readonly kubernetes?: Default;
  /** `value`: the value is never shown. `user-info`: the `user:password@` of a URL is never shown. */
  readonly sensitive?: "value" | "user-info";
  /**
   * Which services omit the key from replies (contributing/service.md 2.6); null always means "not
   * set". Absent: none is known to omit it.
   */
  readonly readback?: "never" | "sometimes";
  /** The kind of name that the text must be. */
  readonly format?: "dns-label" | "variable" | "image";
  /** The text may have several lines; absent: a line break is a mistake. */
  readonly lines?: "many";
  /**
   * How to compare a value that the service rewrites or hides: rounded to one decimal, as a
   * repository URL, or as environment values (by name, and by value if the service returns it).
   */
  readonly compareWith?: "one-decimal" | "repository" | "environment";
  /** A PATCH replaces the whole value. The field of the same name under `deploy:` says whether live parts are kept. */
  readonly sentWhole?: true;
  /** Another path where a reply may hold the value, if its own path shows the commit that was built. */
  readonly alias?: string;
  /** The value that the hosted service was seen to fill in, beyond the documented defaults. */
  readonly filledIn?: number;
  /** The sibling that is a lower bound for the value filled in. */
  readonly filledAbove?: string;
  /** The service keeps adding values: an unknown one is sent, with a warning. */
  readonly open?: true;
  /** The interface document says not to use it. */
  readonly avoid?: true;
  /** Only the hosted service's own OpenAPI has it: the whole field, or its fractional values. */
  readonly hosted?: "only" | "fraction";
}

/** The field table as a tree. The diff, the spec reader and the emulator walk it without knowing any field by name. */
export type Shape =
  | { readonly kind: "struct"; readonly fields: ReadonlyMap<string, Field> }
  | { readonly kind: "list"; readonly item: Shape; readonly match: string | undefined }
  | { readonly kind: "map" }
  | { readonly kind: "free" }
  | { readonly kind: "scalar"; readonly type: ScalarType }
  | { readonly kind: "scalar"; readonly type: "enum"; readonly values: readonly string[] };

/** Whether deployments of a source kind have a field. */
export const isOfKind = ({ meta }: Pick<Field, "meta">, source: string): boolean =>
  meta.only === undefined ||
  meta.only === source ||
  (meta.checkout === true && source === "internal_source");

/** How a value is written in YAML. On the wire, a uuid and an enum (one of some words) are strings. */
export type ScalarType = "string" | "uuid" | "integer" | "number" | "boolean";

/** One row of the table in its place: `path` is dotted and canonical (`source_config.resource_spec.cpu`). */
export interface Field {
  readonly name: string;
  readonly path: string;
  readonly meta: FieldMeta;
  readonly required: boolean;
  readonly shape: Shape;
  /** What a PATCH with this field does: its own effect, else that of its unit; undefined if it cannot be patched. */
  readonly effect: Effect | undefined;
  readonly mutability: "mutable" | "create-only" | "read-only" | "patch-only";
}
