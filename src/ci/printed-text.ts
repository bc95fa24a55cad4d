import { toLogJson, toLogText } from "./workflow-command.ts";
import { toVisible } from "../report/escape.ts";
import type { Session } from "./session.ts";

/** Prints lines that hold words of the service: no terminal code and no workflow command survives. */
export function printLines(session: Session, text: string): void {
  if (text === "") return;
  session.print(`${toLogText(text.split("\n").map(toVisible).join("\n"))}\n`);
}

/** Prints a value as JSON, on one line where several follow each other. */
export function printJson(session: Session, value: unknown, indent = 2): void {
  session.print(`${toLogJson(JSON.stringify(value, null, indent))}\n`);
}
