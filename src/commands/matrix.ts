import { joinList } from "../cli/list-text.ts";
import { groupBy } from "../model/group-by.ts";
import { runFingerprint } from "../plan/fingerprint.ts";
import { hasWork } from "../report/merge.ts";
import type { DeploymentReport, MatrixLeg } from "../report/report.ts";

/**
 * The legs of a job matrix, at most `size`: one deployment per leg if they fit, else as few per leg
 * as possible. A leg has deployments of one wave; if there are more waves than legs, it has adjacent
 * waves, applied in order.
 */
export function toMatrix(
  deployments: readonly DeploymentReport[],
  waveOf: (name: string) => number,
  size: number,
): readonly MatrixLeg[] {
  const waves = groupBy(deployments.filter(hasWork), ({ name }) => waveOf(name));
  const sorted = [...waves].sort(([a], [b]) => a - b);
  if (sorted.length > size)
    return splitEvenly(sorted, size).map((some) =>
      toLeg(
        some[0]![0],
        some.flatMap(([, members]) => members),
      ),
    );
  const largest = Math.max(1, ...sorted.map(([, members]) => members.length));
  let each = 1;
  const countLegs = (): number =>
    sorted.reduce((sum, [, members]) => sum + Math.ceil(members.length / each), 0);
  while (countLegs() > size && each < largest) each += 1;
  return sorted.flatMap(([wave, members]) =>
    splitEvenly(members, Math.ceil(members.length / each)).map((some) => toLeg(wave, some)),
  );
}

/** Parts of nearly equal size, in order, so that no leg takes much longer than another. */
function splitEvenly<T>(items: readonly T[], parts: number): (readonly T[])[] {
  const startOf = (part: number): number => Math.floor((part * items.length) / parts);
  return Array.from({ length: parts }, (_, part) => items.slice(startOf(part), startOf(part + 1)));
}

/** Why jobs over the whole matrix would deploy in the wrong order; empty for a single wave. */
export function describeWaves(legs: readonly Pick<MatrixLeg, "wave">[]): string {
  const waves = new Set(legs.map(({ wave }) => wave)).size;
  return waves < 2
    ? ""
    : `the output matrix has the legs of ${waves} waves, and jobs over it do not wait for each other's wave: use the output waves, one matrix each, or one apply of all documents`;
}

function toLeg(wave: number, members: readonly DeploymentReport[]): MatrixLeg {
  const [first, ...others] = members;
  const actions = new Set(members.map((one) => one.action));
  return {
    name: others.length === 0 ? first!.name : `${first!.name} and ${others.length} more`,
    names: joinList(members.map((one) => one.name)),
    action: actions.size === 1 ? first!.action : "mixed",
    fingerprint: runFingerprint(members.flatMap(({ plan }) => (plan === null ? [] : [plan]))),
    wave,
  };
}
