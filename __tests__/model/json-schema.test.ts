import { readdirSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect, test } from "@jest/globals";
import { loadAll } from "js-yaml";
import { renderFieldDocs } from "../../src/model/field-docs.ts";
import { toJsonSchema } from "../../src/model/json-schema.ts";
import { allFields } from "../../src/model/shape.ts";

const check = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(
  toJsonSchema(),
);
const valid = (text: string): boolean =>
  (loadAll(text) as unknown[]).every((document) => check(document));

test("specs are valid in both spellings, and with references in place of other types", () => {
  expect(
    valid(
      'name: a\nsource: repohost\nsource_config: {build_on_push: "${P}", integration_id: "${I:-}"}\nsource_revision_config: {graph_config_path: g}\nsecrets: [A, {name: B, value: x}]\ndeploy: {timeout: 30m, secrets: merge, paths: [a]}\n',
    ),
  ).toBe(true);
  expect(
    valid(
      "name: a\nsource: github\nsource_revision_config: {langgraph_config_path: g}\nsecrets: null\n",
    ),
  ).toBe(true);
  expect(
    valid(
      'name: a\nsource: external_docker\nsource_config: {resource_spec: {min_scale: "${MIN}", cpu: 0.5, sidecars: [{name: p, image: i, env: [{name: A}]}]}}\n',
    ),
  ).toBe(true);
});

test("unknown keys, read-only fields and wrong types are refused", () => {
  for (const text of [
    "name: a\n",
    "source: repohost\n",
    "name: a\nsource: nowhere\n",
    "name: a\nsource: github\nzebra: 1\n",
    "name: a\nsource: github\nstatus: READY\n",
    "name: a\nsource: github\nsecrets: {A: b}\n",
    'name: a\nsource: github\nsource_config: {build_on_push: "yes"}\n',
    "name: a\nsource: github\nsource_config: {resource_spec: {min_scale: 1.5}}\n",
    "name: a\nsource: github\ndeploy: {on_failure: retry}\n",
  ]) {
    expect([text, valid(text)]).toEqual([text, false]);
  }
});

test("the schema accepts the spec files that only break rules across fields", () => {
  const folder = new URL("../spec/rules/", import.meta.url);
  const acrossFields = [
    "dns-labels",
    "duplicate-names",
    "limit-below-request",
    "min-above-max",
    "mounts-match-volumes",
    "hosted-only",
    "mutable-image-tag",
    "value-with-value-from",
    "variable-names",
  ];
  for (const name of readdirSync(folder).filter((file) =>
    acrossFields.includes(file.replace(".yml", "")),
  )) {
    expect([name, valid(readFileSync(new URL(name, folder), "utf8"))]).toEqual([name, true]);
  }
});

test("every field has a row in the reference tables", () => {
  const docs = renderFieldDocs();
  for (const row of allFields()) expect(docs).toContain(`| \`${row.name}\``);
  for (const line of docs.split("\n").filter((text) => text.startsWith("|")))
    expect(line.replaceAll("\\|", "").split("|")).toHaveLength(7);
  expect(docs).toContain(
    "| `cpu_limit` | number | any | makes a new revision | CPU limit per replica. Default: `2 x cpu`. Fractions: hosted service only. |",
  );
});
