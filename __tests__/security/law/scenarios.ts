import type { Command } from "../../../src/cli/command-table.ts";
import type { RevisionRule } from "../../../src/emulator/deployments/revision.ts";
import type { TestEmulator } from "../../support/emulator-process.ts";
import type { Tree } from "../../support/tree.ts";
import {
  PRINTING,
  SECRETS,
  toChanged,
  toRepositoryBody,
  toRepositorySpec,
  toSpec,
  tell,
  SHOWN_BY_SERVICE,
  type SecretName,
} from "./holdings.ts";

/** Where a scenario plays: a service that may hold the deployment already, and a checkout. */
export interface Place {
  readonly emulator: TestEmulator;
  readonly workspace: Tree;
  /** Ids of what is live, by name. */
  readonly ids: Readonly<Record<string, string>>;
  /** Runs the program once before, without a fault, to have something to continue from. */
  readonly before: (args: readonly string[]) => Promise<{ readonly stdout: string }>;
}

/** One run of the program. */
export interface Scenario {
  readonly entry: "action" | "cli";
  readonly command: Command;
  /** Topics whose ways this run goes: names of files of `__tests__/scenarios` and `__tests__/laws/scenarios`. */
  readonly covers: readonly string[];
  /** Exit code and outcome without a fault; of a command without a report only the code. */
  readonly end: string;
  /** Inputs of the Action, flags of the command line. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** What comes after the command on the command line. */
  readonly words?: readonly string[];
  readonly spec?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Bodies of what is live before; default: the deployment of the spec. */
  readonly live?: readonly object[];
  readonly revisions?: readonly RevisionRule[];
  readonly env?: Readonly<Record<string, string>>;
  /** The event of the run; a push where it is absent. */
  readonly event?: { readonly name: string; readonly payload: object };
  /** It asks no service, so no fault of one can be met. */
  readonly offline?: true;
  /** It reads no spec, so it knows its inputs and what the service has shown. */
  readonly reads?: true;
  /** Stopped when this is printed; its post step runs after it. */
  readonly stopAt?: RegExp;
  readonly stdin?: string;
  readonly prepare?: (place: Place) => Promise<Readonly<Record<string, string>> | undefined>;
}

const PULL = {
  name: "pull_request",
  payload: {
    number: 7,
    pull_request: {
      number: 7,
      head: { sha: "1".repeat(40), ref: "topic", repo: { full_name: "acme/agents" } },
      base: { ref: "main", repo: { full_name: "acme/agents" } },
    },
    repository: { full_name: "acme/agents" },
  },
};
const FORK = structuredClone(PULL);
FORK.payload.pull_request.head.repo.full_name = "stranger/agents";

const ALL = Object.keys(SECRETS) as SecretName[];
/** What a run from the spec of the law knows, from each entry point, and one that has only read. */
const BY_SPEC = ALL.filter((name) => !/bearer|GitHub/.test(name));
const BY_READING: readonly SecretName[] = ["the api key", ...SHOWN_BY_SERVICE];
const EVERYTHING = tell(ALL);

/** Rows that hold every secret where a model may have written it. */
const rows = (score: number): string =>
  JSON.stringify(
    Array.from({ length: 12 }, (_, n) => ({
      inputs: { q: n, said: EVERYTHING[n % EVERYTHING.length] },
      actual_outputs: { answer: EVERYTHING.join(" "), [SECRETS["a secret"]]: 1 },
      error: score < 1 ? EVERYTHING.join(" ") : null,
      evaluation_scores: [{ key: "m", score }],
    })),
  );
const failing = (names: readonly SecretName[]): readonly RevisionRule[] => [
  { revision: 2, outcome: "build-failed", status_message: tell(names).join(" "), log: tell(names) },
];
const FAILS = failing(BY_SPEC);
const REPORT = { "report-file": "r.json", "markdown-file": "r.md" };
const deploy = { command: "apply", entry: "action" } as const;
const terminal = { entry: "cli" } as const;
const idOf = ({ ids }: Place): Readonly<Record<string, string>> => ({
  "deployment-id": ids["law-agent"]!,
});
const withId = (place: Place): Promise<Readonly<Record<string, string>>> =>
  Promise.resolve(idOf(place));
const REPOSITORY = { spec: toRepositorySpec(), live: [toRepositoryBody("npm install")] };

/** THE TABLE OF SCENARIOS: every command, from both entry points, to every end. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "the Action plans on a pull request": {
    ...{ entry: "action", command: "auto", event: PULL, spec: toChanged() },
    ...{ covers: ["auto", "resource-spec", "dialects"], end: "0 planned", inputs: REPORT },
  },
  "the Action plans, with the changes red": {
    ...{ entry: "action", command: "plan", spec: toChanged() },
    ...{
      covers: ["no-op"],
      end: "1 planned",
      inputs: { ...REPORT, "fail-on-changes": "true", "drift-issue": "true" },
    },
  },
  "the Action deploys into an environment": {
    ...{
      ...deploy,
      spec: toChanged(),
      covers: ["older-run", "silent-github", "secrets", "silent-edits", "trigger-fields"],
    },
    ...{ end: "0 deployed", inputs: { ...REPORT, environment: "production" } },
  },
  "the Action creates": {
    ...{
      ...deploy,
      live: [],
      covers: ["create", "identity", "integrations", "proof-of-absence"],
      end: "0 deployed",
      inputs: REPORT,
    },
  },
  "the Action creates two, in waves": {
    ...{
      ...deploy,
      live: [],
      spec: `${toSpec("one", { wave: 1 })}---\n${toSpec("two", { wave: 2 })}`,
    },
    ...{ covers: ["many", "listing", "first-use"], end: "0 deployed", inputs: REPORT },
  },
  "the Action finds nothing to do, and verify fails": {
    ...{ ...deploy, covers: ["verify"], end: "1 failed", inputs: { ...REPORT, verify: PRINTING } },
  },
  "the Action finds nothing to do": {
    ...{
      ...deploy,
      covers: ["unbuilt"],
      end: "0 unchanged",
      inputs: { ...REPORT, verify: `${PRINTING.slice(0, -1)}0` },
    },
  },
  "the Action rolls back": {
    ...{ ...deploy, spec: toChanged(), covers: ["rollback", "rollback-target"], end: "1 failed" },
    inputs: { ...REPORT, verify: PRINTING, "on-failure": "rollback", environment: "production" },
  },
  "the Action meets a build that fails": {
    ...{ ...deploy, spec: toChanged(), revisions: FAILS, end: "1 failed", event: PULL },
    ...{
      covers: ["failed-build", "zstd-log", "streamed-logs"],
      inputs: { ...REPORT, environment: "production" },
    },
  },
  "the Action meets what cannot change": {
    ...{
      ...deploy,
      spec: toSpec().replace('"secrets": [', '"secrets": [], "was": ['),
      covers: ["impossible"],
    },
    ...{
      spec: toSpec().replace(/"secrets": \[[\s\S]*\],\n {2}"deploy"/, '"secrets": [],\n  "deploy"'),
    },
    ...{ end: "1 blocked", inputs: REPORT },
  },
  "the Action changes a command in place": {
    ...{
      ...deploy,
      ...REPOSITORY,
      covers: ["in-place", "moved-commit", "build-on-push"],
      end: "0 updated",
      inputs: REPORT,
    },
  },
  "the Action is refused by another plan": {
    ...{ ...deploy, spec: toChanged(), covers: ["plan-approval"], end: "1 blocked" },
    inputs: { ...REPORT, "expect-plan": "0".repeat(64) },
  },
  "the Action times out": {
    ...{
      ...deploy,
      spec: toChanged(),
      revisions: [{ revision: 2, outcome: "stuck" }],
      covers: ["waiting"],
    },
    ...{ end: "1 timed-out", inputs: { ...REPORT, timeout: "4s" } },
  },
  "the Action only starts": {
    ...{
      ...deploy,
      spec: toChanged(),
      covers: ["false-ends"],
      end: "0 started",
      inputs: { ...REPORT, wait: "false" },
    },
  },
  "the Action is overtaken": {
    ...{
      ...deploy,
      spec: toChanged(),
      revisions: [{ revision: 2, outcome: "skipped" }],
      covers: ["races", "moved-underneath"],
    },
    ...{ end: "1 superseded", inputs: REPORT },
  },
  "the Action is cancelled": {
    ...{
      ...deploy,
      spec: toChanged(),
      revisions: [{ revision: 2, outcome: "stuck", at: "DEPLOYING" }],
    },
    ...{
      covers: ["cancelled", "killed"],
      end: "1 cancelled",
      stopAt: /DEPLOYING|::error/,
      event: PULL,
    },
    inputs: { ...REPORT, environment: "production" },
  },
  "the Action's gate fails before the deploy": {
    ...{
      ...deploy,
      spec: toChanged(),
      files: { "rows.json": rows(0) },
      covers: ["gates-ran", "gate-alpha", "results"],
    },
    ...{ end: "1 blocked", inputs: { ...REPORT, experiment: "rows.json", gate: "m >= 0.9" } },
  },
  "the Action's gate fails after verify": {
    ...{ ...deploy, spec: toChanged(), files: { "rows.json": rows(0) }, covers: ["never-green"] },
    end: "1 deployed",
    inputs: {
      ...REPORT,
      experiment: "out/made.json",
      gate: "m >= 0.9",
      verify: "mkdir out; cp rows.json out/made.json",
    },
  },
  "a gate after the deploy rolls the Action back": {
    ...{ ...deploy, spec: toChanged(), files: { "rows.json": rows(0) } },
    ...{ covers: ["rollback-by-a-gate"], end: "1 deployed" },
    inputs: {
      ...REPORT,
      ...{ experiment: "rows.json", gate: "m >= 0.9", "gate-when": "after" },
      "on-failure": "rollback",
    },
  },
  "the Action waits": {
    ...{
      entry: "action",
      command: "wait",
      covers: ["waiting"],
      end: "0 deployed",
      inputs: REPORT,
    },
  },
  "the Action redeploys": {
    ...{
      entry: "action",
      command: "redeploy",
      covers: ["redeploy"],
      end: "0 deployed",
      inputs: REPORT,
    },
  },
  "the Action rolls back by command": {
    ...{
      entry: "action",
      command: "rollback",
      covers: ["rollback-from-ci"],
      end: "0 deployed",
    },
    inputs: REPORT,
    prepare: async ({ workspace, before }) => {
      workspace.write("agent-deploy.yml", toChanged());
      await before(["apply"]);
      return undefined;
    },
  },
  "the Action leaves out an optional secret": {
    ...{
      ...deploy,
      spec: toChanged().replace(
        '"secrets": [',
        '"secrets": [{ "name": "LEFT_OUT", "optional": true },',
      ),
    },
    ...{ covers: ["optional-values"], end: "0 deployed", inputs: REPORT },
  },
  "the Action uploads the checkout": {
    ...{
      ...deploy,
      live: [],
      spec: `name: law-agent
source: internal_source
source_config: { deployment_type: prod }
source_revision_config: { langgraph_config_path: langgraph.json }
secrets: [PLAIN, NPM_TOKEN, QUOTED]
`,
      files: {
        "langgraph.json": '{ "dependencies": ["."], "graphs": { "agent": "./agent.py:graph" } }',
        "agent.py": "graph = None\n",
      },
    },
    ...{
      covers: ["checkout-source", "packed-source", "source-upload"],
      end: "0 deployed",
      inputs: REPORT,
    },
  },
  "the Action destroys": {
    ...{ entry: "action", command: "destroy", covers: ["destroy"], end: "0 updated" },
    inputs: { ...REPORT, confirm: "law-agent", environment: "production" },
  },
  "the Action uploads": {
    ...{
      entry: "action",
      command: "upload",
      files: { "rows.json": rows(1) },
      covers: ["stored-routes"],
    },
    ...{ end: "0 unchanged", reads: true, event: PULL },
    inputs: { ...REPORT, experiment: "rows.json", gate: "m >= 0.5", "write-baseline": "base.json" },
  },
  "the Action prints what it would upload": {
    ...{ entry: "action", command: "upload", files: { "rows.json": rows(1) }, covers: ["results"] },
    ...{ end: "0 unchanged", reads: true, offline: true },
    inputs: { ...REPORT, experiment: "rows.json", "dry-run": "true" },
  },
  "the Action gates": {
    ...{ entry: "action", command: "gate", files: { "rows.json": rows(0), "base.json": rows(1) } },
    ...{ covers: ["results"], end: "1 unchanged", reads: true, offline: true, event: PULL },
    inputs: { ...REPORT, experiment: "rows.json", baseline: "base.json", gate: "m drop <= 0.1" },
  },
  "the Action merges reports": {
    ...{
      entry: "action",
      command: "report",
      covers: ["false-ends"],
      end: "1 failed",
      reads: true,
      offline: true,
    },
    ...{
      event: PULL,
      inputs: { ...REPORT, reports: "leg.json" },
      spec: toChanged(),
      revisions: FAILS,
    },
    prepare: async ({ before }) => {
      await before(["apply", "--report-file", "leg.json", "--verify", PRINTING]);
      return undefined;
    },
  },
  "the Action validates": {
    ...{
      entry: "action",
      command: "validate",
      covers: ["validate"],
      end: "0 unchanged",
      inputs: REPORT,
      offline: true,
    },
  },
  "the Action finds a spec wrong": {
    ...{
      entry: "action",
      command: "validate",
      covers: ["validate"],
      end: "1 failed",
      inputs: REPORT,
      offline: true,
    },
    spec: toSpec()
      .replace(
        '"min_scale": 1',
        '"min_scale": "${NPM_TOKEN}", "cpu": "${PLAIN}", "max_scale": "${DB_DSN}"',
      )
      .replace(
        '"PLAIN"',
        `"PLAIN", "PASTED=${SECRETS["a literal secret"]}", "${SECRETS["a literal secret"]}"`,
      ),
  },
  "the Action renders": {
    ...{
      entry: "action",
      command: "render",
      covers: [],
      end: "0 unchanged",
      inputs: REPORT,
      offline: true,
    },
  },
  "the Action exports": {
    ...{ entry: "action", command: "export", covers: ["export"], end: "0 unchanged", reads: true },
    ...{ inputs: { ...REPORT, spec: "made.yml" }, prepare: withId },
  },
  "the Action is untrusted": {
    ...{
      entry: "action",
      command: "apply",
      covers: ["credentials"],
      end: "1 blocked",
      spec: toChanged().replaceAll(/\$\{\w+\}/g, "-"),
    },
    ...{ inputs: REPORT, event: { name: "check_run", payload: {} }, reads: true },
  },
  "the Action has no key, for a fork": {
    ...{
      entry: "action",
      command: "auto",
      covers: ["credentials"],
      end: "0 skipped",
      spec: toChanged(),
    },
    ...{ inputs: { ...REPORT, "api-key": "" }, event: FORK, offline: true },
  },
  "the Action has a bearer token": {
    ...{ ...deploy, spec: toChanged(), covers: ["credentials"], end: "0 deployed" },
    inputs: {
      ...REPORT,
      "api-key": "",
      "bearer-token": SECRETS["the bearer token"],
      "tenant-id": "0b5b1c5e-5a0f-4b6e-8f6a-2a6f0c1d2e3f",
    },
  },
  "the Action has a target that nobody knows": {
    ...{ ...deploy, covers: ["workflows"], end: "1 failed", offline: true },
    ...{ spec: toSpec("law-agent", { targets: { [SECRETS["a literal secret"]]: {} } }) },
    inputs: { ...REPORT, target: "prod" },
  },
  "a terminal plans": {
    ...{
      ...terminal,
      command: "plan",
      words: ["--json"],
      inputs: REPORT,
      spec: toChanged(),
      covers: [],
      end: "0 planned",
    },
  },
  "a terminal plans what is piped in": {
    ...{
      ...terminal,
      command: "plan",
      words: ["-"],
      inputs: REPORT,
      stdin: toChanged(),
      covers: ["piped-spec"],
      end: "0 planned",
    },
  },
  "a terminal deploys": {
    ...{
      ...terminal,
      command: "apply",
      inputs: { ...REPORT, verify: PRINTING },
      spec: toChanged(),
    },
    ...{ revisions: [{ revision: 2, log: tell(BY_SPEC) }], covers: [], end: "1 failed" },
  },
  "a terminal deploys with a file of variables": {
    ...{ ...terminal, command: "apply", inputs: { ...REPORT, "env-file": "prod.env" }, live: [] },
    ...{
      files: { "prod.env": `IN_FILE='${SECRETS["a literal secret"]}'\n` },
      covers: ["environment-file"],
    },
    ...{ spec: toSpec().replace('"PLAIN"', '"PLAIN", "IN_FILE"'), end: "0 deployed" },
  },
  "a terminal meets a build that fails": {
    ...{
      ...terminal,
      command: "apply",
      inputs: { ...REPORT, json: "true" },
      spec: toChanged(),
      revisions: FAILS,
    },
    ...{ covers: ["failed-build"], end: "1 failed" },
  },
  "a terminal decides by itself": {
    ...{
      ...terminal,
      command: "auto",
      inputs: REPORT,
      spec: toChanged(),
      covers: ["auto"],
      end: "0 deployed",
    },
  },
  "a terminal waits": {
    ...{
      ...terminal,
      command: "wait",
      inputs: REPORT,
      covers: ["waiting"],
      end: "0 deployed",
      reads: true,
      prepare: withId,
    },
  },
  "a terminal redeploys": {
    ...{
      ...terminal,
      command: "redeploy",
      inputs: REPORT,
      covers: ["redeploy"],
      end: "0 deployed",
      reads: true,
      prepare: withId,
    },
  },
  "another CI plans": {
    ...{
      ...terminal,
      command: "plan",
      spec: toChanged(),
      env: { CI: "true", GITLAB_CI: "true", CI_COMMIT_SHA: "2".repeat(40) },
      inputs: REPORT,
      covers: ["any-ci"],
      end: "0 planned",
    },
  },
  "a terminal rolls back": {
    ...{
      ...terminal,
      command: "rollback",
      words: ["law-agent", "--yes"],
      inputs: REPORT,
      covers: ["rollback-by-name"],
      end: "0 deployed",
      reads: true,
    },
    prepare: async ({ workspace, before }) => {
      workspace.write("agent-deploy.yml", toChanged());
      await before(["apply"]);
      return undefined;
    },
  },
  "a terminal destroys": {
    ...{
      ...terminal,
      command: "destroy",
      inputs: { ...REPORT, confirm: "law-agent" },
      covers: ["destroy"],
      end: "0 updated",
    },
  },
  "a terminal uploads": {
    ...{
      ...terminal,
      command: "upload",
      words: ["rows.json"],
      inputs: REPORT,
      files: { "rows.json": rows(1) },
    },
    ...{ covers: ["stored-agents", "stored-baseline"], end: "0 unchanged", reads: true },
  },
  "a terminal gates": {
    ...{
      ...terminal,
      command: "gate",
      words: ["rows.json", "--json"],
      files: { "rows.json": rows(0) },
    },
    ...{
      inputs: { ...REPORT, gate: "m >= 0.9" },
      covers: ["results"],
      end: "4 unchanged",
      reads: true,
      offline: true,
    },
  },
  "a terminal merges reports": {
    ...{
      ...terminal,
      command: "report",
      words: ["leg.json"],
      inputs: REPORT,
      spec: toChanged(),
      revisions: FAILS,
    },
    ...{ covers: ["false-ends"], end: "1 failed", reads: true, offline: true },
    prepare: async ({ before }) => {
      await before(["apply", "--report-file", "leg.json"]);
      return undefined;
    },
  },
  "a terminal validates": {
    ...{
      ...terminal,
      command: "validate",
      inputs: REPORT,
      covers: ["validate"],
      end: "0 unchanged",
      offline: true,
    },
  },
  "a terminal renders": {
    ...{ ...terminal, command: "render", covers: [], end: "0", offline: true },
  },
  "a terminal exports": {
    ...{
      ...terminal,
      command: "export",
      words: ["--all"],
      covers: ["export"],
      end: "0",
      reads: true,
    },
  },
  "a terminal lists": {
    ...{
      ...terminal,
      command: "list",
      words: ["--json"],
      covers: ["listing", "reading", "name-or-id"],
      end: "0",
      reads: true,
    },
  },
  "a terminal looks deployments up": {
    ...{
      ...terminal,
      command: "lookup",
      words: ["deployments"],
      covers: ["listing"],
      end: "0",
      reads: true,
    },
  },
  "a terminal shows a status": {
    ...{
      ...terminal,
      command: "status",
      words: ["law-agent"],
      spec: toChanged(),
      revisions: failing(BY_READING),
    },
    ...{ covers: ["reading"], end: "0", reads: true },
    prepare: async ({ before }) => {
      await before(["apply"]);
      return undefined;
    },
  },
  "a terminal shows a history": {
    ...{
      ...terminal,
      command: "history",
      words: ["law-agent", "--json"],
      covers: ["reading"],
      end: "0",
      reads: true,
    },
  },
  "a terminal shows scores": {
    ...{
      ...terminal,
      command: "history",
      words: ["--dataset", "suite"],
      files: { "rows.json": rows(1) },
    },
    ...{ covers: ["score-history"], end: "0", reads: true },
    prepare: async ({ before }) => {
      await before(["upload", "rows.json", "--dataset-name", "suite"]);
      return undefined;
    },
  },
  "a terminal reads the log": {
    ...{
      ...terminal,
      command: "logs",
      words: ["law-agent"],
      spec: toChanged(),
      revisions: failing(BY_READING),
    },
    ...{ covers: ["reading", "reading-logs"], end: "0", reads: true },
    prepare: async ({ before }) => {
      await before(["apply"]);
      return undefined;
    },
  },
  "a terminal shows addresses": {
    ...{
      ...terminal,
      command: "open",
      words: ["law-agent"],
      covers: ["reading"],
      end: "0",
      reads: true,
    },
  },
  "a terminal asks who it is": {
    ...{ ...terminal, command: "whoami", covers: ["reading"], end: "0", reads: true },
  },
  "a terminal begins with what is live": {
    ...{
      ...terminal,
      command: "init",
      inputs: { output: "first.yml" },
      covers: [],
      end: "0",
      reads: true,
      prepare: withId,
    },
  },
};

/** Commands that are given no key and read nothing of a user's, so that there is nothing to hide. */
export const WITHOUT_SECRETS: Readonly<Partial<Record<Command, string>>> = {
  emulator:
    "serves until it is stopped; its state file holds what it was told, for its owner alone",
  demo: "runs apply, upload and gate on values of its own",
  completion: "prints a script that is the same everywhere",
};
