// What the pictures of docs/gallery show, apart from taking them: so that a test can check whether a
// picture is still true.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { marked } from "marked";

const style = readFileSync(
  createRequire(import.meta.url).resolve("github-markdown-css/github-markdown.css"),
  "utf8",
);

/** Every state as wide as a pull request and as wide as a phone, light and dark. */
export const VIEWS = [
  { suffix: "", width: 1012, dark: false },
  { suffix: "-dark", width: 1012, dark: true },
];

/** A comment's body as GitHub sets it: single line breaks count, the column is as wide as on a pull request. */
export function toHtml(markdown) {
  const body = marked
    .parse(markdown, { async: false, gfm: true, breaks: true })
    .replace(
      /<blockquote>\s*<p>\[!WARNING\]<br>([\s\S]*?)<\/blockquote>/g,
      '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">⚠ Warning</p><p>$1</div>',
    )
    .replace(
      /<blockquote>\s*<p>\[!WARNING\]<\/p>([\s\S]*?)<\/blockquote>/g,
      '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">⚠ Warning</p>$1</div>',
    )
    .replace(
      /<pre><code class="language-mermaid">([\s\S]*?)<\/code><\/pre>/g,
      '<pre class="mermaid">$1</pre>',
    )
    .replace(
      /<pre><code class="language-diff">([\s\S]*?)<\/code><\/pre>/g,
      (_, code) => `<pre><code>${colorDiff(code)}</code></pre>`,
    );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><style>${style}
body{margin:0;background:#fff}@media(prefers-color-scheme:dark){body{background:#0d1117}}.markdown-body{padding:16px 24px;font-size:14px}
.markdown-body pre.mermaid{background:none;padding:0;text-align:center}pre.mermaid svg{max-width:100%;height:auto}</style></head>
<body><article class="markdown-body">${body}</article></body></html>`;
}

const DIFF_CLASSES = { "+": "pl-mi1", "-": "pl-md", "!": "pl-mc", "@": "pl-mdr" };

/** A diff in GitHub's colours. */
function colorDiff(code) {
  return code
    .split("\n")
    .map((line) => {
      const kind = DIFF_CLASSES[line[0]];
      return kind === undefined ? line : `<span class="${kind}">${line}</span>`;
    })
    .join("\n");
}

/**
 * What a picture was made from, as docs/gallery/manifest.json keeps it; ids differ from run to run,
 * so they are only numbered.
 */
export function toFingerprint(html) {
  const ids = [];
  const numbered = html.replace(
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
    (id) => `id ${ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1}`,
  );
  return createHash("sha256")
    .update(numbered.replace(/http:\/\/127\.0\.0\.1:\d+/g, "http://127.0.0.1"))
    .digest("hex");
}

/** The emulator of the pictures: its clock is stopped until it is moved. */
export const SCENARIO = `
clock: { manual: true, startMs: ${Date.parse("2026-03-04T09:40:00Z")} }
limits: off
timeScale: 1
phases: { CREATING: 1000, QUEUED: 2000, AWAITING_BUILD: 4000, BUILDING: 372000, AWAITING_DEPLOY: 3000, DEPLOYING: 37000 }
lags: { statistics: 2000 }
revisions:
  - { deployment: support-agent, revision: 2, outcome: build-failed, status_message: "pip: no version of langfoo satisfies ==9.9" }
  - { deployment: billing-agent, outcome: deploy-failed, status_message: "the readiness probe answered 500", log: ["connection refused: postgres:5432"] }
faults:
  - { route: "GET /v2/deployments/{id}", kind: status, status: 503 }
  - { route: "POST /v2/deployments", kind: reset-after, nth: 9 }
`;

/** @returns {Promise<any>} */
async function call(url, method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { "x-api-key": "gallery", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

const advance = (url, seconds) =>
  call(url, "POST", "/_emulator/clock", { advance_ms: seconds * 1000 });

/**
 * What a day of work leaves: one that failed, a live one with a later, failed revision,
 * one under way, three experiments.
 */
export async function fill(url) {
  const repo = (repo_ref) => ({ repo_ref, graph_config_path: "graphs/support.json" });
  await call(url, "POST", "/v2/deployments", {
    name: "billing-agent",
    source: "external_container",
    source_config: { resource_spec: { cpu: 1 } },
    source_revision_config: { image_uri: "registry.example.com/acme/billing:7" },
    secrets: [],
  });
  await advance(url, 60);
  const support = await call(url, "POST", "/v2/deployments", {
    name: "support-agent",
    source: "repohost",
    source_config: { repo_url: "https://git.example.com/acme/agents", deployment_type: "prod" },
    source_revision_config: repo("main"),
    secrets: [{ name: "OPENAI_API_KEY", value: "never-shown" }],
  });
  await advance(url, 500);
  await call(url, "PATCH", `/v2/deployments/${support.id}`, {
    source_revision_config: repo("broken-build"),
  });
  await advance(url, 500);
  await call(url, "PATCH", `/v2/deployments/${support.id}`, {
    source_revision_config: repo("release-2"),
  });
  await advance(url, 500);
  await call(url, "POST", "/v2/deployments", {
    name: "search-agent",
    source: "external_container",
    source_config: { resource_spec: { cpu: 1 } },
    source_revision_config: {
      image_uri:
        "registry.example.com/acme/search@sha256:9b8a7c6d5e4f30211203f4e5d6c7b8a90f1e2d3c4b5a69788796a5b4c3d2e1f0",
    },
    secrets: [],
  });
  const scores = [
    [0.88, 0.9, 0.021],
    [0.885, 0.91, 0.029],
    [0.902, 0.81, 0.031],
  ];
  for (const [at, [correctness, tone, hallucination]] of scores.entries()) {
    await call(url, "POST", "/api/v1/datasets/upload-experiment", {
      experiment_name: `support ${["3b9ac2f", "5f3e2d1", "9f2c1ab"][at]}`,
      experiment_start_time: "2026-03-04T09:00:00Z",
      experiment_end_time: "2026-03-04T09:10:00Z",
      dataset_name: "acme/agents support",
      results: Array.from({ length: 12 }, (_, row) => ({
        row_id: `33333333-3333-4333-8333-3333333333${String(row).padStart(2, "0")}`,
        inputs: { question: `question ${row}` },
        expected_outputs: { answer: `answer ${row}` },
        actual_outputs: { answer: at === 2 && row === 7 ? "I do not know" : `answer ${row}` },
        start_time: "2026-03-04T09:01:00Z",
        end_time: "2026-03-04T09:01:03Z",
        evaluation_scores: [
          { key: "correctness", score: at === 2 && row === 7 ? 0 : correctness },
          { key: "tone", score: tone },
          { key: "hallucination", score: hallucination },
        ],
      })),
    });
    await advance(url, 5);
  }
  // A read that meets the fault.
  await fetch(`${url}/v2/deployments/${support.id}`, { headers: { "x-api-key": "gallery" } });
}
