import { joinList } from "../cli/list-text.ts";
import { groupBy } from "../model/group-by.ts";
import { runFingerprint } from "../plan/fingerprint.ts";
import { hasWork } from "../report/merge.ts";
import type { DeploymentReport, MatrixLeg } from "../report/report.ts";

/**
 * The legs of a job matrix: one deployment per leg if they fit into `size`, else as few per leg as
 * possible. No leg has deployments of two waves.
 */
export function toMatrix(
  deployments: readonly DeploymentReport[],
  waveOf: (name: string) => number,
  size: number,
): readonly MatrixLeg[] {
  const waves = groupBy(deployments.filter(hasWork), ({ name }) => waveOf(name));
  const groups = [...waves].sort(([a], [b]) => a - b);
  const largest = Math.max(1, ...groups.map(([, members]) => members.length));
  let each = 1;
  const countLegs = (): number =>
    groups.reduce((sum, [, members]) => sum + Math.ceil(members.length / each), 0);
  while (countLegs() > size && each < largest) each += 1;
  return groups.flatMap(([wave, members]) => {
    // Legs of nearly equal size, so that none takes much longer than another.
    const legs = Math.ceil(members.length / each);
    const startOf = (leg: number): number => Math.floor((leg * members.length) / legs);
    return Array.from({ length: legs }, (_, leg) =>
      toLeg(wave, members.slice(startOf(leg), startOf(leg + 1))),
    );
  });
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
