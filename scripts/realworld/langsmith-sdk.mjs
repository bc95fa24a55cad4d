// The vendor's SDKs read what was uploaded to the emulator, with and without /api/v1 in their address.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, refusals, runProgram, startEmulator } from "./emulator-client.mjs";
import { need, npmPrograms, pythonPrograms } from "./toolbox.mjs";

const PYTHON = "0.15.0";
const NPM = "0.12.0";

const PYTHON_READS = `
import asyncio, datetime, json, sys
from langsmith import Client
from langsmith.utils import LangSmithNotFoundError
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
old = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
both = 'and(eq(feedback_key, "right"), eq(feedback_score, 1))'
out["filtered"] = len(list(c.list_runs(project_id=p.id, filter=both)))
out["thread"] = len(list(c.read_thread(thread_id="odd", project_id=p.id)))
out["threads"] = sorted([t["thread_id"] for t in c.list_threads(project_id=p.id, start_time=old)])
out["stats"] = c.get_run_stats(project_ids=[p.id], filter='search("question")')["run_count"]
out["tuned"] = len(c.read_dataset_openai_finetuning(d.id))
out["shared"] = c.run_is_shared(runs[0].id)
share = "11111111-1111-4111-8111-111111111111"
rest = {
    "thread of errors": lambda: c.read_thread(thread_id="odd", project_id=p.id, filter='eq(status, "error")'),
    "children": lambda: c.read_run(runs[0].id, load_child_runs=True),
    "run url": lambda: c.get_run_url(run=runs[0]),
    "old runs": lambda: c.list_runs(project_id=p.id, filter='and(or(has(tags, "a"), gt(latency, "2s")), neq(error, null))'),
    "examples": lambda: c.list_examples(dataset_id=d.id, filter='not(exists(metadata, "a"))'),
    "results": lambda: list(c.get_experiment_results(project_id=p.id, filters={p.id: ["gt(feedback_score, 0)"]})["examples_with_runs"]),
    "shared run": lambda: c.read_shared_run(share),
    "shared runs": lambda: c.list_shared_runs(share),
    "shared dataset": lambda: c.read_shared_dataset(share),
    "shared examples": lambda: c.list_shared_examples(share),
    "shared projects": lambda: c.list_shared_projects(dataset_share_token=share),
    "difference": lambda: c.diff_dataset_versions(d.id, from_version="a", to_version="b"),
    "versions": lambda: c.list_dataset_versions(dataset_id=d.id),
    "splits": lambda: c.list_dataset_splits(dataset_id=d.id),
    "tokens": lambda: c.list_presigned_feedback_tokens(runs[0].id),
    "configurations": lambda: c.list_feedback_configs(),
    "queues": lambda: c.list_annotation_queues(),
    "queue": lambda: c.read_annotation_queue(share),
    "queue run": lambda: c.get_run_from_annotation_queue(share, index=0),
    "queue runs": lambda: c.list_runs_from_annotation_queue(share),
    "prompts": lambda: c.list_prompts(query="a"),
    "prompt": lambda: c.get_prompt("a"),
    "pull": lambda: c.pull_prompt("a"),
    "commit": lambda: c.pull_prompt_commit("a", include_model=True),
    "commits": lambda: c.list_prompt_commits("a"),
    "agents": lambda: c.list_agents(),
    "skills": lambda: c.list_skills(),
    "agent": lambda: c.agent_exists("a") or c.pull_agent("a"),
    "skill": lambda: c.skill_exists("a") or c.pull_skill("a"),
    "insights": lambda: c.get_insights_report(id=share, project_id=p.id),
    "issues": lambda: c.list_project_issues("run-1"),
}
out["failed"] = []
for name, read in rest.items():
    try:
        found = read()
        if hasattr(found, "__next__"):
            list(found)
    except LangSmithNotFoundError:
        pass
    except Exception as error:
        out["failed"].append(name + ": " + str(error)[:300])
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
const startTime = new Date("2020-01-01");
const filter = 'and(eq(feedback_key, "right"), eq(feedback_score, 1))';
out.filtered = (await all(c.listRuns({ projectId: p.id, filter }))).length;
out.thread = (await all(c.readThread({ threadId: "odd", projectId: p.id }))).length;
out.threads = (await c.listThreads({ projectId: p.id, startTime })).map((one) => one.thread_id).sort();
out.stats = (await c.getRunStats({ projectIds: [p.id], filter: 'search("question")' })).run_count;
out.tuned = (await c.readDatasetOpenaiFinetuning({ datasetId: d.id })).length;
out.shared = (await c.readRunSharedLink(runs[0].id)) !== undefined;
const share = "11111111-1111-4111-8111-111111111111";
const rest = {
  groups: () => all(c.listGroupRuns({ projectId: p.id, groupBy: "conversation", startTime })),
  children: () => c.readRun(runs[0].id, { loadChildRuns: true }),
  "run url": () => c.getRunUrl({ runId: runs[0].id }),
  "project url": () => c.getProjectUrl({ projectId: p.id }),
  "dataset url": () => c.getDatasetUrl({ datasetId: d.id }),
  examples: () => all(c.listExamples({ datasetId: d.id, filter: 'exists(metadata, "a")' })),
  "shared dataset": () => c.readSharedDataset(share),
  "shared examples": () => c.listSharedExamples(share),
  version: () => c.readDatasetVersion({ datasetId: d.id, tag: "latest" }),
  tokens: () => all(c.listPresignedFeedbackTokens(runs[0].id)),
  configurations: () => all(c.listFeedbackConfigs()),
  queues: () => all(c.listAnnotationQueues()),
  queue: () => c.readAnnotationQueue(share),
  "queue run": () => c.getRunFromAnnotationQueue(share, 0),
  "queue runs": () => all(c.listRunsFromAnnotationQueue(share)),
  "queue size": () => c.getSizeFromAnnotationQueue(share),
  prompts: () => all(c.listPrompts({ query: "a" })),
  prompt: () => c.getPrompt("a"),
  "prompt exists": () => c.promptExists("a"),
  commit: () => c.pullPromptCommit("a"),
  commits: () => all(c.listCommits("a")),
  agents: () => all(c.listAgents()),
  skills: () => all(c.listSkills()),
  agent: async () => (await c.agentExists("a")) || c.pullAgent("a"),
  skill: async () => (await c.skillExists("a")) || c.pullSkill("a"),
};
out.failed = [];
for (const [name, read] of Object.entries(rest))
  await read().catch((error) => {
    if (!/404/.test(error.message)) out.failed.push(name + ": " + error.message);
  });
console.log(JSON.stringify(out));
`;

const row = (i) => ({
  row_id: `00000000-0000-4000-8000-00000000000${i}`,
  inputs: { q: `question ${i}`, messages: [{ role: "user", content: `question ${i}` }] },
  expected_outputs: { a: i },
  actual_outputs: { a: i },
  evaluation_scores: [{ key: "right", score: i % 2 }],
  run_metadata: { thread_id: i % 2 === 1 ? "odd" : "even" },
  start_time: "2026-01-01T00:00:01Z",
  end_time: "2026-01-01T00:00:02Z",
});

async function readBoth(check, name, read) {
  const emulator = await startEmulator({ limits: "off" });
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
      check(`${what} filters runs`, seen.filtered === 2 && seen.stats === 3, seen);
      check(`${what} reads threads`, seen.thread === 2 && seen.threads.join() === "even,odd", seen);
      check(`${what} reads lines for fine-tuning`, seen.tuned === 3, seen);
      check(`${what} sees that nothing is shared`, seen.shared === false, seen);
      check(
        `${what} reads everything else, or gets the answer that it does not exist`,
        seen.failed.length === 0,
        seen,
      );
    }
    // Of what is not kept the emulator says what was not found; a bare "Not Found" is a route that it does not have.
    const refused = (await refusals(emulator.url)).filter(
      ({ status, reply }) => status !== 404 || reply?.detail === "Not Found",
    );
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
      return "reads of projects, datasets, examples, runs, threads, feedback and experiment results; of prompts, queues and shares that there are none";
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
      return "reads of projects, datasets, examples, runs, threads, feedback, splits and versions; of prompts, queues and shares that there are none";
    },
  },
];
