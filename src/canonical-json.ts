/** With the u flag, half of a complete pair does not match. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/**
 * RFC 8785: keys sorted by UTF-16 code units, numbers as ECMAScript writes them. Values that it
 * forbids (non-finite numbers, lone surrogates, anything that is not JSON) throw a RangeError or,
 * with `written` (where they must not end a run), are written as JSON.stringify writes them in a
 * list.
 */
export function canonicalJson(
  value: unknown,
  forbidden: "refused" | "written" = "refused",
): string {
  switch (typeof value) {
    case "string":
      if (forbidden === "refused" && LONE_SURROGATE.test(value))
        throw new RangeError("a string holds a lone surrogate");
      return JSON.stringify(value);
    case "number":
      if (Number.isFinite(value)) return String(value);
      if (forbidden === "refused") throw new RangeError("a number is not finite");
      return "null";
    case "boolean":
      return value ? "true" : "false";
    case "object": {
      if (value === null) return "null";
      let text = "";
      if (Array.isArray(value)) {
        for (const item of value)
          text += `${text === "" ? "" : ","}${canonicalJson(item, forbidden)}`;
        return `[${text}]`;
      }
      const members = value as Readonly<Record<string, unknown>>;
      for (const key of Object.keys(members).sort())
        text += `${text === "" ? "" : ","}${canonicalJson(key, forbidden)}:${canonicalJson(members[key], forbidden)}`;
      return `{${text}}`;
    }
    default:
      if (forbidden === "refused") throw new RangeError(`${typeof value} is not JSON`);
      return "null";
  }
}
