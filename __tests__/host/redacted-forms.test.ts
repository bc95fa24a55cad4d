import { describe, expect, test } from "@jest/globals";
import { createRedactor } from "../../src/secrets/redaction.ts";

/** A text as it is shown where these are secrets. */
const shown = (text: string, ...secrets: readonly string[]): string => {
  const { add, redact } = createRedactor();
  for (const secret of secrets) add(secret);
  return redact(text);
};

describe("a short secret is masked completely", () => {
  test.each([
    ["JSON of ASCII", String.raw`k\u00ff\u0100\uffff\ud800\udc00z`],
    ["JSON of ASCII in capitals", String.raw`k\u00FF\u0100\uFFFF\uD800\uDC00z`],
    ["Python's ascii()", String.raw`k\xff\u0100\uffff\U00010000z`],
    ["Python's bytes", String.raw`k\xc3\xbf\xc4\x80\xef\xbf\xbf\xf0\x90\x80\x80z`],
    ["Go's %+q", String.raw`k\u00ff\u0100\uffff\U00010000z`],
    ["HTML", "k&#255;&#256;&#65535;&#65536;z"],
    ["URL", "k%C3%BF%C4%80%EF%BF%BF%F0%90%80%80z"],
  ])("with characters at the ends of encoding ranges, in %s", (_, form) => {
    expect(shown(`is ${form}!`, "k\u00ff\u0100\uffff\u{10000}z")).toBe("is ***!");
  });

  test.each([
    ["JSON of Python and Go", String.raw`a\u003cb\u003ec\u0026d'e`],
    ["JSON of .NET", String.raw`a\u003Cb\u003Ec\u0026d\u0027e`],
    ["JSON with all of them", String.raw`a\u003cb\u003ec\u0026d\u0027e`],
    ["HTML", "a&lt;b&gt;c&amp;d&#39;e"],
    ["URL", "a%3Cb%3Ec%26d'e"],
    ["strict URL", "a%3Cb%3Ec%26d%27e"],
    ["a shell", String.raw`a<b>c&d'\''e`],
    ["SQL", "a<b>c&d''e"],
  ])("with special characters, in %s", (_, form) => {
    expect(shown(`is ${form}!`, "a<b>c&d'e")).toBe("is ***!");
  });

  test.each([
    ["Python and Go", String.raw`ab\x01cd\x7fe`],
    ["JSON", String.raw`ab\u0001cd${"\u007f"}e`],
  ])("with control characters, in %s", (_, form) => {
    expect(shown(`is ${form}!`, "ab\u0001cd\u007fe")).toBe("is ***!");
  });

  test("with characters that only a strict URL encoding escapes", () => {
    expect(shown("is a%21b%28c%29d%2Ae!", "a!b(c)d*e")).toBe("is ***!");
  });

  test.each([
    ["abcdxyz", "abcd", "YWJjZHh5eg=="],
    ["abcdexyz", "abcde", "***V4eXo="],
    ["abcd1234xyz", "abcd1234", "***R4eXo="],
    ["abcd12345xyz", "abcd12345", "***eHl6"],
  ])("at the beginning of the base64 of %s, from six characters on", (text, secret, masked) => {
    expect(shown(btoa(text), secret)).toBe(masked);
  });
});

describe("a part of a secret", () => {
  test.each([
    ["each of two lines", "first-line-4711\nk9x2z", "k9x2z"],
    ["lines written as \\n", "first-line-4711\\nsecond-line-0815", "first-line-4711"],
    ["the password for a driver", "ann:ab34ef78zz@tcp(db.example.com:3306)/app", "ab34ef78zz"],
    ["a leaf of JSON in base64", btoa('{"password":"x9z1k3m5"}'), "x9z1k3m5"],
    ["a password that is escaped in a URL", "https://ann:p%40ss-4711@example.com", "p@ss-4711"],
    ["a quoted value", `host=db.example.com password="x9 z1 k3"`, "x9 z1 k3"],
  ])("is masked: %s", (_, secret, part) => {
    expect(shown(`it is ${part}.`, secret)).toBe("it is ***.");
  });

  test("that is only words is masked if abridged", () => {
    expect(shown("it is correct-horse-b…", "correct-horse-battery-staple")).toBe("it is ***…");
  });

  test.each([
    ["one setting, as a whole", "Password=Xy12345678zq", "is Password=Xy1…", "is ***…"],
    [
      "settings without a secret one, as a whole",
      "alpha=Xy12345678;beta=Zw98765432",
      "…lpha=Xy12345678;b…",
      "…***…",
    ],
    ["the secret one of several settings", "pwd=Xy12345678zq;Port=1", "pwd=Xy123456…", "pwd=***…"],
    [
      "a password of words, which is kept",
      "Server=db.example.com;Password=enterprise-edition",
      "the enterprise-edit… plan",
      "the enterprise-edit… plan",
    ],
    [
      "the end of a leaf of JSON, but not its quote",
      '{"token":"pr0duct10n-4"}',
      '…r0duct10n-4"',
      '…***"',
    ],
  ])("that is cut off: %s", (_, secret, text, masked) => {
    expect(shown(text, secret)).toBe(masked);
  });
});

describe("several secrets", () => {
  test("next to each other are masked one by one", () => {
    expect(shown("Zx81Kp02Lm44Qw73Er65Ty28", "Zx81Kp02Lm44", "Qw73Er65Ty28")).toBe("******");
  });

  test.each([[true], [false]])("that begin alike keep their own names (%j)", (shortFirst) => {
    const { add, redact } = createRedactor();
    const names = [
      ["Zx81Kp02Lm44", "${SHORT}"],
      ["Zx81Kp02Lm44-and-more", "${LONG}"],
    ] as const;
    for (const [secret, name] of shortFirst ? names : names.toReversed()) add(secret, name);
    expect(redact("Zx81Kp02Lm44-and-more")).toBe("${LONG}");
    expect(redact("it is Zx81Kp02Lm44!")).toBe("it is ${SHORT}!");
  });

  test.each([[[undefined, "${TOKEN}"]], [["${TOKEN}", undefined]]])(
    "added both with and without a name keep the name: %j",
    (names) => {
      const { add, redact } = createRedactor();
      for (const name of names) add("Zx81Kp02Lm44", name);
      expect(redact("it is Zx81Kp02Lm44")).toBe("it is ${TOKEN}");
    },
  );

  test("do not hide a public name of twelve characters that is part of one", () => {
    const { add, keep, redact } = createRedactor();
    add("t0ken-of-support-prod-91x");
    expect(redact("support-prod is live")).toBe("*** is live");
    keep("support-prod");
    expect(redact("support-prod is live")).toBe("support-prod is live");
  });

  test("are masked if cut off, whatever public names there are", () => {
    const { add, keep, redact } = createRedactor();
    add("t0ken-of-support-prod-91x");
    keep("support-prod");
    keep("a-name-that-is-not-in-this-text");
    expect(redact("t0ken-of-sup… is live")).toBe("***… is live");
  });
});

test("a repetitive secret that is too long to be abridged is masked exactly", () => {
  const secret = `${"aab".repeat(3_000)}c`;
  expect(shown(`${"aab".repeat(3_050)}c`, secret)).toBe(`${"aab".repeat(50)}***`);
  expect(shown(`a${secret}`, secret)).toBe("a***");
  const other = `${"ab".repeat(2_000)}b${"ab".repeat(2_500)}`;
  expect(shown(`a${other}`, other)).toBe("a***");
  expect(shown(`ab${other}a`, other)).toBe("ab***a");
  const changed = `x${other.slice(1)}`;
  expect(shown(changed, other)).toBe(changed);
});

// Typed by hand from what Go 1.24, Python 3, PHP, Handlebars and Mustache write.
test.each([
  ["Zm9v+bar/baz+qu=x", "Zm9v+bar%2Fbaz+qu=x", "url.PathEscape of Go"],
  ["ab@cd;ef=gh/ij", "ab%40cd;ef=gh%2Fij", "the user-info of Go's url.URL"],
  ["a/b!cdef2", "a/b%21cdef2", "urllib.parse.quote of Python"],
  ["Zm9v+bar/baz+qu=x", "Zm9v&#43;bar/baz&#43;qu=x", "html/template of Go"],
  ["Zm9v+bar/baz+qu=x", "Zm9v&#43;bar/baz&#43;qu&#61;x", "html/template in an attribute"],
  ["Zm9v+bar/baz+qu=x", "Zm9v+bar\\/baz+qu=x", "json_encode of PHP"],
  ["Zm9v+bar/baz+qu=x", "Zm9v+bar&#x2F;baz+qu&#x3D;x", "Mustache"],
  ["ab`cd=ef'gh", "ab&#x60;cd&#x3D;ef&#x27;gh", "Handlebars"],
  ['p"w\\9<x>', "p\\&quot;w\\\\9&lt;x&gt;", "JSON on a page"],
  ["pässwörd\u00a0key", "pässwörd\\xa0key", "repr of Python"],
  ["pässwörd\u00a0key", "pässwörd\\u00a0key", "%q of Go"],
])("%j is masked as %j: %s", (secret, form) => {
  expect(shown(`<${form}>`, secret)).toBe("<***>");
});

test("JSON values from four characters on are masked, except ordinary words", () => {
  const secret = '{"user":"alice","code":"x9Zk2p","port":43211,"zone":"us-east","password":"pw12"}';
  expect(shown("alice x9Zk2p 43211 us-east pw12", secret)).toBe("alice *** 43211 us-east ***");
});
