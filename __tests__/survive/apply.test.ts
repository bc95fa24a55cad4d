import { describe, expect, test } from "@jest/globals";
import { parseSpec } from "../../src/spec/spec.ts";
import { fetchFrom } from "../support/emulator-fetch.ts";
import {
  container,
  createFlow,
  createSeed,
  desiredOf,
  ID,
  IMAGE,
  liveOf,
  repohost,
  type Flow,
} from "./flow.ts";

const seed = createSeed();
const three = repohost({ graph: "other.json", secret: "two", push: true });

test.each([
  [repohost(), []],
  [three, [/^agent: update \([^,]+, [^,]+, \S+\)$/]],
  [
    three.replace("repo_ref: main", "repo_ref: next"),
    [/^agent: update \([^,]+, [^,]+, \S+ and 1 more\)$/],
  ],
])(
  "the log names at most three changes, and none if nothing changes: %#",
  async (spec, expected) => {
    const flow = createFlow({ emulator: { seed } });
    await flow.apply(desiredOf(spec));
    const lines = flow.lines.filter((line) => /^agent: (?:update|none|create)/.test(line));
    expect(lines).toEqual(expected.map((line) => expect.stringMatching(line)));
  },
);

test("another update in progress is logged once, however often it conflicts", async () => {
  const route = "PATCH /v2/deployments/{id}";
  const faults = [{ route, kind: "status", status: 409, times: 3 } as const];
  const flow = createFlow({ emulator: { seed, faults } });
  expect((await flow.apply(desiredOf(repohost({ graph: "other.json" })))).outcome).toBe("deployed");
  expect(flow.lines.filter((line) => line.includes("another update"))).toEqual([
    "agent: another update is under way: reading and planning again",
  ]);
});

describe("a redeploy during another update", () => {
  const REDEPLOY = "POST /v2/deployments/{id}/revisions/{id}/redeploy";
  const busy = (times: number) =>
    ({ route: REDEPLOY, kind: "status", status: 409, body: { detail: "busy" }, times }) as const;
  const failing = { deployment: "agent", revision: 2, outcome: "build-failed" } as const;
  const writesOf = (flow: Flow) => flow.calls().filter((call) => !call.startsWith("GET"));
  const PATCH = "PATCH /v2/deployments/{id}";

  test("is retried in a rollback", async () => {
    const flow = createFlow({
      emulator: { seed, revisions: [failing], faults: [busy(3)] },
      policy: { onFailure: "rollback" },
    });
    const report = await flow.apply(desiredOf(repohost({ graph: "other.json" })));
    expect([report.outcome, report.reason, report.rollback?.outcome, writesOf(flow)]).toEqual([
      "failed",
      "BUILD_FAILED",
      "deployed",
      [PATCH, REDEPLOY, REDEPLOY, REDEPLOY, REDEPLOY],
    ]);
  });

  test("is retried for a minute if requested by a person", async () => {
    const flow = createFlow({ emulator: { seed, faults: [busy(3)] } });
    expect((await flow.redeploy(ID)).outcome).toBe("deployed");
    expect(flow.lines.filter((line) => line.includes("another update"))).toEqual([
      "agent: another update is under way: trying again",
    ]);
    const always = createFlow({ emulator: { seed, faults: [busy(0)] } });
    const red = await always.redeploy(ID);
    expect([red.outcome, red.reason, red.changed, red.message]).toEqual([
      "failed",
      "busy",
      false,
      expect.stringContaining("busy"),
    ]);
    expect(always.clock.monotonic()).toBeGreaterThanOrEqual(60_000);
    expect(always.clock.monotonic()).toBeLessThan(120_000);
  });

  test("is not retried over the other update's new revision", async () => {
    const flow = createFlow({
      emulator: { seed, faults: [busy(1)] },
      onSend: (_, path, self) => {
        if (path.endsWith("/redeploy")) void patchAs(self, graphOf("theirs.json"));
      },
    });
    const report = await flow.redeploy(ID);
    const { latest } = liveOf(flow);
    expect([report.outcome, report.reason, report.superseded_by, writesOf(flow)]).toEqual([
      "superseded",
      "superseded",
      latest,
      [REDEPLOY, PATCH],
    ]);
    expect([report.message, report.next, report.changed]).toEqual([
      `not redeployed: another update made revision ${latest}, which is newer`,
      ["Look at what is live, then redeploy again"],
      false,
    ]);
  });

  test("is not retried in a rollback over the other update's new revision", async () => {
    const flow = createFlow({
      emulator: { seed, revisions: [failing], faults: [busy(1)] },
      policy: { onFailure: "rollback" },
      onSend: (_, path, self) => {
        if (path.endsWith("/redeploy")) void patchAs(self, graphOf("theirs.json"));
      },
    });
    const report = await flow.apply(desiredOf(repohost({ graph: "other.json" })));
    expect([report.outcome, report.reason, report.rollback, writesOf(flow)]).toEqual([
      "failed",
      "BUILD_FAILED",
      { revision_id: null, outcome: "superseded" },
      [PATCH, REDEPLOY, PATCH],
    ]);
    expect(report.message).toContain(
      `Rollback: not redeployed: another update made revision ${liveOf(flow).latest}, which is newer`,
    );
  });

  test.each([
    ["redeploy", [], async (flow: Flow) => (await flow.redeploy(ID)).outcome],
    [
      "rollback",
      [failing],
      async (flow: Flow) =>
        (await flow.apply(desiredOf(repohost({ graph: "other.json" })))).rollback?.outcome,
    ],
  ])(
    "is sent again in a %s if it was lost after an update in place",
    async (_, revisions, outcomeOf) => {
      const lost = { route: REDEPLOY, kind: "status", status: 503, nth: 2, times: 1 } as const;
      const flow = createFlow({
        emulator: { seed, revisions, faults: [busy(1), lost] },
        policy: { onFailure: "rollback" },
        onSend: (_method, path, self) => {
          if (!path.endsWith("/redeploy") || writesOf(self).includes(REDEPLOY)) return;
          void self.clock
            .sleep(100)
            .then(() => patchAs(self, { source_config: { build_on_push: true } }));
        },
      });
      expect(await outcomeOf(flow)).toBe("deployed");
      expect(writesOf(flow).filter((call) => call === REDEPLOY)).toHaveLength(3);
    },
  );

  test("keeps its plan after the run's own update", async () => {
    const flow = createFlow({
      emulator: { seed, faults: [busy(2)] },
      policy: { force: true },
    });
    const report = await flow.apply(desiredOf(repohost({ push: true })));
    expect([report.outcome, report.changes.map(({ path }) => path), report.warnings]).toEqual([
      "deployed",
      ["source_config.build_on_push", "revision"],
      [],
    ]);
    expect(writesOf(flow)).toEqual([PATCH, REDEPLOY, REDEPLOY, REDEPLOY]);
  });

  test("is planned again if the other update created a revision after the run's own", async () => {
    const flow = createFlow({
      emulator: { seed, faults: [busy(1)] },
      policy: { force: true },
      onSend: (_, path, self) => {
        if (path.endsWith("/redeploy")) void patchAs(self, graphOf("theirs.json"));
      },
    });
    const report = await flow.apply(desiredOf(repohost({ push: true })));
    expect([report.outcome, report.warnings, liveOf(flow).revisions]).toEqual([
      "deployed",
      [expect.stringContaining("agent was changed after its plan was made")],
      3,
    ]);
  });
});

const graphOf = (graph: string) => ({ source_revision_config: { graph_config_path: graph } });

/** Another deployer's update. */
async function patchAs(flow: Flow, body: object): Promise<Response> {
  return fetchFrom(
    flow.emulator,
    new Request(`http://127.0.0.1:1/v2/deployments/${ID}`, {
      method: "PATCH",
      headers: { "X-Api-Key": "somebody-else" },
      body: JSON.stringify(body),
    }),
  );
}

test("a taken name asks for the id on a service without a list", async () => {
  const route = "POST /v2/deployments";
  const faults = [{ route, kind: "status", status: 409, times: 0 } as const];
  const flow = createFlow({ emulator: { faults, strict: true }, policy: { create: "always" } });
  const report = await flow.apply(desiredOf(repohost()));
  expect([report.outcome, report.reason, report.next]).toEqual([
    "failed",
    "conflict",
    [
      "Give the id of agent with deploy.id or deployment-id: this service has no list to find it by",
    ],
  ]);
});

test.each([
  ["secrets.0.value", container().replace("value: one", 'value: "${NO}"')],
  ["secrets.1.value", `${container()}variables: { LOG: "x$\{NO}" }\n`],
  ["source_config.resource_spec.cpu", container().replace("cpu: 2", 'cpu: "${NO}"')],
  ["source_revision_config.image_uri", container().replace(IMAGE, "${NO}")],
  ["deploy.extra.size.0", `${container()}deploy: { extra: { size: ["$\{NO}"] } }\n`],
])("a document without a value at %s is never written", async (path, text) => {
  const files = [{ path: "s.yml", text }];
  const [planned] = parseSpec({ files, env: {}, mode: "plan" }).documents;
  const flow = createFlow();
  const report = await flow.apply(planned!);
  expect([report.outcome, report.message]).toEqual(["failed", expect.stringContaining(path)]);
  expect(flow.calls().filter((call) => !call.startsWith("GET"))).toEqual([]);
});
