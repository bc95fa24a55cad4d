import { describe, expect, test } from "@jest/globals";
import { startCli, runCli } from "../../support/cli-run.ts";
import { startTestEmulator, type TestEmulator } from "../../support/emulator-process.ts";
import { createTree } from "../../support/tree.ts";
import { desiredOf, repohost } from "../../survive/flow.ts";
import { startStoppingFront, type Verdict } from "../../survive/process/front.ts";

const ID = "0b6f0000-0000-4000-8000-000000000001";
const deployments = [{ ...desiredOf(repohost()).body, id: ID }];
const integrations = [{ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" }];

interface Task {
  readonly options: Parameters<typeof startTestEmulator>[0];
  readonly spec: string;
  readonly revisions: number;
}
const TASKS: Readonly<Record<string, Task>> = {
  create: { options: {}, spec: repohost(), revisions: 1 },
  update: {
    options: { seed: { integrations, deployments } },
    spec: repohost({ graph: "other.json" }),
    revisions: 2,
  },
};
/** Where the killing stops: by then a run only waits, and every further request repeats. */
const STEPS = 7;
/** Requests that every run makes, however fast the machine is: two to look the deployment up, the write, one look at the revision. */
const ALWAYS = 4;

const stateOf = (
  emulator: TestEmulator,
): readonly {
  name: string;
  active_revision_id: string | null;
  latest_revision_id: string | null;
  revisions: unknown[];
}[] => emulator.emulator.state()["deployments"] as never;

/** Runs `apply` through a front that kills it (-9) at its nth request; true where it was killed. */
async function killAt(
  emulator: TestEmulator,
  spec: string,
  nth: number,
  when: Exclude<Verdict, "pass">,
): Promise<boolean> {
  let seen = 0;
  const { front, stopped } = await startStoppingFront(emulator.url, () => {
    seen += 1;
    return seen === nth ? when : "pass";
  });
  const child = startCli(["apply", "--poll-interval", "20ms"], {
    workspace: createTree({ "agent-deploy.yml": spec }),
    env: {
      ...emulator.env,
      AGENT_DEPLOY_CONTROL_PLANE_URL: front,
      AGENT_DEPLOY_TRACING_URL: front,
    },
  });
  void stopped.then(() => child.process.kill("SIGKILL"));
  return (await child.done).signal === "SIGKILL";
}

describe.each(Object.keys(TASKS))(
  "kill -9 at each step of an apply that is an %s, then the same again",
  (name) => {
    const { options, spec, revisions } = TASKS[name]!;
    test.each(["stop-before", "stop-after"] as const)(
      "with %s at a request the next run converges, with no duplicate and no extra revision",
      async (when) => {
        const ends: string[] = [];
        let kills = 0;
        for (let nth = 1; nth <= STEPS; nth += 1) {
          const emulator = await startTestEmulator({ ...options, names: "duplicates" });
          const killed = await killAt(emulator, spec, nth, when);
          const again = await runCli(["apply", "--poll-interval", "20ms", "--json"], {
            workspace: createTree({ "agent-deploy.yml": spec }),
            env: emulator.env,
          });
          const [live, ...duplicates] = stateOf(emulator);
          const converged =
            again.code === 0 &&
            duplicates.length === 0 &&
            live?.revisions.length === revisions &&
            live.active_revision_id === live.latest_revision_id &&
            live.active_revision_id !== null;
          kills += Number(killed);
          const state = `${again.code} ${JSON.stringify(stateOf(emulator))}\n${again.stderr}`;
          ends.push(`request ${nth}: ${converged ? "converged" : state}`);
        }
        expect(ends).toEqual(
          Array.from({ length: STEPS }, (_, i) => `request ${i + 1}: converged`),
        );
        expect(kills).toBeGreaterThanOrEqual(ALWAYS);
      },
    );
  },
);
