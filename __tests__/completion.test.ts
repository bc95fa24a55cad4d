import { execFileSync, spawnSync } from "node:child_process";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { COMMANDS } from "../src/cli/command-table.ts";
import { inputNames, rowOf } from "../src/cli/options.ts";
import { runCli } from "./support/cli-run.ts";
import { createTree, type Tree } from "./support/tree.ts";

const hasShell = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;
/** What a person sees after a tab; a space or "=" after it is left out. */
const COMPLETED: readonly (readonly [typed: string, completed: string])[] = [
  ["agent-deploy vali", "validate"],
  ["agent-deploy plan --fail", "--fail-on-changes"],
  ["agent-deploy plan --region e", "eu"],
  ["agent-deploy deploy --confirm x --onl", "--only"],
  ["agent-deploy apply --on-fai", "--on-failure"],
  ["agent-deploy apply --no-wa", "--no-wait"],
  ["agent-deploy completion z", "zsh"],
  ["agent-deploy lookup inte", "integrations"],
  ["agent-deploy plan only-fi", "only-file.yml"],
  ["agent-deploy gate --baseline only-fi", "only-file.yml"],
];

let workspace: Tree;
beforeAll(async () => {
  workspace = createTree({ "only-file.yml": "name: a\n" });
  for (const shell of COMMANDS.completion.words) {
    const { code, stdout } = await runCli(["completion", shell], { workspace });
    expect(code).toBe(0);
    workspace.write(`completions.${shell}`, stdout);
  }
});

/** The words that a shell makes of a line and a tab. */
const COMPLETE: Readonly<Record<string, (typed: string) => readonly string[]>> = {
  bash: (typed) => [
    "--norc",
    "-c",
    `source completions.bash; COMP_WORDS=(${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _agent_deploy; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  fish: (typed) => ["--no-config", "-c", `source completions.fish; complete -C"${typed}"`],
  zsh: (typed) => ["-f", "complete.zsh", typed],
};
/** zsh completes only where somebody types: a pseudo-terminal does. */
const TYPIST = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'unsetopt zle_bracketed_paste; autoload -Uz compinit && compinit -u -D; source completions.zsh; show() { print -r -- "<$BUFFER>" }; zle -N show; bindkey "^T" show; PS1="ask""ing"'
zpty -r z seen '*asking*'
zpty -n -w z "$1"$'\\t\\C-t'
zpty -r z seen '*<*>*'
print -r -- \${\${seen##*<}%>*}
zpty -d z
`;

describe.each(["bash", "zsh", "fish"])("%s", (shell) => {
  test("completes commands, flags, their words and files", () => {
    if (!hasShell(shell)) {
      process.stderr.write(`skipped: no ${shell}\n`);
      return;
    }
    workspace.write("complete.zsh", TYPIST);
    for (const [typed, completed] of COMPLETED) {
      const shown = execFileSync(shell, COMPLETE[shell]!(typed), {
        cwd: workspace.path,
        encoding: "utf8",
        env: { PATH: process.env["PATH"] ?? "", HOME: workspace.path, TERM: "dumb" },
      });
      const words = shown
        .trim()
        .split("\n")
        .map((line) => line.split("\t")[0]!.trim().split(" ").at(-1)!.replace(/=$/, ""));
      expect([typed, words]).toEqual([typed, [completed]]);
    }
  });

  test("offers every command, and no flag for a secret", () => {
    const script = workspace.read(`completions.${shell}`);
    for (const command of Object.keys(COMMANDS)) expect(script).toContain(command);
    const secrets = inputNames("cli").filter((name) => rowOf(name)!.secret === true);
    expect(secrets.length).toBeGreaterThan(2);
    for (const name of secrets) expect(script).not.toMatch(new RegExp(`(--|-l )${name}[ =)]`));
  });
});

test("an unknown shell is an error that lists the supported ones", async () => {
  const run = await runCli(["completion", "bsh"]);
  expect([run.code, run.stderr]).toEqual([
    2,
    'error: completion takes one word, bash, zsh or fish, not "bsh" (did you mean bash?)\n',
  ]);
});
