// The page docs/gallery/README.md: every state by name, in the order of a life.
import { VIEWS } from "./gallery-scene.mjs";

/** The states that README.md shows as pictures; GitHub renders the Markdown of all. */
export const PICTURED = ["plan", "gates-failed"];

/** The states under their headings: name of the scene, and what it shows. */
export const SECTIONS = [
  {
    title: "Before a merge",
    scenes: [
      ["plan", "A plan: who gets what, what is taken away, then field by field in groups"],
      ["blocked", "A field that cannot be changed"],
      ["unchanged", "Nothing to do"],
      ["fork", "A pull request from a fork"],
      ["spec-errors", "A spec with an error"],
      ["unauthorized", "A rejected key"],
    ],
  },
  {
    title: "After a deploy",
    scenes: [
      ["created", "Created"],
      ["updated", "A new revision is live"],
      ["in-place", "Updated in place"],
      ["failed-build", "A failed build: the cause first"],
      ["verify-failed", "A failed verify command"],
      ["rolled-back", "Rolled back"],
      ["rollback-failed", "A rollback that failed"],
      ["timed-out", "Timed out"],
      ["superseded", "Superseded"],
      ["cancelled", "Cancelled"],
    ],
  },
  {
    title: "Evaluations",
    scenes: [
      ["gates-failed", "Gates that failed: who got worse, on one axis, with the worst examples"],
      ["gates-passed", "Gates that passed"],
      ["stopped-by-a-gate", "A deployment stopped by a gate"],
    ],
  },
  {
    title: "Sizes",
    scenes: [
      ["twelve-deployments", "Twelve deployments"],
      ["many-changes", "A plan of 42 changes"],
      ["sixty-fields", "A deployment of 60 fields"],
      ["three-hundred-deployments", "300 deployments"],
      ["long-log", "A build log of 1 MB"],
    ],
  },
];

const INTRODUCTION = `# What people see

Every state that a report can have, as a comment on a pull request. \`npm run gallery\` (after \`npm run build\`) runs the product of \`dist/\` against its own emulator, once for each
state, keeps the Markdown it wrote here, and makes ids and times equal. It takes the pictures that README.md shows in a headless Chromium, and fails where anything but a log is wider
than a phone. \`npm run gallery -- plan\` makes those that begin so. It needs Chromium in the PATH, or its path in \`CHROMIUM\`, a colour emoji font (Debian:
\`fonts-noto-color-emoji\`), and fetches Mermaid once. A test plays every scene again and fails where a page is stale.`;

const DEMO = `## The terminal

\`agent-deploy demo\`, as it printed it. Waits are shortened; the picture needs no script and no network, and does not move for those who ask for less motion.

<picture><source media="(prefers-color-scheme: dark)" srcset="demo-dark.svg"><img src="demo.svg" alt="The demo in a terminal"></picture>`;

const EMULATOR = `## The emulator's page

No script; it works with the keyboard and on a phone.

${themed("emulator-page-full", "The emulator's page with deployments, experiments and a comparison")}`;

function themed(name, alt) {
  return `<picture><source media="(prefers-color-scheme: dark)" srcset="${name}-dark.png"><img src="${name}.png" alt="${alt}"></picture>`;
}

/** The Markdown of the index. */
export function renderIndex() {
  const sections = SECTIONS.map(({ title, scenes }) =>
    [
      `## ${title}`,
      scenes.map(([name, words]) => `- [${words}](${name}.md)`).join("\n"),
      ...scenes
        .filter(([name]) => PICTURED.includes(name))
        .map(([name, words]) => themed(name, words)),
    ].join("\n\n"),
  );
  return `${[INTRODUCTION, ...sections, DEMO, EMULATOR].join("\n\n")}\n`;
}

/** The pictures of a scene. */
export const picturesOf = (name) => VIEWS.map(({ suffix }) => `${name}${suffix}`);
