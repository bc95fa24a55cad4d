// What the program says to people, collected from the sources: `npm run generate` writes it to contributing/messages.md.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "@swc/core";

const source = fileURLToPath(new URL("../src/", import.meta.url));
/** Texts of these properties have pages of their own: inputs, fields, formats, scenario keys. */
const DESCRIBED = new Set(["doc", "notes", "examples", "text", "mapping"]);
const FEWEST_WORDS = 4;

/**
 * Every sentence of the sources, by file; a value that a run fills in is in braces.
 * @returns {{ file: string, messages: string[] }[]}
 */
export function collectMessages(folder = source) {
  return filesOf(folder)
    .map((path) => ({
      file: `src/${relative(folder, path).split(sep).join("/")}`,
      messages: [...new Set(messagesOf(readFileSync(path, "utf8")))],
    }))
    .filter(({ messages }) => messages.length > 0);
}

function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesOf(path);
      return entry.name.endsWith(".ts") ? [path] : [];
    })
    .sort();
}

/**
 * The sentences of one source text.
 * @param {string} text
 * @returns {string[]}
 */
export function messagesOf(text) {
  const found = [];
  const visit = (node) => {
    if (Array.isArray(node)) node.forEach(visit);
    if (typeof node !== "object" || node === null || Array.isArray(node) || isDescribed(node))
      return;
    const words = textOf(node);
    if (words === null) Object.values(node).forEach(visit);
    else {
      if (isSentence(words)) found.push(words.replace(/\s+/g, " ").trim());
      // What fills a template in may hold sentences of its own.
      if (node.type === "TemplateLiteral") node.expressions.forEach(visit);
    }
  };
  visit(parseSync(text, { syntax: "typescript", target: "es2022" }).body);
  return found;
}

/** Imports and types, and what other pages show. */
function isDescribed(node) {
  if (/^(?:Import|Export(?:All|Named))|^Ts(?:Type|Interface|Literal|Union)/.test(node.type ?? ""))
    return true;
  if (node.type === "KeyValueProperty") return DESCRIBED.has(node.key.value);
  return (
    node.type === "CallExpression" &&
    node.callee.type === "MemberExpression" &&
    node.callee.property.value === "describe"
  );
}

/** The text of a string, a template or a sum of them; null for anything else. */
function textOf(node) {
  if (node.type === "StringLiteral") return node.value;
  if (node.type === "TemplateLiteral")
    return node.quasis
      .map(
        ({ cooked }, at) =>
          cooked + (at < node.expressions.length ? holeOf(node.expressions[at]) : ""),
      )
      .join("");
  if (node.type === "BinaryExpression" && node.operator === "+") {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    return left === null && right === null
      ? null
      : (left ?? holeOf(node.left)) + (right ?? holeOf(node.right));
  }
  return null;
}

/** What is shown for a value: its name, the choice between two words, else three points. */
function holeOf(node) {
  if (node.type === "Identifier") return `{${node.value}}`;
  if (node.type === "MemberExpression" && node.property.type === "Identifier")
    return `{${node.property.value}}`;
  if (node.expression !== undefined) return holeOf(node.expression);
  if (node.type === "ConditionalExpression") {
    const [yes, no] = [textOf(node.consequent), textOf(node.alternate)];
    if (yes !== null && no !== null)
      return yes === "" || no === "" ? `{${yes}${no}}` : `{${yes}|${no}}`;
  }
  return "{…}";
}

/** Words that a person reads, and no path, pattern or code. */
function isSentence(text) {
  if (/@media|\besac\b/.test(text)) return false;
  if (/^\s*[</^]|=>|\bfunction\b|[{;]\s*$/.test(text.replace(/\{[^{}]*\}/g, "X"))) return false;
  const plain =
    text.replace(/\{[^{}]*\}/g, " ").match(/(?<![\w./-])[a-z]+(?:'[a-z]+)?(?![\w/=(-])/gi) ?? [];
  return plain.length >= FEWEST_WORDS;
}

/**
 * How many words each sentence of the messages has; a value counts as one.
 * @param {readonly string[]} messages
 * @returns {number[]}
 */
export function sentenceLengths(messages) {
  return messages
    .flatMap((message) =>
      message
        .replace(/\{[^{}]*\}/g, "X")
        .replace(/`[^`]*`/g, "X")
        .split(/[.!?;:]\s+/),
    )
    .map((sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length)
    .filter((words) => words > 0);
}

const ROOMS = {
  src: "The command line and the Action",
  commands: "Commands",
  deploy: "Deploying",
  emulator: "The emulator",
  evaluation: "Evaluations around a run",
  experiment: "Result files",
  files: "Files",
  gate: "Gates",
  host: "GitHub and the terminal",
  model: "Rules of the spec",
  plan: "The plan",
  report: "Reports",
  run: "Every run",
  service: "The service",
  spec: "Reading the spec",
};

/** The body of contributing/messages.md. */
export function renderMessages() {
  const files = collectMessages();
  const all = files.flatMap(({ messages }) => messages);
  const lengths = sentenceLengths(all);
  const mean = lengths.reduce((sum, one) => sum + one, 0) / lengths.length;
  const rooms = Map.groupBy === undefined ? groupByRoom(files) : Map.groupBy(files, roomOf);
  const sections = [...rooms]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(
      ([room, members]) =>
        `## ${ROOMS[room] ?? room}\n\n${members
          .map(
            ({ file, messages }) =>
              `\`${file}\`\n\n${messages.map((one) => `- ${inert(one)}`).join("\n")}`,
          )
          .join("\n\n")}`,
    );
  return `What agent-deploy says to people, by where the code says it. A value that a run fills in is in braces; \`{a|b}\` is a choice. Descriptions of inputs, fields and formats are on the pages
of these. ${all.length} texts, ${mean.toFixed(1)} words a sentence on average; a test keeps that at 20 or less.

${sections.join("\n\n")}
`;
}

const roomOf = ({ file }) => dirname(file).split("/")[1] ?? "src";

function groupByRoom(files) {
  const rooms = new Map();
  for (const one of files) rooms.set(roomOf(one), [...(rooms.get(roomOf(one)) ?? []), one]);
  return rooms;
}

/** As text of a list item. */
const inert = (message) =>
  message
    .replace(/[<>|*_[\]]/g, (char) => (char === "|" ? "|" : `\\${char}`))
    .replace(/\\([[\]_*<>])(?=[^`]*`(?:[^`]*`[^`]*`)*[^`]*$)/g, "$1");
