import { nearestWord } from "../spec/suggestion.ts";
import { UsageError } from "../ci/session.ts";
import type { TracingSession as StoredExperiment, Tracing } from "../service/tracing.ts";
import { toSource, type FoundBaseline, type StoredRequest } from "./baseline-experiment.ts";
import { UUID } from "../model/uuid.ts";

const MOST_NAMES = 8;
/** Names that begin with so many characters of the word are near. */
const ALIKE_CHARS = 4;
/** So many experiments are looked through for a name that is near. */
const MOST_LISTED = 500;

/** The experiment of a name or an id, or the nearest names where there is none; several are a usage error. */
export async function findPinned(
  word: string,
  { tracing }: Pick<StoredRequest, "tracing">,
): Promise<FoundBaseline> {
  const found = await lookUp(word, tracing);
  const sources = found.flatMap((one) => toSource(one) ?? []);
  if (found.length > 0 && sources.length === 0)
    throw new UsageError(
      `baseline: ${word} is a tracing project without a dataset, and no experiment; give the name or id of an experiment`,
    );
  if (sources.length > 1)
    throw new UsageError(
      `baseline: there are ${sources.length} experiments named ${word}: ${sources.map(({ id }) => id).join(", ")}; give the id`,
    );
  const [source] = sources;
  if (source === undefined)
    return { state: "none", why: `there is no experiment ${word}${await suggest(word, tracing)}` };
  return { state: "found", source, notes: [] };
}

async function lookUp(word: string, tracing: Tracing): Promise<readonly StoredExperiment[]> {
  if (UUID.test(word)) {
    const found = await tracing.getSession(word.toLowerCase());
    if (found !== null) return [found];
  }
  const lookup = await tracing.findSessionsByName(word);
  if (lookup.state === "found") return lookup.items;
  throw new UsageError(
    `baseline: this service cannot be asked for experiments by name (it answers ${lookup.status}); give the experiment's id`,
  );
}

async function suggest(word: string, tracing: Tracing): Promise<string> {
  const lookup = await tracing.listExperiments(null, MOST_LISTED);
  const all = lookup.state === "found" ? lookup.items : [];
  const names = [
    ...new Set(all.flatMap(({ name, dataset_id }) => (dataset_id === null ? [] : [name]))),
  ];
  if (names.length === 0) return "; this workspace has none: check tenant-id and region";
  const near = nearestNames(word, names);
  if (near.length > 0)
    return `; the nearest ${near.length === 1 ? "is" : "are"} ${near.join(", ")}`;
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `; there are ${names.slice(0, MOST_NAMES).join(", ")}${more}`;
}

/** Names that begin alike or hold the word, behind the one that a slip of the finger would give. */
function nearestNames(word: string, names: readonly string[]): readonly string[] {
  const plain = word.toLowerCase();
  const slip = nearestWord(word, names);
  const alike = names.filter((name) => {
    const other = name.toLowerCase();
    return (
      other.includes(plain) || plain.includes(other) || sharedStart(plain, other) >= ALIKE_CHARS
    );
  });
  const sorted = alike.sort(
    (a, b) => sharedStart(plain, b.toLowerCase()) - sharedStart(plain, a.toLowerCase()),
  );
  return [...new Set([...(slip === undefined ? [] : [slip]), ...sorted])].slice(0, 3);
}

function sharedStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
