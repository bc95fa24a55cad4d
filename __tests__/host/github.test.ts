import { setSecret } from "@actions/core";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRunContext } from "../../src/ci/context.ts";
import { createGithubHost } from "../../src/github/host.ts";
import { parseInputs } from "../../src/cli/input-values.ts";
import type { Options } from "../../src/cli/options.ts";
import type { Host } from "../../src/ci/host.ts";
import { closeOpenSinks } from "../../src/github/post-state.ts";
import { createRedactor, type Redactor } from "../../src/secrets/redaction.ts";
import type { Report } from "../../src/report/report.ts";
import { SAMPLES, change, deployment, plan, report } from "../report/sample-reports.ts";
import { startFakeGithub, type FakeGithub } from "./fake-github.ts";

const FILES = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"] as const;
const clock = { now: () => 0, monotonic: () => 0, sleep: async () => {} };
const SHA = "a".repeat(40);

let github: FakeGithub;
let folder: string;
let env: Record<string, string>;
let log: string;
const write = process.stdout.write;
const saved = FILES.map((name) => [name, process.env[name]] as const);

beforeEach(async () => {
  github = await startFakeGithub();
  folder = mkdtempSync(join(tmpdir(), "host-"));
  env = {
    GITHUB_ACTIONS: "true",
    GITHUB_REPOSITORY: "octocat/agents",
    GITHUB_EVENT_NAME: "pull_request",
    GITHUB_SHA: SHA,
    GITHUB_REF: "refs/pull/1/merge",
    GITHUB_RUN_ID: "500",
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_WORKFLOW: "deploy",
    GITHUB_JOB: "ship",
    GITHUB_API_URL: github.url,
  };
  for (const name of FILES) {
    env[name] = join(folder, name);
    writeFileSync(env[name]!, "");
    process.env[name] = env[name]!;
  }
  log = "";
  process.stdout.write = ((text: string) => {
    log += text;
    return true;
  }) as typeof process.stdout.write;
});
afterEach(async () => {
  process.stdout.write = write;
  for (const [name, value] of saved)
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  rmSync(folder, { recursive: true });
  await github.close();
});

interface Overrides {
  env?: Record<string, string>;
  event?: unknown;
  options?: Partial<Options>;
  redactor?: Redactor;
}
function host(over: Overrides = {}): Host {
  const event = over.event ?? {
    pull_request: {
      number: github.pullRequest,
      head: { sha: SHA, repo: { full_name: "octocat/agents" } },
    },
  };
  return createGithubHost({
    context: readRunContext({ ...env, ...over.env }, event),
    clock,
    env: { ...env, ...over.env },
    color: false,
    redactor: over.redactor ?? createRedactor(),
    options: {
      ...parseInputs({}).options,
      githubToken: github.token,
      matrix: "null",
      reportFile: join(folder, "out/report.json"),
      spec: ["agent-deploy.yml"],
      ...over.options,
    },
  });
}

/** GITHUB_OUTPUT as the runner reads it; of two values the later one counts. */
function outputs(): Record<string, string> {
  return Object.fromEntries(
    [
      ...readFileSync(env["GITHUB_OUTPUT"]!, "utf8").matchAll(
        /^([\w-]+)<<(ghadelimiter_[\w-]+)\n([\s\S]*?)\n\2$/gm,
      ),
    ].map(([, name, , value]) => [name!, value!]),
  );
}
const begun = (one: Report): Report => ({
  ...one,
  deployments: one.deployments.map((each) => ({ ...each, plan: null, changes: [] })),
});
const warnings = (): string[] =>
  [...log.matchAll(/^::warning[^:]*::(.*)$/gm)].map(([, message]) => message!);
const statuses = (): string[][] =>
  github.deployments.map((one) => one.statuses.map((status) => String(status["state"])));

describe("a run on GitHub", () => {
  test("writes outputs, summary, report file, comment and log", async () => {
    const told = host();
    await told.publish("begin", begun(SAMPLES["updated"]!));
    expect((await github.comments())[0]!.body).toContain("⏳ Planning `support-agent`…");
    await told.publish("end", SAMPLES["updated"]!);
    expect(outputs()).toMatchObject({
      outcome: "deployed",
      changed: "true",
      "comment-url": expect.stringMatching(/^http/),
      report: join(folder, "out/report.json"),
    });
    expect(readFileSync(env["GITHUB_STEP_SUMMARY"]!, "utf8")).toContain(
      "### ✅ `support-agent` was deployed",
    );
    expect(JSON.parse(readFileSync(join(folder, "out/report.json"), "utf8"))).toEqual(
      SAMPLES["updated"],
    );
    const [comment, ...more] = await github.comments();
    expect(more).toEqual([]);
    expect(comment!.body.split("\n")[1]).toBe("### ✅ `support-agent` was deployed");
    expect(log).toContain("::group::Plan");
    expect(warnings()).toEqual([]);
  });

  test("that fails shows the cause as an error, its log tail in a group and its outputs", async () => {
    await host().publish("end", SAMPLES["failed-build"]!);
    expect(log).toMatch(/^::error title=support-agent%3A build failed::.*The build of revision/m);
    expect(log.match(/^::error/gm)).toHaveLength(1);
    expect(log).toContain("::group::Log of support-agent");
    expect(outputs()).toMatchObject({ outcome: "failed", "revision-status": "BUILD_FAILED" });
  });

  test("of a pushed commit comments on its pull request, even if that is closed", async () => {
    github.commits.set(SHA, [
      { number: 999_999, state: "closed" },
      { number: github.pullRequest, merge_commit_sha: SHA, state: "closed" },
    ]);
    await host({
      env: { GITHUB_EVENT_NAME: "push", GITHUB_REF: "refs/heads/main" },
      event: {},
    }).publish("end", SAMPLES["updated"]!);
    expect(await github.comments()).toHaveLength(1);
  });

  test.each(["workflow_dispatch", "schedule"])(
    "on %s writes no comment and no warning, with or without a token",
    async (event) => {
      for (const options of [{}, { githubToken: undefined }])
        await host({ env: { GITHUB_EVENT_NAME: event }, event: {}, options }).publish(
          "end",
          SAMPLES["unchanged"]!,
        );
      expect(github.requests).toEqual([]);
      expect(warnings()).toEqual([]);
    },
  );

  test("of Dependabot's push does not mention a fork or a pull request", async () => {
    await host({
      env: {
        GITHUB_EVENT_NAME: "push",
        GITHUB_REF: "refs/heads/main",
        GITHUB_ACTOR: "dependabot[bot]",
      },
      event: {},
    }).publish("end", SAMPLES["updated"]!);
    expect(log).not.toMatch(/fork|pull request comment/i);
    expect(github.requests).toEqual([]);
  });

  test("of a fork's pull request writes the summary and one warning that names the permission", async () => {
    const told = host({
      event: { pull_request: { number: 1, head: { repo: { full_name: "mallory/agents" } } } },
    });
    await told.publish("begin", begun(SAMPLES["plan"]!));
    await told.publish("end", SAMPLES["plan"]!);
    expect(github.requests).toEqual([]);
    expect(warnings()).toEqual([expect.stringContaining("pull-requests: write")]);
    expect(readFileSync(env["GITHUB_STEP_SUMMARY"]!, "utf8")).toContain(
      "`support-agent` would get a new revision",
    );
  });

  test.each(["render", "export"])(
    "with %s writes no comment, and only errors to the summary",
    async (command) => {
      const summary = (): string => readFileSync(env["GITHUB_STEP_SUMMARY"]!, "utf8");
      const before = summary();
      const end: Report = report({ command, outcome: "unchanged" });
      await host().publish("end", end);
      expect(summary()).toBe(before);
      await host().publish("end", { ...end, outcome: "failed", problems: [{ message: "no" }] });
      expect(summary()).toContain("- ❌ no");
      expect(await github.comments()).toEqual([]);
      expect(warnings()).toEqual([]);
    },
  );

  test("with comment: never makes no request to GitHub", async () => {
    await host({ options: { comment: "never" } }).publish("end", SAMPLES["updated"]!);
    expect(github.requests).toEqual([]);
  });

  test("that is cancelled while GitHub hangs still ends with its outputs set", async () => {
    let free = (): void => {};
    const hangs = new Promise<void>((resolve) => {
      free = resolve;
    });
    let asked = (): void => {};
    const reached = new Promise<void>((resolve) => {
      asked = resolve;
    });
    github.fault = async ({ method }) => {
      if (method === "POST") {
        asked();
        await hangs;
      }
      return null;
    };
    const told = host();
    const beginning = told.publish("begin", begun(SAMPLES["cancelled"]!));
    await reached;
    const end = told.publish("end", SAMPLES["cancelled"]!);
    await beginning;
    free();
    await end;
    expect(outputs()["outcome"]).toBe("cancelled");
    expect((await github.comments()).at(-1)!.body).toContain("⏹️ `support-agent`: cancelled");
  });

  test("warns if the report file cannot be written, and writes everything else", async () => {
    writeFileSync(join(folder, "file"), "");
    await host({ options: { reportFile: join(folder, "file/report.json") } }).publish(
      "end",
      SAMPLES["updated"]!,
    );
    expect(warnings()).toEqual([expect.stringContaining("report-file")]);
    expect(outputs()).toMatchObject({ outcome: "deployed", report: "" });
  });

  test("writes at most ten annotations a level, and the rest as log lines", () => {
    const told = host();
    for (let at = 1; at <= 14; at += 1)
      told.annotate({
        level: "error",
        file: "a.yml",
        line: at,
        column: 3,
        path: "name",
        message: "is missing",
      });
    expect(log.match(/^::error /gm)).toHaveLength(10);
    expect(log).toContain("::error title=File error,file=a.yml,line=1,col=3::name: is missing");
    expect(log).toContain("\nerror: a.yml:14:3: name: is missing");
  });

  test("does not run workflow commands in text of the service", () => {
    const told = host();
    told.progress("::set-output name=outcome::deployed");
    told.progress("a\n::add-mask::b\nc ##[error]d");
    told.notify("warning", "x\n::error::y");
    expect(log.split("\n").filter((line) => line.trimStart().startsWith("::"))).toEqual([
      "::warning title=agent-deploy::x%0A:\u200b:error::y",
    ]);
    expect(log).not.toContain("##[");
  });

  test("writes no secret to any sink, in any form, wherever it is in the report", async () => {
    const secret = "s3cr|t<`v`>@lue";
    const redactor = createRedactor({ onForm: setSecret });
    redactor.add(secret);
    const masks = log;
    log = "";
    const forms = [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64"),
    ];
    const leaky = `x ${forms.join(" ")} y`;
    const told = host({ redactor, options: { environment: "prod" } });
    const one = deployment({
      outcome: "failed",
      message: leaky,
      next: [leaky],
      url: `https://x.test/?${forms[2]}`,
      warnings: [leaky],
      notes: [leaky],
      log_tail: [leaky],
      verify: { exit_code: 1, tail: [leaky] },
      changes: [change("source_config.repo_url", leaky, secret)],
      plan: plan({
        dropped: [leaky],
        warnings: [leaky],
        blockers: [{ code: "x", message: leaky }],
      }),
    });
    const sample = SAMPLES["experiments-and-gates"]!;
    const whole = report({
      outcome: "failed",
      deployments: [one],
      problems: [{ message: leaky }],
      warnings: [leaky],
      links: [{ label: leaky, url: leaky }],
      rows_worse: sample.rows_worse.map((row) => ({ ...row, input: leaky })),
      gates: sample.gates.map((gate) => ({ ...gate, reason: leaky })),
    });
    await told.publish("begin", whole);
    told.progress(leaky);
    told.notify("error", leaky);
    told.annotate({ level: "error", file: "a", line: 1, column: 1, path: "p", message: leaky });
    await told.publish("end", whole);
    const everything = [
      log,
      ...FILES.map((name) => readFileSync(env[name]!, "utf8")),
      readFileSync(join(folder, "out/report.json"), "utf8"),
      JSON.stringify(github.requests),
      ...(await github.comments()).map((comment) => comment.body),
    ].join("\n");
    // As Markdown would write it too.
    for (const form of [...forms, "s3cr", "@lue", "&#64;lue"])
      expect(everything).not.toContain(form);
    expect(masks).toContain("::add-mask::s3cr|t<`v`>@lue");
  });
});

describe("GitHub Deployments", () => {
  const prod = { options: { environment: "prod", comment: "never" } } as const;

  test("are in progress once there is work, then succeed with address and log link, which makes the previous one inactive", async () => {
    for (const run of ["500", "501"]) {
      const told = host({ ...prod, env: { GITHUB_RUN_ID: run } });
      await told.publish("begin", begun(SAMPLES["updated"]!));
      expect(statuses().length).toBe(run === "500" ? 0 : 1);
      await told.publish("begin", SAMPLES["updated"]!);
      await told.publish("end", SAMPLES["updated"]!);
    }
    expect(statuses()).toEqual([
      ["in_progress", "success", "inactive"],
      ["in_progress", "success"],
    ]);
    const [first] = github.deployments;
    expect(first!.request).toMatchObject({
      ref: SHA,
      environment: "prod",
      auto_merge: false,
      required_contexts: [],
    });
    expect(first!.statuses[1]).toMatchObject({
      environment_url: "https://support-agent-5d1f.eu.example.app",
      log_url: "https://github.com/octocat/agents/actions/runs/500/attempts/1",
    });
    expect(warnings()).toEqual([]);
  });

  test.each([
    ["failed-build", ["in_progress", "failure"]],
    ["timed-out", ["in_progress", "failure"]],
    ["cancelled", ["in_progress", "failure"]],
    ["superseded", ["in_progress", "inactive"]],
    ["rolled-back", ["in_progress", "failure"]],
  ] as const)("of %s end in the matching state", async (name, states) => {
    await host(prod).publish("end", SAMPLES[name]!);
    expect(statuses()).toEqual([states]);
  });

  test.each(["plan", "unchanged", "blocked", "experiments-and-gates"])(
    "are not created for %s",
    async (name) => {
      const told = host(prod);
      await told.publish("begin", SAMPLES[name]!);
      await told.publish("end", SAMPLES[name]!);
      expect(github.deployments).toEqual([]);
    },
  );

  test("fail if the running deployment does not pass verify, though nothing was written", async () => {
    const [one] = SAMPLES["unchanged"]!.deployments;
    const failed = {
      ...one!,
      outcome: "failed" as const,
      reason: "verify",
      verify: { exit_code: 3, tail: [] },
    };
    const told = host(prod);
    await told.publish("begin", SAMPLES["unchanged"]!);
    await told.publish("end", {
      ...SAMPLES["unchanged"]!,
      outcome: "failed",
      deployments: [failed],
    });
    expect(statuses()).toEqual([["in_progress", "failure"]]);
  });

  test.each([
    ["wait", "deployed", [["in_progress", "success"]]],
    ["redeploy", "deployed", [["in_progress", "success"]]],
    ["rollback", "deployed", [["in_progress", "success"]]],
    ["wait", "failed", [["in_progress", "failure"]]],
    ["destroy", "updated", [["in_progress", "inactive"]]],
    ["destroy", "unchanged", []],
  ] as const)("of %s that ends %s get the matching states", async (command, outcome, states) => {
    const sample = SAMPLES["updated"]!;
    const [one] = sample.deployments;
    const report = {
      ...sample,
      command,
      outcome,
      deployments: [{ ...one!, outcome, action: "none" as const, plan: null, changes: [] }],
    };
    const told = host(prod);
    await told.publish("begin", { ...report, outcome: "not-run", deployments: report.deployments });
    expect(statuses()).toEqual([["in_progress"]]);
    await told.publish("end", report);
    expect(statuses()).toEqual(states.length === 0 ? [["in_progress", "inactive"]] : states);
  });

  /** A later run finds a deployment gone already. */
  const destroyGone = (name: string): Promise<unknown> => {
    const [one] = SAMPLES["updated"]!.deployments;
    const gone = { id: null, outcome: "unchanged", action: "none", plan: null } as const;
    return host({ ...prod, env: { GITHUB_RUN_ID: "777" } }).publish("end", {
      ...SAMPLES["updated"]!,
      command: "destroy",
      outcome: "unchanged",
      deployments: [{ ...one!, ...gone, name }],
    });
  };

  test("of an earlier run are inactive after destroy, even if nothing is left to delete", async () => {
    await host(prod).publish("end", SAMPLES["updated"]!);
    await destroyGone(SAMPLES["updated"]!.deployments[0]!.name);
    expect(statuses()).toEqual([["in_progress", "success", "inactive"]]);
  });

  test("of another deployment in the environment are not changed by destroy", async () => {
    await host(prod).publish("end", SAMPLES["updated"]!);
    await destroyGone("another");
    expect(statuses()).toEqual([["in_progress", "success"]]);
  });

  test("are shared by the steps of a run in an environment, and success does not replace failure", async () => {
    await host(prod).publish("end", SAMPLES["failed-build"]!);
    await host(prod).publish("end", SAMPLES["updated"]!);
    expect(statuses()).toEqual([["in_progress", "failure"]]);
  });

  test("after a superseded run, those before it are still made inactive by the next", async () => {
    for (const [run, sample] of [
      ["500", "updated"],
      ["501", "superseded"],
      ["502", "updated"],
    ] as const)
      await host({ ...prod, env: { GITHUB_RUN_ID: run } }).publish("end", SAMPLES[sample]!);
    expect(statuses()).toEqual([
      ["in_progress", "success", "inactive"],
      ["in_progress", "inactive"],
      ["in_progress", "success"],
    ]);
  });

  test("are shared by legs that begin at the same moment: the oldest counts", async () => {
    // Each looks before the other's is there.
    github.fault = ({ method, path }) =>
      method === "GET" && path.includes("/deployments?") && github.deployments.length < 2
        ? { status: 200, body: [] }
        : null;
    const legs = [host(prod), host(prod)];
    for (const leg of legs) await leg.publish("begin", SAMPLES["updated"]!);
    await legs[0]!.publish("end", SAMPLES["failed-build"]!);
    await legs[1]!.publish("end", SAMPLES["updated"]!);
    expect(statuses()).toEqual([["in_progress", "in_progress", "failure"], ["inactive"]]);
    await host({ ...prod, env: { GITHUB_RUN_ID: "9999" } }).publish("end", SAMPLES["updated"]!);
    expect(statuses().at(-1)).toEqual(["in_progress", "success"]);
  });

  test("keep failure as the last status if a leg that begins after a failed one succeeds", async () => {
    await host(prod).publish("end", SAMPLES["failed-build"]!);
    const later = host(prod);
    await later.publish("begin", SAMPLES["updated"]!);
    await later.publish("end", SAMPLES["updated"]!);
    expect(statuses()).toEqual([["in_progress", "failure", "in_progress", "failure"]]);
    const [, first, , last] = github.deployments[0]!.statuses;
    expect(last!["description"]).toBe(first!["description"]);
    expect(last!["log_url"]).toBe(first!["log_url"]);
  });

  describe("of a run that timed out, and then", () => {
    const late = SAMPLES["timed-out"]!;
    const waited = (revision_id: string | null): Report => ({
      ...late,
      command: "wait",
      outcome: "deployed",
      deployments: [{ ...late.deployments[0]!, outcome: "deployed", plan: null, revision_id }],
    });

    test.each<[string, Report, Report, string]>([
      ["waits for its revision", late, waited(late.deployments[0]!.revision_id), "success"],
      ["waits for another revision", late, waited("another"), "failure"],
      [
        "waits, though a gate failed before",
        { ...late, gate_verdict: "fail" },
        waited(late.deployments[0]!.revision_id),
        "failure",
      ],
    ])("%s, end in the current state", async (_, first, second, state) => {
      await host(prod).publish("end", first);
      const later = host(prod);
      await later.publish("begin", { ...second, outcome: "not-run" });
      await later.publish("end", second);
      expect(statuses()).toEqual([["in_progress", "failure", "in_progress", state]]);
    });

    test("waited for its revision, still get the success or failure of another leg", async () => {
      await host(prod).publish("end", late);
      await host(prod).publish("end", waited(late.deployments[0]!.revision_id));
      await host(prod).publish("end", SAMPLES["updated"]!);
      await host(prod).publish("end", SAMPLES["failed-build"]!);
      await host(prod).publish("end", SAMPLES["updated"]!);
      expect(statuses()).toEqual([["in_progress", "failure", "success", "success", "failure"]]);
    });
  });

  test("keep the failure of another leg if the leg that created them succeeds last", async () => {
    const creator = host(prod);
    await creator.publish("begin", SAMPLES["updated"]!);
    await host(prod).publish("end", SAMPLES["failed-build"]!);
    await creator.publish("end", SAMPLES["updated"]!);
    expect(statuses()).toEqual([["in_progress", "failure"]]);
  });

  test.each([
    ["deployed", [["in_progress", "success", "failure"]]],
    ["superseded", [["in_progress", "success"]]],
  ] as const)(
    "get the current state of the environment if a later gate's rollback ended %s",
    async (outcome, states) => {
      await host(prod).publish("end", SAMPLES["updated"]!);
      const [one] = SAMPLES["rolled-back"]!.deployments;
      const rollback = { revision_id: null, outcome };
      const later = { onFailure: "rollback", deploymentId: one!.id ?? "" } as const;
      await host({ options: { ...prod.options, ...later } }).publish("end", {
        ...SAMPLES["rolled-back"]!,
        command: "gate",
        deployments: [{ ...one!, reason: "gate", rollback }],
      });
      expect(statuses()).toEqual(states);
    },
  );

  describe.each([
    ["to which GitHub answers 502 after it accepted it", { status: 502, after: true }],
    ["that GitHub refuses with 500", { status: 500 }],
  ])("sent with a POST %s", (_what, fault) => {
    test.each(["/deployments", "in_progress", "success"])(
      "for %s are sent again only if GitHub does not show them",
      async (what) => {
        let isLost = false;
        github.fault = ({ method, path, body }) => {
          if (isLost || method !== "POST" || ![path.slice(-12), body?.["state"]].includes(what))
            return null;
          isLost = true;
          return fault;
        };
        const told = host(prod);
        await told.publish("begin", SAMPLES["updated"]!);
        await told.publish("end", SAMPLES["updated"]!);
        expect(isLost).toBe(true);
        expect(statuses()).toEqual([["in_progress", "success"]]);
        expect(warnings()).toEqual([]);
      },
    );
  });

  test("keep another leg's failure that was written before a success was sent again", async () => {
    const told = host(prod);
    await told.publish("begin", SAMPLES["updated"]!);
    let isLost = false;
    github.fault = ({ body }) => {
      if (isLost || body?.["state"] !== "success") return null;
      isLost = true;
      const [begun] = github.deployments[0]!.statuses;
      github.deployments[0]!.statuses.push({ ...begun, state: "failure" });
      return { status: 502 };
    };
    await told.publish("end", SAMPLES["updated"]!);
    expect(statuses()).toEqual([["in_progress", "failure"]]);
  });

  test("have descriptions of at most 140 characters", async () => {
    await host(prod).publish("end", {
      ...SAMPLES["updated"]!,
      deployments: [{ ...SAMPLES["updated"]!.deployments[0]!, name: "n".repeat(300) }],
    });
    for (const one of github.deployments)
      for (const body of [one.request, ...one.statuses])
        expect(String(body["description"]).length).toBeLessThanOrEqual(140);
  });

  test("need the permission only for a command that creates them", async () => {
    const without = {
      options: { environment: "prod", comment: "never", githubToken: undefined },
    } as const;
    await host(without).publish("end", { ...SAMPLES["updated"]!, command: "plan" });
    expect(log).not.toContain("deployments: write");
    await host(without).publish("end", SAMPLES["updated"]!);
    expect(log).toContain("deployments: write");
  });

  test("cause one warning if the permission is missing, and the rest is reported", async () => {
    github.fault = ({ path }) =>
      path.includes("/deployments")
        ? { status: 403, body: { message: "Resource not accessible by integration" } }
        : null;
    const told = host(prod);
    await told.publish("begin", SAMPLES["updated"]!);
    await told.publish("end", SAMPLES["updated"]!);
    expect(warnings()).toEqual([expect.stringContaining("deployments: write")]);
    expect(outputs()["outcome"]).toBe("deployed");
  });
});

describe("the post step", () => {
  const post = (): Promise<readonly string[]> => {
    const kept = [
      ...readFileSync(env["GITHUB_STATE"]!, "utf8").matchAll(
        /^(\w+)<<(ghadelimiter_[\w-]+)\n([\s\S]*?)\n\2$/gm,
      ),
    ].map(([, name, , value]) => [`STATE_${name}`, value!] as const);
    return closeOpenSinks(
      { ...env, ...Object.fromEntries(kept), "INPUT_GITHUB-TOKEN": github.token },
      clock,
    );
  };

  test("closes what a killed run left open", async () => {
    await host({ options: { environment: "prod" } }).publish("begin", SAMPLES["updated"]!);
    expect(await post()).toEqual(["comment", "deployment"]);
    expect((await github.comments())[0]!.body).toContain(
      "### ⏹️ Cancelled: the run was killed before it could report",
    );
    expect(statuses()).toEqual([["in_progress", "failure"]]);
  });

  test("closes what was open when the run was killed before GitHub had answered all of its first requests", async () => {
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let release = (): void => undefined;
    const held = new Promise<null>((resolve) => (release = () => resolve(null)));
    github.fault = ({ path }) => {
      if (!path.endsWith("/statuses")) return null;
      isAsked();
      return held;
    };
    const begun = host({ options: { environment: "prod" } }).publish("begin", SAMPLES["updated"]!);
    await asked;
    github.fault = null;
    expect(await post()).toContain("deployment");
    expect(statuses()).toEqual([["failure"]]);
    release();
    await begun;
  });

  test("changes nothing that the run has closed or did not open", async () => {
    expect(await post()).toEqual([]);
    const told = host({ options: { environment: "prod" } });
    await told.publish("begin", SAMPLES["updated"]!);
    await told.publish("end", SAMPLES["updated"]!);
    const before = github.requests.length;
    expect(await post()).toEqual([]);
    expect(github.requests).toHaveLength(before);
  });

  const commentNow = async (): Promise<string> => (await github.comments())[0]!.body;
  const endUntold = async (isFaulty: (path: string) => boolean, ended = SAMPLES["updated"]!) => {
    const told = host({ options: { environment: "prod" } });
    await told.publish("begin", SAMPLES["updated"]!);
    github.fault = ({ path }) => (isFaulty(path) ? { status: 502 } : null);
    await told.publish("end", ended);
    github.fault = null;
  };

  test("reports how the run ended if GitHub could not be reached before, instead of as killed", async () => {
    await endUntold(() => true);
    expect(statuses()).toEqual([["in_progress"]]);
    expect(await post()).toEqual(["comment", "deployment"]);
    expect(await commentNow()).toContain("### ✅ `support-agent` was deployed");
    expect(await commentNow()).toContain('"open":false');
    expect(statuses()).toEqual([["in_progress", "success"]]);
  });

  test("does not change the one of the two that was reported", async () => {
    await endUntold((path) => path.includes("/deployments"));
    expect(await post()).toEqual(["deployment"]);
    expect(statuses()).toEqual([["in_progress", "success"]]);
  });

  test("reports the result of a run that was killed while reporting it", async () => {
    await endUntold(() => true);
    const state = readFileSync(env["GITHUB_STATE"]!, "utf8");
    const before = state.split("agent_deploy_sinks<<").slice(0, 4).join("agent_deploy_sinks<<");
    writeFileSync(env["GITHUB_STATE"]!, before);
    expect(await post()).toEqual(["comment", "deployment"]);
    expect(await commentNow()).toContain("✅ `support-agent` was deployed");
  });

  test("does not replace another leg's failure with success, and writes nothing twice", async () => {
    await endUntold((path) => path.includes("/deployments"));
    github.deployments[0]!.statuses.push({
      ...github.deployments[0]!.statuses[0],
      state: "failure",
    });
    expect(await post()).toEqual([]);
    expect(statuses()).toEqual([["in_progress", "failure"]]);
  });

  test("finds a comment that was created before GitHub stopped answering", async () => {
    let made = false;
    github.fault = ({ method, path }) => {
      const isLost = made && path.includes("/comments");
      made ||= method === "POST" && path.endsWith("/comments");
      return isLost ? { status: 502 } : null;
    };
    await host().publish("begin", SAMPLES["updated"]!);
    github.fault = null;
    expect(await post()).toEqual(["comment"]);
    expect(await commentNow()).toContain("Cancelled: the run was killed");
  });

  test("closes a GitHub Deployment whose response was lost", async () => {
    let isLost = false;
    github.fault = ({ method, path }) => {
      if (isLost || method !== "POST" || !path.endsWith("/deployments")) return null;
      isLost = true;
      return { status: 502, after: true };
    };
    await host({ options: { environment: "prod" } }).publish("begin", SAMPLES["updated"]!);
    expect(await post()).toEqual(["comment", "deployment"]);
    expect(statuses()).toEqual([["in_progress", "failure"]]);
  });

  test("does not change a comment that another run has taken over", async () => {
    await host().publish("begin", SAMPLES["updated"]!);
    await host({ env: { GITHUB_RUN_ID: "900" } }).publish("end", SAMPLES["updated"]!);
    const state = readFileSync(env["GITHUB_STATE"]!, "utf8").split("\n").slice(0, 3).join("\n");
    writeFileSync(env["GITHUB_STATE"]!, `${state}\n`);
    expect(await post()).toEqual([]);
    expect((await github.comments())[0]!.body).toContain("✅ `support-agent` was deployed");
  });
});
