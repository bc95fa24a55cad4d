import { expect, test } from "@jest/globals";
import { CONTAINER, createDeployed, deploymentOf, edit, expectEnd, type Stage } from "./stage.ts";

const NEWER = edit(CONTAINER, "a".repeat(64), "b".repeat(64));
const imageOf = async (stage: Stage): Promise<string> =>
  (await stage.live()).source_revision_config.image_uri;

/** A deployment whose second revision serves. */
async function createTwice(options: Parameters<typeof createDeployed>[1] = {}): Promise<Stage> {
  const stage = await createDeployed(CONTAINER, options);
  stage.spec(NEWER);
  expectEnd(await stage.run(), { outcome: "deployed" });
  stage.forget();
  return stage;
}

test("in the Action, rollback by the spec redeploys the previously active revision, and warns of the next apply", async () => {
  const stage = await createTwice();
  const [, before] = await stage.revisions();
  const run = await stage.run({ command: "rollback" });
  expectEnd(run, { outcome: "deployed", changed: "true" });
  expect(stage.writes()).toEqual([
    `POST /v2/deployments/${(await stage.live()).id}/revisions/${before.id}/redeploy`,
  ]);
  expect(await imageOf(stage)).toContain("a".repeat(64));
  expect(run.stdout + run.summary).toContain(
    "The next apply of the same spec may undo this rollback",
  );
  expect(deploymentOf(run).name).toBe("search-agent");
});

test("deploy.timeout of the spec limits a rollback as it does an apply", async () => {
  const stage = await createTwice({
    revisions: [{ revision: 3, outcome: "stuck", at: "DEPLOYING" }],
  });
  stage.spec(`${NEWER}deploy: { timeout: 1s }\n`);
  const run = await stage.run({ command: "rollback" });
  expectEnd(run, { outcome: "timed-out" }, 1);
  expect(run.stdout).toContain("after 1 s");
});

test("without a previous revision, the Action names its own input, and the command line its flag", async () => {
  const stage = await createDeployed(CONTAINER);
  const run = await stage.run({ command: "rollback" });
  expectEnd(run, { outcome: "failed" }, 1);
  expect(run.stdout).toContain("to go elsewhere, say where with revision-id: REVISION");
  const typed = await stage.cli(["rollback", "search-agent", "--yes"]);
  expect(typed.code).toBe(2);
  expect(typed.stderr).toContain("to go elsewhere, say where with --to REVISION");
});

test("with deployment-id it reads no spec, and revision-id selects the revision", async () => {
  const stage = await createTwice();
  const [, before] = await stage.revisions();
  const { id } = await stage.live();
  stage.spec("name: [not a spec");
  const run = await stage.run({
    command: "rollback",
    "deployment-id": id,
    "revision-id": before.id,
  });
  expectEnd(run, { outcome: "deployed" });
  expect(await imageOf(stage)).toContain("a".repeat(64));
});

test("an event that does not show whose code runs is refused, and nothing is written", async () => {
  const stage = await createTwice();
  const run = await stage.run(
    { command: "rollback" },
    {
      event: {
        name: "pull_request_target",
        payload: {
          number: 7,
          pull_request: {
            number: 7,
            head: {
              ref: "t",
              sha: "2".repeat(40),
              repo: { full_name: "stranger/agents", fork: true },
            },
            base: { ref: "main", repo: { full_name: "acme/agents" } },
          },
          repository: { full_name: "acme/agents" },
        },
      },
    },
  );
  expect(run.code).toBe(1);
  expect(stage.writes()).toEqual([]);
});

test("if the service lists no revisions, the message says so and how to name one", async () => {
  const stage = await createTwice({ revisionList: false });
  const run = await stage.run({ command: "rollback" });
  expect(run.code).toBe(1);
  expect(run.stdout).toContain(
    "this service has no list of revisions (it answers 405): say where to go with revision-id: REVISION",
  );
});
