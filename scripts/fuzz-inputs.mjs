// What fuzzing feeds: texts, JSON, bytes and zips that begin as valid ones and are damaged. Used by
// scripts/fuzz-surfaces.mjs and by tests.
import { crc32, deflateRawSync } from "node:zlib";
import fc from "fast-check";

/** Takes the place of every secret: no output may hold it. */
export const SECRET = "s3cr3t-of-the-fuzz+/=";

/** Pieces that have broken parsers before: of YAML, JSON, XML, CSV, shells, logs and JavaScript itself. */
export const HOSTILE = [
  "${",
  "${A}",
  "${A:-",
  "${A:-${B}}",
  "${A:?}",
  "$${",
  "}",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "1e400",
  "-0",
  "-1e400",
  "NaN",
  "Infinity",
  "123456789012345678901234567890",
  "0x1F",
  "0o17",
  "1_000",
  ".5",
  "5.",
  "~",
  "null",
  "true",
  "\uFEFF",
  "\u0000",
  "\ud800",
  "\udc00\ud800",
  "\u2028",
  "\u0085",
  "\r",
  "\r\n",
  "\t",
  "\u202e",
  "\u200b",
  "&a",
  "*a",
  "&a [*a]",
  "<<: *a",
  "<<: [*a, *b]",
  "!!js/function x",
  "!!binary x",
  "!<tag:x>",
  "? ",
  ": ",
  "- ",
  "--- ",
  "...",
  "%YAML 9.9\n",
  "|2-\n",
  ">+\n",
  "'",
  '"',
  "\\",
  "\\u",
  "\\ud800",
  "#",
  ",",
  "[",
  "]",
  "{",
  "}",
  "::set-output name=a::b\n",
  "##[error]",
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  "&b;",
  "&#x41;",
  "&#1114112;",
  "]]>",
  "<![CDATA[",
  "<!--",
  "-->",
  " -->",
  "```",
  "@everyone",
  "<script>",
  "=cmd|' /C calc'!A0",
  "../../etc/passwd",
  "/dev/zero",
  "%00",
  "(((((",
  "*".repeat(12),
  "a".repeat(300),
  "[".repeat(300),
  '{"a":'.repeat(300),
  "\u0661\u0662",
  "1h1h",
  "0x10s",
  `${"9".repeat(400)}s`,
  "≥",
  "=>",
  "drop",
  "p95",
  "; rm -rf /",
  "$(id)",
  "`id`",
  "secrets:\n",
  "\n  ",
  "\n",
  SECRET,
  "\u001b[1m",
  "https://u:p@h/",
  "a.a.".repeat(200),
];

/** A text with some places cut, doubled, overwritten or replaced by something hostile. */
export function mutated(corpus) {
  const operation = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 0, max: 40 }),
    times: fc.integer({ min: 1, max: 6 }),
    kind: fc.constantFrom("cut", "double", "insert", "insert", "replace", "truncate", "noise"),
    hostile: fc.constantFrom(...HOSTILE),
    noise: fc.string({ unit: "binary", maxLength: 12 }),
  });
  const apply = (text, { at, length, times, kind, hostile, noise }) => {
    const from = Math.floor(at * text.length);
    const [before, piece, after] = [
      text.slice(0, from),
      text.slice(from, from + length),
      text.slice(from + length),
    ];
    switch (kind) {
      case "cut":
        return before + after;
      case "double":
        return before + piece.repeat(times + 1) + after;
      case "insert":
        return before + hostile.repeat(times) + piece + after;
      case "replace":
        return before + hostile + after;
      case "truncate":
        return before;
      default:
        return before + noise + piece + after;
    }
  };
  const one = fc
    .tuple(fc.constantFrom(...corpus), fc.array(operation, { minLength: 0, maxLength: 5 }))
    .map(([text, operations]) => operations.reduce(apply, text));
  return fc.oneof(
    { weight: 8, arbitrary: one },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.constantFrom(...HOSTILE), { maxLength: 20 })
        .map((parts) => parts.join("")),
    },
  );
}

/** JSON texts with some of their leaves and keys replaced; the corpus is values, or JSON texts. */
export function mutatedJson(corpus) {
  const value = fc.oneof(
    fc.constantFrom(
      null,
      true,
      "",
      0,
      -0,
      1e308,
      -1,
      2 ** 53,
      [],
      {},
      [[]],
      "__proto__",
      JSON.parse('{"__proto__":{"polluted":1}}'),
      JSON.parse('{"constructor":{"prototype":{"polluted":1}}}'),
    ),
    fc.constantFrom(...HOSTILE),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const edit = fc.record({
    at: fc.nat({ max: 10_000 }),
    value,
    key: fc.option(fc.constantFrom("__proto__", "constructor", "toString", "id", "name", "value"), {
      nil: undefined,
    }),
  });
  const places = (node, found = []) => {
    if (typeof node !== "object" || node === null) return found;
    for (const key of Object.keys(node)) {
      found.push([node, key]);
      places(node[key], found);
    }
    return found;
  };
  return fc
    .tuple(
      fc.constantFrom(
        ...corpus.map((each) => (typeof each === "string" ? each : JSON.stringify(each))),
      ),
      fc.array(edit, { maxLength: 4 }),
    )
    .map(([text, edits]) => {
      const root = { root: JSON.parse(text) };
      for (const { at, value: shared, key } of edits) {
        const given = JSON.parse(JSON.stringify(shared));
        const all = places(root);
        const [holder, name] = all[at % all.length];
        if (key === undefined || Array.isArray(holder)) holder[name] = given;
        else
          Object.defineProperty(holder, key, {
            value: given,
            enumerable: true,
            configurable: true,
            writable: true,
          });
      }
      return JSON.stringify(root.root ?? null);
    });
}

/** Texts as bytes, some of them damaged below the level of characters. */
export function bytesOf(texts) {
  const damage = fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      byte: fc.integer({ min: 0, max: 255 }),
    }),
    { maxLength: 3 },
  );
  return fc
    .tuple(
      texts,
      fc.option(damage, { nil: [], freq: 3 }),
      fc.constantFrom("utf8", "utf8", "utf8", "utf8", "utf16le"),
    )
    .map(([text, places, encoding]) => {
      const bytes =
        typeof text === "string"
          ? Buffer.from(text, /** @type {BufferEncoding} */ (encoding))
          : Buffer.from(/** @type {Uint8Array} */ (text));
      for (const { at, byte } of places)
        if (bytes.length > 0) bytes[Math.floor(at * (bytes.length - 1))] = byte;
      return bytes;
    });
}

/**
 * A zip of the given entries; sizes may be wrong.
 * @param {Record<string, string | Uint8Array>} entries
 * @param {{ claimedSize?: number }} options
 */
export function zipOf(entries, { claimedSize } = {}) {
  const locals = [];
  const central = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const raw = Buffer.from(content);
    const packed = deflateRawSync(raw);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(raw), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(claimedSize ?? raw.length, 18);
    head.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), head, Buffer.from(name), packed]);
    const tail = Buffer.alloc(16);
    tail.writeUInt32LE(offset, 12);
    central.push(
      Buffer.concat([
        Buffer.from("PK\u0001\u0002"),
        Buffer.from([20, 0]),
        head,
        tail.subarray(2),
        Buffer.from(name),
      ]),
    );
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(central.length, 4);
  end.writeUInt16LE(central.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from("PK\u0005\u0006"), end]);
}
