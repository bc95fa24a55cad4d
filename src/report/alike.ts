import { isGreen } from "./outcome.ts";
import type { DeploymentReport, Report } from "./report.ts";
import { listSome } from "../model/count-words.ts";
import { groupBy } from "../model/group-by.ts";

/** An entry of a list: one deployment, or several that read the same. */
export interface AlikeReport extends DeploymentReport {
  /** The names of all deployments of the entry, if there are several. */
  readonly members?: readonly string[];
  /** Shown instead of a message that was already shown. */
  readonly shown?: string;
}

/**
 * The deployments as shown to readers: what gates say is left to the gates below, and a message
 * shared by several deployments is shown for the first only.
 */
export function shownDeployments({ deployments, gates }: Report): readonly AlikeReport[] {
  const first = new Map<string, DeploymentReport>();
  return deployments.map((one): AlikeReport => {
    if (isGreen(one.outcome) || one.message === "") return one;
    if (gates.length > 0 && one.outcome === "blocked" && one.reason === "gate")
      return { ...one, shown: "" };
    const key = failureOf(one);
    const before = first.get(key);
    if (before !== undefined) return withoutWordsOf(before, one);
    first.set(key, one);
    return one;
  });
}

function withoutWordsOf(first: DeploymentReport, one: DeploymentReport): AlikeReport {
  const said = new Set([
    ...first.next.map((line) => nameless(first, line)),
    ...(first.plan?.blockers ?? []).map(({ message }) => nameless(first, message)),
  ]);
  const isNew = (text: string): boolean => !said.has(nameless(one, text));
  return {
    ...one,
    shown: `same reason as ${first.name}`,
    next: one.next.filter(isNew),
    plan: one.plan && {
      ...one.plan,
      blockers: one.plan.blockers.filter(({ message }) => isNew(message)),
    },
  };
}

/** Smaller groups are listed one by one. */
const FROM = 3;
/** How many names of a group are written out. */
export const NAMED = 2;
/** Shorter names occur within other words. */
const SHORTEST_NAME = 3;

/**
 * Folds equal texts: plans that differ only in their name become one entry that lists the names,
 * and a shared warning stays with the first, with a count. Red deployments stay whole. For display
 * only: counts come from the report.
 */
export function foldAlike(
  deployments: readonly DeploymentReport[],
  outcomes: readonly DeploymentReport["outcome"][],
): readonly AlikeReport[] {
  if (deployments.length < FROM) return deployments;
  const groups = groupBy(deployments, (one) => (outcomes.includes(one.outcome) ? keyOf(one) : one));
  return foldWarnings(
    [...groups.values()].flatMap((members): readonly AlikeReport[] =>
      members.length < FROM ? members : [toGroup(members)],
    ),
  );
}

function nameless({ name }: DeploymentReport, text: string): string {
  return name.length < SHORTEST_NAME ? text : text.replaceAll(name, "\0");
}

/**
 * A message without what differs where several reads failed for one reason: ids in addresses, and
 * the number of tries.
 */
function failureOf(one: DeploymentReport): string {
  const message = nameless(one, one.message);
  const { request } = one;
  if (request === undefined) return message;
  const differing = [one.id ?? "", one.revision_id ?? "", ` (${request.tries} tries)`];
  return differing
    .filter((part) => part !== "")
    .reduce((text, part) => text.replaceAll(part, "\0"), message);
}

function keyOf(one: DeploymentReport): string {
  const { plan, changes, warnings, notes, outcome, action, verify, timeline } = one;
  // A plan has one change with the deployment's name; all others must be equal.
  const others = changes.filter(({ path }) => path !== "name");
  const planned =
    plan === null ? null : { ...plan, name: "", id: null, changes: [], fingerprint: "" };
  return nameless(
    one,
    JSON.stringify([outcome, action, others, planned, warnings, notes, verify ?? null, timeline]),
  );
}

function toGroup(members: readonly DeploymentReport[]): AlikeReport {
  const [first] = members;
  const names = members.map(({ name }) => name);
  const { page: _, serving: __, ...rest } = first!;
  return {
    ...rest,
    name: listSome(names, (name) => name, NAMED),
    members: names,
    id: null,
    url: "",
    notes: [...first!.notes, `these ${names.length} are ${names.join(", ")}`],
    revision_id: null,
    previous_revision_id: null,
    changes: first!.changes.map((change) =>
      change.path === "name" ? { ...change, after: "(each its own)" } : change,
    ),
  };
}

function foldWarnings(entries: readonly AlikeReport[]): readonly AlikeReport[] {
  const isFolded = ({ outcome }: DeploymentReport): boolean =>
    outcome === "planned" || outcome === "unchanged" || outcome === "deployed";
  const sizeOf = ({ members }: AlikeReport): number => members?.length ?? 1;
  const counts = new Map<string, number>();
  for (const one of entries.filter(isFolded))
    for (const warning of warningsOf(one)) {
      const key = nameless(one, warning);
      counts.set(key, (counts.get(key) ?? 0) + sizeOf(one));
    }
  const seen = new Set<string>();
  return entries.map((one) => {
    if (!isFolded(one)) return one;
    const warnings = warningsOf(one).flatMap((warning) => {
      const key = nameless(one, warning);
      const count = counts.get(key)!;
      if (count < FROM || count === sizeOf(one)) return [warning];
      if (seen.has(key)) return [];
      seen.add(key);
      return [`${warning} (and ${count - 1} more like it)`];
    });
    return { ...one, warnings, plan: one.plan && { ...one.plan, warnings: [] } };
  });
}

/** The notes of its plan and of the run, each once. */
export const notesOf = ({ plan, notes }: DeploymentReport): readonly string[] => [
  ...new Set([...(plan?.notes ?? []), ...notes]),
];

/** The warnings of a deployment, each once. */
export function warningsOf(one: DeploymentReport): readonly string[] {
  return [...new Set([...(one.plan?.warnings ?? []), ...one.warnings])];
}

/** What a deployment's end says besides the headline above it: `API key rejected (401): GET …` without the headline. */
export function messageBelow({ message, request, shown }: AlikeReport): string {
  const said = `${request?.headline ?? ""}: `;
  const isSaid = said.length > 2 && message.startsWith(said);
  return shown ?? (isSaid ? message.slice(said.length) : message);
}
