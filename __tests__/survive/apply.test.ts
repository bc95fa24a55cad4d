import { expect, test } from "@jest/globals";
import { parseSpec } from "../../src/spec/spec.ts";
import { container, createFlow, createSeed, desiredOf, IMAGE, repohost } from "./flow.ts";

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
  "the log names at most three changes, and none where nothing changes: %#",
  async (spec, expected) => {
    const flow = createFlow({ emulator: { seed } });
    await flow.apply(desiredOf(spec));
    const lines = flow.lines.filter((line) => /^agent: (?:update|none|create)/.test(line));
    expect(lines).toEqual(expected.map((line) => expect.stringMatching(line)));
  },
);

test("another update that is under way is logged once, however often it is met", async () => {
  const route = "PATCH /v2/deployments/{id}";
  const faults = [{ route, kind: "status", status: 409, times: 3 } as const];
  const flow = createFlow({ emulator: { seed, faults } });
  expect((await flow.apply(desiredOf(repohost({ graph: "other.json" })))).outcome).toBe("deployed");
  expect(flow.lines.filter((line) => line.includes("another update"))).toEqual([
    "agent: another update is under way: reading and planning again",
  ]);
});

test("a name that is taken on a service without a list asks for the id", async () => {
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
