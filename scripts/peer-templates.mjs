// What other tools post on a pull request, built from the facts of an event as their own templates build it. Where each
// template stands is beside it; the words are theirs, the code is not.

const at = (repository, commit, path) => `https://github.com/${repository}/blob/${commit}/${path}`;

/** The tools, and where their templates were read. */
export const TOOLS = {
  tfcmt: {
    title: "tfcmt",
    source: at(
      "suzuki-shunsuke/tfcmt",
      "0f192e2806f94ab115429a78dd5565fbe8c67581",
      "pkg/terraform/template.go",
    ),
  },
  dflook: {
    title: "dflook",
    source: at(
      "dflook/terraform-github-actions",
      "03adafc0346a4f15f4d74e45a21441e9bc2e3351",
      "image/src/github_pr_comment/__main__.py",
    ),
  },
  dflookApply: {
    title: "dflook",
    source: at(
      "dflook/terraform-github-actions",
      "9252f475c11bc6ffd3821f5468449a182748b360",
      "image/entrypoints/apply.sh",
    ),
  },
  hcp: {
    title: "HCP Terraform",
    source: at(
      "hashicorp/tfc-workflows-github",
      "1b8ede8efb2b0883201bc7701e55f987a778febf",
      "workflow-templates/hcp-terraform.speculative-run.workflow.yml",
    ),
  },
  infracost: {
    title: "Infracost",
    source: at(
      "infracost/actions",
      "e646154e41d982fb4c423d62fa3af426ea1b7b3d",
      "testdata/results/default_comment_golden.md",
    ),
  },
  vercel: { title: "Vercel", source: "https://github.com/hackclub/sprig/issues/2870" },
  vercelFork: { title: "Vercel", source: "https://github.com/drawdb-io/drawdb/issues/269" },
  netlify: { title: "Netlify", source: "https://github.com/TryGhost/Ghost/issues/24750" },
  netlifyFailed: { title: "Netlify", source: "https://github.com/stackblitz/docs/issues/257" },
  braintrust: {
    title: "Braintrust",
    source: at(
      "braintrustdata/eval-action",
      "14b458fa447c2ddd8d730d7d9e794df5149f0be5",
      "README.md",
    ),
  },
};

const RUN = "https://git.example.com/acme/agents/actions/runs/1001";

const fenced = (lines) => ["```hcl", ...lines, "```"];

const sumOf = ({ add = 0, change = 0, destroy = 0 }) =>
  `Plan: ${add} to add, ${change} to change, ${destroy} to destroy.`;

/** How Terraform prints a change of one resource; `fields` are its lines. */
export const resource = (name, how, fields) => [
  "Terraform will perform the following actions:",
  "",
  `  # agent_deployment.${name} ${how}`,
  `  ${how.startsWith("will be created") ? "+" : "~"} resource "agent_deployment" "${name}" {`,
  ...fields.map((field) => `      ${field}`),
  "    }",
];

/** How Terraform prints an error about one resource. */
export const terraformError = (name, message, more = []) => [
  "╷",
  `│ Error: ${message}`,
  "│",
  `│   with agent_deployment.${name},`,
  ...more.map((line) => `│   ${line}`),
  "╵",
];

/** A plan: `sum` null where Terraform found no changes. */
export function tfcmtPlan({ name, sum, body, resources = {} }) {
  const result = sum === null ? NO_CHANGES : sumOf(sum);
  const lists = Object.entries(resources).flatMap(([kind, names]) => [
    `* ${kind}`,
    ...names.map((one) => `  * ${one}`),
  ]);
  return [
    `## Plan Result (${name})`,
    "",
    `[CI link](${RUN})`,
    "",
    ...(sum?.destroy > 0
      ? [
          "### ⚠️ Resource Deletion will happen ⚠️",
          "This plan contains resource delete operation. Please check the plan result very carefully!",
          "",
        ]
      : []),
    `<pre><code>${result}</code></pre>`,
    "",
    ...lists,
    ...details("Details (Click me)", [...body, "", result]),
  ].join("\n");
}

const NO_CHANGES = "No changes. Your infrastructure matches the configuration.";

const details = (summary, body, open = false) => [
  `<details${open ? " open" : ""}><summary>${summary}</summary>`,
  "",
  ...fenced(body),
  "",
  "</details>",
];

/** A plan or an apply that ended with an error. */
export function tfcmtFailed({ command, name, body }) {
  return [
    `## ❌ ${command} Result (${name})`,
    "",
    `[CI link](${RUN})`,
    "",
    ...details("Details (Click me)", body),
  ].join("\n");
}

export function tfcmtApplied({ name, sum, body }) {
  return [
    `## ✅ Apply Result (${name})`,
    "",
    `[CI link](${RUN})`,
    "",
    `<pre><code>Apply complete! Resources: ${sum.add ?? 0} added, ${sum.change ?? 0} changed, ${sum.destroy ?? 0} destroyed.</code></pre>`,
    "",
    ...details("Details (Click me)", body),
  ].join("\n");
}

/** A plan; `status` is the line that an apply leaves below it. */
export function dflookPlan({ name, sum, error, body, status = "" }) {
  const plain = sum === null ? NO_CHANGES : sumOf(sum ?? {});
  const summary = error === undefined ? plain : `Error: ${error}`;
  const shown = error === undefined ? [...body, "", plain] : body;
  return [
    `Terraform plan in __${name}__`,
    ...details(summary, shown, error !== undefined || shown.length < 10),
    ...(status === "" ? [] : ["", status]),
  ].join("\n");
}

const JOB = `[deploy #7](${RUN})`;
export const DFLOOK_STATUS = {
  applied: `✅ Plan applied in ${JOB}`,
  failed: `❌ Error applying plan in ${JOB}`,
  running: `🟠 Applying plan in ${JOB}`,
};

export function hcpPlan({ sum }) {
  return [
    "#### HCP Terraform Plan Output",
    "```",
    sumOf(sum),
    "```",
    `[HCP Terraform Plan](${RUN})`,
  ].join("\n");
}

export function infracost({ name, rise, now }) {
  return [
    "<h3>Infracost report</h3>",
    `<h4>💰 Monthly cost will increase by $${rise} 📈</h4>`,
    "<table><thead><tr><td>Project</td><td>Cost change</td><td>New monthly cost</td></tr></thead>",
    `<tbody><tr><td>${name}</td><td>+$${rise}</td><td align="right">$${now}</td></tr></tbody></table>`,
    "",
    "<sub>This comment will be updated when code changes.</sub>",
  ].join("\n");
}

/** One row for each project, in the order of their names; `status` is the sign and the word. */
export function vercel(projects) {
  return [
    "**The latest updates on your projects**. Learn more about [Vercel for Git ↗︎](https://vercel.link/github-learn-more)",
    "",
    "| Name | Status | Preview | Comments | Updated (UTC) |",
    "| :--- | :----- | :------ | :------- | :------ |",
    ...projects.map(
      ({ name, status }) =>
        `| **${name}** | ${status} ([Inspect](https://vercel.com)) | ${status.includes("Ready") ? "[Visit Preview](https://vercel.com)" : ""} |  | Mar 4, 2026 9:40am |`,
    ),
  ].join("\n");
}

export const vercelFork = ({ who, team }) =>
  [
    `[@${who}](https://github.com/${who}) is attempting to deploy a commit to the **${team}** Team on [Vercel](https://vercel.com).`,
    "",
    "A member of the Team first needs to [authorize it](https://vercel.com).",
  ].join("\n");

export function netlify({ name, sign, state }) {
  const deploy = "https://app.netlify.com/projects/support-agent/deploys/68ac4974cf14";
  return [
    `### <span aria-hidden="true">${sign}</span> Deploy Preview for *${name}* ${state}`,
    "",
    "|  Name | Link |",
    "|:-:|------------------------|",
    "|🔨 Latest commit | c0ffee1000000000000000000000000000000000 |",
    `|🔍 Latest deploy log | ${deploy} |`,
    ...(state === "ready!"
      ? [
          "|😎 Deploy Preview | [https://deploy-preview-12--support-agent.netlify.app](https://deploy-preview-12--support-agent.netlify.app) |",
        ]
      : []),
    "---",
    "",
    "_To edit notification comments on pull requests, go to your [Netlify project configuration](https://app.netlify.com)._",
  ].join("\n");
}

/** One row for each score: its mean now, the change in points, and how many rows got better and worse. */
export function braintrust({ name, scores }) {
  return [
    `**[${name} (HEAD-1714341466)](https://www.braintrustdata.com)**`,
    "",
    "| Score | Average | Improvements | Regressions |",
    "| --- | --- | --: | --: |",
    ...scores.map(
      ([score, mean, change, better, worse]) =>
        `| ${score} | ${mean} (${change}) | ${better} 🟢 | ${worse} 🔴 |`,
    ),
  ].join("\n");
}
