/**
 * Makes lines from outside safe for a GitHub log. The runner reads `::name::` at the start of a
 * line, and `##[name]` anywhere, as a command; a zero-width space prevents that and is invisible.
 */
export function toLogText(text: string): string {
  return text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map((line) => {
      // Few lines contain either, and building the first pattern takes longer than scanning a whole report.
      const ended = line.includes("::")
        ? line.replace(/^([^\p{L}\p{N}]*?):(?=:)/u, "$1:\u200b")
        : line;
      return ended.includes("##[") ? ended.replace(/##(?=\[)/g, "#\u200b#") : ended;
    })
    .join("\n");
}

/** Makes JSON safe for a log or a terminal, by escapes within its strings. */
export function toLogJson(json: string): string {
  return json
    .replaceAll("##[", "#\\u0023[")
    .replace(
      /[\u007f-\u009f\u2028\u2029]/gu,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}
