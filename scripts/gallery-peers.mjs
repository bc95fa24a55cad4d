// The page docs/gallery/peers.md: our first lines beside those of other tools for the same event, each in its own template.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where each template stands, and what it always begins with. `{name}` and the like stand for what a run fills in. */
const PEERS = {
  infracost: {
    title: "Infracost",
    source:
      "https://github.com/infracost/actions/blob/e646154e41d982fb4c423d62fa3af426ea1b7b3d/testdata/results/default_comment_golden.md",
  },
  tfcmt: {
    title: "tfcmt",
    source:
      "https://github.com/suzuki-shunsuke/tfcmt/blob/0f192e2806f94ab115429a78dd5565fbe8c67581/pkg/terraform/template.go",
  },
  dflook: {
    title: "dflook",
    source:
      "https://github.com/dflook/terraform-github-actions/blob/03adafc0346a4f15f4d74e45a21441e9bc2e3351/image/src/github_pr_comment/__main__.py",
  },
  hcp: {
    title: "HCP Terraform",
    source:
      "https://github.com/hashicorp/tfc-workflows-github/blob/1b8ede8efb2b0883201bc7701e55f987a778febf/workflow-templates/hcp-terraform.speculative-run.workflow.yml",
  },
  vercel: { title: "Vercel", source: "https://github.com/hackclub/sprig/issues/2870" },
  braintrust: {
    title: "Braintrust",
    source: "https://github.com/braintrustdata/eval-action/blob/main/README.md",
  },
};

const VERCEL = [
  "**The latest updates on your projects**. Learn more about Vercel for Git",
  "",
  "| Name | Status | Preview | Comments | Updated (UTC) |",
  "| :--- | :----- | :------ | :------- | :------ |",
];
const vercelRow = (status) => [
  ...VERCEL,
  `| **support-agent** | ${status} (Inspect) |  |  | Mar 4, 2026 9:40am |`,
];
const BRAINTRUST = [
  "**support (HEAD-1714341466)**",
  "",
  "| Score | Average | Improvements | Regressions |",
  "| --- | --- | --: | --: |",
];

/**
 * What each tells of one of our states, in its own template. `verdict`: where it has told which thing it is about and how that
 * ended (for a plan: how much would change); null where its template does not tell both.
 */
export const COMPARISONS = [
  {
    scene: "plan",
    verdict: "5 changes",
    peers: {
      dflook: {
        lines: [
          "Terraform plan in __support-agent__",
          "",
          "Plan: 0 to add, 5 to change, 0 to destroy.",
        ],
        verdict: "5 to change, 0 to destroy.",
      },
      tfcmt: {
        lines: [
          "## Plan Result (support-agent)",
          "",
          "[CI link](https://ci.example.com)",
          "",
          "Plan: 0 to add, 5 to change, 0 to destroy.",
        ],
        verdict: "5 to change, 0 to destroy.",
      },
      hcp: {
        lines: ["#### HCP Terraform Plan Output", "", "Plan: 0 to add, 5 to change, 0 to destroy."],
        verdict: null,
      },
      infracost: {
        lines: ["<h4>💰 Infracost report</h4>", "<h4>Monthly estimate increased by $586 📈</h4>"],
        verdict: null,
      },
    },
  },
  {
    scene: "many-changes",
    verdict: "42 changes",
    peers: {
      tfcmt: {
        lines: [
          "## Plan Result (search-agent)",
          "",
          "[CI link](https://ci.example.com)",
          "",
          "Plan: 0 to add, 42 to change, 0 to destroy.",
        ],
        verdict: "42 to change, 0 to destroy.",
      },
    },
  },
  {
    scene: "unchanged",
    verdict: "nothing to change",
    peers: {
      dflook: {
        lines: [
          "Terraform plan in __support-agent__",
          "",
          "No changes. Your infrastructure matches the configuration.",
        ],
        verdict: "No changes.",
      },
      tfcmt: {
        lines: [
          "## Plan Result (support-agent)",
          "",
          "[CI link](https://ci.example.com)",
          "",
          "No changes. Your infrastructure matches the configuration.",
        ],
        verdict: "No changes.",
      },
    },
  },
  {
    scene: "blocked",
    verdict: "cannot be deployed",
    peers: {
      dflook: {
        lines: [
          "Terraform plan in __support-agent__",
          "",
          "Error: deployment_type cannot be changed",
        ],
        verdict: "Error:",
      },
    },
  },
  {
    scene: "spec-errors",
    verdict: "❌ The spec",
    peers: {
      dflook: {
        lines: ["Terraform plan in __support-agent__", "", "Error: Unsupported argument"],
        verdict: "Error:",
      },
      tfcmt: {
        lines: [
          "## :x: Plan Result (support-agent)",
          "",
          "[CI link](https://ci.example.com)",
          "",
          "It failed to parse the result.",
        ],
        verdict: "(support-agent)",
      },
    },
  },
  {
    scene: "updated",
    verdict: "was deployed",
    peers: {
      vercel: { lines: vercelRow("✅ Ready"), verdict: "✅ Ready" },
      tfcmt: {
        lines: ["## :white_check_mark: Apply Result (support-agent)"],
        verdict: "(support-agent)",
      },
    },
  },
  {
    scene: "failed-build",
    verdict: "❌ support-agent",
    peers: {
      vercel: { lines: vercelRow("❌ Failed"), verdict: "❌ Failed" },
      tfcmt: { lines: ["## :x: Apply Result (support-agent)"], verdict: "(support-agent)" },
    },
  },
  {
    scene: "twelve-deployments",
    verdict: "1 failed",
    peers: { vercel: { lines: vercelRow("❌ Failed"), verdict: "❌ Failed" } },
  },
  {
    scene: "gates-failed",
    verdict: "2 of 4 gates failed: correctness",
    peers: {
      braintrust: {
        lines: [...BRAINTRUST, "| correctness | 0.75 (-13pp) | 15 🟢 | 30 🔴 |"],
        verdict: "30 🔴",
      },
    },
  },
  {
    scene: "gates-passed",
    verdict: "all 2 gates passed",
    peers: {
      braintrust: {
        lines: [...BRAINTRUST, "| correctness | 1.00 (0pp) | 0 🟢 | 0 🔴 |"],
        verdict: "0 🔴",
      },
    },
  },
];

/** The first line of a scene of ours, as the run wrote it. */
export function firstLineOf(scene) {
  const path = fileURLToPath(new URL(`../docs/gallery/${scene}.md`, import.meta.url));
  return readFileSync(path, "utf8").split("\n")[0];
}

/** Words as a reader meets them: without markup, a sign counts as a word. */
function wordsOf(text) {
  return text
    .replace(/:(?:x|white_check_mark):/g, "✔")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<[^>]*>|[#*_`|]| :?-+:? /g, " ")
    .split(/\s+/)
    .filter((word) => /[^\s:-]/.test(word));
}

/** How many words a reader meets up to the end of the verdict; null where there is none. */
export function wordsToVerdict(text, verdict) {
  if (verdict === null) return null;
  const bare = wordsOf(text).join(" ");
  const wanted = wordsOf(verdict).join(" ");
  const at = bare.lastIndexOf(wanted);
  if (at < 0) throw new Error(`${JSON.stringify(bare)} does not say ${JSON.stringify(wanted)}`);
  return wordsOf(bare.slice(0, at + wanted.length)).length;
}

const countWords = (count) => (count === null ? "it does not tell both" : `${count} words`);

/** The Markdown of the page. */
export function renderPeers() {
  const sections = COMPARISONS.map(({ scene, verdict, peers }) => {
    const line = firstLineOf(scene);
    const others = Object.entries(peers).map(
      ([peer, { lines, verdict: told }]) =>
        `**[${PEERS[peer].title}](${PEERS[peer].source}): ${countWords(wordsToVerdict(lines.join("\n"), told))}**\n\n${lines.map((one) => `> ${one}`.trimEnd()).join("\n")}`,
    );
    return [
      `## ${scene}`,
      `**agent-deploy: ${countWords(wordsToVerdict(line, verdict))}** ([whole](${scene}.md))\n\n> ${line}`,
      ...others,
    ].join("\n\n");
  });
  return `${[INTRODUCTION, ...sections, NONE].join("\n\n")}\n`;
}

const INTRODUCTION = `# Beside other tools

The first lines of a report of ours, as a real run wrote them, beside what other tools write of the same event in their own templates. Their lines are filled with the facts of our run;
each name links to the template, or to a comment made from it, which was read in November 2026.

Counted are the words that a reader meets until two things are told: which deployment it is about, and how that ended (for a plan, how much would change). A sign such as ❌ counts as a
word. \`npm run gallery\` writes this page, and a test fails where another tool is shorter.`;

const NONE = `## States without a counterpart

The templates above have no words of their own for a rollback, a rollback that failed, a revision that a newer one replaced, a timeout, a cancelled run, a deployment that a gate stopped, or a pull request
from a fork without a key.`;
