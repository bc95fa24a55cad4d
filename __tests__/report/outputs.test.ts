import { describe, expect, test } from "@jest/globals";
import { Ajv } from "ajv";
import fc from "../support/property.ts";
import { toMatrix } from "../../src/commands/matrix.ts";
import { runFingerprint } from "../../src/plan/fingerprint.ts";
import { toOutputs, toReportJson } from "../../src/report/outputs.ts";
import { parseReport, reportSchema } from "../../src/report/report-file.ts";
import { SAMPLES, change, deployment, plan, report } from "./sample-reports.ts";

const PLACES = {
  reportPath: "/runner/report.json",
  commentUrl: "https://github.com/acme/agents/pull/1#issuecomment-2",
};
const bytes = (outputs: Record<string, string>): number =>
  Object.entries(outputs).reduce((sum, [name, value]) => sum + 2 * (name.length + value.length), 0);

describe("outputs", () => {
  test("of a single deployment have its ids, revision and address", () => {
    const outputs = toOutputs(SAMPLES["updated"]!, PLACES);
    expect(Object.keys(outputs).sort()).toEqual([
      "changed",
      "comment-url",
      "deployment-id",
      "deployments",
      "experiments",
      "fingerprint",
      "gate-verdict",
      "matrix",
      "outcome",
      "plan",
      "previous-revision-id",
      "report",
      "revision-id",
      "revision-status",
      "url",
      "waves",
    ]);
    expect(outputs).toMatchObject({
      outcome: "deployed",
      changed: "true",
      "revision-status": "DEPLOYED",
      url: "https://support-agent-5d1f.eu.example.app",
      "gate-verdict": "none",
      report: PLACES.reportPath,
      "comment-url": PLACES.commentUrl,
    });
    expect(Object.keys(JSON.parse(outputs["deployments"]!)[0])).toEqual([
      "name",
      "id",
      "action",
      "outcome",
      "reason",
      "revision_id",
      "previous_revision_id",
      "revision_status",
      "url",
      "changes",
    ]);
    expect(Object.keys(JSON.parse(outputs["plan"]!).deployments[0])).toEqual([
      "name",
      "id",
      "action",
      "fingerprint",
      "changes",
    ]);
  });

  test("of many deployments have none for a single one", () => {
    expect(toOutputs(SAMPLES["fifty-deployments"]!, PLACES)).not.toHaveProperty("deployment-id");
  });

  test("have a matrix of exactly the documents with work", () => {
    const deployments = [
      deployment({ name: "a", outcome: "planned", action: "create" }),
      deployment({ name: "b", outcome: "unchanged", action: "none" }),
      deployment({ name: "c", outcome: "blocked", action: "blocked" }),
      deployment({
        name: "d",
        outcome: "planned",
        action: "redeploy",
        plan: plan({ fingerprint: "ff" }),
      }),
    ];
    const matrix = toMatrix(deployments, () => 0, 200);
    const outputs = toOutputs(
      report({ command: "plan", outcome: "blocked", deployments, matrix }),
      PLACES,
    );
    const [first, , , last] = deployments.map((one) => runFingerprint([one.plan!]));
    expect(JSON.parse(outputs["matrix"]!)).toEqual({
      include: [
        { name: "a", names: "a", action: "create", fingerprint: first },
        { name: "d", names: "d", action: "redeploy", fingerprint: last },
      ],
    });
  });

  test("of a run without a plan have an empty matrix", () => {
    const redeployed = deployment({ name: "a", action: "redeploy", plan: null });
    const outputs = toOutputs(report({ command: "redeploy", deployments: [redeployed] }), PLACES);
    expect(outputs).toMatchObject({ matrix: '{"include":[]}', waves: "[]" });
  });

  test("of a single experiment have its id, page and dataset, unlike those of several", () => {
    const sample = SAMPLES["experiments-and-gates"]!;
    expect(
      toOutputs({ ...sample, experiments: sample.experiments.slice(0, 1) }, PLACES),
    ).toMatchObject({
      "experiment-id": "e1a2b3c4-0000-4000-8000-000000000001",
      "dataset-id": "d1a2b3c4-0000-4000-8000-000000000001",
      "gate-verdict": "fail",
    });
    expect(toOutputs(sample, PLACES)).not.toHaveProperty("experiment-id");
  });

  test("include a rollback", () => {
    expect(
      JSON.parse(toOutputs(SAMPLES["rolled-back"]!, PLACES)["deployments"]!)[0].rollback,
    ).toEqual({ revision_id: "99aa88bb-0000-4000-8000-000000000009", outcome: "deployed" });
  });

  test("over 1 MB lose the longest lists of changes, with a pointer to the report", () => {
    const long = Array.from({ length: 2000 }, (_, at) =>
      change(`secrets.S${at}`, "x".repeat(100), "y".repeat(100)),
    );
    const outputs = toOutputs(
      report({
        deployments: [
          deployment({ name: "long", changes: long }),
          deployment({ name: "short", changes: long.slice(0, 2) }),
        ],
      }),
      PLACES,
    );
    expect(bytes(outputs)).toBeLessThan(1_000_000);
    expect(JSON.parse(outputs["deployments"]!)).toMatchObject([
      { name: "long", changes: [], changes_in: PLACES.reportPath },
      { name: "short", changes: long.slice(0, 2) },
    ]);
    expect(JSON.parse(outputs["plan"]!).deployments[0]).toMatchObject({
      changes: [],
      changes_in: PLACES.reportPath,
    });
  });

  test("name all of a thousand deployments with their outcomes and ids", () => {
    const outputs = toOutputs(
      report({
        deployments: Array.from({ length: 1000 }, (_, at) =>
          deployment({ name: `agent-of-the-estate-${at}`, revision_id: `revision-${at}` }),
        ),
      }),
      PLACES,
    );
    const named = JSON.parse(outputs["deployments"]!) as object[];
    expect(named).toHaveLength(1000);
    expect(named[999]).toMatchObject({
      name: "agent-of-the-estate-999",
      outcome: "deployed",
      revision_id: "revision-999",
    });
  });

  test("keep ids and pages of experiments with thousands of scores", () => {
    const [sample] = SAMPLES["experiments-and-gates"]!.experiments;
    const scores = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`metric-${at}`, { mean: 0.5, n: 100 }]),
    );
    const experiments = ["a", "b", "c"].map((name) => ({ ...sample!, name, scores }));
    const outputs = toOutputs(report({ experiments }), PLACES);
    expect(bytes(outputs)).toBeLessThan(1_000_000);
    expect(JSON.parse(outputs["experiments"]!)).toEqual(
      ["a", "b", "c"].map((name) => ({
        file: sample!.file,
        name,
        outcome: "uploaded",
        experiment_id: "e1a2b3c4-0000-4000-8000-000000000001",
        experiment_url: sample!.experiment_url,
        dataset_id: "d1a2b3c4-0000-4000-8000-000000000001",
      })),
    );
  });

  test("keep ids and outcomes of deployments with very long names", () => {
    const name = "n".repeat(3000);
    const deployments = Array.from({ length: 300 }, () => deployment({ name, id: "id-1" }));
    const outputs = toOutputs(report({ deployments }), PLACES);
    expect(bytes(outputs)).toBeLessThan(1_000_000);
    expect(JSON.parse(outputs["deployments"]!)[299]).toEqual({ id: "id-1", outcome: "deployed" });
  });

  test("of ten thousand deployments are each under 1 MB and valid JSON", () => {
    const outputs = toOutputs(
      report({
        deployments: Array.from({ length: 10_000 }, (_, at) =>
          deployment({
            name: `agent-${at}`,
            changes: [change("secrets.A", null, "set", "new-revision", true)],
          }),
        ),
      }),
      PLACES,
    );
    expect(bytes(outputs)).toBeLessThan(1_000_000);
    for (const name of ["plan", "deployments", "experiments"])
      expect(() => JSON.parse(outputs[name]!) as unknown).not.toThrow();
  });
});

describe("the report file", () => {
  const validate = new Ajv({ strict: false }).compile(reportSchema());

  for (const [name, sample] of Object.entries(SAMPLES)) {
    test(`the ${name} report is valid by the published schema, and is read back unchanged`, () => {
      const json = toReportJson(sample);
      expect(validate(JSON.parse(json)) || validate.errors).toBe(true);
      expect(parseReport(json, "r.json")).toEqual({ report: sample });
    });
  }

  test("has the most wanted keys first", () => {
    expect(Object.keys(JSON.parse(toReportJson(SAMPLES["plan"]!))).slice(0, 7)).toEqual([
      "version",
      "outcome",
      "changed",
      "deployments",
      "experiments",
      "gates",
      "links",
    ]);
  });

  test("is read without throwing from any JSON, however deep", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        parseReport(JSON.stringify(value), "r.json");
      }),
      { numRuns: 500 },
    );
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const whole = toReportJson(SAMPLES["blocked"]!).replace(
      /"before": "[^"]*"/,
      `"before": ${deep}`,
    );
    expect(parseReport(whole, "r.json")).toEqual({
      problem: expect.stringContaining("nested deeper than 200"),
    });
  });

  test.each([
    ["not JSON", "{", "r.json: is not JSON"],
    ["another shape", '{"version":2}', "r.json: is not a report of agent-deploy: version"],
    ["a list", "[]", "the top level"],
  ])("%s is refused in one sentence", (_, source, words) => {
    const read = parseReport(source, "r.json");
    expect("problem" in read && read.problem).toContain(words);
  });
});
