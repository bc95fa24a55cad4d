import { describe, expect, test } from "@jest/globals";
import type { Json } from "../../src/model/json.ts";
import { plan, planOn, toDesired, toLive, type Body, type Short } from "./sample.ts";

/** Values too short or too common to be found in a text. */
const ENV = { X_PASS: "letmein", X_KEY: "3", OLD_TOKEN: "on", STAGE: "prod" };

const spec = (resource_spec: Json): Short => ({ config: { resource_spec } });
const container = (more: Body): Json => ({ name: "a", image: "i@sha256:1", ...more });
const group = "source_config.resource_spec";

/** What a plan shows of each change, as path, before and after. */
const shownOf = (wanted: Short, live: Short, env: Readonly<Record<string, string>> = ENV) =>
  planOn(toDesired(wanted, { env, mode: "plan" }), toLive(live)).plan.changes.map(
    ({ path, before, after }) => [path.replace(`${group}.`, ""), before, after],
  );

describe("a value from a variable with a secret's name is shown as the variable", () => {
  test.each<readonly [string, Json, Json, readonly Json[]]>([
    ["in a text", { annotations: { a: "k=${X_KEY}" } }, {}, ["annotations.a", null, "k=${X_KEY}"]],
    ["as a number", { min_scale: "${X_KEY}" }, {}, ["min_scale", null, "${X_KEY}"]],
    [
      "in a text with other variables",
      { labels: { a: "${STAGE}-${OLD_TOKEN}" } },
      {},
      ["labels.a", null, "prod-${OLD_TOKEN}"],
    ],
    [
      "with its old value, which may be the previous secret",
      { annotations: { a: "k=${X_KEY}" }, min_scale: 2 },
      { annotations: { a: "k=old" }, min_scale: 2 },
      ["annotations.a", "(old value)", "k=${X_KEY}"],
    ],
    [
      "with an old number",
      { min_scale: "${X_KEY}" },
      { min_scale: 7 },
      ["min_scale", "(old value)", "${X_KEY}"],
    ],
    [
      "in a list item, while another one changed",
      { sidecars: [container({ args: ["--pw=${X_PASS}", "--port=2"] })] },
      { sidecars: [container({ args: ["--pw=letmein", "--port=1"] })] },
      ["sidecars.a.args", ["--pw=${X_PASS}", "(old value)"], ["--pw=${X_PASS}", "--port=2"]],
    ],
    [
      "in free-form JSON, by key",
      { sidecars: [container({ securityContext: { a: "${X_KEY}", b: 2 } })] },
      { sidecars: [container({ securityContext: { a: "4", b: 1 } })] },
      ["sidecars.a.securityContext", { a: "(old value)", b: 1 }, { a: "${X_KEY}", b: 2 }],
    ],
    [
      "in a new list item",
      { sidecars: [container({ args: ["${OLD_TOKEN}"] })] },
      {},
      ["sidecars.a", null, { name: "a", image: "i@sha256:1", args: ["${OLD_TOKEN}"] }],
    ],
    [
      "except a default, which is not the variable's value",
      { annotations: { a: "${UNSET_TOKEN:-none}" } },
      { annotations: { a: "old" } },
      ["annotations.a", "(old value)", "none"],
    ],
    [
      "if the variable is not set",
      { annotations: { a: "k=${UNSET_TOKEN}" } },
      { annotations: { a: "k=old" } },
      ["annotations.a", "(old value)", "(known after apply)"],
    ],
    [
      "and other variables are not",
      { annotations: { a: "${STAGE}" } },
      { annotations: { a: "old" } },
      ["annotations.a", "old", "prod"],
    ],
    [
      "and neither is what only looks like one",
      { annotations: { a: "$${X_KEY}" } },
      {},
      ["annotations.a", null, "${X_KEY}"],
    ],
  ])("%s", (_, wanted, live, expected) => {
    expect(shownOf(spec(wanted), spec(live))).toEqual([expected]);
  });
});

describe("the variable is also shown", () => {
  const image = (uri: string): Short => ({ revision: { image_uri: uri } });

  test("in an address, without hiding old values because of a user or password", () => {
    const live = image("https://u:old@r.example.com/app:1");
    expect(shownOf(image("https://u:${X_PASS}@r.example.com/app:2"), live)).toEqual([
      ["source_revision_config.image_uri", "r.example.com/app:1", "r.example.com/app:2"].map(
        (text) => text.replace(/^r/, "https://r"),
      ),
    ]);
    expect(shownOf(image("https://u:${X_PASS}@r.example.com/app:${X_KEY}"), live)).toEqual([
      ["source_revision_config.image_uri", "(old value)", "https://r.example.com/app:${X_KEY}"],
    ]);
  });

  test("in a create, including deploy.extra, while the values themselves are sent", () => {
    const wanted = toDesired(
      {
        config: { resource_spec: { min_scale: "${X_KEY}" } },
        ...image("r.example.com/a:${X_PASS}"),
      },
      { deploy: { extra: { gateway: "${OLD_TOKEN}" } }, env: ENV },
    );
    const { plan: shown, steps } = plan(wanted, { state: "absent" });
    expect(shown.changes.map(({ after }) => after)).toEqual([
      "app",
      { min_scale: "${X_KEY}" },
      "r.example.com/a:${X_PASS}",
      "${OLD_TOKEN}",
    ]);
    expect(steps).toMatchObject([
      {
        body: {
          source_config: { resource_spec: { min_scale: 3 } },
          source_revision_config: { image_uri: "r.example.com/a:letmein" },
          gateway: "on",
        },
      },
    ]);
  });

  test("in a fingerprint: another value gives the same plan, and another place does not", () => {
    const printOf = (text: string, env: Readonly<Record<string, string>>): string =>
      plan(toDesired(spec({ annotations: { a: text } }), { deploy: { verify: text }, env }), {
        state: "absent",
      }).plan.fingerprint;
    const one = printOf("k=${X_KEY}", { X_KEY: "1" });
    expect(printOf("k=${X_KEY}", { X_KEY: "2" })).toBe(one);
    expect(printOf("l=${X_KEY}", { X_KEY: "1" })).not.toBe(one);
    expect(printOf("k=1", {})).not.toBe(one);
  });

  test("in a blocker that quotes a value", () => {
    const wanted = toDesired(spec({ min_scale: "${X_KEY}" }), { env: { X_KEY: "7" } });
    const { blockers } = planOn(wanted, toLive(spec({ min_scale: 1, max_scale: 5 }))).plan;
    expect(blockers.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        "the minimum min_scale (${X_KEY}) is above the maximum max_scale (5)",
      ),
    ]);
  });
});
