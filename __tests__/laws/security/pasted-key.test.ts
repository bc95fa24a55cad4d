import { beforeAll, describe, expect, test } from "@jest/globals";
import { runCli } from "../../support/cli-run.ts";
import { startTestEmulator, type TestEmulator } from "../../support/emulator-process.ts";
import { createTree } from "../../support/tree.ts";

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
  "the name %s is accepted",
  async (name) => {
    expect(await validate(name)).toMatchObject({ code: 0 });
  },
);

test("a variable of the same name shows that it is a name", async () => {
  const name = "sk_live_51HqLyjWDarjtT1zdp7dc";
  expect(await validate(name, { [name]: "its-value" })).toMatchObject({ code: 0 });
});

describe("a key among the arguments of a call is not repeated", () => {
  let emulator: TestEmulator;
  beforeAll(async () => {
    emulator = await startTestEmulator();
  });
  const KEYS = [
    "sk-abcdef123",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "q8Zt3Lw0Xr5Bn2Vk7Hs9Jd4Fg6",
  ];
  const SHORT = "sk-abcdef123";
  test.each([
    ...KEYS.flatMap((key) => [
      ["plan", key],
      [key],
      ["lookup", key],
      ["validate", key],
      ["status", key],
    ]),
    ...[
      ["plan", "a.yml", SHORT],
      ["upload", SHORT],
      ["report", SHORT],
      ["list", SHORT],
    ],
    ...[
      ["plan", "--only", SHORT],
      ["plan", `--target=${SHORT}`],
      ["plan", `--${SHORT}`],
      ["plan", `--timeout=${SHORT}`],
    ],
    ...[["help", SHORT]],
    ["plan", "https://robot:passw0rd77@git.example.com/a.yml"],
  ])("%j %j %j", async (...words) => {
    const call = words.filter((word) => word !== undefined);
    for (const more of [[], ["--json"]]) {
      const { code, stdout, stderr } = await runCli([...call, ...more], {
        workspace: createTree({ "agent-deploy.yml": `${SPEC}  - A\n` }),
        env: emulator.env,
        mayLeak: "what is printed is judged here",
      });
      expect([call, code]).not.toEqual([call, 0]);
      for (const key of [...KEYS, "passw0rd77"]) expect(stdout + stderr).not.toContain(key);
    }
  });

  test.each([
    "sk-agent",
    "sk-support-agent-12",
    "hf_ranker_v2",
    "3f2c9a71b0d84e5f9a6b7c8d9e0f1a2b3c4d5e6f",
    "evals-2024-11-24-a7f3.json",
  ])("%s is a name, and is shown", async (name) => {
    const { stderr } = await runCli(["plan", name], { env: { AGENT_DEPLOY_API_KEY: "test-key" } });
    expect(stderr).toContain(name);
  });
});
