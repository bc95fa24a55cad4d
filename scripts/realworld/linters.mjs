// Workflow linters over our own workflows, the examples, the GitLab template and action.yml.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { goProgram, pythonPrograms, run } from "./toolbox.mjs";

const ACTIONLINT = "v1.7.12";
const ZIZMOR = "1.32.0";

function workflowsOf(root) {
  return [".github/workflows", "examples/workflows"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".yml"))
      .map((name) => `${folder}/${name}`),
  );
}

async function runActionlint({ root, check }) {
  const actionlint = await goProgram("github.com/rhysd/actionlint/cmd/actionlint", ACTIONLINT);
  const files = workflowsOf(root);
  for (const file of files) {
    const { code, stdout } = await run(actionlint, ["-no-color", "-shellcheck=", file], {
      cwd: root,
    });
    check(`${file} has no finding`, code === 0, stdout);
  }
  return `${files.length} workflows`;
}

async function runZizmor({ root, check }) {
  const bin = await pythonPrograms(`zizmor-${ZIZMOR}`, [`zizmor==${ZIZMOR}`], "zizmor");
  const files = [...workflowsOf(root), "action.yml", ".github/dependabot.yml"];
  for (const file of files) {
    const args = ["--offline", "--no-progress", "--config", ".github/zizmor.yml", file];
    const { code, stdout } = await run(join(bin, "zizmor"), args, { cwd: root });
    check(`${file} has no finding`, code === 0, stdout);
  }
  return `${files.length} files`;
}

export const parties = [
  { name: "actionlint", version: ACTIONLINT, run: runActionlint },
  { name: "zizmor", version: ZIZMOR, run: runZizmor },
];
