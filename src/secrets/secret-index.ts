/** Length of the windows used to scan a text: any part of a long secret that is at least this long is masked. */
export const WINDOW = 12;

/** A form of a part of a secret, with the text around it. */
export interface FormInContext {
  readonly before: string;
  readonly form: string;
  readonly after: string;
}

/** What to remove where a window matches: characters `from` to `to`. */
interface Window {
  readonly mask: string;
  readonly from: number;
  readonly to: number;
}

/** The longest form at a position of a text, where this window begins. */
type FormAt = (at: number, window: string) => string | undefined;

/**
 * Finds forms and windows by the twelve characters at each position: the time depends on the
 * text's length, not on the number of secrets. Shorter forms are few and found by one pattern.
 */
export function createSecretIndex() {
  const forms = new Map<string, string>();
  /** Forms by their first twelve characters, longest first. */
  const byStart = new Map<string, string[]>();
  const { windows, addWindows, addWithContext } = createWindows();
  const kept = new Set<string>();
  const short = createShortForms(forms);

  /** Adds a whole form, and the mask to show in its place. */
  const addForm = (form: string, mask: string): void => {
    const known = forms.get(form);
    // A name is more useful than stars.
    if (known === undefined || known === "***") forms.set(form, mask);
    if (known !== undefined) return;
    if (form.length < WINDOW) short.rebuild();
    else addStart(byStart, form);
  };
  const createFormAt = (text: string): FormAt => {
    const long = new Map<string, ReadonlySet<number>>();
    const stands = (form: string, at: number): boolean => {
      if (form.length <= LONG) return text.startsWith(form, at);
      if (at + form.length > text.length) return false;
      const places = long.get(form) ?? placesIn(text, form);
      long.set(form, places);
      return places.has(at);
    };
    return (at, window) => byStart.get(window)?.find((one) => stands(one, at));
  };
  const redact = (text: string): string => {
    if (forms.size === 0) return text;
    if (byStart.size === 0 && windows.size === 0) return short.redact(text);
    const formAt = createFormAt(text);
    let clean = "";
    let done = 0;
    for (let at = 0; at + WINDOW <= text.length; at = Math.max(done, at + 1)) {
      const window = windowAt(text, at);
      const form = formAt(at, window);
      const mask = form === undefined ? windows.get(window)?.mask : forms.get(form);
      if (mask === undefined) continue;
      const { start, end } = placeOf(text, at, windows, formAt);
      if (form === undefined && isWithin(kept, text, start, end)) continue;
      clean += short.redact(text.slice(done, start)) + mask;
      done = end;
    }
    return clean + short.redact(text.slice(done));
  };
  return {
    addForm,
    has: (form: string): boolean => forms.has(form),
    addWindows,
    addWithContext,
    /** A public text: a mere part of a secret is not masked within it. */
    keep: (text: string): void => {
      if (text.length >= WINDOW) kept.add(text);
    },
    redact,
  };
}

/** A whole UUID, commit or SHA-256. */
const ID =
  /(?<![\w-])(?:[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12}|[\da-fA-F]{64}|[\da-fA-F]{40})(?![\w-])/
    .source;

/**
 * Whether a form within an id is there on purpose. Some ids hold a port such as 5432 by chance, and
 * an id with stars in it finds nothing.
 */
const isNoAccident = (form: string): boolean => form.length >= 8;

/** Redacts the forms that are shorter than a window by one pattern, rebuilt after a change. */
function createShortForms(forms: ReadonlyMap<string, string>) {
  let isStale = true;
  let inText: RegExp | undefined;
  let inId: RegExp | undefined;
  const toMask = (form: string): string => forms.get(form) ?? "***";
  return {
    rebuild: (): void => {
      isStale = true;
    },
    redact: (text: string): string => {
      if (isStale) {
        const all = [...forms.keys()].filter((form) => form.length < WINDOW);
        inText = toPattern(all, ID);
        inId = toPattern(all.filter(isNoAccident));
        isStale = false;
      }
      if (inText === undefined) return text;
      return text.replace(inText, (found) => {
        if (found.length < WINDOW) return toMask(found);
        return inId === undefined ? found : found.replace(inId, toMask);
      });
    },
  };
}

/** The windows to search for, and what to remove for each. */
function createWindows() {
  const windows = new Map<string, Window>();
  const addAll = (text: string, toWindow: (at: number) => Window): void => {
    for (let at = 0; at + WINDOW <= text.length; at += 1) {
      const window = text.slice(at, at + WINDOW);
      const known = windows.get(window);
      const made = toWindow(at);
      if (made.from >= made.to || (known !== undefined && known.mask !== "***")) continue;
      // A window removed whole in one place is removed whole everywhere.
      windows.set(
        window,
        known !== undefined && known.to - known.from > made.to - made.from
          ? { ...known, mask: made.mask }
          : made,
      );
    }
  };
  /** Adds each window of a long secret's form, so that an abridged one is found too. */
  const addWindows = (form: string, mask: string): void => {
    const all = { mask, from: 0, to: WINDOW };
    addAll(form, () => all);
  };
  /**
   * Adds a shorter part, or one recognised by a few characters: the windows that hold at least
   * `least` characters of it plus its context. The context itself is kept.
   */
  const addWithContext = (
    { before, form, after }: FormInContext,
    least: number,
    mask: string,
  ): void => {
    const [starts, ends] = [before.length, before.length + form.length];
    addAll(before + form + after, (at) => {
      const [from, to] = [Math.max(starts - at, 0), Math.min(ends - at, WINDOW)];
      return { mask, from, to: to - from < least || to - from === WINDOW ? from : to };
    });
  };
  return { windows, addWindows, addWithContext };
}

/** The matched range, extended by all that overlaps it: any rest would be part of a secret. */
function placeOf(
  text: string,
  found: number,
  windows: ReadonlyMap<string, Window>,
  formAt: FormAt,
): { start: number; end: number } {
  let [start, end] = [text.length, found + 1];
  for (let at = found; at < end; at += 1) {
    const here = windowAt(text, at);
    const window = windows.get(here);
    const length = formAt(at, here)?.length ?? 0;
    if (length > 0 || window !== undefined)
      start = Math.min(start, at + (length > 0 ? 0 : window!.from));
    end = Math.max(end, at + (window?.to ?? 0), at + length);
  }
  return { start, end };
}

function addStart(byStart: Map<string, string[]>, form: string): void {
  const start = form.slice(0, WINDOW);
  const same = [...(byStart.get(start) ?? []), form];
  byStart.set(
    start,
    same.sort((a, b) => b.length - a.length),
  );
}

/** Whether one of the words covers the whole range. */
function isWithin(words: ReadonlySet<string>, text: string, from: number, to: number): boolean {
  return [...words].some((word) => {
    const first = text.lastIndexOf(word, from);
    return first >= 0 && first + word.length >= to;
  });
}

const windowAt = (text: string, at: number): string => text.slice(at, at + WINDOW);

/** Longest first, so that a secret that contains another is masked whole; `first` is tried before all. */
function toPattern(forms: readonly string[], ...first: readonly string[]): RegExp | undefined {
  const sources = forms
    .toSorted((a, b) => b.length - a.length)
    .map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/gu, "\\$&"));
  return sources.length === 0 ? undefined : new RegExp([...first, ...sources].join("|"), "g");
}

/** Longer forms are searched in the whole text at once: a repetitive one almost matches at every position. */
const LONG = 512;

/** Every position of a form in a text, in linear time (Knuth, Morris and Pratt). */
function placesIn(text: string, form: string): ReadonlySet<number> {
  /** For each prefix length of the form: the length of the longest proper suffix that is also a prefix. */
  const borders = new Uint32Array(form.length + 1);
  /** Length of the form's prefix that ends at a character, given the one that ends at the character before. */
  const step = (before: number, code: number): number => {
    let length = before;
    while (length > 0 && form.charCodeAt(length) !== code) length = borders[length]!;
    return form.charCodeAt(length) === code ? length + 1 : 0;
  };
  for (let at = 1; at < form.length; at += 1)
    borders[at + 1] = step(borders[at]!, form.charCodeAt(at));
  const places = new Set<number>();
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    length = step(length, text.charCodeAt(at));
    if (length === form.length) places.add(at + 1 - length);
  }
  return places;
}
