import { describe, expect, test } from "@jest/globals";
import { judgeGates } from "../../src/gate/judge.ts";
import { createSeededRandom } from "../../src/gate/chance.ts";
import { exampleAt, gatesOf, rowOf, scores, tableOf } from "../gate/tables.ts";

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Small, seeded versions of `npm run bench -- gates`; contributing/gate-method.md prints the large ones. */
describe("simulated agents", () => {
  test.each([[1, 20]])(
    "%i floors at the true mean of skewed values, n=%i: rarely fail",
    (count, n) => {
      const random = createSeededRandom(count + n);
      const bar = Math.exp(0.86 ** 2 / 2).toFixed(6);
      const lines = Array.from({ length: count }, (_, m) => `  - m${m} >= ${bar}`);
      const gates = gatesOf(`gates:\n${lines.join("\n")}\nfloors: proven`);
      let failed = 0;
      for (let run = 0; run < 200; run++) {
        const rows = Array.from({ length: n }, (_, i) =>
          rowOf(exampleAt(i), {
            scores: Object.fromEntries(
              Array.from({ length: count }, (__, m) => [`m${m}`, Math.exp(0.86 * normal(random))]),
            ),
          }),
        );
        if (judgeGates({ head: tableOf(rows), base: null, gates }).verdict === "fail") failed++;
      }
      // 5.5 % and three standard errors of 200 runs.
      expect(failed).toBeLessThanOrEqual(20);
    },
  );

  test("the stated fall is found in 8 of 10 runs, also with one run against ten", () => {
    const gates = gatesOf("score drop <= 0");
    const random = createSeededRandom(3);
    const n = 100;
    const pair = (fall: number) => {
      const rates = Array.from({ length: n }, () => 1 - random() ** 3);
      const draw = (repeats: number, factor: number) =>
        tableOf(
          rates.flatMap((rate, i) =>
            Array.from({ length: repeats }, () =>
              rowOf(exampleAt(i), { scores: { score: Number(random() < rate * factor) } }),
            ),
          ),
        );
      return { base: draw(10, 1), head: draw(1, 1 - fall / 0.75) };
    };
    const stated = Array.from(
      { length: 10 },
      () => judgeGates({ ...pair(0), gates }).gates[0]!.mde!,
    );
    const fall = stated.reduce((sum, one) => sum + one, 0) / stated.length;
    const found = Array.from({ length: 200 }, () =>
      judgeGates({ ...pair(fall), gates, isMeasured: false }),
    ).filter(({ verdict }) => verdict === "fail").length;
    // Five points, and two standard errors of 200 runs.
    expect(found).toBeGreaterThan(200 * 0.69);
    expect(found).toBeLessThan(200 * 0.91);
  });

  test("twenty drops that are independent cost as much as independence predicts, also over ten clusters", () => {
    const random = createSeededRandom(10);
    const keys = Array.from({ length: 20 }, (_, m) => `m${m}`);
    const run = () =>
      tableOf(
        Array.from({ length: 50 }, (_, i) =>
          rowOf(exampleAt(i), {
            scores: Object.fromEntries(keys.map((key) => [key, 5 + normal(random)])),
            tags: { "inputs.c": String(i % 10) },
          }),
        ),
      );
    const toGates = (lines: readonly string[]) =>
      gatesOf(`gates:\n${lines.map((line) => `  - ${line}\n`).join("")}cluster_by: inputs.c\n`);
    const least = (given: Parameters<typeof judgeGates>[0]): number =>
      Math.min(...judgeGates({ ...given, isMeasured: false }).gates.map(({ p }) => p ?? 1));
    const lines = keys.map((key) => `${key} drop <= 0`);
    let [together, independent] = [0, 0];
    for (let k = 0; k < 15; k++) {
      const [head, base] = [run(), run()];
      const alone = lines.map((line) => least({ head, base, gates: toGates([line]) }));
      together += least({ head, base, gates: toGates(lines) });
      independent += 1 - (1 - Math.min(...alone)) ** keys.length;
    }
    expect(together / independent).toBeGreaterThan(0.97);
  });

  test("one in ten newly crashing is red, whichever rows crash", () => {
    const random = createSeededRandom(9);
    const gates = gatesOf("score drop <= 0.05");
    for (let run = 0; run < 100; run++) {
      const marks = Array.from({ length: 100 }, () => Number(random() < 0.7));
      const first = Math.floor(90 * random());
      const head = tableOf(
        marks.map((score, i) =>
          i >= first && i < first + 10
            ? rowOf(exampleAt(i), { error: true })
            : rowOf(exampleAt(i), { scores: { score } }),
        ),
      );
      expect(judgeGates({ head, base: scores(marks), gates, isMeasured: false }).verdict).toBe(
        "fail",
      );
    }
  });
});
