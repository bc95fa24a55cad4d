import { hideUserInfo } from "../model/user-info.ts";
import { withoutTerminalCodes } from "../terminal-codes.ts";
import {
  encodeWithContext,
  isOrdinaryWord,
  toBase64Forms,
  toEncodings,
  toSecretParts,
  type SecretPart,
} from "./encodings.ts";
import { createSecretIndex, WINDOW } from "./secret-index.ts";

/** Removes secrets from everything that leaves the program. */
export interface Redactor {
  /**
   * Call it before using the value for anything: it also masks the value's parts and every form
   * that logs and replies write them in. Empty values are ignored. `shownAs` is shown in its
   * place, `***` by default.
   */
  readonly add: (secret: string, shownAs?: string) => void;
  /**
   * A public name (of a deployment) to keep: in a text, although a secret may contain it; in the
   * places of a report that hold names, although it may contain or be the value of a secret
   * (`ENVIRONMENT`, `APP_NAME`), since other jobs find the deployment by it.
   */
  readonly keep: (name: string) => void;
  readonly redact: (text: string) => string;
  /**
   * A report with every string redacted, except our own keys and words (`outcome`, `action`, …),
   * which a secret may happen to equal.
   */
  readonly redactAll: <T>(value: T) => T;
}

/**
 * A value under four characters (`1`, `dev`), and one of JSON's own words, is masked only where it
 * is the whole text. Within a text that would blank ordinary words, break JSON and YAML, and hide
 * nothing from someone who knows how short it is.
 */
const SHORTEST = 4;
const JSON_WORD = /^(?:true|false|null)$/i;
const isShort = (text: string): boolean => text.length < SHORTEST || JSON_WORD.test(text);
/** The minimum length for a part: shorter ones in base64 would be ordinary words of eight letters. */
const SHORTEST_ENCODED = 8;
const MASK = "***";
/** Values below these keys of a report come from specs and the service, as do their keys (names of metrics). */
const THEIRS = new Set(["before", "after", "scores", "changed"]);
// The program's own words about the run: if a secret called `prod` or `deployed` masked them, machines could not read
// the report.
const OURS = new Set([
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

/** Keys of a report that hold the name of a deployment, or several with commas between. */
const NAMES = new Set(["name", "names"]);

/** `onForm` is called at once with each form to mask, so that a runner with its own masking can apply it too. */
export function createRedactor({
  onForm = () => {},
}: {
  readonly onForm?: (form: string) => void;
} = {}): Redactor {
  const index = createSecretIndex();
  /** Values that are masked only where they are the whole text. */
  const whole = new Map<string, string>();
  const names = new Set<string>();

  // The password in a URL is secret whoever wrote it, whether or not a spec or reply contains it.
  const redactPlain = (text: string): string => hideUserInfo(index.redact(text));
  const redact = (text: string): string => {
    const asWhole = whole.get(text);
    if (asWhole !== undefined) return asWhole;
    if (!text.includes("\u001b")) return redactPlain(text);
    // Terminal codes in a coloured log may split a secret, which would reappear once they are stripped. So it is
    // searched for without the codes: a search with them could find only some of its pieces.
    const bare = withoutTerminalCodes(text);
    const clean = redactPlain(bare);
    return clean === bare ? redactPlain(text) : clean;
  };
  const addForm = (form: string, mask: string): void => {
    if (isShort(form) || !/[^\s{}[\](),:;"'-]/u.test(form)) return;
    const isNew = !index.has(form);
    index.addForm(form, mask);
    if (isNew) onForm(form);
  };
  const addPart = ({ text, runs, places }: SecretPart, mask: string): void => {
    for (const form of toEncodings(text)) addForm(form, mask);
    // Text that already looks like base64, such as the lines of a key, is not encoded again.
    if (text.length >= SHORTEST_ENCODED && !/^[A-Za-z0-9+/]{40,}=*$/u.test(text))
      for (const form of toBase64Forms(text)) addForm(form, mask);
    for (const run of runs)
      if (run.length > WINDOW && run.length <= MAX_ABRIDGED)
        for (const form of toEncodings(run)) index.addWindows(form, mask);
    for (const place of places)
      for (const part of encodeWithContext(text, place))
        index.addWithContext(part, place.least, mask);
  };
  const add = (secret: string, shownAs = MASK): void => {
    const bare = secret.trim();
    if (bare === "") return;
    if (isShort(bare) || (shownAs !== MASK && isOrdinaryWord(bare))) {
      for (const text of [secret, bare]) whole.set(text, shownAs);
      return;
    }
    // Stripping the codes from a secret that contains some would reveal the rest of it.
    const colourless = withoutTerminalCodes(bare);
    if (colourless !== bare) add(colourless, shownAs);
    const isLong = bare.length > MAX_ABRIDGED;
    for (const part of toSecretParts(secret))
      addPart(isLong ? { ...part, places: [] } : part, shownAs);
    for (const text of new Set([secret, bare]))
      for (const form of toBase64Forms(text)) {
        addForm(form, shownAs);
        if (bare.length > WINDOW && !isLong) index.addWindows(form, shownAs);
      }
  };
  return {
    add,
    keep: (name) => {
      names.add(name);
      index.keep(name);
    },
    redact,
    redactAll: <T>(value: T): T => redactWithin(value, { redact, names }) as T,
  };
}

/** A longer secret is matched whole and by parts, not abridged: windows of all its forms would need too much memory. */
const MAX_ABRIDGED = 8 * 1024;

interface Redaction {
  readonly redact: Redactor["redact"];
  /** Names to keep where a report holds names. */
  readonly names: ReadonlySet<string>;
}

function redactWithin(value: unknown, redaction: Redaction, theirs = false): unknown {
  const { redact, names } = redaction;
  if (typeof value === "string") return redact(value);
  if (theirs && typeof value === "number") {
    const shown = redact(String(value));
    return shown === String(value) ? value : shown;
  }
  if (Array.isArray(value)) return value.map((item) => redactWithin(item, redaction, theirs));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (theirs) return [redact(key), redactWithin(item, redaction, true)];
      const isOurs =
        typeof item === "string" &&
        (OURS.has(key) || (NAMES.has(key) && item.split(",").every((one) => names.has(one))));
      return [key, isOurs ? item : redactWithin(item, redaction, THEIRS.has(key))];
    }),
  );
}
