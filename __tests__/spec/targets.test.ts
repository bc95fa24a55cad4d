import { describe, expect, test } from "@jest/globals";
import type { Desired } from "../../src/spec/desired.ts";
import { parseSpec, type ParsedSpec } from "../../src/spec/spec.ts";
import { toProblemLine } from "../../src/report/report.ts";
import type { TargetChoice } from "../../src/spec/targets.ts";
import { BASE, IMAGE, WRONG_OVERLAYS } from "./wrong-overlays.ts";

const ENV = { OPENAI_API_KEY: "x-key-1" };
const PATH = "a.yml";

function parse(text: string, targets: TargetChoice = { target: "staging" }): ParsedSpec {
  return parseSpec({ files: [{ path: PATH, text }], env: ENV, mode: "apply", targets });
}

/** That a secret is in the spec itself is not what these are about. */
const isTold = (problem: string): boolean => !problem.includes("value is written in the spec");

/** The one document of a text, as a target has it; the text has to be fine. */
function resolve(text: string, targets?: TargetChoice): Desired {
  const { documents, problems } = parse(text, targets);
  expect(problems.map(toProblemLine).filter(isTold)).toEqual([]);
  expect(documents).toHaveLength(1);
  return documents[0]!;
}

const staging = (lines: string): string =>
  `deploy:\n  targets:\n    staging:\n${lines.replaceAll(/^/gm, "      ")}\n`;

describe("a wrong overlay is reported at its own line", () => {
  test("in at least forty cases", () => {
    expect(WRONG_OVERLAYS.length).toBeGreaterThanOrEqual(40);
  });

  test.each(WRONG_OVERLAYS.map((one) => [one.name, one] as const))("%s", (_, one) => {
    const { base = BASE, overlay, targets = { target: "staging" }, mode = "apply" } = one;
    const { problems } = parseSpec({
      files: [{ path: PATH, text: base + overlay }],
      env: ENV,
      mode,
      targets,
      interpolate: one.interpolate ?? true,
    });
    const told = problems.map((problem) => toProblemLine(problem).slice(PATH.length + 1));
    expect(told.filter(isTold)).toEqual(one.problems);
  });
});

test("targets with the same name cause a warning, since each may have its own workspace's key", () => {
  const text = `${BASE}deploy:\n  targets:\n    staging: {}\n    production: { variables: { LEVEL: info } }\n`;
  const { documents, problems } = parse(text, { target: "production" });
  expect(documents).toMatchObject([{ target: { name: "production" } }]);
  expect(problems.filter((one) => isTold(toProblemLine(one)))).toMatchObject([
    { level: "warning", path: "deploy.targets.production.name" },
  ]);
});

describe("a target", () => {
  test("merges mappings by key, replaces scalars, and keeps the rest", () => {
    const { name, body, target } = resolve(
      BASE + staging("name: b\nsource_config: { deployment_type: dev }"),
    );
    expect([name, target?.name]).toEqual(["b", "staging"]);
    expect(body["source_config"]).toEqual({
      repo_url: "https://git.example.com/acme/agents",
      deployment_type: "dev",
      build_on_push: false,
    });
    expect(body["source_revision_config"]).toEqual({
      repo_ref: "main",
      graph_config_path: "graph.json",
    });
  });

  test("can require a secret that is optional in the document", () => {
    const text =
      BASE.replace(/^secrets: .*\n/mu, "") +
      "secrets: [{ name: OPENAI_API_KEY, optional: true }, { name: DSN, optional: true }]\n" +
      staging("secrets: [{ name: OPENAI_API_KEY, optional: false }]");
    expect(resolve(text).body["secrets"]).toEqual([
      { name: "OPENAI_API_KEY", value: ENV.OPENAI_API_KEY },
      { name: "MODE", value: "fast" },
    ]);
    const required = parse(text.replace("DSN, optional: true", "DSN, optional: no-word"));
    expect(required.problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringMatching(/^secrets\.1\.name: the environment variable DSN is not set/u),
      "secrets.1.optional: takes true or false, got a text; write true or false",
    ]);
  });

  test("merges a list that is matched by name, in the document's order", () => {
    const { body } = resolve(
      BASE +
        staging("name: b\nsecrets: [{ name: NEW, value: n }, { name: LOG_LEVEL, value: debug }]"),
    );
    expect(body["secrets"]).toEqual([
      { name: "OPENAI_API_KEY", value: "x-key-1" },
      { name: "LOG_LEVEL", value: "debug" },
      { name: "NEW", value: "n" },
      { name: "MODE", value: "fast" },
    ]);
  });

  test("takes a short form's value from the environment", () => {
    const base = BASE.replace("OPENAI_API_KEY,", "{ name: OPENAI_API_KEY, value: literal },");
    const { body } = resolve(base + staging("name: b\nsecrets: [OPENAI_API_KEY]"));
    expect(body["secrets"]).toContainEqual({ name: "OPENAI_API_KEY", value: "x-key-1" });
  });

  test("replaces a complete list with `replace: [secrets]`", () => {
    const { body } = resolve(
      BASE + staging("name: b\nreplace: [secrets]\nsecrets: [{ name: ONE, value: o }]"),
    );
    expect(body["secrets"]).toEqual([
      { name: "ONE", value: "o" },
      { name: "MODE", value: "fast" },
    ]);
  });

  test("supports `replace` at any depth, and within an item", () => {
    const image = `r.example.com/q@sha256:${"b".repeat(64)}`;
    const { body } = resolve(
      IMAGE +
        staging(
          `source_config: { resource_spec: { replace: [sidecars], sidecars: [{ name: other, image: "${image}" }] } }`,
        ),
    );
    expect((body as any).source_config.resource_spec.sidecars).toEqual([{ name: "other", image }]);
  });

  test("replaces other lists", () => {
    const base = BASE.replace("secrets:", "deploy: { paths: [a/**, b/**] }\nsecrets:");
    const text = base.replace(
      "deploy: { paths: [a/**, b/**] }",
      "deploy: { paths: [a/**, b/**], targets: { staging: { name: b, deploy: { paths: [c/**] } } } }",
    );
    expect(resolve(text).deploy.paths).toEqual(["c/**"]);
  });

  test("removes a key with null at any depth, which is then unmanaged and never cleared", () => {
    const { body } = resolve(
      IMAGE +
        staging(
          "source_config: { custom_url: null, resource_spec: { labels: { team: null }, cpu: null } }\nsecrets: null",
        ),
    );
    expect(body["source_config"]).toEqual({
      resource_spec: {
        volumes: [{ name: "data", emptyDir: {} }],
        sidecars: [{ name: "proxy", image: `r.example.com/p@sha256:${"a".repeat(64)}` }],
        labels: {},
      },
    });
    expect(Object.keys(body)).not.toContain("secrets");
  });

  test("ignores null over a missing key", () => {
    const { body } = resolve(BASE + staging("name: b\nsource_config: { install_command: null }"));
    expect(Object.keys(body["source_config"] as object)).not.toContain("install_command");
  });

  test("uses the document's own spelling", () => {
    const hosted = BASE.replace("repohost", "github").replace(
      "graph_config_path",
      "langgraph_config_path",
    );
    const { body } = resolve(
      hosted + staging("name: b\nsource_revision_config: { langgraph_config_path: b.json }"),
    );
    expect(body["source_revision_config"]).toEqual({
      repo_ref: "main",
      graph_config_path: "b.json",
    });
  });

  test("may have an anchor under an x- key", () => {
    const { body } = resolve(
      BASE + staging("x-level: &level debug\nname: b\nvariables: { LEVEL: *level }"),
    );
    expect(body["secrets"]).toContainEqual({ name: "LEVEL", value: "debug" });
  });

  test("without a body changes nothing", () => {
    expect(resolve(`${BASE}deploy:\n  targets:\n    staging:\n`).name).toBe("support-agent");
  });

  test("has values of its place, which are not sent", () => {
    const { target, body } = resolve(
      BASE + staging("name: b\nregion: eu\ntenant_id: t-1\ncontrol_plane_url: http://127.0.0.1:9"),
    );
    expect(target?.values).toEqual({
      region: "eu",
      tenant_id: "t-1",
      control_plane_url: "http://127.0.0.1:9",
    });
    expect(Object.keys(body)).not.toContain("region");
  });

  test("gets problems of the merged document reported at its own lines", () => {
    const { problems } = parse(
      IMAGE + staging("source_config: { resource_spec: { min_scale: 4, max_scale: 2 } }"),
    );
    expect(problems.map(({ line }) => line)).toEqual([16]);
  });
});

describe("choosing a target", () => {
  const TWO = `${BASE}deploy:\n  targets:\n    staging: { name: s }\n    production: { name: p }\n`;

  test("uses target, or else environment if it names one", () => {
    expect(resolve(TWO, { target: "production", environment: "staging" }).name).toBe("p");
    expect(resolve(TWO, { environment: "staging" }).name).toBe("s");
  });

  test("does not affect a document without targets", () => {
    const plain = BASE.replace("support-agent", "plain");
    const { documents, problems } = parse(`${TWO}---\n${plain}`);
    expect(problems).toEqual([]);
    expect(documents.map(({ name }) => name)).toEqual(["s", "plain"]);
  });

  test("is not needed by validate, which checks all targets and reports a shared problem once", () => {
    const wrong = TWO.replace("deployment_type: prod", "deployment_type: production");
    const { problems } = parse(wrong, { all: true });
    expect(problems.map(({ line, path }) => [line, path])).toEqual([
      [3, "source_config.deployment_type"],
    ]);
    expect(parse(TWO, { all: true }).documents.map(({ name }) => name)).toEqual(["s", "p"]);
  });

  test("that a document lacks is refused by validate as by plan", () => {
    const other = TWO.replace("name: p", "name: other").replace("    staging: { name: s }\n", "");
    const choice = { target: "staging" };
    const wanted = ["the document has no target staging; it has production"];
    for (const all of [true, false]) {
      const { problems } = parse(`${TWO}---\n${other}`, { ...choice, all });
      expect(problems.map(({ message }) => message)).toEqual(wanted);
    }
  });

  test("allows two targets with the same name in different places", () => {
    const two = `${BASE}deploy:\n  targets:\n    staging: { region: eu }\n    production: { region: us }\n`;
    expect(parse(two, { all: true }).problems).toEqual([]);
  });
});

describe("variables", () => {
  test("are in the list of secrets, with numbers and booleans as they are written", () => {
    const { body, variables } = resolve(
      BASE.replace("{ MODE: fast }", "{ RATE: 1.10, ON: true, HEX: 0x1F, WORD: yes }"),
      {},
    );
    expect(body["secrets"]).toEqual([
      { name: "OPENAI_API_KEY", value: "x-key-1" },
      { name: "LOG_LEVEL", value: "warning" },
      { name: "RATE", value: "1.10" },
      { name: "ON", value: "true" },
      { name: "HEX", value: "0x1F" },
      { name: "WORD", value: "yes" },
    ]);
    expect([...variables!]).toEqual(["RATE", "ON", "HEX", "WORD"]);
  });

  test("without secrets keep live entries that the spec does not name", () => {
    const without = BASE.split("\n")
      .filter((line) => !line.startsWith("secrets:"))
      .join("\n");
    expect(resolve(without, {}).deploy.secrets).toBe("merge");
    expect(resolve(BASE, {}).deploy.secrets).toBe("replace");
  });

  test.each([
    ["sk-abc123", true],
    ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", true],
    ["postgres://user:hunter2@db/x", true],
    ["4f8a1c9b3e7d2a6f5c0b8e1d9a7c3f2b", true],
    ["info", false],
    ["https://db.example.com/path", false],
    ["0b6f8f7e-3c1d-4c57-9a52-6f2b0d1c9e11", false],
    ["us-central1-docker-registry-production-2024", false],
    ["2026-11-21", false],
    ["gpt-4o-mini-2024-07-18-preview", false],
  ])("warn if a value looks like a key: %s %s", (value, keyLike) => {
    const { problems, sensitiveValues } = parse(BASE.replace("fast", JSON.stringify(value)), {});
    expect(problems.map(({ path, level }) => [path, level])).toEqual(
      keyLike ? [["variables.MODE", "warning"]] : [],
    );
    expect(sensitiveValues.includes(value)).toBe(keyLike);
  });

  test("with an invalid name are an error at the variable", () => {
    const { problems } = parse(BASE.replace("MODE", "MO-DE"), {});
    expect(problems.map(({ line, column, path }) => [line, column, path])).toEqual([
      [6, 14, "variables.MO-DE"],
    ]);
  });
});
