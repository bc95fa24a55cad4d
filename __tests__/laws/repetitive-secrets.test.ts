import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import { createRedactor } from "../../src/secrets/redaction.ts";
import { CONTAINER, edit } from "../scenarios/stage.ts";
import { expectWithin } from "../support/busy.ts";
import { runCli } from "../support/cli-run.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree } from "../support/tree.ts";

const REPETITIVE = [
  ["two letters", "ab".repeat(50_000)],
  ["one letter", "a".repeat(100_000)],
  ["lines", "0123456789abcdef\n".repeat(6_000)],
  ["a long period", `${"abcdefghijklmnop".repeat(60)}-`.repeat(100)],
] as const;

test.each(REPETITIVE)(
  "a repetitive secret of 100 KB is masked in bounded time: %s",
  (_, secret) => {
    const timeOf = (value: string): number => {
      const begun = process.cpuUsage();
      const { add, redact } = createRedactor();
      add(value);
      redact(`before ${value} between ${value.slice(0, -3)} after`);
      return process.cpuUsage(begun).user;
    };
    const { add, redact } = createRedactor();
    add(secret);
    const around = redact(`before ${secret} between ${secret.slice(0, -3)} after`);
    expect(around).toMatch(/^before \*\*\* between /);
    expect(redact(`x${secret}${secret}y`)).toBe("x***y");
    // A secret of the same length without repetition. Masking without a bound took thousands of times as long.
    const ordinary = Array.from({ length: 2_500 }, (_, at) => createHash("sha256").update(`${at}`));
    const random = ordinary.map((one) => one.digest("hex").slice(0, 40)).join("");
    expect(timeOf(secret)).toBeLessThan(200 * Math.max(10_000, timeOf(random)));
  },
);

test("a run with such a secret takes no longer than a hundred ordinary ones", async () => {
  const emulator = await startTestEmulator();
  const spec = edit(CONTAINER, "{ name: API_TOKEN, value: first-value }", "API_TOKEN");
  const timed = async (secret: string): Promise<number> => {
    const begun = performance.now();
    const run = await runCli(["apply", "--poll-interval", "20ms"], {
      workspace: createTree({ "agent-deploy.yml": spec }),
      env: { ...emulator.env, API_TOKEN: secret },
    });
    expect({ code: run.code, log: run.stderr }).toMatchObject({ code: 0 });
    return performance.now() - begun;
  };
  const ordinary = await timed("an-ordinary-secret");
  // Masking it without a bound took three hundred times as long as an ordinary run.
  expectWithin(await timed(REPETITIVE[0][1]), 100 * ordinary);
}, 600_000);

test("each line of a secret is masked, whatever ends its lines", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const { add, redact } = createRedactor();
    add(["first-line-of-it", "second-line-of-it"].join(end));
    expect(redact("it said second-line-of-it")).toBe("it said ***");
  }
});
