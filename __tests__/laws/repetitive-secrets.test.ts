import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createRedactor } from "../../src/secrets/redaction.ts";
import { CONTAINER, edit } from "../scenarios/stage.ts";
import { cpuMs } from "../support/busy.ts";
import { nodeUnderTest, path, startChild } from "../support/child.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";

const REPETITIVE = [
  ["two letters", "ab".repeat(50_000)],
  ["one letter", "a".repeat(100_000)],
  ["lines", "0123456789abcdef\n".repeat(6_000)],
  ["a long period", `${"abcdefghijklmnop".repeat(60)}-`.repeat(100)],
] as const;

test.each(REPETITIVE)(
  "a repetitive secret of 100 KB is masked in bounded time: %s",
  (_, secret) => {
    const mask = (value: string) => {
      const begunMs = cpuMs();
      const { add, redact } = createRedactor();
      add(value);
      const around = redact(`before ${value} between ${value.slice(0, -3)} after`);
      const twice = redact(`x${value}${value}y`);
      return { around, twice, ms: cpuMs() - begunMs };
    };
    const { around, twice, ms } = mask(secret);
    expect(around).toMatch(/^before \*\*\* between /);
    expect(twice).toBe("x***y");
    // A secret of the same length without repetition. Masking without a bound took thousands of times as long.
    const ordinary = Array.from({ length: 2_500 }, (_, at) => createHash("sha256").update(`${at}`));
    const random = ordinary.map((one) => one.digest("hex").slice(0, 40)).join("");
    expect(ms).toBeLessThan(100 * Math.max(10, mask(random).ms));
  },
);

/** Makes a run print at its end how many milliseconds of CPU it has used, whoever else is working. */
const PRINT_CPU = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  console.error("used %d ms", (user + system) / 1000);
})`;

test("a run that gets a repetitive secret in an answer costs no more than twenty ordinary ones", async () => {
  const costOf = async (secret: string): Promise<number> => {
    const body = { detail: `no value for ${secret}${secret} here` };
    const emulator = await startTestEmulator({
      faults: [{ route: "POST /v2/deployments", kind: "status", status: 422, body }],
    });
    const spec = edit(CONTAINER, "{ name: API_TOKEN, value: first-value }", "API_TOKEN");
    const workspace = createTree({ "agent-deploy.yml": spec });
    const hook = `data:text/javascript,${encodeURIComponent(PRINT_CPU)}`;
    const cli = join(repositoryRoot, "dist", "cli.js");
    const { stdout, stderr } = await startChild(nodeUnderTest, ["--import", hook, cli, "apply"], {
      cwd: workspace.path,
      env: { PATH: path, HOME: workspace.path, ...emulator.env, API_TOKEN: secret },
    }).done;
    expect(stdout).toMatch(/no value for (?:\$\{API_TOKEN\})+ here/);
    return Number(/^used ([\d.]+) ms$/m.exec(stderr)?.[1]);
  };
  const ordinary = await costOf("an-ordinary-secret");
  // Masking it without a bound took hundreds of times as long as an ordinary run.
  expect(await costOf(REPETITIVE[0][1])).toBeLessThan(20 * ordinary);
}, 600_000);

test("each line of a secret is masked, whatever its line breaks are", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const { add, redact } = createRedactor();
    add(["first-line-of-it", "second-line-of-it"].join(end));
    expect(redact("it said second-line-of-it")).toBe("it said ***");
  }
});
