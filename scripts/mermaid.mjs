// Mermaid as GitHub draws it, for the pictures and for a test that it takes every diagram of a
// report. It is no dependency: `npm install` fetches this one version, once, into
// node_modules/.cache.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "11.12.0";
const folder = fileURLToPath(
  new URL(`../node_modules/.cache/mermaid-${VERSION}/`, import.meta.url),
);
const script = join(folder, "node_modules/mermaid/dist/mermaid.min.js");

/** Whether Mermaid is on this machine already. */
export const hasMermaid = () => existsSync(script);

/** Mermaid as one script for a page; fetched where it is not here yet. */
export function readMermaid() {
  if (!hasMermaid()) {
    mkdirSync(folder, { recursive: true });
    const npm = ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
    execFileSync("npm", [...npm, `mermaid@${VERSION}`], { stdio: ["ignore", "ignore", "inherit"] });
  }
  return readFileSync(script, "utf8");
}

/** Which of these diagrams Mermaid refuses, by their places. */
export async function parseMermaid(page, sources) {
  await page.run(readMermaid());
  return page.evaluate(`(async () => {
    mermaid.initialize({ startOnLoad: false, securityLevel: "strict" });
    const refused = [];
    for (const [at, source] of ${JSON.stringify(sources)}.entries())
      if ((await mermaid.parse(source, { suppressErrors: true })) === false) refused.push(at);
    return refused;
  })()`);
}

/** Draws every diagram of the page in place; fails where Mermaid refuses one. */
export async function drawMermaid(page, { dark = false } = {}) {
  const found = await page.evaluate("document.querySelectorAll('pre.mermaid').length");
  if (found === 0) return 0;
  await page.run(readMermaid());
  await page.evaluate(`(async () => {
    mermaid.initialize({ startOnLoad: false, theme: ${dark ? '"dark"' : '"default"'}, securityLevel: "strict" });
    for (const [at, block] of [...document.querySelectorAll("pre.mermaid")].entries()) {
      const { svg } = await mermaid.render("diagram-" + at, block.textContent);
      block.innerHTML = svg;
    }
    return 0;
  })()`);
  return found;
}
