// npm run mutants -- [--room plan] [--count 20] [--seed 1]: changes one place of src/ at a time, runs the
// tests that import it, and prints each mutant that no test notices. Makes nothing red: a survivor is read by a person.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "@swc/core";
import { root } from "./compile.mjs";

/** Operators and what takes their place. */
const OPERATORS = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "&&": "||",
  "||": "&&",
};
/** What hangs is noticed. */
const TIMEOUT_MS = 300_000;

function optionOf(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? fallback : process.argv[at + 1];
}

/** Numbers in [0, 1) that a seed repeats (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Every place that can be changed: byte offsets, and the new text. */
function placesOf(bytes) {
  // With a statement of our own in front, so that the module begins at a known byte, whatever comments come first.
  const module = parseSync(`0;${bytes.toString("utf8")}`, { syntax: "typescript" });
  const base = module.span.start + 2;
  const found = [];
  const visit = (node) => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) {
      node.forEach(visit);
      return;
    }
    const at = (span) => [span.start - base, span.end - base];
    if (node.type === "BinaryExpression" && OPERATORS[node.operator] !== undefined) {
      const [, from] = at(node.left.span);
      const [to] = at(node.right.span);
      const gap = bytes.subarray(from, to).toString("utf8");
      if (gap.includes(node.operator))
        found.push([from, to, gap.replace(node.operator, OPERATORS[node.operator])]);
    }
    if (node.type === "BooleanLiteral") found.push([...at(node.span), String(!node.value)]);
    if (node.type === "NumericLiteral") found.push([...at(node.span), String(node.value + 1)]);
    if (node.type === "IfStatement" || node.type === "ConditionalExpression") {
      const [from, to] = at(node.test.span);
      found.push([from, to, `!(${bytes.subarray(from, to).toString("utf8")})`]);
    }
    Object.values(node).forEach(visit);
  };
  visit(module.body.slice(1));
  return found;
}

function isNoticed(file) {
  const { status } = spawnSync(
    process.execPath,
    [
      "--experimental-vm-modules",
      "--disable-warning=ExperimentalWarning",
      join(root, "node_modules/jest/bin/jest.js"),
      ...["--bail", "--silent", "--findRelatedTests", file],
      // dist/ is not built again for a mutant, so tests of processes would only take time.
      ...["--testPathIgnorePatterns", "/scenarios/", "/process/", "/docs/", "/examples/"],
    ],
    { cwd: root, stdio: "ignore", timeout: TIMEOUT_MS },
  );
  return status !== 0;
}

const rooms = optionOf("room", "deploy,plan,gate,experiment,secrets").split(",");
const count = Number(optionOf("count", "20"));
const random = randomOf(Number(optionOf("seed", "1")));
for (const room of rooms) {
  const files = readdirSync(join(root, "src", room), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(root, "src", room, name));
  const all = files.flatMap((file) =>
    placesOf(readFileSync(file)).map((place) => ({ file, place })),
  );
  let survived = 0;
  for (let done = 0; done < count && all.length > 0; done += 1) {
    const [{ file, place }] = all.splice(Math.floor(random() * all.length), 1);
    const [from, to, text] = place;
    const before = readFileSync(file);
    const where = `${file.slice(root.length)}:${before.subarray(0, from).toString("utf8").split("\n").length}`;
    try {
      writeFileSync(
        file,
        Buffer.concat([before.subarray(0, from), Buffer.from(text), before.subarray(to)]),
      );
      if (isNoticed(file)) continue;
    } finally {
      writeFileSync(file, before);
    }
    survived += 1;
    console.log(`${where}: ${before.subarray(from, to).toString("utf8")} → ${text}`);
  }
  console.log(`${room}: ${survived} of ${count} mutants survive`);
}
