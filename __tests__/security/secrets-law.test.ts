import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createStage, edit, type Stage } from "../scenarios/stage.ts";
import { shownLog } from "../support/leak-guard.ts";
import { runCli } from "../support/cli-run.ts";
import { leaks } from "./secret-forms.ts";

/** As generators make them: long enough that nothing holds one by chance. */
const secret = fc.string({
  unit: fc.constantFrom(..."abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_.~+/="),
  minLength: 16,
  maxLength: 40,
});
/** PROPERTY_SEED tries other secrets. */
const SEED = Number(process.env["PROPERTY_SEED"] ?? 20_261_121);
const [API_KEY, PLAIN, SIDECAR, PASSWORD, TAINTED, LITERAL] = fc
  .sample(secret, { numRuns: 6, seed: SEED })
  .map((text, n) => `Q${n}${text}9x`);
const SECRETS: Readonly<Record<string, string>> = {
  "api key": API_KEY!,
  "a secret": PLAIN!,
  "a container's variable": SIDECAR!,
  "a password in a URL": encodeURIComponent(PASSWORD!),
  "a variable called NPM_TOKEN": TAINTED!,
  "a literal secret": LITERAL!,
};
const ENV = {
  PLAIN: PLAIN!,
  SIDECAR: SIDECAR!,
  DB_DSN: `postgres://app:${encodeURIComponent(PASSWORD!)}@db.example.com/x`,
  NPM_TOKEN: TAINTED!,
};
const SPEC = `name: law-agent
source: external_container
source_config:
  resource_spec:
    min_scale: 1
    init_containers:
      - { name: fetch, image: "r.example.com/f@sha256:${"b".repeat(64)}", args: ["--token=\${NPM_TOKEN}"] }
    sidecars:
      - { name: proxy, image: "r.example.com/p@sha256:${"b".repeat(64)}", env: [{ name: A, value: "\${SIDECAR}" }] }
source_revision_config:
  image_uri: r.example.com/a@sha256:${"a".repeat(64)}
secrets:
  - PLAIN
  - DB_DSN
  - { name: LITERAL, value: "${LITERAL!}" }
`;
const CHANGED = edit(SPEC, "min_scale: 1", "min_scale: 2");
const VERIFY = 'printf "%s\\n" "$PLAIN" "$NPM_TOKEN"; printf "%s" "$DB_DSN" | base64; exit 3';

const told = Object.values(SECRETS).flatMap((text) => [
  text,
  encodeURIComponent(text),
  Buffer.from(text).toString("base64"),
  JSON.stringify(text),
]);
const echo = (status: number): object => ({
  kind: "status",
  status,
  body: { detail: told.map((input) => ({ loc: ["body"], msg: `bad ${input}`, input })) },
});

/** Nothing was read yet when the list fails. */
const LIST_FAILS = "a failure of the list";

/** What the service does wrong, each time repeating all that it was sent. */
const FAULTS: Readonly<Record<string, (stage: Stage) => void>> = {
  nothing: () => undefined,
  "a build that fails": ({ emulator }) => {
    emulator.emulator.addRevisionRules([
      { outcome: "build-failed", status_message: told.join(" "), log: told, times: 0 },
    ]);
  },
  "a refusal of each write": ({ emulator }) => {
    for (const route of ["POST /v2/deployments", "PATCH /v2/deployments/{deployment_id}"])
      emulator.emulator.addFaults([{ route, times: 0, ...echo(422) }] as never);
  },
  [LIST_FAILS]: ({ emulator }) => {
    emulator.emulator.addFaults([
      { route: "GET /v2/deployments", times: 2, ...echo(500) },
    ] as never);
  },
};

type Scenario = (stage: Stage) => Promise<Readonly<Record<string, string>>>;
const ofAction =
  (inputs: Readonly<Record<string, string>>): Scenario =>
  async (stage) => {
    const run = await stage.run(
      { "api-key": API_KEY!, ...inputs },
      { env: ENV, mayLeak: "judged here" },
    );
    const report = run.outputs["report"] ?? "";
    return {
      log: shownLog(run),
      stderr: run.stderr,
      outputs: Object.values(run.outputs).join("\n"),
      state: JSON.stringify(run.state),
      summary: run.summary,
      report: existsSync(report) ? readFileSync(report, "utf8") : "",
    };
  };
const ofCli =
  (...args: readonly string[]): Scenario =>
  async ({ emulator, workspace }) => {
    const env = { ...ENV, ...emulator.env, AGENT_DEPLOY_API_KEY: API_KEY! };
    const files = ["--report-file", "r.json", "--markdown-file", "r.md"];
    const reports = ["plan", "apply", "validate", "rollback", "redeploy"].includes(args[0]!);
    const run = await runCli([...args, ...(reports ? files : [])], {
      workspace,
      env,
      mayLeak: "judged here",
    });
    const read = (name: string): string => (workspace.has(name) ? workspace.read(name) : "");
    return {
      stdout: run.stdout,
      stderr: run.stderr,
      report: read("r.json"),
      markdown: read("r.md"),
    };
  };

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "the Action plans": ofAction({ command: "plan" }),
  "the Action deploys": ofAction({ command: "apply" }),
  "the Action verifies": ofAction({ command: "apply", verify: VERIFY }),
  "the Action redeploys": ofAction({ command: "redeploy" }),
  "a terminal plans": ofCli("plan", "--json"),
  "a terminal deploys": ofCli("apply", "--verify", VERIFY),
  "a terminal renders": ofCli("render"),
};
/** They read no spec: they know the key, and the secrets that the service has shown them. */
const WITHOUT_SPEC: Readonly<Record<string, Scenario>> = {
  "a terminal exports": ofCli("export", "--all"),
  "a terminal reads": ofCli("status", "law-agent", "--json"),
  "a terminal reads the log": ofCli("logs", "law-agent"),
};
/** What stands in an argument of a container is no secret to somebody who has only read it. */
const KNOWN_BY_READING = Object.fromEntries(
  Object.entries(SECRETS).filter(([name]) => name !== "a variable called NPM_TOKEN"),
);

/** A deployment that holds every secret, and a service that begins to do wrong after it. */
async function createHolder(fault: string): Promise<Stage> {
  const stage = await createStage(SPEC, { apiKeys: [API_KEY!], timeScale: 0.01 });
  const deployed = await stage.run(
    { "api-key": API_KEY! },
    { env: ENV, mayLeak: "judged with all the others" },
  );
  expect(deployed.outputs["outcome"]).toBe("deployed");
  stage.spec(CHANGED);
  FAULTS[fault]!(stage);
  return stage;
}

describe.each(Object.keys(FAULTS))(
  "no secret, in no form, leaves a run whose service does: %s",
  (fault) => {
    test.each(Object.keys(SCENARIOS))("%s", async (scenario) => {
      const sinks = await SCENARIOS[scenario]!(await createHolder(fault));
      expect(Object.values(sinks).join("").length).toBeGreaterThan(10);
      expect(leaks(sinks, SECRETS)).toEqual([]);
    });

    test.each(Object.keys(WITHOUT_SPEC))("%s", async (scenario) => {
      const sinks = await WITHOUT_SPEC[scenario]!(await createHolder(fault));
      expect(Object.values(sinks).join("").length).toBeGreaterThan(10);
      const known = fault === LIST_FAILS ? { "api key": API_KEY! } : KNOWN_BY_READING;
      expect(leaks(sinks, known)).toEqual([]);
    });
  },
);
