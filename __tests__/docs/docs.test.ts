import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { load } from "js-yaml";
import { parseArguments } from "../../src/cli/arguments.ts";
import { parseGates } from "../../src/gate/language.ts";
import { runCli, startCli } from "../support/cli-run.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";
import { workflowProblems } from "../support/workflow-runner.ts";
import { blocksOf, pages, proseOf, readPage, toJob, type Block } from "./documents.ts";

const blocks = pages.flatMap(blocksOf);
const place = ({ page, line }: Block): string => `${page}:${line}`;
const isYaml = ({ info }: Block): boolean => info[0] === "yaml";

type Kind = "workflow" | "fragment" | "steps" | "gates" | "spec" | "mapping" | "scenario" | "other";

/** What a YAML block is: by a word of its fence, else by its keys. */
function kindOf(block: Block): Kind {
  const value = load(block.text.split("\n---\n")[0]!) as Record<string, unknown>;
  if (block.info[1] === "mapping" || block.page === "docs/evals/formats.md") return "mapping";
  if (block.info[1] === ".gitlab-ci.yml") return "other";
  if ("jobs" in value) return "workflow";
  if ("steps" in value) return "steps";
  if ("concurrency" in value) return "fragment";
  if ("gates" in value) return "gates";
  return "name" in value && "source" in value ? "spec" : "scenario";
}

async function problemsOfSpec(text: string): Promise<string> {
  const workspace = createTree({
    "agent-deploy.yml": text,
    "agents/support/langgraph.json": "{}",
  });
  const [, target] = /^ {2}targets:\n {4}(\w+):/m.exec(text) ?? [];
  const { code, stdout, stderr } = await runCli(
    ["validate", ...(target === undefined ? [] : ["--target", target])],
    {
      workspace,
      env: {
        PROD_DB_URL: "x",
        OPENAI_API_KEY: "x",
        INTEGRATION_ID: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
        IMAGE: `registry.example.com/acme/search@sha256:${"a".repeat(64)}`,
        DB_URL: "x",
        PR: "7",
        HEAD_REF: "topic",
        SEARCH_DB_URL: "x",
      },
    },
  );
  return code === 0 ? "" : stdout + stderr;
}

async function problemsOfWorkflow(text: string): Promise<string> {
  const workspace = createTree({ "w.yml": text });
  return (await workflowProblems(join(workspace.path, "w.yml"))).join("\n");
}

/** The emulator takes it, and serves. */
async function problemsOfScenario(text: string): Promise<string> {
  const child = startCli(["emulator", "--port", "0", "--scenario", "scenario.yml"], {
    workspace: createTree({ "scenario.yml": text }),
  });
  const started = await child.until(/^http:\/\/127\.0\.0\.1:\d+/m).then(
    () => "",
    (error: unknown) => String((error as { message?: unknown }).message),
  );
  child.process.kill("SIGTERM");
  await child.done;
  return started;
}

async function problemsOf(block: Block): Promise<string> {
  switch (kindOf(block)) {
    case "spec":
      return problemsOfSpec(block.text);
    case "workflow":
      return problemsOfWorkflow(block.text);
    case "fragment":
      return problemsOfWorkflow(
        `on: push\n${block.text}jobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: [{ run: "true" }]\n`,
      );
    case "steps":
      return problemsOfWorkflow(toJob(block.text));
    case "gates": {
      const parsed = parseGates({ text: block.text, file: "gate" });
      return parsed.state === "parsed" ? "" : JSON.stringify(parsed.problems);
    }
    case "scenario":
      return problemsOfScenario(block.text);
    case "mapping":
    case "other":
      return ""; // Used by the command that follows it, or run by guides.test.ts.
  }
}

describe("YAML in README and docs", () => {
  test.each(blocks.filter(isYaml).map((block) => [place(block), block] as const))(
    "%s is valid for its kind of file",
    async (_, block) => {
      expect(await problemsOf(block)).toBe("");
    },
  );

  test.each([
    ...readdirSync(join(repositoryRoot, "examples/specs")).map((name) => `examples/specs/${name}`),
    "examples/agent-deploy.yml",
  ])("%s is a valid spec", async (path) => {
    expect(await problemsOfSpec(readPage(path))).toBe("");
  });

  test("docs/evals/gates.md fits on two screens of a hundred columns and fifty lines", () => {
    const lines = readFileSync(join(repositoryRoot, "docs/evals/gates.md"), "utf8")
      .trimEnd()
      .split("\n");
    const shown = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 100)), 0);
    expect(shown).toBeLessThanOrEqual(100);
  });

  test("the gate lines of docs/evals/gates.md, and the example's gate file, parse as gates", () => {
    const lines = blocksOf("docs/evals/gates.md").find(({ info }) => info.length === 0)!.text;
    for (const text of [lines, readPage("examples/evals/gates.yml")])
      expect(parseGates({ text, file: "gate" })).toMatchObject({ state: "parsed" });
  });

  test("the README's first workflow and spec are the ones that the tests run", () => {
    const [workflow, spec] = blocksOf("README.md").filter(isYaml);
    expect(workflow!.text).toBe(readPage("examples/workflows/deploy.yml"));
    expect(spec!.text).toBe(readPage("examples/specs/first.yml"));
  });
});

describe("commands in README and docs", () => {
  test("every command in a sentence or a table parses", () => {
    const inline = pages.flatMap((page) =>
      [...proseOf(page).matchAll(/`agent-deploy ([^`…<]+)`/g)].map(
        ([, text]) => `${page}: ${text!}`,
      ),
    );
    const wrong = inline.flatMap((entry) => {
      const words = entry.replace(/^[^:]+: /, "").split(/\s+/);
      return parseArguments(words).problems.map(({ message }) => `${entry}: ${message}`);
    });
    expect(inline.length).toBeGreaterThan(3);
    expect(wrong).toEqual([]);
  });
});

describe("pages", () => {
  test("links and pictures point to existing files", () => {
    const broken = pages
      .flatMap((page) =>
        [...proseOf(page).matchAll(/(?:\]\(|src=")(?!https?:|#|mailto:)([^)#"\s]+)/g)].map(
          ([, path]) => ({ page, path: path! }),
        ),
      )
      .filter(({ page, path }) => !existsSync(join(repositoryRoot, dirname(page), path)));
    expect(broken).toEqual([]);
  });

  test("the program prints every message of the troubleshooting page", () => {
    const sources = readdirSync(join(repositoryRoot, "src"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => readFileSync(join(repositoryRoot, "src", path), "utf8"));
    // Sentences are often joined over lines, and hold values: both read as they are printed.
    const printed = sources
      .join("\n")
      .replace(/["`] \+\s*["`]/g, "")
      .replace(/\$\{[^}]*\}/g, "…");
    const headings = [
      ...readPage("docs/troubleshooting.md")
        .split("\n## Questions")[0]!
        .matchAll(/^\*\*(.*?)\*\* —|^\*\*(.*)\*\*,? /gm),
    ].flatMap(([, one, other]) =>
      [...(one ?? other ?? "").matchAll(/`([^`]+)`/g)].map(([, text]) => text!),
    );
    const missing = headings
      .flatMap((text) => text.split("…").map((part) => part.trim()))
      .filter((part) => part !== "" && !/^\d+$/.test(part) && !printed.includes(part));
    expect(headings.length).toBeGreaterThan(30);
    expect(missing).toEqual([]);
  });

  test("no page names an input that does not exist", () => {
    const table = ["basic inputs", "inputs"]
      .map((name) => readPage("docs/reference/inputs.md").split(`<!-- generated: ${name} -->`)[1]!)
      .map((text) => text.split("<!-- end generated -->")[0]!)
      .join("\n");
    const known = new Set([...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name));
    const named = pages.flatMap((page) =>
      [
        ...proseOf(page).matchAll(
          /`((?:on|fail|expect|gate|write|secrets|experiment|dataset|comment|poll|previous|control-plane)-[\w-]+)(?::[^`]*)?`/g,
        ),
      ].map(([, name]) => `${page}: ${name!}`),
    );
    const fine = new Set([
      "gate-verdict",
      "experiment-id",
      "experiment-url",
      "dataset-id",
      "comment-url",
    ]);
    expect(
      named.filter((entry) => {
        const name = entry.split(": ")[1]!;
        return !known.has(name) && !fine.has(name);
      }),
    ).toEqual([]);
  });
});
