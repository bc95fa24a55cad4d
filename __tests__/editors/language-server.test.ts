import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startLanguageServer, type LanguageServer } from "../support/language-server.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";

const MODELINE = "# yaml-language-server: $schema=./schema/agent-deploy.schema.json";
const readRepository = (path: string): string => readFileSync(join(repositoryRoot, path), "utf8");
/** Lines as a file; the line numbers of the tests below count from the first. */
const file = (...lines: string[]): string => `${lines.join("\n")}\n`;

let server: LanguageServer;
beforeAll(async () => {
  const tree = createTree(
    Object.fromEntries(
      ["schema/agent-deploy.schema.json", "schema/gate.schema.json"].map((path) => [
        path,
        readRepository(path),
      ]),
    ),
  );
  server = await startLanguageServer(tree.path);
});
afterAll(() => server.close());

describe("a spec in an editor", () => {
  test("shows unknown keys, wrong types and wrong words, each at its exact position", async () => {
    expect(
      await server.open(
        "wrong.yml",
        file(
          MODELINE,
          "name: support-agent",
          "source: githup",
          "source_config:",
          "  build_on_pus: false",
          '  build_on_push: "yes"',
          "  deployment_type: production",
          "  resource_spec: { cpu: lots, max_scale: 1.5 }",
          "secrets:",
          "  - OPENAI_API_KEY",
          "  - { name: DB_URL, valeu: x }",
          "deploy:",
          "  on_failure: retry",
          "  timeout: 30",
          "status: READY",
        ),
      ),
    ).toEqual([
      '3:9-3:15 Value is not accepted. Valid values: "repohost", "github", "external_container", "external_docker", "internal_docker", "internal_source", "internal_template".',
      "5:3-5:15 Property build_on_pus is not allowed.",
      "6:18-6:23 Incorrect type. Expected one of boolean, null.",
      "8:25-8:29 Incorrect type. Expected one of number, null.",
      "8:42-8:45 Incorrect type. Expected one of integer, null.",
      "11:21-11:26 Property valeu is not allowed.",
      '13:15-13:20 Value is not accepted. Valid values: "none", "rollback".',
      "14:12-14:14 Incorrect type. Expected one of string, null.",
      "15:1-15:7 Property status is not allowed.",
    ]);
  });

  test("shows no errors for references to the environment, null, or the words of the other spelling", async () => {
    expect(
      await server.open(
        "right.yml",
        file(
          MODELINE,
          "name: agent-${PR}",
          "source: github",
          "source_config:",
          "  integration_id: ${INTEGRATION_ID:-}",
          "  build_on_push: ${ON_PUSH}",
          '  deployment_type: "${TYPE:?say dev or prod}"',
          "source_revision_config: { repo_ref: main, langgraph_config_path: langgraph.json }",
          'secrets: [OPENAI_API_KEY, { name: DB_URL, value: "${DB_URL:-}" }]',
          "---",
          MODELINE,
          "name: search",
          "source: external_container",
          "source_config:",
          "  custom_url: null",
          '  resource_spec: { min_scale: "${MIN}", cpu: "${CPU:-0.5}", labels: { team: search } }',
          'source_revision_config: { image_uri: "${IMAGE}" }',
          'deploy: { paths: ["agents/**"], timeout: 45m, on_failure: rollback }',
        ),
      ),
    ).toEqual([]);
  });

  test("is checked in the second document too, if that has the modeline as well", async () => {
    const documents = [
      "name: one\nsource: github\nzebra: 1",
      "name: two\nsource: external_docker\nsource_config: { resource_spec: { cpu: lots } }",
    ];
    expect(
      await server.open("two.yml", file(MODELINE, documents[0]!, "---", MODELINE, documents[1]!)),
    ).toEqual([
      "4:1-4:6 Property zebra is not allowed.",
      "9:40-9:44 Incorrect type. Expected one of number, null.",
    ]);
    // Why `init` and `export` repeat the line.
    expect(
      await server.open("one.yml", file(MODELINE, documents[0]!, "---", documents[1]!)),
    ).toEqual(["4:1-4:6 Property zebra is not allowed."]);
  });

  test("gets completions of the missing keys, with what each means and what changing it does", async () => {
    await server.open(
      "complete.yml",
      file(
        MODELINE,
        "name: a",
        "source: github",
        "source_config:",
        "  repo_url: https://git.example.com/a",
        "  ",
        "deploy:",
        "  on_failure: ",
      ),
    );
    const keys = await server.complete("complete.yml", 6, 3);
    expect(keys.map(({ label }) => label)).toEqual([
      "integration_id",
      "deployment_type",
      "build_on_push",
      "custom_url",
      "resource_spec",
      "listener_id",
      "listener_config",
      "template_id",
      "install_command",
      "build_command",
    ]);
    expect(keys.find(({ label }) => label === "resource_spec")!.documentation).toBe(
      "Replicas, CPU, memory, containers; replaced whole by the service. Only for source external_container / external_docker. A change makes a new revision.",
    );
    expect((await server.complete("complete.yml", 8, 15)).map(({ label }) => label)).toEqual(
      expect.arrayContaining(["none", "rollback"]),
    );
    expect((await server.complete("complete.yml", 3, 9)).map(({ label }) => label)).toEqual([
      "repohost",
      "github",
      "external_container",
      "external_docker",
      "internal_docker",
      "internal_source",
      "internal_template",
    ]);
  });

  test("shows on hover what a key means, with an example, also if its value comes from the environment", async () => {
    await server.open(
      "hover.yml",
      file(
        MODELINE,
        "name: a",
        "source: github",
        "source_config:",
        "  repo_url: https://git.example.com/a",
        "  build_on_push: ${P}",
      ),
    );
    expect(await server.hover("hover.yml", 5, 5)).toMatch(
      /^#### agent-deploy spec\n\nGit repository URL\. Only for source repohost \/ github\. Cannot change after creation\.\n\nExample:\n\n```yaml\nhttps:\/\/git\.example\.com\/acme\/agents\n```/,
    );
    expect(await server.hover("hover.yml", 6, 5)).toMatch(
      /\n\nBuild a new revision when the branch in .* is pushed; never true for a tag\. .*\(Here from the environment\.\)\n/,
    );
  });

  test("shows no errors in the examples of this repository", async () => {
    for (const name of [
      "agent-deploy.yml",
      "specs/preview.yml",
      "specs/production.yml",
      "specs/staging.yml",
    ]) {
      const text = readRepository(`examples/${name}`).replace(
        /\$schema=\S+/g,
        "$schema=./schema/agent-deploy.schema.json",
      );
      expect([name, await server.open(`example-${name.replace("/", "-")}`, text)]).toEqual([
        name,
        [],
      ]);
      // And would be, in each of their documents.
      const documents = text.split(/^---$/m).length;
      expect([
        name,
        (
          await server.open(
            `broken-${name.replace("/", "-")}`,
            text.replace(/^source:.*$/gm, "source: no"),
          )
        ).map((told) => told.replace(/^.*? /, "")),
      ]).toEqual([
        name,
        Array(documents).fill(
          expect.stringMatching(/^Value is not accepted\. Valid values: "repohost", /),
        ),
      ]);
    }
  });
});

test("a gate file in an editor shows its unknown keys", async () => {
  expect(
    await server.open(
      "gates.yml",
      file(
        "# yaml-language-server: $schema=./schema/gate.schema.json",
        'gates: ["correctness >= 0.8"]',
        "direktion: {}",
      ),
    ),
  ).toEqual(["3:1-3:10 Property direktion is not allowed."]);
});
