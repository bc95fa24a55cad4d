import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "@swc/core";
import { repositoryRoot } from "./tree.ts";

/** Something a module exports. */
export interface Export {
  readonly name: string;
  readonly kind: "function" | "value" | "type";
  /** The doc comment right above it, without its stars; empty where there is none. */
  readonly doc: string;
}

/** Names that a module takes from another one; `*` represents all of them. */
export interface Import {
  readonly specifier: string;
  readonly names: readonly string[];
  readonly typeOnly: boolean;
}

/** A file as its parser sees it. */
export interface Module {
  /** From the repository's root. */
  readonly path: string;
  readonly text: string;
  /** How often each name is in it, its declaration counted, the names of properties not. */
  readonly names: ReadonlyMap<string, number>;
  readonly exports: readonly Export[];
  readonly imports: readonly Import[];
}

interface Node {
  readonly type: string;
  readonly span?: { readonly start: number; readonly end: number };
  readonly [key: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";
const textOf = (node: unknown): string => (node as { value: string }).value;

interface Place {
  readonly node: Node;
  /** The nodes around it, the nearest last. */
  readonly around: readonly Node[];
}

/** Every node below one, itself first. */
function walk(node: Node, around: readonly Node[] = [], places: Place[] = []): readonly Place[] {
  places.push({ node, around });
  const inside = [...around, node];
  for (const child of Object.values(node)) {
    for (const one of Array.isArray(child) ? (child as unknown[]) : [child]) {
      // Arguments and declarators are wrapped once more: `{ spread, expression }`.
      const inner = isNode(one) ? one : (one as { expression?: unknown } | null)?.expression;
      if (isNode(inner)) walk(inner, inside, places);
    }
  }
  return places;
}

const KINDS: Readonly<Record<string, Export["kind"]>> = {
  FunctionDeclaration: "function",
  ClassDeclaration: "value",
  TsInterfaceDeclaration: "type",
  TsTypeAliasDeclaration: "type",
};

function namesOf(declaration: Node): { name: string; kind: Export["kind"] }[] {
  if (declaration.type !== "VariableDeclaration")
    return [
      {
        name: textOf(declaration["identifier"] ?? declaration["id"]),
        kind: KINDS[declaration.type] ?? "value",
      },
    ];
  return (declaration["declarations"] as { id: Node; init?: Node }[]).map(({ id, init }) => ({
    name: textOf(id),
    kind: init?.type === "ArrowFunctionExpression" ? "function" : "value",
  }));
}

/**
 * The names that are read from what an `import()` gives: `(await import(x)).name`, `const { name }
 * = await import(x)`, `.then(({ name }) =>`; `*` where none of these is it.
 */
function namesOfDynamicImport(around: readonly Node[]): string[] {
  const outer = [...around].reverse().filter(({ type }) => type !== "ParenthesisExpression");
  const [first, second] = outer;
  if (first?.type === "AwaitExpression" && second?.type === "MemberExpression")
    return [textOf(second["property"])];
  const pattern =
    first?.type === "AwaitExpression"
      ? outer.find(({ type }) => type === "VariableDeclarator")?.["id"]
      : undefined;
  if (isNode(pattern) && pattern.type === "ObjectPattern")
    return (pattern["properties"] as Node[]).map(({ key }) => textOf(key));
  return ["*"];
}

/** The names that are read from a namespace import. */
function namesOfNamespace(places: readonly Place[], local: string): string[] {
  const members = places.filter(
    ({ node }) =>
      node.type === "MemberExpression" &&
      (node["object"] as Node).type === "Identifier" &&
      textOf(node["object"]) === local,
  );
  const types = places.filter(
    ({ node }) => node.type === "TsQualifiedName" && textOf(node["left"]) === local,
  );
  return [
    ...members.map(({ node }) => textOf(node["property"])),
    ...types.map(({ node }) => textOf(node["right"])),
  ];
}

function countNames(places: readonly Place[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { node, around } of places) {
    const parent = around.at(-1);
    const isProperty =
      (parent?.type === "MemberExpression" && parent["property"] === node) ||
      (parent !== undefined && parent["key"] === node);
    if (node.type === "Identifier" && !isProperty)
      counts.set(textOf(node), (counts.get(textOf(node)) ?? 0) + 1);
  }
  return counts;
}

function toImports(places: readonly Place[]): Import[] {
  const found: Import[] = [];
  for (const { node, around } of places) {
    if (
      node.type === "ImportDeclaration" ||
      (node.type === "ExportNamedDeclaration" && node["source"] != null)
    ) {
      const specifiers = node["specifiers"] as Node[];
      const namespace = specifiers.find(({ type }) => type === "ImportNamespaceSpecifier");
      const names =
        namespace === undefined
          ? specifiers.map((one) => textOf(one["imported"] ?? one["orig"] ?? one["local"]))
          : namesOfNamespace(places, textOf(namespace["local"]));
      found.push({
        specifier: textOf(node["source"]),
        names,
        typeOnly: node["typeOnly"] === true,
      });
    } else if (node.type === "CallExpression" && (node["callee"] as Node).type === "Import") {
      const [first] = node["arguments"] as { expression: Node }[];
      if (first?.expression.type === "StringLiteral")
        found.push({
          specifier: textOf(first.expression),
          names: namesOfDynamicImport(around),
          typeOnly: false,
        });
    } else if (node.type === "TsImportType") {
      found.push({
        specifier: textOf(node["argument"]),
        names: node["qualifier"] == null ? ["*"] : [textOf(node["qualifier"])],
        typeOnly: true,
      });
    }
  }
  return found;
}

/** The text of the doc comment that ends right before a place. */
function docBefore(text: string, start: number): string {
  const before = text.slice(0, start).trimEnd();
  if (!before.endsWith("*/")) return "";
  const comment = before.slice(before.lastIndexOf("/*"));
  return comment.startsWith("/**")
    ? comment
        .replace(/^\/\*\*|\*\/$/g, "")
        .replace(/^\s*\* ?/gm, "")
        .trim()
    : "";
}

const parse = (text: string): Node =>
  parseSync(text, { syntax: "typescript", target: "es2022" }) as unknown as Node;

/** Parses one file; `path` says only what it is called. */
export function parseModule(path: string, text: string): Module {
  const program = parse(text);
  // Places are counted in bytes from 1.
  const bytes = Buffer.from(text);
  const exports: Export[] = [];
  for (const item of program["body"] as Node[]) {
    if (item.type === "ExportNamedDeclaration") {
      // What another file declares has its doc comment there.
      for (const one of item["specifiers"] as Node[])
        exports.push({
          name: textOf(one["exported"] ?? one["orig"]),
          kind: item["typeOnly"] === true ? "type" : "value",
          doc: "(declared elsewhere, described there)",
        });
    }
    if (item.type !== "ExportDeclaration") continue;
    const doc = docBefore(text, bytes.subarray(0, item.span!.start - 1).toString().length);
    for (const { name, kind } of namesOf(item["declaration"] as Node))
      exports.push({ name, kind, doc });
  }
  const places = walk(program);
  return { path, text, names: countNames(places), exports, imports: toImports(places) };
}

/** The files below a folder, by their paths from the repository's root. */
const readTexts = (folder: string, ending: RegExp): (readonly [path: string, text: string])[] =>
  readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name) && !/\.d\.m?ts$/.test(name))
    .sort()
    .map((name) => [`${folder}/${name}`, readFileSync(join(repositoryRoot, folder, name), "utf8")]);

/** All modules below a folder of the repository. */
export const readModules = (folder: string, ending = /\.ts$/): Module[] =>
  readTexts(folder, ending).map(([path, text]) => parseModule(path, text));

/** A function or a value of a module, and the names in its text. */
export interface Part {
  readonly name: string;
  /** From the repository's root. */
  readonly path: string;
  readonly isFunction: boolean;
  /** Declared by the module itself, not within another function. */
  readonly isTop: boolean;
  /** Names that it calls, in callbacks too. */
  readonly calls: ReadonlySet<string>;
  /** All names in it, those of properties too. */
  readonly mentions: ReadonlySet<string>;
  /** Names that its parameters have as defaults. */
  readonly defaults: ReadonlySet<string>;
}

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

/** What a node declares, where it declares a function or a value with a name. */
function declared(node: Node): { name: string; body: Node } | null {
  if (node.type === "FunctionDeclaration") return { name: textOf(node["identifier"]), body: node };
  const [id, body] =
    node.type === "VariableDeclarator"
      ? [node["id"], node["init"]]
      : [node["key"], node.type === "KeyValueProperty" ? node["value"] : undefined];
  return isNode(id) && id.type === "Identifier" && isNode(body) ? { name: textOf(id), body } : null;
}

function toPart(path: string, name: string, body: Node, isTop: boolean): Part {
  const [calls, mentions, defaults] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { node } of walk(body)) {
    if (node.type === "Identifier") mentions.add(textOf(node));
    if (node.type === "AssignmentPattern" && (node["right"] as Node).type === "Identifier")
      defaults.add(textOf(node["right"]));
    if (node.type !== "CallExpression") continue;
    const callee = node["callee"] as Node;
    const called = callee.type === "MemberExpression" ? (callee["property"] as Node) : callee;
    if (called.type === "Identifier") calls.add(textOf(called));
  }
  return {
    name,
    path,
    isFunction: FUNCTIONS.includes(body.type),
    isTop,
    calls,
    mentions,
    defaults,
  };
}

/** The functions and values of all modules below a folder, those within others too. */
export function readParts(folder: string): Part[] {
  return readTexts(folder, /\.ts$/).flatMap(([path, text]) =>
    walk(parse(text)).flatMap(({ node, around }) => {
      const found = declared(node);
      const isTop = !around.some(({ type }) => FUNCTIONS.includes(type));
      return found === null ? [] : [toPart(path, found.name, found.body, isTop)];
    }),
  );
}
