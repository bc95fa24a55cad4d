/** Items by line or comma; a comma inside the braces of a glob, as in `{a,b}.yml`, does not separate. */
export function splitList(text: string): string[] {
  const items = [""];
  let depth = 0;
  for (const char of text) {
    if (char === "{") depth++;
    else if (char === "}") depth = Math.max(0, depth - 1);
    if (char === "\n") depth = 0;
    if (char === "\n" || (char === "," && depth === 0)) items.push("");
    else items[items.length - 1] += char;
  }
  return items.map((item) => item.trim()).filter((item) => item !== "");
}
