// The vendor's SDKs read what was uploaded to the emulator, with and without /api/v1 in their address.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, refusals, runProgram, startEmulator } from "./emulator-client.mjs";
import { need, npmPrograms, pythonPrograms } from "./toolbox.mjs";

const PYTHON = "0.15.0";
const NPM = "0.12.0";

const PYTHON_READS = `
import asyncio, json, sys
from langsmith import Client
c = Client(api_url=sys.argv[1], api_key="k")
out = {}
p = c.read_project(project_name="run-1", include_stats=True)
out["project"] = str(p.id)
out["has"] = c.has_project("run-1") and c.has_dataset(dataset_name="suite")
d = c.read_dataset(dataset_name="suite")
out["dataset"] = d.example_count
out["datasets"] = len(list(c.list_datasets()))
out["projects"] = [x.name for x in c.list_projects(reference_dataset_id=d.id)]
examples = list(c.list_examples(dataset_id=d.id))
out["examples"] = [e.inputs["q"] for e in examples]
out["example"] = c.read_example(examples[0].id).outputs
runs = list(c.list_runs(project_id=p.id))
out["runs"] = len(runs)
out["run"] = c.read_run(runs[0].id).outputs
feedback = list(c.list_feedback(run_ids=[r.id for r in runs]))
out["feedback"] = sorted([f.key + "=" + str(f.score) for f in feedback])
out["one"] = c.read_feedback(feedback[0].id).key
out["version"] = c.read_dataset_version(dataset_id=d.id, tag="latest").tags
out["results"] = [len(e.runs) for e in c.get_experiment_results(project_id=p.id)["examples_with_runs"]]
async def cursor():
    return [e.inputs["q"] async for e in c.datasets.experiment_runs.query(str(d.id), experiment_ids=[str(p.id)])]
out["v2"] = asyncio.run(cursor())
print(json.dumps(out))
`;

const NPM_READS = `
import { Client } from "langsmith";
const c = new Client({ apiUrl: process.argv[2], apiKey: "k" });
const all = async (list) => { const out = []; for await (const one of list) out.push(one); return out; };
const out = {};
const p = await c.readProject({ projectName: "run-1", includeStats: true });
out.project = p.id;
out.has = (await c.hasProject({ projectName: "run-1" })) && (await c.hasDataset({ datasetName: "suite" }));
const d = await c.readDataset({ datasetName: "suite" });
out.dataset = d.example_count;
out.datasets = (await all(c.listDatasets())).length;
out.projects = (await all(c.listProjects({ referenceDatasetId: d.id }))).map((one) => one.name);
const examples = await all(c.listExamples({ datasetId: d.id }));
out.examples = examples.map((one) => one.inputs.q);
out.example = (await c.readExample(examples[0].id)).outputs;
const runs = await all(c.listRuns({ projectId: p.id }));
out.runs = runs.length;
out.run = (await c.readRun(runs[0].id)).outputs;
const feedback = await all(c.listFeedback({ runIds: runs.map((one) => one.id) }));
out.feedback = feedback.map((one) => one.key + "=" + one.score).sort();
out.one = (await c.readFeedback(feedback[0].id)).key;
out.splits = await c.listDatasetSplits({ datasetId: d.id });
out.diff = await c.diffDatasetVersions({ datasetId: d.id, fromVersion: "a", toVersion: "b" });
console.log(JSON.stringify(out));
`;

const row = (i) => ({
  row_id: `00000000-0000-4000-8000-00000000000${i}`,
  inputs: { q: `question ${i}` },
  expected_outputs: { a: i },
  actual_outputs: { a: i },
  evaluation_scores: [{ key: "right", score: i % 2 }],
  start_time: "2026-01-01T00:00:01Z",
  end_time: "2026-01-01T00:00:02Z",
});

async function readBoth(check, name, read) {
  const emulator = await startEmulator();
  try {
    await call(emulator.url, "POST", "/api/v1/datasets/upload-experiment", {
      experiment_name: "run-1",
      experiment_start_time: "2026-01-01T00:00:00Z",
      experiment_end_time: "2026-01-01T01:00:00Z",
      dataset_name: "suite",
      results: [row(1), row(2), row(3)],
    });
    for (const prefix of ["", "/api", "/api/v1"]) {
      const what = `${name} with ${prefix === "" ? "no prefix" : prefix}`;
      const done = await read(emulator.url + prefix, emulator.folder);
      check(`${what} ends with 0`, done.code === 0, done.stderr);
      if (done.code !== 0) continue;
      const seen = JSON.parse(done.stdout.trim().split("\n").at(-1));
      check(`${what} finds project and dataset`, seen.has === true && seen.dataset === 3, seen);
      check(`${what} reads examples`, seen.examples.length === 3 && seen.example.a > 0, seen);
      check(`${what} reads runs`, seen.runs === 3 && seen.run.a > 0, seen);
      check(`${what} reads feedback`, seen.feedback.join() === "right=0,right=1,right=1", seen);
      check(
        `${what} reads results`,
        (seen.results ?? [1]).every((n) => n === 1),
        seen,
      );
      check(`${what} reads by cursor`, (seen.v2 ?? seen.examples).length === 3, seen);
    }
    const refused = await refusals(emulator.url);
    check(`${name}: nothing was refused`, refused.length === 0, JSON.stringify(refused));
  } finally {
    await emulator.stop();
  }
}

/** What npm run realworld runs. */
export const parties = [
  {
    name: "langsmith-python",
    version: PYTHON,
    run: async ({ check }) => {
      const bin = await pythonPrograms("langsmith", [`langsmith==${PYTHON}`], "python");
      await readBoth(check, "Python", (url) =>
        runProgram(`${bin}/python`, ["-W", "ignore", "-c", PYTHON_READS, url]),
      );
      return "reads of projects, datasets, examples, runs, feedback and experiment results";
    },
  },
  {
    name: "langsmith-npm",
    version: NPM,
    run: async ({ check }) => {
      need("npm", "npm");
      const bin = await npmPrograms("langsmith", [`langsmith@${NPM}`], "../langsmith/package.json");
      const program = join(bin, "..", "..", "reads.mjs");
      writeFileSync(program, NPM_READS);
      await readBoth(check, "npm", (url) => runProgram(process.execPath, [program, url]));
      return "reads of projects, datasets, examples, runs, feedback, splits and versions";
    },
  },
];
