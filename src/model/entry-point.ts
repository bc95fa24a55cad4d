/**
 * The entry point of a run, which decides what its inputs are and how messages spell them. `gate`
 * is gate/action.yml, which has its own.
 */
export type EntryPoint = "action" | "gate" | "cli";

/** An input as the reader of a message writes it: `force: true` and `create: never`, or `--force` and `--create never`. */
export function spellInput(
  entryPoint: EntryPoint | undefined,
  name: string,
  value?: string | boolean,
): string {
  if (entryPoint !== "cli") return value === undefined ? name : `${name}: ${value}`;
  if (value === false) return `--no-${name}`;
  return value === undefined || value === true ? `--${name}` : `--${name} ${value}`;
}
