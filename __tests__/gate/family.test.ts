import { describe, expect, test } from "@jest/globals";
import { normalCdf, normalQuantile } from "../../src/gate/distribution.ts";
import { adjustFamily, type Question } from "../../src/gate/family.ts";
import { meanOf } from "../../src/gate/interval.ts";
import { createSeededRandom } from "../../src/gate/random.ts";

/** Questions that go together by rho: one shared part, and one of their own. */
function questionsOf(count: number, rho: number, p = 0.3): Question[] {
  return Array.from({ length: count }, (_, i) => {
    const influence = new Float64Array(count + 1);
    influence[i] = Math.sqrt(1 - rho);
    influence[count] = Math.sqrt(rho);
    return { p, influence, open: true };
  });
}

/** Chance that one of them is under a level when nothing changed, by integration over the shared part. */
function anyUnder(level: number, count: number, rho: number): number {
  const steps = 4000;
  let none = 0;
  for (let i = 0; i < steps; i++) {
    const shared = Math.sqrt(rho) * normalQuantile((i + 0.5) / steps);
    none += normalCdf((-normalQuantile(level) - shared) / Math.sqrt(1 - rho)) ** count / steps;
  }
  return 1 - none;
}

describe("one alpha for the run", () => {
  test.each([
    [2, 0],
    [5, 0],
    [20, 0],
    [40, 0],
    [2, 0.3],
    [5, 0.3],
    [20, 0.3],
    [2, 0.7],
    [5, 0.7],
    [20, 0.7],
    [20, 0.95],
  ])("%i gates that go together by %f spend nearly all of 5 %%, and no more", (count, rho) => {
    const spent = anyUnder(adjustFamily(questionsOf(count, rho), 0.05).level, count, rho);
    expect(spent).toBeLessThanOrEqual(0.0505);
    expect(spent).toBeGreaterThan(0.0445);
  });

  test("a chance among all is the one that integration gives, its error counted against the run", () => {
    for (const rho of [0.3, 0.7]) {
      const { adjusted } = adjustFamily(questionsOf(10, rho, 0.01), 0.05);
      const exact = anyUnder(0.01, 10, rho);
      expect(adjusted[0]! / exact).toBeGreaterThan(0.99);
      expect(adjusted[0]! / exact).toBeLessThan(1.12);
    }
  });

  test("ten clusters of questions that have nothing in common count as that many questions", () => {
    const random = createSeededRandom(1);
    const spentWith = (clusters: number | null): number => {
      const level = meanOf(
        Array.from({ length: 40 }, () => {
          const questions = Array.from({ length: 20 }, () => ({
            p: 0.3,
            influence: Float64Array.from({ length: 10 }, () => normalQuantile(random())),
            clusters,
            open: true,
          }));
          return adjustFamily(questions, 0.05).level;
        }),
      );
      return anyUnder(level, 20, 0);
    };
    expect(spentWith(10)).toBeLessThanOrEqual(0.051);
    // What the correlations of so few would spend if they were taken for true.
    expect(spentWith(null)).toBeGreaterThan(0.053);
  });

  test("clusters that go together still share their alpha", () => {
    const random = createSeededRandom(2);
    const shared = Array.from({ length: 40 }, () => normalQuantile(random()));
    const questions = Array.from({ length: 20 }, () => ({
      p: 0.3,
      influence: Float64Array.from(shared, (part) => part + 0.4 * normalQuantile(random())),
      clusters: 40,
      open: true,
    }));
    expect(adjustFamily(questions, 0.05).level).toBeGreaterThan(2 * (0.05 / 20));
  });

  test("is never worse than Holm", () => {
    const questions = [0.001, 0.01, 0.02, 0.4].map((p, i) => ({
      ...questionsOf(4, 0)[i]!,
      p,
    }));
    const { adjusted } = adjustFamily(questions, 0.05);
    [0.004, 0.03, 0.04, 0.4].forEach((holm, i) => {
      expect(adjusted[i]!).toBeLessThanOrEqual(holm + 1e-12);
      expect(adjusted[i]!).toBeGreaterThanOrEqual(questions[i]!.p);
    });
  });
});
