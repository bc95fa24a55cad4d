// The figures in contributing/performance.md: a block for each benchmark, written by the run that measured it.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL("../contributing/performance.md", import.meta.url));

/** One figure as a line: what, how much, and what it should be. */
export function renderFigure({ figure, value, unit, aim }, width) {
  const wanted = aim === undefined ? "" : `  (aim ${aim})`;
  return `${figure.padEnd(width)}  ${String(value).padStart(9)} ${unit}${wanted}`.trimEnd();
}

/** Puts what a benchmark printed, and the machine it ran on, where its block is. */
export function writeBlock(name, figures, machine) {
  const width = Math.max(...figures.map(({ figure }) => figure.length));
  const lines = figures.map((one) => renderFigure(one, width));
  const block = `<!-- bench ${name} -->\n${machine}\n\n\`\`\`text\n${lines.join("\n")}\n\`\`\`\n<!-- /bench -->`;
  const page = readFileSync(PAGE, "utf8");
  const place = new RegExp(`<!-- bench ${name} -->[^]*?<!-- /bench -->`);
  if (!place.test(page)) throw new Error(`contributing/performance.md has no block for ${name}`);
  writeFileSync(
    PAGE,
    page.replace(place, () => block),
  );
}
