// Renders the golden reports as GitHub would show them, and the emulator's page, to docs/gallery/*.png: `npm run gallery [-- name…]`.
// Icons need a colour emoji font (Debian: fonts-noto-color-emoji). Without Chromium it says so and changes nothing.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { marked } from "marked";
import { findChromium, startChromium } from "./chromium.mjs";
import { toPalette } from "./png.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const goldens = join(root, "__tests__/report/golden");
const gallery = join(root, "docs/gallery");
const MAX_BYTES = 150_000;
/** Of a long report only the top is a picture, as a reader sees it first. */
const MAX_HEIGHT = 1000;

const style = readFileSync(fileURLToPath(import.meta.resolve("github-markdown-css/github-markdown.css")), "utf8");

/** A comment's body as GitHub sets it: single line breaks count, the column is as wide as on a pull request. */
function toHtml(markdown) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><style>${style}
body{margin:0;background:#fff}@media(prefers-color-scheme:dark){body{background:#0d1117}}.markdown-body{padding:16px 24px;font-size:14px}</style></head>
<body><article class="markdown-body">${marked.parse(markdown, { gfm: true, breaks: true })}</article></body></html>`;
}

function keep(name, picture) {
  const png = toPalette(picture);
  if (png.length > MAX_BYTES) throw new Error(`${name}.png has ${png.length} bytes, more than ${MAX_BYTES}: show less of it`);
  writeFileSync(join(gallery, `${name}.png`), png);
  console.log(`${name}.png ${Math.round(png.length / 1024)} KB`);
}

async function picture(browser, options, show, maxHeight) {
  const page = await browser.open(options);
  await show(page);
  const png = await page.picture(maxHeight);
  await page.close();
  return png;
}

async function renderReports(browser, wanted) {
  for (const file of readdirSync(goldens).filter((name) => name.endsWith(".md")).sort()) {
    const name = file.slice(0, -3);
    if (!wanted(name)) continue;
    const html = toHtml(readFileSync(join(goldens, file), "utf8"));
    keep(name, await picture(browser, { width: 900, scale: 1.5 }, (page) => page.show(html), MAX_HEIGHT));
  }
}

/** Runs the emulator of dist/ with a clock that stands still, hands its URL to `use`, and ends it. */
async function withEmulator(scenario, use) {
  const folder = mkdtempSync(join(tmpdir(), "agent-deploy-gallery-"));
  writeFileSync(join(folder, "scenario.yml"), scenario);
  const child = spawn(process.execPath, [join(root, "dist/cli.js"), "emulator", "--port", "0", "--scenario", "scenario.yml"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const url = await new Promise((resolve, reject) => {
      let seen = "";
      child.once("exit", (status) => reject(new Error(`the emulator ended with ${status}`)));
      child.stdout.on("data", (chunk) => { seen += chunk; if (seen.includes("\n")) resolve(seen.slice(0, seen.indexOf("\n")).trim()); });
    });
    await use(url);
  } finally {
    child.kill("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  }
}

const SCENARIO = `
clock: { manual: true, startMs: ${Date.parse("2026-03-04T09:40:00Z")} }
limits: off
timeScale: 1
phases: { CREATING: 1000, QUEUED: 2000, AWAITING_BUILD: 4000, BUILDING: 372000, AWAITING_DEPLOY: 3000, DEPLOYING: 37000 }
lags: { statistics: 2000 }
revisions:
  - { deployment: support-agent, revision: 2, outcome: build-failed, status_message: "pip: no version of langfoo satisfies ==9.9" }
`;

async function call(url, method, path, body) {
  const response = await fetch(url + path, { method, headers: { "x-api-key": "gallery", "content-type": "application/json" }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const advance = (url, seconds) => call(url, "POST", "/_emulator/clock", { advance_ms: seconds * 1000 });

/** What a day of work leaves behind: a live deployment with a failed revision behind it, one under way, three experiments. */
async function fill(url) {
  const repo = (repo_ref) => ({ repo_ref, graph_config_path: "graphs/support.json" });
  const support = await call(url, "POST", "/v2/deployments", {
    name: "support-agent", source: "repohost", source_config: { repo_url: "https://git.example.com/acme/agents", deployment_type: "prod" },
    source_revision_config: repo("main"), secrets: [{ name: "OPENAI_API_KEY", value: "never-shown" }],
  });
  await advance(url, 500);
  await call(url, "PATCH", `/v2/deployments/${support.id}`, { source_revision_config: repo("broken-build") });
  await advance(url, 500);
  await call(url, "PATCH", `/v2/deployments/${support.id}`, { source_revision_config: repo("release-2") });
  await advance(url, 500);
  await call(url, "POST", "/v2/deployments", {
    name: "search-agent", source: "external_container", source_config: { resource_spec: { cpu: 1 } },
    source_revision_config: { image_uri: "registry.example.com/acme/search@sha256:9b8a7c6d5e4f30211203f4e5d6c7b8a90f1e2d3c4b5a69788796a5b4c3d2e1f0" }, secrets: [],
  });
  const scores = [[0.88, 0.9, 0.021], [0.885, 0.91, 0.029], [0.902, 0.81, 0.031]];
  for (const [at, [correctness, tone, hallucination]] of scores.entries()) {
    await call(url, "POST", "/api/v1/datasets/upload-experiment", {
      experiment_name: `support ${["3b9ac2f", "5f3e2d1", "9f2c1ab"][at]}`, experiment_start_time: "2026-03-04T09:00:00Z", experiment_end_time: "2026-03-04T09:10:00Z", dataset_name: "acme/agents support",
      results: Array.from({ length: 12 }, (_, row) => ({
        row_id: `33333333-3333-4333-8333-3333333333${String(row).padStart(2, "0")}`, inputs: { question: `question ${row}` },
        start_time: "2026-03-04T09:01:00Z", end_time: "2026-03-04T09:01:03Z",
        evaluation_scores: [{ key: "correctness", score: correctness }, { key: "tone", score: tone }, { key: "hallucination", score: hallucination }],
      })),
    });
    await advance(url, 5);
  }
}

async function renderEmulator(browser, wanted) {
  await withEmulator(SCENARIO, async (url) => {
    for (const state of ["empty", "full"]) {
      if (state === "full") await fill(url);
      for (const dark of [false, true]) {
        const name = `emulator-page-${state}${dark ? "-dark" : ""}`;
        if (wanted(name)) keep(name, await picture(browser, { width: 900, scale: 1.5, dark }, (page) => page.goto(`${url}/`), 1500));
      }
    }
  });
}

const binary = findChromium();
if (binary === null) console.log("gallery: skipped, since there is no Chromium here (chromium in PATH, or its path in CHROMIUM)");
else {
  const names = process.argv.slice(2);
  const wanted = (name) => names.length === 0 || names.some((start) => name.startsWith(start));
  mkdirSync(gallery, { recursive: true });
  const browser = await startChromium(binary);
  try {
    await renderReports(browser, wanted);
    if (names.length === 0 || names.some((name) => name.startsWith("emulator"))) await renderEmulator(browser, wanted);
  } finally {
    await browser.close();
  }
}
