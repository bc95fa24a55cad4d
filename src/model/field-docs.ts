import { deployShape, documentShape, TARGET_KEYS, TARGETS_DOC } from "./deploy-block.ts";
import { defaultInWords } from "./default.ts";
import type { Field, Shape } from "./field-shape.ts";
import { spellKey, spellSource } from "./dialect.ts";

type Struct = Extract<Shape, { kind: "struct" }>;

/** A table of the spec reference: its heading, and the object whose fields it shows. */
interface Section {
  readonly title: string;
  readonly shape: Struct;
}

/** Renders the tables of the spec reference from the field table: one for each object, each object once. */
export function renderFieldDocs(): string {
  const sections: Section[] = [
    { title: "Deployment", shape: documentShape },
    { title: "deploy", shape: deployShape },
  ];
  collect(documentShape, sections);
  const [document, deploy, ...others] = sections.map(renderSection);
  return `${[document, [deploy, ...TARGET_ROWS].join("\n"), ...others].join("\n\n")}\n`;
}

const TARGET_ROWS = [
  `| \`targets\` | mapping of a target's name to keys of the document | any | never sent | ${TARGETS_DOC} |`,
  ...Object.entries(TARGET_KEYS).map(
    ([key, doc]) =>
      `| \`targets.<name>.${key}\` | ${key === "replace" ? "list of names" : "text"} | any | never sent | ${doc} |`,
  ),
];

function structOf(shape: Shape): Struct | undefined {
  if (shape.kind === "list") return structOf(shape.item);
  return shape.kind === "struct" ? shape : undefined;
}
const signature = (shape: Struct): string => [...shape.fields.keys()].join();

function collect(shape: Struct, sections: Section[]): void {
  for (const row of shape.fields.values()) {
    const inner = structOf(row.shape);
    if (
      inner === undefined ||
      sections.some((section) => signature(section.shape) === signature(inner))
    )
      continue;
    sections.push({
      title: row.shape.kind === "list" ? `Items of ${titleOf(row, inner)}` : row.name,
      shape: inner,
    });
    collect(inner, sections);
  }
}

/** Lists of the same object share one table. */
function titleOf(row: Field, inner: Struct): string {
  const names = new Set([row.name]);
  const visit = (shape: Struct): void => {
    for (const other of shape.fields.values()) {
      const struct = structOf(other.shape);
      if (struct === undefined) continue;
      if (other.shape.kind === "list" && signature(struct) === signature(inner))
        names.add(other.name);
      visit(struct);
    }
  };
  visit(documentShape);
  return [...names].join(", ");
}

function renderSection({ title, shape }: Section): string {
  const rows = [...shape.fields.values()].map(
    (row) =>
      `| ${[cell(nameOf(row)), cell(row.path === "source" ? sourcesOf(row.shape) : typeOf(row.shape)), cell(sourceOf(row)), cell(changeOf(row)), cell(noteOf(row))].join(" | ")} |`,
  );
  return [
    `### ${title}`,
    "",
    "| Field | Type | Source | A change | Notes |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

const cell = (text: string): string => text.replaceAll("|", "\\|");
const nameOf = (row: Field): string => {
  const hosted = spellKey(row.name, "hosted");
  return `\`${row.name}\`${hosted === row.name ? "" : ` (hosted: \`${hosted}\`)`}${row.required ? " (required)" : ""}`;
};
const sourceOf = ({ meta }: Field): string =>
  meta.only === undefined
    ? "any"
    : [...new Set([meta.only, spellSource(meta.only, "hosted")])]
        .map((word) => `\`${word}\``)
        .join(" / ");

/** Lists the source kinds in both dialects. */
function sourcesOf(shape: Shape): string {
  const kinds = shape.kind === "scalar" ? (shape.values ?? []) : [];
  return kinds
    .map((kind) =>
      spellSource(kind, "hosted") === kind
        ? `\`${kind}\``
        : `\`${kind}\` (hosted: \`${spellSource(kind, "hosted")}\`)`,
    )
    .join(", ");
}

function typeOf(shape: Shape): string {
  switch (shape.kind) {
    case "struct":
      return "mapping";
    case "list":
      return `list of ${shape.item.kind === "scalar" ? typeOf(shape.item) : "mappings"}`;
    case "map":
      return "mapping of text to text";
    case "free":
      return "free-form mapping";
    case "scalar":
      return shape.type === "enum"
        ? (shape.values ?? []).map((value) => `\`${value}\``).join(", ")
        : {
            string: "text",
            uuid: "UUID",
            integer: "whole number",
            number: "number",
            boolean: "boolean",
          }[shape.type];
  }
}

function changeOf(row: Field): string {
  if (row.path === "deploy.extra") return "may make a revision";
  if (row.path === "deploy" || row.path.startsWith("deploy.")) return "never sent";
  if (row.mutability === "read-only") return "read-only";
  if (row.mutability === "create-only") return "impossible: needs a new deployment";
  return {
    "in-place": "in place",
    "next-build": "counts from the next build",
    "new-revision": "makes a new revision",
    none: "by its fields",
  }[row.effect ?? "none"];
}

function noteOf(row: Field): string {
  const { meta } = row;
  return [
    meta.doc,
    meta.compareWith === "environment"
      ? "An item may be only a name: its value is then the environment variable of that name."
      : "",
    meta.default === undefined ? "" : `Default: \`${defaultInWords(meta.default)}\`.`,
    meta.sensitive === "value" ? "Never shown." : "",
    meta.sensitive === "user-info" ? "User and password of the URL are never shown." : "",
    meta.readback === "never"
      ? "The hosted service never gives it back; it is compared only where it comes back."
      : "",
    meta.readback === "sometimes" ? "Not every version of the service gives it back." : "",
    meta.match === undefined ? "" : `Items are matched by \`${meta.match}\`.`,
    row.mutability === "patch-only" ? "A create refuses it, so it is sent right after." : "",
    meta.hosted === "only" ? "Hosted service only." : "",
    meta.hosted === "fraction" ? "Fractions: hosted service only." : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}
