import { isObject, type Json } from "../model/json.ts";
import type { Dialect } from "../model/dialect.ts";

/**
 * A position in a file: 1-based, columns in UTF-16 units, as editors count. `file` is empty for
 * what an input holds.
 */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One problem in a spec or an input; `path` is spelled as the user spells it. */
export interface Diagnostic extends Position {
  readonly level: "error" | "warning";
  readonly path: string;
  /** What is wrong and what to write instead. Never the value of a sensitive field. */
  readonly message: string;
  /** A required field is missing. */
  readonly missing?: true;
}

/** An error at a position; nothing is sent while there is one. */
export const errorAt = (at: Position, path: string, message: string): Diagnostic => ({
  ...at,
  level: "error",
  path,
  message,
});

/** The `deploy:` block: our own settings, never sent. Durations in milliseconds. */
export interface DeployBlock {
  readonly id?: string;
  readonly secrets: "replace" | "merge";
  readonly resource_spec: "merge" | "replace";
  /** Root folder of the archive, relative to the checkout. */
  readonly source?: string;
  /** Allows a deployment from another source to be moved to this one. */
  readonly source_change?: boolean;
  /** Names of credentials that `verify` receives. */
  readonly verify_env?: readonly string[];
  /** Service fields that the table does not know, merged into the body as written. */
  readonly extra?: { readonly [key: string]: Json };
  /** Globs: a new commit counts only if it changed one of these paths. Empty: every path counts. */
  readonly paths: readonly string[];
  readonly timeoutMs?: number;
  readonly on_failure?: "none" | "rollback";
  readonly verify?: string;
  /** `resolve`: replace the tag of `image_uri` with its digest while planning. */
  readonly image?: "keep" | "resolve";
  /** Documents of one wave run together, and the next wave starts after they succeed. Absent: 0. */
  readonly wave?: number;
}

/** What applies where a spec sets nothing under `deploy:`. */
const DEPLOY_DEFAULTS: DeployBlock = {
  secrets: "replace",
  resource_spec: "merge",
  paths: [],
};

/**
 * The `deploy:` block of these settings. What is not known is left out, in lists too: only `extra`,
 * which is sent, has a place for that.
 */
export function toDeployBlock(
  { extra, ...settings }: Readonly<Record<string, unknown>>,
  isKnown: (value: unknown) => boolean,
): DeployBlock {
  const known = Object.entries(settings)
    .filter(([, value]) => isKnown(value))
    .map(([key, value]) => [key, Array.isArray(value) ? value.filter(isKnown) : value]);
  return {
    ...DEPLOY_DEFAULTS,
    ...(Object.fromEntries(known) as Partial<DeployBlock>),
    ...(isObject(extra) ? { extra: extra as NonNullable<DeployBlock["extra"]> } : {}),
  };
}

/** The target that a document was resolved for, and its place. */
export interface TargetPlace {
  readonly name: string;
  readonly at: Position;
  /** `region`, `control_plane_url` and `tenant_id` as written in the target. */
  readonly values: { readonly [key: string]: string };
  /** The same as they are shown, with `${NAME}` in place of what a secret's variable fills in. */
  readonly shown: { readonly [key: string]: string };
  /** The plan's warning about this place; absent if there is none. */
  readonly warning?: string;
  /** Where each of these values is written. */
  readonly lines: { readonly [key: string]: Position };
}

/** An image named by tag, with the registry's answer (`deploy.image: resolve`). */
export interface ImageTag {
  /** As written, with its tag. */
  readonly uri: string;
  /** Without its tag. */
  readonly repository: string;
  readonly lookup:
    | { readonly state: "found"; readonly digest: string }
    | { readonly state: "unknown" }
    | { readonly state: "unreachable"; readonly why: string };
}

/** The part of the checkout that is deployed. */
export interface DesiredArchive {
  /** SHA-256 of the uncompressed archive, 64 hex digits. */
  readonly hash: string;
  /** Path of the configuration file within the archive. */
  readonly configPath: string;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** Makes the compressed archive at upload time; rejects if the files changed in the meantime. */
  readonly open: () => Promise<{
    readonly bytes: number;
    readonly read: () => AsyncIterable<Uint8Array>;
  }>;
}

/** One document of a spec: the wanted state, interpolated, in the interface document's dialect. */
export interface Desired {
  readonly name: string;
  readonly source: string;
  /** The dialect that the user wrote, and that is sent. */
  readonly dialect: Dialect;
  /**
   * Canonical deployment body as written: absent keys are absent, an explicit null is null, and
   * `secrets` items are always `{name, value}`. Holds secret values: never print it.
   */
  readonly body: { readonly [key: string]: Json };
  /**
   * Dotted paths into `body` (list positions as indexes: `secrets.1.value`), and `deploy.extra…`, of
   * values that only `apply` will know. KNOWN_AT_APPLY is at exactly these paths.
   */
  readonly unknown: ReadonlySet<string>;
  /** Names in `body.secrets` that were written under `variables`: environment values that are not secret. */
  readonly variables?: ReadonlySet<string>;
  /**
   * Names of variables that the target leaves unmanaged (`null`): the live ones stay, although the
   * whole list is sent.
   */
  readonly leaves?: ReadonlySet<string>;
  /** Names of optional secrets whose variable is unset or empty in this run: the live ones are kept. */
  readonly leftOut?: ReadonlySet<string>;
  /** The run does not trust this document, so it shows no live values of `variables`. */
  readonly untrusted?: true;
  /** The target it was resolved for; undefined if the document has no targets. */
  readonly target?: TargetPlace;
  /**
   * Maps each environment variable to the paths that take their value from it (`deploy` paths
   * included), which are unknown while it is unset.
   */
  readonly fromEnvironment: ReadonlyMap<string, readonly string[]>;
  /**
   * Texts to show, by path (`variables.NAME` and `deploy` paths included), where a variable whose
   * name suggests a secret fills in the value: `${NAME}` stays in its place. Absent: nowhere.
   */
  readonly shown?: ReadonlyMap<string, string>;
  /** Set if a registry was asked for the digest of the image's tag. */
  readonly image?: ImageTag;
  /** Set if the document is built from the checkout, and the checkout was read. */
  readonly archive?: DesiredArchive;
  readonly deploy: DeployBlock;
  /** Position of a dotted body path, or of its nearest ancestor that is written. */
  readonly positionOf: (path: string) => Position;
}

/** Shown for a value whose variable is not set in this run. */
export const KNOWN_AT_APPLY = "(known after apply)";
