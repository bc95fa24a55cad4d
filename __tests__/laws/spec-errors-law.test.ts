import { describe, expect, test } from "@jest/globals";
import { parseSpec } from "../../src/spec/spec.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";

/** The law: whatever is where a secret belongs, and however wrong it is written, no error of the spec repeats it. */
const WORD = "S3cretPw99";
const HEAD = `name: a
source: external_container
source_revision_config: { image_uri: "registry.example.com/a@sha256:${"a".repeat(64)}" }
`;

/** What YAML takes for something else, or for nothing at all. */
const VALUES = [
  ...["!W", "!!W", "!<W>", "!a!W", "!W x", "!W [x]", "!W {x: 1}", "!!int W", "!!map W"],
  ...["*W", "*W x", "&W", "&W *W", "&a &W x", "%W", "@W", "`W", "|W", ">W", ">-W", "|9W"],
  ...["{W", "{W}", "[W", "[W]", "W]", "W}", '"W', "'W", '"W" x', "'W' W", '"\\q W"', '"\\xW"'],
  ...["W: q", "W: W: q", "? W", "- W", "- - W", "${W", "${W-W}", "${-W}", "${{ W }}", "<<: W"],
  ...["W-", "W W", "W=W", "W: !x", "W\tW", "\tW", "W\u0001", "<<: *W", "{W: 1, W: 2}", "[W, W]"],
];

const nested = (text: string): string => `source_config:
  resource_spec:
    sidecars:
      - name: p
        image: "registry.example.com/p@sha256:${"b".repeat(64)}"
        env: ${text}
`;
const PLACES: Readonly<Record<string, (value: string) => string>> = {
  "a secret's value": (value) => `secrets:\n  - name: TOK\n    value: ${value}\n`,
  "a secret's value in brackets": (value) => `secrets: [{name: TOK, value: ${value}}]\n`,
  "a secret's entry": (value) => `secrets:\n  - ${value}\n  - { name: A, value: a }\n`,
  "a secret's key": (value) => `secrets:\n  - { ${value}: q }\n`,
  "secrets themselves": (value) => `secrets: ${value}\n`,
  "what is below secrets": (value) => `secrets:\n  ${value}\n`,
  "a mapping of secrets": (value) => `secrets:\n  TOK: ${value}\n`,
  "a target's secret": (value) =>
    `secrets: []\ndeploy: { targets: { eu: { secrets: [{ name: TOK, value: ${value} }] } } }\n`,
  "a container's variable": (value) => nested(`[{ name: TOK, value: ${value} }]`),
  "a container's entry": (value) => nested(`\n          - ${value}`),
  "a container's variables": (value) => nested(value),
  "a container's key": (value) => nested(`[{ ${value}: q }]`),
  "where a variable's value comes from": (value) => nested(`[{ name: A, valueFrom: ${value} }]`),
  "a key of the document that sounds secret": (value) => `api_token: ${value}\n`,
  "a variable": (value) => `variables: { API_TOKEN: ${value} }\n`,
};

/** Only the name is shown, since who reads the error has to set that variable. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "a secret's entry": ["\tW"],
  "secrets themselves": ["[W]", "[W, W]"],
  "what is below secrets": ["[W]", "[W, W]", "- W"],
};

/** What is reported before anything is masked: if nothing is repeated, nothing depends on the redactor. */
const told = (text: string): string =>
  parseSpec({
    files: [{ path: "s.yml", text }],
    env: {},
    mode: "apply",
    targets: { target: "eu" },
  })
    .problems.map((problem) => JSON.stringify(problem))
    .join("\n");

describe("no error of a spec repeats", () => {
  test.each(Object.keys(PLACES))("%s, however it is written", (place) => {
    const repeated = VALUES.filter((value) => {
      const written = value.replaceAll("W", WORD);
      return (
        NAMES[place]?.includes(value) !== true &&
        told(HEAD + PLACES[place]!(written)).includes(WORD.slice(1))
      );
    });
    expect(repeated).toEqual([]);
  });
});

describe("the command line says where the error is, and what to write", () => {
  test.each([
    ["!S3cretPw99", /:6:12: .*a value that begins with ! in quotes/],
    ["*S3cretPw99", /:6:12: .*a value that begins with \* in quotes/],
    ["!S3cret^Pw99", /:6:\d+: .*a value that begins with ! in quotes/],
  ])("%s", async (value, message) => {
    const { code, stdout, stderr } = await runCli(["validate", "s.yml"], {
      workspace: createTree({ "s.yml": `${HEAD}secrets:\n  - name: TOK\n    value: ${value}\n` }),
    });
    expect(code).toBe(2);
    expect(stdout + stderr).toMatch(message);
    expect(stdout + stderr).not.toMatch(/S3cret|Pw99/);
  });

  test("a key that is one letter off is still named", () => {
    expect(told(`${HEAD}secrets: [{ name: A, vlaue: x }]\n`)).toContain("did you mean value?");
  });
});
