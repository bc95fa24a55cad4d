import { expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree } from "../support/tree.ts";

/** Two keys under names that do not look secret, and one written into the spec. */
const KEYS = {
  NPM: "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
  INDEX: "glpat-8sJk2LmQ4xZ9vB7nRt3W",
} as const;
const LITERAL = "lsv2_pt_0f3c9ab1d24e4b7f8a6c5d4e3f2a1b0c_1234567890";
const HIDDEN = [...Object.values(KEYS), LITERAL];

const BUILT = `name: built
source: repohost
source_config:
  repo_url: https://github.com/acme/a
  deployment_type: prod
  build_on_push: false
  install_command: "npm config set //npm.pkg.github.com/:_authToken=\${NPM} && npm ci"
  build_command: "pip install --index-url=\${INDEX} -r requirements.txt"
source_revision_config: { repo_ref: main, graph_config_path: langgraph.json }
deploy: { verify: "curl -H token:${LITERAL} https://agent.example.com" }
`;
const CONTAINED = `name: contained
source: external_container
source_config:
  resource_spec:
    sidecars:
      - { name: proxy, image: "r.example.com/p@sha256:${"a".repeat(64)}", command: [sh, -c], args: ["run --token \${NPM}"] }
source_revision_config: { image_uri: "r.example.com/a@sha256:${"a".repeat(64)}" }
`;

function expectHidden(texts: readonly string[]): void {
  for (const key of HIDDEN) for (const text of texts) expect(text).not.toContain(key);
}

test.each([BUILT, CONTAINED])("keys in a spec's command lines are not shown", async (spec) => {
  const { env: service } = await startTestEmulator();
  const workspace = createTree({ "s.yml": spec });
  const env = { ...service, ...KEYS };
  const mayLeak = "what is printed is judged here";
  const files = ["--markdown-file", "plan.md", "--report-file", "plan.json"];
  const plan = await runCli(["plan", "s.yml", ...files], { workspace, env, mayLeak });
  const render = await runCli(["render", "s.yml"], { workspace, env, mayLeak });
  expect([plan.code, render.code]).toEqual([0, 0]);
  expect(plan.stdout + render.stdout).toMatch(/npm ci|--token|sh/);
  const written = [workspace.read("plan.md"), workspace.read("plan.json")];
  expectHidden([plan.stdout, plan.stderr, render.stdout, render.stderr, ...written]);
});
