import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { cut, cutPair } from "../../src/report/escape.ts";
import { timelineWords } from "../../src/report/phases.ts";
import {
  durationWords,
  planNotes,
  planWords,
  reasonWords,
  toChangeRows,
} from "../../src/report/wording.ts";
import type { Json } from "../../src/model/json.ts";
import { renderSamplePlan } from "../../src/commands/sample-plan-table.ts";
import { foldAlike } from "../../src/report/alike.ts";
import { renderRuns } from "../../src/report/score-trend.ts";
import { renderOutcome, renderPlan } from "../../src/report/terminal.ts";
import { toHeadline } from "../../src/report/verdict.ts";
import { change, deployment, experiment, gate, report, seen, START } from "./sample-reports.ts";

const rows = (before: Json, after: Json, sensitive = false): string[] =>
  toChangeRows([change("r", before, after, "new-revision", sensitive)]).map(
    (row) => `${row.kind} ${row.path}: ${row.before} -> ${row.after}`,
  );

describe("changes, field by field", () => {
  test("are listed for objects, keyed lists and lists in order", () => {
    expect(rows({ cpu: 1, a: { b: "x" } }, { cpu: 2, a: { b: "x" } })).toEqual([
      "change r.cpu: 1 -> 2",
    ]);
    expect(
      rows(
        [
          { name: "p", image: "a" },
          { name: "q", image: "b" },
        ],
        [{ name: "q", image: "c" }],
      ),
    ).toEqual([
      "remove r.p.name: p -> null",
      "remove r.p.image: a -> null",
      "change r.q.image: b -> c",
    ]);
    expect(rows(["a", "b"], ["b", "a"])).toEqual(['change r: ["a","b"] -> ["b","a"]']);
    expect(rows(null, { labels: { team: "x" } })).toEqual(["add r.labels.team: null -> x"]);
    expect(rows({}, null)).toEqual(["remove r: {} -> null"]);
  });

  test("include another order of items, except of mounts", () => {
    const [a, b] = [
      { name: "a", image: "x" },
      { name: "b", image: "x" },
    ];
    expect(rows([a, b], [b, a])).toEqual(['change r: ["a","b"] -> ["b","a"]']);
    expect(rows([a, b], [b, { name: "c" }, { ...a, image: "y" }])).toEqual([
      'change r: ["a","b"] -> ["b","a"]',
      "change r.a.image: x -> y",
      "add r.c.name: null -> c",
    ]);
    const mounts = [
      { name: "v", mountPath: "/a" },
      { name: "w", mountPath: "/b" },
    ];
    expect(rows({ m: mounts, n: 1 }, { m: mounts.toReversed(), n: 2 })).toEqual([
      "change r.n: 1 -> 2",
    ]);
  });

  test("quote text that looks like a number or a YAML keyword", () =>
    expect(rows("2", 2)).toEqual(['change r: "2" -> 2']));

  test.each(["source", "source_revision_config.repo_commit_sha"])(
    "do not quote a hash of %s that looks like a number",
    (path) => {
      const [row] = toChangeRows([change(path, "12345678", "07e05976")]);
      expect([row?.before, row?.after]).toEqual(["12345678", "07e05976"]);
    },
  );

  test.each([
    [null, "(new value)", "add r: null -> hidden value"],
    ["(old value)", "(new value)", "change r: null -> hidden value, new value"],
    ["(set)", null, "remove r: null -> hidden value"],
    ["value unknown", "(new value)", "change r: null -> hidden value, value unknown, sent anyway"],
    [null, "(known after apply)", "add r: null -> hidden value (known after apply)"],
  ])("describe a secret from %j to %j in words", (before, after, shown) =>
    expect(rows(before, after, true)).toEqual([shown]),
  );

  test("of a container with a secret are listed by field, and as changed if they look the same", () => {
    expect(
      rows(
        { cpu: 1, sidecars: [{ name: "p", env: [{ name: "A", value: "(sensitive)" }] }] },
        { cpu: 2, sidecars: [{ name: "p", env: [{ name: "A", value: "(sensitive)" }] }] },
        true,
      ),
    ).toEqual(["change r.cpu: 1 -> 2"]);
    expect(
      rows([{ name: "A", value: "(sensitive)" }], [{ name: "A", value: "(sensitive)" }], true),
    ).toEqual(["change r: null -> hidden value, new value"]);
  });
});

describe("times", () => {
  test.each([
    [400, "0 s"],
    [40_000, "40 s"],
    [372_000, "6 m 12 s"],
    [360_000, "6 m"],
    [3_780_000, "1 h 3 m"],
    [7_200_000, "2 h"],
  ])("are written for %i ms as %s", (ms, words) => expect(durationWords(ms)).toBe(words));

  test("are listed for a revision that succeeded, failed or is still running", () => {
    expect(
      timelineWords(
        seen(
          ["CREATING", 0],
          ["QUEUED", 1],
          ["BUILDING", 2],
          ["AWAITING_DEPLOY", 374],
          ["DEPLOYING", 380],
          ["DEPLOYED", 414],
        ),
      ),
    ).toBe("queued 2 s · build 6 m 12 s · deploy 40 s");
    expect(timelineWords(seen(["BUILDING", 0], ["BUILD_FAILED", 60]))).toBe("build 1 m ✗");
    expect(timelineWords(seen(["QUEUED", 0], ["BUILDING", 60]))).toBe("queued 1 m");
    expect(timelineWords(seen(["BUILDING", 0], ["BUILDING", 60]))).toBe("build 1 m so far");
    expect(timelineWords(seen(["WARMING", 0], ["DEPLOYED", 5]))).toBe("WARMING 5 s");
    expect(timelineWords([])).toBe("");
  });

  test("between two reads are split between the phases on both sides", () => {
    const words = (status: string, seenSeconds: number, end: string): string => {
      const [first, last] = seen([status, 0], [end, 300]);
      return timelineWords([{ ...first!, seenMs: first!.atMs + seenSeconds * 1000 }, last!]);
    };
    expect(words("AWAITING_BUILD", 280, "BUILD_FAILED")).toBe("queued 4 m 50 s · build 10 s ✗");
    expect(words("BUILDING", 280, "DEPLOY_FAILED")).toBe("build 4 m 50 s · deploy 10 s ✗");
    expect(words("BUILDING", 280, "BUILD_FAILED")).toBe("build 4 m 50 s ✗");
    expect(words("AWAITING_BUILD", 280, "DEPLOYED")).toBe("queued 4 m 50 s · the rest 10 s");
    expect(timelineWords([{ ...seen(["BUILDING", 0])[0]!, seenMs: START + 60_000 }])).toBe(
      "build 1 m so far",
    );
  });
});

test("a service that never answered is not described as having answered", () => {
  const unanswered = { status: null, headline: "" };
  expect(reasonWords("service", { ...unanswered, sent: false })).toBe(
    "the service could not be reached",
  );
  expect(reasonWords("service", { ...unanswered, sent: true })).toBe("the service did not answer");
  for (const request of [undefined, { status: 500, headline: "", sent: true }])
    expect(reasonWords("service", request)).toBe("the service answered with an error");
});

describe("long values", () => {
  test("are shortened in the middle, never within a character", () => {
    expect(cut("abcdefghij", 7)).toBe("abcd…ij");
    for (let most = 3; most < 20; most += 1)
      expect(cut("🦊".repeat(20), most)).not.toMatch(
        /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/,
      );
  });

  test("are shortened so that a pair still differs", () => {
    const [a, b] = cutPair(
      `${"x".repeat(100)}A${"y".repeat(100)}`,
      `${"x".repeat(100)}B${"y".repeat(100)}`,
      40,
    );
    expect([a.includes("A"), b.includes("B"), a.length <= 40]).toEqual([true, true, true]);
    const digest = (start: string): string => `r/a@sha256:${start.padEnd(64, "0")}`;
    for (const other of [digest("2"), `${digest("1").slice(0, -1)}f`])
      for (const most of [20, 40, 200]) {
        const [before, after] = cutPair(digest("1"), other, most);
        expect(before).not.toBe(after);
        expect(Math.max(before.length, after.length)).toBeLessThanOrEqual(most);
      }
  });
});

test("a deployment that could not be read is reported as not planned instead of unchanged", () => {
  const unread = deployment({
    name: "a",
    plan: null,
    action: "none",
    outcome: "failed",
    reason: "service",
    changes: [],
  });
  expect(
    renderPlan(report({ command: "plan", outcome: "failed", deployments: [unread] }), {
      color: false,
    }),
  ).toBe("! a: not planned, see below\n");
  expect(
    renderPlan(
      report({
        command: "plan",
        outcome: "failed",
        deployments: [
          unread,
          deployment({ name: "b", action: "none", outcome: "unchanged", changes: [] }),
        ],
      }),
      { color: false },
    ),
  ).toContain("Plan: 1 unchanged, 1 not planned.");
});

test("every reason of an end or a blocker has a description", () => {
  const rooms = ["deploy", "plan", "evaluation", "ci", "commands"].map((room) =>
    join(import.meta.dirname, "../../src", room),
  );
  const said = /\b(?:(?:reason|code): |(?:failed|blocked)\(\s*|ending\("[a-z-]+", )"([a-z-]+)"/g;
  const found = rooms.flatMap((room) =>
    readdirSync(room).flatMap((file) =>
      [...readFileSync(join(room, file), "utf8").matchAll(said)].map(([, reason]) => reason!),
    ),
  );
  expect(found).toEqual(
    expect.arrayContaining(["busy", "conflict", "signal", "superseded", "timeout"]),
  );
  expect(found.length).toBeGreaterThan(40);
  expect([...new Set(found)].filter((reason) => reasonWords(reason) === reason)).toEqual([]);
});

describe("descriptions of what was done", () => {
  const revision = change("revision", "BUILD_FAILED", "redeployed", "new-revision");

  test("do not promise that there is no new revision if the effect of a change is not known", () =>
    expect(
      planWords(deployment({ plan: null, changes: [change("gpu", 1, 2, "may make a revision")] })),
    ).toBe("would be updated, which may make a revision: 1 change"));

  test("count the redeploy of a plan", () => {
    const one = deployment({
      outcome: "planned",
      action: "update",
      changes: [change("source_config.build_on_push", false, true, "in-place"), revision],
    });
    expect(planWords(one)).toBe("would get a new revision: 1 change and a redeploy");
    expect(planWords({ ...one, action: "redeploy", changes: [revision] })).toBe(
      "would be redeployed",
    );
  });

  test("describe a wait by its end", () => {
    const waited = (outcome: "planned" | "deployed" | "failed", looks: number): string =>
      planNotes(
        deployment({
          action: "attach",
          outcome,
          timeline: Array.from({ length: looks }, (_, at) => ({ status: `S${at}`, atMs: at })),
        }),
      );
    expect(waited("planned", 0)).toBe("waits for the revision under way");
    expect(waited("deployed", 1)).toBe("was live already");
    expect(waited("deployed", 3)).toBe("waited for the revision under way");
    expect(waited("failed", 1)).toBe("waited for the revision under way");
  });

  test("describe a write without a clear answer as not taken instead of refused", () => {
    const untaken = { status: null, headline: "", sent: true };
    expect(reasonWords("refused", { ...untaken, untaken_tries: 5 })).toBe(
      "the service gave no clear answer 5 times, and did not take it",
    );
    expect(reasonWords("refused", { ...untaken, untaken_tries: 1 })).toBe(
      "the service gave no clear answer, and did not take it",
    );
    expect(reasonWords("refused", { ...untaken, status: 400 })).toBe("the service refused it");
  });

  test.each([
    ["apply", "deployed"],
    ["wait", "waited for"],
    ["redeploy", "redeployed"],
    ["destroy", "deleted"],
  ])("describe what %s did not do", (command, done) => {
    const blocked = deployment({
      name: "app",
      outcome: "blocked",
      reason: "duplicates",
      plan: null,
    });
    const told = { ...report({ deployments: [blocked], outcome: "blocked" }), command };
    expect(toHeadline(told, "end")).toBe(`app was not ${done}: two deployments have this name`);
  });
});

test("a refused baseline comes before the gates in the headline", () => {
  const open = gate({ metric: "tone", verdict: "inconclusive", no_baseline: true });
  const refused = report({
    command: "gate",
    outcome: "unchanged",
    deployments: [],
    experiments: [experiment({ outcome: "gated-only" })],
    gates: [open],
    gate_verdict: "inconclusive",
    problems: [{ message: "no baseline was written: why", about: "baseline" }],
  });
  expect(toHeadline(refused, "end")).toBe(
    "No baseline was written · No baseline: tone was not compared",
  );
});

test("the note of a group names all its members", () => {
  const names = ["agent-a", "agent-b", "agent-c", "agent-d"];
  const alike = names.map((name) => deployment({ name, outcome: "unchanged", changes: [] }));
  const [group] = foldAlike(alike, ["unchanged"]);
  expect(group).toMatchObject({
    name: "agent-a, agent-b and 2 more",
    notes: ["these 4 are agent-a, agent-b, agent-c, agent-d"],
  });
});

test("an answer is labelled below the expected one, also without the baseline's", () => {
  const row = { metric: "tone", input: "how long?", head_output: "12 days", head: 0, base: 1 };
  const shown = (expected: string): string =>
    renderOutcome(report({ rows_worse: [{ ...row, expected }] }), { color: false });
  expect(shown("10 days")).toMatch(/\n +expected: 10 days\n +! answer: 12 days\n/);
  expect(shown("")).toMatch(/“how long\?” tone .*\n +! answer: 12 days\n/);
});

test("a stored run shows its verdict as the gate does, or that a person accepted it", () => {
  const run = {
    ...{ id: "1", name: "run", started_at: null, commit: null, branch: null, rows: 1 },
    ...{ complete: true, evaluator: null, model: null, scores: {}, changed: [], flips: null },
  };
  const cell = (gate_verdict: string | null, accepted: boolean): string =>
    renderRuns([{ ...run, number: 1, gate_verdict, accepted }], [])[1]!
      .split(/ +/)
      .at(-3)!;
  expect(cell("fail", true)).toBe("accepted");
  expect(cell("inconclusive", true)).toBe("accepted");
  expect(cell("pass", true)).toBe("pass");
  expect(cell("fail", false)).toBe("fail");
  expect(cell("inconclusive", false)).toBe("inconclusive");
  expect(cell("none", false)).toBe("–");
  expect(cell(null, false)).toBe("–");
});

test("a sample plan counts gates, or scores if there are no gates", () => {
  const metric = {
    metric: "tone",
    direction: "higher",
    mean: 0.9,
    limit: 0,
    examples: 40,
    repeats: 1,
    notices: null,
    measured: false,
    clusters: null,
    scatters: true,
    falls: [0.02, 0.05, 0.1].map((fall) => ({
      fall,
      needs: [1, 3, 5, 10].map((repeats) => ({ repeats, examples: 400 })),
    })),
  } as const;
  const shown = (gates: number, every_score: boolean): string =>
    renderSamplePlan("r.json", {
      alpha: 0.05,
      gates,
      every_score,
      metrics: [metric],
      unplanned: [],
      compared: [],
    });
  expect(shown(7, true)).toContain("(7 scores, alpha 0.05)");
  expect(shown(1, true)).toContain("(one score, alpha 0.05)");
  expect(shown(2, false)).toContain("(2 gates, alpha 0.05)");
});
