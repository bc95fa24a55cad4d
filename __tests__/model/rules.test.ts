import { expect, test } from "@jest/globals";
import fc from "../support/property.ts";
import { judgeDocument } from "../../src/model/rules.ts";
import { UNKNOWN, type RuleInput } from "../../src/model/rule-input.ts";
import { allFields, deploymentShape } from "../../src/model/shape.ts";
import type { Shape } from "../../src/model/field-shape.ts";

function typed(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case "struct": {
      const rows = [...shape.fields.values()].map((row) => [row.name, arbitraryOf(row.shape)]);
      return fc.record(Object.fromEntries(rows), { requiredKeys: [] });
    }
    case "list":
      return fc.array(arbitraryOf(shape.item), { maxLength: 2 });
    case "map":
      return fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 });
    case "free":
      return fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 });
    case "scalar":
      return {
        string: fc.string({ maxLength: 4 }),
        uuid: fc.uuid(),
        integer: fc.integer(),
        number: fc.double(),
        boolean: fc.boolean(),
        enum: fc.constantFrom(...(shape.type === "enum" ? shape.values : [""])),
      }[shape.type];
  }
}

/** Any well-typed value of a shape, with values that are not known here and there, and nulls. */
function arbitraryOf(shape: Shape): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: typed(shape) },
    { weight: 1, arbitrary: fc.constant(UNKNOWN) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

const input: fc.Arbitrary<RuleInput> = fc.record({
  source: fc.constantFrom(
    "repohost" as const,
    "external_container" as const,
    "internal_docker" as const,
    undefined,
  ),
  dialect: fc.constantFrom("document" as const, "hosted" as const),
  body: arbitraryOf(deploymentShape).filter(
    (body): body is RuleInput["body"] => typeof body === "object" && body !== null,
  ),
  adopted: fc.boolean(),
});

test("a rule never throws, and every finding has a path and says what to write instead", () => {
  fc.assert(
    fc.property(input, (document) => {
      for (const finding of judgeDocument(document)) {
        expect(finding.path.length).toBeGreaterThan(0);
        expect(finding.message).toMatch(/; ./u);
        expect(finding.message).not.toMatch(/Symbol|undefined|NaN/u);
      }
    }),
    { numRuns: 100 },
  );
});

test("a document with only unknown values breaks no rule", () => {
  const body = Object.fromEntries(
    allFields()
      .filter(
        (row) =>
          !row.path.includes(".") &&
          row.mutability !== "read-only" &&
          row.meta.hosted === undefined,
      )
      .map((row) => [row.name, UNKNOWN]),
  );
  for (const source of ["repohost", "external_container", undefined] as const)
    expect(judgeDocument({ source, dialect: "document", body, adopted: false })).toEqual([]);
});
