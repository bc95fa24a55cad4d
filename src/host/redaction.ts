import { withoutTerminalCodes } from "../report/escape.ts";

/** Takes secrets out of everything that leaves the program. */
export interface Redactor {
  /** Before the value is used for anything. Empty values are ignored. */
  readonly add: (secret: string) => void;
  readonly redact: (text: string) => string;
  /** A report with every string in it redacted, but for its own keys and words (`outcome`, `action`, …), which a secret may happen to equal. */
  readonly redactAll: <T>(value: T) => T;
}

/**
 * A value under four characters (`1`, `dev`) is taken out only where it is the whole text: as part of a text it would blank
 * ordinary words, and hide nothing from someone who knows how short it is.
 */
const SHORTEST = 4;
const MASK = "***";
/** What lies below these keys of a report is somebody else's, keys and all: values of a spec and of the service, names of metrics. */
const THEIRS = new Set(["before", "after", "scores", "changed"]);
// What the program itself says about the run; without these a secret called `prod` or `deployed` would make reports unreadable by machines.
const OURS = new Set([
  "version",
  "outcome",
  "action",
  "effect",
  "verdict",
  "gate_verdict",
  "command",
  "state",
  "dialect",
  "source",
  "fingerprint",
  "tool",
  "changed",
  "revision",
  "started_at",
  "finished_at",
]);

/** `onForm` hears each form that is to be masked, at once, so that a runner that masks by itself knows it too. */
export function createRedactor({
  onForm = () => {},
}: {
  readonly onForm?: (form: string) => void;
} = {}): Redactor {
  const forms = new Set<string>();
  const short = new Set<string>();
  let pattern: RegExp | null = null;

  const redact = (text: string): string => {
    if (short.has(text)) return MASK;
    if (forms.size === 0) return text;
    const clean = text.replace((pattern ??= toPattern(forms)), MASK);
    if (!clean.includes("\u001b")) return clean;
    // A coloured log may part a secret by terminal codes; where those are taken out for show, it would be whole again.
    const bare = withoutTerminalCodes(clean);
    const again = bare.replace(pattern, MASK);
    return again === bare ? clean : again;
  };
  const redactAll = <T>(value: T): T => redactWithin(value, redact) as T;
  const add = (secret: string): void => {
    if (secret.trim() === "") return;
    if (secret.trim().length < SHORTEST) {
      short.add(secret);
      short.add(secret.trim());
    }
    for (const form of toForms(secret)) {
      if (forms.has(form)) continue;
      forms.add(form);
      pattern = null;
      onForm(form);
    }
  };
  return { add, redact, redactAll };
}

/** Longest first, so that a secret that holds another goes whole. */
function toPattern(forms: ReadonlySet<string>): RegExp {
  const sources = [...forms]
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  return new RegExp(sources.join("|"), "g");
}

function redactWithin(value: unknown, redact: (text: string) => string, theirs = false): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactWithin(item, redact, theirs));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (theirs) return [redact(key), redactWithin(item, redact, true)];
      return [
        key,
        OURS.has(key) && typeof item === "string"
          ? item
          : redactWithin(item, redact, THEIRS.has(key)),
      ];
    }),
  );
}

/** The ways a secret shows up in logs and replies: whole, line by line, escaped as JSON, URL-encoded, in base64 at any offset. */
function toForms(secret: string): string[] {
  const whole = [
    secret,
    secret.trim(),
    secret.replace(/\r\n/g, "\n"),
    secret.replace(/\r?\n/g, "\r\n"),
    ...secret.split(/\r?\n/).map((line) => line.trim()),
  ];
  // The lines of a key are base64 already: encoding each again finds nothing that the whole value does not.
  const encoded = [...new Set([secret, secret.trim()])].flatMap((value) => [
    ...toEscaped(value),
    ...toBase64(value),
  ]);
  return [...new Set([...whole, ...encoded])].filter(
    (form) => form.length >= SHORTEST && /[^\s{}[\](),:;"'-]/.test(form),
  );
}

function toEscaped(value: string): string[] {
  // encodeURI throws on half a surrogate pair.
  const wellFormed = Buffer.from(value, "utf8").toString("utf8");
  const json = JSON.stringify(value).slice(1, -1);
  const ascii = json.replace(
    /[\u007f-\uffff<>&']/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const url = encodeURIComponent(wellFormed);
  return [
    json,
    ascii,
    JSON.stringify(json).slice(1, -1),
    url,
    url.replace(/%20/g, "+"),
    url.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encodeURI(wellFormed),
    value
      .replace(/&/g, "&amp;")
      .replace(/</g, "&lt;")
      .replace(/>/g, "&gt;")
      .replace(/"/g, "&quot;"),
  ];
}

/** In base64 the same bytes read in three ways, by what stands before them; the characters that neighbours share are left off. */
function toBase64(value: string): string[] {
  const bytes = Buffer.from(value, "utf8");
  const shifted = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const ends = (bytes.length + offset) % 3;
    return text.slice(offset === 0 ? 0 : offset + 1, ends === 0 ? undefined : -1);
  });
  return [bytes.toString("base64"), ...shifted.filter((form) => form.length >= 6)].flatMap(
    (form) => [form, form.replace(/\+/g, "-").replace(/\//g, "_")],
  );
}
