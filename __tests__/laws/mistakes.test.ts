import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "@jest/globals";
import { runAction } from "../support/action-run.ts";
import type { Finished } from "../support/child.ts";
import { runCli } from "../support/cli-run.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree } from "../support/tree.ts";
import { IN_THE_GATE } from "../mistakes/in-the-gate.ts";
import { IN_THE_SPEC } from "../mistakes/in-the-spec.ts";
import type { Mistake, Service } from "../mistakes/mistake.ts";
import { ON_THE_WAY } from "../mistakes/on-the-way.ts";
import { score, sum, type Score } from "../mistakes/rubric.ts";

const MISTAKES = [...IN_THE_SPEC, ...ON_THE_WAY, ...IN_THE_GATE];

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

async function answerAlways({
  status,
  type = "application/json",
  body = "{}",
  location,
}: Extract<Service, { status: number }>): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status, {
      "content-type": type,
      ...(location === undefined ? {} : { location }),
    });
    response.end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The environment that leads a run to the service of its mistake. */
async function reach(service: Service | undefined): Promise<Record<string, string>> {
  if (service === undefined) return {};
  const to = (url: string): Record<string, string> => ({
    AGENT_DEPLOY_API_KEY: "test-key-of-a-newcomer",
    AGENT_DEPLOY_CONTROL_PLANE_URL: url,
    AGENT_DEPLOY_TRACING_URL: url,
  });
  if (service === "refused") return to("http://127.0.0.1:1");
  if (service === "no name") return to("https://nowhere.invalid/api-host");
  if (service === "not TLS")
    return to((await answerAlways({ status: 200 })).replace("http:", "https:"));
  if (typeof service === "object" && "status" in service) return to(await answerAlways(service));
  const integrations =
    typeof service === "object" && "integrations" in service
      ? Array.from({ length: service.integrations }, (_, n) => ({
          id: `1111111${n}-1111-4111-8111-111111111111`,
          name: `org-${n}`,
        }))
      : undefined;
  const { env, emulator } = await startTestEmulator({
    timeScale: 0.01,
    ...(integrations === undefined ? {} : { seed: { integrations } }),
  });
  if (typeof service === "object" && "revision" in service)
    emulator.addRevisionRules([
      service.revision === "stuck"
        ? { outcome: "stuck" }
        : {
            outcome: "build-failed",
            log: ["ERROR: No matching distribution found for langfoo==9.9"],
          },
    ] as never);
  if (typeof service === "object" && "live" in service) {
    const workspace = createTree({ "agent-deploy.yml": service.live });
    expect(await runCli(["apply"], { workspace, env })).toMatchObject({ code: 0 });
  }
  return env;
}

async function make({ files, args, env, inputs, service }: Mistake): Promise<Finished> {
  const workspace = createTree(files ?? {});
  if (inputs !== undefined) return runAction(inputs, { workspace });
  return runCli(args, { workspace, env: { ...(await reach(service)), ...env } });
}

interface Scored {
  readonly mistake: Mistake;
  readonly points: Score;
}

/** `SHOW=5` prints the answers that have fewer points. */
const SHOW = Number(process.env["SHOW"] ?? 0);
const AT_ONCE = 4;

async function answer(mistake: Mistake): Promise<Scored> {
  const run = await make(mistake);
  const points = score(mistake, run);
  if (sum(points) < SHOW)
    process.stdout.write(
      `\n${told(mistake, points)}, exit code ${run.code}\n${run.stderr}${run.stdout}\n`,
    );
  return { mistake, points };
}

const mark = (has: boolean): string => (has ? "x" : " ");
const told = ({ number, mistake }: Mistake, points: Score): string =>
  `${String(number).padStart(2)} ${sum(points)} [${Object.values(points).map(mark).join("")}] ${mistake}`;

test("plausible mistakes are reported at their place, once and briefly, with what is wrong and what to do", async () => {
  const scores: Scored[] = [];
  for (let at = 0; at < MISTAKES.length; at += AT_ONCE)
    scores.push(...(await Promise.all(MISTAKES.slice(at, at + AT_ONCE).map(answer))));
  const mean = scores.reduce((total, { points }) => total + sum(points), 0) / scores.length;
  process.stdout.write(
    `place, what, what to do, once, short: ${mean.toFixed(2)} of 5 in the mean\n${scores.map(({ mistake, points }) => told(mistake, points)).join("\n")}\n`,
  );
  expect(
    scores
      .filter(({ points }) => sum(points) < 3)
      .map(({ mistake, points }) => told(mistake, points)),
  ).toEqual([]);
  expect(mean).toBeGreaterThanOrEqual(4.5);
  // The last one is a Node that is too old: dist.test.ts makes it.
  const numbers = new Set(MISTAKES.map(({ number }) => number));
  expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 73 }, (_, n) => n + 1));
});
