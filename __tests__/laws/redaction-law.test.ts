import { describe, expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { createRedactor } from "../../src/secrets/redaction.ts";

/** 100,000 in the nightly run (SECRET_RUNS); fewer where somebody waits. */
const RUNS = Number(process.env["SECRET_RUNS"] ?? 1_500);

const ascii = (text: string, escaped: (code: number) => string): string =>
  text.replace(/[\u0080-\u{10ffff}]/gu, (char) => escaped(char.codePointAt(0)!));
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const html = (text: string, double: string, single: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', double)
    .replaceAll("'", single);

/**
 * As Python's repr, Go's %q, and the rest of what is between a service and a reader write a
 * text. Written by hand, not by the product.
 */
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  raw: (secret) => secret,
  JSON: json,
  "JSON within JSON": (secret) => json(json(secret)),
  "JSON of Go": (secret) =>
    json(secret).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e").replaceAll("&", "\\u0026"),
  "JSON in ASCII": (secret) =>
    json(secret).replace(/[\u0080-\uffff]/g, (char) => `\\u${hex(char.charCodeAt(0), 4)}`),
  URL: encodeURIComponent,
  form: (secret) => encodeURIComponent(secret).replaceAll("%20", "+"),
  "HTML of Go and Jinja": (secret) => html(secret, "&#34;", "&#39;"),
  "HTML of Python": (secret) => html(secret, "&quot;", "&#x27;"),
  "HTML of JavaScript": (secret) => html(secret, "&quot;", "&#39;"),
  "repr of Python": (secret) =>
    secret.includes("'") && !secret.includes('"')
      ? secret.replaceAll("\\", "\\\\")
      : secret.replaceAll("\\", "\\\\").replaceAll("'", "\\'"),
  "ascii of Python": (secret) =>
    ascii(secret.replaceAll("\\", "\\\\").replaceAll("'", "\\'"), (code) => {
      if (code < 0x100) return `\\x${hex(code, 2)}`;
      return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
    }),
  "quote of Go": (secret) => secret.replaceAll("\\", "\\\\").replaceAll('"', '\\"'),
  "quote of Go in JSON": (secret) => json(secret.replaceAll("\\", "\\\\").replaceAll('"', '\\"')),
  "quote of Go in ASCII": (secret) =>
    ascii(secret.replaceAll("\\", "\\\\").replaceAll('"', '\\"'), (code) =>
      code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`,
    ),
  base64: (secret) => Buffer.from(secret).toString("base64"),
  base64url: (secret) => Buffer.from(secret).toString("base64url"),
  "basic auth": (secret) => Buffer.from(`user:${secret}`).toString("base64"),
};
const character = fc.constantFrom(
  ...[..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"],
  ...[..."+/=-_.~!@#$%^&*()[]{}<>'\"\\|;:,? "],
  ..."üß€漢😀".split(/(?:)/u),
);
const secrets = fc
  .array(character, { minLength: 8, maxLength: 80 })
  .map((characters) => characters.join(""))
  .filter((secret) => /[A-Za-z0-9]{3}/.test(secret) && secret.trim() === secret);

/** Whether a text shows eight characters in a row of a form. */
function shows(text: string, form: string): boolean {
  for (let at = 0; at + 8 <= form.length; at += 1)
    if (text.includes(form.slice(at, at + 8))) return true;
  return false;
}

test("a random secret is never shown in any form, whole or shortened, and the text around it is", () => {
  fc.assert(
    fc.property(
      secrets,
      fc.constantFrom(...Object.keys(FORMS)),
      fc.nat(),
      fc.nat(),
      (secret, kind, from, length) => {
        const { add, redact } = createRedactor();
        add(secret);
        const form = FORMS[kind]!(secret);
        const whole = redact(`before ${form} after`);
        expect([kind, shows(whole, form)]).toEqual([kind, false]);
        expect(whole).toMatch(/^before .*after$/s);
        if (secret.length < 13) return;
        const cut = 12 + (length % (form.length - 11));
        const part = form.slice(from % (form.length - cut + 1)).slice(0, cut);
        // Of base64 the first and last characters are shared with what is around it.
        const inner = /base64|basic/.test(kind) ? 16 : 12;
        if (part.length < inner + (/basic/.test(kind) ? 8 : 0)) return;
        const abridged = redact(`before ${part}… after`);
        if (/basic/.test(kind)) return;
        expect([kind, part, shows(abridged, part)]).toEqual([kind, part, false]);
      },
    ),
    { numRuns: RUNS },
  );
});

describe("parts of a secret", () => {
  const account = {
    type: "service_account",
    project_id: "acme-agents-prod",
    private_key_id: "0123456789abcdef0123456789abcdef",
    private_key:
      "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF\n-----END PRIVATE KEY-----\n",
    password: "hunt3r",
    nested: [{ url: "https://robot:n3sted-password@git.example.com/a" }],
  };
  const shown = (secret: string, text: string): string => {
    const { add, redact } = createRedactor();
    add(secret);
    return redact(text);
  };
  test.each([
    [
      "password of an address",
      "postgres://app:p%40ss-w0rd@db.example.com/x",
      "login p@ss-w0rd failed",
    ],
    [
      "password as written",
      "postgres://app:p%40ss-w0rd@db.example.com/x",
      "login p%40ss-w0rd failed",
    ],
    ["password of a driver's address", "app:p4ssw0rd@tcp(db:3306)/x", "login p4ssw0rd failed"],
    ["password of settings", "Server=db;User=app;Password=p4ssw0rd;", "login p4ssw0rd failed"],
    ["leaf of JSON", JSON.stringify(account), "key 0123456789abcdef0123456789abcdef"],
    ["short leaf that is a password", JSON.stringify(account), "login hunt3r failed"],
    ["line of a key in JSON", JSON.stringify(account), "MIIEvQIBADANBgkqhkiG9w0BAQEF"],
    ["address in JSON", JSON.stringify(account), "login n3sted-password failed"],
    [
      "leaf of JSON in base64",
      Buffer.from(JSON.stringify(account)).toString("base64"),
      "login hunt3r failed",
    ],
    [
      "first 47 of 51 characters",
      `sk-live-${"aB3x".repeat(11)}`,
      `sk-live-${"aB3x".repeat(11)}`.slice(0, 47),
    ],
    ["both ends", `sk-live-${"aB3xQ9".repeat(7)}`, "sk-live-aB3xQ9aB…aB3xQ9aB3xQ9"],
  ])("are masked: %s", (_, secret, text) => {
    const words = text.split(/[\s…]/u).filter((word) => /\d|@/.test(word));
    const result = shown(secret, text);
    for (const word of words) expect(result).not.toContain(word);
    expect(result).toContain("***");
  });

  test("do not mask what is public in a secret in other texts", () => {
    const { add, keep, redact } = createRedactor();
    add("postgres://app:p4ssw0rd-of-app@database.example.com:5432/support-agent");
    add("https://hooks.example.com/services/T0123456/B0123456/abcdEFGHijklMNOP");
    add(JSON.stringify(account));
    add("support-agent-production-4711");
    keep("support-agent-production");
    for (const text of [
      "https://hooks.example.com/status",
      "postgres://database.example.com:5432/other",
      "deployment support-agent-production is live",
      "-----BEGIN CERTIFICATE-----",
    ])
      expect(redact(text)).toBe(text);
  });
});

describe("a shortened part of a secret after the word that names it", () => {
  const CACHE = "redis://:Sup3rS3cretPassw0rd@very-long-host.example.com:6379/0";
  const POSTGRES = "postgres://usr:Pa%24s+w0rd99@db.host:5432/x";
  const AZURE = "Server=db;Password=Sup3rS3cretPw;AccountKey=AbCdEfGhIjKlMnOp==";
  const JSON_LEAF = JSON.stringify({ client: { secret: "leafSecretValue77" } });
  test.each([
    [
      CACHE,
      "Value 'redis://:Sup3rS3cre...host.example.com:6379/0' is bad",
      "Value 'redis://:***...host.example.com:6379/0' is bad",
    ],
    [CACHE, "could not connect: redis://:Sup3rS3cret...", "could not connect: redis://***..."],
    [CACHE, "url=redis://:Sup3rS3c (truncated)", "url=redis://:*** (truncated)"],
    [CACHE, "at …tPassw0rd@very-long-host.example.com", "at …***@very-long-host.example.com"],
    [CACHE, JSON.stringify(JSON.stringify({ url: "redis://:Sup3rS3c…" })), "***"],
    [CACHE, `u=${encodeURIComponent(CACHE).slice(0, 26)}…`, "u=redis%3A%2F%2F***…"],
    [POSTGRES, "bad value postgres://usr:Pa%24... | x", "bad value postgres://usr:***... | x"],
    [POSTGRES, "bad value postgres://usr:Pa$s+w0... | x", "bad value postgres://usr:***... | x"],
    [POSTGRES, `"${encodeURIComponent(POSTGRES).slice(0, 32)}"`, '"postgres%3A%2F%2F***"'],
    [AZURE, "Server=db;Password=Sup3rS3c...", "Server=db;Password=***..."],
    [AZURE, "conn: Password=Sup3rS3c…", "conn: Password=***…"],
    [AZURE, "AccountKey=AbCdEfGh", "AccountKey=***"],
    [JSON_LEAF, '{"client":{"secret":"leafSecre..."', '{"client":{"secret":"***..."'],
    [JSON_LEAF, "{'client': {'secret': 'leafSecre...'", "{'client': {'secret': '***...'"],
    [
      JSON_LEAF,
      JSON.stringify('{"client":{"secret":"leafSecre...'),
      '"{\\"client\\":{\\"secret\\":\\"***..."',
    ],
    ["https://ghp_abcdef12@git.example.com/a", "clone https://ghp_abcd…", "clone https://***…"],
  ])("is masked: %s in %s", (secret, text, expected) => {
    const { add, redact } = createRedactor();
    add(secret);
    if (expected === "***") expect(redact(text)).not.toContain("Sup3");
    else expect(redact(text)).toBe(expected);
    expect(redact(`before ${secret} after`)).toBe("before *** after");
  });

  test("what is next to it is not masked in other texts", () => {
    const { add, redact } = createRedactor();
    for (const secret of [
      ...[CACHE, POSTGRES, AZURE, JSON_LEAF, "https://deploy-user1@git.example.com/a"],
      JSON.stringify({
        auth_type: "service_account",
        token_uri: "https://oauth2.example.com/token",
      }),
    ])
      add(secret);
    for (const text of [
      "redis://very-long-host.example.com:6379/1 is up",
      "redis://:other@very-long-host.example.com:6379/0".replace("other", "***"),
      "postgres://usr:${PASSWORD}@db.host:5432/y",
      "Server=db;Password=;AccountKey=other",
      '{"client":{"secret":"another","id":7}}',
      "https://deploy.example.com and https://git.example.com/a",
      '{"auth_type":"service","token_uri":"https://other.example.com"}',
    ])
      expect(redact(text)).toBe(text);
    expect(redact(`${CACHE.replace("/0", "/1")} is up`)).toBe(
      "redis://***@very-long-host.example.com:6379/1 is up",
    );
  });

  test("many such parts leave a long ordinary log unchanged", () => {
    const { add, redact } = createRedactor();
    const keys = Array.from({ length: 300 }, (_, n) => [`key_${n}`, `v${n * 7919}x`] as const);
    add(JSON.stringify(Object.fromEntries(keys)));
    const text = "an ordinary line of a build log, nothing to see\n".repeat(10_000);
    expect(redact(text)).toBe(text);
  });
});

test("a value that is shown as its variable's name is shown so in every form, also if it is a secret too", () => {
  const { add, redact } = createRedactor();
  add("tok3n-of-the-registry");
  add("tok3n-of-the-registry", "${NPM_TOKEN}");
  add("8080", "${AUTH_PORT}");
  expect(redact("npm ci --token tok3n-of-the-registry")).toBe("npm ci --token ${NPM_TOKEN}");
  expect(redact(redact("a tok3n-of-the-regis… b"))).toBe("a ${NPM_TOKEN}… b");
  expect(redact(Buffer.from("tok3n-of-the-registry").toString("base64"))).toBe("${NPM_TOKEN}");
  expect([redact("8080"), redact("port 8080")]).toEqual(["${AUTH_PORT}", "port 8080"]);
});
