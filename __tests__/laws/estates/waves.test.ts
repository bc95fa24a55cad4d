import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { CONTAINER, createStage, edit, expectEnd } from "../../scenarios/stage.ts";

const inWave = (name: string, wave: number | undefined): string =>
  `${edit(CONTAINER, "search-agent", name)}${wave === undefined ? "" : `deploy: { wave: ${wave} }\n`}`;
const spec = (...documents: string[]): string => documents.join("---\n");
const ends = (run: { outputs: Readonly<Record<string, string>> }): string[] =>
  JSON.parse(run.outputs["deployments"]!).map(
    (one: { name: string; outcome: string; reason: string }) =>
      `${one.name} ${one.outcome}${one.outcome === "not-run" ? ` (${one.reason})` : ""}`,
  );
const WAVES = spec(
  inWave("last", 2),
  inWave("first-a", undefined),
  inWave("second", 1),
  inWave("first-b", 0),
);

describe("waves", () => {
  test("end before the next begins, whatever the order of the spec", async () => {
    const stage = await createStage(WAVES);
    const run = await stage.run({ concurrency: "8" });
    expectEnd(run, { outcome: "deployed" });
    const created = stage.emulator.emulator
      .requests()
      .filter(({ method }) => method === "POST")
      .map(({ body }) => (body as { name: string }).name);
    expect(created.slice(0, 2).sort()).toEqual(["first-a", "first-b"]);
    expect(created.slice(2)).toEqual(["second", "last"]);
    expect(run.stdout).toContain("wave 0: 2 deployments");
    expect(run.stdout).toMatch(/wave 1: 1 deployment$/m);
    expect(ends(run)).toEqual([
      "last deployed",
      "first-a deployed",
      "second deployed",
      "first-b deployed",
    ]);
  });

  test("do not wait for each other in a run that does not wait, and the run says so", async () => {
    const warning = "wait is false: a wave begins as soon as the one before it was started";
    const several = await (await createStage(WAVES)).run({ wait: "false" });
    expectEnd(several, { outcome: "started" });
    expect(several.stdout).toMatch(new RegExp(`^::warning [^:]*::${warning}`, "m"));
    const planned = await (await createStage(WAVES)).run({ wait: "false", "dry-run": "true" });
    expect(planned.stdout).not.toContain(warning);
    const single = await (await createStage(inWave("one", 1))).run({ wait: "false" });
    expectEnd(single, { outcome: "started" });
    expect(single.stdout).not.toContain(warning);
  });

  test("are not run after a failure, which does not stop its own wave", async () => {
    const stage = await createStage(WAVES, {
      revisions: [{ deployment: "first-a", outcome: "build-failed" }],
    });
    const run = await stage.run({ concurrency: "1" });
    expectEnd(run, { outcome: "failed" }, 1);
    expect(ends(run)).toEqual([
      "last not-run (wave)",
      "first-a failed",
      "second not-run (wave)",
      "first-b deployed",
    ]);
    expect(stage.writes()).toHaveLength(2);
  });

  test.each([
    ["was blocked", "deploy: { id: 00000000-0000-4000-8000-000000000001 }\n"],
    ["timed out", "deploy: { timeout: 1s }\n"],
  ])("are not run after a deployment that %s, and the run says so", async (words, deploy) => {
    const stage = await createStage(
      spec(`${inWave("one", undefined)}${deploy}`, inWave("two", 1)),
      { clock: { manual: true } },
    );
    const run = await stage.run();
    expect(ends(run)[1]).toBe("two not-run (wave)");
    expect(run.stdout).toContain(`not run: a deployment ${words} in wave 0`);
  });

  test("are not run after a cancel, and the run names the cancel instead of a failure", async () => {
    const stage = await createStage(WAVES, {
      revisions: [{ outcome: "stuck", at: "DEPLOYING", times: 0 }],
    });
    const started = stage.start({ concurrency: "8" });
    await started.until(/first-a: DEPLOYING/);
    await started.until(/first-b: DEPLOYING/);
    started.process.kill("SIGTERM");
    const run = await started.done;
    expectEnd(run, { outcome: "cancelled" }, 1);
    expect(ends(run)).toEqual([
      "last not-run (signal)",
      "first-a cancelled",
      "second not-run (signal)",
      "first-b cancelled",
    ]);
    expect(run.stdout).toContain("not run: the run was cancelled");
    expect(run.stdout + run.summary).not.toMatch(/failed/);
  });

  test("are not run after a failed verify", async () => {
    const stage = await createStage(
      spec(`${inWave("one", undefined)}deploy: { verify: "exit 3" }\n`, inWave("two", 1)),
    );
    const run = await stage.run();
    expectEnd(run, { outcome: "failed" }, 1);
    expect(ends(run)).toEqual(["one failed", "two not-run (wave)"]);
  });

  test("are cut short by max-failures, which tolerates fewer failures", async () => {
    const names = ["one", "two", "three"];
    const play = (): ReturnType<typeof createStage> =>
      createStage(spec(...names.map((name, at) => inWave(name, at === 2 ? 1 : 0))), {
        revisions: [{ deployment: "one", outcome: "build-failed" }],
      });
    const stopped = await (await play()).run({ concurrency: "1", "max-failures": "1" });
    expect(ends(stopped)).toEqual([
      "one failed",
      "two not-run (max-failures)",
      "three not-run (max-failures)",
    ]);
    const passed = await (await play()).run({ concurrency: "1", "max-failures": "60%" });
    expect(ends(passed)).toEqual(["one failed", "two deployed", "three deployed"]);
    expect(passed.code).toBe(1);
  });

  test.each(["apply", "plan"])(
    "a bad max-failures is exit 2 in %s, and nothing is sent",
    async (command) => {
      const stage = await createStage(WAVES);
      const run = await stage.cli([command, "--max-failures", "x%"]);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain('--max-failures: "x%"');
      expect(run.stderr).toContain("write 3 or 10%");
      expect(stage.emulator.emulator.requests()).toEqual([]);
    },
  );

  test.each([
    [{ "max-failures": "x%" }, "write 3 or 10%"],
    [{ "expect-plan": "abc123" }, "at least the first 12"],
    [{ "dataset-id": "capitals" }, "for a name, use dataset-name"],
  ])("%j is refused if auto becomes a plan too, and nothing is sent", async (inputs, words) => {
    const stage = await createStage(WAVES);
    const run = await stage.run({ command: "auto", ...inputs }, { event: { name: "merge_group" } });
    expectEnd(run, { outcome: "failed", changed: "false" }, 1);
    expect(run.stdout).toContain(words);
    expect(stage.emulator.emulator.requests()).toEqual([]);
  });

  test("are in the plan's outputs, which list the legs as a whole and by wave", async () => {
    const stage = await createStage(WAVES);
    const { outputs } = await stage.run({ command: "plan" });
    const legs = JSON.parse(outputs["matrix"]!).include;
    expect(legs.map((leg: { names: string }) => leg.names)).toEqual([
      "first-a",
      "first-b",
      "second",
      "last",
    ]);
    expect(Object.keys(legs[0]).sort()).toEqual(["action", "fingerprint", "name", "names"]);
    const waves = JSON.parse(outputs["waves"]!);
    expect(waves.map(({ wave, matrix }: any) => [wave, matrix.include.length])).toEqual([
      [0, 2],
      [1, 1],
      [2, 1],
    ]);
    const small = await stage.run({ command: "plan", "matrix-size": "3" });
    expect(JSON.parse(small.outputs["matrix"]!).include.map((leg: any) => leg.names)).toEqual([
      "first-a,first-b",
      "second",
      "last",
    ]);
  });

  test("cause no warning about the output matrix in a workflow that reads the output waves", async () => {
    const stage = await createStage(WAVES);
    const warned = async (output: string): Promise<boolean> => {
      stage.workspace.write(
        ".github/workflows/deploy.yml",
        `outputs: { legs: "\${{ steps.plan.outputs.${output} }}" }\n`,
      );
      const ref = "acme/agents/.github/workflows/deploy.yml@refs/heads/main";
      const { stdout } = await stage.run(
        { command: "plan" },
        { env: { GITHUB_WORKFLOW_REF: ref } },
      );
      return stdout.includes("the output matrix has the legs of 3 waves");
    };
    expect([await warned("matrix"), await warned("waves")]).toEqual([true, false]);
  });

  test("have legs whose fingerprint is that of a run with their names", async () => {
    const stage = await createStage(WAVES);
    const { outputs } = await stage.run({ command: "plan", "matrix-size": "3" });
    const [leg] = JSON.parse(outputs["matrix"]!).include;
    const run = await stage.run({ only: leg.names, "expect-plan": leg.fingerprint });
    expectEnd(run, { outcome: "deployed" });
    const other = await stage.run({ only: "last", "expect-plan": leg.fingerprint });
    expectEnd(other, { outcome: "blocked" }, 1);
  });
});

describe("gates of a wave", () => {
  const rows = (score: number): string =>
    JSON.stringify(
      Array.from({ length: 40 }, (_, at) => ({
        inputs: { q: at },
        evaluation_scores: [{ key: "correctness", score }],
      })),
    );
  /** A document whose verify copies prepared results to a file of its own. */
  const evaluated = (name: string, wave: number): string =>
    `${edit(CONTAINER, "search-agent", name)}deploy: { wave: ${wave}, on_failure: rollback, verify: "cp prepared/${name}.json ${name}.json" }\n`;
  const inputs = { experiment: "canary.json,rest.json", gate: "correctness >= 0.9" };
  async function play(scores: { canary: number; rest: number }): ReturnType<typeof createStage> {
    const stage = await createStage(spec(evaluated("canary", 0), evaluated("rest", 1)));
    for (const [name, score] of Object.entries(scores))
      stage.workspace.write(`prepared/${name}.json`, rows(score));
    return stage;
  }
  const newer = (stage: Awaited<ReturnType<typeof play>>): void =>
    stage.spec(
      spec(evaluated("canary", 0), evaluated("rest", 1)).replaceAll(
        `sha256:${"a".repeat(64)}`,
        `sha256:${"b".repeat(64)}`,
      ),
    );

  const failedOne =
    "a failed gate stops the next wave before its first write, and rolls back its own wave";
  // The files are there from the first run, so that `before` judges them again where they changed.
  test.each(["auto", "before"])(`${failedOne} (gate-when: %s)`, async (when) => {
    const stage = await play({ canary: 1, rest: 1 });
    expectEnd(await stage.run(inputs), { outcome: "deployed", "gate-verdict": "pass" });
    stage.workspace.write("prepared/canary.json", rows(0));
    newer(stage);
    stage.forget();
    const run = await stage.run({ ...inputs, "gate-when": when });
    expectEnd(run, { outcome: "not-run", "gate-verdict": "fail" }, 1);
    expect(ends(run)).toEqual(["canary deployed", "rest not-run (wave)"]);
    expect(run.stdout).toContain("a gate did not pass in wave 0");
    const [canary, rest] = JSON.parse(run.outputs["deployments"]!);
    expect([canary.rollback.outcome, rest.rollback]).toEqual(["deployed", undefined]);
    const { id } = await stage.live("rest");
    expect(stage.writes().filter((write) => write.includes(id))).toEqual([]);
    const cli = await stage.cli([
      "apply",
      "--yes",
      `--experiment=${inputs.experiment}`,
      `--gate=${inputs.gate}`,
      "--gate-when=after",
    ]);
    expect(cli.code).toBe(4);
    for (const name of ["canary", "rest"])
      expect((await stage.live(name)).source_revision_config.image_uri).toContain("a".repeat(64));
  });

  test("a later gate that fails rolls back only its own wave, and every file is uploaded once", async () => {
    const stage = await play({ canary: 1, rest: 1 });
    expectEnd(await stage.run(inputs), { outcome: "deployed" });
    stage.workspace.write("prepared/rest.json", rows(0));
    stage.workspace.write("prepared/canary.json", rows(0.99));
    newer(stage);
    stage.forget();
    const run = await stage.run({ ...inputs, "gate-when": "after" });
    expectEnd(run, { outcome: "deployed", "gate-verdict": "fail" }, 1);
    const [canary, rest] = JSON.parse(run.outputs["deployments"]!);
    expect([canary.rollback, rest.rollback.outcome]).toEqual([undefined, "deployed"]);
    expect(stage.writes().filter((write) => write.includes("upload-experiment"))).toHaveLength(2);
    // Each wave has its share of the run's alpha.
    const { gates } = JSON.parse(readFileSync(run.outputs["report"]!, "utf8"));
    expect(gates.map(({ verdict, alpha }: any) => [verdict, alpha])).toEqual([
      ["pass", 0.025],
      ["fail", 0.025],
    ]);
  });

  test("one failure that max-failures allows lets the next wave begin, and the run stays red", async () => {
    const stage = await play({ canary: 0, rest: 1 });
    const run = await stage.run({ ...inputs, "max-failures": "2" });
    expectEnd(run, { outcome: "deployed", "gate-verdict": "fail" }, 1);
    expect(ends(run)).toEqual(["canary deployed", "rest deployed"]);
  });

  test("results that cannot be read stop the next wave too", async () => {
    const stage = await play({ canary: 1, rest: 1 });
    stage.workspace.write("prepared/canary.json", "[{");
    const run = await stage.run(inputs);
    expect([run.code, ends(run)]).toEqual([1, ["canary deployed", "rest not-run (wave)"]]);
    expect(run.stdout).toContain("its results could not be judged in wave 0");
  });

  test("results that no verify has made or will make stop the next wave", async () => {
    const quiet = `${edit(CONTAINER, "search-agent", "canary")}deploy: { wave: 0, verify: "true" }\n`;
    const stage = await createStage(spec(quiet, inWave("rest", 1)));
    const run = await stage.run({ ...inputs, experiment: "canary.json" });
    expect([run.code, ends(run)]).toEqual([1, ["canary deployed", "rest not-run (wave)"]]);
    expect(run.stdout.match(/^::error .*no file matches canary\.json/gm)).toHaveLength(1);
  });

  test("a path that cannot be searched stops the next wave, and what was deployed is still reported", async () => {
    const linking = `${edit(CONTAINER, "search-agent", "canary")}deploy: { wave: 0, verify: "ln -s / out" }\n`;
    const stage = await createStage(spec(linking, inWave("rest", 1)));
    const run = await stage.run({ ...inputs, experiment: "out/etc" });
    expect([run.code, ends(run)]).toEqual([1, ["canary deployed", "rest not-run (wave)"]]);
    expect(run.stdout.match(/^::error .*out.etc/gm)).toHaveLength(1);
  });
});

describe("many equal warnings", () => {
  test("are one line with a count", async () => {
    const tagged = (name: string): string => inWave(name, 0).replace(/@sha256:a+/u, ":v1");
    const names = Array.from({ length: 30 }, (_, index) => `agent-${index}`);
    const stage = await createStage(spec(...names.map(tagged)));
    const run = await stage.cli(["validate"]);
    expect(run.code).toBe(0);
    expect(run.stderr.split("names an image by a tag")).toHaveLength(2);
    expect(run.stderr).toContain("(and 29 more like it)");
  });

  test("many equal plans are one line with a count, in the log, the summary and the comment", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `agent-${index}`);
    const other = edit(inWave("another", 0), "cpu: 1", "cpu: 2");
    const stage = await createStage(spec(...names.map((name) => inWave(name, 0)), other));
    stage.workspace.write("out/.keep", "");
    const run = await stage.run({ command: "plan", "markdown-file": "out/plan.md" });
    expectEnd(run, { outcome: "planned" });
    expect(run.stdout).toContain("agent-0, agent-1 and 28 more");
    expect(run.stdout.split("would be created with")).toHaveLength(3);
    expect(run.stdout).toContain("Plan: 31 to create. Makes 31 new revisions.");
    for (const text of [run.summary, stage.workspace.read("out/plan.md")]) {
      const rows = text.split("\n").filter((line) => /^\| .*planned/u.test(line));
      expect(rows).toHaveLength(2);
      expect(text).toContain("agent-0, agent-1 and 28 more");
      expect(text).toContain("agent-29");
    }
    expect(JSON.parse(run.outputs["deployments"]!)).toHaveLength(31);
  });

  test("warnings that several plans share are one line with a count, even if the plans differ", async () => {
    const tagged = (index: number): string =>
      edit(
        inWave(`agent-${index}`, 0).replace(/@sha256:a+/u, ":v1"),
        "memory_mb: 1024",
        `memory_mb: ${1024 + index}`,
      ).replace("deploy: { wave: 0 }", "deploy: { wave: 0, image: resolve }");
    const stage = await createStage(spec(...Array.from({ length: 12 }, (_, at) => tagged(at))));
    const run = await stage.run({ command: "plan" });
    expectEnd(run, { outcome: "planned" });
    expect(run.summary.split("was not readable")).toHaveLength(2);
    expect(run.summary).toContain("(and 11 more like it)");
  });
});

describe("a deployment that was not run makes the run red, whatever on-superseded says", () => {
  const skipped = [{ deployment: "one", revision: 2, outcome: "skipped" }] as const;
  const next = (name: string, wave?: number): string =>
    edit(inWave(name, wave), "a".repeat(64), "b".repeat(64));

  test.each([
    ["the next wave", [0, 1], {}],
    ["fail-fast", [0, 0], { "fail-fast": "true" }],
    ["max-failures", [0, 0], { "max-failures": "1" }],
  ] as const)("because of %s", async (_, [first, second], inputs) => {
    const stage = await createStage(spec(inWave("one", first), inWave("two", second)), {
      revisions: skipped,
    });
    expectEnd(await stage.run(), { outcome: "deployed" });
    stage.spec(spec(next("one", first), next("two", second)));
    const given = { "on-superseded": "warn", concurrency: "1", ...inputs };
    const run = await stage.run({ ...given, "report-file": "leg.json" });
    expectEnd(run, { outcome: "superseded" }, 1);
    expect(ends(run)[1]).toContain("two not-run");
    const merged = await stage.run({ command: "report", reports: "leg.json", ...given });
    expect(merged.code).toBe(1);
  });

  test("even if it is a create whose only revision was skipped", async () => {
    const stage = await createStage(CONTAINER, { revisions: [{ outcome: "skipped" }] });
    const run = await stage.run({ "on-superseded": "warn" });
    expectEnd(run, { outcome: "superseded" }, 1);
    const { code } = await stage.cli(["wait", "--on-superseded", "warn", "--yes"]);
    expect(code).toBe(1);
  });
});
