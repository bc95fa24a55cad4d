import { deployShape, documentShape, TARGET_KEYS, TARGETS_DOC } from "./deploy-block.ts";
import { defaultInWords } from "./default.ts";
import type { Field, Shape } from "./field-shape.ts";
import { spellKey, spellSource } from "./dialect.ts";

type Struct = Extract<Shape, { kind: "struct" }>;

/** A table of the spec reference: the object whose fields it shows, and the fields that hold one. */
interface Section {
  readonly names: Set<string>;
  readonly isList: boolean;
  readonly shape: Struct;
}

/** Renders the tables of the spec reference from the field table: one for each object, each object once. */
export function renderFieldDocs(): string {
  const sections = new Map<string, Section>();
  add("Deployment", documentShape, sections);
  add("deploy", deployShape, sections);
  collect(documentShape, sections);
  const [document, deploy, ...others] = [...sections.values()].map(renderSection);
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
/** Whether the object is new; lists of the same one share a table. */
function add(name: string, shape: Struct, sections: Map<string, Section>, isList = false): boolean {
  const signature = [...shape.fields.keys()].join();
  const known = sections.get(signature);
  known?.names.add(name);
  if (known === undefined) sections.set(signature, { names: new Set([name]), isList, shape });
  return known === undefined;
}

function collect(shape: Struct, sections: Map<string, Section>): void {
  for (const { name, shape: own } of shape.fields.values()) {
    const inner = structOf(own);
    if (inner !== undefined && add(name, inner, sections, own.kind === "list"))
      collect(inner, sections);
  }
}

function renderSection({ names, isList, shape }: Section): string {
  const rows = [...shape.fields.values()].map((row) => {
    const cells = [nameOf(row), typeOf(row.shape), sourceOf(row), changeOf(row), noteOf(row)];
    return `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  const [name] = names;
  return [
    `### ${isList ? `Items of ${[...names].join(", ")}` : name}`,
    "",
    "| Field | Type | Source | A change | Notes |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** A word, with the hosted service's where it has another. */
const inBothDialects = (word: string, hosted: string): string =>
  `\`${word}\`${hosted === word ? "" : ` (hosted: \`${hosted}\`)`}`;
const nameOf = ({ name, required }: Field): string =>
  inBothDialects(name, spellKey(name, "hosted")) + (required ? " (required)" : "");
const sourceOf = ({ meta }: Field): string =>
  meta.only === undefined
    ? "any"
    : [...new Set([meta.only, spellSource(meta.only, "hosted")])]
        .map((word) => `\`${word}\``)
        .join(" / ");

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
        ? shape.values
            .map((value) => inBothDialects(value, spellSource(value, "hosted")))
            .join(", ")
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
