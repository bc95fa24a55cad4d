import { argument, firstSentence, flagsOf } from "./help.ts";
import { commandRow, COMMANDS, type Command } from "./command-table.ts";
import { rowOf } from "./options.ts";
import type { InputName } from "./inputs.ts";

/** A shell that `completion` supports. */
export type CompletedShell = (typeof COMMANDS.completion.words)[number];

interface Flag {
  readonly name: string;
  readonly doc: string;
  /** What it takes: one of some words, a file, any text, or nothing. */
  readonly takes: readonly string[] | "file" | "text" | "nothing";
}

/** Renders the script that completes commands, flags, their words and files, from the tables of commands and inputs. */
export function renderCompletion(shell: CompletedShell): string {
  return { bash: renderBash, zsh: renderZsh, fish: renderFish }[shell]();
}

const names = Object.keys(COMMANDS) as Command[];

function flagsFor(command: Command): readonly Flag[] {
  const own = flagsOf(command).flatMap((name): Flag[] => {
    const row = rowOf(name);
    const doc = firstSentence(name).replace(/\.$/, "");
    if (row.type === "boolean" && row.default === true)
      return [{ name: `no-${name}`, doc: `Do not: ${doc}`, takes: "nothing" }];
    return [{ name, doc, takes: takenBy(name) }];
  });
  return [...own, { name: "help", doc: "Show the help of the command", takes: "nothing" }];
}

function takenBy(name: InputName): Flag["takes"] {
  const row = rowOf(name);
  if (row.type === "boolean") return "nothing";
  if (row.type === "enum") return row.values!;
  return /^ files?$/.test(argument(name)) || name === "gate" ? "file" : "text";
}

/** What to complete for a command's bare words. */
function bareWordsOf(command: Command): readonly string[] | "file" | "nothing" {
  const { words, positional: input } = commandRow(command);
  if (words !== undefined) return words;
  return input === undefined || input === "name" ? "nothing" : "file";
}

/** What bash does with an argument: it offers words or files. */
const forBash = (takes: Flag["takes"]): string =>
  typeof takes === "string" ? `kind=${takes}` : `words="${takes.join(" ")}"`;

function renderBash(): string {
  // A flag takes the same for every command that has it.
  const flags = new Map(names.flatMap(flagsFor).map(({ name, takes }) => [name, takes]));
  const values = [...flags]
    .filter(([, takes]) => takes !== "nothing")
    .map(([name, takes]) => `    --${name}) ${forBash(takes)}; return ;;`);
  const commands = names.map((command) => {
    const words = flagsFor(command).map(({ name }) => `--${name}`);
    return `    ${command}) flags="${words.join(" ")}"; ${forBash(bareWordsOf(command))} ;;`;
  });
  return `# bash completion for agent-deploy
_agent_deploy_values() {
  case "$1" in
${values.join("\n")}
    *) return 1 ;;
  esac
}
_agent_deploy_command() {
  case "$1" in
${commands.join("\n")}
  esac
}
_agent_deploy() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" before="" command="" flags="--help --version" kind=nothing words="" word
  [ "$COMP_CWORD" -gt 0 ] && before="\${COMP_WORDS[COMP_CWORD-1]}"
  # The "=" of --flag=value is a word of its own.
  if [ "$cur" = "=" ]; then cur=""; elif [ "$before" = "=" ]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${names.join(" ")} deploy " in *" $word "*) command="$word"; break ;; esac
  done
  [ "$command" = deploy ] && command=apply
  COMPREPLY=()
  if ! _agent_deploy_values "$before"; then
    if [ -z "$command" ]; then words="${[...names, "help"].join(" ")}"; else _agent_deploy_command "$command"; fi
    case "$cur" in -*) words="$flags"; kind=nothing ;; esac
  fi
  if [ -n "$words" ]; then
    local IFS=$' \\n'
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  elif [ "$kind" = file ]; then
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -F _agent_deploy agent-deploy
`;
}

/** Puts a text in single quotes, for every supported shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
/** Escapes brackets and colons for zsh's _arguments. */
const forZsh = (text: string): string => text.replace(/[[\]:\\]/g, "\\$&");

function renderZsh(): string {
  const described = names.map((name) => quoted(`${name}:${forZsh(COMMANDS[name].doc)}`));
  const commands = names.map((command) => {
    const flags = flagsFor(command).map(({ name, doc, takes }) => {
      const text = `[${forZsh(doc)}]`;
      if (takes === "nothing") return quoted(`--${name}${text}`);
      const open = takes === "file" ? "_files" : " ";
      const action = Array.isArray(takes) ? `(${takes.join(" ")})` : open;
      return quoted(`--${name}=${text}:${name}:${action}`);
    });
    const bare = bareWordsOf(command);
    const words = Array.isArray(bare)
      ? quoted(`1:word:(${bare.join(" ")})`)
      : quoted("*:file:_files");
    const rest = bare === "nothing" ? [] : [words];
    return `        ${command}${command === "apply" ? "|deploy" : ""}) _arguments ${[...flags, ...rest].join(" ")} ;;`;
  });
  return `#compdef agent-deploy
_agent_deploy() {
  local state line
  local -a commands
  commands=(${described.join(" ")})
  _arguments -C '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
${commands.join("\n")}
      esac ;;
  esac
}
# Read as a file of $fpath it is the function's own body; sourced, it registers the function.
if [ "$funcstack[1]" = "_agent_deploy" ]; then _agent_deploy "$@"; else compdef _agent_deploy agent-deploy; fi
`;
}

function renderFish(): string {
  const all = [...names, "deploy"].join(" ");
  const commands = names.map(
    (name) =>
      `complete -c agent-deploy -n "not __fish_seen_subcommand_from ${all}" -f -a ${name} -d ${quoted(COMMANDS[name].doc)}`,
  );
  const flags = names.flatMap((command) => {
    const seen = `complete -c agent-deploy -n "__fish_seen_subcommand_from ${command}${command === "apply" ? " deploy" : ""}"`;
    const bare = bareWordsOf(command);
    const words = Array.isArray(bare) ? [`${seen} -f -a "${bare.join(" ")}"`] : [];
    const none = bare === "nothing" ? [`${seen} -f`] : words;
    return [
      ...none,
      ...flagsFor(command).map(({ name, doc, takes }) => {
        const flag = `${seen} -l ${name} -d ${quoted(doc)}`;
        if (takes === "nothing") return flag;
        if (takes === "file") return `${flag} -r -F`;
        return takes === "text" ? `${flag} -x` : `${flag} -x -a "${takes.join(" ")}"`;
      }),
    ];
  });
  return ["# fish completion for agent-deploy", ...commands, ...flags, ""].join("\n");
}
