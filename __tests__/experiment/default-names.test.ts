import { describe, expect, test } from "@jest/globals";
import type { Experiment } from "../../src/experiment/experiment.ts";
import { datasetOf, prepareUploads, type UploadContext } from "../../src/experiment/naming.ts";
import { CI_CONTEXT } from "./plain-upload.ts";
import { readOne } from "./read-text.ts";

const ID = "0b6f0f6e-0000-4000-8000-000000000001";

async function experimentOf(suite: string, more: Partial<Experiment> = {}): Promise<Experiment> {
  const { experiment } = await readOne('[{"inputs":{"q":1}}]');
  return { ...experiment, suite, ...more };
}

const prepared = (
  experiments: readonly Experiment[],
  context: Partial<UploadContext> = {},
  overrides: Parameters<typeof prepareUploads>[1]["overrides"] = {},
) =>
  prepareUploads(experiments, {
    overrides,
    context: { ...CI_CONTEXT, ...context },
    createId: () => ID,
  });

async function nameOf(
  context: Partial<UploadContext>,
  suite = "caps",
  label = "",
): Promise<string> {
  const { uploads, problems } = prepared([await experimentOf(suite, { label })], context);
  expect(problems).toEqual([]);
  return uploads[0]!.header.experiment_name;
}

describe("the default name of an experiment", () => {
  test.each<[string, Partial<UploadContext>, string]>([
    ["commit, run, attempt and job", {}, "caps-0123456-7.1-evals-0b6f0f6e"],
    ["a run without attempt", { runAttempt: "" }, "caps-0123456-7-evals-0b6f0f6e"],
    ["an attempt without run", { runId: "" }, "caps-0123456-evals-0b6f0f6e"],
    [
      "only the suite and the digest if nothing else is known",
      { commit: "", runId: "", job: "" },
      "caps-0b6f0f6e",
    ],
    [
      "the values of a matrix leg",
      { matrix: '{"os":"linux","node":20}' },
      "caps-0123456-7.1-evals-linux 20-0b6f0f6e",
    ],
    [
      "the JSON of a matrix leg's lists",
      { matrix: '{"a":[1,{"b":2}]}' },
      'caps-0123456-7.1-evals-[1,{"b":2}]-0b6f0f6e',
    ],
    ["a matrix leg that is a number", { matrix: "5" }, "caps-0123456-7.1-evals-5-0b6f0f6e"],
    [
      "a matrix leg that is not JSON",
      { matrix: " linux " },
      "caps-0123456-7.1-evals-linux-0b6f0f6e",
    ],
    ["no matrix leg that is null", { matrix: " null " }, "caps-0123456-7.1-evals-0b6f0f6e"],
  ])("contains %s", async (_, context, name) => {
    expect(await nameOf(context)).toBe(name);
  });

  test("contains the label, on one line", async () => {
    expect(await nameOf({}, "caps", "a\n\tprompt ")).toBe(
      "caps-a prompt-0123456-7.1-evals-0b6f0f6e",
    );
  });

  // Its end takes 27 characters of 200.
  test.each([
    ["a suite of 173 characters whole", 173, "evals", 173, "0123456-7.1-evals-0b6f0f6e"],
    ["173 characters of a longer suite", 174, "evals", 173, "0123456-7.1-evals-0b6f0f6e"],
    [
      "20 characters of a suite before a long job, and 179 of the rest",
      30,
      "j".repeat(300),
      20,
      `0123456-7.1-${"j".repeat(167)}`,
    ],
  ])("keeps %s", async (_, suite, job, kept, end) => {
    expect(await nameOf({ job }, "s".repeat(suite))).toBe(`${"s".repeat(kept)}-${end}`);
  });

  test("never splits a character", async () => {
    expect(await nameOf({}, `${"s".repeat(172)}😀`)).toBe(
      `${"s".repeat(172)}-0123456-7.1-evals-0b6f0f6e`,
    );
  });
});

describe("the default name of a dataset", () => {
  test.each([
    ["repository and suite", "acme/agents", "caps", "acme/agents/caps"],
    ["a suite outside of a repository", "", "caps", "caps"],
    ["200 characters at most", "r", "s".repeat(300), `r/${"s".repeat(198)}`],
  ])("is %s", async (_, repository, suite, name) => {
    expect(datasetOf(await experimentOf(suite), {}, { repository })).toEqual({
      dataset_name: name,
    });
  });

  test("ignores an empty input", async () => {
    const experiment = await experimentOf("caps");
    const overrides = { dataset_name: "", experiment_name: "" };
    expect(datasetOf(experiment, overrides, CI_CONTEXT)).toEqual({
      dataset_name: "acme/agents/caps",
    });
    expect(prepared([experiment], {}, overrides).uploads[0]!.header).toMatchObject({
      experiment_name: "caps-0123456-7.1-evals-0b6f0f6e",
      dataset_name: "acme/agents/caps",
    });
  });

  test("is not needed if the input or the file identifies the dataset, and the input takes precedence", async () => {
    const given = await experimentOf("caps", { given: { dataset_id: ID } });
    expect(datasetOf(given, {}, CI_CONTEXT)).toEqual({ dataset_id: ID, dataset_name: undefined });
    expect(datasetOf(given, { dataset_name: "mine" }, CI_CONTEXT)).toEqual({
      dataset_id: undefined,
      dataset_name: "mine",
    });
  });
});

describe("experiments that are not uploaded", () => {
  const messages = (list: ReturnType<typeof prepared>): string[] =>
    list.problems.map(({ message }) => message);

  test("an experiment without rows is a problem with the reason for it", async () => {
    const empty = { rowCount: 0, notes: [] };
    expect(messages(prepared([await experimentOf("a", { ...empty, skipped: 1 })]))).toEqual([
      "every test was skipped (1), so there are no rows to upload",
    ]);
    expect(messages(prepared([await experimentOf("a", empty)]))).toEqual([
      "results is empty: there are no rows to upload; check that the run wrote them",
    ]);
    expect(
      messages(prepared([await experimentOf("a", { ...empty, notes: ["a is b", "c is d"] })])),
    ).toEqual(["results is empty: there are no rows to upload; a is b; c is d"]);
  });

  test("the same name for two experiments is a problem that names the first one and its label", async () => {
    const taken = (before: string): string =>
      `experiment_name "n" is also that of ${before}; names are unique in the service, ` +
      "so leave experiment-name out or upload one file";
    const given = { experiment_name: "n" };
    const first = await experimentOf("a", { file: "a.json", given });
    expect(messages(prepared([first, { ...first, file: "b.json" }]))).toEqual([taken("a.json")]);
    expect(messages(prepared([{ ...first, label: "gpt" }, first]))).toEqual([
      taken("a.json (gpt)"),
    ]);
  });
});

describe("the metadata of an upload", () => {
  const KNOWN = { digest: "d", fingerprint: "f", judge: "j2", commit: "c2", metadata: {} };
  const metadataOf = async (
    context: Partial<UploadContext>,
    more: Partial<Experiment> = {},
  ): Promise<Record<string, unknown>> => {
    const experiment = await experimentOf("caps", { ...KNOWN, ...more });
    return prepared([experiment], context).uploads[0]!.header.experiment_metadata as never;
  };
  const UNKNOWN = { repository: "", commit: "", runId: "", runAttempt: "", job: "", tool: "" };

  test("describes the run, with null for what is unknown", async () => {
    const about = {
      ...{ branch: "main", event: "push", runUrl: "https://ci/7", evaluator: "j1" },
      ...{ accepted: false },
      judgedAs: () => ({ verdict: "passed", anchor: "first", comparedWith: null }),
    };
    expect((await metadataOf(about, { metadata: { model: "m" } }))["agent_deploy"]).toEqual({
      ...{ version: 1, commit: "0123456789", branch: "main", event: "push" },
      ...{ run: "7", run_attempt: "1", run_url: "https://ci/7", complete: true, rows: 1 },
      ...{ digest: "d", dataset: "f", label: "", agent: null, evaluator: "j1", model: "m" },
      ...{ gate_verdict: "passed", accepted: false, anchor: "first" },
    });
    expect((await metadataOf(UNKNOWN, { metadata: { model: 4 } }))["agent_deploy"]).toEqual({
      ...{ version: 1, commit: "c2", branch: null, event: null },
      ...{ run: null, run_attempt: null, run_url: null, complete: true, rows: 1 },
      ...{ digest: "d", dataset: "f", label: "", agent: null, evaluator: "j2", model: null },
      ...{ gate_verdict: null, accepted: false, anchor: "caps-0b6f0f6e" },
    });
  });

  test("has its other keys only for what is known", async () => {
    const { agent_deploy: _, ...known } = await metadataOf(UNKNOWN, { commit: null });
    expect(known).toEqual({ format: "rows", dataset_fingerprint: "f", upload_id: ID });
    expect(await metadataOf({})).toMatchObject({ commit: "c2", repository: "acme/agents" });
  });

  test.each([
    ["complete", true],
    ["incomplete", false],
    ["cancelled", "cancelled"],
  ] as const)("marks a run as %s", async (state, complete) => {
    expect((await metadataOf({}, { state }))["agent_deploy"]).toMatchObject({ complete });
  });

  test("makes an experiment that a person accepted the one to compare with", async () => {
    const judgedAs = (): { verdict: null; anchor: string; comparedWith: null } => ({
      ...{ verdict: null, anchor: "first", comparedWith: null },
    });
    expect((await metadataOf({ accepted: true, judgedAs }))["agent_deploy"]).toMatchObject({
      accepted: true,
      anchor: "caps-0123456-7.1-evals-0b6f0f6e",
    });
    expect((await metadataOf({ judgedAs }))["agent_deploy"]).toMatchObject({ anchor: "first" });
  });
});
