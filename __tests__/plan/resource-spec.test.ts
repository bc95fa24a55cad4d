import { describe, expect, test } from "@jest/globals";
import type { Json } from "../../src/model/json.ts";
import { DIGEST, patchOf, planOn, toDesired, toLive } from "./sample.ts";

const on = (wanted: Json, live: Json, mode: "merge" | "replace" = "merge") =>
  planOn(
    toDesired({ config: { resource_spec: wanted } }, { deploy: { resource_spec: mode } }),
    toLive({ config: { resource_spec: live } }),
  );
const sent = (steps: Parameters<typeof patchOf>[0]): unknown =>
  (patchOf(steps)?.["source_config"] as { resource_spec: unknown } | undefined)?.resource_spec;
const box = (more: object): Json => ({ name: "proxy", image: DIGEST("a"), ...more });

describe("merge, which overlays the live value with the spec,", () => {
  test("keeps what the spec does not name, except defaults and nulls", () => {
    const { plan, steps } = on(
      { cpu: 2 },
      {
        cpu: 1,
        cpu_limit: 2,
        queue_cpu: 1,
        memory_mb: 1024,
        memory_limit_mb: 4096,
        labels: { team: "a" },
        volumes: null,
        db_cpu: null,
      },
    );
    expect(plan.changes).toMatchObject([
      { path: "source_config.resource_spec.cpu", before: 1, after: 2 },
    ]);
    expect(sent(steps)).toEqual({
      cpu: 2,
      memory_mb: 1024,
      memory_limit_mb: 4096,
      labels: { team: "a" },
    });
    expect(plan.dropped).toEqual([]);
  });

  test("lets a live value that is not the default replace a filled-in default", () => {
    expect(on({ cpu: 1 }, { cpu: 1, cpu_limit: 8 }).steps).toEqual([]);
    expect(on({ cpu: 1, cpu_limit: 2 }, { cpu: 1, cpu_limit: 8 }).plan.changes).toMatchObject([
      { path: "source_config.resource_spec.cpu_limit", before: 8, after: 2 },
    ]);
  });

  test("replaces lists: missing items are removed, and so are missing keys of items", () => {
    const live = { sidecars: [box({ workingDir: "/w" }), box({ name: "old" })] };
    const { plan, steps } = on({ sidecars: [box({ image: DIGEST("b") })] }, live);
    expect(plan.changes.map((change) => change.path).sort()).toEqual([
      "source_config.resource_spec.sidecars.old",
      "source_config.resource_spec.sidecars.proxy.image",
      "source_config.resource_spec.sidecars.proxy.workingDir",
    ]);
    expect(sent(steps)).toEqual({ sidecars: [box({ image: DIGEST("b") })] });
    expect(plan.dropped).toEqual(["source_config.resource_spec.sidecars.proxy.workingDir"]);
  });

  test("ignores defaults and nulls that a service fills into items", () => {
    const filled = (image: string): Json => ({
      cpu: 1,
      labels: null,
      init_containers: [
        {
          name: "proxy",
          image,
          imagePullPolicy: "IfNotPresent",
          env: [],
          args: null,
          resources: { limits: {}, requests: null },
        },
      ],
    });
    expect(on({ init_containers: [box({})] }, filled(DIGEST("a"))).steps).toEqual([]);
    const { plan } = on({ init_containers: [box({})] }, filled(DIGEST("b")));
    expect(plan.changes.map((change) => change.path)).toEqual([
      "source_config.resource_spec.init_containers.proxy.image",
    ]);
    expect(plan.dropped).toEqual([]);
  });

  test("does not merge a volume with one of another kind", () => {
    const { steps } = on(
      { volumes: [{ name: "v", emptyDir: {} }] },
      { volumes: [{ name: "v", configMap: { name: "c" } }] },
    );
    expect(sent(steps)).toEqual({ volumes: [{ name: "v", emptyDir: {} }] });
  });

  test("is blocked if the merged value breaks a rule", () => {
    const limit = on({ cpu: 8 }, { cpu: 1, cpu_limit: 4 });
    expect(limit.plan.blockers).toMatchObject([
      { code: "merge", path: "source_config.resource_spec" },
    ]);
    expect(limit.steps).toEqual([]);
    const mount = on(
      { volumes: [{ name: "new", emptyDir: {} }] },
      {
        volumes: [{ name: "old", emptyDir: {} }],
        volume_mounts: [{ name: "old", mountPath: "/old" }],
      },
    );
    expect(mount.plan.blockers[0]!.message).toContain("replace");
  });
});

test("a container with a value in its environment is sensitive, whether added, removed or changed", () => {
  const secret = box({ env: [{ name: "KEY", value: "hidden" }] });
  const shown = (wanted: Json, live: Json) =>
    on({ sidecars: wanted }, { sidecars: live }).plan.changes.map(
      ({ path, before, after, sensitive }) => [
        path.split(".").slice(3).join("."),
        before === null ? null : "there",
        after === null ? null : "there",
        sensitive,
      ],
    );
  expect(shown([secret], [])).toEqual([["proxy", null, "there", true]]);
  expect(shown([], [secret])).toEqual([["proxy", "there", null, true]]);
  expect(shown([box({})], [])).toEqual([["proxy", null, "there", false]]);
  const value = (text: string) => ({ sidecars: [box({ env: [{ name: "KEY", value: text }] })] });
  const path = "source_config.resource_spec.sidecars.proxy.env.KEY.value";
  for (const [is, was] of [
    ["one", "two"],
    ["", "two"],
  ] as const)
    expect(on(value(is), value(was)).plan.changes).toEqual([
      {
        ...{ path, before: "(old value)", after: "(new value)" },
        ...{ effect: "new-revision", sensitive: true },
      },
    ]);
});

describe("replace, which sends only the spec,", () => {
  test("lists what is dropped as changes", () => {
    const { plan, steps } = on(
      { cpu: 1 },
      { cpu: 1, memory_mb: 512, labels: { team: "a" } },
      "replace",
    );
    expect(plan.changes.map((change) => [change.path, change.after])).toEqual([
      ["source_config.resource_spec.memory_mb", null],
      ["source_config.resource_spec.labels", null],
    ]);
    expect(plan.dropped).toEqual([
      "source_config.resource_spec.memory_mb",
      "source_config.resource_spec.labels",
    ]);
    expect(sent(steps)).toEqual({ cpu: 1 });
  });

  test("drops a label that the spec does not name", () => {
    const { plan, steps } = on(
      { labels: { team: "a" } },
      { labels: { team: "a", old: "b" } },
      "replace",
    );
    expect(plan.changes).toMatchObject([
      { path: "source_config.resource_spec.labels.old", before: "b", after: null },
    ]);
    expect(sent(steps)).toEqual({ labels: { team: "a" } });
  });

  test("does not count defaults and nulls of the service as a change, but lists them when the group is sent", () => {
    const filled = {
      cpu: 1,
      cpu_limit: 2,
      min_scale: 1,
      max_scale: 1,
      memory_mb: 1024,
      labels: null,
      volumes: null,
    };
    expect(on({ cpu: 1 }, filled, "replace").steps).toEqual([]);
    const { plan, steps } = on({ cpu: 2 }, filled, "replace");
    expect(plan.dropped).toEqual([
      "source_config.resource_spec.min_scale",
      "source_config.resource_spec.max_scale",
      "source_config.resource_spec.memory_mb",
    ]);
    expect(sent(steps)).toEqual({ cpu: 2 });
  });

  test.each<[string, Json, readonly string[]]>([
    ["its own choice, among nulls", { max_scale: 1, volumes: null }, []],
    ["its own choice, but without a null", { max_scale: 1 }, ["max_scale"]],
    ["another number, among nulls", { max_scale: 5, volumes: null }, ["max_scale"]],
    ["what no service chooses, among nulls", { labels: { a: "b" }, volumes: null }, ["labels"]],
  ])("keeps what a service may have filled in only in part: %s", (_, live, dropped) => {
    const { plan } = on({ cpu: 1 }, { cpu: 1, ...(live as object) }, "replace");
    expect(plan.changes.map(({ path }) => path.split(".").at(-1))).toEqual(dropped);
  });

  test("shows labels by value", () => {
    const live = { labels: { team: "a", old: "b" } };
    const label = { effect: "new-revision", sensitive: false };
    expect(on({ labels: { team: "c" } }, live, "replace").plan.changes).toEqual([
      { ...label, path: "source_config.resource_spec.labels.team", before: "a", after: "c" },
      { ...label, path: "source_config.resource_spec.labels.old", before: "b", after: null },
    ]);
  });

  test("resets a limit that was raised by hand to its default", () => {
    const { plan, steps } = on({ cpu: 1 }, { cpu: 1, cpu_limit: 8 }, "replace");
    expect(plan.changes).toMatchObject([
      { path: "source_config.resource_spec.cpu_limit", before: 8, after: 2 },
    ]);
    expect(sent(steps)).toEqual({ cpu: 1 });
  });
});

test("null over the whole value is blocked, unless nothing is set", () => {
  expect(on(null, { cpu: 1 }).plan.blockers).toMatchObject([
    { code: "clear", path: "source_config.resource_spec" },
  ]);
  for (const live of [null, {}, { cpu: null }])
    expect(on(null, live).plan).toMatchObject({ action: "none", changes: [] });
});

test("null over a field is blocked, unless it is not set or the default", () => {
  expect(on({ max_scale: null }, { max_scale: 3 }).plan.changes).toMatchObject([
    { path: "source_config.resource_spec.max_scale", before: 3, after: null, effect: "impossible" },
  ]);
  expect(
    on({ sidecars: null }, { sidecars: [box({ env: [{ name: "A", value: "hidden" }] })] }).plan
      .changes[0]!.before,
  ).toEqual([box({ env: [{ name: "A", value: "(sensitive)" }] })]);
  expect(on({ max_scale: null }, { max_scale: 3 }).plan.blockers).toMatchObject([
    { code: "clear", path: "source_config.resource_spec.max_scale" },
  ]);
  const volumes = [{ name: "data", emptyDir: {} }];
  const blocked = on({ cpu: 1, volumes: null }, { cpu: 1, max_scale: 3, volumes }).plan;
  expect(blocked.action).toBe("blocked");
  expect(blocked.unmanaged).toEqual(["source_config.resource_spec.max_scale"]);
  expect(on({ cpu: 1, cpu_limit: null }, { cpu: 1, cpu_limit: 2 }).steps).toEqual([]);
  expect(on({ cpu_limit: null }, {}).steps).toEqual([]);
  for (const empty of [{ labels: {} }, { volumes: [] }, { service_account_name: "" }])
    expect(
      on({ labels: null, volumes: null, service_account_name: null }, empty).plan,
    ).toMatchObject({ action: "none", blockers: [] });
});

test("null over a whole group is blocked for what is set in it", () => {
  const { plan } = planOn(
    toDesired({ config: null }),
    toLive({
      config: {
        custom_url: "https://a.example.com",
        resource_spec: { cpu: 1 },
        build_on_push: false,
        install_command: null,
      },
    }),
  );
  expect(plan.blockers.map(({ code, path }) => [code, path])).toEqual([
    ["clear", "source_config.custom_url"],
    ["clear", "source_config.resource_spec"],
  ]);
});

describe("a live key unknown to this version", () => {
  const onLive = (cpu: number, mode: "replace" | "merge") => {
    const desired = toDesired(
      { config: { resource_spec: { cpu } } },
      { deploy: { resource_spec: mode } },
    );
    const { plan } = planOn(desired, toLive({ config: { resource_spec: { cpu: 1, shiny: 3 } } }));
    return { changed: plan.changes.length > 0, dropped: plan.dropped, notes: plan.notes };
  };
  const kept = expect.stringContaining("resource_spec.shiny, which this version of agent-deploy");
  test("is dropped only by a replacement that is sent for another reason", () => {
    expect(onLive(2, "replace")).toEqual({
      changed: true,
      dropped: ["source_config.resource_spec.shiny"],
      notes: [],
    });
    expect(onLive(1, "replace")).toEqual({ changed: false, dropped: [], notes: [kept] });
    expect(onLive(2, "merge")).toEqual({ changed: true, dropped: [], notes: [kept] });
  });
});
