import type { Json } from "../model/json.ts";
import type { SourceKind } from "../model/field-shape.ts";
import type { Dialect } from "../model/dialect.ts";

/** The place of something in a file; 1-based, in UTF-16 columns, as editors count. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One thing wrong with a spec or an input; `path` is spelled as the user spells it. */
export interface Diagnostic extends Position {
  readonly level: "error" | "warning";
  readonly path: string;
  /** What is wrong; what to write instead. Never the value of a sensitive field. */
  readonly message: string;
  /** A field is wanted that is not written. */
  readonly missing?: true;
}

/** What is wrong at a place; nothing is sent because of it. */
export const errorAt = (at: Position, path: string, message: string): Diagnostic => ({
  file: at.file,
  line: at.line,
  column: at.column,
  level: "error",
  path,
  message,
});

/** The `deploy:` block: ours, never sent. Durations in milliseconds. */
export interface DeployBlock {
  readonly id?: string;
  readonly secrets: "replace" | "merge";
  readonly resource_spec: "merge" | "replace";
  /** Folder that is the root of the archive, relative to the checkout. */
  readonly source?: string;
  /** A deployment of another source may be moved to this one. */
  readonly source_change?: boolean;
  /** Keys of the run that `verify` gets, by name. */
  readonly verify_env?: readonly string[];
  /** Fields of the service that no table knows; merged into the body as written. */
  readonly extra?: { readonly [key: string]: Json };
  /** Globs; a moved commit counts only if one of these changed. Empty: every path counts. */
  readonly paths: readonly string[];
  readonly timeoutMs?: number;
  readonly on_failure?: "none" | "rollback";
  readonly verify?: string;
  /** `resolve`: the tag of `image_uri` becomes its digest at plan time. */
  readonly image?: "keep" | "resolve";
  /** Documents of one wave run together; the next wave begins when it ended well. Absent: 0. */
  readonly wave?: number;
}

/** What `deploy:` says where it says nothing. */
export const DEPLOY_DEFAULTS: DeployBlock = {
  secrets: "replace",
  resource_spec: "merge",
  paths: [],
};

/** The target that a document was resolved for, and where that target is. */
export interface TargetPlace {
  readonly name: string;
  readonly at: Position;
  /** `region`, `control_plane_url` and `tenant_id` as the target gives them. */
  readonly values: { readonly [key: string]: string };
  /** What a plan says of its address; absent where there is nothing to say. */
  readonly warning?: string;
  /** Where each of them is written. */
  readonly lines: { readonly [key: string]: Position };
}

/** An image by tag, with what its registry said of it (`deploy.image: resolve`). */
export interface ImageTag {
  /** As it is written, with its tag. */
  readonly uri: string;
  /** The same without the tag. */
  readonly repository: string;
  readonly lookup:
    | { readonly state: "found"; readonly digest: string }
    | { readonly state: "unknown" }
    | { readonly state: "unreachable"; readonly why: string };
}

/** What of the checkout is deployed. */
export interface DesiredArchive {
  /** SHA-256 of the uncompressed archive, 64 hex digits. */
  readonly hash: string;
  /** The configuration file, relative to the archive. */
  readonly configPath: string;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** The compressed archive, made when it is uploaded; rejects where the files changed since. */
  readonly open: () => Promise<{
    readonly bytes: number;
    readonly read: () => AsyncIterable<Uint8Array>;
  }>;
}

/** One document of a spec: what is wanted, in the interface document's dialect, interpolated. */
export interface Desired {
  readonly name: string;
  readonly source: SourceKind;
  /** The dialect the user wrote, and so the one that is sent. */
  readonly dialect: Dialect;
  /**
   * Canonical deployment body as written: absent keys are absent, an explicit null is null, `secrets` items are
   * always `{name, value}`. Holds secret values: never printed.
   */
  readonly body: { readonly [key: string]: Json };
  /**
   * Dotted paths into `body`, list positions as indexes (`secrets.1.value`), of values that only `apply` will know;
   * the body holds KNOWN_AT_APPLY there.
   */
  readonly unknown: ReadonlySet<string>;
  /** Names in `body.secrets` that are written under `variables`: environment values that are no secrets. */
  readonly variables?: ReadonlySet<string>;
  /** Names of variables that the target leaves unmanaged (`null`): live ones stay, though the list is sent whole. */
  readonly leaves?: ReadonlySet<string>;
  /** Names of optional secrets whose variable holds nothing here: live ones are kept as they are. */
  readonly leftOut?: ReadonlySet<string>;
  /** Read by a run that does not trust it: it is shown nothing that is live under `variables`. */
  readonly untrusted?: true;
  /** The target it was resolved for; undefined where the document has no targets. */
  readonly target?: TargetPlace;
  /**
   * By environment variable, the paths whose value is taken from it and not known where it is
   * unset; `deploy` paths too.
   */
  readonly fromEnvironment: ReadonlyMap<string, readonly string[]>;
  /** Set where a registry was asked for the digest of the image's tag. */
  readonly image?: ImageTag;
  /** Set where the document is built from the checkout, and the checkout was read. */
  readonly archive?: DesiredArchive;
  readonly deploy: DeployBlock;
  /** Position of a dotted body path, or of its nearest written ancestor. */
  readonly positionOf: (path: string) => Position;
}

/** Shown in place of a value whose variable is not set here. */
export const KNOWN_AT_APPLY = "(known after apply)";
