import { describe, expect, test } from "@jest/globals";
import type { Json } from "../../src/model/json.ts";
import { nothingToDo } from "../../src/plan/plan.ts";
import { hasWork } from "../../src/report/merge.ts";
import { parseSpec } from "../../src/spec/spec.ts";
import { deployment } from "../report/sample-reports.ts";
import {
  DIGEST,
  patchOf,
  plan,
  planOn,
  toDesired,
  toLive,
  type Body,
  type Short,
} from "./sample.ts";

const set = (...pairs: readonly (readonly [string, string | null])[]): Json =>
  pairs.map(([name, value]) => ({ name, value }));
interface Case {
  readonly wanted: Json;
  readonly live: Json;
  readonly mode?: "replace" | "merge";
  readonly unknown?: "keep" | "send";
  readonly more?: Short;
  readonly liveMore?: Short;
}
const on = ({ wanted, live, mode = "replace", unknown = "keep", more = {}, liveMore = {} }: Case) =>
  planOn(
    toDesired({ secrets: wanted, ...more }, { deploy: { secrets: mode } }),
    toLive({ secrets: live, ...liveMore }),
    { policy: { secretsUnknown: unknown } },
  );
const names = (plan: ReturnType<typeof on>["plan"]) =>
  plan.changes.map(({ path, before, after }) => [path, before, after]);

describe("replace, which sends only the spec's secrets,", () => {
  test("drops a name that the spec does not have, and shows it", () => {
    const { plan, steps } = on({ wanted: set(["A", "1"]), live: set(["A", "1"], ["OLD", "2"]) });
    expect(names(plan)).toEqual([["secrets.OLD", "(set)", null]]);
    expect(patchOf(steps)).toEqual({ secrets: set(["A", "1"]) });
  });

  test("sends the whole list, and shows no value in the plan", () => {
    const { plan, steps } = on({
      wanted: set(["A", "1"], ["B", "new-value"]),
      live: set(["A", "1"], ["B", "old-value"]),
    });
    expect(names(plan)).toEqual([["secrets.B", "(old value)", "(new value)"]]);
    expect(patchOf(steps)).toEqual({ secrets: set(["A", "1"], ["B", "new-value"]) });
    expect(JSON.stringify(plan)).not.toMatch(/old-value|new-value/);
  });

  test("is blocked for an empty list over live secrets, which the service cannot clear", () => {
    expect(on({ wanted: [], live: set(["A", "1"]) }).plan.blockers).toMatchObject([
      { code: "clear", path: "secrets" },
    ]);
    expect(on({ wanted: [], live: [] }).plan.action).toBe("none");
  });
});

test("a service that returns only names is compared by name", () => {
  const { plan, steps } = on({ wanted: set(["A", "1"], ["B", "2"]), live: ["A", "OLD"] });
  expect(names(plan)).toEqual([
    ["secrets.B", null, "(new value)"],
    ["secrets.OLD", "(set)", null],
  ]);
  expect(plan.secrets[0]).toEqual({ name: "A", mark: "value unknown" });
  expect(patchOf(steps)).toEqual({ secrets: set(["A", "1"], ["B", "2"]) });
});

describe("merge, which overlays the live secrets with the spec's,", () => {
  test("keeps other secrets and sends them along", () => {
    const { plan, steps } = on({
      mode: "merge",
      wanted: set(["A", "2"]),
      live: set(["A", "1"], ["B", "keep"]),
    });
    expect(names(plan)).toEqual([["secrets.A", "(old value)", "(new value)"]]);
    expect(patchOf(steps)).toEqual({ secrets: set(["A", "2"], ["B", "keep"]) });
    expect(
      patchOf(
        on({
          mode: "merge",
          wanted: set(["NEW", "3"], ["B", "4"]),
          live: set(["A", "1"], ["B", "2"]),
        }).steps,
      ),
    ).toEqual({ secrets: set(["A", "1"], ["B", "4"], ["NEW", "3"]) });
  });

  test("sends nothing if nothing changed or the list is empty", () => {
    expect(
      on({ mode: "merge", wanted: set(["A", "1"]), live: set(["A", "1"], ["B", "2"]) }).steps,
    ).toEqual([]);
    expect(on({ mode: "merge", wanted: [], live: set(["B", "2"]) }).plan).toMatchObject({
      action: "none",
      blockers: [],
    });
  });

  test("is blocked if it would have to send along a value that is not returned", () => {
    const { plan, steps } = on({
      mode: "merge",
      wanted: set(["A", "2"]),
      live: set(["A", "1"], ["B", "***"]),
    });
    expect(plan.blockers).toMatchObject([{ code: "secrets-unreadable" }]);
    expect(plan.blockers[0]!.message).toContain("B");
    expect(steps).toEqual([]);
  });
});

describe("a value that is not returned", () => {
  test.each([null, "", "*", "********", "••••"])(
    "%j counts as not returned, for that secret only",
    (mask) => {
      const { plan, steps } = on({
        wanted: set(["A", "1"], ["B", "2"]),
        live: set(["A", mask], ["B", "2"]),
      });
      expect(steps).toEqual([]);
      expect(plan.changes).toEqual([]);
      expect(plan.warnings.join()).toContain("secrets.A: value unknown");
      const changed = on({
        wanted: set(["A", "1"], ["B", "3"]),
        live: set(["A", mask], ["B", "2"]),
      });
      expect(names(changed.plan)).toEqual([["secrets.B", "(old value)", "(new value)"]]);
    },
  );

  test("that is masked is unknown, even if the spec has the same stars", () => {
    const { plan } = on({ wanted: set(["A", "****"]), live: set(["A", "****"]) });
    expect(plan.warnings.join()).toContain("secrets.A: value unknown");
  });

  test("is sent with secrets-unknown: send", () => {
    const { plan, steps } = on({
      unknown: "send",
      wanted: set(["A", "1"]),
      live: set(["A", "***"]),
    });
    expect(names(plan)).toEqual([["secrets.A", "value unknown", "(new value)"]]);
    expect(patchOf(steps)).toEqual({ secrets: set(["A", "1"]) });
  });

  test("is still a change if the spec drops its name", () => {
    expect(
      names(on({ wanted: set(["A", "1"]), live: set(["A", "***"], ["OLD", "***"]) }).plan),
    ).toEqual([["secrets.OLD", "(set)", null]]);
  });

  test("because the whole list is null is not set, and the spec's secrets are new", () => {
    const { plan, steps } = on({ wanted: set(["A", "1"]), live: null });
    expect(names(plan)).toEqual([["secrets.A", null, "(new value)"]]);
    expect(patchOf(steps)).toEqual({ secrets: set(["A", "1"]) });
  });

  test("because the list is missing is not compared, and is sent with a revision that is made anyway", () => {
    const short = { wanted: set(["A", "1"]), live: undefined as unknown as Json };
    expect(on(short)).toMatchObject({
      steps: [],
      plan: { action: "none", changes: [], unreadable: ["secrets"] },
    });
    const more = {
      ...short,
      more: { revision: { image_uri: DIGEST("a") } },
      liveMore: { revision: { image_uri: DIGEST("b") } },
    };
    expect(patchOf(on(more).steps)).toEqual({
      source_revision_config: { image_uri: DIGEST("a") },
      secrets: set(["A", "1"]),
    });
    const inPlace = {
      ...short,
      more: { config: { custom_url: "https://a.example.com" } },
      liveMore: { config: { custom_url: "https://b.example.com" } },
    };
    expect(patchOf(on(inPlace).steps)).toEqual({
      source_config: { custom_url: "https://a.example.com" },
    });
    expect(patchOf(on({ ...short, unknown: "send" }).steps)).toEqual({
      secrets: set(["A", "1"]),
    });
  });
});

test("a value known after apply is not a change of an existing secret, but is one of a new secret", () => {
  const desired = toDesired({ secrets: ["A", "B"] }, { mode: "plan" });
  const { plan: made } = planOn(desired, toLive({ secrets: set(["A", "1"]) }));
  expect(made.changes).toMatchObject([{ path: "secrets.B", after: "(known after apply)" }]);
  expect(made.notes).toEqual([
    "secrets.A: no value here (known after apply), so compared by name only",
  ]);
});

test.each(["sidecars", "init_containers"])(
  "a value of %s' environment known after apply is noted as not compared, and counts as possible work",
  (list) => {
    const image = DIGEST("b");
    const of = (value: string): Body => ({
      resource_spec: { [list]: [{ name: "box", image, env: [{ name: "KEY", value }] }] },
    });
    const desired = toDesired({ config: of("${NOT_SET}") }, { mode: "plan" });
    const { plan: made } = planOn(desired, toLive({ config: of("live-value") }));
    const path = `source_config.resource_spec.${list}.box.env.KEY.value`;
    expect([made.action, made.changes]).toEqual(["none", []]);
    expect(made.at_apply).toEqual([path]);
    expect(made.notes).toEqual([`${path}: no value here (known after apply), so not compared`]);
    expect(nothingToDo(made)).toMatch(/, as far as it is known before apply$/u);
    expect(hasWork(deployment({ name: "app", outcome: "unchanged", plan: made }))).toBe(true);
  },
);

test("a plain setting known after apply counts as a change", () => {
  const desired = toDesired({ revision: { image_uri: "${NOT_SET}" } }, { mode: "plan" });
  const { plan: made } = planOn(desired, toLive({ revision: { image_uri: DIGEST("a") } }));
  expect(made.changes).toMatchObject([
    { path: "source_revision_config.image_uri", after: "(known after apply)" },
  ]);
});

test("a create shows a secret known after apply as such", () => {
  const desired = toDesired(
    { secrets: ["A", { name: "B", value: "${NOT_SET}" }, { name: "C", value: "here" }] },
    { mode: "plan" },
  );
  expect(
    names(plan(desired, { state: "absent" }).plan).filter(([path]) =>
      String(path).startsWith("secrets"),
    ),
  ).toEqual([
    ["secrets.A", null, "(known after apply)"],
    ["secrets.B", null, "(known after apply)"],
    ["secrets.C", null, "(new value)"],
  ]);
});

test("variables are named as such, if the live value is hidden and if it is known after apply", () => {
  const text =
    'name: app\nsource: external_container\nsecrets: [S]\nvariables: { LOG: debug, LEVEL: "${L}" }\n';
  const { documents } = parseSpec({
    files: [{ path: "s.yml", text }],
    env: { S: "value" },
    mode: "plan",
    adopted: true,
  });
  const live = toLive({ secrets: set(["S", "***"], ["LOG", "***"], ["LEVEL", "info"]) });
  const { plan } = planOn(documents[0]!, live);
  expect(plan.warnings).toEqual([
    "the service does not return the value of secrets.S, variables.LOG: value unknown, compared by name only; set secrets-unknown: send to send them",
  ]);
  expect(plan.notes).toEqual([
    "variables.LEVEL: no value here (known after apply), so compared by name only",
  ]);
});

test("a live variable that is null is unknown, and not a change", () => {
  const { documents } = parseSpec({
    files: [
      { path: "s.yml", text: "name: app\nsource: external_container\nvariables: { LOG: debug }\n" },
    ],
    env: {},
    mode: "apply",
    adopted: true,
  });
  const live = toLive({ secrets: set(["LOG", null]) });
  expect(planOn(documents[0]!, live)).toMatchObject({
    plan: {
      action: "none",
      changes: [],
      secrets: [{ name: "LOG", mark: "value unknown" }],
      warnings: [expect.stringContaining("does not return the value of variables.LOG")],
    },
    steps: [],
  });
  const sent = planOn(documents[0]!, live, { policy: { secretsUnknown: "send" } });
  expect(names(sent.plan)).toEqual([["variables.LOG", "value unknown", "debug"]]);
});

describe("null over variables in a target keeps their live values", () => {
  const STAGED = (target: string) => `name: app
source: external_container
variables: { LOG: info, Z: "1" }
secrets: [A]
deploy:
  targets:
    st: { ${target} }
`;
  const on = (target: string, live: Json, more: Readonly<Record<string, string>> = {}) => {
    const { documents } = parseSpec({
      files: [{ path: "s.yml", text: STAGED(target) }],
      env: { A: "new-value", ...more },
      mode: "apply",
      adopted: true,
      targets: { target: "st" },
    });
    return planOn(documents[0]!, toLive({ secrets: live }));
  };
  const live = set(["A", "new-value"], ["LOG", "warn"], ["Z", "2"]);

  test("for one of them, or for all at once", () => {
    expect(names(on("variables: { LOG: null }", live).plan)).toEqual([["variables.Z", "2", "1"]]);
    const all = on("variables: null", live);
    expect(all.steps).toEqual([]);
    expect(all.plan.unmanaged).toEqual(["secrets.LOG", "secrets.Z"]);
  });

  test("and sends them along, while other unnamed values are dropped", () => {
    const { plan, steps } = on("variables: null", set(["A", "old"], ["LOG", "warn"], ["X", "1"]));
    expect(names(plan)).toEqual([
      ["secrets.A", "(old value)", "(new value)"],
      ["secrets.X", "(set)", null],
    ]);
    expect(patchOf(steps)).toEqual({ secrets: set(["A", "new-value"], ["LOG", "warn"]) });
  });

  test("and clears nothing if there are no secrets", () => {
    const { plan, steps } = on(
      "variables: null, secrets: [], replace: [secrets]",
      set(["LOG", "a"]),
    );
    expect([plan.blockers, steps]).toEqual([[], []]);
  });

  test("and is blocked if a value to send along is not returned", () => {
    const { plan } = on("variables: null", set(["A", "old"], ["LOG", "***"]));
    expect(plan.blockers).toMatchObject([{ code: "secrets-unreadable" }]);
    expect(plan.blockers[0]!.message).toContain("Write the values of these into the target");
    expect(on("variables: null", set(["A", "new-value"], ["LOG", "***"])).steps).toEqual([]);
  });
});

describe("an upload of the checkout sends the whole list", () => {
  const ARCHIVE = {
    hash: "a".repeat(64),
    configPath: "langgraph.json",
    notes: [],
    warnings: [],
    open: () => Promise.reject(new Error("not opened here")),
  };
  const upload = (wanted: Json, live: Json | undefined, mode: "replace" | "merge") => {
    const desired = toDesired(
      { secrets: wanted },
      { source: "internal_source", deploy: { secrets: mode } },
    );
    return planOn(
      { ...desired, archive: ARCHIVE },
      toLive(
        { secrets: live as Json, revision: { source_tarball_path: "o/1" } },
        { source: "internal_source" },
      ),
    );
  };

  test("and is blocked once if a value to send along is not returned, whether or not a secret changes", () => {
    const live = set(["A", "1"], ["B", "***"]);
    for (const wanted of [set(["A", "1"]), set(["A", "2"])])
      expect(upload(wanted, live, "merge").plan.blockers).toEqual([
        expect.objectContaining({ code: "secrets-unreadable", path: "secrets" }),
      ]);
    expect(upload(set(["A", "2"]), live, "replace").plan.blockers).toEqual([]);
  });

  test("and needs the live list for a merge, even with nothing to add", () => {
    for (const wanted of [set(["A", "1"]), []])
      expect(upload(wanted, undefined, "merge").plan.blockers).toEqual([
        expect.objectContaining({ code: "secrets-unreadable", path: "secrets" }),
      ]);
    expect(upload(set(["A", "1"]), undefined, "replace").plan.blockers).toEqual([]);
  });
});
