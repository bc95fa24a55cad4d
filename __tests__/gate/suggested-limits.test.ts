import { describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";

const rows = (fallen: number): string =>
  JSON.stringify(
    Array.from({ length: 40 }, (_, n) => ({
      inputs: { q: `question ${n}` },
      evaluation_scores: ["c", "a>=b", "f(x=1)", "ok.pass"].map((key) => ({
        key,
        score: n < fallen ? 0 : 1,
      })),
    })),
  );
const FILES = { "head.json": rows(2), "base.json": rows(1) };

async function notify(rules: Iterable<string>): Promise<{ code: number | null; text: string }> {
  const workspace = createTree({ ...FILES, "gates.yml": JSON.stringify({ gates: [...rules] }) });
  const args = ["gate", "head.json", "--gate", "gates.yml", "--baseline", "base.json"];
  const { code, stdout, stderr } = await runCli(args, { workspace });
  return { code, text: stdout + stderr };
}

const LIMITS = [
  "-5",
  "-0.5",
  "0",
  "1",
  "1.5",
  "5",
  "85",
  "99.99999999",
  "100",
  "100%",
  "150%",
  "1000",
  "4s",
];
const SIGNS = ["c >=", "c >", "c <=", "c <", "c drop <=", "c drop <"];
/** Refused once the scores are seen. */
const SENSELESS = [
  ...LIMITS.flatMap((limit) => SIGNS.map((sign) => `${sign} ${limit}`)),
  ...['"a>=b" >= 85', '"a>=b" <= 100', '"f(x=1)" drop <= 5', "'f(x=1)' > 1", "c ≥ 85", "c≤100"],
].filter((rule) => !/drop <=? -/.test(rule));
/** Refused because of the metric, nothing else. */
const IMPOSSIBLE = ["<= 100", "drop <= 100", "> 100", ">= 5", "< 100", ">= 85"].flatMap((limit) => [
  `error_rate ${limit}`,
  `pass^1(c) ${limit}`,
]);

test("a gate that is suggested in place of an impossible one is accepted", async () => {
  const suggested = new Set<string>();
  for (const rules of [SENSELESS, IMPOSSIBLE]) {
    const { code, text } = await notify(rules);
    expect(code).toBe(2);
    for (const [, meant] of text.matchAll(/(?:did you mean|such as) `([^`]+)`/gu))
      suggested.add(meant!);
    for (const [, rule, share] of text.matchAll(
      /`([^`]+)`: .*(?:did you mean|such as) ([\d.]+%?)/gu,
    ))
      suggested.add(`${rule!.slice(0, rule!.lastIndexOf(" "))} ${share}`);
  }
  expect([...suggested]).toEqual(
    expect.arrayContaining(["c <= 0.05", "c >= 0.85", '"a>=b" >= 0.85', "pass^1(c) >= 85%"]),
  );
  expect(suggested.size).toBeGreaterThan(25);
  const again = await notify(suggested);
  expect(again.text).not.toMatch(/problem|can never/);
  expect(again.code).toBe(4);
});

describe("a percentage for a score that counts to a hundred", () => {
  const hundred = JSON.stringify(
    [42, 30, 55].map((score, n) => ({
      inputs: { q: n },
      evaluation_scores: [
        { key: "accuracy", score },
        { key: "speedup", score: 1 + n },
      ],
    })),
  );
  const gate = (rule: string) =>
    runCli(["gate", "*.json", "--gate", rule], {
      workspace: createTree(
        rule.startsWith("mean")
          ? { "means.json": JSON.stringify({ mean: 42 }) }
          : { "head.json": hundred },
      ),
    });

  test.each([
    [100, 2],
    [101, 0],
  ])(
    "values up to %d end with exit %d, since a score that counts to a hundred goes no further",
    async (most, end) => {
      const scored = Array.from({ length: 20 }, (_, n) => ({
        inputs: { q: n },
        evaluation_scores: [{ key: "s", score: n === 0 ? most : 50 }],
      }));
      const workspace = createTree({ "head.json": JSON.stringify(scored) });
      const { code } = await runCli(["gate", "head.json", "--gate", "s >= 85%"], { workspace });
      expect(code).toBe(end);
    },
  );

  test.each([
    ["accuracy >= 85%", "`accuracy >= 85%` is 0.85, and the values go up to 55", "accuracy >= 85"],
    ["mean >= 85%", "`mean >= 85%` is 0.85, and the values go up to 42", "mean >= 85"],
  ])("%s is refused, since it would always be met", async (rule, why, meant) => {
    const { code, stderr } = await gate(rule);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${why}; did you mean`)]);
    expect(stderr).toContain(`\`${meant}\``);
    expect((await gate(meant)).code).toBe(4);
  });

  test.each([
    [10, 0],
    [10.5, 2],
  ])("a value of %f may be on a ten-point scale, or not: exit %i", async (mean, code) => {
    const workspace = createTree({ "means.json": JSON.stringify({ mean }) });
    expect((await runCli(["gate", "*.json", "--gate", "mean >= 85%"], { workspace })).code).toBe(
      code,
    );
  });

  test("a ratio may be over 100 %", async () => {
    expect((await gate("speedup >= 110%")).code).toBe(0);
  });
});

test("a missing baseline gets no advice to make the run red if that is set already", async () => {
  const workspace = createTree(FILES);
  const args = ["gate", "head.json", "--baseline", "gone.json", "--gate", "c drop <= 0.1"];
  const red = "--on-no-baseline fail makes this red";
  expect((await runCli(args, { workspace })).stderr).toContain(red);
  const run = await runCli([...args, "--on-no-baseline", "fail"], { workspace });
  expect([run.code, run.stderr]).toEqual([4, expect.not.stringContaining(red)]);
});
