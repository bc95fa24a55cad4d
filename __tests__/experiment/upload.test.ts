import { describe, expect, test } from "@jest/globals";
import type { Clock } from "../../src/clock.ts";
import { ExperimentBody } from "../../src/experiment/input/row.ts";
import {
  uploadExperiments,
  type UploadPort,
  type UploadRequest,
} from "../../src/experiment/upload.ts";
import type { TracingSession } from "../../src/service/tracing.ts";
import { readTexts } from "./read-text.ts";

/** Time that passes only when somebody sleeps. */
function createManualClock(): Clock & { readonly slept: () => number } {
  let now = 0;
  return {
    now: () => now,
    monotonic: () => now,
    sleep: async (ms) => {
      now += ms;
    },
    slept: () => now,
  };
}

interface Stored {
  readonly id: string;
  readonly body: ExperimentBody;
}

/** `late`: the answer is lost, and the service stores the body only when the next one comes. */
type Answer = "taken" | "lost" | "lost-untaken" | "late" | "413" | "conflict";

interface Scenario {
  readonly answer?: Answer | readonly Answer[];
  readonly names?: "unique" | "duplicates";
  readonly statisticsAfter?: number;
  readonly wrongMean?: boolean;
  /** The service keeps no metadata. */
  readonly forgetful?: boolean;
  readonly lookup?: "absent" | "broken" | "broken-at-last";
}

/** A tracing service in memory: it takes what it is sent, and then answers as the scenario says; the last answer is given ever after. */
function createService(scenario: Scenario = {}): UploadPort & {
  readonly stored: Stored[];
  readonly bodies: ExperimentBody[];
  readonly sent: () => number;
} {
  const stored: Stored[] = [];
  const late: Stored[] = [];
  const bodies: ExperimentBody[] = [];
  let sent = 0;
  let reads = 0;
  const answerTo = (n: number): Answer =>
    typeof scenario.answer === "object"
      ? scenario.answer[Math.min(n, scenario.answer.length) - 1]!
      : (scenario.answer ?? "taken");
  const toSession = ({ id, body }: Stored, statistics: boolean): TracingSession => {
    const keys = new Set(
      body.results.flatMap(({ evaluation_scores = [] }) =>
        evaluation_scores.flatMap(({ key, score }) => (score === undefined ? [] : [key])),
      ),
    );
    const stats = Object.fromEntries(
      [...keys].map((key) => {
        const scores = body.results.flatMap(({ evaluation_scores = [] }) =>
          evaluation_scores.filter((feedback) => feedback.key === key).map(({ score }) => score!),
        );
        return [
          key,
          {
            n: scores.length,
            avg:
              scores.reduce((sum, score) => sum + score, 0) / scores.length +
              (scenario.wrongMean ? 0.1 : 0),
          },
        ];
      }),
    );
    return {
      id,
      name: body.experiment_name,
      tenant_id: "t1",
      dataset_id: "d1",
      test_run_number: 4,
      run_count: statistics ? body.results.length : null,
      metadata: (scenario.forgetful
        ? {}
        : (body.experiment_metadata ?? {})) as TracingSession["metadata"],
      body: { feedback_stats: statistics ? stats : null } as TracingSession["body"],
    };
  };
  return {
    stored,
    bodies,
    sent: () => sent,
    uploadExperiment: async (toBody) => {
      sent += 1;
      let text = "";
      for await (const chunk of toBody()) text += Buffer.from(chunk).toString("latin1");
      const body = ExperimentBody.parse(JSON.parse(Buffer.from(text, "latin1").toString("utf8")));
      bodies.push(body);
      const answer = answerTo(sent);
      if (answer === "413")
        return { state: "refused", status: 413, error: new Error("POST /upload: 413 Too Large.") };
      const entry = { id: `e${sent}`, body };
      const conflict = {
        state: "refused",
        status: 409,
        error: new Error("POST /upload: 409 Session already exists."),
      } as const;
      if (answer === "conflict") {
        stored.push({
          id: "other",
          body: { ...body, experiment_metadata: { upload_id: "somebody else's" } },
        });
        return conflict;
      }
      stored.push(...late.splice(0));
      if (
        scenario.names !== "duplicates" &&
        stored.some((one) => one.body.experiment_name === body.experiment_name)
      )
        return conflict;
      if (answer === "late") late.push(entry);
      else if (answer !== "lost-untaken") stored.push(entry);
      if (answer !== "taken")
        return { state: "unknown", error: new Error("POST /upload: the connection broke.") };
      return {
        state: "taken",
        reply: {
          dataset: { id: "d1", name: body.dataset_name ?? "made up", body: { tenant_id: "t1" } },
          experiment: toSession(entry, false),
        },
      };
    },
    getSession: async (id) => {
      reads += 1;
      const found = stored.find((entry) => entry.id === id);
      return found === undefined ? null : toSession(found, reads > (scenario.statisticsAfter ?? 2));
    },
    findSessionsByName: async (name) => {
      if (
        scenario.lookup === "broken" ||
        (scenario.lookup === "broken-at-last" && stored.length > 0)
      )
        throw new Error("GET /sessions: 503.");
      if (scenario.lookup === "absent") return { state: "absent-lookup", status: 404 };
      return {
        state: "found",
        items: stored
          .filter(({ body }) => body.experiment_name === name)
          .map((entry) => toSession(entry, false)),
      };
    },
  };
}

const ROWS =
  '{"inputs":{"q":"é€😀"},"evaluation_scores":[{"key":"a","score":1}],"run_metadata":{"big":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}}\n{"inputs":{"q":2},"evaluation_scores":[{"key":"a","score":0}]}\n';

async function request(
  tracing: UploadPort | null,
  more: Partial<UploadRequest> = {},
  files: Record<string, string> = { "evals/capitals.jsonl": ROWS },
): Promise<UploadRequest> {
  const { experiments, problems } = await readTexts(files);
  expect(problems).toEqual([]);
  let seed = 0;
  return {
    experiments,
    tracing,
    overrides: {},
    drop: [],
    print: () => undefined,
    ui: "https://ui.example/",
    clock: createManualClock(),
    random: () => (seed = (seed + 0.37) % 1),
    progress: () => undefined,
    context: {
      repository: "acme/agents",
      commit: "0123456789abcdef",
      runId: "77",
      runAttempt: "2",
      job: "evals",
      matrix: '{"os":"linux","node":20}',
      runUrl: "https://ci/77",
      deploymentId: "dep",
      revisionId: "rev",
      tool: "agent-deploy 0.1.0",
    },
    ...more,
  };
}

describe("uploading", () => {
  test("one experiment is sent once, read back until its statistics are there, and linked", async () => {
    const service = createService();
    const given = await request(service);
    const judgedAs = () => ({
      verdict: "pass",
      anchor: null,
      comparedWith: { id: "base", dataset_id: "d1" },
    });
    const { reports } = await uploadExperiments({
      ...given,
      context: { ...given.context, judgedAs },
    });
    expect(service.sent()).toBe(1);
    expect(reports).toEqual([
      expect.objectContaining({
        file: "evals/capitals.jsonl",
        format: "rows",
        outcome: "uploaded",
        rows: 2,
        errors: 0,
        experiment_id: "e1",
        test_run_number: 4,
        dataset_id: "d1",
        dataset_name: "acme/agents/capitals",
        experiment_url: "https://ui.example/o/t1/datasets/d1/compare?selectedSessions=e1",
        compare_url: "https://ui.example/o/t1/datasets/d1/compare?selectedSessions=e1%2Cbase",
        scores: { a: { mean: 0.5, n: 2 } },
      }),
    ]);
    expect(reports[0]!.message).toMatch(/row count and averages match/);
  });

  test("names contain suite, commit, run, attempt, job and leg, and metadata has the upload's id, the deployment and the dataset", async () => {
    const service = createService();
    await uploadExperiments(await request(service));
    const { experiment_name, dataset_name, experiment_metadata } = service.stored[0]!.body;
    expect(experiment_name).toMatch(/^capitals-0123456-77\.2-evals-linux 20-[0-9a-f]{8}$/);
    expect(dataset_name).toBe("acme/agents/capitals");
    expect(experiment_metadata).toMatchObject({
      commit: "0123456789abcdef",
      run_id: "77",
      run_attempt: "2",
      job: "evals",
      matrix: "linux 20",
      deployment_id: "dep",
      revision_id: "rev",
      tool: "agent-deploy 0.1.0",
      format: "rows",
    });
    expect(experiment_metadata!["upload_id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(experiment_metadata!["dataset_fingerprint"]).toMatch(/^[0-9a-f]{64}$/);
  });

  test("names given by file or input are used as they are, inputs first, and metadata is merged, except for the upload's id", async () => {
    const service = createService();
    const files = {
      "run.json": JSON.stringify({
        experiment_name: "mine",
        dataset_name: "ours",
        experiment_metadata: { upload_id: "forged", commit: "their own", a: 1 },
        results: [{ inputs: { q: 1 } }],
      }),
    };
    await uploadExperiments(
      await request(
        service,
        {
          overrides: {
            dataset_id: "0b6f0f6e-0000-4000-8000-000000000001",
            experiment_metadata: { a: 2 },
          },
        },
        files,
      ),
    );
    const { experiment_name, dataset_name, dataset_id, experiment_metadata } =
      service.stored[0]!.body;
    expect([experiment_name, dataset_name, dataset_id]).toEqual([
      "mine",
      undefined,
      "0b6f0f6e-0000-4000-8000-000000000001",
    ]);
    expect(experiment_metadata).toMatchObject({ commit: "their own", a: 2 });
    expect(experiment_metadata!["upload_id"]).not.toBe("forged");
  });

  test("two legs that upload the same file make two experiments of one dataset, and neither is mistaken for the other", async () => {
    const service = createService({ answer: "lost" });
    const first = await request(service);
    const second = await request(service, {
      context: { ...first.context, matrix: '{"os":"mac","node":20}' },
      random: () => 0.9,
    });
    const reports = [
      ...(await uploadExperiments(first)).reports,
      ...(await uploadExperiments(second)).reports,
    ];
    expect(reports.map(({ outcome, experiment_id }) => [outcome, experiment_id])).toEqual([
      ["uploaded", "e1"],
      ["uploaded", "e2"],
    ]);
    expect(new Set(service.stored.map(({ body }) => body.experiment_name)).size).toBe(2);
    expect(new Set(service.stored.map(({ body }) => body.dataset_name)).size).toBe(1);
  });

  test("nothing is sent if there is any problem", async () => {
    const service = createService();
    for (const more of [
      { overrides: { dataset_id: "x" } },
      { drop: ["inputs"] },
      { overrides: { experiment_metadata: "x" } },
    ]) {
      const { problems, reports } = await uploadExperiments(await request(service, more));
      expect([problems.length, reports.length]).toEqual([1, 0]);
    }
    const twice = await uploadExperiments(
      await request(
        service,
        { overrides: { experiment_name: "same" } },
        { "a.jsonl": ROWS, "b.jsonl": ROWS },
      ),
    );
    expect(twice.problems[0]!.message).toMatch(/"same" is also that of a.jsonl/);
    const empty = await uploadExperiments(
      await request(service, {}, { "a.json": '{"dataset_name":"d","results":[]}' }),
    );
    expect(empty.problems[0]!.message).toMatch(/no rows to upload/);
    expect(service.sent()).toBe(0);
  });

  test("a dry run prints the exact body and sends nothing", async () => {
    const printed: Uint8Array[] = [];
    const service = createService();
    const dry = await uploadExperiments(
      await request(null, { print: (chunk) => void printed.push(chunk) }),
    );
    await uploadExperiments(await request(service));
    expect(dry.reports[0]!.outcome).toBe("dry-run");
    expect(JSON.parse(Buffer.concat(printed).toString("utf8"))).toEqual(service.stored[0]!.body);
  });
});

describe("when the answer is lost", () => {
  test("an experiment that carries this upload's id is ours", async () => {
    const service = createService({ answer: "lost" });
    const { reports } = await uploadExperiments(await request(service));
    expect([reports[0]!.outcome, reports[0]!.experiment_id, service.sent()]).toEqual([
      "uploaded",
      "e1",
      1,
    ]);
  });

  test("the upload is sent again if the service was read and does not have it, with the same name, id and bytes", async () => {
    const service = createService({ answer: ["lost-untaken", "lost-untaken", "taken"] });
    const lines: string[] = [];
    const { reports } = await uploadExperiments(
      await request(service, { progress: (line) => lines.push(line) }),
    );
    expect([
      reports[0]!.outcome,
      reports[0]!.experiment_id,
      service.stored.length,
      service.sent(),
    ]).toEqual(["uploaded", "e3", 1, 3]);
    expect(service.bodies.slice(1)).toEqual([service.bodies[0], service.bodies[0]]);
    expect(reports[0]!.warnings.join("\n")).toMatch(
      /sent 3 times: .*the service was read and did not have it/,
    );
    expect(lines.join("\n")).toMatch(
      /the service does not have it: sending again \(2 of at most 5\)/,
    );
  });

  test("nothing is sent again before the service has been read for 15 seconds", async () => {
    const service = createService({ answer: ["lost-untaken", "lost-untaken", "taken"] });
    const given = await request(service);
    const sentAt: number[] = [];
    await uploadExperiments({
      ...given,
      tracing: {
        ...service,
        uploadExperiment: (body) => {
          sentAt.push(given.clock.monotonic());
          return service.uploadExperiment(body);
        },
      },
    });
    expect(sentAt[1]! - sentAt[0]!).toBeGreaterThanOrEqual(15_000);
    expect(sentAt[2]! - sentAt[1]!).toBeGreaterThanOrEqual(15_000);
  });

  test("an experiment of that name without the id is not taken for ours, and nothing is sent again", async () => {
    const service = createService({ answer: "lost", names: "duplicates", forgetful: true });
    const { reports } = await uploadExperiments(await request(service));
    expect([reports[0]!.outcome, reports[0]!.experiment_id, service.sent()]).toEqual([
      "unknown",
      null,
      1,
    ]);
    expect(reports[0]!.message).toMatch(/does not carry this upload's id.*was not sent again/s);
  });

  test("a first copy that arrives late is a name conflict, and is ours by its id", async () => {
    const service = createService({ answer: ["late", "taken"] });
    const { reports } = await uploadExperiments(await request(service));
    expect([
      reports[0]!.outcome,
      reports[0]!.experiment_id,
      service.stored.length,
      service.sent(),
    ]).toEqual(["uploaded", "e1", 1, 2]);
  });

  test("a first copy that arrives late fails the upload if names may repeat, and both are named", async () => {
    const service = createService({ answer: ["late", "taken"], names: "duplicates" });
    const { reports } = await uploadExperiments(await request(service));
    expect([reports[0]!.outcome, service.stored.length]).toEqual(["failed", 2]);
    expect(reports[0]!.message).toMatch(
      /the service holds this upload 2 times \(e1, e2\).*delete all but one/is,
    );
  });

  test("a failed lookup after the second attempt leaves it unknown whether there are two", async () => {
    const { reports } = await uploadExperiments(
      await request(createService({ answer: ["lost-untaken", "taken"], lookup: "broken-at-last" })),
    );
    expect([reports[0]!.outcome, reports[0]!.experiment_id]).toEqual(["unknown", "e2"]);
    expect(reports[0]!.message).toMatch(
      /stored as e2.*sent 2 times.*an earlier copy may be stored as well.*GET \/sessions: 503.*Look for "capitals-/s,
    );
  });

  /** The report of an upload whose list shows nothing for so long after something was stored. */
  const lagging = async (answer: readonly Answer[], hiddenForMs: number) => {
    const service = createService({ answer });
    const given = await request(service);
    let storedAt = Infinity;
    const port: UploadPort = {
      ...service,
      uploadExperiment: async (body) => {
        const result = await service.uploadExperiment(body);
        if (service.stored.length > 0) storedAt = given.clock.monotonic();
        return result;
      },
      findSessionsByName: async (name) =>
        given.clock.monotonic() - storedAt < hiddenForMs
          ? { state: "found", items: [] }
          : service.findSessionsByName(name),
    };
    return (await uploadExperiments({ ...given, tracing: port })).reports[0]!;
  };

  test("a list that lags is waited for, and one that never shows what is stored leaves the outcome unknown", async () => {
    const shown = await lagging(["lost-untaken", "taken"], 10_000);
    expect([shown.outcome, shown.experiment_id]).toEqual(["uploaded", "e2"]);
    const hidden = await lagging(["lost-untaken", "taken"], Infinity);
    expect([hidden.outcome, hidden.experiment_id]).toEqual(["unknown", "e2"]);
    expect(hidden.message).toMatch(/the service's list does not show it yet/);
  });

  test("a list that lags is waited for after a name conflict too", async () => {
    const report = await lagging(["late", "taken"], 10_000);
    expect([report.outcome, report.experiment_id]).toEqual(["uploaded", "e1"]);
  });

  test("five attempts that the service never stores are the end, with advice", async () => {
    const service = createService({ answer: "lost-untaken" });
    const { reports } = await uploadExperiments(await request(service));
    expect([reports[0]!.outcome, reports[0]!.experiment_id, service.sent()]).toEqual([
      "unknown",
      null,
      5,
    ]);
    expect(reports[0]!.message).toMatch(
      /sent 5 times, and after each attempt the service did not have it.*Look for "capitals-/s,
    );
  });

  test("a refusal after a lost answer is reported once a read has shown that nothing is stored", async () => {
    const service = createService({ answer: ["lost-untaken", "413"] });
    const { reports } = await uploadExperiments(await request(service));
    expect([reports[0]!.outcome, service.sent(), reports[0]!.message]).toEqual([
      "failed",
      2,
      expect.stringMatching(/413 Too Large/),
    ]);
    const lost = createService({ answer: ["late", "413"] });
    const second = {
      ...lost,
      uploadExperiment: (body: Parameters<typeof lost.uploadExperiment>[0]) => {
        if (lost.sent() === 1) lost.stored.push({ id: "e1", body: lost.bodies[0]! });
        return lost.uploadExperiment(body);
      },
    };
    expect((await uploadExperiments(await request(second))).reports[0]).toMatchObject({
      outcome: "uploaded",
      experiment_id: "e1",
    });
  });

  test.each([
    ["broken", /the lookup failed as well: GET \/sessions: 503/],
    ["absent", /cannot be asked by name/],
  ] as const)(
    "with a lookup that is %s the upload is not sent again and ends unknown, with advice",
    async (lookup, words) => {
      for (const answer of ["lost", "lost-untaken"] as const) {
        const service = createService({ answer, lookup });
        const { reports } = await uploadExperiments(await request(service));
        expect([reports[0]!.outcome, reports[0]!.experiment_id, service.sent()]).toEqual([
          "unknown",
          null,
          1,
        ]);
        expect(reports[0]!.message).toMatch(words);
        expect(reports[0]!.message).toMatch(/Look for "capitals-/);
      }
    },
  );

  test("a cancel during the lookup sends nothing more and says what is unknown", async () => {
    const service = createService({ answer: "lost-untaken" });
    const given = await request(service);
    const stop = new AbortController();
    const clock: Clock = {
      ...given.clock,
      sleep: async () => {
        stop.abort(new Error("SIGINT"));
        throw stop.signal.reason;
      },
    };
    const { reports } = await uploadExperiments({ ...given, clock, signal: stop.signal });
    expect([reports[0]!.outcome, service.sent(), reports[0]!.message]).toEqual([
      "unknown",
      1,
      expect.stringMatching(/cancelled.*Look for "capitals-/s),
    ]);
  });

  test("a name conflict with another's experiment ends as unknown and says so", async () => {
    const { reports } = await uploadExperiments(
      await request(createService({ answer: "conflict" })),
    );
    expect(reports[0]!.outcome).toBe("unknown");
    expect(reports[0]!.message).toMatch(/already exists.*it is another's/s);
  });
});

describe("when it goes wrong", () => {
  test("a body that is too large gets a plan: what weighs most and what can be dropped", async () => {
    const { reports } = await uploadExperiments(await request(createService({ answer: "413" })));
    expect(reports[0]!.outcome).toBe("failed");
    expect(reports[0]!.message).toMatch(
      /run_metadata \d+ B \(\d+ %\).*write `drop: run_metadata` \(leaves \d+ B\)/s,
    );
  });

  test("drop leaves the field out of every row", async () => {
    const service = createService();
    await uploadExperiments(await request(service, { drop: ["run_metadata"] }));
    expect(service.stored[0]!.body.results.map((row) => Object.keys(row))).toEqual([
      ["row_id", "inputs", "evaluation_scores", "start_time", "end_time"],
      ["row_id", "inputs", "evaluation_scores", "start_time", "end_time"],
    ]);
  });

  test("texts are cut with a mark, ids stay those of the whole inputs, and the report says how much was cut; a dry run shows the same", async () => {
    const files = {
      "rows.jsonl": `${JSON.stringify({ inputs: { q: "q".repeat(3000) }, actual_outputs: { a: "a".repeat(3000) }, evaluation_scores: [{ key: "a", score: 1 }] })}\n${ROWS}`,
    };
    const [whole, cut, printed] = [createService(), createService(), [] as Uint8Array[]];
    const drop = ["inputs.q:100", "actual_outputs:100", "run_metadata"];
    await uploadExperiments(await request(whole, {}, files));
    const { reports } = await uploadExperiments(await request(cut, { drop }, files));
    const dry = await uploadExperiments(
      await request(null, { drop, print: (chunk) => void printed.push(chunk) }, files),
    );
    const body = cut.stored[0]!.body;
    expect(body.results.map(({ row_id }) => row_id)).toEqual(
      whole.stored[0]!.body.results.map(({ row_id }) => row_id),
    );
    expect([
      body.results[0]!.inputs,
      body.results[0]!.actual_outputs,
      body.results[1]!.run_metadata,
    ]).toEqual([
      { q: `${"q".repeat(100)}… [cut by agent-deploy: 2900 of 3000 characters]` },
      { a: `${"a".repeat(100)}… [cut by agent-deploy: 2900 of 3000 characters]` },
      undefined,
    ]);
    expect(JSON.parse(Buffer.concat(printed).toString("utf8"))).toEqual(body);
    for (const { warnings } of [reports[0]!, dry.reports[0]!])
      expect(warnings).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^drop inputs\.q:100 cut 1 text in 1 row, 2900 characters/),
          expect.stringMatching(/^drop actual_outputs:100 cut 1 text/),
        ]),
      );
  });

  test("what was cut is counted once, however often the body is sent", async () => {
    const files = {
      "rows.jsonl": `${JSON.stringify({ inputs: { q: "q".repeat(3000) }, evaluation_scores: [{ key: "a", score: 1 }] })}\n`,
    };
    const { reports } = await uploadExperiments(
      await request(
        createService({ answer: ["lost-untaken", "taken"] }),
        { drop: ["inputs:100"] },
        files,
      ),
    );
    expect(reports[0]!.warnings.join("\n")).toMatch(/cut 1 text in 1 row, 2900 characters/);
  });

  test("means that differ from ours are reported, after a bounded wait", async () => {
    const given = await request(createService({ wrongMean: true }));
    const { reports } = await uploadExperiments(given);
    expect(reports[0]!.outcome).toBe("uploaded");
    expect(reports[0]!.warnings.join("\n")).toMatch(/mean of a is 0\.6, ours 0\.5/);
    expect((given.clock as ReturnType<typeof createManualClock>).slept()).toBeLessThanOrEqual(
      60_000,
    );
  });

  test("statistics that never come are reported, and the upload stays uploaded", async () => {
    const service = createService({ statisticsAfter: 1e9 });
    const { reports } = await uploadExperiments(await request(service));
    expect([reports[0]!.outcome, service.sent()]).toEqual(["uploaded", 1]);
    expect(reports[0]!.warnings.join("\n")).toMatch(/no statistics of the experiment yet/);
  });
});
