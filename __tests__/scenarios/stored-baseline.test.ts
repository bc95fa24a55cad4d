import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { startTestEmulator, type TestEmulator } from "../support/emulator-process.ts";
import { createTree, type Tree } from "../support/tree.ts";
import type { Finished } from "../support/child.ts";

const DATASET = "acme/agents/results";
const MERGES = 40;
const EXAMPLES = 30;
const GATE = "correctness drop <= 0.05";

type Env = Readonly<Record<string, string>>;

/** Marks by example; `wrong` of them are 0, the first ones. */
function results(wrong: number, salt = ""): string {
  return JSON.stringify(
    Array.from({ length: EXAMPLES }, (_, i) => ({
      inputs: { question: `question number ${i}` },
      actual_outputs: { answer: `answer ${salt}` },
      evaluation_scores: [{ key: "correctness", score: i < wrong ? 0 : 1 }],
    })),
  );
}

/** Lines of the marks that `git fast-import` writes, such as `:12 <id>`. */
const byMark = (a: string, b: string): number => Number(a.slice(1)) - Number(b.slice(1));

interface Place {
  readonly workspace: Tree;
  readonly git: (...args: string[]) => string;
}

function checkout(): Place {
  const workspace = createTree({ ".gitignore": "results.json\nevent.json\n" });
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: workspace.path,
      encoding: "utf8",
    }).trim();
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-q", "-m", "begin");
  return { workspace, git };
}

const CI: Env = {
  CI: "true",
  GITHUB_ACTIONS: "true",
  GITHUB_REPOSITORY: "acme/agents",
  GITHUB_SERVER_URL: "http://127.0.0.1:1",
  GITHUB_API_URL: "http://127.0.0.1:1",
  GITHUB_RUN_ID: "1001",
  GITHUB_RUN_ATTEMPT: "1",
  GITHUB_JOB: "eval",
};
const onPush = (commit: string, branch = "main"): Env => ({
  ...CI,
  GITHUB_EVENT_NAME: "push",
  GITHUB_REF: `refs/heads/${branch}`,
  GITHUB_SHA: commit,
});
const onPullRequest = (commit: string): Env => ({
  ...CI,
  GITHUB_EVENT_NAME: "pull_request",
  GITHUB_REF: "refs/pull/7/merge",
  GITHUB_BASE_REF: "main",
  GITHUB_SHA: commit,
});

describe("a repository with forty merges", () => {
  let place: Place;
  let service: TestEmulator;
  /** Merges on main, the oldest first. */
  const merges: string[] = [];
  /** A commit of the branch that was merged. */
  const topics: string[] = [];
  const cli = (args: readonly string[], env: Env): Promise<Finished> =>
    runCli(args, { workspace: place.workspace, env: { ...service.env, ...env } });
  const judge = async (
    env: Env,
    ...args: string[]
  ): Promise<{ code: number | null; report: any; stderr: string }> => {
    const run = await cli(
      ["gate", "results.json", "--gate", GATE, "--baseline", "experiment:auto", "--json", ...args],
      env,
    );
    return {
      code: run.code,
      stderr: run.stderr,
      report: run.stdout.trim() === "" ? {} : JSON.parse(run.stdout),
    };
  };
  const sessions = async (): Promise<any[]> =>
    (
      await fetch(`${service.url}/api/v1/sessions?limit=100`, {
        headers: { "x-api-key": "test-key" },
      })
    ).json() as Promise<any[]>;

  /** An upload as this tool makes it, for a commit of main; `change` lays over its marker. */
  const store = async (
    name: string,
    commit: string | null,
    change: Record<string, unknown> = {},
    more: Record<string, unknown> = {},
  ): Promise<any> => {
    const rows = JSON.parse(results(0, name)) as Record<string, unknown>[];
    const time = "2026-11-01T10:00:00Z";
    const marker = {
      version: 1,
      commit,
      branch: "main",
      event: "push",
      run: "1",
      complete: true,
      rows: rows.length,
      digest: name,
      label: "",
      evaluator: null,
      model: null,
      gate_verdict: "pass",
      accepted: false,
      anchor: name,
      ...change,
    };
    const reply = await fetch(`${service.url}/api/v1/datasets/upload-experiment`, {
      method: "POST",
      headers: { "x-api-key": "test-key", "content-type": "application/json" },
      body: JSON.stringify({
        experiment_name: name,
        experiment_start_time: time,
        experiment_end_time: time,
        dataset_name: DATASET,
        experiment_metadata: commit === null ? {} : { agent_deploy: marker },
        results: rows.map((row) => ({ ...row, start_time: time, end_time: time })),
        ...more,
      }),
    });
    expect(reply.status).toBe(200);
    return reply.json();
  };

  beforeAll(async () => {
    place = checkout();
    service = await startTestEmulator();
    const { workspace } = place;
    const time = Math.floor(Date.now() / 1000);
    const commit = (branch: string, mark: number, message: string, from: string): string =>
      `commit refs/heads/${branch}\nmark :${mark}\ncommitter t <t@example.com> ${time} +0000\ndata ${message.length}\n${message}\nfrom ${from}\n`;
    const history = Array.from({ length: MERGES }, (_, n) => {
      const main = n === 0 ? "refs/heads/main^0" : `:${2 * n}`;
      const topic = commit(`topic-${n}`, 2 * n + 1, `topic ${n}`, main);
      return `${topic}${commit("main", 2 * n + 2, `merge ${n}`, main)}merge :${2 * n + 1}\n`;
    });
    execFileSync("git", ["fast-import", "--quiet", "--export-marks=.git/marks"], {
      cwd: workspace.path,
      input: history.join(""),
    });
    const ids = workspace.read(".git/marks").trim().split("\n").sort(byMark);
    for (const [at, line] of ids.entries())
      (at % 2 === 0 ? topics : merges).push(line.split(" ")[1]!);
    workspace.write("results.json", results(0, "head"));
    for (const at of [2, 9, 20, 30]) await store(`main-${at}`, merges[at]!);
    await store("older-tool", null);
    await store("failed", merges[21]!, { gate_verdict: "fail" });
    await store("died", merges[22]!, { complete: false });
    await store("evicted", merges[23]!, { complete: "cancelled" });
    await store("of-a-branch", topics[24]!, { branch: "topic-24" });
    await store("of-a-pull", merges[24]!, { branch: "pull/9/merge", event: "pull_request" });
  });

  test("an upload stores what a later run needs, which metadata cannot overwrite", async () => {
    const run = await cli(
      [
        "upload",
        "results.json",
        "--experiment-name",
        "own",
        "--dataset-name",
        "another",
        "--gate",
        "correctness >= 0.5",
        "--evaluator",
        "judge-7",
        "--experiment-metadata",
        JSON.stringify({ agent_deploy: "forged", commit: "theirs", model: "m-1" }),
      ],
      onPush(merges[39]!),
    );
    expect(run.code).toBe(0);
    const { metadata } = (await sessions()).find(({ name }) => name === "own").extra;
    expect(metadata["commit"]).toBe("theirs");
    expect(metadata["agent_deploy"]).toMatchObject({
      commit: merges[39],
      branch: "main",
      event: "push",
      run: "1001",
      complete: true,
      rows: EXAMPLES,
      evaluator: "judge-7",
      gate_verdict: "pass",
      anchor: "own",
    });
    expect(metadata["agent_deploy"].digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test("a pull request from an old branch is compared with its nearest ancestor's run", async () => {
    const { git } = place;
    git("checkout", "-q", "-b", "old", merges[12]!);
    git("commit", "-q", "--allow-empty", "-m", "old work");
    const { code, report, stderr } = await judge(onPullRequest(git("rev-parse", "HEAD")));
    git("checkout", "-q", "main");
    expect(code).toBe(0);
    expect(report.baseline).toMatchObject({ file: "experiment:main-9", state: "used" });
    expect(stderr).toMatch(
      new RegExp(
        `^baseline: experiment main-9, commit ${merges[9]!.slice(0, 12)}, \\d+ days old, 30 of 30 examples shared`,
        "m",
      ),
    );
  });

  test("a run of main that was merged into a local copy of main counts", async () => {
    const { git } = place;
    // `git pull` puts the own commit first and what main was second.
    git("checkout", "-q", "-b", "pulled", merges[19]!);
    git("commit", "-q", "--allow-empty", "-m", "own work");
    git("merge", "-q", "--no-ff", "-m", "merge main", merges[20]!);
    const { report } = await judge(onPush(git("rev-parse", "HEAD"), "main"));
    git("checkout", "-q", "main");
    expect(report.baseline).toMatchObject({ file: "experiment:main-20", state: "used" });
  });

  test("failed, incomplete and cancelled runs, and those of other branches, are skipped and counted in one line", async () => {
    const { report, stderr } = await judge(onPush(merges[26]!));
    expect(report.baseline).toMatchObject({ file: "experiment:main-20", state: "used" });
    const [line] = stderr.split("\n").filter((one) => one.includes("passed over"));
    for (const part of [
      "1 of a cancelled run",
      "1 whose gate failed",
      "1 incomplete",
      "1 without this tool's own metadata",
    ])
      expect(line).toContain(part);
  });

  test("on a push the commit itself is not a baseline", async () => {
    const { report } = await judge(onPush(merges[20]!));
    expect(report.baseline.file).toBe("experiment:main-9");
  });

  test("in a merge queue the group is compared with the run of main below it", async () => {
    const { git, workspace } = place;
    git("checkout", "-q", "--detach", merges[39]!);
    git("commit", "-q", "--allow-empty", "-m", "merge of the group");
    const commit = git("rev-parse", "HEAD");
    const ref = "refs/heads/gh-readonly-queue/main/pr-7-abc";
    workspace.write(
      "event.json",
      JSON.stringify({
        merge_group: { head_sha: commit, head_ref: ref, base_ref: "refs/heads/main" },
      }),
    );
    // The run of an earlier group that was evicted: its commit never got to main.
    await store("of-a-group", topics[24]!, {
      branch: "gh-readonly-queue/main/pr-6-abc",
      event: "merge_group",
    });
    const { code, report } = await judge({
      ...CI,
      GITHUB_EVENT_NAME: "merge_group",
      GITHUB_EVENT_PATH: `${workspace.path}/event.json`,
      GITHUB_REF: ref,
      GITHUB_SHA: commit,
    });
    git("checkout", "-q", "main");
    expect([code, report.baseline]).toEqual([
      0,
      expect.objectContaining({ file: "experiment:main-30", state: "used" }),
    ]);
  });

  test("after a rebase the runs of removed commits do not count", async () => {
    const { git } = place;
    git("checkout", "-q", "-b", "rebased", merges[1]!);
    git("commit", "-q", "--allow-empty", "-m", "main, written anew");
    const { report, code } = await judge(onPush(git("rev-parse", "HEAD"), "main"));
    git("checkout", "-q", "main");
    expect(code).toBe(0);
    expect(report.baseline.state).toBe("no-baseline");
    const [gate] = report.gates;
    expect(gate.verdict).toBe("inconclusive");
    expect(gate.reason).toMatch(
      /^no-baseline: .* was made at an ancestor of [0-9a-f]{12}\. Upload a run/,
    );
  });

  test("on-no-baseline applies if there is no stored run", async () => {
    const args = ["--dataset-name", "nobody-has-this", "--on-no-baseline", "fail"];
    const { code, report, stderr } = await judge(onPush(merges[39]!), ...args);
    expect(code).toBe(4);
    expect(stderr).not.toContain("no effect");
    expect(report.baseline.message).toContain("there is no dataset nobody-has-this yet");
  });

  test("a regression against the stored run fails, and the link shows both", async () => {
    place.workspace.write("results.json", results(15, "worse"));
    const run = await cli(
      [
        ...["upload", "results.json", "--gate", GATE, "--baseline", "experiment:auto", "--json"],
        ...["--experiment-name", "worse"],
      ],
      onPush(merges[39]!),
    );
    place.workspace.write("results.json", results(0, "head"));
    expect(run.code).toBe(4);
    const report = JSON.parse(run.stdout);
    expect(report.baseline.file).toBe("experiment:main-30");
    const base = (await sessions()).find(({ name }) => name === "main-30");
    const [experiment] = report.experiments;
    const { metadata } = (await sessions()).find(({ name }) => name === "worse").extra;
    expect(metadata.agent_deploy).toMatchObject({ gate_verdict: "fail", anchor: "main-30" });
    expect(experiment.compare_url).toMatch(
      new RegExp(
        `/datasets/[0-9a-f-]{36}/compare\\?selectedSessions=${experiment.experiment_id}%2C${base.id}$`,
        "u",
      ),
    );
    const page = await (await fetch(experiment.compare_url)).text();
    expect([page.includes("worse"), page.includes("main-30")]).toEqual([true, true]);
  });

  const stored = (wrong: number): unknown[] =>
    JSON.parse(results(wrong)).map((row: object) => ({
      ...row,
      start_time: "2026-11-01T10:00:00Z",
      end_time: "2026-11-01T10:00:00Z",
    }));

  test("many small regressions add up, since the last accepted run is compared as well", async () => {
    const dataset_name = "falling";
    await store("falling-0", merges[5]!, {}, { dataset_name });
    const later = { dataset_name, results: stored(5) };
    await store("falling-5", merges[6]!, { anchor: "falling-0" }, later);
    place.workspace.write("results.json", results(8, "head"));
    const { code, report } = await judge(onPush(merges[7]!), "--dataset-name", dataset_name);
    expect(report.baseline.file).toBe("experiment:falling-5");
    const [gate] = report.gates;
    expect([code, gate.verdict]).toEqual([4, "fail"]);
    expect(gate.delta).toBeCloseTo(-3 / EXAMPLES);
    expect(gate.anchor.delta).toBeCloseTo(-8 / EXAMPLES);
    // Without the run it goes back to, only the last fall is seen, and the gate says so.
    await store("falling-alone", merges[8]!, { anchor: "falling-gone" }, later);
    const alone = await judge(onPush(merges[9]!), "--dataset-name", dataset_name);
    place.workspace.write("results.json", results(0, "head"));
    expect(alone.report.gates[0]).toMatchObject({ anchor: null });
    expect(alone.report.gates[0].verdict).not.toBe("fail");
    expect(alone.stderr).toMatch(/experiment falling-gone, .* no longer exists/);
  });

  test("a regression that a person accepts is the new anchor", async () => {
    const dataset_name = "accepted";
    await store("accepted-0", merges[5]!, {}, { dataset_name });
    place.workspace.write("results.json", results(15, "accepted"));
    const run = await cli(
      [
        ...["upload", "results.json", "--gate", GATE, "--baseline", "experiment:auto"],
        ...["--experiment-name", "accepted-15", "--dataset-name", dataset_name],
        ...["--accept-baseline", "--json"],
      ],
      onPush(merges[6]!),
    );
    expect([run.code, JSON.parse(run.stdout).gates[0].verdict]).toEqual([0, "fail"]);
    const { metadata } = (await sessions()).find(({ name }) => name === "accepted-15").extra;
    expect(metadata.agent_deploy).toMatchObject({ accepted: true, anchor: "accepted-15" });
    place.workspace.write("results.json", results(16, "head"));
    const next = await judge(onPush(merges[7]!), "--dataset-name", dataset_name);
    place.workspace.write("results.json", results(0, "head"));
    expect([next.code, next.report.baseline.file]).toEqual([0, "experiment:accepted-15"]);
  });

  test("a run of another evaluator is incomparable, and both evaluators are named", async () => {
    await store("judged", merges[31]!, { evaluator: "judge-6" });
    const { report } = await judge(onPush(merges[32]!), "--evaluator", "judge-7");
    expect(report.baseline.state).toBe("incomparable");
    expect(report.gates[0].reason).toMatch(/judge-6.*judge-7/);
  });

  test("a pinned run is found by name and id, and a missing one is no baseline, with the closest names", async () => {
    const pinned = async (word: string, ...more: string[]): Promise<Finished> =>
      cli(
        [
          "gate",
          "results.json",
          "--gate",
          GATE,
          "--baseline",
          `experiment:${word}`,
          "--json",
          ...more,
        ],
        {},
      );
    const { id } = (await sessions()).find(({ name }) => name === "main-9");
    for (const word of ["main-9", id]) {
      const run = await pinned(word);
      expect(run.code).toBe(0);
      expect(JSON.parse(run.stdout).baseline.file).toBe("experiment:main-9");
    }
    const missing = await pinned("main-99");
    expect(missing.code).toBe(0);
    const [gate] = JSON.parse(missing.stdout).gates;
    expect(gate.verdict).toBe("inconclusive");
    expect(gate.reason).toMatch(
      /^no-baseline: .*there is no experiment main-99\. Check the name or id/,
    );
    expect(missing.stderr).toMatch(
      /there is no experiment main-99; the nearest are main-9, main-[a-z0-9-]+, main-/,
    );
    expect((await pinned("of-a-pul")).stderr).toContain("the nearest are of-a-pull, of-a-");
    expect((await pinned("older-too")).stderr).toContain("; the nearest is older-tool:");
    const strict = await pinned("main-99", "--on-no-baseline", "fail");
    expect(strict.code).toBe(4);
  });

  test("on a branch in a terminal, the message says how to make the default branch known", async () => {
    const { git } = place;
    git("checkout", "-q", "-b", "feature", merges[39]!);
    const lost = await judge({}, "--dataset-name", DATASET);
    git("update-ref", "refs/remotes/origin/main", "main");
    git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    const found = await judge({}, "--dataset-name", DATASET);
    git("update-ref", "-d", "refs/remotes/origin/main");
    git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD");
    git("checkout", "-q", "main");
    expect(lost.report.baseline.message).toContain(
      "is an earlier run of feature (the default branch is not known here: `git remote set-head origin -a` makes it so)",
    );
    expect(found.report.baseline.state).toBe("used");
  });

  test("an upload with an uncertain commit warns that later runs do not find it", async () => {
    const upload = async (name: string): Promise<string> => {
      const run = await cli(
        [
          ...["upload", "results.json", "--baseline", "experiment:auto"],
          ...["--experiment-name", name, "--dataset-name", "placed"],
        ],
        {},
      );
      return run.stderr;
    };
    const lost = "experiment:auto of later runs does not find this one";
    expect(await upload("clean")).not.toContain(lost);
    const ignored = place.workspace.read(".gitignore");
    place.workspace.write(".gitignore", `${ignored}more.json\n`);
    const said = await upload("edited");
    place.workspace.write(".gitignore", ignored);
    expect(said).toContain(lost);
  });

  test("gate needs a key only for an experiment", async () => {
    const args = ["gate", "results.json", "--gate", GATE, "--baseline"];
    const none = { AGENT_DEPLOY_API_KEY: "" };
    const run = await cli([...args, "experiment:auto"], none);
    expect(run.code).toBe(2);
    expect((await cli([...args, "none.json"], none)).code).toBe(0);
  });

  test("a run is not compared with itself", async () => {
    const upload = [
      "upload",
      "results.json",
      "--experiment-name",
      "duplicate",
      "--dataset-name",
      "duplicates",
    ];
    expect((await cli(upload, onPush(merges[10]!))).code).toBe(0);
    const { code, stderr } = await judge(onPush(merges[11]!), "--dataset-name", "duplicates");
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /experiment duplicate has the same bytes as results\.json: .*Run the evaluation again; if it always writes the same bytes, have it write its commit too/,
      ),
    ]);
  });

  test("fewer rows than were uploaded fail the run without a verdict", async () => {
    await store("cut", merges[36]!, { rows: EXAMPLES + 1 });
    const { code, report, stderr } = await judge(onPush(merges[37]!));
    expect(code).toBe(1);
    expect(report.gates ?? []).toEqual([]);
    expect(stderr).toContain("has 31 rows, and the service gave 30, then 30");
  });

  test("dataset-id distinguishes datasets", async () => {
    const ids = [1, 2].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
    for (const id of ids)
      await store(`twice-${id}`, merges[3]!, {}, { dataset_id: id, dataset_name: undefined });
    const { report } = await judge(onPush(merges[5]!), "--dataset-id", ids[0]!);
    expect(report.baseline.file).toBe(`experiment:twice-${ids[0]!}`);
  });
});
