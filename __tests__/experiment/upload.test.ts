import { describe, expect, test } from "@jest/globals";
import type { Clock } from "../../src/clock.ts";
import { ExperimentBody } from "../../src/experiment/row.ts";
import { checkUploads, uploadExperiments, type UploadPort, type UploadRequest } from "../../src/experiment/upload.ts";
import type { Session } from "../../src/service/tracing.ts";
import { readTexts } from "./read-text.ts";

/** Time that passes only when somebody sleeps. */
function createManualClock(): Clock & { readonly slept: () => number } {
  let now = 0;
  return { now: () => now, monotonic: () => now, sleep: async (ms) => { now += ms; }, slept: () => now };
}

interface Stored { readonly id: string; readonly body: ExperimentBody }

/** A tracing service in memory: it takes what it is sent, and then answers as the scenario says. */
function createService(scenario: { answer?: "taken" | "lost" | "lost-untaken" | "413" | "conflict"; statisticsAfter?: number; wrongMean?: boolean; lookup?: "absent" | "broken" } = {}): UploadPort & { readonly stored: Stored[]; readonly sent: () => number } {
  const stored: Stored[] = [];
  let sent = 0;
  let reads = 0;
  const toSession = ({ id, body }: Stored, statistics: boolean): Session => {
    const keys = new Set(body.results.flatMap(({ evaluation_scores = [] }) => evaluation_scores.flatMap(({ key, score }) => (score === undefined ? [] : [key]))));
    const stats = Object.fromEntries([...keys].map((key) => {
      const scores = body.results.flatMap(({ evaluation_scores = [] }) => evaluation_scores.filter((feedback) => feedback.key === key).map(({ score }) => score!));
      return [key, { n: scores.length, avg: scores.reduce((sum, score) => sum + score, 0) / scores.length + (scenario.wrongMean ? 0.1 : 0) }];
    }));
    return { id, name: body.experiment_name, tenant_id: "t1", dataset_id: "d1", test_run_number: 4, run_count: statistics ? body.results.length : null, metadata: (body.experiment_metadata ?? {}) as Session["metadata"], body: { feedback_stats: statistics ? stats : null } as Session["body"] };
  };
  return {
    stored, sent: () => sent,
    uploadExperiment: async (toBody) => {
      sent += 1;
      let text = "";
      for await (const chunk of toBody()) text += Buffer.from(chunk).toString("latin1");
      const body = ExperimentBody.parse(JSON.parse(Buffer.from(text, "latin1").toString("utf8")));
      if (scenario.answer === "413") return { state: "refused", status: 413, error: new Error("POST /upload: 413 Too Large.") };
      const entry = { id: `e${stored.length + 1}`, body };
      if (scenario.answer === "conflict") {
        stored.push({ id: "other", body: { ...body, experiment_metadata: { upload_id: "somebody else's" } } });
        return { state: "refused", status: 409, error: new Error("POST /upload: 409 Session already exists.") };
      }
      if (scenario.answer !== "lost-untaken") stored.push(entry);
      if (scenario.answer === "lost" || scenario.answer === "lost-untaken") return { state: "unknown", error: new Error("POST /upload: the connection broke.") };
      return { state: "taken", reply: { dataset: { id: "d1", name: body.dataset_name ?? "made up", body: { tenant_id: "t1" } }, experiment: toSession(entry, false) } };
    },
    getSession: async (id) => {
      reads += 1;
      const found = stored.find((entry) => entry.id === id);
      return found === undefined ? null : toSession(found, reads > (scenario.statisticsAfter ?? 2));
    },
    findSessionsByName: async (name) => {
      if (scenario.lookup === "broken") throw new Error("GET /sessions: 503.");
      if (scenario.lookup === "absent") return { state: "absent-lookup", status: 404 };
      return { state: "found", items: stored.filter(({ body }) => body.experiment_name === name).map((entry) => toSession(entry, false)) };
    },
  };
}

const ROWS = '{"inputs":{"q":"é€😀"},"evaluation_scores":[{"key":"a","score":1}],"run_metadata":{"big":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}\n{"inputs":{"q":2},"evaluation_scores":[{"key":"a","score":0}]}\n';

async function request(tracing: UploadPort | null, more: Partial<UploadRequest> = {}, files: Record<string, string> = { "evals/capitals.jsonl": ROWS }): Promise<UploadRequest> {
  const { experiments, problems } = await readTexts(files);
  expect(problems).toEqual([]);
  let seed = 0;
  return {
    experiments, tracing, overrides: {}, drop: [], print: () => undefined, ui: "https://ui.example/", clock: createManualClock(), random: () => (seed = (seed + 0.37) % 1), progress: () => undefined,
    context: { repository: "acme/agents", commit: "0123456789abcdef", runId: "77", runAttempt: "2", job: "evals", matrix: '{"os":"linux","node":20}', runUrl: "https://ci/77", deploymentId: "dep", revisionId: "rev", tool: "agent-deploy 0.1.0" },
    ...more,
  };
}

describe("uploading", () => {
  test("one experiment is sent once, read back until its statistics are there, and linked", async () => {
    const service = createService();
    const { reports } = await uploadExperiments(await request(service, { baselineExperimentId: "base" }));
    expect(service.sent()).toBe(1);
    expect(reports).toEqual([expect.objectContaining({
      file: "evals/capitals.jsonl", format: "rows", outcome: "uploaded", rows: 2, errors: 0, experiment_id: "e1", test_run_number: 4, dataset_id: "d1", dataset_name: "acme/agents/capitals",
      experiment_url: "https://ui.example/o/t1/datasets/d1/compare?selectedSessions=e1", compare_url: "https://ui.example/o/t1/datasets/d1/compare?selectedSessions=e1%2Cbase", scores: { a: { mean: 0.5, n: 2 } },
    })]);
    expect(reports[0]!.message).toMatch(/row count and means are ours/);
  });

  test("names say suite, commit, run, attempt, job and leg; metadata carries the upload's id, the deployment and the dataset", async () => {
    const service = createService();
    await uploadExperiments(await request(service));
    const { experiment_name, dataset_name, experiment_metadata } = service.stored[0]!.body;
    expect(experiment_name).toMatch(/^capitals-0123456-77\.2-evals-linux 20-[0-9a-f]{8}$/);
    expect(dataset_name).toBe("acme/agents/capitals");
    expect(experiment_metadata).toMatchObject({ commit: "0123456789abcdef", run_id: "77", run_attempt: "2", job: "evals", matrix: "linux 20", deployment_id: "dep", revision_id: "rev", tool: "agent-deploy 0.1.0", format: "rows" });
    expect(experiment_metadata!["upload_id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(experiment_metadata!["dataset_fingerprint"]).toMatch(/^[0-9a-f]{64}$/);
  });

  test("names given by file or input are used as they are, inputs first; metadata is merged, but for the upload's id", async () => {
    const service = createService();
    const files = { "run.json": JSON.stringify({ experiment_name: "mine", dataset_name: "ours", experiment_metadata: { upload_id: "forged", commit: "their own", a: 1 }, results: [{ inputs: { q: 1 } }] }) };
    await uploadExperiments(await request(service, { overrides: { datasetId: "0b6f0f6e-0000-4000-8000-000000000001", experimentMetadata: { a: 2 } } }, files));
    const { experiment_name, dataset_name, dataset_id, experiment_metadata } = service.stored[0]!.body;
    expect([experiment_name, dataset_name, dataset_id]).toEqual(["mine", undefined, "0b6f0f6e-0000-4000-8000-000000000001"]);
    expect(experiment_metadata).toMatchObject({ commit: "their own", a: 2 });
    expect(experiment_metadata!["upload_id"]).not.toBe("forged");
  });

  test("two legs that upload the same file make two experiments of one dataset, none taken for the other", async () => {
    const service = createService({ answer: "lost" });
    const first = await request(service);
    const second = await request(service, { context: { ...first.context, matrix: '{"os":"mac","node":20}' }, random: () => 0.9 });
    const reports = [...(await uploadExperiments(first)).reports, ...(await uploadExperiments(second)).reports];
    expect(reports.map(({ outcome, experiment_id }) => [outcome, experiment_id])).toEqual([["uploaded", "e1"], ["uploaded", "e2"]]);
    expect(new Set(service.stored.map(({ body }) => body.experiment_name)).size).toBe(2);
    expect(new Set(service.stored.map(({ body }) => body.dataset_name)).size).toBe(1);
  });

  test("with any problem nothing is sent", async () => {
    const service = createService();
    for (const more of [{ overrides: { datasetId: "x" } }, { drop: ["inputs"] }, { overrides: { experimentMetadata: "x" } }]) {
      const { problems, reports } = await uploadExperiments(await request(service, more));
      expect([problems.length, reports.length]).toEqual([1, 0]);
    }
    const twice = await uploadExperiments(await request(service, { overrides: { experimentName: "same" } }, { "a.jsonl": ROWS, "b.jsonl": ROWS }));
    expect(twice.problems[0]!.message).toMatch(/"same" is also that of a.jsonl/);
    const empty = await uploadExperiments(await request(service, {}, { "a.json": '{"dataset_name":"d","results":[]}' }));
    expect(empty.problems[0]!.message).toMatch(/no rows to upload/);
    expect(service.sent()).toBe(0);
  });

  test("a dry run prints the exact body and sends nothing", async () => {
    const printed: Uint8Array[] = [];
    const service = createService();
    const dry = await uploadExperiments(await request(null, { print: (chunk) => void printed.push(chunk) }));
    await uploadExperiments(await request(service));
    expect(dry.reports[0]!.outcome).toBe("dry-run");
    expect(JSON.parse(Buffer.concat(printed).toString("utf8"))).toEqual(service.stored[0]!.body);
  });
});

describe("when the answer is lost", () => {
  test("an experiment that carries this upload's id is ours", async () => {
    const service = createService({ answer: "lost" });
    const { reports } = await uploadExperiments(await request(service));
    expect([reports[0]!.outcome, reports[0]!.experiment_id, service.sent()]).toEqual(["uploaded", "e1", 1]);
  });

  test.each([["lost-untaken", undefined, /shows no experiment of this upload so far; it was not sent again/], ["lost", "broken", /the lookup failed as well/], ["lost", "absent", /cannot be asked by name/]] as const)("%s with a lookup that is %s ends unknown, with what to do", async (answer, lookup, words) => {
    const service = createService({ answer, ...(lookup === undefined ? {} : { lookup }) });
    const { reports } = await uploadExperiments(await request(service));
    expect([reports[0]!.outcome, reports[0]!.experiment_id, service.sent()]).toEqual(["unknown", null, 1]);
    expect(reports[0]!.message).toMatch(words);
    expect(reports[0]!.message).toMatch(/Look for "capitals-/);
  });

  test("a name conflict with another's experiment is unknown and says so", async () => {
    const { reports } = await uploadExperiments(await request(createService({ answer: "conflict" })));
    expect(reports[0]!.outcome).toBe("unknown");
    expect(reports[0]!.message).toMatch(/already exists.*it is another's/s);
  });
});

describe("when it goes wrong", () => {
  test("a body that is too large is answered with a plan: what weighs most and what can go", async () => {
    const { reports } = await uploadExperiments(await request(createService({ answer: "413" })));
    expect(reports[0]!.outcome).toBe("failed");
    expect(reports[0]!.message).toMatch(/run_metadata \d+ B \(\d+ %\).*drop: run_metadata leaves \d+ B/s);
  });

  test("drop leaves the field out of every row", async () => {
    const service = createService();
    await uploadExperiments(await request(service, { drop: ["run_metadata"] }));
    expect(service.stored[0]!.body.results.map((row) => Object.keys(row))).toEqual([["row_id", "inputs", "evaluation_scores", "start_time", "end_time"], ["row_id", "inputs", "evaluation_scores", "start_time", "end_time"]]);
  });

  test("means that differ from ours are said, after a bounded wait", async () => {
    const given = await request(createService({ wrongMean: true }));
    const { reports } = await uploadExperiments(given);
    expect(reports[0]!.outcome).toBe("uploaded");
    expect(reports[0]!.warnings.join("\n")).toMatch(/mean of a is 0\.6, ours 0\.5/);
    expect((given.clock as ReturnType<typeof createManualClock>).slept()).toBeLessThanOrEqual(60_000);
  });

  test("statistics that never come are said, and the upload stays uploaded", async () => {
    const { reports } = await uploadExperiments(await request(createService({ statisticsAfter: 1e9 })));
    expect(reports[0]!.warnings.join("\n")).toMatch(/no statistics of the experiment yet/);
  });

  test("a file that changes between check and upload fails the upload and says so", async () => {
    const given = await request(createService());
    const [experiment] = given.experiments;
    const texts = async function* (): AsyncGenerator<readonly Buffer[]> {
      const { refusal } = await import("../../src/experiment/problem.ts");
      yield [];
      throw refusal({ file: "evals/capitals.jsonl" }, "changed while it was read");
    };
    const { reports } = await uploadExperiments({ ...given, experiments: [{ ...experiment!, texts }] });
    expect(reports[0]).toMatchObject({ outcome: "failed", message: expect.stringMatching(/changed while it was read; the upload was broken off/) });
  });

  test("uploads can be checked alone, before a deploy", async () => {
    const { uploads, problems } = checkUploads(await request(null));
    expect([uploads.length, problems]).toEqual([1, []]);
  });
});
