import { expect, test } from "@jest/globals";
import { toExport, toExports } from "../../src/plan/export.ts";
import { createVariableNames, toVariable } from "../../src/plan/export-variables.ts";
import { toLive, type Body } from "./sample.ts";

const secretsOf = (...secrets: readonly (readonly [string, string | null])[]) =>
  secrets.map(([name, value]) => ({ name, value }));

test("an empty live value is written as empty if the service shows values, and with a comment if it may be hidden", () => {
  const shown = toExport(toLive({ secrets: secretsOf(["A", ""], ["B", "x"]) }));
  expect([shown.body["secrets"], shown.comments]).toEqual([
    [{ name: "A", value: "${A:-}" }, "B"],
    [],
  ]);
  const hidden = toExport(
    toLive({ secrets: secretsOf(["A", ""], ["B", "***"], ["C", ""], ["D", null]) }),
  );
  expect([hidden.body["secrets"], hidden.comments]).toEqual([
    ["A", "B", "C", "D"],
    ['A, C: live value empty or hidden; for an empty one write { name: A, value: "${A:-}" }'],
  ]);
  const none = toExport(toLive({ secrets: secretsOf(["B", "***"]) }));
  expect([none.body["secrets"], none.comments]).toEqual([["B"], []]);
});

test("a comment lists the variables that got different names", () => {
  const live = (name: string, ...values: readonly (readonly [string, string])[]) =>
    toLive({ secrets: secretsOf(...values) }, { name });
  const [one, two] = toExports([
    live("one", ["A", "1a"], ["B", "1b"], ["C", "same"]),
    live("two", ["A", "2a"], ["B", "2b"], ["C", "same"]),
  ]);
  expect(one!.body["secrets"]).toEqual([
    { name: "A", value: "${ONE_A}" },
    { name: "B", value: "${ONE_B}" },
    "C",
  ]);
  expect(one!.comments).toEqual([
    "ONE_A, ONE_B: named apart, since A, B would stand for live values that differ",
  ]);
  expect(two!.comments).toEqual([
    "TWO_A, TWO_B: named apart, since A, B would stand for live values that differ",
  ]);
});

test("the third and later values of a name are numbered", () => {
  const use = (value: string) => ({ document: "app", variable: "T", value });
  const name = createVariableNames(["w", "x", "y", "z"].map(use))("app");
  expect(["w", "x", "y", "z", "x"].map((value) => name("T", value))).toEqual([
    "T",
    "T_2",
    "T_3",
    "T_4",
    "T_2",
  ]);
  expect(name("T", null)).toBe("T");
});

test.each([
  [["a-b", "c.d"], "A_B_C_D"],
  [["1st", "x"], "_1ST_X"],
  [["x1"], "X1"],
])("the place %j becomes the variable %s", (trail, variable) => {
  expect(toVariable(trail)).toBe(variable);
});

test("an empty group is left out, unless it is sent as a whole", () => {
  const on = (config: Body) => toExport(toLive({ config })).body["source_config"];
  expect(on({ listener_config: { k8s_namespace: null }, resource_spec: { cpu: null } })).toEqual({
    resource_spec: {},
  });
  expect(on({ listener_config: { k8s_namespace: null } })).toBeUndefined();
  expect(on({ listener_config: { k8s_namespace: "a" } })).toEqual({
    listener_config: { k8s_namespace: "a" },
  });
});

test("users in URLs get a variable each if they differ, and the plain one if they are hidden", () => {
  const urls = (...infos: readonly string[]) =>
    toExports(
      infos.map((info, index) =>
        toLive({ config: { custom_url: `https://${info}@a.example.com` } }, { name: `n${index}` }),
      ),
    ).map(({ body }) => (body["source_config"] as Body)["custom_url"]);
  expect(urls("me:one", "me:two")).toEqual([
    "https://${N0_CUSTOM_URL_USER_INFO}@a.example.com",
    "https://${N1_CUSTOM_URL_USER_INFO}@a.example.com",
  ]);
  expect(urls("me:one", "me:****")).toEqual([
    "https://${CUSTOM_URL_USER_INFO}@a.example.com",
    "https://${CUSTOM_URL_USER_INFO}@a.example.com",
  ]);
});

test("the branch that a service shows elsewhere is the ref, and not an unknown setting", () => {
  const live = toLive(
    { config: { repo_branch: "main" }, revision: { repo_ref: "c".repeat(40) } },
    { source: "repohost" },
  );
  expect(toExport(live)).toMatchObject({
    body: { source_revision_config: { repo_ref: "main" } },
    comments: [],
  });
});
