// The moving picture of `agent-deploy demo`: a real run of dist/, line by line as it printed them, as an SVG that needs no script
// and no network. Waits are shortened; ids, ports and times are made equal.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { normalize } from "./gallery-runs.mjs";

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const COLUMNS = 92;
const ROWS = 26;
const LINE_PX = 17;
const CHAR_PX = 7.25;
/** A reader waits no longer than this, however long the run did. */
const LONGEST_WAIT_MS = 1200;
const LINE_MS = 60;
/** A command and its heading are shown by themselves for a moment. */
const COMMAND_MS = 900;
const END_MS = 5000;

const THEMES = {
  light: {
    page: "#ffffff",
    frame: "#d1d9e0",
    text: "#1f2328",
    dim: "#59636e",
    red: "#cf222e",
    green: "#1a7f37",
    yellow: "#9a6700",
    cyan: "#0969da",
  },
  dark: {
    page: "#0d1117",
    frame: "#3d444d",
    text: "#f0f6fc",
    dim: "#9198a1",
    red: "#f85149",
    green: "#3fb950",
    yellow: "#d29922",
    cyan: "#4493f8",
  },
};

/** Runs the demo; every line it printed, with the time since the start. */
export async function recordDemo() {
  const folder = mkdtempSync(join(tmpdir(), "agent-deploy-demo-picture-"));
  const child = spawn(process.execPath, [cli, "demo"], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, FORCE_COLOR: "1", COLUMNS: String(COLUMNS) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines = [];
  const began = Date.now();
  const rest = new Map();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      const parts = ((rest.get(stream) ?? "") + chunk).split("\n");
      rest.set(stream, parts.pop());
      for (const text of parts) lines.push({ text, atMs: Date.now() - began });
    });
  const code = await new Promise((resolve) => child.once("close", resolve));
  rmSync(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`the demo ended with ${code}`);
  const equal = normalize(lines.map(({ text }) => text).join("\n")).split("\n");
  return lines.map(({ atMs }, at) => ({ text: toShown(equal[at]), atMs }));
}

/** What of a line differs from run to run, or names this machine's folders. */
function toShown(line) {
  return line
    .replace(/node \S*dist\/cli\.js/g, "agent-deploy")
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) => `${id.slice(0, 8)}-…`)
    .replace(/(after|build|deploy|queued) \d+ s/g, "$1 1 s")
    .replace(/capitals-[0-9a-f]{8}/g, "capitals-5f3e2d1c");
}

const STYLES = { 1: "b", 2: "d", 31: "r", 32: "g", 33: "y", 36: "c" };

/** A line as spans of one style each; a code that ends a style ends all. */
function toSpans(line) {
  const spans = [];
  let style = "";
  let left = COLUMNS;
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    const code = /^\u001b\[(\d+)m$/.exec(part);
    if (code !== null) style = STYLES[code[1]] ?? "";
    else if (part !== "" && left > 0) {
      spans.push({ style, text: part.length > left ? `${part.slice(0, left - 1)}…` : part });
      left -= part.length;
    }
  }
  return spans;
}

const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** When each line appears, in milliseconds of the picture. */
function toTimes(lines) {
  let now = 0;
  return lines.map(({ text, atMs }, at) => {
    const waited = at === 0 ? 0 : atMs - lines[at - 1].atMs;
    const command = /^\$ |^# /.test(text.replace(/\u001b\[\d+m/g, "")) ? COMMAND_MS : 0;
    now += Math.min(LONGEST_WAIT_MS, Math.max(LINE_MS, waited, command));
    return now;
  });
}

/** The SVG: all lines in one column, each shown from its time on, the column moved up as a terminal scrolls. */
export function renderDemo(lines, theme) {
  const colors = THEMES[theme];
  const times = toTimes(lines);
  const wholeMs = times.at(-1) + END_MS;
  const percent = (ms) => `${((100 * ms) / wholeMs).toFixed(2)}%`;
  const width = Math.round(COLUMNS * CHAR_PX + 32);
  const height = ROWS * LINE_PX + 28;
  const scrolls = times
    .map((ms, at) => ({ ms, y: Math.min(0, ROWS - 1 - at) * LINE_PX }))
    .filter(({ y }) => y < 0)
    .map(({ ms, y }) => `${percent(ms)}{transform:translateY(${y}px)}`);
  const appear = times
    .map(
      (ms, at) =>
        `@keyframes l${at}{0%{opacity:0}${percent(ms)}{opacity:1}}#l${at}{animation-name:l${at}}`,
    )
    .join("");
  const texts = lines.map(({ text }, at) => {
    const spans = toSpans(text)
      .map(
        ({ style, text: words }) =>
          `<tspan${style === "" ? "" : ` class="${style}"`}>${escaped(words)}</tspan>`,
      )
      .join("");
    return `<text id="l${at}" x="16" y="${(at + 1) * LINE_PX + 10}">${spans}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="agent-deploy demo: plan, apply, one change, and an evaluation with gates">
<style>
text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:${colors.text};white-space:pre}
.b{font-weight:600}.d{fill:${colors.dim}}.r{fill:${colors.red}}.g{fill:${colors.green}}.y{fill:${colors.yellow}}.c{fill:${colors.cyan}}
text,#column{animation-duration:${wholeMs}ms;animation-iteration-count:infinite;animation-timing-function:steps(1,end)}
#column{animation-name:scroll}@keyframes scroll{0%{transform:translateY(0)}${scrolls.join("")}}
@media(prefers-reduced-motion:reduce){text,#column{animation:none}#column{transform:translateY(${Math.min(0, ROWS - lines.length) * LINE_PX}px)}}
${appear}
</style>
<rect width="${width}" height="${height}" rx="6" fill="${colors.page}" stroke="${colors.frame}"/>
<clipPath id="window"><rect y="6" width="${width}" height="${height - 12}"/></clipPath>
<g clip-path="url(#window)"><g id="column">
${texts.join("\n")}
</g></g>
</svg>
`;
}

/** The lines of a picture, as text. */
export function linesOf(svg) {
  return [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, spans]) =>
    spans
      .replace(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&"),
  );
}
