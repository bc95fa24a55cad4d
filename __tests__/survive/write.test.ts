import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../src/emulator/http/fault.ts";
import {
  createFlow,
  createSeed,
  desiredOf,
  ID,
  INTEGRATION,
  liveOf,
  repohost,
  type Flow,
  type FlowOptions,
} from "./flow.ts";
import { changingAnswers, freezingList } from "./gateway.ts";
import { fetchFrom } from "../support/emulator-fetch.ts";

const MINUTE = 60_000;
const seed = createSeed();
const plain = desiredOf(repohost());
const changed = desiredOf(repohost({ graph: "other.json" }));
const CREATE = "POST /v2/deployments";
const lostBefore = (times: number, route = CREATE): FaultRule => ({
  route,
  kind: "reset-before",
  times,
});

const writes = (flow: Flow): string[] => flow.calls().filter((call) => !call.startsWith("GET"));

/** A flow in which somebody does something right before the nth write of the run leaves. */
function interfering(
  nth: number,
  method: string,
  what: (flow: Flow) => void,
  options: FlowOptions = {},
): Flow {
  let seen = 0;
  return createFlow({
    ...options,
    onSend: (sent, path, flow) => {
      if (sent !== method || !/^\/v2\/deployments(\/[^/]+)?$/.test(path)) return;
      seen += 1;
      if (seen === nth) what(flow);
    },
  });
}

async function request(flow: Flow, method: string, path: string, body: unknown): Promise<Response> {
  return fetchFrom(
    flow.emulator,
    new Request(`http://127.0.0.1:1${path}`, {
      method,
      headers: { "X-Api-Key": "somebody-else" },
      body: JSON.stringify(body),
    }),
  );
}

/** A flow whose first create is taken but answered with 502; `change` sees the answers to later reads. */
function afterLostCreate(change: (path: string, text: string, id: string) => string | null): Flow {
  let id: string | null = null;
  return createFlow({
    between: changingAnswers((answer, { method, url }) => {
      const { pathname } = new URL(url);
      if (method === "POST" && pathname === "/v2/deployments" && id === null) {
        id = (JSON.parse(answer.text) as { id: string }).id;
        return { ...answer, status: 502, text: "{}" };
      }
      if (id === null || method !== "GET") return answer;
      const text = change(pathname, answer.text, id);
      return text === null
        ? { ...answer, status: 404, text: '{"detail":"not found"}' }
        : { ...answer, text };
    }),
  });
}

interface Listed {
  readonly resources: readonly Readonly<Record<string, unknown>>[];
}
const GHOST = "11111111-2222-4333-8444-555555555555";

describe("a create without a response", () => {
  test("is not repeated if the list has a deployment of that name that is being deleted", async () => {
    const flow = afterLostCreate((path, text, id) => {
      if (path.endsWith(id))
        return text.replace(/"status":"[A-Z_]+"/, '"status":"AWAITING_DELETE"');
      if (path !== "/v2/deployments") return text;
      const { resources } = JSON.parse(text) as Listed;
      return JSON.stringify({ resources: resources.map(({ secrets: _, ...row }) => row) });
    });
    const report = await flow.apply(plain);
    expect(writes(flow).filter((call) => call.startsWith("POST"))).toHaveLength(1);
    expect([report.outcome, report.id]).toEqual([
      "failed",
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
  });

  test("is not repeated if the list has the deployment before a read finds it", async () => {
    let reads = 0;
    const flow = afterLostCreate((path, text, id) => {
      if (path !== "/v2/deployments") return path.endsWith(id) && ++reads <= 2 ? null : text;
      const { resources } = JSON.parse(text) as Listed;
      return JSON.stringify({ resources: resources.map(({ secrets: _, ...row }) => row) });
    });
    const report = await flow.apply(plain);
    expect([report.outcome, writes(flow)]).toEqual(["deployed", [CREATE]]);
  });

  test("is blocked with both ids if the list shows two, even if the first cannot be read yet", async () => {
    const flow = afterLostCreate((path, text) => {
      if (path !== "/v2/deployments") return text;
      const { resources } = JSON.parse(text) as Listed;
      return JSON.stringify({
        resources: [...resources.slice(0, 1).map((row) => ({ ...row, id: GHOST })), ...resources],
      });
    });
    const report = await flow.apply(plain);
    expect([report.outcome, report.reason]).toEqual(["blocked", "duplicates"]);
    expect(report.message).toContain(GHOST);
    expect(report.message).toContain(report.id);
  });

  test("is repeated only after reads showed that it was not accepted, five times in all", async () => {
    const four = createFlow({ emulator: { names: "duplicates", faults: [lostBefore(4)] } });
    expect((await four.apply(plain)).outcome).toBe("deployed");
    expect([writes(four).length, liveOf(four).count]).toEqual([5, 1]);
    const never = createFlow({ emulator: { faults: [lostBefore(0)] } });
    const report = await never.apply(plain);
    expect([report.outcome, report.reason, report.message]).toEqual([
      "failed",
      "refused",
      expect.stringContaining(
        "tried 5 times, and each time a read showed that the service had not taken it",
      ),
    ]);
    expect([writes(never).length, liveOf(never).count]).toEqual([5, 0]);
  });
  test("that was accepted is found by name before anything is sent again", async () => {
    const flow = createFlow({
      emulator: { names: "duplicates", faults: [{ route: CREATE, kind: "reset-after" }] },
    });
    const report = await flow.apply(plain);
    expect([report.outcome, report.changed, report.action]).toEqual(["deployed", true, "create"]);
    expect(writes(flow)).toEqual([CREATE]);
  });
  test("during somebody else's create of that name updates theirs to the spec", async () => {
    const flow = interfering(
      1,
      "POST",
      (self) => {
        void request(
          self,
          "POST",
          "/v2/deployments",
          desiredOf(repohost({ graph: "theirs.json" })).body,
        );
      },
      { emulator: { faults: [{ ...lostBefore(1), nth: 2 }] } },
    );
    const report = await flow.apply(plain);
    expect([report.outcome, liveOf(flow).count, liveOf(flow).revisions]).toEqual([
      "deployed",
      1,
      2,
    ]);
  });
  test.each([
    ["at the end of its wait", true],
    ["if nobody waits", false],
  ])(
    "before a second one, which the list does not show either, fails as unknown %s",
    async (_, wait) => {
      const flow = createFlow({
        emulator: { names: "duplicates", faults: [{ route: CREATE, kind: "reset-after" }] },
        listLagMs: () => 60 * MINUTE,
        policy: { wait },
      });
      const report = await flow.apply(plain);
      expect([report.outcome, report.reason, report.message]).toEqual([
        "failed",
        "unknown",
        expect.stringMatching(
          new RegExp(`^deployment ${report.id} was created, but an earlier create .* is unknown`),
        ),
      ]);
      expect(report.next[0]).toMatch(
        /Look for a second deployment named agent .* not [0-9a-f-]{36}/,
      );
      expect(liveOf(flow).count).toBe(2);
    },
  );
  test("before a second one is blocked if the list shows both late, and the message names the run's own create", async () => {
    const flow = createFlow({
      emulator: { names: "duplicates", faults: [{ route: CREATE, kind: "reset-after" }] },
      listLagMs: () => MINUTE,
    });
    const report = await flow.apply(plain);
    expect([report.outcome, report.reason]).toEqual(["blocked", "duplicates"]);
    for (const { id } of flow.deployments()) expect(report.message).toContain(id);
    expect(report.message).toContain("a create of this run that got no answer");
  });
  test("fails on a service without a list, with what is unknown and how to find out", async () => {
    const flow = createFlow({
      emulator: { strict: true, faults: [{ route: CREATE, kind: "reset-after" }] },
      policy: { create: "always" },
    });
    const report = await flow.apply(plain);
    expect([report.outcome, report.reason, report.message]).toEqual([
      "failed",
      "unknown",
      expect.stringMatching(
        /it is unknown whether the service took it .* this service has no list of deployments/,
      ),
    ]);
    expect(report.next[0]).toMatch(/Look for a deployment named agent .* deploy\.id/);
    expect(liveOf(flow).count).toBe(1);
  });
});

describe("two concurrent runs", () => {
  test("create one deployment and both succeed on a service with 409", async () => {
    const first = createFlow();
    const second = createFlow({ beside: first });
    const ends = await Promise.all([first.apply(plain), second.apply(plain)]);
    expect(ends.map(({ outcome }) => outcome)).toEqual(["deployed", "deployed"]);
    expect(liveOf(first)).toMatchObject({ count: 1, revisions: 1 });
    expect(ends.map(({ changed: wrote }) => wrote).sort()).toEqual([false, true]);
  });
  test("create at most one deployment each on a service that allows duplicates, and a run that sees two is blocked with both ids", async () => {
    const first = createFlow({ emulator: { names: "duplicates" } });
    const second = createFlow({ beside: first });
    const ends = await Promise.all([first.apply(plain), second.apply(plain)]);
    const ids = first.deployments().map(({ id }) => id);
    expect(ids.length).toBeLessThanOrEqual(2);
    if (ids.length === 2) {
      const blocked = ends.filter(({ outcome }) => outcome === "blocked");
      expect(blocked.length).toBeGreaterThan(0);
      for (const { reason, message } of blocked)
        for (const id of ids)
          expect([reason, message]).toEqual(["duplicates", expect.stringContaining(id)]);
      expect((await createFlow({ beside: first }).apply(plain)).outcome).toBe("blocked");
    }
  });
  test("a name taken by a left-over tracing project is reported as such", async () => {
    const flow = createFlow({ emulator: { seed } });
    await request(
      flow,
      "DELETE",
      `/v2/deployments/${ID}?delete_tracing_project=false`,
      undefined as never,
    ).catch(() => undefined);
    await flow.clock.sleep(1_000);
    const report = await flow.apply(plain);
    expect([report.outcome, report.reason, report.message]).toEqual([
      "failed",
      "conflict",
      expect.stringContaining("already exists"),
    ]);
    expect(report.next[0]).toMatch(/tracing project of that name/);
  });
});

test("the log lists what is written, and a run that does not wait reports what it started", async () => {
  const flow = createFlow({ emulator: { seed }, policy: { wait: false } });
  const report = await flow.apply(changed);
  expect(report.message).toMatch(`revision ${report.revision_id} was started, and `);
  expect(flow.lines[0]).toBe("agent: update (source_revision_config.graph_config_path)");
});

describe("a deployment that is being deleted", () => {
  test("is waited for, then created again", async () => {
    const flow = createFlow({ emulator: { seed, lags: { delete: 3 * MINUTE } } });
    await flow.controlPlane.deleteDeployment(ID, { deleteTracingProject: true });
    const report = await flow.apply(plain);
    expect([report.outcome, report.id === ID, liveOf(flow).count]).toEqual(["deployed", false, 1]);
  });
  test("is created again even if a stale list still shows it", async () => {
    // The list catches up once the new one is created.
    let isFrozen = true;
    const flow = createFlow({
      emulator: { seed, lags: { delete: 3 * MINUTE } },
      between: freezingList(({ method }) => (isFrozen &&= method !== "POST")),
    });
    expect((await flow.apply(plain)).outcome).toBe("unchanged");
    await flow.controlPlane.deleteDeployment(ID, { deleteTracingProject: true });
    const report = await flow.apply(plain);
    expect([report.outcome, report.id === ID, liveOf(flow).count]).toEqual(["deployed", false, 1]);
  });
  test("that is not gone in time times out, and nothing is created", async () => {
    const flow = createFlow({
      emulator: { seed, lags: { delete: 60 * MINUTE } },
      policy: { timeoutMs: 5 * MINUTE },
    });
    await flow.controlPlane.deleteDeployment(ID, { deleteTracingProject: true });
    flow.emulator.clearRequests();
    const report = await flow.apply(plain);
    expect([report.outcome, writes(flow)]).toEqual(["timed-out", []]);
    expect(flow.clock.monotonic()).toBeLessThan(6 * MINUTE);
  });
  test("if given by id is created again under another id, unless somebody else takes the name", async () => {
    for (const isTaken of [false, true]) {
      const flow = createFlow({
        emulator: { seed, lags: { delete: 2 * MINUTE } },
        policy: { deploymentId: ID },
      });
      await flow.controlPlane.deleteDeployment(ID, { deleteTracingProject: true });
      if (isTaken)
        void flow.clock
          .sleep(2 * MINUTE + 10)
          .then(() => request(flow, "POST", "/v2/deployments", plain.body));
      const report = await flow.apply(plain);
      expect([report.outcome, liveOf(flow).count]).toEqual([isTaken ? "blocked" : "deployed", 1]);
      expect(report.id === ID).toBe(false);
    }
  });
  test("whose name somebody else takes meanwhile is updated", async () => {
    const flow = createFlow({ emulator: { seed, lags: { delete: 2 * MINUTE } } });
    await flow.controlPlane.deleteDeployment(ID, { deleteTracingProject: true });
    void flow.clock
      .sleep(2 * MINUTE + 10)
      .then(() => request(flow, "POST", "/v2/deployments", plain.body));
    const report = await flow.apply(plain);
    expect([report.outcome, liveOf(flow).count]).toEqual(["deployed", 1]);
  });
});

describe("an update without a response", () => {
  const PATCH = "PATCH /v2/deployments/{id}";
  const theirs = (self: Flow): void => {
    void request(self, "PATCH", `/v2/deployments/${ID}`, {
      secrets: [{ name: "TOKEN", value: "one" }],
    });
  };
  test("is not confused with somebody else's revision", async () => {
    const flow = interfering(1, "PATCH", theirs, {
      emulator: { seed, faults: [{ ...lostBefore(1, PATCH), nth: 2 }] },
    });
    const report = await flow.apply(changed);
    expect([
      report.outcome,
      liveOf(flow).revisions,
      liveOf(flow).active === report.revision_id,
    ]).toEqual(["deployed", 3, true]);
  });
  test("in place is checked field by field", async () => {
    for (const kind of ["reset-before", "reset-after"] as const) {
      const flow = createFlow({ emulator: { seed, faults: [{ route: PATCH, kind }] } });
      const report = await flow.apply(desiredOf(repohost({ push: true })));
      expect([report.outcome, writes(flow).length, liveOf(flow).revisions]).toEqual([
        "updated",
        kind === "reset-before" ? 2 : 1,
        1,
      ]);
      expect(report.revision_id).toBe(liveOf(flow).active);
    }
  });
  test("for a new commit, which only repeats repo_ref, is detected by the latest revision", async () => {
    for (const kind of ["reset-before", "reset-after"] as const) {
      const flow = createFlow({
        emulator: { seed, faults: [{ route: PATCH, kind }] },
        policy: { commit: "c".repeat(40) },
        run: { repositoryUrl: "https://git.example.com/acme/agents", ref: "refs/heads/main" },
        repository: {
          compare: async () => ({ relation: "ahead", files: null }),
          checkedOut: async () => null,
        },
      });
      flow.emulator.push({
        repo_url: "https://git.example.com/acme/agents",
        ref: "main",
        commit: "c".repeat(40),
      });
      const report = await flow.apply(plain);
      expect([report.outcome, liveOf(flow).revisions]).toEqual(["deployed", 2]);
    }
  });
  test("of secrets that the service hides ends with one revision", async () => {
    for (const kind of ["reset-before", "reset-after"] as const) {
      const flow = createFlow({
        emulator: { seed, secretValues: "stars", faults: [{ route: PATCH, kind }] },
        policy: { secretsUnknown: "send" },
      });
      const report = await flow.apply(desiredOf(repohost({ secret: "two" })));
      expect([kind, report.outcome, liveOf(flow).revisions]).toEqual([kind, "deployed", 2]);
      expect(flow.deployments()[0]!.secrets).toEqual([{ name: "TOKEN", value: "two" }]);
    }
  });
  test.each([404, 400, 422])(
    "answered with %d fails at once with the service's message",
    async (status) => {
      const flow = createFlow({
        emulator: {
          seed,
          faults: [
            { route: PATCH, kind: "status", status, body: { detail: "a word of the service" } },
          ],
        },
      });
      const report = await flow.apply(changed);
      expect([report.outcome, report.reason, report.message]).toEqual([
        "failed",
        "refused",
        expect.stringContaining("a word of the service"),
      ]);
      expect(writes(flow).length).toBe(1);
    },
  );
  test("is sent only once the service names the previous revision, to distinguish the two", async () => {
    const namedAfterMs = 8_000;
    const sentAt = new Map<string, number>();
    const flow = createFlow({
      emulator: { seed: { integrations: [INTEGRATION] }, lags: { latest: namedAfterMs } },
      onSend: (method, _, { clock }) => sentAt.set(method, clock.monotonic()),
    });
    await request(flow, "POST", "/v2/deployments", plain.body);
    const report = await flow.apply(changed);
    expect([report.outcome, report.revision_id]).toEqual([
      "deployed",
      flow.deployments()[0]!.revisions[1]!.id,
    ]);
    expect(sentAt.get("PATCH")).toBeGreaterThanOrEqual(namedAfterMs);
  });
  test("fails with the service's message for its second try, even if the first was lost", async () => {
    const refusal = { status: 422, body: { detail: "a word of the service" } };
    const flow = createFlow({
      emulator: {
        seed,
        faults: [lostBefore(1, PATCH), { route: PATCH, kind: "status", nth: 2, ...refusal }],
      },
    });
    const report = await flow.apply(changed);
    expect([report.outcome, report.reason, report.message]).toEqual([
      "failed",
      "refused",
      expect.stringContaining("a word of the service"),
    ]);
    expect(writes(flow).length).toBe(2);
  });
  test("that conflicts with another update is read, planned and tried again for a minute", async () => {
    const busy = (times: number): FaultRule => ({
      route: PATCH,
      kind: "status",
      status: 409,
      body: { detail: "another update is under way" },
      times,
    });
    const flow = createFlow({ emulator: { seed, faults: [busy(3)] } });
    const report = await flow.apply(changed);
    expect([report.outcome, writes(flow).length, liveOf(flow).revisions]).toEqual([
      "deployed",
      4,
      2,
    ]);
    const always = createFlow({ emulator: { seed, faults: [busy(0)] } });
    const red = await always.apply(changed);
    expect([red.outcome, red.reason, red.message]).toEqual([
      "failed",
      "busy",
      expect.stringContaining("another update is under way"),
    ]);
    expect(writes(always).length).toBeGreaterThan(5);
    expect(always.clock.monotonic()).toBeLessThan(2 * MINUTE);
  });
  test("that conflicts with an equal update has nothing left to send", async () => {
    const flow = interfering(
      1,
      "PATCH",
      (self) => {
        void request(self, "PATCH", `/v2/deployments/${ID}`, {
          source_revision_config: { graph_config_path: "other.json" },
        });
      },
      { emulator: { seed, faults: [{ route: PATCH, kind: "status", status: 409, nth: 2 }] } },
    );
    const report = await flow.apply(changed);
    expect([report.outcome, liveOf(flow).revisions]).toEqual(["deployed", 2]);
  });
});

describe("a redeploy without a response", () => {
  const REDEPLOY = "POST /v2/deployments/{id}/revisions/{id}/redeploy";
  test.each(["reset-before", "reset-after"] as const)(
    "because of %s happens once, even if the revision keeps its id and its old status for a while",
    async (kind) => {
      const flow = createFlow({
        emulator: {
          seed,
          redeploy: "same-revision",
          lags: { stale: 60_000 },
          faults: [{ route: REDEPLOY, kind }],
        },
      });
      const report = await flow.redeploy(ID);
      expect([report.outcome, flow.deployments()[0]!.revisions[0]!.runs.length]).toEqual([
        "deployed",
        2,
      ]);
    },
  );
});

describe("the timeout", () => {
  test("ends a run whose service refuses connections", async () => {
    const flow = createFlow({
      emulator: { faults: [{ route: "*", kind: "refuse", ms: 60 * MINUTE }] },
      policy: { timeoutMs: 20_000 },
    });
    const report = await flow.apply(plain);
    expect(report.outcome).toBe("failed");
    expect(flow.clock.monotonic()).toBeLessThan(21_000);
  });
  test("ends the tries of a write", async () => {
    const flow = createFlow({
      emulator: { faults: [{ route: CREATE, kind: "status", status: 429, times: 0 }] },
      policy: { timeoutMs: 20_000 },
    });
    const report = await flow.apply(plain);
    expect([report.outcome, report.reason]).toEqual(["failed", "refused"]);
    expect(flow.clock.monotonic()).toBeLessThan(21_000);
  });
});

describe("a rollback", () => {
  const rollback: FlowOptions = {
    policy: { onFailure: "rollback" },
    emulator: { seed, revisions: [{ outcome: "build-failed" }] },
  };
  test("redeploys what was active, fails the run, and keeps the failed revision's id", async () => {
    const flow = createFlow(rollback);
    const before = liveOf(flow).active;
    const report = await flow.apply(changed);
    expect([report.outcome, report.rollback?.outcome, report.revision_status]).toEqual([
      "failed",
      "deployed",
      "BUILD_FAILED",
    ]);
    expect(report.rollback?.revision_id).toBe(liveOf(flow).active);
    expect(report.previous_revision_id).toBe(before);
    expect(flow.deployments()[0]!.revisions.at(-1)!.config["graph_config_path"]).toBe("graph.json");
  });
  test("under the same id waits for the second pass", async () => {
    const flow = createFlow({
      ...rollback,
      emulator: { ...rollback.emulator, redeploy: "same-revision", lags: { stale: 20_000 } },
    });
    const before = liveOf(flow).active;
    const report = await flow.apply(changed);
    expect([report.rollback, flow.deployments()[0]!.revisions[0]!.runs.length]).toEqual([
      { revision_id: before, outcome: "deployed" },
      2,
    ]);
  });
  test("that is refused is reported without hiding the failure", async () => {
    const flow = createFlow(rollback);
    flow.emulator.addFaults([
      {
        route: "POST /v2/deployments/{id}/revisions/{id}/redeploy",
        kind: "status",
        status: 400,
        body: { detail: "not now" },
      },
    ]);
    const report = await flow.apply(changed);
    expect([report.outcome, report.reason, report.rollback?.outcome, report.message]).toEqual([
      "failed",
      "BUILD_FAILED",
      "failed",
      expect.stringContaining("not now"),
    ]);
  });
  test("whose deployment cannot be read is reported without hiding the failure", async () => {
    let hasFailed = false;
    const flow = createFlow({
      ...rollback,
      between: changingAnswers((answer, { method, url }) => {
        hasFailed ||= answer.text.includes("BUILD_FAILED");
        return hasFailed && method === "GET" && url.endsWith(`/v2/deployments/${ID}`)
          ? { ...answer, status: 403, text: '{"detail":"not yours"}' }
          : answer;
      }),
    });
    const report = await flow.apply(changed);
    expect([report.outcome, report.reason, report.rollback?.outcome, report.message]).toEqual([
      "failed",
      "BUILD_FAILED",
      "failed",
      expect.stringMatching(/. Rollback: .*not yours/),
    ]);
    expect(writes(flow)).toEqual(["PATCH /v2/deployments/{id}"]);
  });
  test("is blocked if nothing was active, and says so", async () => {
    const flow = createFlow({
      ...rollback,
      emulator: { revisions: [{ outcome: "build-failed" }] },
    });
    const report = await flow.apply(plain);
    expect([report.outcome, report.rollback]).toEqual([
      "failed",
      { revision_id: null, outcome: "blocked" },
    ]);
    expect(report.message).toContain(
      "Rollback: nothing was active before this run, so there is nothing to go back to",
    );
  });
});
