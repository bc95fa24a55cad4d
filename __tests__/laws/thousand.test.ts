import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type { LoggedRequest } from "../../src/emulator/http/request-log.ts";
import { CONTAINER, createStage, edit, expectEnd, type Stage } from "../scenarios/stage.ts";
import type { ActionRun } from "../support/action-run.ts";

/** All of them: `ESTATE=1000`; the suite's own run takes fewer, since it shares the machine. */
const COUNT = Number(process.env["ESTATE"] ?? 100);
const LEGS = 20;
const AT_ONCE = 4;
const KILLED = 10;

const nameOf = (n: number): string => `agent-${String(n).padStart(4, "0")}`;
const STRATEGY = JSON.stringify({ "job-total": LEGS, "max-parallel": AT_ONCE });

interface Leg {
  readonly name: string;
  readonly names: string;
  readonly fingerprint: string;
}

/** Works on items, at most AT_ONCE at once, as a job matrix does. */
async function inParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function runLeg(
  stage: Stage,
  legs: readonly Leg[],
  leg: Leg,
  attempt: number,
  kill: boolean,
): Promise<ActionRun> {
  const index = legs.indexOf(leg);
  const started = stage.start(
    {
      only: leg.names,
      "expect-plan": leg.fingerprint,
      strategy: STRATEGY,
      matrix: JSON.stringify(leg),
      "report-file": `reports/leg-${index}-${attempt}.json`,
      "poll-interval": "1s",
    },
    { env: { GITHUB_RUN_ATTEMPT: String(attempt) } },
  );
  if (kill) started.process.kill("SIGKILL");
  return started.done;
}

const outcomes = (stage: Stage, file: string): Map<string, string> => {
  const report = JSON.parse(readFileSync(join(stage.workspace.path, file), "utf8"));
  return new Map(report.deployments.map((one: any) => [one.name, one.outcome]));
};

test(`${COUNT} deployments by legs of a matrix, under the service's limits: killed legs are red, and only they need to run again`, async () => {
  const stage = await createStage(
    Array.from({ length: COUNT }, (_, n) => edit(CONTAINER, "search-agent", nameOf(n))).join(
      "---\n",
    ),
    { limits: "on" },
  );
  const plan = await stage.run({
    command: "plan",
    "matrix-size": String(LEGS),
    "report-file": "reports/plan.json",
  });
  expectEnd(plan, { outcome: "planned" });
  const legs: Leg[] = JSON.parse(plan.outputs["matrix"]!).include;
  expect(legs).toHaveLength(LEGS);
  expect(legs.flatMap(({ names }) => names.split(","))).toHaveLength(COUNT);

  const killed = new Set(legs.slice(0, KILLED));
  await inParallel(legs, (leg) => runLeg(stage, legs, leg, 1, killed.has(leg)));
  const required = {
    command: "report",
    reports: "reports/*.json",
    "report-file": "required.json",
  };
  const red = await stage.run({
    ...required,
    needs: '{"plan":{"result":"success"},"apply":{"result":"failure"}}',
  });
  expectEnd(red, { outcome: "failed" }, 1);
  const between = outcomes(stage, "required.json");
  expect(between.size).toBe(COUNT);
  const lost = [...between].filter(([, outcome]) => outcome === "failed").length;
  expect(lost).toBe([...killed].flatMap(({ names }) => names.split(",")).length);

  await inParallel([...killed], (leg) => runLeg(stage, legs, leg, 2, false));
  const green = await stage.run({
    ...required,
    needs: '{"plan":{"result":"success"},"apply":{"result":"success"}}',
  });
  expectEnd(green, { outcome: "deployed" });
  const end = outcomes(stage, "required.json");
  expect(end.size).toBe(COUNT);
  expect([...end.values()].filter((outcome) => outcome !== "deployed")).toEqual([]);
  expect(readdirSync(join(stage.workspace.path, "reports"))).toHaveLength(LEGS + 1);

  const requests: readonly LoggedRequest[] = stage.emulator.emulator.requests();
  const refused = requests.filter(({ status }) => status === 429);
  const creates = requests.filter(
    (one) => one.method === "POST" && one.path === "/v2/deployments" && !refused.includes(one),
  );
  expect(creates).toHaveLength(COUNT);
  // Each refused request was repeated: nothing of it is left in an outcome.
  console.info(
    `${COUNT} deployments, ${LEGS} legs: ${requests.length} requests, ${refused.length} answered 429`,
  );
}, 900_000);
