import { describe, expect, test } from "@jest/globals";
import type { DeploymentReport } from "../../src/report/report.ts";
import { container, createFlow, desiredOf, repohost, type Flow } from "./flow.ts";
import { changingAnswers } from "./gateway.ts";

const ID = "0b6f0000-0000-4000-8000-000000000001";
const seed = {
  integrations: [{ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" }],
  deployments: [{ ...desiredOf(repohost()).body, id: ID }],
};
const changed = desiredOf(repohost({ graph: "other.json" }));

/** An update during whose `verify` something happens. */
async function applyWhile(what: (flow: Flow) => Promise<unknown>): Promise<DeploymentReport> {
  const flow: Flow = createFlow({
    emulator: { seed },
    policy: { verify: "npm run smoke" },
    shell: {
      run: async () => {
        await what(flow);
        return { exitCode: 0, tail: [] };
      },
    },
  });
  return flow.apply(changed);
}

describe("what happens while verify runs", () => {
  test("nothing: verify ran against what is live", async () => {
    const report = await applyWhile(async () => {});
    expect([report.outcome, report.verify]).toMatchObject(["deployed", { exit_code: 0 }]);
  });

  test("another revision becomes active: superseded, by which one", async () => {
    const report = await applyWhile((flow) =>
      createFlow({ beside: flow }).apply(desiredOf(repohost({ graph: "theirs.json" }))),
    );
    expect([report.outcome, report.reason, report.message]).toEqual([
      "superseded",
      "superseded",
      expect.stringMatching(
        `^revision [0-9a-f-]{36} is active since verify began, and not revision ${report.revision_id}: verify may have run against either revision$`,
      ),
    ]);
    expect(report.message).not.toContain(`revision ${report.revision_id} is active`);
  });

  test("a newer revision begins, and a field that builds nothing changes: a warning names the field", async () => {
    const theirs = repohost({ graph: "theirs.json", push: true });
    const report = await applyWhile((flow) =>
      createFlow({ beside: flow, policy: { wait: false } }).apply(desiredOf(theirs)),
    );
    expect(report.outcome).toBe("deployed");
    expect(report.warnings).toEqual([
      expect.stringContaining("source_config.build_on_push: the live value differs from the spec"),
    ]);
  });

  test("a secret changes under an unchanged deployment: superseded, and what this run sent is not blamed", async () => {
    const first = createFlow();
    await first.apply(desiredOf(container()));
    let isChanged = false;
    const again = createFlow({
      beside: first,
      between: changingAnswers((answer) =>
        isChanged
          ? { ...answer, text: answer.text.replace('"value":"one"', '"value":"two"') }
          : answer,
      ),
      policy: { verify: "npm run smoke" },
      shell: {
        run: async () => {
          isChanged = true;
          return { exitCode: 0, tail: [] };
        },
      },
    });
    const report = await again.apply(desiredOf(container()));
    expect([report.outcome, report.reason, report.message]).toEqual([
      "superseded",
      "superseded",
      expect.stringMatching(/secrets.*: it was changed while verify ran$/),
    ]);
  });

  test("the deployment is deleted: red, since it is gone", async () => {
    const report = await applyWhile((flow) =>
      flow.controlPlane.deleteDeployment(ID, { deleteTracingProject: true }),
    );
    expect([report.outcome, report.reason, report.message]).toEqual([
      "failed",
      "gone",
      `deployment ${ID} was deleted while verify ran`,
    ]);
  });
});
