/**
 * Lines from outside, safe to print into a GitHub log: the runner takes `::name::` at the start of
 * a line, and `##[name]` anywhere in it, as a command. A zero-width space ends that and stays
 * invisible to the reader.
 */
export function toLogText(text: string): string {
  return text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map((line) => {
      // Few lines hold either, and the first pattern takes longer to be made than a whole report to be looked through.
      const ended = line.includes("::")
        ? line.replace(/^([^\p{L}\p{N}]*?):(?=:)/u, "$1:\u200b")
        : line;
      return ended.includes("##[") ? ended.replace(/##(?=\[)/g, "#\u200b#") : ended;
    })
    .join("\n");
}

/** JSON, safe to print into a log or a terminal: inside a string a character may be written as an escape. */
export function toLogJson(json: string): string {
  return json
    .replaceAll("##[", "#\\u0023[")
    .replace(
      /[\u007f-\u009f\u2028\u2029]/gu,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}
