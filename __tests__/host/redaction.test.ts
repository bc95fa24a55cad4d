import { describe, expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { createRedactor } from "../../src/secrets/redaction.ts";
import { printJson } from "../../src/ci/printed-text.ts";
import type { Session } from "../../src/ci/session.ts";
import { toLogText } from "../../src/ci/workflow-command.ts";

const SECRET = 'p@ss "w\\ord"/+ü|<&>';
const PEM =
  "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END KEY-----\n";

describe("redaction", () => {
  test.each([
    ["raw", SECRET],
    ["JSON", JSON.stringify(SECRET).slice(1, -1)],
    ["JSON in JSON", JSON.stringify(JSON.stringify(SECRET).slice(1, -1)).slice(1, -1)],
    ["URL", encodeURIComponent(SECRET)],
    ["form", encodeURIComponent(SECRET).replace(/%20/g, "+")],
    [
      "URL in lower case",
      encodeURIComponent(SECRET).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ],
    ["base64", Buffer.from(SECRET).toString("base64")],
    ["base64url", Buffer.from(SECRET).toString("base64url")],
  ])("masks the %s form", (_, form) => {
    const { add, redact } = createRedactor();
    add(SECRET);
    expect(redact(`before ${form} after`)).not.toContain(form.slice(1, -3));
    expect(redact(`before ${form} after`)).toMatch(/^before .*\*\*\*.* after$/);
  });

  test.each(["", "u:", "user:", "a-user:"])(
    "masks the secret in base64 of a text that begins with %j",
    (prefix) => {
      const { add, redact } = createRedactor();
      add("correct-horse-battery");
      const shown = redact(Buffer.from(`${prefix}correct-horse-battery`).toString("base64"));
      expect(shown).toContain("***");
      expect(Buffer.from(shown.replace("***", ""), "base64").toString()).not.toMatch(/horse/);
    },
  );

  test.each(["correct-horse", "correct-horses", "correct-horses!"])(
    "masks every base64 character that %s determines, at any offset",
    (secret) => {
      const { add, redact } = createRedactor();
      add(secret);
      for (const before of ["", "x", "xx"])
        for (const after of ["", "y", "yy"]) {
          const all = btoa(before + secret + after);
          const isSecret = (byte: number) =>
            byte >= before.length && byte < before.length + secret.length;
          // A character has six bits.
          const shown = [...all].map((char, at) =>
            isSecret(Math.floor((at * 6) / 8)) && isSecret(Math.floor((at * 6 + 5) / 8))
              ? "*"
              : char,
          );
          const expected = after + before === "" ? "***" : shown.join("").replace(/\*+/u, "***");
          expect([before, after, redact(all)]).toEqual([before, after, expected]);
        }
    },
  );

  test.each([
    ["JSON of ASCII", String.raw`na\u00efve\u20ac\u0100\ud800\udc00-key`],
    ["JSON of ASCII in capitals", String.raw`na\u00EFve\u20AC\u0100\uD800\uDC00-key`],
    ["Python's ascii()", String.raw`na\xefve\u20ac\u0100\U00010000-key`],
    ["Python's bytes", String.raw`na\xc3\xafve\xe2\x82\xac\xc4\x80\xf0\x90\x80\x80-key`],
    ["Go's %+q", String.raw`na\u00efve\u20ac\u0100\U00010000-key`],
    ["HTML", "na&#239;ve&#8364;&#256;&#65536;-key"],
    ["URL", "na%C3%AFve%E2%82%AC%C4%80%F0%90%80%80-key"],
  ])("masks a non-ASCII secret completely as %s writes it", (_, form) => {
    const { add, redact } = createRedactor();
    add("na\u00efve\u20ac\u0100\u{10000}-key");
    expect(redact(`is ${form}!`)).toBe("is ***!");
  });

  test("masks the base64 of a short secret", () => {
    const { add, redact } = createRedactor();
    add("abcd1234");
    expect(redact(btoa("abcd1234"))).toBe("***");
  });

  test("masks a secret after any character", () => {
    const { add, redact } = createRedactor();
    add("Zx81Kp02Lm44");
    for (let code = 0x4e00; code < 0x5600; code += 1) {
      const char = String.fromCharCode(code);
      expect(redact(`${char}Zx81Kp02Lm44`)).toBe(`${char}***`);
    }
  });

  test("masks a secret too long to be abridged if it is complete, also at the end of a text", () => {
    const { add, redact } = createRedactor();
    const long = "kJ7~".repeat(2_500);
    add(long);
    expect([redact(`the key: ${long}`), redact(`${long} is it`)]).toEqual([
      "the key: ***",
      "*** is it",
    ]);
    const other = "and what follows".repeat(1_000);
    expect(redact(`${long.slice(0, 600)}${other}`)).toContain(other);
  });

  test("masks a part of a secret from four characters on, and a word from eight unless its name says that it is secret", () => {
    const shown = (secret: string, text: string): string => {
      const { add, redact } = createRedactor();
      add(secret);
      return redact(text);
    };
    const json = JSON.stringify({ id: "ab34ef78", other: "abcdefg", password: "x9z1", pwd: "q7w" });
    expect(shown(json, "ab34ef78")).toBe("***");
    expect(shown(json, "abcdefg")).toBe("abcdefg");
    expect(shown(json, "is x9z1")).toBe("is ***");
    expect(shown(json, "is q7w")).toBe("is q7w");
    expect(shown("https://ab34ef78@example.com", "as ab34ef78")).toBe("as ***");
    expect(shown("https://ab34ef7@example.com", "as ab34ef7")).toBe("as ab34ef7");
    expect(shown("https://ann:ab34ef78@example.com", "as ann:ab34ef78")).toBe("as ***");
  });

  test("masks parts of an address's path and query, but not of its host", () => {
    const { add, redact } = createRedactor();
    add("https://hooks.example.com/services/T0123/B0456/x9Yz8Wv7Ut6S?sig=1");
    expect(redact("POST https://hooks.example.com/… (…456/x9Yz8Wv7Ut6S…)")).toBe(
      "POST https://hooks.example.com/… (…***…)",
    );
  });

  test("masks only the values of settings with a password", () => {
    const { add, redact } = createRedactor();
    add("Server=db.example.com;Password=Xy12345678zq");
    expect(redact("connecting to Server=db.example.com;Pass…")).toBe(
      "connecting to Server=db.example.com;Pass…",
    );
    expect(redact("bad value Xy12345678zq")).toBe("bad value ***");
  });

  test("masks a truncated part if enough of it and its context is left", () => {
    const shown = (secret: string, text: string): string => {
      const { add, redact } = createRedactor();
      add(secret);
      return redact(text);
    };
    const settings = "Server=db.example.com;Password=Xy12345678zq;Port=1";
    expect(shown(settings, "…ssword=Xy123…")).toBe("…ssword=***…");
    expect(shown(settings, "…678zq;Port=1")).toBe("…***;Port=1");
    const address = "https://ab34ef78zzyy@example.com";
    expect(shown(address, "https://ab34…")).toBe("https://ab34…");
    expect(shown(address, "https://ab34ef78…")).toBe("https://***…");
    const json = JSON.stringify({
      token: "pr0duction",
      region: "eu-west-4711",
      kind: "of-acme-inc",
    });
    expect(shown(json, '{"token":"pr0d…')).toBe('{"token":"***…');
    expect(shown(json, '{"region":"eu-we…')).toBe('{"region":"eu-we…');
    expect(shown(json, "for of-acme-inc")).toBe("for ***");
  });

  test("masks a piece of a secret's base64", () => {
    const { add, redact } = createRedactor();
    add("correct-horse-battery-staple");
    const encoded = Buffer.from("correct-horse-battery-staple").toString("base64");
    expect(redact(`it is ${encoded.slice(0, 18)}…`)).toBe("it is ***…");
  });

  test("masks no fragment of a secret that is only words inside another one", () => {
    const { add, redact } = createRedactor();
    add(JSON.stringify({ plan: "enterprise-edition-of-acme" }));
    expect(redact("the enterprise-edition-of… plan")).toBe("the enterprise-edition-of… plan");
    expect(redact("the enterprise-edition-of-acme plan")).toBe("the *** plan");
  });

  test("shows the name of a secret that an unnamed one contains", () => {
    const { add, redact } = createRedactor();
    add("0123456789abcdefghij", "${API_TOKEN}");
    add("pre-0123456789abcdefghij");
    expect(redact("it is 0123456789abcde…")).toBe("it is ${API_TOKEN}…");
  });

  test("keeps a public name anywhere in a text, even if a secret contains it", () => {
    const { add, keep, redact } = createRedactor();
    add("t0ken-of-support-agent-prod-91x");
    expect(redact("support-agent-prod is live")).toBe("*** is live");
    keep("support-agent-prod");
    expect(redact("support-agent-prod is live")).toBe("support-agent-prod is live");
    expect(redact("it is support-agent-prod")).toBe("it is support-agent-prod");
    expect(redact("it is t0ken-of-support-agent-prod…")).toBe("it is ***…");
  });

  test("masks each line of a key, also indented", () => {
    const { add, redact } = createRedactor();
    add(PEM);
    for (const line of PEM.trim().split("\n"))
      expect(redact(`    ${line}\r\n`)).toBe("    ***\r\n");
    expect(redact(PEM)).toBe("***");
  });

  test("masks the longest secret first, so that no rest of it remains", () => {
    const { add, redact } = createRedactor();
    add("abcd");
    add("abcdefgh");
    expect(redact("abcdefgh")).toBe("***");
  });

  test("masks values under four characters only if they are the whole text, and never blanks", () => {
    const { add, redact } = createRedactor();
    add("dev");
    add("");
    add("   ");
    expect([redact("dev"), redact("develop"), redact("   ")]).toEqual(["***", "develop", "   "]);
  });

  test("masks true, false and null only if they are the whole text", () => {
    const heard: string[] = [];
    const { add, redact } = createRedactor({ onForm: (form) => heard.push(form) });
    for (const word of ["true", "False", "null", '{"strict":"true"}']) add(word);
    expect(redact("build_on_push: true, nulls: False null")).toBe(
      "build_on_push: true, nulls: False null",
    );
    expect([redact("true"), redact("False")]).toEqual(["***", "***"]);
    expect(heard).not.toContain("true");
  });

  test("does not mask a port that occurs in an id, but does from eight characters on", () => {
    const { add, redact } = createRedactor();
    const id = "1ea3e574-81eb-470a-ae5d-04885432c0de";
    const commit = "5432c0de".repeat(5);
    add("5432");
    for (const text of [`wait --deployment-id ${id}`, commit, `sha256:${"5432".repeat(16)}`])
      expect(redact(text)).toBe(text);
    for (const text of [`port 5432`, `${id}5432`, `5432-${id}`, `x${commit}`])
      expect(redact(text)).not.toContain("5432");
    add("5432c0de");
    expect(redact(id)).toBe("1ea3e574-81eb-470a-ae5d-0488***");
  });

  test("masks everything in a report, including keys, except our own words", () => {
    const { add, redactAll } = createRedactor();
    add("deployed");
    add("hunter22");
    expect(
      redactAll({
        outcome: "deployed",
        message: "it deployed hunter22",
        scores: { hunter22: 1 },
        n: 1,
        none: null,
      }),
    ).toEqual({
      outcome: "deployed",
      message: "it *** ***",
      scores: { "***": 1 },
      n: 1,
      none: null,
    });
  });

  test("keeps the report's keys that equal a secret, but masks keys under values of others", () => {
    const { add, redactAll } = createRedactor();
    for (const secret of ["deployments", "outcome", "message", "changes", "plan", "name"])
      add(secret);
    expect(
      redactAll({
        outcome: "failed",
        deployments: [
          {
            name: "a",
            message: "deployments of outcome",
            changes: [{ path: "labels", before: { name: 1 }, after: null }],
          },
        ],
      }),
    ).toEqual({
      outcome: "failed",
      deployments: [
        {
          name: "a",
          message: "*** of ***",
          changes: [{ path: "labels", before: { "***": 1 }, after: null }],
        },
      ],
    });
  });

  test("masks printed JSON only in its strings, so that numbers stay valid", () => {
    const { add, redact, redactAll } = createRedactor();
    add("5000");
    const printed: string[] = [];
    const print: Session["print"] = (text, clean) =>
      printed.push(clean === undefined ? redact(text) : text);
    printJson({ print, redactAll } as Session, { took_ms: 65_000, message: "after 5000 ms" });
    expect(JSON.parse(printed.join(""))).toEqual({ took_ms: 65_000, message: "after *** ms" });
  });

  test("masks our own words too if the value is not ours", () => {
    const { add, redactAll } = createRedactor();
    add("hunter22");
    const change = {
      path: "source_config.resource_spec.labels",
      before: { version: "hunter22" },
      after: { state: "hunter22", action: ["hunter22"], outcome: { source: "hunter22" } },
    };
    expect(
      JSON.stringify(redactAll({ changes: [change], scores: { state: "hunter22" } })),
    ).not.toContain("hunter22");
  });

  test("masks a secret with terminal codes within", () => {
    const { add, redact } = createRedactor();
    add("hunter22-hunter22");
    expect(redact("token \u001b[1mhunter22-\u001b[31mhunter22\u001b[0m!")).toBe("token ***!");
    const long = "tok-Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh8Ii9Jj0Kk1Ll2Mm3Nn4";
    add(long);
    for (const every of [1, 5, 11, 12, 13, 24]) {
      const coloured = long.match(new RegExp(`.{1,${every}}`, "gu"))!.join("\u001b[0m");
      expect([every, redact(`ERROR ${coloured} end`)]).toEqual([every, "ERROR *** end"]);
    }
    add("a\u001b[1mcoloured-4711\u001b[0m-one");
    expect(redact("acoloured-4711-one")).toBe("***");
    expect(redact("\u001b[1mbold\u001b[0m")).toBe("\u001b[1mbold\u001b[0m");
  });

  test("reports every form to the runner once", () => {
    const forms: string[] = [];
    const { add } = createRedactor({ onForm: (form) => forms.push(form) });
    add(SECRET);
    add(SECRET);
    expect(forms).toContain(SECRET);
    expect(forms).toContain(Buffer.from(SECRET).toString("base64"));
    expect(new Set(forms).size).toBe(forms.length);
  });

  test("masks hundreds of secrets in a megabyte in linear time", () => {
    const { add, redact } = createRedactor();
    for (let at = 0; at < 500; at += 1) add(`secret-${at}-${"k".repeat(20)}${at * 7919}`);
    const text = `${"an ordinary line of a build log, nothing to see\n".repeat(22_000)}secret-77-${"k".repeat(20)}${77 * 7919}`;
    expect(redact(text).endsWith("\n***")).toBe(true);
  });

  test("masks any secret in any text", () => {
    fc.assert(
      fc.property(
        fc
          .string({ minLength: 4, unit: "grapheme" })
          .filter((secret) => secret.trim().length >= 4 && /[a-z0-9]{2}/i.test(secret)),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          const { add, redact } = createRedactor();
          add(secret);
          expect(redact(`${before}${secret}${after}`)).not.toContain(secret);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("log lines", () => {
  test.each([
    "::set-output name=a::b",
    "  ::add-mask::x",
    "\u00a0::error::x",
    "x\n::warning::y",
    "x\r::debug::y",
    "##[group]x",
    "text ##[add-mask]y",
    "\u2028::stop-commands::z",
    "\ufeff::error::x",
    "::::error::x",
  ])("escape the workflow command %j", (text) => {
    for (const line of toLogText(text).split("\n"))
      expect(line.trimStart()).not.toMatch(/^::|##\[/);
  });

  test("keep a colon pair within a line", () =>
    expect(toLogText("std::vector at a::b")).toBe("std::vector at a::b"));
});
