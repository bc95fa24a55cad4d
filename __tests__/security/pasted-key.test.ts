import { expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";

const SPEC = `name: a
source: external_container
source_revision_config: { image_uri: "registry.example.com/a@sha256:${"a".repeat(64)}" }
secrets:
`;
const validate = (entry: string, env: Readonly<Record<string, string>> = {}) =>
  runCli(["validate", "s.yml", "--json"], {
    workspace: createTree({ "s.yml": `${SPEC}  - ${entry}\n` }),
    env,
    mayLeak: "what is printed is judged here",
  });

test.each([
  "AKIAIOSFODNN7EXAMPLE",
  "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
  "sk_live_51HqLyjWDarjtT1zdp7dc",
  "lsv2_pt_0f3c9ab1d24e4b7f8a6c5d4e3f2a1b0c_1234567890",
])("a key in place of the name, %s, is refused and not repeated", async (key) => {
  for (const entry of [key, `{ name: A, ${key}: x }`]) {
    const { code, stdout, stderr } = await validate(entry);
    expect([entry, code]).toEqual([entry, 2]);
    expect(stdout + stderr).not.toContain(key);
  }
  expect((await validate(key)).stdout).toContain("looks like the secret itself");
});

test.each(["npm_config_registry_of_production_2", "OPENAI_API_KEY_2", "DATABASE_URL_EU_WEST_1"])(
  "the name %s is one",
  async (name) => {
    expect(await validate(name)).toMatchObject({ code: 0 });
  },
);

test("a variable of that name shows that it is a name", async () => {
  const name = "sk_live_51HqLyjWDarjtT1zdp7dc";
  expect(await validate(name, { [name]: "its-value" })).toMatchObject({ code: 0 });
});
