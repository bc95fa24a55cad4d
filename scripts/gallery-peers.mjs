// The page docs/gallery/peers.md: every state of ours beside what other tools post of the same event, as pictures and as words.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SECTIONS } from "./gallery-index.mjs";
import {
  DFLOOK_STATUS,
  TOOLS,
  braintrust,
  dflookPlan,
  hcpPlan,
  infracost,
  netlify,
  resource,
  terraformError,
  tfcmtApplied,
  tfcmtFailed,
  tfcmtPlan,
  vercel,
  vercelFork,
} from "./peer-templates.mjs";

const NAME = "support-agent";
const RESOURCE = "agent_deployment.support_agent";
const TO_RELEASE = resource("support_agent", "will be updated in-place", [
  '~ repo_ref = "main" -> "release-2"',
]);

/** The same failure as two Terraform tools tell it: an apply whose error is in the folded log. */
function applyFailed(error, more = []) {
  const body = terraformError("support_agent", error, more);
  return {
    tfcmt: {
      markdown: tfcmtFailed({ command: "Apply", name: NAME, body }),
      verdict: `❌ Apply Result (${NAME})`,
    },
    dflookApply: {
      markdown: dflookPlan({
        name: NAME,
        sum: { change: 1 },
        body: TO_RELEASE,
        status: DFLOOK_STATUS.failed,
      }),
      verdict: "❌ Error applying plan",
    },
  };
}

const planFailed = (error) => ({
  dflook: {
    markdown: dflookPlan({ name: NAME, error, body: terraformError("support_agent", error) }),
    verdict: "Error:",
  },
  tfcmt: {
    markdown: tfcmtFailed({
      command: "Plan",
      name: NAME,
      body: terraformError("support_agent", error),
    }),
    verdict: `❌ Plan Result (${NAME})`,
  },
});

const applied = (sum, body) => ({
  vercel: { markdown: vercel([{ name: NAME, status: "✅ Ready" }]), verdict: "✅ Ready" },
  netlify: {
    markdown: netlify({ name: NAME, sign: "✅", state: "ready!" }),
    verdict: `✅ Deploy Preview for ${NAME}`,
  },
  tfcmt: {
    markdown: tfcmtApplied({ name: NAME, sum, body }),
    verdict: `✅ Apply Result (${NAME})`,
  },
});

const buildFailed = (log) => ({
  vercel: { markdown: vercel([{ name: NAME, status: "❌ Failed" }]), verdict: "❌ Failed" },
  netlifyFailed: {
    markdown: netlify({
      name: NAME,
      sign: "❌",
      state: "failed. **[Why did it fail? →](https://app.netlify.com)**",
    }),
    verdict: `❌ Deploy Preview for ${NAME}`,
  },
  tfcmt: {
    markdown: tfcmtFailed({ command: "Apply", name: NAME, body: log }),
    verdict: `❌ Apply Result (${NAME})`,
  },
});

/** A plan as Terraform tools tell it; `told` is where they have said how much would change. */
function planned(name, sum, body, resources) {
  const told = sum === null ? "No changes." : sumWords(sum);
  return {
    dflook: { markdown: dflookPlan({ name, sum, body }), verdict: told },
    tfcmt: { markdown: tfcmtPlan({ name, sum, body, resources }), verdict: told },
  };
}
const sumWords = ({ add = 0, change = 0, destroy = 0 }) =>
  `Plan: ${add} to add, ${change} to change, ${destroy} to destroy.`;

const judged = (scores, verdict) => ({
  braintrust: { markdown: braintrust({ name: "support", scores }), verdict },
});

const numbered = (count, digits) =>
  Array.from({ length: count }, (_, at) => `agent-${String(at + 1).padStart(digits, "0")}`);

const ESTATE = numbered(300, 3).map((name) => name.replace("-", "_"));
const REPLACED = ESTATE.filter((_, at) => at % 60 === 7);
const UPDATED = ESTATE.filter((_, at) => at % 9 === 0 && at % 60 !== 7);

const LABELS = Array.from({ length: 40 }, (_, at) => `~ label-${at} = "old-${at}" -> "new-${at}"`);
const TOKENS = Array.from(
  { length: 53 },
  (_, at) => `+ SERVICE_${at + 1}_TOKEN = (sensitive value)`,
);

/**
 * What each tells of our states, in its own template. `verdict`: the words with which it has told which thing it is about and
 * how that ended (a sign counts; for a plan: how much would change); null where its template does not tell both.
 */
const EVENTS = {
  plan: {
    verdict: "5 changes",
    peers: {
      ...planned(
        NAME,
        { change: 1 },
        resource("support_agent", "will be updated in-place", [
          "~ build_on_push = false -> true",
          '~ repo_ref      = "main" -> "release-2"',
          "~ secrets       = (sensitive value)",
        ]),
        { Update: [RESOURCE] },
      ),
      hcp: { markdown: hcpPlan({ sum: { change: 1 } }), verdict: null },
      infracost: { markdown: infracost({ name: NAME, rise: 25, now: 77 }), verdict: null },
    },
  },
  blocked: { verdict: `⛔ ${NAME}`, peers: planFailed("deployment_type cannot be changed") },
  unchanged: { verdict: "nothing to change", peers: planned(NAME, null, []) },
  fork: {
    verdict: "was only validated",
    peers: {
      vercelFork: {
        markdown: vercelFork({ who: "octo", team: "acme" }),
        verdict: "needs to authorize it.",
      },
    },
  },
  "spec-errors": { verdict: "❌ The spec", peers: planFailed("Unsupported argument") },
  unauthorized: { verdict: `❌ ${NAME}`, peers: planFailed("401 Unauthorized: Invalid token") },
  created: {
    verdict: `✅ ${NAME}`,
    peers: applied(
      { add: 1 },
      resource("support_agent", "will be created", [
        '+ deployment_type = "prod"',
        '+ repo_ref        = "main"',
        "+ secrets         = (sensitive value)",
      ]),
    ),
  },
  updated: { verdict: `✅ ${NAME}`, peers: applied({ change: 1 }, TO_RELEASE) },
  "in-place": {
    verdict: `✅ ${NAME}`,
    peers: applied(
      { change: 1 },
      resource("support_agent", "will be updated in-place", ["~ build_on_push = false -> true"]),
    ),
  },
  "failed-build": {
    verdict: `❌ ${NAME}`,
    peers: buildFailed(
      terraformError("support_agent", "the build failed", [
        "ERROR: No matching distribution found for langfoo==9.9",
      ]),
    ),
  },
  "verify-failed": { verdict: `❌ ${NAME}`, peers: applyFailed("verify ended with exit code 1") },
  "rolled-back": { verdict: `❌ ${NAME}`, peers: applyFailed("verify ended with exit code 1") },
  "rollback-failed": {
    verdict: `❌ ${NAME}`,
    peers: applyFailed("the new revision did not start"),
  },
  "timed-out": {
    verdict: "timed out",
    peers: applyFailed(
      "timeout while waiting for state to become 'DEPLOYED' (last state: 'BUILDING', timeout: 2s)",
    ),
  },
  superseded: { verdict: "was superseded", peers: applyFailed("unexpected state 'SKIPPED'") },
  cancelled: {
    verdict: "cancelled",
    peers: {
      dflookApply: {
        markdown: dflookPlan({
          name: NAME,
          sum: { change: 1 },
          body: TO_RELEASE,
          status: DFLOOK_STATUS.running,
        }),
        verdict: null,
      },
      tfcmt: {
        markdown: tfcmtFailed({
          command: "Apply",
          name: NAME,
          body: ["Interrupt received.", "Gracefully shutting down..."],
        }),
        verdict: `❌ Apply Result (${NAME})`,
      },
    },
  },
  "gates-failed": {
    verdict: "2 of 4 gates failed: correctness",
    peers: judged(
      [
        ["correctness", "0.75", "-13pp", 15, 30],
        ["tone", "0.83", "-10pp", 30, 60],
      ],
      "30 🔴",
    ),
  },
  "gates-passed": {
    verdict: "Both gates passed",
    peers: judged(
      [
        ["correctness", "1.00", "0pp", 0, 0],
        ["tone", "0.95", "0pp", 0, 0],
      ],
      "correctness 1.00 (0pp) 0 🟢 0 🔴",
    ),
  },
  "stopped-by-a-gate": {
    verdict: `⛔ ${NAME}`,
    peers: judged(
      [
        ["correctness", "0.75", "-25pp", 0, 30],
        ["tone", "0.83", "-13pp", 0, 30],
      ],
      "correctness 0.75 (-25pp) 0 🟢 30 🔴",
    ),
  },
  "twelve-deployments": {
    verdict: "(agent-03)",
    peers: {
      vercel: {
        markdown: vercel(
          numbered(12, 2).map((name) => ({
            name,
            status: name === "agent-03" ? "❌ Failed" : "✅ Ready",
          })),
        ),
        verdict: "agent-03 ❌ Failed",
      },
    },
  },
  "many-changes": {
    verdict: "42 changes",
    peers: planned(
      "search-agent",
      { change: 1 },
      resource("search_agent", "will be updated in-place", ["~ cpu = 1 -> 2", ...LABELS]),
      { Update: ["agent_deployment.search_agent"] },
    ),
  },
  "sixty-fields": {
    verdict: "60 fields",
    peers: planned(
      NAME,
      { add: 1 },
      resource("support_agent", "will be created", ['+ repo_ref = "main"', ...TOKENS]),
      { Create: [RESOURCE] },
    ),
  },
  "three-hundred-deployments": {
    verdict: "5 blocked",
    peers: planned(
      "agents",
      { add: 5, change: 34, destroy: 5 },
      [
        ...UPDATED.flatMap((name) =>
          resource(name, "will be updated in-place", ['~ repo_ref = "main" -> "release-2"']),
        ),
        ...REPLACED.flatMap((name) =>
          resource(name, "must be replaced", [
            '~ deployment_type = "prod" -> "dev" # forces replacement',
          ]),
        ),
      ],
      {
        Update: UPDATED.map((name) => `agent_deployment.${name}`),
        Replace: REPLACED.map((name) => `agent_deployment.${name}`),
      },
    ),
  },
  "long-log": {
    verdict: `❌ ${NAME}`,
    peers: buildFailed([
      ...Array.from(
        { length: 60 },
        (_, at) => `#12 ${at}.00 Downloading layer ${at} of the base image`,
      ),
      "npm error ERESOLVE could not resolve: peer react@18 from acme-widgets@3.1.0",
    ]),
  },
};

/** The comparisons in the order of the gallery. */
export const COMPARISONS = SECTIONS.flatMap(({ scenes }) =>
  scenes.map(([scene, words]) => ({ scene, words, ...EVENTS[scene] })),
);

/** The first line of a scene of ours, as the run wrote it. */
export function firstLineOf(scene) {
  const path = fileURLToPath(new URL(`../docs/gallery/${scene}.md`, import.meta.url));
  return readFileSync(path, "utf8").split("\n")[0];
}

/** Words as a reader meets them: without markup, a sign counts as a word; what is folded is not read. */
function wordsOf(text) {
  return text
    .replace(/<details>(<summary>.*?<\/summary>)[\s\S]*?<\/details>/g, "$1")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[#*`]|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])/g, "")
    .replace(/<[^>]*>|\|| :?-+:? /g, " ")
    .split(/\s+/)
    .filter((word) => /[^\s:-]/.test(word));
}

/** How many words a reader meets up to the end of the verdict; null where there is none. */
export function wordsToVerdict(text, verdict) {
  if (verdict === null) return null;
  const bare = wordsOf(text).join(" ");
  const wanted = wordsOf(verdict).join(" ");
  const at = bare.indexOf(wanted);
  if (at < 0) throw new Error(`${JSON.stringify(bare)} does not say ${JSON.stringify(wanted)}`);
  return wordsOf(bare.slice(0, at + wanted.length)).length;
}

/** The other tools of a state, the one that is quickest at the verdict first. */
export function rankPeers({ peers }) {
  const counted = Object.entries(peers).map(([tool, { markdown, verdict }]) => ({
    ...TOOLS[tool],
    markdown,
    words: wordsToVerdict(markdown, verdict),
  }));
  return counted.toSorted((one, other) => (one.words ?? Infinity) - (other.words ?? Infinity));
}

/** The pictures of the other tools: name, and the Markdown of the best for that state. */
export const peerPictures = () =>
  COMPARISONS.map((comparison) => ({
    name: `peer-${comparison.scene}`,
    markdown: rankPeers(comparison)[0].markdown,
  }));

const firstWords = (markdown) =>
  wordsOf(markdown.split("\n").find((line) => wordsOf(line).length > 0)).join(" ");

function themed(name, alt, width) {
  return `<picture><source media="(prefers-color-scheme: dark)" srcset="${name}-dark.png"><img src="${name}.png" alt="${alt}" width="${width}"></picture>`;
}

function renderState(comparison) {
  const { scene, words, verdict } = comparison;
  const ours = firstLineOf(scene);
  const peers = rankPeers(comparison);
  const [best] = peers;
  const cell = (count) => (count === null ? "never" : count);
  const mine = `agent-deploy, ${scene}`;
  const theirs = `${best.title}, ${scene}`;
  return [
    `## ${words}`,
    [
      "| Tool | Its first line | Words to the verdict |",
      "| --- | --- | --: |",
      `| **agent-deploy** ([Markdown](${scene}.md)) | ${wordsOf(ours).join(" ")} | **${wordsToVerdict(ours, verdict)}** |`,
      ...peers.map(
        ({ title, source, markdown, words: count }) =>
          `| [${title}](${source}) | ${firstWords(markdown)} | ${cell(count)} |`,
      ),
    ].join("\n"),
    [
      `| agent-deploy | ${best.title} |`,
      "| --- | --- |",
      `| ${themed(scene, mine, 500)} | ${themed(`peer-${scene}`, theirs, 500)} |`,
      `| ${themed(`${scene}-phone`, `${mine}, on a phone`, 300)} | ${themed(`peer-${scene}-phone`, `${theirs}, on a phone`, 300)} |`,
    ].join("\n"),
  ].join("\n\n");
}

/** The Markdown of the page. */
export function renderPeers() {
  return `${[INTRODUCTION, ...COMPARISONS.map(renderState)].join("\n\n")}\n`;
}

const INTRODUCTION = `# Our comments beside those of other tools

Every state of [the gallery](README.md), beside what another tool posts of the same event. Ours is what a run wrote. Theirs is built from their own template, filled with the facts of our run; each
name links to the template, or to a comment made from it, as read in November 2026. Where a tool has no words for a state, its words for a failed run stand.

Counted are the words that a reader meets, unfolded, until two things are told: which deployment it is about, and how that ended (for a plan, how much would change). A sign such as ❌ counts as a word.
The tool beside ours is the one that is quickest at that. \`npm run gallery\` makes this page and its pictures; a test fails where another tool needs fewer words.`;
