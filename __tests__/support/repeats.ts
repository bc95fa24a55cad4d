/** Holds a log or a comment to saying each thing once. */

/** Shorter ones are labels, counts and names, which may well come twice. */
const MIN_WORDS = 5;

/** Lines in which a sentence may stand again, and why. */
const EXCEPT: readonly RegExp[] = [
  // The runner shows an annotation next to the job, where the log is not; a mask is not a sentence.
  /^::/,
  // A problem of a place appears once at each place.
  /^(?:warning: )?[\w./-]+:\d+:\d+: /,
  // What failed on the way may end otherwise; the end says how it ended.
  /Trying again in [\d.]+ s\.$|: still waiting \(/,
  // A failure that continues is counted, as often as the time it takes asks for.
  /: retrying \(\d+, /,
  // What a build or a script printed.
  /^\s*(?:\S+ )?(?:log|verify) \|/,
  // Parts of a comment that fold have titles, and tables and diffs have rows.
  /^<details><summary>|^[|+!@ -]/,
  // Each deployment is announced with its fields, and each file with its format.
  /: (?:create|update) \(|: read as /,
];

const words = (sentence: string): readonly string[] => sentence.match(/[\p{L}][\p{L}'’]*/gu) ?? [];

/** Values, names, addresses and ids, which are no words. */
const withoutValues = (line: string): string =>
  line.replace(/`[^`]*`|<code>.*?<\/code>|\S*[/@_=]\S*|\b[0-9a-f]{8}[0-9a-f-]*\b/g, " ");

/** The sentences that are in a text twice; what ends the same for many deployments appears once for each of them. */
export function findRepeats(text: string, deployments = 1): readonly string[] {
  const counts = new Map<string, number>();
  const lines = text
    .replace(/\u001b\[[0-9;]*m/g, "")
    .split("\n")
    .filter((line) => !EXCEPT.some((except) => except.test(line)));
  for (const line of lines)
    for (const sentence of line.split(/(?<=[.!?:;])\s+| · /)) {
      const said = words(withoutValues(sentence));
      if (said.length < MIN_WORDS) continue;
      const key = sentence
        .trim()
        .toLowerCase()
        .replace(/[.:;]$/, "");
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return [...counts].flatMap(([sentence, count]) =>
    count > Math.max(1, deployments) ? [sentence] : [],
  );
}

const ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
/** Where an id is part of something to run or to open. */
const USED = /^\s*(?:agent-deploy|npx) |--\S+|https?:\/\/|[A-Z_]+=/;

/** Ids that two lines of an end name. */
export function findRepeatedIds(end: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of end.split("\n").filter((one) => !USED.test(one)))
    for (const id of new Set(line.match(ID) ?? [])) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].flatMap(([id, count]) => (count > 1 ? [id] : []));
}

/** What is drawn, copied or computed to more digits for a reason: pictures, versions, addresses, places, times, limits. */
const OTHER_NUMBERS = /```(?:mermaid|text)[\s\S]*?```|\S*[/:@]\S*|\bv?\d+\.\d+\.\d+\S*/g;

/** Numbers that a text shows in two forms, such as 0.6 and 0.604. */
export function findTwoForms(text: string): readonly string[] {
  const forms = new Map<string, Set<string>>();
  for (const [found] of text
    .replace(OTHER_NUMBERS, " ")
    .matchAll(/(?<![\w.-])[-−+]?\d+\.\d+(?![\w.]*\d)/g)) {
    const shown = found.replace(/[−+-]/, "");
    const key = Number(shown).toFixed(2);
    forms.set(key, (forms.get(key) ?? new Set()).add(shown));
  }
  return [...forms.values()].flatMap((shown) => (shown.size > 1 ? [[...shown].join(" and ")] : []));
}
