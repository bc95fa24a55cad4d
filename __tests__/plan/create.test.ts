import { describe, expect, test } from "@jest/globals";
import type { Choices } from "../../src/plan/plan-draft.ts";
import {
  DIGEST,
  ID,
  INTEGRATION,
  plan,
  planOn,
  toArchive,
  toDesired,
  toLive,
  type Body,
  createOf,
} from "./sample.ts";

describe("the integration or listener of a create whose spec names none", () => {
  const [one, two] = [
    { id: INTEGRATION, name: "acme" },
    { id: ID, name: "labs" },
  ];
  const on = (source: string, choices: Choices, config: Body = {}) => {
    const { plan: made, steps } = plan(
      toDesired(
        { config, ...(source === "repohost" ? { revision: { repo_ref: "main" } } : {}) },
        { source },
      ),
      { state: "absent" },
      { choices },
    );
    const [create] = steps;
    return {
      sent: create?.kind === "create" ? create.body["source_config"] : undefined,
      said: [...made.blockers.map(({ message }) => message), ...made.warnings],
    };
  };
  const path = "source_config.integration_id";

  test.each<[string, Choices, Body | undefined, string]>([
    [
      "there are none",
      { items: [] },
      undefined,
      `${path} is not given and the service has no integration: ` +
        "install it for the account that owns the repository, then run again",
    ],
    [
      "there are two",
      { items: [one, two] },
      undefined,
      `${path} is not given and there are 2: ${INTEGRATION} (acme), ${ID} (labs). Write one of them into the spec`,
    ],
    [
      "they cannot be read",
      { items: null, unread: "403 Forbidden." },
      undefined,
      `${path} is not given, and the integrations cannot be read: 403 Forbidden. ` +
        `Write ${path} into the spec, or use a key that may read them`,
    ],
    [
      "the service has no lookup",
      { items: null },
      {},
      "the service has no lookup of integrations: the create names no integration_id",
    ],
  ])("integrations: %s", (_, choices, sent, message) => {
    expect(on("repohost", choices)).toEqual({ sent, said: [message] });
  });

  test.each<[string, Choices, Body, readonly string[]]>([
    ["there is none", { items: [] }, {}, []],
    ["the service has no lookup", { items: null }, {}, []],
    ["there is one", { items: [one] }, { listener_id: INTEGRATION }, []],
    [
      "there are two",
      { items: [one, two] },
      {},
      [
        `source_config.listener_id is not given and there are 2: ${INTEGRATION} (acme), ${ID} (labs). ` +
          "The create names none; write one of them into the spec if the service refuses",
      ],
    ],
    [
      "they cannot be read",
      { items: null, unread: "403 Forbidden" },
      {},
      ["the listeners could not be read, so the create names no listener_id: 403 Forbidden"],
    ],
  ])("listeners: %s", (_, choices, sent, said) => {
    expect(on("external_container", choices)).toEqual({ sent, said });
  });

  test("an integration in the spec is sent, whatever the service has", () => {
    for (const items of [null, [], [two], [one, two]])
      expect(on("repohost", { items }, { integration_id: INTEGRATION })).toEqual({
        sent: { integration_id: INTEGRATION },
        said: [],
      });
  });
});

test("a create shows what it sends, and hides what is sensitive", () => {
  const sidecars = [{ name: "px", image: DIGEST("a"), env: [{ name: "KEY", value: "hidden" }] }];
  const { changes } = plan(
    toDesired({
      config: { custom_url: "https://a.example.com", resource_spec: { sidecars } },
      revision: { image_uri: DIGEST("b") },
    }),
    { state: "absent" },
  ).plan;
  const added = { before: null, effect: "new-revision", sensitive: false };
  expect(changes).toEqual([
    { ...added, path: "name", after: "app" },
    { ...added, path: "source_config.custom_url", after: "https://a.example.com" },
    {
      ...added,
      path: "source_config.resource_spec",
      after: {
        sidecars: [{ ...sidecars[0], env: [{ name: "KEY", value: "(sensitive)" }] }],
      },
      sensitive: true,
    },
    { ...added, path: "source_revision_config.image_uri", after: DIGEST("b") },
  ]);
});

test("a create from the checkout builds nothing, and the update after it uploads the archive", () => {
  const archive = toArchive("1".repeat(64), {
    configPath: "a.json",
    notes: ["packed"],
    warnings: ["large"],
  });
  const secrets = [{ name: "A", value: "1" }];
  const desired = toDesired(
    { revision: { langgraph_config_path: "a.json" }, secrets },
    { source: "internal_source" },
  );
  const { plan: made, steps } = plan({ ...desired, archive }, { state: "absent" });
  expect(steps).toEqual([
    {
      kind: "create",
      body: {
        name: "app",
        source: "internal_source",
        source_config: {},
        source_revision_config: {},
        secrets,
      },
      builds: false,
    },
    {
      kind: "patch",
      body: {},
      makesRevision: true,
      upload: { hash: "1".repeat(64), configPath: "a.json", secrets },
    },
  ]);
  expect([made.notes, made.warnings]).toEqual([["packed"], ["large"]]);
  const image = plan(toDesired({ revision: { image_uri: DIGEST("a") } }), { state: "absent" });
  expect(image.steps).toEqual([createOf({ image_uri: DIGEST("a") })]);
});

test("a field that a create refuses is sent right after it, without a build", () => {
  const desired = toDesired({ revision: { image_uri: DIGEST("a") } });
  const body = { ...desired.body, display_name: "The app" };
  const { plan: made, steps } = plan({ ...desired, body }, { state: "absent" });
  expect(steps).toEqual([
    createOf({ image_uri: DIGEST("a") }),
    { kind: "patch", body: { display_name: "The app" }, makesRevision: false },
  ]);
  expect(made.changes.find(({ path }) => path === "display_name")).toEqual({
    ...{ path: "display_name", before: null, after: "The app" },
    ...{ effect: "in-place", sensitive: false },
  });
  expect(made.action).toBe("create");
});

test.each([
  ["deploy.id", { id: ID }],
  ["deployment-id", {}],
])(
  "a warning about the id of a deployment that is being deleted says where it was given: %s",
  (key, deploy) => {
    const { plan: made } = plan(toDesired({}, { deploy }), {
      state: "deleting",
      id: ID,
      isGiven: true,
    });
    expect(made.warnings).toEqual([
      `${key} names deployment ${ID}, which is being deleted: the new one has another id`,
    ]);
  },
);

test("a deletion in progress is not warned of if nobody gave its id, or nothing may be created", () => {
  const on = (found: object, create: "auto" | "never" = "auto") =>
    plan(toDesired({}), { state: "deleting", id: ID, ...found }, { policy: { create } }).plan
      .warnings;
  expect(on({})).toEqual([]);
  expect(on({ isGiven: true }, "never")).toEqual([]);
});

describe("deploy.extra", () => {
  const on = (extra: Body, live: Body = {}) =>
    planOn(toDesired({ secrets: [] }, { deploy: { extra } }), {
      ...toLive({}),
      body: { ...toLive({}).body, ...live },
    });
  const group = "source_config.resource_spec";
  const known =
    "not known to this version of agent-deploy: sent as written, and a change may make a revision";

  test.each<[Body, Body, readonly string[]]>([
    [{ route: true }, { route: true }, [`deploy.extra: route is ${known}`]],
    [{ a: 1, b: { c: 2 } }, { a: 1, b: { c: 2 } }, [`deploy.extra: a, b.c are ${known}`]],
    [
      { route: true },
      {},
      [
        `deploy.extra: route is ${known}; ` +
          "the service does not show route: not compared, and sent only along with another update",
      ],
    ],
    [
      { source_config: { resource_spec: { s: 1, t: 2 } } },
      {},
      [
        `deploy.extra: ${group}.s, ${group}.t are ${known}; ${group}.s, ${group}.t are not sent, ` +
          `since the service does not show the rest of ${group}, which would be lost: write ${group} into the spec`,
      ],
    ],
    [{ a: {} }, { a: {} }, [`deploy.extra: a is ${known}`]],
    [{ source_config: { resource_spec: {}, listener_config: {} } }, {}, []],
  ])("%j over %j causes a warning", (extra, live, warnings) => {
    expect(on(extra, live).plan.warnings).toEqual(warnings);
  });

  test("sends a key with a dot as one key", () => {
    const extra = { "acme.com/team": { "a.b": 1 } };
    const { plan: made, steps } = on(extra, { "acme.com/team": { "a.b": 2 } });
    expect(made.changes).toMatchObject([{ path: "acme.com/team.a.b", before: 2, after: 1 }]);
    expect(steps).toMatchObject([{ kind: "patch", body: extra }]);
    expect(on(extra, extra).steps).toEqual([]);
  });

  test("an empty mapping under a known key takes nothing away", () => {
    const live = { source_config: { listener_id: "l", resource_spec: { cpu: 1 } } };
    expect(on({ source_config: { resource_spec: {} } }, live).steps).toEqual([]);
    const config = { config: { custom_url: "https://a.example.com", resource_spec: { cpu: 1 } } };
    const { steps } = plan(
      toDesired(config, { deploy: { extra: { source_config: {}, other: {} } } }),
      { state: "absent" },
    );
    const { custom_url, resource_spec } = config.config;
    expect(steps).toMatchObject([
      { kind: "create", body: { source_config: { custom_url, resource_spec }, other: {} } },
    ]);
  });

  test("that differs is a change that may make a revision", () => {
    const { plan: made, steps } = on({ a: 1, b: 2 }, { a: 1, b: 3 });
    expect(made.changes).toEqual([
      { path: "b", before: 3, after: 2, effect: "may make a revision", sensitive: false },
    ]);
    expect(steps).toEqual([
      { kind: "patch", body: { b: 2 }, makesRevision: false, mayMakeRevision: true },
    ]);
    expect(on({ a: 1 }, { a: 1 }).steps).toEqual([]);
    expect(on({ a: 1 }).steps).toEqual([]);
  });

  test("is in the body of a create", () => {
    const { steps, plan: made } = plan(toDesired({}, { deploy: { extra: { b: { c: 2 } } } }), {
      state: "absent",
    });
    expect(steps).toMatchObject([{ kind: "create", body: { name: "app", b: { c: 2 } } }]);
    expect(made.changes.at(-1)).toEqual({
      ...{ path: "b.c", before: null, after: 2 },
      ...{ effect: "may make a revision", sensitive: false },
    });
    expect(made.warnings).toEqual([`deploy.extra: b.c is ${known}`]);
  });
});

describe("the fingerprint depends on what happens after the writes", () => {
  const on = (deploy: Body, policy: NonNullable<Parameters<typeof planOn>[2]>["policy"] = {}) =>
    planOn(toDesired({}, { deploy }), toLive({}), { policy }).plan.fingerprint;

  test.each([
    ["a default written out as an input", on({}), on({}, { onFailure: "none" }), true],
    ["a rollback by input", on({}), on({}, { onFailure: "rollback" }), false],
    [
      "a rollback by input or spec",
      on({ on_failure: "rollback" }),
      on({}, { onFailure: "rollback" }),
      true,
    ],
    [
      "none over the spec's rollback",
      on({ on_failure: "rollback" }),
      on({ on_failure: "rollback" }, { onFailure: "none" }),
      false,
    ],
    [
      "the same by both",
      on({ on_failure: "rollback" }),
      on({ on_failure: "rollback" }, { onFailure: "rollback" }),
      true,
    ],
    ["verify by input", on({}), on({}, { verify: "curl x" }), false],
    [
      "an empty verify by input",
      on({ verify: "curl x" }),
      on({ verify: "curl x" }, { verify: "" }),
      true,
    ],
    [
      "verify of a run that does not wait",
      on({ verify: "curl x" }, { wait: false }),
      on({ verify: "curl y" }, { wait: false }),
      true,
    ],
    [
      "an input for verify of a run that does not wait",
      on({}, { wait: false }),
      on({}, { wait: false, verify: "curl x" }),
      true,
    ],
    ["force", on({}), on({}, { force: true }), false],
    [
      "variables for verify",
      on({ verify: "x" }),
      on({ verify: "x", verify_env: ["AGENT_DEPLOY_API_KEY"] }),
      false,
    ],
    ["unknown fields", on({ extra: { a: 1 } }), on({ extra: { a: 2 } }), false],
    ["another service", on({}), on({}, { service: "https://other.example.com" }), false],
    ["another tenant", on({}), on({}, { tenant: "other" }), false],
  ])("%s", (_, one, other, same) => {
    expect(one === other).toBe(same);
  });
});
