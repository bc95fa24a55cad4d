// A run does not repeat itself: __tests__/scenarios/stage.ts checks the same for every run of a scenario.
import { describe, expect, test } from "@jest/globals";
import { toAnnotations } from "../../src/report/annotations.ts";
import { renderSummary } from "../../src/report/markdown.ts";
import type { DeploymentReport } from "../../src/report/report.ts";
import { renderOutcome, renderPlan, warningsOfPlan } from "../../src/report/terminal.ts";
import { findPhaseFaults } from "../support/phase-faults.ts";
import { findRepeatedIds, findRepeats } from "../support/repeats.ts";
import { change, deployment, plan, report, SAMPLES } from "./sample-reports.ts";

const plain = { color: false };
const REVISION = "7c1d1a52-53f4-4a35-8a5f-3f1c0c8a9b22";
const one = (over: Partial<DeploymentReport>): ReturnType<typeof report> =>
  report({ deployments: [deployment({ name: "support-agent", ...over })] });

describe("a report does not repeat itself", () => {
  test.each(Object.entries(SAMPLES))("%s", (_name, sample) => {
    const end = renderOutcome(sample, plain);
    expect([...findRepeats(renderSummary(sample)), ...findRepeats(end)]).toEqual([]);
    expect(findRepeatedIds(end)).toEqual([]);
  });

  test("a revision that the message names has no line of its own", () => {
    const message = `revision ${REVISION} is DEPLOYED and active`;
    const known = {
      outcome: "deployed",
      revision_id: REVISION,
      revision_status: "DEPLOYED",
    } as const;
    expect(renderOutcome(one({ ...known, message }), plain).split(REVISION)).toHaveLength(2);
    expect(renderOutcome(one({ ...known, message: "" }), plain)).toContain(
      `\n  revision ${REVISION} DEPLOYED\n`,
    );
  });

  test("a plan of one deployment prints its fields and one verdict", () => {
    const wanted = {
      action: "create",
      outcome: "planned",
      message: "would be created",
      changes: [change("name", null, "support-agent")],
    } as const;
    const planned = {
      ...one({ ...wanted, id: null, revision_id: null, plan: plan({ action: "create" }) }),
      command: "plan",
    };
    const shown = renderPlan(planned, plain) + renderOutcome(planned, plain);
    expect(findRepeats(shown)).toEqual([]);
    expect(shown.match(/would be created/g)).toHaveLength(1);
    expect(shown).not.toContain("Plan:");
  });

  test("a warning of the plan is printed only with the plan, and a later one at the end", () => {
    const kept = "the service does not show a field that the spec has";
    const run = one({
      outcome: "updated",
      plan: plan({ action: "update", warnings: [kept] }),
      warnings: [kept, "live moved before the first write"],
    });
    const told = new Set(
      warningsOfPlan({ ...run, deployments: [{ ...run.deployments[0]!, warnings: [kept] }] }),
    );
    const shown = `${renderPlan(run, plain)}${renderOutcome(run, { ...plain, reported: told })}`;
    expect(renderOutcome(run, { ...plain, reported: told })).toContain(
      "live moved before the first write",
    );
    expect(renderOutcome(run, { ...plain, reported: told })).not.toContain(kept);
    expect(shown).toContain(kept);
  });

  test("the start of a service error is the headline, and the rest is in the body and the annotation", () => {
    const rest = "GET https://api.example.com/v2/deployments: 401: Invalid key.";
    const run = one({
      outcome: "failed",
      reason: "service",
      message: `API key rejected (401): ${rest}`,
      request: { status: 401, headline: "API key rejected (401)", sent: true },
      plan: null,
    });
    expect(renderOutcome(run, plain)).toMatch(
      /^support-agent: API key rejected \(401\)\n\n {2}GET https/,
    );
    expect(renderSummary(run).match(/API key rejected/g)).toHaveLength(1);
    expect(toAnnotations(run)[0]).toMatchObject({
      title: "support-agent: API key rejected (401)",
      message: expect.stringMatching(/^GET https/),
    });
  });

  test("a problem with a file is counted in the verdict and printed below it", () => {
    const message =
      "the file is not valid JSON from here on; let the run that wrote it write it again";
    const run = {
      ...one({ outcome: "deployed", plan: null }),
      problems: [{ file: "results.json", line: 1, column: 3, message }],
    };
    for (const shown of [renderOutcome(run, plain), renderSummary(run)]) {
      expect(shown.split("\n")[0]).toContain("1 problem in results.json");
      expect(shown.split(message)).toHaveLength(2);
    }
  });
});

describe("the check for repeats", () => {
  test("finds a repeated sentence on another line and after a colon", () => {
    expect(
      findRepeats("It is not known what became of it.\nWell: it is not known what became of it"),
    ).toEqual(["it is not known what became of it"]);
    expect(findRepeats("One line with five words.\nAnother line with five words.")).toEqual([]);
  });

  test("ignores annotations, places and build output", () => {
    const said = "the value is written in the spec";
    expect(findRepeats(`::error::${said}\n${said}`)).toEqual([]);
    expect(findRepeats(`a.yml:1:2: ${said}\na.yml:2:2: ${said}`)).toEqual([]);
    expect(findRepeats(`  log | ${said}\n  log | ${said}`)).toEqual([]);
    // As many counts as a failure's time asks for: a slow machine says more of them.
    expect(
      findRepeats(
        "the service's answer (200) cannot be read: retrying (2, 5 s)\nthe service's answer (200) cannot be read: retrying (4 tries, 11 s)",
      ),
    ).toEqual([]);
  });

  test("finds an id on two lines, unless it is in a command", () => {
    expect(findRepeatedIds(`revision ${REVISION}\nrevision ${REVISION} DEPLOYED`)).toEqual([
      REVISION,
    ]);
    expect(
      findRepeatedIds(`revision ${REVISION}\n  agent-deploy wait --revision-id ${REVISION}`),
    ).toEqual([]);
  });
});

describe("the check of phases", () => {
  const second = (at: number): string => new Date(at * 1000).toISOString();
  const none = { deployments: [] };
  const after = {
    deployments: [
      {
        id: "d",
        active_revision_id: REVISION,
        revisions: [
          {
            id: REVISION,
            timeline: [
              { at: second(0), status: "BUILDING" },
              { at: second(30), status: "DEPLOYED" },
            ],
          },
        ],
      },
    ],
  };
  const reads = [5, 10, 15, 20, 25, 35].map((at) => ({
    at: second(at),
    method: "GET",
    path: `/v2/deployments/d/revisions/${REVISION}`,
    status: 200,
  }));
  const check = (...timeline: { status: string; atMs: number; seenMs?: number }[]): string[] => [
    ...findPhaseFaults(
      [{ name: "a", revision_id: REVISION, timeline }],
      { before: none, after },
      reads,
    ),
  ];
  const end = { status: "DEPLOYED", atMs: 35_001 };

  test("accepts a status that was seen in several reads", () => {
    expect(check({ status: "BUILDING", atMs: 5_001, seenMs: 25_001 }, end)).toEqual([]);
  });

  test("finds a status that five reads saw and the report lacks, or has for one read only", () => {
    expect(check(end)).toEqual(["a: 5 reads found BUILDING, in no phase"]);
    expect(check({ status: "BUILDING", atMs: 5_001 }, end)).toEqual([
      "a: 5 reads found BUILDING, reported for one look",
    ]);
  });
});
