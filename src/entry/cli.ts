import { parseEnv } from "node:util";
import { parseArguments, type Arguments } from "../cli/arguments.ts";
import { systemClock } from "../clock.ts";
import { renderCommandHelp, renderHelp, renderInputsHelp } from "../cli/help.ts";
import { noteUnjudged, printerOf, runCommand, runPrinting } from "./command.ts";
import { locateWrittenFiles } from "../ci/written-files.ts";
import { readRunContext, readEvent } from "../ci/context.ts";
import { surviveLostOutput } from "../ci/lost-output.ts";
import { createRedactor } from "../secrets/redaction.ts";
import { createTerminalHost } from "../ci/terminal.ts";
import { createWorkspace } from "../files/workspace.ts";
import { resolveAuto, type Command } from "../cli/command-table.ts";
import { type Options, secretsOf } from "../cli/options.ts";
import { keysAmong } from "../secrets/key-like.ts";
import {
  ambientInputs,
  findVariables,
  parseInputs,
  readEnvironment,
  type InputProblem,
} from "../cli/input-values.ts";
import { VERSION } from "../version.ts";
import { abortOnSignals, createSession, endIfCancelled, maskSecrets, wantsLogs } from "./wiring.ts";

/** The command line's entry point: the same commands, with flags named like the inputs. */
export async function run(): Promise<void> {
  const argv = process.argv.slice(2);
  surviveLostOutput(SHOWN.includes(argv[0] ?? ""));
  const args = parseArguments(argv);
  if (args.version) process.stdout.write(`${VERSION}\n`);
  else if (args.help !== undefined) process.stdout.write(renderHelpOf(args.help));
  else await runWith(args, argv);
}

async function runWith(args: Arguments, argv: readonly string[]): Promise<void> {
  const { env, problems: unread } = await readEnvironmentFiles(args, process.env);
  const { raw, problems } = await readRaw(args, env);
  const { options, problems: wrong } = parseInputs(raw, "cli");
  const cwd = process.cwd();
  const { allowOutside } = options;
  const workspace = createWorkspace({ root: cwd, allowOutside, temp: process.env["RUNNER_TEMP"] });
  const located = await locateWrittenFiles(workspace, options);
  const all = [
    ...[...unread, ...args.problems, ...problems],
    ...wrong.map((problem) => fromVariable(problem, args, env)),
    ...located.problems.map((message) => ({ level: "error", message })),
  ];
  const refused = all.filter(({ level }) => level === "error").map(({ message }) => message);
  const command = args.command ?? NO_COMMAND;
  const print = printerOf(command, options);
  // A JSON report also reports a bad call.
  const reports = options.json && print === undefined;
  const redactor = createRedactor();
  // Before any output: a key pasted on the command line is one of the words.
  maskSecrets(redactor, [...secretsOf(options), ...keysAmong(argv)], env);
  for (const { level, message } of all)
    if (!reports || level === "warning")
      process.stderr.write(`${level}: ${redactor.redact(message)}\n`);
  if (!reports && (args.command === undefined || refused.length > 0)) {
    process.exitCode = 2;
    return;
  }

  const streams = openStreams(options, env);
  const context = readRunContext(process.env, readEvent(process.env["GITHUB_EVENT_PATH"]));
  const session = createSession({
    entryPoint: "cli",
    ambient: ambientInputs(env, args.raw),
    command: resolveAuto(command, context.event),
    options,
    env,
    host: createTerminalHost({
      ...streams,
      clock: systemClock,
      redactor,
      output: toOutput(command, options),
      quiet: options.quiet,
      ci: context.host,
      streamLogs: wantsLogs(options, env),
      ...located,
    }),
    redactor,
    workspace,
    run: context,
    cwd,
    signal: abortOnSignals(),
    print: (text, clean) => {
      process.stdout.write(clean === undefined ? redactor.redact(text) : text);
    },
    color: streams.reportColor,
  });
  if (command === "auto") noteUnjudged(session);
  process.exitCode =
    print === undefined ? await runCommand(session, refused) : await runPrinting(session, print);
  endIfCancelled(session.signal);
}

/** Commands that show something and change nothing. */
const SHOWN: readonly string[] = [
  ...["completion", "emulator", "export", "help", "history", "list", "logs", "lookup", "open"],
  ...["render", "status", "validate", "whoami"],
];

/** The command of a report when the call names none or an unknown one; such a call is refused before any table lookup. */
const NO_COMMAND = "" as Command;

/** What a run prints on, with width and colours. */
function openStreams({ color, quiet }: Options, env: NodeJS.ProcessEnv) {
  const { stdout, stderr } = process;
  return {
    stdout,
    stderr,
    isTTY: stderr.isTTY === true && !quiet,
    columns: () => stderr.columns || Infinity,
    reportColumns: stdout.isTTY === true ? stdout.columns || Infinity : Infinity,
    color: color && wantsColor(env, stderr.isTTY === true),
    reportColor: color && wantsColor(env, stdout.isTTY === true),
  };
}

/** What stdout is for: a dry run prints only bodies, one per line, so that they can be piped. */
function toOutput(
  command: Command,
  { json, dryRun, experiment }: Options,
): "text" | "json" | "line" | "none" {
  const prints = dryRun && experiment.length > 0 && ["upload", "apply", "auto"].includes(command);
  if (command === "export" || command === "render" || (prints && !json)) return "none";
  if (!json) return "text";
  return prints ? "line" : "json";
}

function wantsColor(env: NodeJS.ProcessEnv, isTTY: boolean): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  if (!["", "0", "false"].includes(env["FORCE_COLOR"] ?? "")) return true;
  return isTTY && env["TERM"] !== "dumb";
}

function renderHelpOf(help: NonNullable<Arguments["help"]>): string {
  if (help === true) return renderHelp(VERSION);
  return help === "inputs" ? renderInputsHelp() : renderCommandHelp(help);
}

/** The environment, completed from the files of `--env-file`. As in Node, variables already set keep their values. */
async function readEnvironmentFiles({ raw }: Arguments, env: NodeJS.ProcessEnv) {
  const problems: InputProblem[] = [];
  const read: NodeJS.ProcessEnv = {};
  for (const file of (raw["env-file"] ?? "").split("\n").filter((one) => one.trim() !== ""))
    Object.assign(read, parseEnv(await readGiven("env-file", file, MAX_ENV_BYTES, problems)));
  const kept = Object.keys(read).filter((name) => (env[name] ?? read[name]) !== read[name]);
  if (kept.length > 0)
    problems.push({
      level: "warning",
      input: "env-file",
      message: `--env-file: ${kept.join(", ")}: set already in the environment, to another value, which counts; unset it to use the file's`,
    });
  return { env: { ...read, ...env }, problems };
}

/** Reads a file named by the caller, wherever it is; empty, with a problem, if that fails. */
async function readGiven(
  input: string,
  path: string,
  maxBytes: number,
  problems: InputProblem[],
): Promise<string> {
  const workspace = createWorkspace({ root: process.cwd(), allowOutside: true });
  return workspace.readText(path.trim(), maxBytes).catch((error: Error) => {
    problems.push({ level: "error", input, message: `--${input}: ${error.message}` });
    return "";
  });
}

/** A problem with a value from the environment names its variable, not a flag that nobody used. */
function fromVariable(
  problem: InputProblem,
  { raw }: Arguments,
  env: NodeJS.ProcessEnv,
): InputProblem {
  const { input, message } = problem;
  const isFlag = (raw[input] ?? "").trim() !== "";
  const variable = isFlag ? undefined : findVariables(env, raw).get(input);
  return variable === undefined
    ? problem
    : { ...problem, message: message.replace(`--${input}:`, () => `${variable}:`) };
}

const MAX_ENV_BYTES = 1024 * 1024;
/** No key is longer: a longer file is the wrong one. */
const MAX_KEY_BYTES = 64 * 1024;

/** Flags over the environment. A key file is read here, since a key is never passed as a flag. */
async function readRaw(args: Arguments, env: NodeJS.ProcessEnv) {
  const raw: Record<string, string | undefined> = {
    ...readEnvironment(env, args.raw),
    ...args.raw,
  };
  const file = raw["api-key-file"] ?? "";
  if (file === "") return { raw, problems: [] };
  const problems: InputProblem[] = [];
  const key = (await readGiven("api-key-file", file, MAX_KEY_BYTES, problems)).trim();
  return { raw: problems.length > 0 ? raw : { ...raw, "api-key": key }, problems };
}
