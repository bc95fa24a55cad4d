const MAX_DEPTH = 40;

/**
 * Reads as much of a JSON text as is there: what is cut off ends where the text does. For looking
 * at a file's beginning, never for its rows.
 */
export function parsePartialJson(text: string): unknown {
  let at = 0;
  let ended = false;
  const skip = (): void => {
    while (at < text.length && " \n\r\t".includes(text[at]!)) at += 1;
    if (at >= text.length) ended = true;
  };
  const string = (): string => {
    const from = at;
    for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === "\\") at += 1;
    if (at >= text.length) ended = true;
    at += 1;
    try {
      return JSON.parse(text.slice(from, at)) as string;
    } catch {
      return text.slice(from + 1, at - 1);
    }
  };
  const list = (depth: number): unknown[] => {
    const items: unknown[] = [];
    at += 1;
    for (skip(); !ended && text[at] !== "]"; skip()) {
      const item = value(depth + 1);
      if (item !== undefined) items.push(item);
      skip();
      if (text[at] === ",") at += 1;
      else if (text[at] !== "]") ended = true;
    }
    at += 1;
    return items;
  };
  const object = (depth: number): Record<string, unknown> => {
    const entries: [string, unknown][] = [];
    at += 1;
    for (skip(); !ended && text[at] !== "}"; skip()) {
      if (text[at] !== '"') ended = true;
      const key = ended ? "" : string();
      skip();
      if (text[at] !== ":") ended = true;
      at += 1;
      const inner = ended ? undefined : value(depth + 1);
      if (inner !== undefined) entries.push([key, inner]);
      skip();
      if (text[at] === ",") at += 1;
      else if (text[at] !== "}") ended = true;
    }
    at += 1;
    return Object.fromEntries(entries);
  };
  const value = (depth: number): unknown => {
    skip();
    const char = text[at];
    if (ended || depth > MAX_DEPTH) {
      ended = true;
      return undefined;
    }
    if (char === "{") return object(depth);
    if (char === "[") return list(depth);
    if (char === '"') return string();
    const word = /^-?[\w.+-]+/.exec(text.slice(at, at + 40))?.[0] ?? "";
    at += Math.max(1, word.length);
    if (word === "" || at >= text.length) ended = ended || word === "";
    const words: Record<string, unknown> = { true: true, false: false, null: null };
    if (Object.hasOwn(words, word)) return words[word];
    return word === "" || Number.isNaN(Number(word)) ? undefined : Number(word);
  };
  return value(0);
}
