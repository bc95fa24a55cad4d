// What is fuzzed, and with what: one entry per surface that reads something from outside. Used by scripts/fuzz.mjs and, with a small budget, by jest.
import { crc32, deflateRawSync } from "node:zlib";
import fc from "fast-check";

/** Pieces that have broken parsers before: of YAML, JSON, XML, CSV, shells, logs and JavaScript itself. */
const HOSTILE = [
  "${", "${A}", "${A:-", "${A:-${B}}", "${A:?}", "$${", "}", "__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "1e400", "-0", "-1e400", "NaN", "Infinity", "123456789012345678901234567890",
  "0x1F", "0o17", "1_000", ".5", "5.", "~", "null", "true", "\uFEFF", "\u0000", "\ud800", "\udc00\ud800", "\u2028", "\u0085", "\r", "\r\n", "\t", "\u202e", "\u200b", "&a", "*a", "&a [*a]", "<<: *a", "<<: [*a, *b]",
  "!!js/function x", "!!binary x", "!<tag:x>", "? ", ": ", "- ", "--- ", "...", "%YAML 9.9\n", "|2-\n", ">+\n", "'", "\"", "\\", "\\u", "\\ud800", "#", ",", "[", "]", "{", "}", "::set-output name=a::b\n", "##[error]",
  "<!DOCTYPE a [<!ENTITY b \"c\">]>", "&b;", "&#x41;", "&#1114112;", "]]>", "<![CDATA[", "<!--", "-->", " -->", "```", "@everyone", "<script>", "=cmd|' /C calc'!A0", "../../etc/passwd", "/dev/zero", "%00", "(((((", "*".repeat(12),
  "a".repeat(300), "[".repeat(300), "{\"a\":".repeat(300), "\u0661\u0662", "1h1h", "0x10s", "9".repeat(400) + "s", "≥", "=>", "drop", "p95", "; rm -rf /", "$(id)", "`id`", "secrets:\n", "\n  ", "\n",
];

/** A text with some places cut, doubled, overwritten or replaced by something hostile. */
function mutated(corpus) {
  const operation = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }), length: fc.integer({ min: 0, max: 40 }), times: fc.integer({ min: 1, max: 6 }),
    kind: fc.constantFrom("cut", "double", "insert", "insert", "replace", "truncate", "noise"), hostile: fc.constantFrom(...HOSTILE), noise: fc.string({ unit: "binary", maxLength: 12 }),
  });
  const apply = (text, { at, length, times, kind, hostile, noise }) => {
    const from = Math.floor(at * text.length);
    const [before, piece, after] = [text.slice(0, from), text.slice(from, from + length), text.slice(from + length)];
    switch (kind) {
      case "cut": return before + after;
      case "double": return before + piece.repeat(times + 1) + after;
      case "insert": return before + hostile.repeat(times) + piece + after;
      case "replace": return before + hostile + after;
      case "truncate": return before;
      default: return before + noise + piece + after;
    }
  };
  const one = fc.tuple(fc.constantFrom(...corpus), fc.array(operation, { minLength: 0, maxLength: 5 })).map(([text, operations]) => operations.reduce(apply, text));
  return fc.oneof({ weight: 8, arbitrary: one }, { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) }, { weight: 1, arbitrary: fc.array(fc.constantFrom(...HOSTILE), { maxLength: 20 }).map((parts) => parts.join("")) });
}

/** JSON texts with some of their leaves and keys replaced. */
function mutatedJson(corpus) {
  const value = fc.oneof(
    fc.constantFrom(null, true, "", 0, -0, 1e308, -1, 2 ** 53, [], {}, [[]], "__proto__", JSON.parse('{"__proto__":{"polluted":1}}'), JSON.parse('{"constructor":{"prototype":{"polluted":1}}}')),
    fc.constantFrom(...HOSTILE), fc.jsonValue({ maxDepth: 3 }),
  );
  const edit = fc.record({ at: fc.nat({ max: 10_000 }), value, key: fc.option(fc.constantFrom("__proto__", "constructor", "toString", "id", "name", "value"), { nil: undefined }) });
  const places = (node, found = []) => {
    if (typeof node !== "object" || node === null) return found;
    for (const key of Object.keys(node)) { found.push([node, key]); places(node[key], found); }
    return found;
  };
  return fc.tuple(fc.constantFrom(...corpus.map((each) => JSON.stringify(each))), fc.array(edit, { maxLength: 4 })).map(([text, edits]) => {
    const root = { root: JSON.parse(text) };
    for (const { at, value: shared, key } of edits) {
      const given = JSON.parse(JSON.stringify(shared));
      const all = places(root);
      const [holder, name] = all[at % all.length];
      if (key === undefined || Array.isArray(holder)) holder[name] = given;
      else Object.defineProperty(holder, key, { value: given, enumerable: true, configurable: true, writable: true });
    }
    return JSON.stringify(root.root ?? null);
  });
}

/** Texts as bytes, some of them damaged below the level of characters. */
function bytesOf(texts) {
  const damage = fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.integer({ min: 0, max: 255 }) }), { maxLength: 3 });
  return fc.tuple(texts, fc.option(damage, { nil: [], freq: 3 }), fc.constantFrom("utf8", "utf8", "utf8", "utf8", "utf16le")).map(([text, places, encoding]) => {
    const bytes = typeof text === "string" ? Buffer.from(text, encoding) : Buffer.from(text);
    for (const { at, byte } of places) if (bytes.length > 0) bytes[Math.floor(at * (bytes.length - 1))] = byte;
    return bytes;
  });
}

/** A zip of the given entries; sizes may lie. */
export function zipOf(entries, { claimedSize } = {}) {
  const locals = [];
  const central = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const raw = Buffer.from(content);
    const packed = deflateRawSync(raw);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0); head.writeUInt16LE(8, 4); head.writeUInt32LE(crc32(raw), 10); head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(claimedSize ?? raw.length, 18); head.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), head, Buffer.from(name), packed]);
    const tail = Buffer.alloc(16);
    tail.writeUInt32LE(offset, 12);
    central.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), head, tail.subarray(2), Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(central.length, 4); end.writeUInt16LE(central.length, 6); end.writeUInt32LE(directory.length, 8); end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from("PK\u0005\u0006"), end]);
}

const EVAL_SAMPLE = JSON.stringify({ id: "s", epoch: 1, input: "q", target: "a", scores: { match: { value: "C", answer: "a" } }, output: { completion: "a" } });
const evalLogOf = () => zipOf({
  "header.json": JSON.stringify({ version: 2, status: "success", eval: { task: "t", created: "2026-01-01T00:00:00Z", model: "m", run_id: "r" }, results: { total_samples: 1, completed_samples: 1 } }), "samples/s_epoch_1.json": EVAL_SAMPLE,
});

const SPECS = [
  `name: support-agent\nsource: repohost\nsource_config:\n  repo_url: https://user:pass@git.example.com/acme/agents\n  deployment_type: prod\n  build_on_push: false\n  install_command: npm ci\nsource_revision_config:\n  repo_ref: main\n  graph_config_path: graphs/support.json\nsecrets:\n  - A\n  - { name: DB_URL, value: "\${B:?set it}" }\ndeploy:\n  timeout: 30m\n  paths: ["agents/**", "!x/{a,b}"]\n  verify: |\n    npm run smoke\n`,
  `name: search\nsource: external_container\nsource_config:\n  custom_url: https://search.example.com\n  listener_config: { k8s_namespace: default }\n  resource_spec:\n    min_scale: "\${MIN}"\n    max_scale: 3\n    sidecars: [{ name: s, image: "i:1", env: [{ name: A, value: x }], volumeMounts: [{ name: v, mountPath: /v }] }]\n    volumes: [{ name: v, emptyDir: {} }]\nsource_revision_config: { image_uri: "r.example.com/a@sha256:${"a".repeat(64)}" }\nsecrets: []\n---\nname: b\nsource: github\nsource_config: &c { repo_url: https://github.com/a/b }\nsource_revision_config: { langgraph_config_path: l.json, repo_ref: "\${C:-main}" }\n---\nname: c\nsource: github\nsource_config: &d { repo_url: https://github.com/a/b }\nsource_revision_config: { <<: { repo_ref: main }, langgraph_config_path: l.json }\n`,
];
const GATES = [
  "correctness >= 0.85\nhallucination <= 0.05 # lower\ncorrectness drop <= 2%\nerror_rate <= 0.02\nlatency_p95 <= 4s\n", "\"a b\" >= 1, 'c' drop < .5\n",
  "gates: |\n  correctness >= 0.85\n  correctness drop <= 0.02\ndirection: { correctness: higher }\nalpha: 0.05\ncluster_by: inputs.user\nmust_pass: [{ inputs.id: [a, b], require: \"correctness >= 1\", at_least: 2 }]\nmin_rows: 10\nmin_overlap: 0.5\n", "gates:\n  - correctness >= 0.85\n  - latency_p50 <= 90ms\n",
];
const HASH = `sha256:${"a".repeat(64)}`;
const BASELINE = `{\n"schema": "agent-deploy-baseline/1",\n"commit": null,\n"created_at": "2026-01-01T00:00:00Z",\n"dataset": "sha256:9f447b1b473d359884f2b8541a1ad0b7d194ed59b79e8eee48047ec4830564fd",\n"examples": 1,\n"rows": 1,\n"errors": 0,\n"repeats": 1,\n"judge": null,\n"metrics": ["m"],\n"scores": [\n["${HASH}",1,0.5]\n],\n"complete": true\n}\n`;
const ID = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const DEPLOYMENT = {
  id: ID, name: "search", source: "external_docker", status: "READY", latest_revision_id: ID, active_revision_id: ID, created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z", tenant_id: ID, url: null,
  source_config: { custom_url: "https://a.example.com", resource_spec: { cpu: 1, memory_mb: 1024 } }, source_revision_config: { image_uri: "i:1", langgraph_config_path: "l.json" }, secrets: [{ name: "A", value: "b" }],
};
const REVISION = { id: ID, status: "BUILD_FAILED", created_at: "2026-01-01T00:00:00Z", updated_at: "", status_message: "no", source_revision_config: { repo_ref: "main", repo_commit_sha: "a" } };
const LOGS = { logs: [{ timestamp: 1, message: "a\nb", level: "error" }, { timestamp: "2026-01-01T00:00:00Z", text: "b" }, "c"] };
const PLAN = { name: "search", source: "repohost", spelling: "document", id: ID, action: "update", changes: [{ path: "a.b", before: 1, after: { c: [null] }, effect: "in-place", sensitive: false }], blockers: [{ code: "x", message: "y", path: "z" }], revision: "none", dropped: ["d"], unreadable: ["u"], notes: ["n"], warnings: ["w"], fingerprint: "f" };
const REPORT = {
  version: 1, outcome: "failed", changed: true, tool: "agent-deploy 0", command: "apply", fingerprint: "f", gate_verdict: "pass", problems: ["p"], warnings: ["w"], started_at: "2026-01-01T00:00:00Z", finished_at: "2026-01-01T00:01:00Z",
  deployments: [{ name: "search", id: ID, action: "update", outcome: "failed", reason: "BUILD_FAILED", message: "m", next: ["agent-deploy wait"], revision_id: ID, previous_revision_id: null, revision_status: "BUILD_FAILED", url: "https://a.example.com", changes: PLAN.changes, plan: PLAN, changed: true, timeline: [{ status: "QUEUED", atMs: 1 }], warnings: [], notes: [], log_tail: ["l"], verify: { exit_code: 1, tail: ["t"] }, rollback: { revision_id: null, outcome: "failed" } }],
  experiments: [{ file: "r.json", format: "rows", name: "n", outcome: "uploaded", message: "", rows: 1, errors: 0, experiment_id: ID, experiment_url: "https://e", compare_url: "", dataset_id: ID, dataset_name: "d", test_run_number: 1, scores: { m: { mean: 1, n: 1 } }, warnings: [] }],
  gates: [{ metric: "m", rule: "m >= 1", verdict: "pass", n: 1, n_dropped: 0, repeats: 1, head: 1, base: null, delta: null, ci: [0, 1], p: null, method: "wilson", alpha: 0.05, mde: null, reason: "r" }],
  links: [{ label: "l", url: "https://l" }], rows_worse: [{ metric: "m", input: "i", expected: "e", head_output: "o", head: 0, base: 1 }], rows_better: [], baseline: { file: "b", commit: null, created_at: null, rows: 1, state: "used", message: "" },
};
/** What the mutations begin with: all of it is accepted as it stands, or the fuzzing would only ever meet the first check. */
export const SAMPLES = { specs: SPECS, gates: GATES, baseline: BASELINE, report: JSON.stringify(REPORT), evalLog: () => evalLogOf() };
export const ENV = { A: "alpha-value", B: "beta-value", C: "feature/x", MIN: "2", EMPTY: "" };

const allow = (...names) => (error) => { if (!names.includes(error?.name)) throw error; };
const must = (holds, what) => { if (!holds) throw new Error(what); };

/** One module after the other: jest's loader mixes up modules that are asked for at once. */
async function inTurn(paths, load) {
  const loaded = [];
  for (const path of paths) loaded.push(await load(path));
  return loaded;
}

/**
 * Every surface: `name`, an arbitrary of inputs, and `check`, which throws where the code under test crashes or breaks a promise.
 * `load` imports a module of src/ by its path without ending, from wherever it was compiled to.
 */
export async function createSurfaces(load, kept = {}) {
  const [spec, interpolation, experiment, inputFile, registry, mapping, literal, replies, header, duration, language, baseline, reportSchema, merge, markdown, terminal, outputs, scrub, glob, args, inputs, context, pages] = await inTurn([
    "spec/spec", "spec/interpolation", "experiment/experiment", "experiment/input-file", "experiment/formats/registry", "experiment/formats/mapping", "experiment/formats/python-literal", "service/replies", "host/comment-header",
    "spec/duration", "gate/language", "gate/baseline", "report/report-schema", "report/merge", "report/markdown", "report/terminal", "report/outputs", "host/scrub", "spec/glob", "arguments", "inputs", "host/context", "service/error-text",
  ], load);
  const withKept = (name, corpus) => [...corpus, ...(kept[name] ?? [])];

  const readAll = async (bytes, how) => {
    const file = inputFile.memoryFile(how.name, bytes, 1_700_000_000_000);
    const { experiments, problems } = await experiment.readFiles([file], how);
    for (const problem of problems) must(typeof problem.message === "string" && !/\n\s+at /.test(problem.message), "a problem shows a stack trace");
    for (const one of experiments) {
      try {
        let rows = 0;
        for await (const batch of one.texts([])) for (const text of batch) { JSON.parse(text.toString("utf8")); rows += 1; }
        must(rows === one.rowCount, `${rows} rows are written, ${one.rowCount} were counted`);
      } catch (error) { allow("ProblemError")(error); }
    }
  };
  const readers = registry.FORMATS.filter((format) => format.examples.length > 0 && format.name !== "mapping").map((format) => ({
    name: `reader ${format.name}`,
    arbitrary: bytesOf(mutated(withKept(`reader ${format.name}`, format.examples.map((example) => example.text).filter((text) => typeof text === "string")))),
    check: async (bytes) => { await readAll(bytes, { name: format.examples[0].name, format: "auto" }); await readAll(bytes, { name: format.examples[0].name, format: format.name }); },
  }));
  const evalLog = evalLogOf();
  const mapped = await mapping.readMapping(inputFile.memoryFile("m.yml", "inputs.q: question\nevaluation_scores.m: score\n"));

  const surfaces = [
    {
      name: "spec", arbitrary: fc.record({ text: mutated(withKept("spec", SPECS)), mode: fc.constantFrom("apply", "plan", "validate"), interpolate: fc.boolean() }),
      check: ({ text, mode, interpolate }) => {
        const parsed = spec.parseSpec({ files: [{ path: "a.yml", text }], env: ENV, mode, interpolate });
        for (const problem of parsed.problems) {
          must(Number.isInteger(problem.line) && problem.line > 0 && Number.isInteger(problem.column) && problem.column > 0, "a problem has no place");
          must(!/\n\s+at /.test(problem.message), "a problem shows a stack trace");
        }
        must(parsed.documents.length > 0 || parsed.problems.length > 0, "neither a document nor a problem");
        if (!interpolate) must(!JSON.stringify(parsed.documents).includes("alpha-value") && !JSON.stringify(parsed.problems).includes("alpha-value"), "an untrusted spec was filled from the environment");
      },
    },
    {
      name: "interpolation", arbitrary: mutated(withKept("interpolation", ["${A}", "a ${B:-x} b", "${C:?why}", "$${A}", "${MIN}"])),
      check: (text) => {
        const filled = interpolation.interpolate(text, ENV, true);
        must(filled.text === undefined ? filled.faults.length > 0 : typeof filled.text === "string", "neither a text nor a fault");
        must(!JSON.stringify(interpolation.interpolate(text, ENV, false).text ?? "").includes("alpha-value"), "an untrusted text was filled");
      },
    },
    ...readers,
    { name: "reader inspect (.eval)", arbitrary: fc.oneof(bytesOf(fc.constant(evalLog)), bytesOf(mutated([EVAL_SAMPLE])).map((bytes) => zipOf({ "header.json": "{}", "samples/s.json": bytes })), bytesOf(mutated([EVAL_SAMPLE])).map((bytes) => zipOf({ "header.json": bytes }, { claimedSize: 7 }))), check: (bytes) => readAll(bytes, { name: "log.eval", format: "auto" }) },
    { name: "reader by mapping", arbitrary: bytesOf(mutated(withKept("reader by mapping", ["question,score\na,1\n", '[{"question":"a","score":1}]', '{"question":"a","score":1}\n{"question":"b"}\n']))), check: (bytes) => readAll(bytes, { name: "r.csv", mapping: mapped }) },
    {
      name: "mapping file", arbitrary: bytesOf(mutated(withKept("mapping file", ["inputs.q: question\nevaluation_scores.m: score\nrows: a.b\n", "inputs: { q: { literal: 1 } }\n"]))),
      check: (bytes) => mapping.readMapping(inputFile.memoryFile("m.yml", bytes)).then(() => undefined, allow("ProblemError")),
    },
    { name: "python literal", arbitrary: mutated(["['a', \"b\", {'c': 1, (1, 2): None}]", "[True, -1.5e3, '\\x41\\u0041']"]), check: (text) => { literal.parsePythonLiteral(text); } },
    {
      name: "service replies", arbitrary: mutatedJson(withKept("service replies", [DEPLOYMENT, REVISION, LOGS, { resources: [DEPLOYMENT], offset: 1 }, [REVISION], { id: ID, name: "n" }, { id: ID, compute_id: "c", compute_config: { k8s_namespaces: ["d"] } }])),
      check: (text) => {
        const json = JSON.parse(text);
        for (const read of [replies.toDeployment, replies.toRevision, replies.toIntegration, replies.toListener, (each) => replies.toPage(each, replies.toDeployment), (each) => replies.toLogTail(each, 30)]) {
          try { read(json); } catch (error) { allow("UnreadableReply")(error); }
        }
      },
    },
    {
      name: "service error bodies", arbitrary: fc.tuple(mutated(['{"detail":[{"loc":["body","name"],"msg":"bad","input":"beta-value"}]}', "<html><title>Sign in</title></html>", '{"message":"x","errors":{"a":["b"]}}', "plain"]), fc.constantFrom("application/json", "text/html", "text/plain", "")),
      check: ([text, type]) => { const words = pages.serviceWords(text, type, (each) => each); must(typeof words === "string" && words.length <= 2000 && !words.includes("\n"), "the service's words are no bounded line"); },
    },
    {
      name: "comment header", arbitrary: mutated([header.renderHeader({ v: 1, key: "k", run: "12", attempt: 1, sha: "a", open: true }), '<!-- agent-deploy: {"v":1,"key":"__proto__"} -->']),
      check: (body) => { const parsed = header.parseHeader(body); if (parsed !== null) { header.isNewer(parsed, { run: "1", attempt: 1 }); must(/^<!-- agent-deploy: [^<>]* -->$/.test(header.renderHeader(parsed)), "the header does not close where it should"); } },
    },
    { name: "duration", arbitrary: mutated(["30m", "500ms", "90s", "1h", "1.5h"]), check: (text) => { const ms = duration.parseDuration(text); must(ms === undefined || (Number.isFinite(ms) && ms >= 0), "a duration is no finite number"); } },
    { name: "gate grammar", arbitrary: mutated(withKept("gate grammar", GATES)), check: (text) => { const parsed = language.parseGates({ text, file: "g" }); must(parsed.state === "parsed" || parsed.problems.length > 0, "neither gates nor a problem"); } },
    { name: "baseline file", arbitrary: mutated([BASELINE]), check: (text) => { if (baseline.isBaseline(text)) baseline.parseBaseline(text, "b"); } },
    {
      name: "report merge", arbitrary: fc.tuple(mutatedJson([REPORT]), mutatedJson([REPORT])),
      check: (pair) => {
        const read = pair.map((each) => reportSchema.parseReport(each, "r.json"));
        const reports = read.flatMap((each) => ("report" in each ? [each.report] : []));
        if (reports.length === 0) return;
        const merged = merge.mergeReports(reports);
        const comment = markdown.renderComment(merged, { header: header.renderHeader({ v: 1, key: "k", run: "1", attempt: 1, sha: "a", open: false }) });
        must(comment.length <= 65_536, "the comment is too long for GitHub");
        markdown.renderSummary(merged);
        terminal.renderOutcome(merged, { color: false });
        terminal.renderPlan(merged, { color: false });
        outputs.toOutputs(merged, { reportPath: "r", commentUrl: "" });
      },
    },
    { name: "report file", arbitrary: mutated([JSON.stringify(REPORT)]), check: (text) => { reportSchema.parseReport(text, "r.json"); } },
    {
      name: "scrubber", arbitrary: fc.tuple(fc.string({ unit: "grapheme", minLength: 8, maxLength: 40 }).filter((secret) => /[a-z0-9]{6}/i.test(secret) && secret.trim() === secret), fc.string({ unit: "binary", maxLength: 40 }), fc.string({ unit: "binary", maxLength: 40 })),
      check: ([secret, before, after]) => {
        const { add, scrub: clean } = scrub.createScrubber();
        add(secret);
        for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), Buffer.from(secret).toString("base64").replace(/=+$/, "")]) must(!clean(`${before} ${form} ${after}`).includes(form), "a secret is left in a scrubbed text");
      },
    },
    { name: "globs", arbitrary: fc.tuple(fc.array(mutated(["**/*.json", "a/{b,c}/**", "!x*?"]), { maxLength: 4 }), fc.string({ unit: "binary-ascii", maxLength: 300 })), check: ([patterns, path]) => { glob.matchesGlob(patterns, path); } },
    { name: "command line", arbitrary: fc.array(fc.oneof(fc.constantFrom("apply", "--wait", "--no-wait", "--timeout", "30m", "--spec=x", "--", "-h", "help", "--api-key", "--concurrency=9e9"), mutated(["--timeout=5m"])), { maxLength: 6 }), check: (argv) => { const parsed = args.parseArguments(argv); inputs.parseInputs(parsed.raw, "cli"); } },
    {
      name: "event payload", arbitrary: fc.tuple(mutatedJson([{ number: 1, pull_request: { number: 1, head: { sha: "a", repo: { full_name: "x/y" } }, base: { ref: "main" }, user: { login: "dependabot[bot]" } } }, { workflow_run: { head_sha: "a", head_repository: { full_name: "x/y" }, pull_requests: [{ number: 1 }] } }, { merge_group: { head_ref: "refs/heads/gh-readonly-queue/main/pr-1-a", base_ref: "refs/heads/main" } }]), fc.constantFrom("push", "pull_request", "pull_request_target", "workflow_run", "merge_group", "issue_comment")),
      check: ([event, name]) => { context.readRunContext({ GITHUB_ACTIONS: "true", GITHUB_EVENT_NAME: name, GITHUB_REPOSITORY: "acme/agents" }, JSON.parse(event)); },
    },
  ];
  return surfaces.map(({ name, arbitrary, check }) => ({
    name, arbitrary,
    check: async (input) => {
      await check(input);
      must(({}).polluted === undefined && Object.keys(Object.prototype).length === 0, "Object.prototype was changed");
    },
  }));
}
