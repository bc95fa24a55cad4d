import { joinList } from "../cli/list-text.ts";
import { runFingerprint } from "../plan/fingerprint.ts";
import { hasWork } from "../report/merge.ts";
import type { DeploymentReport, MatrixLeg } from "../report/report.ts";

/** One job of a fan-out. */
interface Leg {
  readonly wave: number;
  readonly members: readonly DeploymentReport[];
}

/**
 * The legs of a job matrix: one deployment per leg if they fit into `size`, else as few per leg as
 * possible. No leg has deployments of two waves.
 */
export function toMatrix(
  deployments: readonly DeploymentReport[],
  waveOf: (name: string) => number,
  size: number,
): readonly MatrixLeg[] {
  const work = deployments.filter(hasWork);
  const waves = [...new Set(work.map((one) => waveOf(one.name)))].sort((a, b) => a - b);
  const groups = waves.map((wave) => ({
    wave,
    members: work.filter((one) => waveOf(one.name) === wave),
  }));
  let chunk = 1;
  const legsAt = (each: number): number =>
    groups.reduce((sum, { members }) => sum + Math.ceil(members.length / each), 0);
  while (legsAt(chunk) > size && chunk < work.length) chunk += 1;
  return groups.flatMap((group) => splitGroup(group, chunk)).map(toLeg);
}

/**
 * Why jobs over the whole matrix would deploy in the wrong order; empty if all its legs are in one
 * wave.
 */
export function describeWaves(legs: readonly Pick<MatrixLeg, "wave">[]): string {
  const waves = new Set(legs.map(({ wave }) => wave)).size;
  return waves < 2
    ? ""
    : `the output matrix has the legs of ${waves} waves, and jobs over it do not wait for each other's wave: use the output waves, one matrix each, or one apply of all documents`;
}

/** Chunks of nearly equal size, so that no leg takes much longer than another. */
function splitGroup({ wave, members }: Leg, chunk: number): readonly Leg[] {
  const count = Math.ceil(members.length / chunk);
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * members.length) / count);
    const end = Math.floor(((index + 1) * members.length) / count);
    return { wave, members: members.slice(start, end) };
  });
}

function toLeg({ wave, members }: Leg): MatrixLeg {
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
