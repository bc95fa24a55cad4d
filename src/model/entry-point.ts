/** The entry point of a run, which decides how messages spell an input. */
export type EntryPoint = "action" | "cli";

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
