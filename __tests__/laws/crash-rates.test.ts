import { describe, expect, test } from "@jest/globals";
import { judgeGates } from "../../src/gate/judge.ts";
import { createSeededRandom } from "../../src/gate/chance.ts";
import { exampleAt, gatesOf, rowOf, tableOf } from "../gate/tables.ts";

describe("crashes that no example shares", () => {
  test("an agent that crashes as often as before rarely fails, even if crashes lose their names", () => {
    const gates = gatesOf("gates:\n  - m drop <= 0\n");
    const random = createSeededRandom(20261124);
    const run = (side: string) =>
      tableOf(
        Array.from({ length: 60 }, (_, i) =>
          random() < 0.1
            ? rowOf(`${side}${i}`, { error: true })
            : rowOf(exampleAt(i), { scores: { m: random() < 0.8 ? 1 : 0 } }),
        ),
      );
    let failed = 0;
    for (let k = 0; k < 200; k++)
      if (
        judgeGates({ head: run("z"), base: run("y"), gates, isMeasured: false }).verdict === "fail"
      )
        failed++;
    expect(failed).toBeLessThanOrEqual(16);
  });

  test("an agent that crashes as often as before rarely fails with repeats either", () => {
    const gates = gatesOf("gates:\n  - m drop <= 0\n");
    const random = createSeededRandom(20261125);
    const crashing = Array.from({ length: 60 }, () => 0.3 * random() ** 2);
    const run = (side: string) =>
      tableOf(
        crashing.flatMap((rate, i) =>
          [0, 1, 2].map((k) =>
            random() < rate
              ? rowOf(`${side}${i}-${k}`, { error: true })
              : rowOf(exampleAt(i), { scores: { m: random() < 0.8 ? 1 : 0 } }),
          ),
        ),
      );
    let failed = 0;
    for (let k = 0; k < 200; k++)
      if (
        judgeGates({ head: run("z"), base: run("y"), gates, isMeasured: false }).verdict === "fail"
      )
        failed++;
    expect(failed).toBeLessThanOrEqual(16);
  });
});
