import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { toPreview, toRowPreview, toTags } from "../../src/experiment/row-texts.ts";

const ADDRESS = "https://x.example/";

describe("the texts of a row that a report may show", () => {
  test.each<[string, unknown, string]>([
    ["the text of a single value", { q: "a" }, "a"],
    ["another single value as JSON", { q: [1] }, "[1]"],
    ["several values as JSON", { q: "a", r: null }, '{"q":"a","r":null}'],
    ["an empty object for no values", {}, "{}"],
    ["empty for a value that is not an object", "a", ""],
    ["a text of 200 characters", { q: "x".repeat(200) }, "x".repeat(200)],
    ["199 characters of a text with 201", { q: "x".repeat(201) }, `${"x".repeat(199)}…`],
    ["never half of a character", { q: `${"x".repeat(198)}😀😀` }, `${"x".repeat(198)}…`],
  ])("are %s", (_, value, text) => {
    expect(toPreview(value)).toBe(text);
  });

  const traceOf = (run_metadata: Record<string, string>): string | undefined =>
    toRowPreview({ inputs: {}, run_metadata }).trace;

  test("include the first URL of a trace, of up to 500 characters", () => {
    const long = (chars: number): string => ADDRESS + "x".repeat(chars - ADDRESS.length);
    expect(traceOf({ trace_url: long(500) })).toBe(long(500));
    expect(traceOf({ trace_url: long(501) })).toBeUndefined();
    expect(traceOf({ trace_url: "none", run_url: ADDRESS })).toBe(ADDRESS);
    expect(traceOf({ trace: "javascript:x" })).toBeUndefined();
  });

  test("include comments, cut to 300 characters, but not empty ones", () => {
    const of = (...comments: readonly string[]) =>
      toRowPreview({
        inputs: {},
        evaluation_scores: comments.map((comment, n) => ({ key: `k${n}`, score: 1, comment })),
      });
    expect(of("x".repeat(301), "", "y").comments).toEqual({ k0: "x".repeat(300), k2: "y" });
    expect(of("")).not.toHaveProperty("comments");
  });
});

describe("the fields that gates select rows by", () => {
  test("are four levels of inputs and metadata, and the sample's own metadata", () => {
    const inputs = { n: 1, ok: true, list: [1], a: { b: { c: { d: "x", e: { f: "y" } } } } };
    expect(toTags(inputs, { m: "1", metadata: { m: "2", topic: { id: 7 } } })).toEqual({
      ...{ "inputs.n": "1", "inputs.ok": "true", "inputs.a.b.c.d": "x" },
      ...{ "run_metadata.m": "1", "run_metadata.metadata.m": "2" },
      ...{ "run_metadata.metadata.topic.id": "7", "run_metadata.topic.id": "7" },
    });
    expect(toTags({ a: "x" }, undefined)).toEqual({ "inputs.a": "x" });
  });

  test("are 64, each with up to 200 characters or with its beginning and hash", () => {
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`k${n}`, n]));
    expect(Object.keys(toTags(many, { m: "x" }))).toHaveLength(64);
    const text = "x".repeat(201);
    const sha256 = createHash("sha256").update(text).digest("hex");
    expect(toTags({ a: "x".repeat(200), b: text }, undefined)).toEqual({
      "inputs.a": "x".repeat(200),
      "inputs.b": `${"x".repeat(80)}…${sha256.slice(0, 16)}`,
    });
  });
});
