const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** The text without the codes that colour it or move the cursor. */
export function withoutTerminalCodes(text: string): string {
  return text.replace(ANSI, "");
}
