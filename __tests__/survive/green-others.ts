import { isRed } from "../../src/report/judgement.ts";
import { runApply } from "../../src/commands/apply.ts";
import type { RevisionOutcome } from "../../src/emulator/deployments/revision.ts";
import { isGreen } from "../../src/report/outcome.ts";
import type { DeploymentReport } from "../../src/report/report.ts";
import type { Wire } from "../../src/service/exchange.ts";
import { BRISK, createFlow, desiredOf, liveOf, repohost, type Flow } from "./flow.ts";
import { sessionOf } from "./green-run.ts";
import { ID, randomOf } from "./green-world.ts";

const INTEGRATIONS = [{ id: "7c9e6679-7425-40de-944b-e07fc1f90ae7", name: "acme" }];
const seedOf = (...names: readonly string[]) => ({
  integrations: INTEGRATIONS,
  deployments: names.map((name, at) => ({
    ...desiredOf(repohost({ name })).body,
    id: ID.slice(0, -1) + String(at + 1),
  })),
});
const connectionOf = ({ controlPlane, tracing }: Flow) => ({
  controlPlane,
  tracing,
  ui: "",
  close: async () => undefined,
});
const pickOf =
  (random: () => number) =>
  <T>(items: readonly T[]): T =>
    items[Math.floor(random() * items.length)]!;
const count = (outcomes: Map<string, number>, key: string): void => {
  outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
};
const shownBy = (flow: Flow): readonly any[] => flow.emulator.state()["deployments"] as any[];

/** Several documents in waves, and some fail: a run that leaves one out, or red, is not green. */
export async function playDocuments(
  seed: number,
  outcomes: Map<string, number>,
): Promise<string[]> {
  const random = randomOf(seed);
  const pick = pickOf(random);
  const names = ["one", "two", "three", "four"].slice(0, 2 + Math.floor(random() * 3));
  const ends: readonly RevisionOutcome[] = ["deployed", "deployed", "skipped", "build-failed"];
  const flow = createFlow({
    random,
    emulator: {
      ...BRISK,
      seed: seedOf(...names),
      revisions: names.map((deployment) => ({ deployment, revision: 2, outcome: pick(ends) })),
    },
  });
  const documents = names.map((name) => {
    const deploy = `{ wave: ${Math.floor(random() * 3)} }`;
    return desiredOf(repohost({ name, graph: "other.json", deploy }));
  });
  const inputs = {
    "on-superseded": pick(["warn", "fail"]),
    "fail-fast": String(random() < 0.4),
    concurrency: pick(["1", "2"]),
    ...(random() < 0.4 ? { "max-failures": pick(["1", "2", "50%"]) } : {}),
  };
  const report = await runApply(sessionOf(flow, inputs, 1), documents, connectionOf(flow));
  const ended = report.deployments.map(({ outcome }) => outcome);
  count(
    outcomes,
    `documents: ${isRed(report) ? "red" : "green"} ${[...new Set(ended)].sort().join(" ")}`,
  );
  if (isRed(report)) return [];
  const where = `documents, seed ${seed}, ${JSON.stringify(inputs)}, ${ended.join(" ")}`;
  if (ended.length !== names.length) return [`${where}: ${ended.length} of ${names.length} ends`];
  return report.deployments.flatMap(({ name, outcome }) => {
    if (outcome === "superseded" && inputs["on-superseded"] === "warn") return [];
    const { active_revision_id: active, revisions } = shownBy(flow).find(
      (one) => one.name === name,
    );
    const graph = revisions?.find((one: any) => one.id === active)?.source_revision_config;
    const isLive = JSON.stringify(graph ?? "other.json").includes("other.json");
    return isGreen(outcome) && isLive ? [] : [`${where}: ${name} is ${outcome}`];
  });
}

/** A service that keeps other secrets than it was sent: no run is green that does not report it. */
export async function playSecrets(seed: number, outcomes: Map<string, number>): Promise<string[]> {
  const random = randomOf(seed);
  const pick = pickOf(random);
  const how = pick(["drops", "trims", "keeps"]);
  const shown = pick(["plain", "stars"] as const);
  const isNew = random() < 0.4;
  const spoil = (secrets: readonly { name: string; value: string }[]) =>
    how === "drops"
      ? secrets.slice(1)
      : secrets.map((one) => (how === "trims" ? { ...one, value: one.value.trim() } : one));
  const spoiling = (wire: Wire): Wire => ({
    ...wire,
    send: (request, ...rest) => {
      const body = typeof request.body === "string" ? JSON.parse(request.body) : null;
      return wire.send(
        body?.secrets === undefined
          ? request
          : { ...request, body: JSON.stringify({ ...body, secrets: spoil(body.secrets) }) },
        ...rest,
      );
    },
  });
  const flow = createFlow({
    random,
    between: spoiling,
    emulator: {
      ...BRISK,
      secretValues: shown,
      seed: isNew ? { integrations: INTEGRATIONS } : seedOf("agent"),
    },
  });
  const desired = desiredOf(
    repohost({ secret: '"two "', ...(random() < 0.5 ? { graph: "other.json" } : {}) }),
  );
  const inputs = {
    "on-superseded": pick(["warn", "fail"]),
    "secrets-unknown": pick(["keep", "send"]),
  };
  const report = await runApply(sessionOf(flow, inputs, 1), [desired], connectionOf(flow));
  const [one] = report.deployments;
  count(
    outcomes,
    `secrets ${how}, shown as ${shown}: ${isRed(report) ? "red" : "green"} ${one?.outcome}`,
  );
  if (isRed(report)) return [];
  const [there] = flow.deployments();
  const isLive = there?.secrets.some(({ name, value }) => name === "TOKEN" && value === "two ");
  // A value that reads back as stars is compared by its name only.
  const isHidden = shown === "stars" && there?.secrets.some(({ name }) => name === "TOKEN");
  return isLive === true || isHidden === true
    ? []
    : [
        `secrets, seed ${seed}, ${how}, shown as ${shown}: green ${one?.outcome} without the secret`,
      ];
}

/** What served when somebody redeployed a revision. */
interface Redeploy {
  readonly by: number;
  readonly to: string;
  readonly over: string | null;
  /** What served before that, in time. */
  readonly before: string | null;
}

/** Two or three runs of one deployment that overlap, each with `on-failure: rollback`. */
export async function playOverlap(seed: number, outcomes: Map<string, number>): Promise<string[]> {
  const random = randomOf(seed);
  const pick = pickOf(random);
  const ends: readonly RevisionOutcome[] = [
    "deployed",
    "deployed",
    "build-failed",
    "deploy-failed",
  ];
  const redeploys: Redeploy[] = [];
  const served: string[] = [];
  const activeOf = (flow: Flow): string | null => liveOf(flow).active;
  const note = (flow: Flow): void => {
    const active = activeOf(flow);
    if (active !== null && served.at(-1) !== active) served.push(active);
  };
  const noting =
    (by: number) =>
    (wire: Wire, flow: () => Flow): Wire => ({
      ...wire,
      send: async (request, ...rest) => {
        note(flow());
        const to = /revisions\/([0-9a-f-]{36})\/redeploy$/.exec(new URL(request.url).pathname)?.[1];
        if (to !== undefined)
          redeploys.push({ by, to, over: served.at(-1) ?? null, before: served.at(-2) ?? null });
        const exchange = await wire.send(request, ...rest);
        note(flow());
        return exchange;
      },
    });
  const shell = {
    run: async () => ({ exitCode: random() < 0.4 ? 1 : 0, tail: [] }),
  };
  const options = { random, shell, policy: { onFailure: "rollback" } as const };
  const first = createFlow({
    ...options,
    between: noting(0),
    emulator: {
      ...BRISK,
      seed: seedOf("agent"),
      revisions: [2, 3, 4].map((revision) => ({ revision, outcome: pick(ends) })),
    },
  });
  const flows = [
    first,
    ...Array.from({ length: 1 + Math.floor(random() * 2) }, (_, at) =>
      createFlow({ ...options, between: noting(at + 1), beside: first }),
    ),
  ];
  const runs = await Promise.all(
    flows.map(async (flow, at) => {
      await flow.clock.sleep(at * Math.floor(random() * 9_000));
      const edit = pick([{ graph: `graph-${at}.json` }, { secret: `value-${at}` }]);
      const desired = desiredOf(repohost({ ...edit, deploy: "{ verify: npm run smoke }" }));
      const inputs = { "on-failure": "rollback" };
      const report = await runApply(sessionOf(flow, inputs, 1), [desired], connectionOf(flow));
      note(flow);
      return { one: report.deployments[0]!, isGreen: !isRed(report), active: activeOf(flow) };
    }),
  );
  for (const { one, isGreen: green } of runs)
    count(
      outcomes,
      `overlapping: ${green ? "green" : "red"} ${one.outcome} ${one.reason}${one.rollback === undefined ? "" : `, rollback ${one.rollback.outcome}`}`,
    );
  const where = `overlapping, seed ${seed}`;
  return [
    ...runs.flatMap(({ one, isGreen: green }, at) =>
      green && !served.includes(one.revision_id ?? "")
        ? [`${where}: run ${at} is green, and ${one.revision_id} never served`]
        : [],
    ),
    ...redeploys.flatMap((redeploy) =>
      findTooFar(redeploy, runs[redeploy.by]!.one).map((what) => `${where}: ${what}`),
    ),
  ];
}

/** A rollback replaces this run's own revision only, and by what served right before it. */
function findTooFar(
  { by, to, over, before }: Redeploy,
  { revision_id: own, rollback }: DeploymentReport,
): string[] {
  if (rollback === undefined) return [];
  if (over === to) return [];
  if (over !== own) return [`run ${by} rolled back ${over}, which is not its own ${own}, to ${to}`];
  return before === to ? [] : [`run ${by} went to ${to}, and ${before} served before ${own}`];
}
