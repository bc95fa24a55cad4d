// Runs the product in every state that a report can have, keeps the comments as docs/gallery/*.md, and renders those that
// README.md shows as GitHub would, and the emulator's page, to docs/gallery/*.png: `npm run gallery [-- name…]` (after `npm run build`).
// Without names it plays every scene, and takes the pictures whose page is another than manifest.json says.
// Icons need a colour emoji font (Debian: fonts-noto-color-emoji). Without Chromium it says so and changes nothing.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium, startChromium } from "./chromium.mjs";
import { toSteady, writePage } from "./gallery-runs.mjs";
import { recordDemo, renderDemo } from "./demo-picture.mjs";
import { SCENES } from "./gallery-scenes.mjs";
import { PICTURED, renderIndex } from "./gallery-index.mjs";
import { SCENARIO, VIEWS, fill, toFingerprint, toHtml } from "./gallery-scene.mjs";
import { drawMermaid } from "./mermaid.mjs";
import { toPalette } from "./png.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const gallery = join(root, "docs/gallery");
const MAX_BYTES = 150_000;
/** Of a long report only the top is a picture, as a reader sees it first. */
const MAX_HEIGHT = 1000;

const manifestPath = join(gallery, "manifest.json");
const manifest = existsSync(manifestPath) ? JSON.parse(readFileSync(manifestPath, "utf8")) : {};

/** Takes a picture where it is wanted, and notes what it was made from. */
async function take(browser, name, html, wanted, { options, show, maxHeight }) {
  const fingerprint = toFingerprint(html);
  if (!wanted(name, manifest[name] === fingerprint && existsSync(join(gallery, `${name}.png`))))
    return;
  const png = toPalette(
    await picture(browser, { width: 900, scale: 1.5, ...options }, show, maxHeight),
  );
  if (png.length > MAX_BYTES)
    throw new Error(`${name}.png has ${png.length} bytes, more than ${MAX_BYTES}: show less of it`);
  writeFileSync(join(gallery, `${name}.png`), png);
  manifest[name] = fingerprint;
  writeFileSync(
    manifestPath,
    `${JSON.stringify(Object.fromEntries(Object.entries(manifest).sort(([one], [other]) => one.localeCompare(other))), null, 2)}\n`,
  );
  console.log(`${name}.png ${Math.round(png.length / 1024)} KB`);
}

async function picture(browser, options, show, maxHeight) {
  const page = await browser.open(options);
  await show(page);
  const png = await page.picture(maxHeight);
  await page.close();
  return png;
}

async function showReport(page, html, dark) {
  await page.show(html);
  await drawMermaid(page, { dark });
}

/** What a reader would have to scroll sideways for; the lines of a log may be as long as they are. */
const TOO_WIDE = `[...document.querySelectorAll("table, pre, article")]
  .filter((block) => block.scrollWidth > block.clientWidth + 1)
  .filter((block) => !/ log|Verify command/.test(block.closest("details")?.firstElementChild?.textContent ?? ""))
  .map((block) => block.tagName + " " + block.scrollWidth + " px: " + block.textContent.slice(0, 60))`;

/** Every folded part open, on the narrowest screen: nothing in it may be wider. */
async function refuseTooWide(browser, name, html) {
  const page = await browser.open({ width: 390 });
  await showReport(page, html.replaceAll("<details>", "<details open>"), false);
  const found = await page.evaluate(TOO_WIDE);
  await page.close();
  if (found.length > 0) throw new Error(`${name}: wider than a phone:\n${found.join("\n")}`);
}

async function renderReports(browser, wanted) {
  for (const name of Object.keys(SCENES)) {
    if (!wanted(name, false)) continue;
    const path = join(gallery, `${name}.md`);
    const page = await writePage(name);
    const before = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (toSteady(page) !== toSteady(before)) writeFileSync(path, page);
    const html = toHtml(readFileSync(path, "utf8"));
    await refuseTooWide(browser, name, html);
    if (PICTURED.includes(name)) await takeViews(browser, name, html, wanted);
  }
}

async function takeViews(browser, name, html, wanted) {
  for (const { suffix, width, dark } of VIEWS)
    await take(browser, `${name}${suffix}`, html, wanted, {
      options: { width, dark, scale: 1 },
      show: (page) => showReport(page, html, dark),
      maxHeight: MAX_HEIGHT,
    });
}

/** Runs the emulator of dist/ with a clock that is stopped, hands its URL to `use`, and ends it. */
async function withEmulator(scenario, use) {
  const folder = mkdtempSync(join(tmpdir(), "agent-deploy-gallery-"));
  writeFileSync(join(folder, "scenario.yml"), scenario);
  const child = spawn(
    process.execPath,
    [join(root, "dist/cli.js"), "emulator", "--port", "0", "--scenario", "scenario.yml"],
    { cwd: folder, stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    const url = await new Promise((resolve, reject) => {
      let seen = "";
      child.once("exit", (status) => reject(new Error(`the emulator ended with ${status}`)));
      child.stdout.on("data", (chunk) => {
        seen += chunk;
        if (seen.includes("\n")) resolve(seen.slice(0, seen.indexOf("\n")).trim());
      });
    });
    await use(url);
  } finally {
    child.kill("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function renderEmulator(browser, wanted) {
  await withEmulator(SCENARIO, async (url) => {
    await fill(url);
    const html = await (await fetch(`${url}/`)).text();
    for (const dark of [false, true])
      await take(browser, `emulator-page-full${dark ? "-dark" : ""}`, html, wanted, {
        options: { dark },
        show: (page) => page.goto(`${url}/`),
        maxHeight: 1500,
      });
  });
}

async function renderDemos() {
  const lines = await recordDemo();
  writeFileSync(join(gallery, "demo.svg"), renderDemo(lines, "light"));
  writeFileSync(join(gallery, "demo-dark.svg"), renderDemo(lines, "dark"));
}

const binary = findChromium();
if (binary === null)
  console.log(
    "gallery: skipped, since there is no Chromium here (chromium in PATH, or its path in CHROMIUM)",
  );
else {
  const names = process.argv.slice(2);
  const wanted = (name, isTrue) =>
    names.length === 0 ? !isTrue : names.some((start) => name.startsWith(start));
  mkdirSync(gallery, { recursive: true });
  const browser = await startChromium(binary);
  try {
    await renderReports(browser, wanted);
    await renderEmulator(browser, wanted);
    if (wanted("demo", false)) await renderDemos();
    writeFileSync(join(gallery, "README.md"), renderIndex());
  } finally {
    await browser.close();
  }
}
