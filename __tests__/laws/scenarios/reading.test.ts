import { describe, expect, test } from "@jest/globals";
import { CONTAINER, createDeployed, createStage } from "../../scenarios/stage.ts";

const NAME = "search-agent";

describe("every command that reads", () => {
  test("asks for the id if a name cannot be looked up, or belongs to two deployments", async () => {
    const unlisted = await createStage(CONTAINER, { list: 404 });
    for (const command of ["status", "history", "logs", "open", "export", "rollback"])
      expect((await unlisted.cli([command, NAME])).stderr).toContain(
        `this service has no list of deployments (404), so ${NAME} cannot be looked up: give its id instead of its name`,
      );
    const one = { name: NAME, source: "external_container", source_config: {} } as const;
    const duplicated = await createStage(CONTAINER, {
      names: "duplicates",
      seed: { deployments: [one, one] },
    });
    const { code, stderr } = await duplicated.cli(["status", NAME]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/Say which with its id instead of its name$/m),
    ]);
  });

  test.each(["status", "history", "logs", "open", "rollback"])(
    "exits with 2 and the nearest name if a name does not exist, and sends no write: %s",
    async (command) => {
      const stage = await createDeployed(CONTAINER);
      const run = await stage.cli([command, "serch-agent"]);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain(`did you mean ${NAME}?`);
      expect((await stage.cli([command])).code).toBe(2);
      expect(stage.writes()).toEqual([]);
    },
  );
});
