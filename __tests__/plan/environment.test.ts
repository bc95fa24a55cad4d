import { describe, expect, test } from "@jest/globals";
import type { Json } from "../../src/model/json.ts";
import { parseSpec } from "../../src/spec/spec.ts";
import { patchOf, plan, planOn, toArchive, toDesired, toLive } from "./sample.ts";

const set = (...pairs: readonly (readonly [string, string | null])[]): Json =>
  pairs.map(([name, value]) => ({ name, value }));

interface Run {
  readonly env?: Readonly<Record<string, string>>;
  readonly mode?: "plan" | "apply";
  readonly interpolate?: boolean;
}

/** A spec document with these lines, read by a run. */
const read = (lines: string, { env = {}, mode = "apply", interpolate = true }: Run = {}) => {
  const text = `name: app\nsource: external_container\n${lines}`;
  const files = [{ path: "s.yml", text }];
  return parseSpec({ files, env, mode, adopted: true, interpolate }).documents[0]!;
};

describe("the value of a variable is shown", () => {
  const RANDOM = "Zx81kQ0pLm3Nv7Rt5Yw2Bd4Fg";
  const changeOf = (name: string, value: string, was: string | undefined, run: Run = {}) =>
    planOn(
      read(`variables: { ${name}: "${value}" }\n`, run),
      toLive({ secrets: was === undefined ? [] : set([name, was]) }),
    ).plan.changes;

  test.each([
    ["if both are plain", "LOG", "debug", "warn", {}, "warn", "debug"],
    ["if it is new", "LOG", "debug", undefined, {}, null, "debug"],
    [
      "except a live one to an untrusted spec",
      "LOG",
      "debug",
      "warn",
      { interpolate: false },
      "(old value)",
      "debug",
    ],
    [
      "except a live one under a secret's name",
      "API_KEY",
      "debug",
      "warn",
      {},
      "(old value)",
      "debug",
    ],
    ["except a live one that looks like a key", "LOG", "debug", RANDOM, {}, "(old value)", "debug"],
    ["except a new one that looks like a key", "LOG", RANDOM, "warn", {}, "warn", "(new value)"],
    ["for a count of tokens too", "MAX_TOKENS", "200", "100", {}, "100", "200"],
    [
      "except a live one under that name that is not a count",
      "MAX_TOKENS",
      "200",
      "10x",
      {},
      "(old value)",
      "200",
    ],
    [
      "unless only apply knows it",
      "LOG",
      "${L}",
      undefined,
      { mode: "plan" },
      null,
      "(known after apply)",
    ],
  ] as const)("%s", (_, name, value, was, run, before, after) => {
    expect(changeOf(name, value, was, run)).toEqual([
      { path: `variables.${name}`, before, after, effect: "new-revision", sensitive: false },
    ]);
  });

  test("but that of a secret is not", () => {
    const secret = { path: "secrets.A", effect: "new-revision", sensitive: true };
    const on = (live: Json) =>
      planOn(toDesired({ secrets: set(["A", "debug"]) }), toLive({ secrets: live })).plan.changes;
    expect(on(set(["A", "warn"]))).toEqual([
      { ...secret, before: "(old value)", after: "(new value)" },
    ]);
    expect(on([])).toEqual([{ ...secret, before: null, after: "(new value)" }]);
  });
});

describe("an optional secret that is not set in this run", () => {
  const SPEC = "secrets: [A, { name: B, optional: true }, { name: C, optional: true }]\n";
  const on = (live: Json | undefined, lines = SPEC) =>
    planOn(
      read(lines, { env: { A: "new" } }),
      live === undefined ? withoutList() : toLive({ secrets: live }),
    );
  const withoutList = () => {
    const { body, ...live } = toLive({});
    const { secrets: _, ...others } = body;
    return { ...live, body: others };
  };

  test("keeps its live value, or is left out if it has none", () => {
    const { plan: made, steps } = on(set(["A", "new"], ["C", "c"], ["B", "b"]));
    expect([made.changes, steps, made.unmanaged]).toEqual([[], [], []]);
    expect(made.notes).toEqual(["optional and not set here: secrets.B, secrets.C kept as live"]);
    expect(on(set(["A", "new"], ["C", "c"])).plan.notes).toEqual([
      "optional and not set here: secrets.C kept as live",
      "optional and not set here: secrets.B left out",
    ]);
    expect(plan(read(SPEC, { env: { A: "new" } }), { state: "absent" }).plan.notes).toEqual([
      "optional and not set here: secrets.B, secrets.C left out",
    ]);
  });

  test("is sent along if another one changed, but not one that the spec does not name", () => {
    const { plan: made, steps } = on(set(["A", "old"], ["B", "b"], ["X", "x"]));
    expect(patchOf(steps)).toEqual({ secrets: set(["A", "new"], ["B", "b"]) });
    expect(made.changes.map(({ path, after }) => [path, after])).toEqual([
      ["secrets.A", "(new value)"],
      ["secrets.X", null],
    ]);
    expect(made.secrets).toEqual([
      { name: "A", mark: "changed" },
      { name: "X", mark: "removed" },
      { name: "B", mark: "same" },
    ]);
  });

  test("blocks if it has to be sent along and the service hides it", () => {
    const NEEDED = "optional secrets that are not set here have to be sent along as they are live";
    expect(on(set(["A", "old"], ["B", "***"])).plan.blockers).toEqual([
      {
        code: "secrets-unreadable",
        path: "secrets",
        message:
          `${NEEDED}, and the service does not return the value of B. ` +
          "Set the variables of these in this environment",
      },
    ]);
    expect(on(set(["A", "new"], ["B", "***"])).plan.blockers).toEqual([]);
    expect(on(undefined).plan.blockers.map(({ message }) => message)).toEqual([
      `${NEEDED}, and the service returns none. Set the variables of all of them in this environment`,
    ]);
  });

  const OPTIONAL = "secrets: [{ name: B, optional: true }]\n";

  test("is kept if a list of only such secrets removes all others", () => {
    const { plan: made, steps } = on(set(["X", "x"], ["B", "b"], ["Y", "y"]), OPTIONAL);
    expect(patchOf(steps)).toEqual({ secrets: set(["B", "b"]) });
    expect(made.changes.map(({ path, after }) => [path, after])).toEqual([
      ["secrets.X", null],
      ["secrets.Y", null],
    ]);
    expect(made.notes).toEqual(["optional and not set here: secrets.B kept as live"]);
    expect(on(set(["B", "b"]), OPTIONAL).plan).toMatchObject({
      action: "none",
      changes: [],
      blockers: [],
    });
    expect(on(set(["B", "***"]), OPTIONAL).plan.blockers).toEqual([]);
    expect(on(set(["X", "x"], ["B", "***"]), OPTIONAL).plan.blockers).toMatchObject([
      { code: "secrets-unreadable", message: expect.stringContaining("the value of B") },
    ]);
  });

  test("leaves an empty list if it is not live either, which the service cannot take", () => {
    const { plan: made } = on(set(["X", "x"], ["Y", "y"]), OPTIONAL);
    expect(made.changes).toEqual([
      { path: "secrets", before: "X, Y", after: null, effect: "impossible", sensitive: false },
    ]);
    expect(made.notes).toEqual(["optional and not set here: secrets.B left out"]);
    expect(on([], OPTIONAL).plan).toMatchObject({ action: "none", changes: [], blockers: [] });
  });
});

test("a merge names the values that it cannot send along", () => {
  const on = (live: Json) =>
    planOn(
      toDesired({ secrets: set(["A", "2"]) }, { deploy: { secrets: "merge" } }),
      toLive({ secrets: live }),
    ).plan.blockers.map(({ message }) => message);
  expect(on(set(["A", "1"], ["B", "***"], ["C", "c"], ["D", ""]))).toEqual([
    "deploy.secrets: merge has to send the live secrets along, and the service does not return the value of B, D. " +
      "List these in the spec and use deploy.secrets: replace",
  ]);
  expect(on(set(["A", "1"], ["C", "c"]))).toEqual([]);
});

test("variables without secrets keep the live ones, and are blocked if these are hidden", () => {
  const on = (lines: string) =>
    planOn(read(lines), toLive({ secrets: set(["LOG", "a"], ["KEY", "***"]) })).plan.blockers;
  for (const lines of ["variables: { LOG: b }\n", "variables: { LOG: b, X: y }\n"])
    expect(on(lines).map(({ message }) => message)).toEqual([
      "variables and secrets are one list of the service, so the live secrets have to be sent along, and the service does not return the value of KEY. List these under secrets in the spec",
    ]);
  expect(on("variables: { LOG: b }\nsecrets: [{ name: KEY, value: k }]\n")).toEqual([]);
});

test.each([
  ["1", "set secrets-unknown: send to send them"],
  ["2", "sent along with the rest of the list"],
])("a hidden value in a list with A=%s: %s", (value, goes) => {
  const { warnings } = planOn(
    toDesired({ secrets: set(["A", value], ["B", "b"]) }),
    toLive({ secrets: set(["A", "1"], ["B", "***"]) }),
  ).plan;
  expect(warnings).toEqual([
    `the service does not return the value of secrets.B: value unknown, compared by name only; ${goes}`,
  ]);
});

test("an empty value equals only an empty one", () => {
  const on = (wanted: string, live: string) =>
    planOn(
      toDesired({ secrets: [{ name: "A", value: "${A:-}" }] }, { env: { A: wanted } }),
      toLive({ secrets: set(["A", live]) }),
    ).plan.secrets[0]!.mark;
  expect([on("", ""), on("", "x"), on("x", "")]).toEqual(["same", "changed", "value unknown"]);
});

describe("an upload by a spec without secrets sends the live ones back", () => {
  const archive = toArchive("1".repeat(64));
  const INTERNAL = { source: "internal_source" } as const;
  const on = (live: Json) =>
    planOn({ ...toDesired({}, INTERNAL), archive }, toLive({ secrets: live }, INTERNAL));
  const refused = (names: string) => [
    `an upload sends the whole list of environment values, and the service does not return ${names}. ` +
      "List all of them in the spec",
  ];

  test.each([
    [set(["A", "a"], ["B", "b"]), []],
    [set(["A", "a"], ["B", "***"], ["C", ""]), refused("B, C")],
    [[], []],
  ])("or is blocked if they are hidden: %j", (live, messages) => {
    const { plan: made } = on(live);
    const found = made.blockers.filter(({ code }) => code === "secrets-unreadable");
    expect(found.map(({ message }) => message)).toEqual(messages);
  });

  test("unless the service hides the whole list", () => {
    expect(on(null).plan.blockers.map(({ code }) => code)).toEqual(["source-unknown"]);
  });

  test("all of them, unchanged", () => {
    const { plan: made, steps } = on(set(["A", "a"], ["B", "b"]));
    expect(steps).toMatchObject([
      {
        kind: "patch",
        upload: {
          secrets: [
            { name: "A", value: "a" },
            { name: "B", value: "b" },
          ],
        },
      },
    ]);
    expect(made.unmanaged).toEqual(["secrets.A", "secrets.B"]);
  });
});
