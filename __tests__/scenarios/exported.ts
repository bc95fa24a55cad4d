import { expect } from "@jest/globals";
import { createTree } from "../support/tree.ts";
import { runCli } from "../support/cli-run.ts";
import { CONTAINER, createDeployed, edit, REPOSITORY } from "./stage.ts";
import type { ServerOptions } from "../../src/emulator/server.ts";

export const RICH = edit(
  CONTAINER,
  "resource_spec: { min_scale: 1, max_scale: 3, cpu: 1, memory_mb: 1024 }",
  `resource_spec:
    cpu: 1
    labels: { team: search, price: "$\${5}" }
    volumes: [{ name: cache, emptyDir: {} }]
    volume_mounts: [{ name: cache, mountPath: /cache }]
    sidecars:
      - name: proxy
        image: r.example.com/proxy@sha256:${"b".repeat(64)}
        env: [{ name: PROXY_KEY, value: sidecar-secret }, { name: EMPTY, value: "" }]
        args: ["--x", "true", "12"]`,
);

export const HOSTED_CONTAINER = edit(RICH, "source: external_container", "source: external_docker");

export const HOSTED = edit(
  edit(REPOSITORY, "source: repohost", "source: github"),
  "graph_config_path",
  "langgraph_config_path",
);

export const named = (spec: string, name: string): string =>
  spec.replace(/^name: .*$/m, `name: ${name}`);

const ALL = [
  named(REPOSITORY, "repository"),
  named(HOSTED, "repository-hosted"),
  named(RICH, "container"),
  named(HOSTED_CONTAINER, "container-hosted"),
].join("---\n");

/** Exports deployments of both kinds in both spellings, and plans what was written against them. */
export async function expectEmptyPlan(options: ServerOptions): Promise<void> {
  const stage = await createDeployed(ALL, options);
  const exported = await stage.cli(["export", "--all"]);
  expect(exported.code).toBe(0);
  for (const secret of ["first-value", "sidecar-secret", "postgres://db"])
    expect(exported.stdout).not.toContain(secret);
  expect(exported.stdout.match(/# cannot change after creation/g)!.length).toBeGreaterThan(3);
  expect(exported.stdout).not.toContain("cpu_limit");
  const env = { ...stage.emulator.env, AGENT_DEPLOY_CONTROL_PLANE_URL: stage.emulator.url };
  const plan = await runCli(["plan", "--json"], {
    workspace: createTree({ "agent-deploy.yml": exported.stdout }),
    env,
  });
  const report = JSON.parse(plan.stdout || "{}");
  expect({
    stderr: plan.stderr.includes("error"),
    outcome: report.outcome,
    changes: report.deployments?.map((one: { changes: unknown }) => one.changes),
    text: report.outcome === "unchanged" ? "" : `${exported.stdout}${plan.stderr}${plan.stdout}`,
  }).toEqual({ stderr: false, outcome: "unchanged", changes: [[], [], [], []], text: "" });
  expect(stage.writes()).toEqual([]);
}
