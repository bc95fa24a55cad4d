import {
  boolean,
  choice,
  DEPLOYMENT,
  field,
  freeForm,
  integer,
  list,
  ROOT,
  SECRET,
  secretsOf,
  struct,
  text,
  textMap,
  uuid,
} from "./fields.ts";

const deployBlock = struct({
  id: field(uuid(), {
    doc: "Id of the deployment to adopt; absent: it is found by its exact name.",
  }),
  secrets: field(choice("replace", "merge"), {
    doc: "`replace`: the list is complete. `merge`: it adds to the live secrets.",
    default: { value: "replace" },
  }),
  resource_spec: field(choice("merge", "replace"), {
    doc: "`merge`: it adds to the live one. `replace`: it is complete.",
    default: { value: "merge" },
  }),
  paths: field(list(text()), {
    doc: "Globs; a moved commit counts only if one of these changed. Absent: every path counts.",
  }),
  timeout: field(text(), {
    doc: "How long a revision may take: `500ms`, `90s`, `30m` or `1h`.",
    default: { value: "30m" },
  }),
  on_failure: field(choice("none", "rollback"), {
    doc: "What follows a failed revision.",
    default: { value: "none" },
  }),
  verify: field(text(), {
    doc: "Run by `bash -c`, once, after DEPLOYED; a non-zero exit fails the deployment.",
  }),
  source: field(text(), {
    doc: "For `internal_source`: folder of the checkout that is the root of the archive. Absent: that of the configuration file, with its local dependencies.",
    only: "internal_source",
  }),
  source_change: field(boolean(), {
    doc: "True: a deployment built from a repository may be built from the checkout from now on, or back.",
  }),
  verify_env: field(list(choice("AGENT_DEPLOY_API_KEY")), {
    doc: "Keys of this run that `verify` gets in its environment; without it, none.",
  }),
  extra: field(freeForm(), {
    doc: "Fields of the service that no table here knows, merged into the body as written. A change of one may make a revision.",
  }),
  image: field(choice("keep", "resolve"), {
    doc: "`resolve`: the tag of `image_uri` is looked up in its registry, and its digest is sent.",
    default: { value: "keep" },
  }),
  wave: field(integer(), {
    doc: "Order among the documents: a wave begins when the one before it ended well.",
    default: { value: 0 },
  }),
});

/**
 * The description of `deploy.targets`, which is separated from a document before its fields are
 * read: no row above can hold it.
 */
export const TARGETS_DOC =
  "What differs per target, by the target's name: mappings merge by key, scalars replace, lists of named items merge by name, null takes a key away.";

/** Keys of a target that say where it is; all others overlay the document. */
export const PLACE_KEYS = ["region", "control_plane_url", "tenant_id"] as const;

/** Keys of a target in addition to those of a document, with their descriptions. */
export const TARGET_KEYS = {
  region: "Region of the hosted service in this target.",
  control_plane_url: "Address of the service in this target.",
  tenant_id: "Tenant (workspace) id in this target.",
  replace: "Lists of this target that replace the document's lists whole.",
} as const;

/** `secrets:` as written in a spec: an entry may name the environment variable that holds its value. */
const writtenSecret = struct({
  ...SECRET,
  value: (name, parent) => ({ ...SECRET.value(name, parent), required: false }),
  from: field(text(), {
    doc: "Environment variable that holds the value, where it has another name; not together with `value`.",
  }),
  optional: field(boolean(), {
    doc: "True: where the variable is unset or empty, the entry is left out, and a live one is kept as it is.",
  }),
});

const variables = field(textMap(), {
  doc: "Environment values that are not secrets, shown by value: a mapping of names to values.",
});

/** Everything a document may contain: the service's fields and our own. */
export const documentShape = struct({
  ...DEPLOYMENT,
  secrets: secretsOf(writtenSecret),
  // Sent as part of `secrets`, so a change has the same effect.
  variables: (name, parent) => variables(name, { ...parent, effect: "new-revision" }),
  deploy: field(deployBlock, { doc: "What is ours and never sent, but for `extra`." }),
})(ROOT);

/** The `deploy:` block of a spec document. It configures this tool and is never sent. */
export const deployShape = documentShape.fields.get("deploy")!.shape as typeof documentShape;
