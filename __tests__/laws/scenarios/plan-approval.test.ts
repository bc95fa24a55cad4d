import { describe, expect, test } from "@jest/globals";
import {
  CONTAINER,
  awaitSettled,
  createDeployed,
  createStage,
  deploymentOf,
  edit,
  expectEnd,
  type Stage,
} from "../../scenarios/stage.ts";

describe("the fingerprint covers verify and on-failure as they will be, wherever they are set", () => {
  const deploy = "deploy: { verify: exit 0, on_failure: none }\n";
  const createChanged = async (more = ""): Promise<Stage> => {
    const stage = await createDeployed(CONTAINER);
    stage.spec(edit(CONTAINER, "cpu: 1,", "cpu: 2,") + more);
    return stage;
  };
  const planOf = async (stage: Stage, inputs = {}): Promise<string> =>
    (await stage.run({ command: "plan", ...inputs })).outputs["fingerprint"]!;

  test("an input has the effect of the field in deploy:, and takes precedence", async () => {
    const stage = await createChanged();
    const [plain, none] = [await planOf(stage), await planOf(stage, { "on-failure": "none" })];
    expect(none).toBe(plain);
    const verified = await planOf(stage, { verify: "exit 0" });
    const rolled = await planOf(stage, { "on-failure": "rollback" });
    expect(new Set([plain, verified, rolled]).size).toBe(3);
    stage.spec(`${edit(CONTAINER, "cpu: 1,", "cpu: 2,")}deploy: { verify: exit 0 }\n`);
    expect(await planOf(stage)).toBe(verified);
    expect(await planOf(stage, { verify: "exit 1" })).not.toBe(verified);
    // Nothing is verified by a run that does not wait.
    expect(await planOf(stage, { wait: "false" })).toBe(plain);
  });

  test.each([[{ verify: "exit 1" }], [{ "on-failure": "rollback" }], [{ wait: "false" }]])(
    "an approved plan is not carried out with %j",
    async (inputs) => {
      const stage = await createChanged(deploy);
      const approved = await planOf(stage);
      stage.forget();
      const run = await stage.run({ "expect-plan": approved, ...inputs });
      expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
      expect(deploymentOf(run)).toMatchObject({ reason: "plan-changed" });
      expect(stage.writes()).toEqual([]);
      // The plan with the same inputs is the one that is carried out.
      const again = await planOf(stage, inputs);
      expect(run.outputs["fingerprint"]).toBe(again);
    },
  );

  test("the command line accepts them for plan as for apply", async () => {
    const stage = await createChanged();
    const flags = ["--verify", "exit 0", "--on-failure", "rollback"];
    const plan = await stage.cli(["plan", "--json", ...flags]);
    expect([plan.code, plan.stderr]).toEqual([0, expect.not.stringContaining("no effect")]);
    const { fingerprint } = JSON.parse(plan.stdout);
    const run = await stage.cli(["apply", "--expect-plan", fingerprint, ...flags]);
    expect(run.code).toBe(0);
  });
});

const WITH_VARIABLES = CONTAINER.replace("value: first-value", 'value: "${API_TOKEN_VALUE}"');

test("a plan that was already carried out is not refused, by its fingerprint, the digits that comments show, or its report file", async () => {
  const stage = await createStage(CONTAINER);
  const plan = await stage.run({ command: "plan", "report-file": "plan.json" });
  const { fingerprint } = plan.outputs;
  expectEnd(await stage.run({ "expect-plan": fingerprint }), { outcome: "deployed" });
  stage.forget();
  const again = await stage.run({ "expect-plan": fingerprint });
  expectEnd(again, { outcome: "unchanged" });
  expectEnd(await stage.run({ "expect-plan": "plan.json" }), { outcome: "unchanged" });
  const shown = fingerprint!.slice(0, 12);
  expectEnd(await stage.run({ "expect-plan": shown }), { outcome: "unchanged" });
  // Another wanted state is another plan, though nothing is left to do for it either.
  stage.spec(CONTAINER.replace("secrets:", "deploy: { verify: 'true' }\nsecrets:"));
  expectEnd(await stage.run({ "expect-plan": fingerprint }), { outcome: "blocked" }, 1);
  expectEnd(await stage.run({ "expect-plan": shown }), { outcome: "blocked" }, 1);
  expectEnd(await stage.run({ "expect-plan": "plan.json" }), { outcome: "blocked" }, 1);
  expect(stage.writes()).toEqual([]);
});

test("an approved plan without changes does not allow other secrets, verify or force", async () => {
  const stage = await createDeployed(CONTAINER);
  const approved = (await stage.run({ command: "plan" })).outputs["fingerprint"]!;
  const refused = async (spec: string, inputs = {}): Promise<void> => {
    stage.spec(spec);
    for (const expected of [approved, approved.slice(0, 12)]) {
      const run = await stage.run({ "expect-plan": expected, ...inputs });
      expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
      expect(deploymentOf(run)).toMatchObject({ reason: "plan-changed" });
    }
  };
  await refused(edit(CONTAINER, "first-value", "second-value"));
  await refused(`${CONTAINER}deploy: { verify: "true" }\n`);
  await refused(`${CONTAINER}deploy: { on_failure: rollback }\n`);
  await refused(`${CONTAINER}deploy: { secrets: merge }\n`);
  await refused(CONTAINER, { force: "true" });
  await refused(CONTAINER, { "tenant-id": "7c9e6679-7425-40de-944b-e07fc1f90ae7" });
  expect(stage.writes()).toEqual([]);
  // Somebody rotates the secret: the spec's older value would be put back.
  stage.spec(CONTAINER);
  const { id } = await stage.live();
  await stage.send("PATCH", `/v2/deployments/${id}`, {
    secrets: [
      { name: "API_TOKEN", value: "rotated" },
      { name: "DB_URL", value: "postgres://db/search" },
    ],
  });
  await awaitSettled(stage);
  stage.forget();
  await refused(CONTAINER);
  expect(stage.writes()).toEqual([]);
});

test("a secret known only after apply accepts any value in its place, and the run says so", async () => {
  const stage = await createStage(WITH_VARIABLES);
  const plan = await stage.run({ command: "plan", "report-file": "plan.json" });
  expectEnd(plan, { outcome: "planned" });
  const { fingerprint } = plan.outputs;
  const env = { API_TOKEN_VALUE: "from-the-environment" };
  const run = await stage.run({ "expect-plan": fingerprint }, { env });
  expectEnd(run, { outcome: "deployed" });
  expect(run.stdout).toContain("approved with API_TOKEN_VALUE (known after apply)");
  stage.forget();
  expectEnd(await stage.run({ "expect-plan": fingerprint }, { env }), { outcome: "unchanged" });
  expectEnd(await stage.run({ "expect-plan": "plan.json" }, { env }), { outcome: "unchanged" });
  // What was known is bound as before.
  stage.spec(edit(WITH_VARIABLES, "postgres://db/search", "postgres://db/other"));
  expectEnd(await stage.run({ "expect-plan": fingerprint }, { env }), { outcome: "blocked" }, 1);
  expect(stage.writes()).toEqual([]);
});

test.each([
  ["two of eleven", [9, 10]],
  ["half of eleven", [4, 5, 6, 7, 8, 9]],
])(
  "an approval with %s variables unknown is found by its fingerprint, its beginning and its report",
  async (_, unset) => {
    const names = Array.from({ length: 11 }, (_, at) => `SECRET_${at}`);
    const values = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
    const secrets = names.map((name) => `  - ${name}\n`).join("");
    const spec = `${CONTAINER.slice(0, CONTAINER.indexOf("secrets:"))}secrets:\n${secrets}`;
    const stage = await createStage(spec);
    const known = Object.fromEntries(
      Object.entries(values).filter(([name]) => !unset.some((at) => name === names[at])),
    );
    const plan = await stage.run({ command: "plan", "report-file": "plan.json" }, { env: known });
    const fingerprint = plan.outputs["fingerprint"]!;
    for (const approved of [fingerprint, fingerprint.slice(0, 12), "plan.json"]) {
      const run = await stage.run({ "expect-plan": approved }, { env: values });
      expectEnd(run, { outcome: approved === fingerprint ? "deployed" : "unchanged" });
    }
  },
);
