import { describe, expect, test } from "@jest/globals";
import { CONTAINER, createStage } from "../../scenarios/stage.ts";
import { expectEmptyPlan } from "../../scenarios/exported.ts";
import type { ServerOptions } from "../../../src/emulator/server.ts";

describe.each<[string, ServerOptions]>([
  ...(["stars", "bullets", "empty", "null"] as const).map(
    (secretValues): [string, ServerOptions] => [
      `hosted read-back, secrets read back as ${secretValues}`,
      { readback: "hosted", secretValues },
    ],
  ),
  ["some secrets masked", { secretValues: "stars", maskedSecrets: ["OPENAI_API_KEY"] }],
])("%s", (_, options) => {
  test("the spec that export writes, for both kinds and in both spellings, plans no change", () =>
    expectEmptyPlan(options));
});

describe("a live secret without a value", () => {
  /** Exports what is live with these secrets, and plans and applies that with a value for A only. */
  async function afterExport(
    secrets: readonly { readonly name: string; readonly value: string }[],
  ): Promise<{ text: string; ends: unknown[]; writes: string[] }> {
    const body = { name: "search-agent", source: "external_container", secrets };
    const config = { image_uri: `r.example.com/a@sha256:${"c".repeat(64)}` };
    const deployment = { ...body, source_config: {}, source_revision_config: config };
    const stage = await createStage(CONTAINER, { seed: { deployments: [deployment] } });
    const text = (await stage.cli(["export", "--all"])).stdout;
    stage.spec(text);
    const ends: unknown[] = [];
    for (const command of ["plan", "apply"]) {
      const run = await stage.cli(
        [command, "--json", "--yes"].slice(0, command === "plan" ? 2 : 3),
        {
          A: "value-of-a",
        },
      );
      ends.push([run.code, JSON.parse(run.stdout).outcome]);
    }
    return { text, ends, writes: stage.writes() };
  }

  test("is exported with an empty default if others are shown, so that nothing is left to do or sent", async () => {
    const secrets = [
      { name: "A", value: "value-of-a" },
      { name: "EMPTY", value: "" },
    ];
    const { text, ends, writes } = await afterExport(secrets);
    expect(text).toMatch(/- A\n/);
    expect(text).toMatch(/name: EMPTY\n\s+value: \$\{EMPTY:-\}/);
    expect(ends).toEqual([
      [0, "unchanged"],
      [0, "unchanged"],
    ]);
    expect(writes).toEqual([]);
  });

  test("may be hidden if none is shown: it stays a name, and a comment says what to write", async () => {
    const { text, ends } = await afterExport([{ name: "EMPTY", value: "" }]);
    expect(text).toMatch(/- EMPTY\n/);
    expect(text).toContain(
      'EMPTY: live value empty or hidden; for an empty one write { name: EMPTY, value: "${EMPTY:-}" }',
    );
    expect(ends).toEqual([
      [0, "unchanged"],
      [2, "failed"],
    ]);
  });
});
