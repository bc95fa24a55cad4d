import { describe, expect, test } from "@jest/globals";
import { INPUTS, type InputName } from "../src/cli/inputs.ts";
import { inputNames, propertyOf, rowOf } from "../src/cli/options.ts";
import {
  NOT_SET,
  parseInputs,
  readActionInputs,
  readEnvironment,
} from "../src/cli/input-values.ts";

/** The inputs users are promised, typed by hand, so that a row lost from the table is noticed. */
const CONTRACT =
  `command spec only target api-key tenant-id bearer-token region control-plane-url tracing-url deployment-id revision-id
previous-revision-id commit create force secrets-unknown expect-plan fail-on-changes confirm delete-traces wait timeout poll-interval concurrency fail-fast
on-failure on-superseded verify experiment format mapping split drop dry-run experiment-name experiment-description experiment-metadata
dataset-name dataset-id dataset-description gate gate-when baseline on-inconclusive on-no-baseline write-baseline accept-baseline evaluator comment comment-key markdown-file github-token environment
summary report-file reports matrix matrix-size needs max-failures drift-issue`.split(/\s+/);

const one = (name: InputName, value: string, entryPoint: "action" | "cli" = "action") => {
  const { options, problems } = parseInputs({ [name]: value }, entryPoint);
  return { value: options[propertyOf(name)], messages: problems.map((problem) => problem.message) };
};

describe("the input table", () => {
  test("has every input of the contract and, for the Action, three more: allow-untrusted, strategy and stream-logs", () => {
    expect([...inputNames("action")].sort()).toEqual(
      [...CONTRACT, "allow-untrusted", "strategy", "stream-logs"].sort(),
    );
  });

  test("every secret has an environment variable instead of a flag", () => {
    const secrets = (Object.keys(INPUTS) as InputName[]).filter((name) => rowOf(name)?.secret);
    expect(secrets).toEqual(["api-key", "bearer-token", "github-token"]);
    expect(secrets.every((name) => rowOf(name)!.env!.length > 0)).toBe(true);
  });

  test("a documented default passes its own parser", () => {
    for (const name of Object.keys(INPUTS) as InputName[]) {
      const value = rowOf(name)!.default;
      if (value !== undefined)
        expect({
          name,
          messages: one(name, String(value), rowOf(name).actionOnly === true ? "action" : "cli")
            .messages,
        }).toEqual({ name, messages: [] });
    }
  });
});

describe("defaults", () => {
  test("without inputs, the defaults of the contract apply", () => {
    const { options, problems } = parseInputs({});
    expect(problems).toEqual([]);
    expect(options).toMatchObject({
      command: "auto",
      spec: ["agent-deploy.yml"],
      create: "auto",
      secretsUnknown: "keep",
      wait: true,
      onSuperseded: "fail",
      gateWhen: "auto",
      onInconclusive: "warn",
      comment: "auto",
      summary: true,
      format: "auto",
      only: [],
      experiment: [],
      reports: [],
      drop: [],
      force: false,
      failOnChanges: false,
      failFast: false,
      dryRun: false,
      allowUntrusted: false,
      concurrency: 8,
    });
  });

  test("an input that `deploy:` has too stays undefined, so that the spec can decide", () => {
    const { options } = parseInputs({});
    expect([
      options.timeoutMs,
      options.onFailure,
      options.verify,
      options.deploymentId,
      options.pollIntervalMs,
      options.region,
    ]).toEqual(Array(6).fill(undefined));
  });

  test("an empty value counts as not given, also for a boolean and a duration", () => {
    const names = inputNames("action").filter((name) => rowOf(name)?.guard !== true);
    const raw = Object.fromEntries(names.map((name) => [name, ""]));
    expect(parseInputs(raw)).toEqual(parseInputs({}));
  });

  test("a guard that is given but blank is an error, and one that is not given is ignored", () => {
    for (const name of ["expect-plan", "only", "gate"] as const) {
      for (const blank of ["", "  ", "\n"]) {
        const [problem] = parseInputs({ [name]: blank }).problems;
        expect(problem).toMatchObject({ level: "error", input: name });
        expect(problem!.message).toContain("was given and is blank");
      }
      expect(parseInputs({ [name]: NOT_SET })).toEqual(parseInputs({}));
    }
    expect(parseInputs({ only: " ,\n" }).problems).toHaveLength(1);
  });

  test("deploy is an alias of apply", () => {
    expect(parseInputs({ command: "deploy" }).options.command).toBe("apply");
  });
});

describe("values", () => {
  test.each([
    ["true", true],
    ["True", true],
    ["TRUE", true],
    ["false", false],
    ["False", false],
    ["FALSE", false],
  ])("the boolean %s", (word, value) => {
    expect(one("force", word)).toEqual({ value, messages: [] });
  });

  test.each(["yes", "1", "on", "tRue", "no"])("%s is not a boolean", (word) => {
    expect(one("force", word).messages).toEqual([
      `input force: "${word}" is not a boolean; write true or false`,
    ]);
  });

  test.each([
    ["500ms", 500],
    ["90s", 90_000],
    ["30m", 1_800_000],
    ["1h", 3_600_000],
    ["1.5h", 5_400_000],
  ])("the duration %s", (word, value) => {
    expect(one("timeout", word)).toEqual({ value, messages: [] });
  });

  test.each([
    "30",
    "-5m",
    "5 m",
    "1d",
    "m",
    "1e3s",
    "NaNs",
    "Infinitys",
    "0s",
    "0ms",
    "99999999999999h",
  ])("%s is not a duration", (word) => {
    expect(one("timeout", word).messages).toEqual([
      `input timeout: "${word}" is not a valid duration; write a number and a unit, such as 500ms, 90s, 30m or 1h`,
    ]);
  });

  test.each(["25h", "100h"])("the timeout %s is out of bounds", (word) => {
    expect(one("timeout", word).messages).toEqual([
      `input timeout: "${word}" is out of bounds; write a value from 1ms to 24h`,
    ]);
  });

  test.each([["0"], ["101"], ["-1"]])("the concurrency %s is out of bounds", (word) => {
    expect(one("concurrency", word).messages).toEqual([
      `input concurrency: "${word}" is out of bounds; write a value from 1 to 100`,
    ]);
  });

  test.each(["1e1", "2.5", "eight", "0x8"])("%s is not a whole number", (word) => {
    expect(one("concurrency", word).messages).toEqual([
      `input concurrency: "${word}" is not a whole number`,
    ]);
  });

  test("a wrong choice is reported with the valid ones and the closest", () => {
    expect(one("on-failure", "rolback").messages).toEqual([
      'input on-failure: "rolback" is not one of none, rollback (did you mean rollback?)',
    ]);
    expect(one("region", "mars").messages).toEqual([
      'input region: "mars" is not one of us, eu, apac, aws',
    ]);
    expect(one("command", "deply").messages[0]).toMatch(/emulator \(did you mean deploy\?\)$/u);
    for (const near of ["list", "lst"])
      expect(one("command", near).messages[0]).not.toContain("did you mean list");
    expect(one("command", "list").messages[0]).toMatch(/emulator; only the command line has it$/u);
  });

  test("lists are split at line breaks and commas, but not within the braces of a glob", () => {
    expect(one("spec", "a.yml, b.yml\n\n  agents/{c,d}/*.yml \r\n").value).toEqual([
      "a.yml",
      "b.yml",
      "agents/{c,d}/*.yml",
    ]);
  });

  test("a text keeps its line breaks", () => {
    expect(one("gate", "a >= 1\nb >= 2").value).toBe("a >= 1\nb >= 2");
  });

  test("metadata that is not a JSON object is an error", () => {
    expect(one("experiment-metadata", '{"a": {"b": 1}}').value).toEqual({ a: { b: 1 } });
    expect(one("experiment-metadata", "[1]").messages).toEqual([
      'input experiment-metadata: "[1]" is not a JSON object, such as {"suite": "nightly"}',
    ]);
  });

  test("a long invalid value is truncated in the message", () => {
    expect(one("region", "x".repeat(5000)).messages[0]!.length).toBeLessThan(200);
  });

  test("all problems are reported at once, with the names that the entry point uses", () => {
    const { problems } = parseInputs({ timeout: "soon", region: "eru", wiat: "true" }, "cli");
    expect(problems.map((problem) => problem.message)).toEqual([
      "--wiat: there is no such input (did you mean wait?)",
      '--region: "eru" is not one of us, eu, apac, aws (did you mean eu?)',
      '--timeout: "soon" is not a valid duration; write a number and a unit, such as 500ms, 90s, 30m or 1h',
    ]);
  });

  test("the Action does not know an input of the command line only", () => {
    expect(parseInputs({ port: "1" }).problems).toHaveLength(1);
    expect(parseInputs({ port: "1" }, "cli").problems).toEqual([]);
  });

  test("a name from Object.prototype is not an input", () => {
    expect(parseInputs({ constructor: "x" }).problems.map((problem) => problem.input)).toEqual([
      "constructor",
    ]);
  });
});

describe("sources of input values", () => {
  test("the Action reads the runner's INPUT_ variables, with hyphens and upper case as GitHub writes them", () => {
    expect(readActionInputs({ "INPUT_API-KEY": " k ", INPUT_SPEC: "a.yml", PATH: "/bin" })).toEqual(
      { "api-key": "k", spec: "a.yml" },
    );
  });

  test("an expression of action.yml that was not evaluated counts as not given", () => {
    const { options, problems } = parseInputs({
      "github-token": "${{ github.token }}",
      matrix: "${{ toJSON(matrix) }}",
    });
    expect([options.githubToken, options.matrix, problems]).toEqual([undefined, undefined, []]);
  });

  test("the command line reads environment variables, and the first that is not empty wins", () => {
    const env = {
      AGENT_DEPLOY_API_KEY: "",
      LANGSMITH_API_KEY: "k",
      AGENT_DEPLOY_TENANT_ID: "t",
      AGENT_DEPLOY_CONTROL_PLANE_URL: "http://127.0.0.1:1",
      AGENT_DEPLOY_TRACING_URL: "",
      GITHUB_TOKEN: "g",
      AGENT_DEPLOY_BEARER_TOKEN: "b",
    };
    expect(readEnvironment(env)).toEqual({
      "api-key": "k",
      "tenant-id": "t",
      "bearer-token": "b",
      "control-plane-url": "http://127.0.0.1:1",
      "github-token": "g",
    });
  });
});

describe("addresses from the environment of the command line", () => {
  const vendor = {
    LANGSMITH_ENDPOINT: "https://eu.api.smith.langchain.com",
    LANGGRAPH_HOST_URL: "https://eu.api.host.langchain.com",
    LANGSMITH_TENANT_ID: "t",
  };
  const both = {
    "control-plane-url": vendor.LANGGRAPH_HOST_URL,
    "tracing-url": vendor.LANGSMITH_ENDPOINT,
  };

  test("the vendor's variables are read if none of ours gives an address", () => {
    expect(readEnvironment(vendor)).toEqual({ ...both, "tenant-id": "t" });
  });

  test.each([
    [{ AGENT_DEPLOY_REGION: "us" }, {}, { region: "us" }],
    [
      { AGENT_DEPLOY_CONTROL_PLANE_URL: "http://127.0.0.1:4010" },
      {},
      { "control-plane-url": "http://127.0.0.1:4010" },
    ],
    [{}, { "tracing-url": "http://127.0.0.1:4010" }, {}],
    [{}, { region: "eu" }, {}],
    // An address that is given overrides the region, wherever either is.
    [
      { AGENT_DEPLOY_CONTROL_PLANE_URL: "http://127.0.0.1:4010" },
      { region: "eu" },
      { "control-plane-url": "http://127.0.0.1:4010" },
    ],
  ])("a vendor's address is never combined with one of ours: %j, flags %j", (ours, flags, read) => {
    expect(readEnvironment({ ...vendor, ...ours }, flags)).toEqual({ ...read, "tenant-id": "t" });
  });
});

test("a commit is a hexadecimal SHA", () => {
  expect(one("commit", "c0ffee1").value).toBe("c0ffee1");
  expect(one("commit", "main").messages).toEqual([expect.stringContaining("is not a commit")]);
});
