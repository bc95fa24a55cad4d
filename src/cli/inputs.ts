import { type Command, commandRow, COMMANDS } from "./command-table.ts";
import { UUID } from "../model/live.ts";
import { REGIONS } from "../model/name-rules.ts";

/**
 * One row of the input table. Without a `type` it is one of its `values`, or text on one line; a
 * boolean is false unless its `default` is true. `specKey` is the key under the spec's `deploy:`
 * that ranks between the input and its default, so such an input stays undefined unless given.
 * `env` lists the variables that the CLI reads when there is no flag; a secret has no flag.
 */
export interface InputRow {
  readonly type?: "string" | "text" | "boolean" | "duration" | "integer" | "list" | "object";
  readonly doc: string;
  readonly on: readonly Command[];
  readonly default?: string | boolean | number | readonly string[];
  /** The default in action.yml, if GitHub must evaluate it. */
  readonly expression?: string;
  readonly specKey?: string;
  readonly values?: readonly string[];
  /** The pattern of a `string`, and the message for one that does not match. */
  readonly form?: readonly [pattern: RegExp, words: string];
  /** Inclusive; milliseconds for a duration. */
  readonly bounds?: readonly [least: number, most: number];
  readonly secret?: true;
  /** Replaced by a command: still accepted with a warning, no longer in the help. */
  readonly replacedBy?: string;
  /** Old names: still accepted with a warning, and deprecated in action.yml. */
  readonly formerly?: readonly string[];
  /** It protects against unwanted actions: a blank value is an error, not "not given". */
  readonly guard?: true;
  readonly env?: readonly string[];
  /** Not on the command line. */
  readonly actionOnly?: true;
}

const ALL = Object.keys(COMMANDS) as Command[];

const without = (commands: readonly Command[], ...others: readonly Command[]): Command[] =>
  commands.filter((command) => !others.includes(command));

/** The commands available in the Action. */
const ACTION = ALL.filter((command) => commandRow(command).cli !== true);

const DEPLOY = ["auto", "plan", "apply"] as const;

const APPLY = ["auto", "apply"] as const;

const SCORED = ["auto", "apply", "upload", "gate"] as const;

const UPLOADS = ["auto", "apply", "upload"] as const;

const WAITS = [...SCORED, "wait", "redeploy", "rollback", "destroy"] as const;

const NAMED = ALL.filter(
  (command) => commandRow(command).positional === "name" || commandRow(command).named === true,
);

/** `gate` is included for its rollback; without `on-failure: rollback` it needs no key and no network. */
const REMOTE = without(ALL, "report", "validate", "render", "emulator", "demo", "completion");

const REPORTING = without(ACTION, "render", "export", "emulator");

/** Commands that read a spec or write to the service: for these it matters whose code is checked out. */
const TRUSTS = without(ACTION, "report", "export", "emulator");

const SPEC = [
  ...ALL.filter((command) => commandRow(command).positional === "spec"),
  "rollback",
] as const;

const MINUTE = 60_000;

const DAY = 24 * 60 * MINUTE;

/** The inputs of the Action, which the command line has as flags. */
const SHARED = {
  command: {
    values: ACTION,
    default: "auto",
    on: ALL,
    doc: "Command to run. On the command line, the first word.",
  },
  spec: {
    type: "list",
    default: ["agent-deploy.yml"],
    on: SPEC,
    doc: "Spec files or patterns, separated by lines or commas. On the command line, `-` reads from stdin. For `export` in the Action: the file to write.",
  },
  only: {
    guard: true,
    type: "list",
    on: SPEC,
    doc: "Work only on these deployments (exact names).",
  },
  target: {
    on: SPEC,
    doc: "Target of the spec (`deploy.targets`). Default: `environment`, if it names a target.",
  },
  "api-key": {
    secret: true,
    env: ["AGENT_DEPLOY_API_KEY", "LANGSMITH_API_KEY"],
    on: REMOTE,
    doc: "API key for the service.",
  },
  "tenant-id": {
    env: ["AGENT_DEPLOY_TENANT_ID", "LANGSMITH_TENANT_ID"],
    on: REMOTE,
    doc: "Tenant (workspace) ID. Required with a bearer token or an organization key.",
  },
  "bearer-token": {
    secret: true,
    env: ["AGENT_DEPLOY_BEARER_TOKEN"],
    on: REMOTE,
    doc: "Bearer token, instead of an API key.",
  },
  region: {
    values: REGIONS,
    default: "us",
    env: ["AGENT_DEPLOY_REGION"],
    specKey: "deploy.targets.NAME.region",
    on: REMOTE,
    doc: "Region of the hosted service.",
  },
  "control-plane-url": {
    env: ["AGENT_DEPLOY_CONTROL_PLANE_URL", "LANGGRAPH_HOST_URL"],
    on: REMOTE,
    doc: "URL of a self-hosted control plane or an emulator. Overrides `region`; the tracing URL is derived from it.",
  },
  "tracing-url": {
    env: ["AGENT_DEPLOY_TRACING_URL", "LANGSMITH_ENDPOINT"],
    on: REMOTE,
    doc: "URL of a self-hosted tracing API. Overrides `region`.",
  },
  "deployment-id": {
    form: [UUID, "is not a deployment ID: it takes a UUID, and agent-deploy list shows the ids"],
    specKey: "deploy.id",
    on: [...without(ACTION, "report", "validate", "render", "emulator"), "init"],
    doc: "Deployment ID. Not allowed with several documents.",
  },
  "revision-id": {
    on: ["wait", "redeploy", "rollback", "upload", "gate", "logs"],
    doc: "Revision ID. Default: the latest revision; `rollback`: the one that was active before.",
  },
  "previous-revision-id": {
    on: ["upload", "gate"],
    doc: "Revision to roll back to if the gate of a later step fails.",
  },
  commit: {
    form: [/^[0-9a-f]{7,64}$/i, "is not a commit; write its hexadecimal SHA, 7 characters or more"],
    on: DEPLOY,
    doc: "Commit that must be deployed. Default: the commit of this run, if the spec uses this repository and branch.",
  },
  create: {
    values: ["auto", "never", "always"],
    default: "auto",
    on: DEPLOY,
    doc: "What to do if the deployment does not exist. `auto` creates it if a lookup finds none; `always` also works without a lookup.",
  },
  force: {
    type: "boolean",
    on: DEPLOY,
    doc: "Redeploy even if nothing changed. Also allows an older commit.",
  },
  "secrets-unknown": {
    values: ["keep", "send"],
    default: "keep",
    on: DEPLOY,
    doc: "What to do with secrets whose live value the service does not return.",
  },
  "expect-plan": {
    // The name of a file, or 12 to 64 digits of a fingerprint.
    form: [
      /[^0-9a-f]|^.{12,64}$/i,
      "is not a fingerprint; write all 64 digits, or at least the first 12",
    ],
    on: APPLY,
    guard: true,
    doc: "Fails if the plan has changed since it was approved. Takes the fingerprint, its first 12 or more characters, or the plan's report file.",
  },
  "fail-on-changes": {
    type: "boolean",
    on: DEPLOY,
    doc: "Fail if the plan has changes, to detect drift. The command line exits with 3.",
  },
  confirm: {
    on: ["destroy"],
    doc: "Repeat the deployment name to confirm deletion.",
  },
  "delete-traces": {
    type: "boolean",
    on: ["destroy"],
    doc: "Also delete the tracing project and all its traces.",
  },
  wait: {
    type: "boolean",
    default: true,
    on: ["auto", "plan", "apply", "redeploy", "destroy"],
    doc: "Wait until the revision is deployed or has failed (destroy: until it is gone).",
  },
  timeout: {
    type: "duration",
    default: "30m",
    specKey: "deploy.timeout",
    bounds: [1, DAY],
    on: REMOTE,
    doc: "Timeout for the build and rollout. It also applies separately to time in the queue.",
  },
  "poll-interval": {
    type: "duration",
    bounds: [1, 10 * MINUTE],
    on: WAITS,
    doc: "Poll interval. Default: adaptive, from half a second to 40 s.",
  },
  "stream-logs": {
    type: "boolean",
    on: ["auto", "apply", "wait", "redeploy", "rollback"],
    doc: "Print the build and deploy logs while waiting, in collapsible groups. Each look at a revision then makes one more request. A terminal and a run with debug logging (`RUNNER_DEBUG=1`) always do this.",
  },
  concurrency: {
    type: "integer",
    default: 8,
    bounds: [1, 100],
    on: [...DEPLOY, "export"],
    doc: "Number of deployments to work on at the same time.",
  },
  "fail-fast": {
    type: "boolean",
    on: APPLY,
    doc: "Stop starting deployments after the first failure.",
  },
  "on-failure": {
    values: ["none", "rollback"],
    default: "none",
    specKey: "deploy.on_failure",
    on: ["plan", ...SCORED],
    doc: "Roll back to the previously active revision on failure. The step still fails.",
  },
  "on-superseded": {
    values: ["fail", "warn"],
    default: "fail",
    on: WAITS,
    doc: "Fail or only warn if a newer revision took over.",
  },
  verify: {
    type: "text",
    specKey: "deploy.verify",
    on: DEPLOY,
    doc: "Shell command to check the deployment. Runs with `bash -c` after each apply that waited or had nothing to do; non-zero fails.",
  },
  experiment: {
    type: "list",
    on: SCORED,
    doc: "Result files or patterns, separated by lines or commas.",
  },
  format: {
    default: "auto",
    on: SCORED,
    doc: "Format of the result files. `auto` detects it from the content.",
  },
  mapping: {
    on: SCORED,
    doc: "YAML file that maps fields to columns. One `field: column` per line.",
  },
  split: {
    values: ["auto", "none"],
    default: "auto",
    on: SCORED,
    doc: "How to split a file into experiments. `auto`: promptfoo files give one per provider and prompt; `none`: always one per file.",
  },
  drop: {
    type: "list",
    on: UPLOADS,
    doc: "Row fields to leave out of the upload, such as `run_metadata`. `actual_outputs:2000` shortens its texts to 2000 characters.",
  },
  "dry-run": {
    type: "boolean",
    on: [...UPLOADS, "rollback"],
    doc: "Print the request bodies of uploads without sending them. `apply` only plans.",
  },
  "experiment-name": {
    on: UPLOADS,
    doc: "Experiment name. Default: unique for each upload.",
  },
  "experiment-description": { on: UPLOADS, doc: "Experiment description." },
  "experiment-metadata": {
    type: "object",
    on: UPLOADS,
    doc: "JSON object to add to the experiment's metadata.",
  },
  "dataset-name": {
    on: SCORED,
    doc: "Dataset name. Default: the same for every run of a repository and suite.",
  },
  "dataset-id": {
    form: [UUID, "is not a dataset ID: it takes a UUID; for a name, use dataset-name"],
    on: SCORED,
    doc: "Dataset ID, instead of its name.",
  },
  "dataset-description": { on: UPLOADS, doc: "Dataset description." },
  gate: {
    guard: true,
    type: "text",
    on: SCORED,
    doc: "Gates, such as `correctness >= 0.85`, or a gate file. The file is a YAML mapping with `gates:`.",
  },
  "gate-when": {
    values: ["auto", "before", "after"],
    default: "auto",
    on: APPLY,
    doc: "When to gate result files. `auto`: existing files before the first write, files that `verify` creates after it.",
  },
  baseline: {
    on: SCORED,
    doc: "Baseline to compare with. A baseline file, a result file, `base:FILE` (as the base branch has it), `experiment:auto` (last good run of the base branch) or `experiment:NAME`.",
  },
  "on-inconclusive": {
    values: ["pass", "warn", "fail"],
    default: "warn",
    on: SCORED,
    doc: "What an inconclusive gate does to the step.",
  },
  "on-no-baseline": {
    values: ["pass", "warn", "fail"],
    default: "warn",
    on: SCORED,
    doc: "What a missing baseline does to the step.",
  },
  "write-baseline": {
    on: SCORED,
    doc: "Write this run's scores to a file, as the baseline of later runs.",
  },
  "accept-baseline": {
    type: "boolean",
    on: SCORED,
    doc: "Accept this run as the baseline even if a gate failed or no baseline existed. Set it by hand, not in every run.",
  },
  evaluator: {
    on: SCORED,
    doc: "Version of the judge or scorer. A baseline that another version scored is not compared.",
  },
  comment: {
    values: ["auto", "changes", "never"],
    default: "auto",
    on: REPORTING,
    doc: "Keep one pull request comment up to date. `changes`: do not post one if nothing changes. Needs `pull-requests: write`.",
  },
  "comment-key": {
    on: REPORTING,
    doc: "Distinguishes comments from otherwise identical steps.",
  },
  "github-token": {
    secret: true,
    env: ["GITHUB_TOKEN"],
    expression: "${{ github.token }}",
    on: REPORTING,
    doc: "Token for the comment, the commit comparison and GitHub Deployments.",
  },
  environment: {
    on: SPEC,
    doc: "GitHub environment to report the deployment to. Needs `deployments: write`.",
  },
  summary: { type: "boolean", default: true, on: REPORTING, doc: "Write the job summary." },
  "report-file": {
    on: REPORTING,
    doc: "Path for the full JSON report. Default: a file in RUNNER_TEMP.",
  },
  "markdown-file": {
    on: REPORTING,
    doc: "Also write the comment as Markdown to this file, for any CI to post.",
  },
  reports: {
    type: "list",
    on: ["report"],
    doc: "Report files or patterns to merge.",
  },
  matrix: {
    expression: "${{ toJSON(matrix) }}",
    on: REPORTING,
    doc: "Internal. Do not set.",
  },
  "matrix-size": {
    type: "integer",
    default: 200,
    bounds: [1, 256],
    on: DEPLOY,
    doc: "Maximum number of jobs in the output `matrix`. With more deployments, a job gets several.",
  },
  strategy: {
    actionOnly: true,
    expression: "${{ toJSON(strategy) }}",
    on: REMOTE,
    doc: "Internal. Do not set.",
  },
  needs: {
    type: "text",
    on: ["report"],
    doc: "Results of earlier jobs, as JSON: toJSON(needs) in an expression. Fails if one failed or was cancelled.",
  },
  "max-failures": {
    form: [
      /^(?=\d{1,6}%?$)0*(?:[1-9]\d*|(?:[1-9]\d?|100)%)$/,
      "is not a valid number or percentage; write 3 or 10%",
    ],
    on: APPLY,
    doc: "Stop after this many failures, as a number or a percentage of the documents. Default: any failure stops the next wave.",
  },
  "drift-issue": {
    type: "boolean",
    on: ["auto", "plan"],
    doc: "Open and maintain one issue for drift (manual changes); it closes when the drift is gone. Needs the deploy step's `environment`, whose GitHub Deployments distinguish drift from what is pending, and `issues: write`.",
  },
  "allow-untrusted": {
    type: "boolean",
    on: TRUSTS,
    doc: "Trust code from forks under `pull_request_target`, `workflow_run` or comments. Otherwise such a run reads no environment variables, runs no `verify` and writes nothing.",
  },
} as const satisfies Record<string, InputRow>;

/** The flags that only the command line has. */
export const FLAGS = {
  floors: {
    values: ["observed", "proven"],
    on: ["gate"],
    doc: "How a floor decides. `observed`: by the score of this run. `proven`: only where chance cannot explain it. Default: what the gate file says, else observed.",
  },
  "api-key-file": {
    on: REMOTE,
    doc: "File with the API key. It may be outside the current directory.",
  },
  json: {
    type: "boolean",
    on: [...REPORTING, "lookup", "list", "whoami", "status", "history", "logs", "open"],
    doc: "Print the report as JSON to stdout.",
  },
  explain: {
    type: "boolean",
    on: ["upload"],
    doc: "Show how the first rows were read; send nothing.",
  },
  "allow-outside": {
    type: "boolean",
    // The emulator's own files may be anywhere.
    on: ALL.filter((command) => command !== "emulator"),
    doc: "Allow files outside the current directory.",
  },
  all: {
    type: "boolean",
    on: ["export"],
    doc: "Export every deployment.",
  },
  output: {
    on: ["export", "init"],
    doc: "File to write. Default: stdout for `export`, agent-deploy.yml for `init`.",
  },
  "env-file": {
    type: "list",
    on: ALL,
    doc: "File of NAME=value lines, for variables that are not set yet.",
  },
  quiet: {
    type: "boolean",
    on: ALL,
    doc: "Print no progress: warnings, errors and the report only.",
  },
  color: {
    type: "boolean",
    default: true,
    on: ALL,
    doc: "Colours on a terminal. NO_COLOR turns them off too.",
  },
  name: {
    on: NAMED,
    doc: "Name or id of the deployment.",
  },
  last: {
    type: "integer",
    default: 30,
    bounds: [1, 100],
    on: ["history"],
    doc: "Show this many, the newest first.",
  },
  dataset: {
    on: ["history"],
    doc: "Name or id of a dataset, to show the scores of its experiments.",
  },
  metric: {
    on: ["history"],
    doc: "Show only this metric, and the examples that flip by it.",
  },
  follow: {
    type: "boolean",
    on: ["logs"],
    doc: "Print new lines until the revision ends.",
  },
  to: {
    on: ["rollback"],
    guard: true,
    doc: "Revision to go back to, or how its id begins.",
  },
  yes: {
    type: "boolean",
    on: ["auto", "apply", "init", "rollback"],
    doc: "Do not ask anything on a terminal.",
  },
  calibrate: {
    type: "boolean",
    on: ["gate"],
    replacedBy: "gate calibrate",
    doc: "Show how often these gates fail an unchanged agent, from the repeats in the files.",
  },
  plan: {
    type: "boolean",
    on: ["gate"],
    replacedBy: "gate plan",
    doc: "Only estimate how many examples and repeats are needed to detect a fall.",
  },
  host: {
    default: "127.0.0.1",
    on: ["emulator"],
    doc: "Address to listen on.",
  },
  port: {
    type: "integer",
    default: 4010,
    bounds: [0, 65_535],
    on: ["emulator"],
    doc: "Port to listen on, or 0 for any free one.",
  },
  state: {
    on: ["emulator"],
    doc: "File that keeps the state across restarts.",
  },
  scenario: {
    on: ["emulator"],
    doc: "YAML file with timelines, faults and initial data.",
  },
  strict: {
    type: "boolean",
    on: ["emulator"],
    doc: "Serve only the documented API, without the hosted service's additions.",
  },
} as const satisfies Record<string, InputRow>;

/** THE INPUT TABLE: action.yml, `--help`, the README and the typed Options derive from it. */
export const INPUTS = { ...SHARED, ...FLAGS };

/** An input as action.yml spells it; the command line puts two dashes before it. */
export type InputName = keyof typeof INPUTS;

/** THE INPUTS OF gate/action.yml, in its order, with the rows that they set. */
export const GATE_INPUTS = {
  results: "experiment",
  gates: "gate",
  baseline: "baseline",
  floors: "floors",
  "on-inconclusive": "on-inconclusive",
  "write-baseline": "write-baseline",
  "accept-baseline": "accept-baseline",
  comment: "comment",
  "github-token": "github-token",
  "api-key": "api-key",
  region: "region",
} as const satisfies Record<string, InputName>;

/** The inputs that most workflows need; help and the reference begin with them. */
export const BASIC_INPUTS: readonly InputName[] = [
  "command",
  "spec",
  "target",
  "api-key",
  "region",
  "control-plane-url",
  "environment",
  "timeout",
  "verify",
  "on-failure",
  "experiment",
  "gate",
  "baseline",
  "comment",
];
