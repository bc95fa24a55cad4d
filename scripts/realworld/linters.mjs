// Workflow linters over our own workflows, the examples, those in our pages, the one that init
// writes, and action.yml.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRepository } from "./act-runner.mjs";
import { goProgram, pythonPrograms, run, temporaryFolder } from "./toolbox.mjs";

const ACTIONLINT = "v1.7.12";
const ZIZMOR = "1.32.0";

function workflowsOf(root) {
  return [".github/workflows", "examples/workflows"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".yml"))
      .map((name) => `${folder}/${name}`),
  );
}

const AROUND = "on: push\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-latest\n";

/** A block of a page as a workflow, where it is one or the steps of one; null for anything else. */
function toWorkflow(block) {
  if (/^jobs:/m.test(block)) return /^"?on"?:/m.test(block) ? block : `on: push\n${block}`;
  const steps = /^- (?:uses|name|id|if|run):/m.test(block) ? `steps:\n${block}` : block;
  return /^steps:/.test(steps) ? AROUND + steps.replace(/^(?=.)/gm, "    ") : null;
}

/** What our pages ask people to write, as files; a page's blocks are numbered. */
function writeDocumented(root) {
  const folder = temporaryFolder();
  const at = join(folder, ".github/workflows");
  mkdirSync(at, { recursive: true });
  const pages = readdirSync(join(root, "docs"), { encoding: "utf8", recursive: true }).filter(
    (name) => name.endsWith(".md"),
  );
  for (const page of ["README.md", "SECURITY.md", ...pages.map((name) => `docs/${name}`)]) {
    const text = readFileSync(join(root, page), "utf8");
    [...text.matchAll(/```ya?ml[^\n]*\n(.*?)```/gs)].forEach(([, block], nth) => {
      const workflow = toWorkflow(block);
      const name = `${page.replaceAll("/", "-")}-${nth + 1}.yml`;
      if (workflow !== null) writeFileSync(join(at, name), workflow);
    });
  }
  return { folder, files: readdirSync(at).map((name) => `.github/workflows/${name}`) };
}

/** The workflow that init writes into a checkout. */
async function writeFirst(root) {
  const folder = createRepository("on: push\njobs: {}\n", {});
  const init = [join(root, "dist/cli.js"), "init", "--output", "agent-deploy.yml"];
  await run(process.execPath, init, { cwd: folder });
  return { folder, files: [".github/workflows/deploy.yml"] };
}

/** Every file to lint, by the folder it is in. */
async function filesOf(root, own) {
  return [{ folder: root, files: own }, writeDocumented(root), await writeFirst(root)];
}

/** Lints every file; a workflow that is wrong on purpose shows that the linter looks at all. */
async function lint({ root, check, own, control, findings }) {
  const all = await filesOf(root, own);
  for (const { folder, files } of all)
    for (const file of files) {
      const { code, stdout } = await findings(folder, file);
      check(`${file} has no finding`, code === 0, stdout);
    }
  const wrong = createRepository(control, {});
  const { code, stdout } = await findings(wrong, ".github/workflows/it.yml");
  check("what is wrong on purpose is found", code !== 0, stdout);
  return all.reduce((sum, { files }) => sum + files.length, 0);
}

async function runActionlint({ root, check }) {
  const actionlint = await goProgram("github.com/rhysd/actionlint/cmd/actionlint", ACTIONLINT);
  const count = await lint({
    root,
    check,
    own: workflowsOf(root),
    control: `${AROUND}    steps:\n      - run: echo \${{ steps.absent.outputs.it }}\n`,
    findings: (cwd, file) => run(actionlint, ["-no-color", "-shellcheck=", file], { cwd }),
  });
  return `${count} workflows: our own, the examples, those in our pages, init's`;
}

async function runZizmor({ root, check }) {
  const bin = await pythonPrograms(`zizmor-${ZIZMOR}`, [`zizmor==${ZIZMOR}`], "zizmor");
  const config = join(root, ".github/zizmor.yml");
  const count = await lint({
    root,
    check,
    own: [...workflowsOf(root), "action.yml", ".github/dependabot.yml"],
    control: `${AROUND}    steps:\n      - run: echo "\${{ github.event.issue.title }}"\n`,
    findings: (cwd, file) =>
      run(join(bin, "zizmor"), ["--offline", "--no-progress", "--config", config, file], { cwd }),
  });
  return `${count} files: the same workflows, action.yml, dependabot.yml`;
}

export const parties = [
  { name: "actionlint", version: ACTIONLINT, run: runActionlint },
  { name: "zizmor", version: ZIZMOR, run: runZizmor },
];
