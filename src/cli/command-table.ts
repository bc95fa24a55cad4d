/** One command; help, flags and the entry points derive from this table. */
export interface CommandRow {
  readonly doc: string;
  /** What its help shows after `agent-deploy`; absent: the command, with a name if it takes one. */
  readonly example?: string;
  /** Not available in the Action. */
  readonly cli?: true;
  /** The only words it accepts as argument. */
  readonly words?: readonly string[];
  /** Leading words that switch its mode: each sets the input of that name. */
  readonly modes?: Readonly<Record<string, string>>;
  /** The input that bare words fill. */
  readonly positional?: "spec" | "experiment" | "reports" | "name";
  /** A bare word without a dot or slash is a deployment's name or id rather than a file. */
  readonly named?: true;
}

/** Every command with a one-line description. */
export const COMMANDS = {
  auto: {
    doc: "plan on pull_request and merge_group, apply elsewhere",
    example: "auto --region eu",
    positional: "spec",
  },
  plan: {
    doc: "compare the spec with what is live; change nothing",
    example: "plan --only support-agent --fail-on-changes",
    positional: "spec",
  },
  apply: {
    doc: "create or update, wait until it runs, verify, upload, gate",
    example: "apply --on-failure rollback --verify 'npm run smoke'",
    positional: "spec",
  },
  wait: {
    doc: "wait for a deployment's revision until it ends",
    positional: "spec",
    named: true,
  },
  redeploy: {
    doc: "redeploy a revision (default: the latest), then wait",
    positional: "spec",
    named: true,
  },
  destroy: {
    doc: "delete a deployment whose name you confirm",
    example: "destroy preview.yml --confirm support-agent-pr-7",
    positional: "spec",
    named: true,
  },
  upload: {
    doc: "upload experiment results, gate them, report",
    example: "upload results.json --gate 'correctness >= 0.85'",
    positional: "experiment",
  },
  gate: {
    doc: "score and gate result files; no network",
    example: "gate results.json --gate 'correctness >= 0.85'",
    positional: "experiment",
    modes: {
      plan: "only estimate how many examples are needed to detect a fall",
      calibrate: "show how often these gates fail an unchanged agent",
    },
  },
  report: {
    doc: "merge the report files of a job matrix into one outcome",
    example: "report 'reports/*.json'",
    positional: "reports",
  },
  validate: {
    doc: "check the spec; no network, no key",
    example: "validate agent-deploy.yml",
    positional: "spec",
  },
  render: {
    doc: "print the resolved document of a target; no network",
    example: "render --target production",
    positional: "spec",
  },
  export: {
    doc: "write a spec from a live deployment",
    positional: "spec",
    named: true,
  },
  lookup: {
    doc: "list the ids of integrations, listeners or deployments",
    example: "lookup integrations",
    words: ["integrations", "listeners", "deployments"],
    positional: "name",
    cli: true,
  },
  list: { doc: "list the deployments of the workspace", cli: true },
  status: {
    doc: "show what a deployment serves and what is in progress",
    positional: "name",
    cli: true,
  },
  history: {
    doc: "list the revisions of a deployment, or the scores of a dataset",
    example: "history support-agent --last 10",
    positional: "name",
    cli: true,
  },
  logs: {
    doc: "print the logs of a deployment's latest revision",
    example: "logs support-agent --follow",
    positional: "name",
    cli: true,
  },
  open: {
    doc: "print the addresses of a deployment",
    positional: "name",
    cli: true,
  },
  whoami: { doc: "check key, tenant and region against both APIs", cli: true },
  rollback: {
    doc: "redeploy the revision that was active before, then wait",
    example: "rollback support-agent --to 0b6f8f7e",
    positional: "name",
  },
  emulator: {
    doc: "run the service locally; the first line is its URL",
    example: "emulator --port 4010 --state emulator.json",
  },
  demo: { doc: "emulator, sample spec, apply, upload, gate: no network", cli: true },
  init: {
    doc: "write a first spec, from this checkout or what is live",
    positional: "name",
    cli: true,
  },
  completion: {
    doc: "print the completions of a shell: bash, zsh or fish",
    example: "completion bash",
    words: ["bash", "zsh", "fish"],
    positional: "name",
    cli: true,
  },
} as const satisfies Record<string, CommandRow>;

/** Other words for a command. */
const COMMAND_ALIASES: Readonly<Record<string, Command>> = { deploy: "apply" };

/** Every word that names a command, aliases included. */
export const COMMAND_WORDS: readonly string[] = [
  ...Object.keys(COMMANDS),
  ...Object.keys(COMMAND_ALIASES),
];

/** The command that a word means, or undefined. */
export function toCommand(word: string): Command | undefined {
  if (Object.hasOwn(COMMAND_ALIASES, word)) return COMMAND_ALIASES[word];
  return Object.hasOwn(COMMANDS, word) ? (word as Command) : undefined;
}

/** `auto` is a command until the event has resolved it. */
export type Command = keyof typeof COMMANDS;

/** The row of a command, with its optional keys. */
export const commandRow = (command: Command): CommandRow => COMMANDS[command];

/** What `auto` means on an event. */
export function resolveAuto(command: Command, event: string): Command {
  if (command !== "auto") return command;
  return event === "pull_request" || event === "merge_group" ? "plan" : "apply";
}
