import { describe, expect, test } from "@jest/globals";
import { createTree } from "../../support/tree.ts";
import { runCli } from "../../support/cli-run.ts";
import { CONTAINER, createDeployed, createStage, edit, REPOSITORY } from "../../scenarios/stage.ts";
import type { ServerOptions } from "../../../src/emulator/server.ts";

const RICH = edit(
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

const HOSTED_CONTAINER = edit(RICH, "source: external_container", "source: external_docker");

const HOSTED = edit(
  edit(REPOSITORY, "source: repohost", "source: github"),
  "graph_config_path",
  "langgraph_config_path",
);

const named = (spec: string, name: string): string => spec.replace(/^name: .*$/m, `name: ${name}`);

const ALL = [
  named(REPOSITORY, "repository"),
  named(HOSTED, "repository-hosted"),
  named(RICH, "container"),
  named(HOSTED_CONTAINER, "container-hosted"),
].join("---\n");

describe.each<[string, ServerOptions]>([
  ...(["stars", "bullets", "empty", "null"] as const).map(
    (secretValues): [string, ServerOptions] => [
      `hosted read-back, secrets read back as ${secretValues}`,
      { readback: "hosted", secretValues },
    ],
  ),
  ["some secrets masked", { secretValues: "stars", maskedSecrets: ["OPENAI_API_KEY"] }],
])("%s", (_, options) => {
  test("the spec that export writes of both kinds, in both spellings, plans empty", async () => {
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
  });
});

describe("a live secret without a value", () => {
  /** Exports what is live with these secrets, and plans and applies that with a value for A only. */
  async function afterExport(
    secrets: readonly { readonly name: string; readonly value: string }[],
  ): Promise<{ text: string; ends: unknown[]; writes: string[] }> {
    const body = { name: "search-agent", source: "external_container", secrets };
    const config = { image_uri: `r.example.com/a@sha256:${"c".repeat(64)}` };
    const deployment = { ...body, source_config: {}, source_revision_config: config };
    const stage = await createStage(CONTAINER, { seed: { deployments: [deployment] } });
    const text = (await stage.cli(["export", "--all"])).stdout;
    stage.spec(text);
    const ends: unknown[] = [];
    for (const command of ["plan", "apply"]) {
      const run = await stage.cli(
        [command, "--json", "--yes"].slice(0, command === "plan" ? 2 : 3),
        {
          A: "value-of-a",
        },
      );
      ends.push([run.code, JSON.parse(run.stdout).outcome]);
    }
    return { text, ends, writes: stage.writes() };
  }

  test("is exported so that it may be empty, where others are shown: nothing to do, and nothing is sent", async () => {
    const secrets = [
      { name: "A", value: "value-of-a" },
      { name: "EMPTY", value: "" },
    ];
    const { text, ends, writes } = await afterExport(secrets);
    expect(text).toMatch(/- A\n/);
    expect(text).toMatch(/name: EMPTY\n\s+value: \$\{EMPTY:-\}/);
    expect(ends).toEqual([
      [0, "unchanged"],
      [0, "unchanged"],
    ]);
    expect(writes).toEqual([]);
  });

  test("may be hidden where none is shown: it stays a name, and a comment says what to write", async () => {
    const { text, ends } = await afterExport([{ name: "EMPTY", value: "" }]);
    expect(text).toMatch(/- EMPTY\n/);
    expect(text).toContain(
      'EMPTY: live value empty or hidden; for an empty one write { name: EMPTY, value: "${EMPTY:-}" }',
    );
    expect(ends).toEqual([
      [0, "unchanged"],
      [2, "failed"],
    ]);
  });
});
