import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { startChild } from "../../support/child.ts";
import { startCli } from "../../support/cli-run.ts";
import { startTestEmulator } from "../../support/emulator-process.ts";
import { createTree, repositoryRoot } from "../../support/tree.ts";
import { blocksOf, pages, readPage, type Block } from "../../docs/documents.ts";

const SAMPLE_ID = "0b6f8f7e-3c1d-4c57-9a52-6f2b0d1c9e11";
const blocks = pages.flatMap(blocksOf);
const placeOf = ({ page, line }: Block): string => `${page}:${line}`;
const isShell = ({ info }: Block): boolean => info[0] === "sh" || info[0] === "bash";

/** A place as the reader of a page has it: this repository's dist/ and examples/, and what the page talks of. */
function readersFolder(): string {
  const mapping = blocksOf("docs/evals/experiments.md").find(
    ({ info }) => info[1] === "mapping",
  )!.text;
  const tree = createTree({ "my-agent/langgraph.json": "{}" });
  const path = join(tree.path, "agent-deploy");
  const files = {
    "mapping.yml": mapping,
    "results.csv":
      "Question,Wanted,Answer,Correct,Why,Seconds\nCapital of France?,Paris,Paris,1,right,0.7\nCapital of Peru?,Lima,Quito,0,wrong,0.9\nCapital of Italy?,Rome,Rome,1,right,0.4\n",
    "agent-deploy.yml": readPage("examples/agent-deploy.yml").replace("./", ""),
  };
  for (const [name, text] of Object.entries(files)) tree.write(`agent-deploy/${name}`, text);
  symlinkSync(join(repositoryRoot, "dist"), join(path, "dist"));
  cpSync(join(repositoryRoot, "examples"), join(path, "examples"), { recursive: true });
  return path;
}

/** Commands that are not ours; each is run elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "npm ci && npm test": ".ci/run installs and runs the tests",
  "git clone --depth 1 --branch v0.1.0 https://github.com/your-org/agent-deploy && cd agent-deploy":
    "the tests run in a clone",
  "npm ci && npm run generate && npm run build && git add -A dist schema docs contributing action.yml":
    ".ci/run generates and builds, with --check",
};

/** The commands of a guide follow its workflow; guides.test.ts runs them there. */
const ofGuide = ({ page }: Block): boolean => page.startsWith("docs/guides/");

describe("commands in README and docs", () => {
  test.each(
    blocks
      .filter((block) => isShell(block) && !ofGuide(block))
      .map((block) => [placeOf(block), block] as const),
  )("%s runs as written", async (_, block) => {
    const commands = block.text
      .trim()
      .split("\n")
      .filter((line) => !line.startsWith("#") && ELSEWHERE[line] === undefined);
    const serving = commands.filter((line) => /\bemulator\b/.test(line));
    for (const line of serving) {
      const child = startCli(
        line
          .replace(/^.*?emulator/, "emulator")
          .replace(/--port \d+/, "--port 0")
          .replace(/ &$/, "")
          .split(/\s+/),
        { workspace: { ...createTree(), path: readersFolder() } },
      );
      await child.until(/^http:\/\/127\.0\.0\.1:\d+/m);
      child.process.kill("SIGTERM");
      expect((await child.done).code).toBe(0);
    }
    const rest = commands
      .filter((line) => !serving.includes(line))
      .map((line) => line.replace(/http:\/\/127\.0\.0\.1:4010/, "$URL"));
    if (rest.length === 0) return;
    const emulator = await startTestEmulator();
    emulator.emulator.seed({
      deployments: [
        {
          id: SAMPLE_ID,
          name: "sample",
          source: "external_container",
          source_config: {},
          source_revision_config: {
            image_uri: `registry.example.com/a@sha256:${"a".repeat(64)}`,
          },
          secrets: [],
        },
      ],
    });
    const workspace = readersFolder();
    const script = `set -e\nagent-deploy() { node dist/cli.js "$@"; }\n${rest.join("\n")}\n`;
    const done = await startChild("bash", ["-c", script], {
      cwd: workspace,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: workspace,
        ...emulator.env,
        URL: emulator.url,
      },
    }).done;
    expect({ code: done.code, said: done.stdout + done.stderr }).toEqual({
      code: 0,
      said: done.stdout + done.stderr,
    });
  });
});
