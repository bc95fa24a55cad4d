import type { LiveDeployment } from "../model/live.ts";
import { ServiceError, type ControlPlane, type Lookup } from "../service/control-plane.ts";

/** Readings of a list that keeps changing, before nothing is concluded from it. */
const MOST_READINGS = 6;

/** What bears a name, out of the service's list of what has it in its own. */
export interface NameList {
  /** As one reading shows it. `ahead`: the end of the list is asked for along with its beginning. */
  readonly read: (
    name: string,
    controlPlane: ControlPlane,
    ahead?: boolean,
  ) => Promise<Lookup<LiveDeployment>>;
  /** The same, read again until what it does not show is surely not there. */
  readonly readSurely: (
    name: string,
    controlPlane: ControlPlane,
  ) => Promise<Lookup<LiveDeployment>>;
}

/** Remembers what each reading showed, so that the next one can be held against it. */
export function createNameList(): NameList {
  const shownBefore = new Map<string, ReadonlySet<string>>();
  const read: NameList["read"] = async (name, controlPlane, ahead = false) => {
    const lookup = await controlPlane.listDeployments({
      nameContains: name,
      ...(ahead ? { expected: 1 } : {}),
    });
    if (lookup.state === "absent-lookup") return lookup;
    shownBefore.set(name, new Set(lookup.items.map(({ id }) => id)));
    return exactly(name, lookup);
  };
  const readSurely: NameList["readSurely"] = async (name, controlPlane) => {
    for (let readings = 1; readings <= MOST_READINGS; readings += 1) {
      const before = shownBefore.get(name);
      const lookup = await read(name, controlPlane);
      if (lookup.state === "absent-lookup" || lookup.items.length > 0) return lookup;
      if (isComplete(before, shownBefore.get(name) ?? new Set())) return lookup;
    }
    throw new ServiceError(
      `the deployment list kept changing over ${MOST_READINGS} readings, so whether ${name} exists is not known and nothing is created. Run again once nothing is being deleted`,
    );
  };
  return { read, readSurely };
}

/**
 * Whether what two readings in a row did not show is surely not there. What is deleted between two
 * pages shifts the next one to a page that was read already; but it was shown on that page, and the
 * next reading does not show it any more. An empty list is one answer, which nothing can shift.
 */
function isComplete(before: ReadonlySet<string> | undefined, now: ReadonlySet<string>): boolean {
  return now.size === 0 || (before !== undefined && [...before].every((id) => now.has(id)));
}

function exactly(
  name: string,
  lookup: Extract<Lookup<LiveDeployment>, { state: "found" }>,
): Lookup<LiveDeployment> {
  const of = (wanted: string): readonly LiveDeployment[] =>
    lookup.items.filter((item) => item.name === wanted);
  return { ...lookup, items: of(name), nameless: of("") };
}
