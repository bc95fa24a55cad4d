import { beforeAll, describe, expect, test } from "@jest/globals";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { CONTAINER, createDeployed, type Stage } from "../scenarios/stage.ts";
import { runAction } from "../support/action-run.ts";
import { runCli } from "../support/cli-run.ts";
import { shownLog } from "../support/leak-guard.ts";
import { startProxy } from "../support/service-proxy.ts";
import { createTree } from "../support/tree.ts";

/** The law: the password of an address is in nothing that a command prints, whichever text of the service holds it. */
const PASSWORD = "passw0rd77";
const ADDRESS = `https://robot:${PASSWORD}@h.example.com/x`;
/** What a run cannot do without: words of the protocol, ids and times. */
const KEPT =
  /^(?:id|.*_id|status|source|type|.*_at|.*_time|timestamp|.*dotted_order|key|repo_commit_sha|value)$/;

function withAddresses(value: unknown, kept: RegExp, key = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => withAddresses(one, kept, key));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, withAddresses(one, kept, name)]),
    );
  if (key === "tenant_id") return ADDRESS;
  if (key === "image_uri") return `robot:${PASSWORD}@r.example.com/a:1`;
  if (["url", "custom_url", "status_message", "message"].includes(key)) return ADDRESS;
  return typeof value === "string" && !kept.test(key) ? ADDRESS : value;
}

let stage: Stage;
let id: string;
/** By what is left as it is: of a run that looks a deployment up by its name, that too. */
let proxies: Readonly<Record<"named" | "all", string>>;

beforeAll(async () => {
  stage = await createDeployed(CONTAINER);
  id = (await stage.live()).id;
  const rows = Array.from({ length: 3 }, (_, n) => ({
    inputs: { question: `q${n}` },
    actual_outputs: { answer: "a" },
    expected_outputs: { answer: "a" },
    evaluation_scores: [{ key: "correct", score: 1 }],
  }));
  stage.workspace.write("rows.json", JSON.stringify(rows));
  await stage.cli(["upload", "rows.json", "--dataset-name", "d"]);
  const proxy = (kept: RegExp): Promise<string> =>
    startProxy(stage.emulator.url, async ({ path, forward }) => {
      const { status, body } = await forward();
      const text = String(body);
      if (text === "" || path.endsWith("/sessions/")) return { status, body };
      return { status, body: JSON.stringify(withAddresses(JSON.parse(text), kept)) };
    });
  proxies = {
    named: await proxy(new RegExp(`${KEPT.source}|^name$`)),
    all: await proxy(KEPT),
  };
});

const environment = (which: keyof typeof proxies): Record<string, string> => ({
  ...stage.emulator.env,
  AGENT_DEPLOY_CONTROL_PLANE_URL: proxies[which],
  AGENT_DEPLOY_TRACING_URL: proxies[which],
});

const READS: readonly (readonly [string, (id: string) => readonly string[]])[] = [
  ["list", () => ["list"]],
  ["status", (one) => ["status", one]],
  ["history", (one) => ["history", one]],
  ["logs", (one) => ["logs", one]],
  ["open", (one) => ["open", one]],
  ["whoami", () => ["whoami"]],
  ["lookup", () => ["lookup", "deployments"]],
  ["lookup", () => ["lookup", "integrations"]],
  ["lookup", () => ["lookup", "listeners"]],
  ["export", (one) => ["export", "--deployment-id", one]],
  ["wait", (one) => ["wait", "--deployment-id", one]],
];
/** The deployment is named by the spec. */
const RUNS: typeof READS = [
  ["history", () => ["history", "--dataset", "d"]],
  ["plan", () => ["plan"]],
  ["plan", () => ["plan", "--fail-on-changes"]],
  ["auto", () => ["auto", "--dry-run"]],
  ["render", () => ["render"]],
  ["validate", () => ["validate"]],
  ["apply", () => ["apply", "--poll-interval", "50ms"]],
  ["redeploy", () => ["redeploy", "--poll-interval", "50ms"]],
  ["rollback", () => ["rollback", "search-agent", "--poll-interval", "50ms"]],
  ["upload", () => ["upload", "rows.json", "--dataset-name", "d"]],
  ["destroy", () => ["destroy", "--confirm", "search-agent"]],
];
/** Ask no service. */
const OFFLINE = ["gate", "report", "emulator", "demo", "init", "completion"];

test("list shows only the host and the path of such an address", async () => {
  const run = await runCli(["list", "--json"], { env: environment("all"), mayLeak: "judged here" });
  const [row] = JSON.parse(run.stdout);
  expect(row.url).toBe("https://***@h.example.com/x");
});

describe("the password of an address that the service shows is not printed", () => {
  const cells = [
    ...READS.map(([name, args]) => ({ which: "all" as const, name, args })),
    ...RUNS.map(([name, args]) => ({ which: "named" as const, name, args })),
  ].flatMap((cell) => [
    { ...cell, more: ["--json"] },
    { ...cell, more: [] as string[] },
  ]);

  test.each(cells.map((cell) => [[...cell.args("ID"), ...cell.more].join(" "), cell] as const))(
    "of %s",
    async (_, { which, args, more }) => {
      const run = await runCli([...args(id), ...more], {
        workspace: stage.workspace,
        env: environment(which),
        mayLeak: "judged here",
      });
      const shown = run.stdout + run.stderr;
      expect(shown.length).toBeGreaterThan(10);
      expect(shown).not.toContain(PASSWORD);
    },
  );

  test("of each command that asks a service", () => {
    const tried = new Set([...READS, ...RUNS].map(([name]) => name));
    expect(Object.keys(COMMANDS).filter((name) => !tried.has(name))).toEqual(OFFLINE);
  });
});

test("an Action run leaves no password of an address in its log, summary and outputs", async () => {
  const other = await createDeployed(CONTAINER);
  const url = await startProxy(other.emulator.url, async ({ forward }) => {
    const { status, body } = await forward();
    const kept = new RegExp(`${KEPT.source}|^name$`);
    const text = String(body);
    return {
      status,
      body: text === "" ? text : JSON.stringify(withAddresses(JSON.parse(text), kept)),
    };
  });
  const run = await runAction(
    {
      ...other.emulator.inputs,
      command: "plan",
      "control-plane-url": url,
      "tracing-url": url,
    },
    { workspace: createTree({ "agent-deploy.yml": CONTAINER }), mayLeak: "judged here" },
  );
  const left = shownLog(run) + run.stderr + run.summary + JSON.stringify(run.outputs);
  expect(left).not.toContain(PASSWORD);
  expect(run.outputs["outcome"]).toBe("planned");
});

test("an exported command takes the user and password of its address from a variable", async () => {
  const other = await createDeployed(
    `name: a
source: repohost
source_config:
  repo_url: http://127.0.0.1:1/acme/agents
  deployment_type: prod
  build_on_push: false
  install_command: pip install -i https://robot:${PASSWORD}@pypi.example.com/simple x
source_revision_config: { repo_ref: main, graph_config_path: langgraph.json }
secrets: []
`,
  );
  const { stdout } = await other.cli(["export", "--all"]);
  expect(stdout).not.toContain(PASSWORD);
  expect(stdout).toContain("https://${INSTALL_COMMAND_URL_USER_INFO}@pypi.example.com/simple");
  other.spec(stdout);
  const plan = await other.cli(["plan", "--json"], {
    INSTALL_COMMAND_URL_USER_INFO: `robot:${PASSWORD}`,
  });
  expect(JSON.parse(plan.stdout)).toMatchObject({ outcome: "unchanged" });
});
