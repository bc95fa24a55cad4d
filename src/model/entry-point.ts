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

/** What comes before advice that names an input which gate/action.yml lacks; empty elsewhere. */
export const whereGiven = (entryPoint?: EntryPoint): string =>
  entryPoint === "gate" ? "use the main action with command: gate, and there " : "";

/** A message that names inputs, written for any entry point. */
export type Spelled = (spell: (name: string, value?: string | boolean) => string) => string;

/** A message as the reader at this entry point sees it. */
export function toMessage(message: string | Spelled, entryPoint?: EntryPoint): string {
  return typeof message === "string"
    ? message
    : message((name, value) => spellInput(entryPoint, name, value));
}
