import { chmodSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { startChild } from "../support/child.ts";
import { startTestEmulator, type TestEmulator } from "../support/emulator-process.ts";
import { createTree, repositoryRoot, type Tree } from "../support/tree.ts";
import {
  runWorkflow,
  type WorkflowRequest,
  type WorkflowResult,
} from "../support/workflow-runner.ts";
import { blocksOf, type Block } from "./documents.ts";

/** A guide as its reader follows it: its files in a checkout, its commands, and everything printed. */
export interface Guide {
  readonly emulator: TestEmulator;
  readonly workspace: Tree;
  readonly blocks: readonly Block[];
  /** Runs a workflow of the page, and adds its log to `printed`. */
  readonly run: (
    file: string,
    event?: WorkflowRequest["event"],
    more?: Partial<WorkflowRequest>,
  ) => Promise<WorkflowResult>;
  /** Runs the commands of the page's nth `sh` block; resolves with the exit code. */
  readonly shell: (nth?: number, env?: Readonly<Record<string, string>>) => Promise<number>;
  /** The same for any commands. */
  readonly script: (text: string, env?: Readonly<Record<string, string>>) => Promise<number>;
  /** What everything printed so far. */
  readonly printed: () => string;
}

/** Values of the secrets that the guides name, as a repository would hold them. */
export const GUIDE_SECRETS: Readonly<Record<string, string>> = {
  AGENT_DEPLOY_API_KEY: "test-key",
  OPENAI_API_KEY: "sk-guide-value-1",
  DB_URL: "postgres://db.example.com/agents",
};

const isShell = ({ info }: Block): boolean => info[0] === "sh";

/** Puts the named files of a page into a new checkout, next to an emulator of its own. */
export async function openGuide(
  page: string,
  options: Parameters<typeof startTestEmulator>[0] = {},
): Promise<Guide> {
  const emulator = await startTestEmulator(options);
  const blocks = blocksOf(page);
  const files = blocks.filter(({ info }) => info[0] !== "text" && /[./]/.test(info[1] ?? ""));
  const workspace = createTree(Object.fromEntries(files.map(({ info, text }) => [info[1]!, text])));
  const logs: string[] = [];
  const { "api-key": _, ...address } = emulator.inputs;
  const script: Guide["script"] = async (text, env = {}) => {
    const cli = `#!/usr/bin/env bash\nexec node ${join(repositoryRoot, "dist/cli.js")} "$@"\n`;
    chmodSync(workspace.write(".bin/agent-deploy", cli), 0o755);
    const done = await startChild("bash", ["-e", "-c", text], {
      cwd: workspace.path,
      env: {
        HOME: createTree().path,
        ...GUIDE_SECRETS,
        ...emulator.env,
        ...env,
        PATH: `${join(workspace.path, ".bin")}:${process.env["PATH"] ?? ""}`,
      },
    }).done;
    logs.push(done.stdout, done.stderr);
    return done.code ?? -1;
  };
  return {
    emulator,
    workspace,
    blocks,
    printed: () => logs.join("\n"),
    run: async (file, event = { name: "push" }, more = {}) => {
      const result = await runWorkflow({
        file: join(workspace.path, file),
        workspace,
        event,
        secrets: GUIDE_SECRETS,
        inputs: address,
        ...more,
      });
      logs.push(...result.jobs.flatMap(({ steps }) => steps.map(({ log }) => log)));
      return result;
    },
    script,
    shell: (nth = 0, env = {}) => script(blocks.filter(isShell)[nth]!.text, env),
  };
}

/** A deployment's secrets as the emulator holds them. */
export async function liveDeployments(
  emulator: TestEmulator,
): Promise<{ id: string; name: string; secrets: { name: string; value: string }[] }[]> {
  const reply = await fetch(`${emulator.url}/v2/deployments`, {
    headers: { "x-api-key": "test-key" },
  });
  return ((await reply.json()) as { resources: never[] }).resources;
}

/** The lines of a page's `text output` blocks that were not printed; `…` is any text. */
export function linesNotPrinted({ blocks, printed }: Guide): string[] {
  const said = stripVTControlCharacters(printed());
  const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const toPattern = (line: string): RegExp =>
    new RegExp(escaped(line.trim()).replace(/ +/g, " +").replaceAll("…", "[^\\n]*"));
  return blocks
    .filter(({ info }) => info[0] === "text" && info[1] === "output")
    .flatMap(({ text }) => text.trim().split("\n"))
    .filter((line) => line.trim() !== "" && !toPattern(line).test(said));
}
