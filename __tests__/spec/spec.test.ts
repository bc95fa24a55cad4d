import { describe, expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { parseSpec, type ParsedSpec, type ParseSpecOptions } from "../../src/spec/spec.ts";
import { toProblemLine } from "../../src/report/report.ts";

function parse(text: string, options: Partial<ParseSpecOptions> = {}): ParsedSpec {
  return parseSpec({
    files: [{ path: "agent-deploy.yml", text }],
    env: {},
    mode: "apply",
    ...options,
  });
}
const lines = (spec: ParsedSpec): string[] => spec.problems.map(toProblemLine);

const EXAMPLE = `name: support-agent
source: repohost
source_config:
  integration_id: \${INTEGRATION_ID}
  repo_url: https://bot:t0ps%21cret@git.example.com/acme/agents
  deployment_type: prod
  build_on_push: false
source_revision_config:
  repo_ref: main
  graph_config_path: graphs/support.json
secrets:
  - OPENAI_API_KEY
  - { name: DB_URL, value: "postgres://\${DB_PASSWORD}@db" }
deploy:
  id: 0b6f2f0e-0000-4000-8000-000000000001
  secrets: merge
  resource_spec: replace
  paths: ["agents/support/**"]
  timeout: 90s
  on_failure: rollback
  verify: npm run smoke
`;
const ENV = {
  INTEGRATION_ID: "0b6f2f0e-0000-4000-8000-000000000002",
  OPENAI_API_KEY: "sk-1",
  DB_PASSWORD: "hunter22",
};

test("a complete document becomes the desired state, with the deploy block separate", () => {
  const { documents, problems } = parse(EXAMPLE, { env: ENV });
  expect(problems).toEqual([]);
  expect(documents).toHaveLength(1);
  const { positionOf, unknown, fromEnvironment, ...rest } = documents[0]!;
  expect([...fromEnvironment.keys()]).toEqual(["INTEGRATION_ID", "OPENAI_API_KEY", "DB_PASSWORD"]);
  expect(unknown.size).toBe(0);
  expect(rest).toEqual({
    name: "support-agent",
    source: "repohost",
    dialect: "document",
    body: {
      name: "support-agent",
      source: "repohost",
      source_config: {
        integration_id: ENV.INTEGRATION_ID,
        repo_url: "https://bot:t0ps%21cret@git.example.com/acme/agents",
        deployment_type: "prod",
        build_on_push: false,
      },
      source_revision_config: { repo_ref: "main", graph_config_path: "graphs/support.json" },
      secrets: [
        { name: "OPENAI_API_KEY", value: "sk-1" },
        { name: "DB_URL", value: "postgres://hunter22@db" },
      ],
    },
    deploy: {
      id: "0b6f2f0e-0000-4000-8000-000000000001",
      secrets: "merge",
      resource_spec: "replace",
      paths: ["agents/support/**"],
      timeoutMs: 90_000,
      on_failure: "rollback",
      verify: "npm run smoke",
    },
  });
  expect(positionOf("source_revision_config.graph_config_path")).toEqual({
    file: "agent-deploy.yml",
    line: 10,
    column: 3,
  });
  expect(positionOf("source_revision_config.langgraph_config_path")).toMatchObject({ line: 10 });
  expect(positionOf("secrets.1.value")).toMatchObject({ line: 13, column: 21 });
  expect(positionOf("secrets.DB_URL")).toMatchObject({ line: 13, column: 5 });
  expect(positionOf("source_config.custom_url")).toMatchObject({ line: 3, column: 1 });
  expect(positionOf("nothing.at.all")).toMatchObject({ line: 1, column: 1 });
});

test("secrets, container variables and user info of URLs are reported for masking, even if the spec is invalid", () => {
  expect(parse(EXAMPLE, { env: ENV }).sensitiveValues).toEqual([
    "bot:t0ps%21cret",
    "t0ps%21cret",
    "t0ps!cret",
    "sk-1",
    "postgres://hunter22@db",
    "hunter22",
  ]);
  const sidecar =
    'name: a\nsource: external_container\nsource_config:\n  resource_spec:\n    sidecars:\n      - {name: x, image: y, env: [{name: A, value: "${A}"}]}\nzebra: 1\n';
  expect(parse(sidecar, { env: { A: "s3cr3t" } })).toMatchObject({
    documents: [],
    sensitiveValues: ["s3cr3t"],
  });
  expect(
    parse('name: a\nsource: repohost\nsource_config: {repo_url: "ssh://git@git.example.com/a"}\n')
      .sensitiveValues,
  ).toEqual([]);
});

test("a message never includes the value of a secret or of an environment variable", () => {
  const text =
    'name: a\nsource: repohost\nsource_config: {integration_id: "${ID}", build_on_push: "${ID}", deployment_type: "${ID}"}\nsecrets:\n  - {name: A, value: 123456789}\n  - {name: A, value: s3cr3t}\n  - {name: B, value: [s3cr3t]}\n';
  const spec = parse(text, { env: { ID: "s3cr3t" } });
  expect(spec.problems).toHaveLength(8);
  expect(lines(spec).join("\n")).not.toMatch(/s3cr3t|123456789/u);
});

test("a scalar that is one reference takes the type of its field", () => {
  const text =
    'name: a\nsource: external_container\nsource_config:\n  resource_spec: {min_scale: "${TWO}", db_cpu: "${HALF}", labels: {n: "${TWO}"}, volume_mounts: [{name: v, mountPath: /v, readOnly: "${YES}"}], volumes: [{name: v}]}\n';
  expect(
    parse(text, { env: { TWO: "2", HALF: "0.5", YES: "TRUE" } }).documents[0]!.body[
      "source_config"
    ],
  ).toEqual({
    resource_spec: {
      min_scale: 2,
      db_cpu: 0.5,
      labels: { n: "2" },
      volume_mounts: [{ name: "v", mountPath: "/v", readOnly: true }],
      volumes: [{ name: "v" }],
    },
  });
  expect(
    lines(
      parse(
        'name: a\nsource: external_container\nsource_config: {resource_spec: {min_scale: "1${ZERO}"}}\n',
        { env: { ZERO: "0" } },
      ),
    ),
  ).toEqual([
    "agent-deploy.yml:3:44: source_config.resource_spec.min_scale: takes a whole number, got another value from ${ZERO}; write a whole number",
  ]);
});

describe("without the environment", () => {
  const text =
    'name: a\nsource: repohost\nsource_config:\n  repo_url: https://${HOST}/x\n  build_on_push: ${PUSH}\nsecrets:\n  - TOKEN\n  - { name: B, value: "${B}" }\n';

  test.each(["plan", "validate"] as const)(
    "%s warns and marks the values as known at apply",
    (mode) => {
      const { documents, problems } = parse(text, { mode, env: { B: "" } });
      expect(problems.map(({ line, level, path }) => `${line} ${level} ${path}`)).toEqual([
        "4 warning source_config.repo_url",
        "5 warning source_config.build_on_push",
        "7 warning secrets.0",
        "8 warning secrets.1.value",
      ]);
      expect([...documents[0]!.unknown]).toEqual([
        "source_config.repo_url",
        "source_config.build_on_push",
        "secrets.0.value",
        "secrets.1.value",
      ]);
      expect(documents[0]!.body).toMatchObject({
        source_config: { repo_url: "(known after apply)", build_on_push: "(known after apply)" },
        secrets: [
          { name: "TOKEN", value: "(known after apply)" },
          { name: "B", value: "(known after apply)" },
        ],
      });
    },
  );

  test("apply reports all missing variables at once", () => {
    const { documents, problems } = parse(text);
    expect(documents).toEqual([]);
    expect(problems.map(({ line, level }) => `${line} ${level}`)).toEqual([
      "4 error",
      "5 error",
      "7 error",
      "8 error",
    ]);
  });

  test("the entries after an optional secret that is not set move up", () => {
    const { unknown, fromEnvironment, leftOut, positionOf } = parse(
      'name: a\nsource: repohost\nvariables: { V: "${V}" }\nsecrets:\n  - { name: O, optional: true }\n  - { name: "${P}", optional: true }\n  - S\n',
      { mode: "validate", env: { P: "Q" } },
    ).documents[0]!;
    expect([[...unknown], [...leftOut!]]).toEqual([
      ["secrets.0.value", "secrets.1.value"],
      ["O", "Q"],
    ]);
    expect([...fromEnvironment]).toEqual([
      ["V", ["secrets.1.value"]],
      ["P", []],
      ["S", ["secrets.0.value"]],
    ]);
    expect(["secrets.0", "secrets.1"].map((path) => positionOf(path).line)).toEqual([7, 3]);
  });

  test("the source must be known in every run", () => {
    expect(lines(parse("name: a\nsource: ${KIND}\n", { mode: "plan" }))[1]).toMatch(
      /^agent-deploy\.yml:2:9: source: decides what every other field means/u,
    );
  });

  test("rules skip values known only at apply", () => {
    const unset =
      'name: ${N}\nsource: external_container\nsource_config: {resource_spec: {min_scale: "${A}", max_scale: 1, cpu: "${A}", cpu_limit: 1, volumes: [{name: "${V}"}], volume_mounts: [{name: v, mountPath: /v}]}}\nsource_revision_config: {image_uri: "${I}"}\n';
    expect(
      parse(unset, { mode: "validate" })
        .problems.map((problem) => problem.message)
        .filter((message) => !/is not set/u.test(message)),
    ).toEqual([]);
  });
});

test("an untrusted run reads no variables, neither by reference nor by a secret's name", () => {
  const spec = parse("name: a\nsource: repohost\nsecrets:\n  - TOKEN\n", {
    mode: "validate",
    interpolate: false,
    env: { TOKEN: "t0ken" },
  });
  expect(spec.problems).toEqual([]);
  expect(spec.documents[0]!.body["secrets"]).toEqual([
    { name: "TOKEN", value: "(known after apply)" },
  ]);
  expect(JSON.stringify(spec)).not.toContain("t0ken");
  expect(
    lines(
      parse('name: a\nsource: repohost\ndeploy: {verify: "echo ${TOKEN}"}\n', {
        interpolate: false,
        mode: "validate",
      }),
    )[0],
  ).toMatch(/^agent-deploy\.yml:3:18: deploy\.verify: .*untrusted/u);
});

describe("files and documents", () => {
  test("empty documents do not count, and a spec with no others is an error", () => {
    expect(parse("---\n---\nname: a\nsource: repohost\n---\n# nothing\n").documents).toHaveLength(
      1,
    );
    expect(lines(parse("# nothing\n"))).toEqual([
      "agent-deploy.yml:1:1: the spec is empty; write a first one with agent-deploy init",
    ]);
    expect(lines(parseSpec({ files: [], env: {}, mode: "apply" }))).toHaveLength(1);
  });

  test("a name used in two files is reported in the second, with the place of the first", () => {
    const file = (path: string): { path: string; text: string } => ({
      path,
      text: "source: repohost\nname: same\n",
    });
    const spec = parseSpec({ files: [file("b.yml"), file("a.yml")], env: {}, mode: "apply" });
    expect(lines(spec)).toEqual([
      "a.yml:2:7: name: repeats the name of the document at b.yml:2:7; give each deployment its own name",
    ]);
  });

  test("a file that is not YAML does not hide the problems of other files", () => {
    const spec = parseSpec({
      files: [
        { path: "a.yml", text: "a: [" },
        { path: "b.yml", text: "name: b\n" },
      ],
      env: {},
      mode: "apply",
    });
    expect(lines(spec)).toEqual([
      expect.stringMatching(/^a\.yml:/u),
      expect.stringMatching(/^b\.yml:1:1: source: is required/u),
    ]);
  });

  test("a document that is not YAML does not hide earlier problems or cause errors about targets", () => {
    for (const end of ["\n", "\r\n"]) {
      const text =
        "name: a\nsource: githb\n---\nname: b\nsource: repohost\ndeploy: { targets: { prod: {} } }\n---\nname: 'c\n---\nname: d\n";
      const spec = parse(text.replaceAll("\n", end), { targets: { target: "staging" } });
      expect(lines(spec)).toEqual([
        expect.stringMatching(/^agent-deploy\.yml:2:9: source: .*did you mean github\?$/u),
        expect.stringMatching(/^agent-deploy\.yml:9:1: not valid YAML: /u),
      ]);
      expect(spec.documents).toEqual([]);
    }
  });

  test("a document that is not a mapping is an error with what to write", () => {
    expect(lines(parse("- x\n"))).toEqual([
      expect.stringMatching(
        /^agent-deploy\.yml:1:1: the document takes key: value pairs; write name:/u,
      ),
    ]);
  });
});

test("both spellings give the same canonical document, and the user's spelling is kept", () => {
  const document = parse(
    "name: a\nsource: repohost\nsource_revision_config: {graph_config_path: g, repo_ref: main}\n",
  ).documents[0]!;
  const hosted = parse(
    "name: a\nsource: github\nsource_revision_config: {langgraph_config_path: g, repo_ref: main}\n",
  ).documents[0]!;
  expect(hosted.body).toEqual(document.body);
  expect([document.dialect, hosted.dialect, hosted.source]).toEqual([
    "document",
    "hosted",
    "repohost",
  ]);
  expect(parse("name: a\nsource: internal_docker\nsecrets: []\n").documents[0]).toMatchObject({
    dialect: "hosted",
    source: "internal_docker",
  });
});

test("an unknown source is accepted with a warning, unless it looks like a typo", () => {
  const unknown = parse("name: a\nsource: moon_base\nsecrets: []\n");
  expect(unknown.documents[0]).toMatchObject({ dialect: "hosted", source: "moon_base" });
  expect(unknown.problems).toMatchObject([{ level: "warning", path: "source" }]);
  expect(lines(parse("name: a\nsource: githb\n"))).toEqual([
    expect.stringMatching(/:2:9: source: takes one of .*; did you mean github\?$/u),
  ]);
});

test("null is kept in a field that may be empty, and refused elsewhere", () => {
  expect(
    parse(
      "name: a\nsource: external_container\nsecrets:\nsource_config: ~\ndeploy: {timeout: null}\n",
    ).documents[0]!.body,
  ).toMatchObject({ secrets: null, source_config: null });
  expect(lines(parse("name:\nsource: null\n"))).toEqual([
    expect.stringMatching(/:1:1: name: must not be null/u),
    expect.stringMatching(/:2:9: source: must not be null/u),
  ]);
});

test("a document of an existing deployment may lack what a create needs", () => {
  const text = "name: a\nsource: repohost\nsource_config: {build_on_push: false}\n";
  expect(parse(text).problems).toHaveLength(1);
  expect(parse(text, { adopted: true }).problems).toEqual([]);
});

const value = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "a: b",
    "\n- x",
    "]",
    "}",
    '"',
    "'",
    "*a",
    "&a x",
    "<<: {}",
    "${X}",
    "$${X}",
    "null",
    "\nsource: github",
  ),
);

test("a value can never inject YAML", () => {
  fc.assert(
    fc.property(value, (text) => {
      const { documents } = parse(
        "name: a\nsource: repohost\nsource_config: {repo_url: r, install_command: \"${V:-}\", build_command: '<${V}>'}\nsecrets: [V]\n",
        { env: { V: text }, mode: "plan" },
      );
      expect(documents).toHaveLength(1);
      expect(Object.keys(documents[0]!.body)).toEqual([
        "name",
        "source",
        "source_config",
        "secrets",
      ]);
      expect(documents[0]!.body["source_config"]).toEqual({
        repo_url: "r",
        install_command: text,
        build_command: `<${text}>`,
      });
    }),
    { numRuns: 200 },
  );
});

test("no text makes the parser throw, and every problem has a place and a sentence", () => {
  const word = fc.constantFrom(
    "name",
    "source",
    "repohost",
    "github",
    "source_config",
    "resource_spec",
    "secrets",
    "deploy",
    "timeout",
    "volumes",
    "sidecars",
    "env",
    "value",
    "min_scale",
    "internal_docker",
    ": ",
    "\n",
    "\n  ",
    "\n    ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "${X}",
    "${",
    "1",
    "null",
    "&a ",
    "*a",
    "<<: ",
    "constructor",
    "__proto__",
    "toString",
  );
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 40 }),
      fc.constantFrom("apply" as const, "plan" as const),
      fc.boolean(),
      (words, mode, trusted) => {
        for (const problem of parse(words.join(""), { mode, interpolate: trusted }).problems) {
          expect(toProblemLine(problem)).toMatch(/^agent-deploy\.yml:[1-9]\d*:[1-9]\d*: .+[;?].*/u);
        }
      },
    ),
    { numRuns: 800 },
  );
});

describe("a hostile file of a megabyte is refused within seconds", () => {
  const fill = (head: string, line: (index: number) => string): string => {
    let text = head;
    for (let index = 0; text.length < 1_040_000; index += 1) text += line(index);
    return text.slice(0, text.lastIndexOf("\n") + 1);
  };
  const base = "name: a\nsource: external_container\n";
  const spec = `${base}source_config:\n  resource_spec:\n`;
  test.each<[string, string]>([
    ["unknown keys", fill(base, (index) => `key_number_${index}: 1\n`)],
    ["secrets without a value", fill(`${base}secrets:\n`, (index) => `- N${index}\n`)],
    [
      "mounts without a volume",
      fill(`${spec}    volume_mounts:\n`, (index) => `    - {name: v${index}, mountPath: /}\n`),
    ],
    [
      "references in one scalar",
      fill(`${base}deploy:\n  verify: |\n`, (index) => `    \${N${index}}\n`),
    ],
    ["unclosed defaults", `${base}deploy:\n  verify: ${"${A:-".repeat(170_000)}\n`],
    [
      "merged keys",
      `a: &a {${Array.from({ length: 60_000 }, (_, index) => `k${index}: 1`).join(", ")}}\nb: {<<: [${Array(60_000).fill("*a").join(", ")}]}\n`,
    ],
    ["empty lists", `a: [${"[],".repeat(340_000)}]\n`],
    ["documents", "---\na: 1\n".repeat(110_000)],
    ["duplicate keys", fill("", () => "a: 1\n")],
    ["open braces", "{".repeat(1_000_000)],
    ["quotes", `a: "${'\\"'.repeat(500_000)}"`],
  ])("%s", (_, text) => {
    const started = process.cpuUsage();
    const parsed = parse(text);
    expect(parsed.documents).toEqual([]);
    expect(parsed.problems.length).toBeGreaterThan(0);
    // Processor time: how busy the machine is does not count.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
  });
});

test("a value in place of a secret's name is masked and never repeated", () => {
  for (const item of [
    "OPENAI_API_KEY=sk-live-0123456789",
    "sk-live-0123456789",
    "{ name: sk-live-0123456789, value: x }",
    "OPENAI_API_KEY: sk-live-0123456789",
  ]) {
    const spec = parse(`name: a\nsource: external_container\nsecrets:\n  - ${item}\n`);
    expect(spec.problems.some(({ level }) => level === "error")).toBe(true);
    expect(lines(spec).join("\n")).not.toContain("0123456789");
    expect(spec.sensitiveValues.some((value) => value.endsWith("sk-live-0123456789"))).toBe(true);
  }
  const mapping = parse(
    "name: a\nsource: external_container\nsecrets: { A: sk-live-0123456789 }\n",
  );
  expect(mapping.sensitiveValues).toContain("sk-live-0123456789");
});
