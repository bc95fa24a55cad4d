import { runCli } from "./support/cli-run.ts";
import { describe, expect, test } from "@jest/globals";
import { parseArguments } from "../src/cli/arguments.ts";
import { renderCommandHelp, renderHelp, renderInputsHelp } from "../src/cli/help.ts";
import { COMMANDS, commandRow, type Command } from "../src/cli/command-table.ts";
import { inputNames, rowOf } from "../src/cli/options.ts";

const parse = (line: string) => parseArguments(line === "" ? [] : line.split(" "));
const messages = (line: string) => parse(line).problems.map((problem) => problem.message);

describe("a command line", () => {
  test.each([
    ["apply", "apply", {}],
    ["apply --timeout 5m --spec=a.yml", "apply", { timeout: "5m", spec: "a.yml" }],
    ["--timeout 5m apply", "apply", { timeout: "5m" }],
    ["--command plan", "plan", {}],
    ["apply --spec a.yml --spec b.yml", "apply", { spec: "a.yml\nb.yml" }],
    ["apply --region us --region eu", "apply", { region: "eu" }],
    ["validate my.yml other.yml", "validate", { spec: "my.yml\nother.yml" }],
    [
      "gate results.json --gate a>=1 --gate b>=2",
      "gate",
      { experiment: "results.json", gate: "a>=1\nb>=2" },
    ],
    ["upload r.jsonl", "upload", { experiment: "r.jsonl" }],
    ["report a.json b.json", "report", { reports: "a.json\nb.json" }],
    ["apply --force", "apply", { force: "true" }],
    ["apply --force=false", "apply", { force: "false" }],
    ["apply --no-wait", "apply", { wait: "false" }],
    ["apply --wait false", "apply", { wait: "false" }],
    ["apply --force my.yml", "apply", { force: "true", spec: "my.yml" }],
    ["apply --verify=a=b", "apply", { verify: "a=b" }],
    ["apply --verify -x", "apply", { verify: "-x" }],
    ["validate -- --odd.yml", "validate", { spec: "--odd.yml" }],
    ["validate -", "validate", { spec: "-" }],
    ["emulator --port 0", "emulator", { port: "0" }],
  ])("%s", (line, command, raw) => {
    expect(parse(line)).toMatchObject({ command, problems: [], help: undefined, version: false });
    expect(parse(line).raw).toEqual(raw);
  });

  test("lookup lists the words that it takes", () => {
    expect(parse("lookup integrations")).toMatchObject({
      raw: { name: "integrations" },
      problems: [],
    });
    expect(parse("lookup --name listeners")).toMatchObject({
      raw: { name: "listeners" },
      problems: [],
    });
    expect(messages("lookup listner")).toEqual([
      'lookup takes one word, integrations, listeners or deployments, not "listner" (did you mean listeners?)',
    ]);
    expect(messages("lookup")).toEqual([
      "lookup takes one word, integrations, listeners or deployments",
    ]);
  });
});

describe("an error names the mistake and the closest valid word", () => {
  test.each([
    ["aply", 'there is no command "aply" (did you mean apply?); agent-deploy --help lists them'],
    ["toString", 'there is no command "toString"; agent-deploy --help lists them'],
    [
      "specs/prod.yml --force",
      "specs/prod.yml is a file, and the command comes first: agent-deploy plan specs/prod.yml",
    ],
    ["deply", 'there is no command "deply" (did you mean deploy?); agent-deploy --help lists them'],
    ["dploy", 'there is no command "dploy" (did you mean deploy?); agent-deploy --help lists them'],
    ["emulator --prt 1", "there is no flag --prt (did you mean --port?)"],
    ["apply --timout 5m", "there is no flag --timout (did you mean --timeout?)"],
    ["apply --dryrun", "there is no flag --dryrun (did you mean --dry-run?)"],
    ["apply -x", "there is no flag -x"],
    ["apply --__defineGetter__ x", "there is no flag --__defineGetter__"],
    ["apply --timeout", "--timeout needs a value: --timeout <duration>"],
    ["apply --spec --force", "--spec needs a value: --spec <list>"],
    ["apply --no-wait=true", "--no-wait takes no value; write --no-wait or --wait=true"],
    ["apply --no-timeout", "there is no flag --no-timeout (did you mean --timeout?)"],
    ["status one two", "status takes one name, not 2: one, two"],
    ["export one two", "export takes one name, not 2: one, two"],
    ["wait one --name two", "wait takes one name, not 2: two, one"],
    [
      "demo extra",
      'demo takes no bare words, so "extra" is one too many; agent-deploy demo --help',
    ],
    [
      "--force",
      "which command? one of auto, plan, apply, wait, redeploy, destroy, upload, gate, report, validate, render, export, lookup, list, status, history, logs, open, whoami, rollback, emulator, demo, init, completion",
    ],
  ])("%s", (line, message) => {
    expect(messages(line)[0]).toBe(message);
    expect(parse(line).problems[0]!.level).toBe("error");
  });

  test("the value of a misspelt flag before the command is not a second error", () => {
    expect(messages("--targt staging plan")).toEqual([
      "there is no flag --targt (did you mean --target?)",
    ]);
    expect(messages("--targt plan")).toEqual(["there is no flag --targt (did you mean --target?)"]);
    expect(messages("--quite aply")).toEqual([
      "there is no flag --quite (did you mean --quiet?)",
      'there is no command "aply" (did you mean apply?); agent-deploy --help lists them',
    ]);
  });

  test("a key on the command line is refused, and its value is not repeated", () => {
    for (const line of ["apply --api-key s3cret", "apply --api-key=s3cret"]) {
      const [message, ...more] = messages(line);
      expect(message).toContain(
        "AGENT_DEPLOY_API_KEY or LANGSMITH_API_KEY, or name a file with --api-key-file",
      );
      expect(more).toEqual([]);
      expect(JSON.stringify(parse(line))).not.toContain("s3cret");
    }
    expect(messages("apply --bearer-token x")[0]).toContain("AGENT_DEPLOY_BEARER_TOKEN");
    expect(messages("apply --github-token x")[0]).toContain("GITHUB_TOKEN");
  });

  test.each([
    ["--apikey", "AGENT_DEPLOY_API_KEY or LANGSMITH_API_KEY, or name a file with --api-key-file"],
    ["--api_key", "--api-key-file"],
    ["--apiKey", "--api-key-file"],
    ["--token", "--api-key-file"],
    ["-token", "--api-key-file"],
    ["--key", "--api-key-file"],
    ["--x-api-key", "--api-key-file"],
    ["--langsmith-api-key", "--api-key-file"],
    ["--bearer", "AGENT_DEPLOY_BEARER_TOKEN"],
    ["--gh-token", "GITHUB_TOKEN"],
  ])(
    "%s, which other tools use for a key, is refused with the name of the variable and without the value",
    (flag, named) => {
      for (const line of [`plan ${flag} s3cret`, `plan ${flag}=s3cret`]) {
        const [message, ...more] = messages(line);
        expect(message).toContain(named);
        expect(message).toContain("the process list");
        expect(more).toEqual([]);
        expect(JSON.stringify(parse(line))).not.toContain("s3cret");
      }
    },
  );

  test("a flag that only ends in such a word is not refused", () => {
    expect(messages("plan --comment-keys x")[0]).toContain("did you mean --comment-key?");
    expect(parse("plan --comment-key x --api-key-file k").problems).toEqual([]);
  });

  test("a flag without effect on the command is a warning, not an error", () => {
    expect(parse("validate --confirm x").problems).toEqual([
      { level: "warning", input: "confirm", message: "--confirm has no effect on validate" },
    ]);
  });
});

describe("help", () => {
  test.each([
    ["", true],
    ["-h", true],
    ["--help", true],
    ["help", true],
    ["apply --help", "apply"],
    ["--help apply", "apply"],
    ["help apply", "apply"],
    ["help inputs", "inputs"],
    ["nonsense --help", true],
    ["apply --nonsense -h", "apply"],
  ])("%s", (line, help) => {
    expect(parse(line)).toMatchObject({ help, problems: [] });
  });

  test.each(["--version", "-v", "-V", "version", "plan --version"])(
    "%s prints the version",
    (line) => {
      expect(parse(line)).toMatchObject({ version: true, problems: [], help: undefined });
    },
  );

  test("each command's example parses", () => {
    for (const command of Object.keys(COMMANDS) as Command[]) {
      const [, line] = /^Example: agent-deploy (.*)$/m.exec(renderCommandHelp(command)) ?? [];
      const words = [...line!.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
      expect(parseArguments(words)).toMatchObject({ command, problems: [] });
    }
  });

  test("the tool's help fits a screen of 80 x 24, and no command's help is wider", () => {
    expect(renderHelp("10.20.30").trimEnd().split("\n").length).toBeLessThanOrEqual(24);
    const texts = (Object.keys(COMMANDS) as Command[]).map(renderCommandHelp);
    const lines = [renderHelp("10.20.30"), ...texts].join("").split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test("a command's help lists its own and the common flags before those shared with other commands", () => {
    const [first, more] = renderCommandHelp("apply").split("More flags:");
    for (const name of ["target", "gate", "expect-plan", "fail-fast"])
      expect(first).toContain(`  --${name} `);
    for (const name of ["drop", "experiment-metadata", "matrix-size"])
      expect(more).toContain(`  --${name} `);
  });

  test("a command's help lists each of its flags with a description and the default", () => {
    for (const command of Object.keys(COMMANDS) as Command[]) {
      const text = renderCommandHelp(command).replace(/\n {31}/g, " ");
      for (const name of inputNames("cli")) {
        const row = rowOf(name)!;
        if (name === "command" || row.secret || !row.on.includes(command)) continue;
        if (name === commandRow(command).positional || row.doc.startsWith("Internal.")) continue;
        if (row.replacedBy !== undefined) continue;
        const line =
          text.split("\n").find((one) => one.startsWith(`  --${name} `)) ??
          text.split("\n").find((one) => one.startsWith(`  --[no-]${name} `));
        expect({ command, name, line }).toMatchObject({
          line: expect.stringMatching(/^ {2}--\S+.* [A-Z]\w+,? .*\.$/) as unknown,
        });
        if (row.default !== undefined && row.type !== "boolean")
          expect({ name, line }).toMatchObject({
            line: expect.stringContaining("Default: ") as unknown,
          });
      }
    }
  });

  test("the help of the inputs lists flags and, for secrets, the variables", () => {
    const text = renderInputsHelp();
    expect(text).toContain("--poll-interval duration");
    expect(text).toMatch(/bearer-token\s+AGENT_DEPLOY_BEARER_TOKEN/);
    expect(text).not.toContain("--api-key ");
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("the name of a deployment after a command", () => {
  test.each([
    ["validate", "validate", {}],
    ["wait support-agent", "wait", { name: "support-agent" }],
    ["redeploy 0b6f8f7e-3c1d-4c57-9a52-6f2b0d1c9e11", "redeploy", {}],
    ["export support-agent", "export", { name: "support-agent" }],
    ["wait agents.yml", "wait", { spec: "agents.yml" }],
    ["wait ./agents", "wait", { spec: "./agents" }],
    ["plan agents", "plan", { spec: "agents" }],
  ])("%s", (line, command, raw) => {
    expect(parse(line)).toMatchObject({ command, raw, problems: [] });
  });
});

test.each([
  ["up", "apply"],
  ["diff", "plan"],
  ["preview", "plan"],
  ["rm", "destroy"],
  ["ls", "list"],
])("%s, a word of other tools, suggests %s", async (word, command) => {
  const run = await runCli([word]);
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(`did you mean ${command}?`)]);
});
