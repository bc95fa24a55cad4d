import { describe, expect, test } from "@jest/globals";
import { patchOf, planOn, toDesired, toLive, DIGEST, type Options, type Short } from "./sample.ts";
import type { Json } from "../../src/model/json.ts";

const spec = (resource_spec: Json): Short => ({ config: { resource_spec } });
const patched = (resource_spec: Json) => ({ source_config: { resource_spec } });
const box = (more: Json): Json => ({ name: "proxy", image: DIGEST("a"), ...(more as object) });
const REPO: Options = { source: "repohost" };

/** Two ways to say the same thing to the service: nothing to do, from either side. */
const SAME: readonly (readonly [string, Short, Short, Options?])[] = [
  ["cpu_limit is twice cpu", spec({ cpu: 1 }), spec({ cpu: 1, cpu_limit: 2 })],
  [
    "memory_limit_mb is twice memory_mb",
    spec({ memory_mb: 512 }),
    spec({ memory_mb: 512, memory_limit_mb: 1024 }),
  ],
  [
    "queue_* follow the main deployment, and their limits follow them",
    spec({ cpu: 2, min_scale: 1, max_scale: 3, memory_mb: 10 }),
    spec({
      cpu: 2,
      min_scale: 1,
      max_scale: 3,
      memory_mb: 10,
      queue_cpu: 2,
      queue_cpu_limit: 4,
      queue_min_scale: 1,
      queue_max_scale: 3,
      queue_memory_mb: 10,
      queue_memory_limit_mb: 20,
    }),
  ],
  [
    "database limits are twice their requests",
    spec({ db_cpu: 1.5, db_memory_mb: 100 }),
    spec({ db_cpu: 1.5, db_cpu_limit: 3, db_memory_mb: 100, db_memory_limit_mb: 200 }),
  ],
  [
    "null is absent in a leaf",
    spec({ cpu: 1 }),
    spec({ cpu: 1, labels: null, db_storage_gi: null }),
  ],
  ["null is absent in a group", { config: { install_command: null } }, { config: {} }],
  ["numbers are compared as numbers", spec({ cpu: 1 }), spec({ cpu: 1.0 })],
  [
    "secrets by name",
    {
      secrets: [
        { name: "A", value: "1" },
        { name: "B", value: "2" },
      ],
    },
    {
      secrets: [
        { name: "B", value: "2" },
        { name: "A", value: "1" },
      ],
    },
  ],
  [
    "volumes by name",
    spec({
      volumes: [
        { name: "a", emptyDir: {} },
        { name: "b", emptyDir: {} },
      ],
    }),
    spec({
      volumes: [
        { name: "b", emptyDir: {} },
        { name: "a", emptyDir: {} },
      ],
    }),
  ],
  [
    "image_pull_secrets by name",
    spec({ image_pull_secrets: [{ name: "a" }, { name: "b" }] }),
    spec({ image_pull_secrets: [{ name: "b" }, { name: "a" }] }),
  ],
  [
    "sidecars by name",
    spec({ sidecars: [box({ name: "a" }), box({ name: "b" })] }),
    spec({ sidecars: [box({ name: "b" }), box({ name: "a" })] }),
  ],
  [
    "volume_mounts by mountPath",
    spec({
      volumes: [{ name: "v", emptyDir: {} }],
      volume_mounts: [
        { name: "v", mountPath: "/a" },
        { name: "v", mountPath: "/b" },
      ],
    }),
    spec({
      volumes: [{ name: "v", emptyDir: {} }],
      volume_mounts: [
        { name: "v", mountPath: "/b" },
        { name: "v", mountPath: "/a" },
      ],
    }),
  ],
  [
    "an empty env value is the default",
    spec({ sidecars: [box({ env: [{ name: "X" }] })] }),
    spec({ sidecars: [box({ env: [{ name: "X", value: "" }] })] }),
  ],
  [
    "uuids in any case",
    { config: { integration_id: "7C9E6679-7425-40DE-944B-E07FC1F90AE7" } },
    { config: { integration_id: "7c9e6679-7425-40de-944b-e07fc1f90ae7" } },
    REPO,
  ],
];

describe("equal to the service, so there is nothing to do in either direction", () => {
  test.each(SAME)("%s", (...row) => {
    const [, a, b, options] = row;
    for (const [wanted, is] of [
      [a, b],
      [b, a],
    ] as const) {
      const { plan, steps } = planOn(toDesired(wanted, options), toLive(is, options));
      expect({ changes: plan.changes, blockers: plan.blockers, steps }).toEqual({
        changes: [],
        blockers: [],
        steps: [],
      });
      expect(plan.action).toBe("none");
    }
  });
});

test("numbers that a reply writes as text are compared and sent along as numbers", () => {
  const live = toLive(
    spec({ cpu: "1", cpu_limit: "2", memory_mb: "512", db_cpu: "1.50", labels: { tier: "1" } }),
  );
  expect(planOn(toDesired(spec({ cpu: 1, memory_mb: 512, db_cpu: 1.5 })), live)).toMatchObject({
    steps: [],
    plan: { action: "none", changes: [] },
  });
  expect(patchOf(planOn(toDesired(spec({ memory_mb: 1024 })), live).steps)).toEqual(
    patched({ cpu: 1, memory_mb: 1024, db_cpu: 1.5, labels: { tier: "1" } }),
  );
});

/** Two things that are not the same: one change there, and one back. */
const DIFFERENT: readonly (readonly [string, Short, Short, string, string, Options?])[] = [
  [
    "a number",
    spec({ cpu: 1 }),
    spec({ cpu: 2 }),
    "source_config.resource_spec.cpu",
    "new-revision",
  ],
  [
    "a limit other than its default",
    spec({ cpu: 1, cpu_limit: 2 }),
    spec({ cpu: 1, cpu_limit: 3 }),
    "source_config.resource_spec.cpu_limit",
    "new-revision",
  ],
  [
    "env in another order",
    spec({
      sidecars: [
        box({
          env: [
            { name: "X", value: "1" },
            { name: "Y", value: "1" },
          ],
        }),
      ],
    }),
    spec({
      sidecars: [
        box({
          env: [
            { name: "Y", value: "1" },
            { name: "X", value: "1" },
          ],
        }),
      ],
    }),
    "source_config.resource_spec.sidecars.proxy.env",
    "new-revision",
  ],
  [
    "an env value",
    spec({ sidecars: [box({ env: [{ name: "X", value: "1" }] })] }),
    spec({ sidecars: [box({ env: [{ name: "X", value: "2" }] })] }),
    "source_config.resource_spec.sidecars.proxy.env.X.value",
    "new-revision",
  ],
  [
    "args in another order",
    spec({ sidecars: [box({ args: ["a", "b"] })] }),
    spec({ sidecars: [box({ args: ["b", "a"] })] }),
    "source_config.resource_spec.sidecars.proxy.args",
    "new-revision",
  ],
  [
    "command",
    spec({ init_containers: [box({ command: ["a"] })] }),
    spec({ init_containers: [box({ command: ["b"] })] }),
    "source_config.resource_spec.init_containers.proxy.command",
    "new-revision",
  ],
  [
    "init_containers in another order",
    spec({ init_containers: [box({ name: "a" }), box({ name: "b" })] }),
    spec({ init_containers: [box({ name: "b" }), box({ name: "a" })] }),
    "source_config.resource_spec.init_containers",
    "new-revision",
  ],
  [
    "a label",
    spec({ labels: { team: "a" } }),
    spec({ labels: { team: "b" } }),
    "source_config.resource_spec.labels.team",
    "new-revision",
  ],
  [
    "an image",
    { revision: { image_uri: DIGEST("a") } },
    { revision: { image_uri: DIGEST("b") } },
    "source_revision_config.image_uri",
    "new-revision",
  ],
  [
    "a ref",
    { revision: { repo_ref: "main" } },
    { revision: { repo_ref: "next" } },
    "source_revision_config.repo_ref",
    "new-revision",
    REPO,
  ],
  [
    "build_on_push",
    { config: { build_on_push: true } },
    { config: { build_on_push: false } },
    "source_config.build_on_push",
    "in-place",
    REPO,
  ],
  [
    "custom_url",
    { config: { custom_url: "https://a.example.com" } },
    { config: { custom_url: "https://b.example.com" } },
    "source_config.custom_url",
    "in-place",
  ],
  [
    "build_command",
    { config: { build_command: "a" } },
    { config: { build_command: "b" } },
    "source_config.build_command",
    "next-build",
    REPO,
  ],
  [
    "a secret's value",
    { secrets: [{ name: "A", value: "1" }] },
    { secrets: [{ name: "A", value: "2" }] },
    "secrets.A",
    "new-revision",
  ],
];

describe("different, so there is one change in either direction", () => {
  test.each(DIFFERENT)("%s", (...row) => {
    const [, a, b, path, effect, options] = row;
    for (const [wanted, is] of [
      [a, b],
      [b, a],
    ] as const) {
      const desired = toDesired(wanted, options);
      const { plan, steps } = planOn(desired, toLive(is, options));
      expect(plan.changes.map((change) => [change.path, change.effect])).toEqual([[path, effect]]);
      expect(plan.action).toBe("update");
      const unit = /^source_config\.\w+|^source_revision_config\.\w+|^secrets/.exec(path)![0];
      const [group, key] = unit.split(".");
      const value =
        key === undefined
          ? desired.body[group!]
          : (desired.body[group!] as Record<string, Json>)[key];
      expect(patchOf(steps)).toEqual(
        key === undefined ? { [group!]: value } : { [group!]: { [key]: value } },
      );
      expect(steps).toMatchObject([{ kind: "patch", makesRevision: effect === "new-revision" }]);
      expect(plan.revision).toBe(effect === "new-revision" ? "makes" : "none");
    }
  });
});

test("the plan's paths and the PATCH's keys have the user's own spelling", () => {
  const desired = toDesired(
    { revision: { langgraph_config_path: "b.json" } },
    { source: "github" },
  );
  const { plan } = planOn(
    desired,
    toLive({ revision: { graph_config_path: "a.json" } }, { source: "repohost" }),
  );
  expect(plan.changes).toMatchObject([
    { path: "source_revision_config.langgraph_config_path", before: "a.json", after: "b.json" },
  ]);
});

test("what the service fills in for the other source kind is ignored", () => {
  const filled = {
    config: { deployment_type: "prod", build_on_push: false, repo_url: null },
    revision: { image_uri: DIGEST("a"), repo_ref: null },
  };
  expect(planOn(toDesired({ revision: { image_uri: DIGEST("a") } }), toLive(filled)).steps).toEqual(
    [],
  );
});

describe("known rewrites by the service", () => {
  test.each([
    ["https://git.example.com/acme/agents", "https://GIT.example.com/acme/agents.git"],
    ["https://git.example.com/acme/agents/", "https://git.example.com/acme/agents"],
    ["https://git.example.com/acme/agents.git/", "https://git.example.com/acme/agents"],
  ])("repo_url %s and %s are equal", (wanted, live) => {
    const on = planOn(
      toDesired({ config: { repo_url: wanted } }, { source: "repohost" }),
      toLive({ config: { repo_url: live } }, { source: "repohost" }),
    );
    expect(on).toMatchObject({ steps: [], plan: { action: "none", warnings: [] } });
  });

  test("another path in a repository URL is a change", () => {
    const on = planOn(
      toDesired({ config: { repo_url: "https://git.example.com/acme/b" } }, { source: "repohost" }),
      toLive({ config: { repo_url: "https://git.example.com/acme/a" } }, { source: "repohost" }),
    );
    expect(on.plan.blockers).toMatchObject([{ path: "source_config.repo_url" }]);
  });

  test.each([
    [0.25, 0.3, 0],
    [0.25, 0.2, 0],
    [0.25, 0.4, 1],
    [1, 1.05, 1],
  ])("cpu %d that reads back as %d: %d changes", (cpu, live, changes) => {
    const { plan } = planOn(
      toDesired({ config: { resource_spec: { cpu } } }, { source: "external_docker" }),
      toLive({ config: { resource_spec: { cpu: live } } }, { source: "external_docker" }),
    );
    expect(plan.changes).toHaveLength(changes);
  });

  test.each([
    [0.6, 0],
    [0.5, 0],
    [0.7, 0],
    [0.8, 1],
  ])(
    "cpu_limit %d over a cpu of 0.3, doubled before or after rounding: %d changes",
    (cpu_limit, changes) => {
      const { plan } = planOn(
        toDesired(
          { config: { resource_spec: { cpu: 0.25 } } },
          { source: "external_docker", deploy: { resource_spec: "replace" } },
        ),
        toLive(
          { config: { resource_spec: { cpu: 0.3, cpu_limit } } },
          { source: "external_docker" },
        ),
      );
      expect(plan.changes).toHaveLength(changes);
    },
  );

  test("a partly masked secret counts as not returned", () => {
    const { plan, steps } = planOn(
      toDesired({ secrets: [{ name: "A", value: "sk-live-12345" }] }),
      toLive({ secrets: [{ name: "A", value: "sk-***45" }] }),
    );
    expect(steps).toEqual([]);
    expect(plan.secrets).toEqual([{ name: "A", mark: "value unknown" }]);
    expect(plan.warnings[0]).toContain("value unknown");
  });

  test("a change of user info in a URL is a change, and is not shown", () => {
    const { plan, steps } = planOn(
      toDesired({ config: { custom_url: "https://a.example.com" } }),
      toLive({ config: { custom_url: "https://user:hidden@a.example.com" } }),
    );
    expect(plan.changes).toMatchObject([
      { path: "source_config.custom_url", before: "(old value)", sensitive: true },
    ]);
    expect(steps).toHaveLength(1);
    expect(JSON.stringify(plan)).not.toContain("hidden");
  });

  test("user info that the service masks is not compared, but the rest of the URL is", () => {
    const live = toLive({ config: { custom_url: "https://****@a.example.com" } });
    const on = (host: string) =>
      planOn(
        toDesired({ config: { custom_url: `https://user:hidden@${host}.example.com` } }),
        live,
      );
    expect(on("a").steps).toEqual([]);
    expect(on("b").plan.changes).toMatchObject([{ path: "source_config.custom_url" }]);
  });

  test("user info in a repository URL cannot change and is not compared, with a warning", () => {
    const { plan, steps } = planOn(
      toDesired(
        { config: { repo_url: "https://user:hidden@git.example.com/acme/a" } },
        { source: "repohost" },
      ),
      toLive({ config: { repo_url: "https://git.example.com/acme/a" } }, { source: "repohost" }),
    );
    expect([plan.changes, steps]).toEqual([[], []]);
    expect(plan.warnings).toEqual([
      "source_config.repo_url: the user or password in the URL differs from the live one, and cannot change after creation: not compared",
    ]);
  });

  test.each(["user:hidden@r.example.com/a:1", "hidden-token@r.example.com/a:1"])(
    "user info in an address without a scheme is not shown either: %s",
    (image_uri) => {
      const { plan } = planOn(
        toDesired({ revision: { image_uri: "r.example.com/a:1" } }),
        toLive({ revision: { image_uri } }),
      );
      expect(plan.changes).toMatchObject([
        { path: "source_revision_config.image_uri", sensitive: true },
      ]);
      expect(JSON.stringify(plan)).not.toContain("hidden");
    },
  );

  test("a tag before a digest is not user info", () => {
    const image_uri = `a:v1@sha256:${"1".repeat(64)}`;
    const { plan } = planOn(
      toDesired({ revision: { image_uri } }),
      toLive({ revision: { image_uri: image_uri.replaceAll("1", "2") } }),
    );
    expect(plan.changes).toMatchObject([{ after: image_uri, sensitive: false }]);
  });
});

test("a key removed from a list item is a change, unless it equals the default", () => {
  const box = { name: "px", image: DIGEST("a") };
  const on = (live: object): readonly string[] =>
    planOn(
      toDesired({ config: { resource_spec: { sidecars: [box] } } }),
      toLive({ config: { resource_spec: { sidecars: [{ ...box, ...live }] } } }),
    ).plan.changes.map((change) => change.path.split(".").slice(4).join("."));
  expect(on({ workingDir: "/srv" })).toEqual(["workingDir"]);
  expect(on({ securityContext: { privileged: true } })).toEqual(["securityContext"]);
  expect(on({ securityContext: {} })).toEqual([]);
  expect(on({ securityContext: "" })).toEqual([]);
  expect(on({ securityContext: "default" })).toEqual(["securityContext"]);
  expect(on({ imagePullPolicy: "Always" })).toEqual(["imagePullPolicy"]);
  expect(on({ imagePullPolicy: "IfNotPresent" })).toEqual([]);
  expect(on({ securityContext: { privileged: true } })).toEqual(["securityContext"]);
  expect(on({ env: [{ name: "A", value: "x" }] })).toEqual(["env"]);
  expect(on({ env: [], args: null, command: [] })).toEqual([]);
  expect(on({ resources: { limits: { cpu: "1" } } })).toEqual(["resources"]);
});
