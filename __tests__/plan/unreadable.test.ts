import { describe, expect, test } from "@jest/globals";
import type { LiveDeployment } from "../../src/model/live.ts";
import { SOURCE_VARIABLE, toSourceValue } from "../../src/model/source-mark.ts";
import { findNotShown } from "../../src/plan/comparison.ts";
import { comparisonCaveat } from "../../src/plan/plan.ts";
import {
  type Body,
  DIGEST,
  INTEGRATION,
  patchOf,
  planOn,
  toArchive,
  toDesired,
  toLive,
} from "./sample.ts";

const COMMIT = "c".repeat(40);
const REPO = { source: "repohost" } as const;
const WANTED = {
  config: { integration_id: INTEGRATION, install_command: "npm ci" },
  revision: { repo_ref: "main", graph_config_path: "g.json" },
};

test("a field that is not in the reply is not compared, with one warning", () => {
  const { plan, steps } = planOn(
    toDesired(WANTED, REPO),
    toLive(
      {
        config: {},
        revision: { repo_ref: COMMIT, graph_config_path: "g.json" },
      },
      REPO,
    ),
  );
  expect(steps).toEqual([]);
  expect(plan).toMatchObject({
    action: "none",
    changes: [],
    unreadable: [
      "source_config.integration_id",
      "source_config.install_command",
      "source_revision_config.repo_ref",
    ],
  });
  expect(plan.warnings).toEqual([
    "the service does not show source_config.integration_id: not compared, and cannot change after creation; " +
      "source_config.install_command: not compared, and sent only along with another update; " +
      "source_revision_config.repo_ref: not compared, and sent only along with an update that makes a revision",
  ]);
});

test("null in a reply means not set, so setting the field is a change", () => {
  const { plan, steps } = planOn(
    toDesired({ ...WANTED, config: { install_command: "npm ci" } }, REPO),
    toLive(
      {
        config: { install_command: null },
        revision: { repo_ref: "main", graph_config_path: "g.json" },
      },
      REPO,
    ),
  );
  expect(plan).toMatchObject({
    action: "update",
    revision: "none",
    unreadable: [],
    changes: [
      {
        path: "source_config.install_command",
        before: null,
        after: "npm ci",
        effect: "next-build",
      },
    ],
  });
  expect(patchOf(steps)).toEqual({ source_config: { install_command: "npm ci" } });
});

test("setting a field that cannot change after creation is blocked", () => {
  const { plan } = planOn(
    toDesired({ config: { integration_id: INTEGRATION } }, REPO),
    toLive({ config: { integration_id: null } }, REPO),
  );
  expect(plan.blockers).toMatchObject([{ path: "source_config.integration_id" }]);
});

test("another source is blocked, with a hint to create a new deployment or to use the vendor's own tools", () => {
  const hintOn = (source: string): string =>
    planOn(toDesired({}), toLive({}, { source })).plan.blockers[0]!.message;
  expect(hintOn("repohost")).toContain("A new deployment under another name is needed");
  expect(hintOn("internal_docker")).toContain("made by the vendor's own tools");
});

test("another source is blocked in the spec's spelling", () => {
  const { plan } = planOn(
    toDesired({}, { source: "external_docker" }),
    toLive({}, { source: "repohost" }),
  );
  expect(plan.changes).toMatchObject([
    { path: "source", before: "github", after: "external_docker", effect: "impossible" },
  ]);
  expect(plan.blockers[0]!.message).toBe(
    "source cannot change after creation (live github, spec external_docker). " +
      "A new deployment under another name is needed; or write the live value into the spec",
  );
});

test("an unreadable field is sent along with another PATCH, and a trigger field only with another revision", () => {
  const live = toLive(
    {
      config: { build_on_push: false },
      revision: { repo_ref: COMMIT, graph_config_path: "g.json" },
    },
    REPO,
  );
  const inPlace = planOn(
    toDesired({ ...WANTED, config: { ...WANTED.config, build_on_push: true } }, REPO),
    live,
  );
  expect(patchOf(inPlace.steps)).toEqual({
    source_config: { build_on_push: true, install_command: "npm ci" },
  });
  expect(inPlace.plan.revision).toBe("none");
  const builds = planOn(
    toDesired({ ...WANTED, revision: { repo_ref: "main", graph_config_path: "other.json" } }, REPO),
    live,
  );
  expect(patchOf(builds.steps)).toEqual({
    source_config: { install_command: "npm ci" },
    source_revision_config: { graph_config_path: "other.json", repo_ref: "main" },
  });
});

test.each([undefined, null, {}, { k8s_namespace: null }])(
  "listener_config that reads back as %j is not compared, and never patched",
  (listener_config) => {
    const { plan, steps } = planOn(
      toDesired({ config: { listener_config: { k8s_namespace: "a" } } }),
      toLive({ config: listener_config === undefined ? {} : { listener_config } }),
    );
    expect(steps).toEqual([]);
    expect(plan).toMatchObject({ action: "none", unreadable: ["source_config.listener_config"] });
  },
);

test("a namespace that the service returns is compared, and cannot be changed", () => {
  const on = (namespace: string) =>
    planOn(
      toDesired({ config: { listener_config: { k8s_namespace: "a" } } }),
      toLive({ config: { listener_config: { k8s_namespace: namespace } } }),
    );
  expect(on("a")).toMatchObject({
    steps: [],
    plan: { action: "none", changes: [], unreadable: [] },
  });
  expect(on("b")).toMatchObject({
    steps: [],
    plan: {
      action: "blocked",
      changes: [
        {
          path: "source_config.listener_config.k8s_namespace",
          before: "b",
          after: "a",
          effect: "impossible",
        },
      ],
    },
  });
});

test("a ref that reads back as a commit is read from repo_branch if the service has it", () => {
  const live = toLive({ config: { repo_branch: "main" }, revision: { repo_ref: COMMIT } }, REPO);
  expect(planOn(toDesired({ revision: { repo_ref: "main" } }, REPO), live).plan).toMatchObject({
    action: "none",
    unreadable: [],
  });
  expect(
    planOn(toDesired({ revision: { repo_ref: "next" } }, REPO), live).plan.changes,
  ).toMatchObject([{ path: "source_revision_config.repo_ref", before: "main", after: "next" }]);
});

test("a commit that the spec gives as its ref is compared directly", () => {
  const on = (live: string) =>
    planOn(
      toDesired({ revision: { repo_ref: COMMIT } }, REPO),
      toLive({ config: { repo_branch: "main" }, revision: { repo_ref: live } }, REPO),
    ).plan;
  expect(on(COMMIT)).toMatchObject({ action: "none", changes: [], unreadable: [] });
  expect(on("next").changes).toMatchObject([{ before: "next", after: COMMIT }]);
});

test("only in a ref does a value that looks like a commit count as unreadable", () => {
  const on = (wanted: string, live: string) =>
    planOn(
      toDesired({ config: { install_command: wanted } }, REPO),
      toLive({ config: { install_command: live }, revision: { repo_ref: "main" } }, REPO),
    ).plan;
  expect(on(COMMIT, COMMIT)).toMatchObject({ action: "none", changes: [], unreadable: [] });
  expect(on("make", COMMIT).changes).toMatchObject([{ before: COMMIT, after: "make" }]);
});

test("what was sent is not shown if the reply has null for it, or for its group", () => {
  const sent = { source_config: { install_command: "a", build_command: null } };
  const shown = (config: Body | null) => {
    const live = toLive({}, REPO);
    return findNotShown(sent, { ...live, body: { ...live.body, source_config: config } });
  };
  const path = "source_config.install_command";
  expect(shown({ install_command: null, build_command: null })).toEqual([path]);
  expect(shown(null)).toEqual([path]);
  expect(shown({ install_command: "a" })).toEqual([]);
  expect(shown({ install_command: "other" })).toEqual([]);
  expect(shown({})).toEqual([]);
});

test("each live part of a value that the spec does not name is kept, except defaults", () => {
  const resource_spec = { cpu: 1, cpu_limit: 2, max_scale: 3, labels: {}, sidecars: null };
  const { plan, steps } = planOn(toDesired({}), toLive({ config: { resource_spec } }));
  const left = ["source_config.resource_spec.cpu", "source_config.resource_spec.max_scale"];
  expect(plan.unmanaged).toEqual(left);
  expect(plan.notes).toEqual([`live but not in the spec, so left as it is: ${left.join(", ")}`]);
  expect([plan.action, plan.changes, steps]).toEqual(["none", [], []]);
});

test.each([
  [12, "secrets.S11"],
  [13, "secrets.S11 and 1 more"],
])("of %d live values that the spec does not name twelve are listed", (count, end) => {
  const secrets = Array.from({ length: count }, (_, at) => ({ name: `S${at}`, value: "v" }));
  const [note] = planOn(toDesired({}), toLive({ secrets })).plan.notes;
  expect(note).toMatch(new RegExp(`^live but not in the spec, .*, ${end}$`, "u"));
});

describe("a reply without the list of secrets", () => {
  const unread = (): LiveDeployment => {
    const { body, ...live } = toLive({ revision: { image_uri: DIGEST("a") } });
    const { secrets: _, ...others } = body;
    return { ...live, body: others };
  };
  const on = (
    short: Parameters<typeof toDesired>[0],
    secretsUnknown: "keep" | "send" = "keep",
    deploy = {},
  ) => planOn(toDesired(short, { deploy }), unread(), { policy: { secretsUnknown } });

  test.each([[[]], [null]])(
    "is not compared with %j, which is never sent, with a warning",
    (secrets) => {
      const { plan, steps } = on({ secrets });
      expect(steps).toEqual([]);
      expect(plan.unreadable).toEqual(["secrets"]);
      expect(comparisonCaveat(plan)).toBe(", as far as the service shows it");
      expect(plan.warnings).toEqual([
        "the service does not show secrets: not compared, and not sent: the spec clears it, which the service cannot do",
      ]);
      const moved = on({ secrets, revision: { image_uri: DIGEST("b") } });
      expect(patchOf(moved.steps)).toEqual({ source_revision_config: { image_uri: DIGEST("b") } });
    },
  );

  test("is not needed to merge an empty list", () => {
    expect(on({ secrets: [] }, "keep", { secrets: "merge" }).plan).toMatchObject({
      action: "none",
      unreadable: [],
    });
  });

  test("lets secrets-unknown: send send them, and marks none as added", () => {
    const secrets = [{ name: "S", value: "v" }];
    const { plan, steps } = on({ secrets }, "send");
    expect(plan.changes).toMatchObject([
      { path: "secrets.S", before: "value unknown", after: "(new value)" },
    ]);
    expect(plan.secrets).toEqual([{ name: "S", mark: "value unknown" }]);
    expect(patchOf(steps)).toEqual({ secrets });
  });

  test("is blocked for a merge, even with send", () => {
    const { plan, steps } = on({ secrets: [{ name: "S", value: "v" }] }, "send", {
      secrets: "merge",
    });
    expect(steps).toEqual([]);
    expect(plan.blockers).toMatchObject([{ code: "secrets-unreadable" }]);
  });
});

test("a null over a field that is not in the reply is reported as not sent", () => {
  const { plan, steps } = planOn(
    toDesired({ config: { install_command: null, build_command: "make" } }, REPO),
    toLive({ config: {} }, REPO),
  );
  expect(steps).toEqual([]);
  expect(plan.warnings).toEqual([
    "the service does not show source_config.install_command: not compared, and not sent: the spec clears it, which the service cannot do; " +
      "source_config.build_command: not compared, and sent only along with another update",
  ]);
});

test("a listener's configuration that the spec does not name is kept as a whole", () => {
  const { plan } = planOn(
    toDesired({ config: {} }),
    toLive({ config: { listener_config: { k8s_namespace: "a" } } }),
  );
  expect(plan).toMatchObject({ action: "none", unmanaged: ["source_config.listener_config"] });
});

test("a part of deploy.extra is not sent into a whole value that is not in the reply, since the rest would be lost", () => {
  const extra = { source_config: { resource_spec: { size: "M" } }, route: true };
  const on = (config: object) =>
    planOn(
      toDesired({ revision: { image_uri: DIGEST("b") } }, { deploy: { extra } }),
      toLive({ config: config as never, revision: { image_uri: DIGEST("a") } }),
    );
  const image = { source_revision_config: { image_uri: DIGEST("b") } };
  const hidden = on({});
  expect(patchOf(hidden.steps)).toEqual({ ...image, route: true });
  expect(hidden.plan.warnings.join()).toContain(
    "source_config.resource_spec.size is not sent, since the service does not show the rest of source_config.resource_spec, which would be lost",
  );
  const resource_spec = { cpu: 1 };
  expect(patchOf(on({ resource_spec }).steps)).toEqual({
    ...image,
    route: true,
    source_config: { resource_spec: { ...resource_spec, size: "M" } },
  });
  expect(patchOf(on({ resource_spec: null }).steps)).toMatchObject({
    source_config: { resource_spec: { size: "M" } },
  });
});

describe("the source of a checkout", () => {
  const hash = "1".repeat(64);
  const archive = toArchive(hash);
  const mark = toSourceValue({ hash, path: "uploads/one.tar.gz" });
  const INTERNAL = { source: "internal_source" } as const;
  /** The same checkout as last time, over a deployment that shows this. */
  const on = (secrets: Body[] | undefined, shown: Body, value = mark) =>
    planOn(
      { ...toDesired(secrets === undefined ? {} : { secrets }, INTERNAL), archive },
      toLive({ revision: shown, secrets: [{ name: SOURCE_VARIABLE, value }] }, INTERNAL),
    );

  test("is unchanged only if the service shows the path of the upload", () => {
    expect(on([], { source_tarball_path: "uploads/one.tar.gz" }).plan.changes).toEqual([]);
    const { plan, steps } = on([], {});
    expect(plan.changes).toMatchObject([
      { path: "source", before: "unknown", after: "11111111", effect: "new-revision" },
    ]);
    expect(plan.notes).toContain(
      "the live source is not known: the service does not return source_tarball_path",
    );
    expect(steps).toMatchObject([{ kind: "patch", upload: { hash } }]);
  });

  test.each([
    ["the path", {}, mark],
    ["the value", { source_tarball_path: "uploads/one.tar.gz" }, "*****"],
  ])(
    "is never unchanged if the service hides %s, and is blocked if the spec names no secrets",
    (...[_, shown, value]) => {
      expect(on(undefined, shown, value).plan).toMatchObject({
        action: "blocked",
        blockers: expect.arrayContaining([expect.objectContaining({ code: "source-unknown" })]),
      });
    },
  );
});
