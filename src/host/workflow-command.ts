/**
 * Lines from outside, safe to print into a GitHub log: the runner takes `::name::` at the start of a line, and `##[name]`
 * anywhere in it, as a command. A zero-width space ends that and stays invisible to the reader.
 */
export function toLogText(text: string): string {
  return text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).map((line) => line.replace(/^([^\p{L}\p{N}]*?):(?=:)/u, "$1:\u200b").replace(/##(?=\[)/g, "#\u200b#")).join("\n");
}
