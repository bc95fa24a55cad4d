import type { FieldMeta } from "./fields.ts";
import { deploymentShape } from "./shape.ts";
import type { Field, Shape } from "./field-shape.ts";

function row(
  name: string,
  shape: Shape,
  doc: string,
  more: Partial<FieldMeta> = {},
): [string, Field] {
  return [
    name,
    {
      name,
      path: `deploy.${name}`,
      meta: { doc, ...more },
      required: false,
      shape,
      effect: undefined,
      mutability: "mutable",
    },
  ];
}
const choice = (...values: string[]): Shape => ({ kind: "scalar", type: "enum", values });
const text: Shape = { kind: "scalar", type: "string" };

/** The `deploy:` block of a spec document: ours, never sent. */
export const deployShape: Extract<Shape, { kind: "struct" }> = {
  kind: "struct",
  fields: new Map([
    row(
      "id",
      { kind: "scalar", type: "uuid" },
      "Id of the deployment to adopt; absent: it is found by its exact name.",
    ),
    row(
      "secrets",
      choice("replace", "merge"),
      "Whether the secrets here are all there are, or lie over the live ones.",
      { default: { value: "replace" } },
    ),
    row(
      "resource_spec",
      choice("merge", "replace"),
      "`merge`: it adds to the live one. `replace`: it is complete.",
      { default: { value: "merge" } },
    ),
    row(
      "paths",
      { kind: "list", item: text, match: undefined },
      "Globs; a moved commit counts only if one of these changed. Absent: every path counts.",
    ),
    row("timeout", text, "How long a revision may take: `500ms`, `90s`, `30m` or `1h`.", {
      default: { value: "30m" },
    }),
    row("on_failure", choice("none", "rollback"), "What follows a failed revision.", {
      default: { value: "none" },
    }),
    row(
      "verify",
      text,
      "Run by `bash -c`, once, after DEPLOYED; a non-zero exit fails the deployment.",
    ),
    row(
      "source",
      text,
      "For `internal_source`: folder of the checkout that is the root of the archive. Absent: that of the configuration file, with its local dependencies.",
      { only: "internal_source" },
    ),
    row(
      "source_change",
      { kind: "scalar", type: "boolean" },
      "True: a deployment built from a repository may be built from the checkout from now on, or back.",
    ),
    row(
      "verify_env",
      { kind: "list", item: choice("AGENT_DEPLOY_API_KEY"), match: undefined },
      "Keys of this run that `verify` gets in its environment; without it, none.",
    ),
    row(
      "extra",
      { kind: "free" },
      "Fields of the service that no table here knows, merged into the body as written. A change of one may make a revision.",
    ),
    row(
      "image",
      choice("keep", "resolve"),
      "`resolve`: the tag of `image_uri` is looked up in its registry, and its digest is sent.",
      { default: { value: "keep" } },
    ),
    row(
      "wave",
      { kind: "scalar", type: "integer" },
      "Order among the documents: a wave begins when the one before it ended well.",
      { default: { value: 0 } },
    ),
  ]),
};

/** The row of the `deploy:` key itself. */
const deployField: Field = {
  name: "deploy",
  path: "deploy",
  meta: { doc: "What is ours and never sent, but for `extra`." },
  required: false,
  shape: deployShape,
  effect: undefined,
  mutability: "mutable",
};

/** The row of the `variables:` key: it is sent in the service's one list of secrets. */
const variablesField: Field = {
  name: "variables",
  path: "variables",
  meta: {
    doc: "Environment values that are not secrets, shown by value: a mapping of names to values.",
  },
  required: false,
  shape: { kind: "map" },
  effect: "new-revision",
  mutability: "mutable",
};

/** A key of an entry under `secrets:` that is ours and never sent. */
function secretRow(name: string, shape: Shape, doc: string): [string, Field] {
  return [
    name,
    {
      name,
      path: `secrets.${name}`,
      meta: { doc },
      required: false,
      shape,
      effect: "new-revision",
      mutability: "mutable",
    },
  ];
}

/** The row of `secrets:` as a spec writes it: an entry may name the variable that holds its value. */
function toSecretsField(): Field {
  const own = deploymentShape.fields.get("secrets")!;
  if (own.shape.kind !== "list" || own.shape.item.kind !== "struct") return own;
  const { fields } = own.shape.item;
  const item: Shape = {
    kind: "struct",
    fields: new Map([
      ...[...fields].map(([name, field]): [string, Field] => [
        name,
        name === "value" ? { ...field, required: false } : field,
      ]),
      secretRow(
        "from",
        text,
        "Environment variable that holds the value, where it has another name; not together with `value`.",
      ),
      secretRow(
        "optional",
        { kind: "scalar", type: "boolean" },
        "True: where the variable is unset or empty, the entry is left out, and a live one is kept as it is.",
      ),
    ]),
  };
  return { ...own, shape: { ...own.shape, item } };
}

/** What a document may hold: the service's fields, and what is ours. */
export const documentShape: Extract<Shape, { kind: "struct" }> = {
  kind: "struct",
  fields: new Map([
    ...deploymentShape.fields,
    ["secrets", toSecretsField()],
    ["variables", variablesField],
    ["deploy", deployField],
  ]),
};
