import { expect, test } from "@jest/globals";
import { binomialUpperTail } from "../../src/gate/distribution.ts";
import { detectableFall } from "../../src/gate/power.ts";
import { createSeededRandom } from "../../src/gate/random.ts";
import { criticalStatistic, fewestWorse, overChanged } from "../../src/gate/single-pairs.ts";

const GOOD = 0.85;

/** Exact power of the test of single marks where a share of the good examples breaks, and any mark may flip. */
function powerAt(fall: number, n: number, flip: number): number {
  const broken = fall / (GOOD * (1 - 2 * flip));
  const either = flip * (1 - flip);
  const kept = GOOD * (1 - broken) * either + (1 - GOOD) * either;
  const worse = kept + GOOD * broken * (1 - flip) ** 2;
  const better = kept + GOOD * broken * flip * flip;
  const all = worse + better;
  const z = criticalStatistic(n, 0.05);
  return overChanged(n, all, (m) =>
    m === 0 ? 0 : binomialUpperTail(fewestWorse(m, z), m, worse / all),
  );
}

/** The fall that runs of an unchanged agent state on average. */
function statedFall(n: number, flip: number): number {
  const random = createSeededRandom(5);
  const either = flip * (1 - flip);
  const good = GOOD * (1 - flip) + (1 - GOOD) * flip;
  let sum = 0;
  const runs = 100;
  for (let run = 0; run < runs; run++) {
    let [worse, better] = [0, 0];
    for (let i = 0; i < n; i++) {
      const drawn = random();
      if (drawn < either) worse++;
      else if (drawn < 2 * either) better++;
    }
    const [changed, net] = [(worse + better) / n, (worse - better) / n];
    const scatter = { kind: "marks", changed, net, good } as const;
    sum += detectableFall({ scatter, n, limit: 0, level: 0.05 }) ?? good;
  }
  return sum / runs;
}

test.each([
  [50, 0.005],
  [50, 0.02],
  [50, 0.1],
  [100, 0.02],
  [100, 0.1],
  [200, 0.005],
  [200, 0.02],
])(
  "the stated fall of %i single marks that flip in %f is found in 8 of 10 runs, within five points",
  (n, flip) => {
    const power = powerAt(statedFall(n, flip), n, flip);
    expect(power).toBeGreaterThan(0.75);
    expect(power).toBeLessThan(0.85);
  },
);
