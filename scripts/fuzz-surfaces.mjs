// What is fuzzed, and with what: one entry per surface that reads something from outside. Used by
// scripts/fuzz.mjs and by jest.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { FORMAT_EXAMPLES } from "./format-examples.mjs";
import { bytesOf, mutated, mutatedJson, SECRET, zipOf } from "./fuzz-inputs.mjs";
import {
  DEPLOYMENT,
  ENV,
  EVAL_SAMPLE,
  ID,
  LOGS,
  REPORT,
  REVISION,
  SAMPLES,
} from "./fuzz-samples.mjs";

const allow =
  (...names) =>
  (error) => {
    if (!names.includes(error?.name)) throw error;
  };
const must = (holds, what) => {
  if (!holds) throw new Error(what);
};
/** A promise about secrets or about places, counted apart from crashes: see scripts/fuzz.mjs. */
const mustNot = (kind, broken, what) => {
  if (broken) throw Object.assign(new Error(what), { name: kind });
};
const holds = (value, secret) =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).includes(secret);
const isSentence = (message) => {
  must(
    typeof message === "string" && message.length > 0 && !/\n\s+at /.test(message),
    "a problem shows a stack trace, or says nothing",
  );
};

/** One module after the other: jest's loader mixes up modules that are asked for at once. */
async function inTurn(paths, load) {
  const loaded = {};
  for (const path of paths) loaded[path] = await load(path);
  return loaded;
}

const MODULES = [
  "spec/spec",
  "spec/interpolation",
  "duration",
  "files/glob",
  "experiment/experiment",
  "experiment/input/input-file",
  "experiment/formats/mapping-file",
  "experiment/formats/python-literal",
  "service/replies",
  "service/error-text",
  "service/addresses",
  "gate/language",
  "gate/baseline",
  "gate/baseline-reading",
  "report/report-file",
  "report/merge",
  "report/markdown",
  "report/terminal",
  "report/terminal-frame",
  "report/outputs",
  "report/escape",
  "secrets/redaction",
  "github/comment-header",
  "ci/context",
  "github/comment-key",
  "ci/workflow-command",
  "files/workspace",
  "cli/arguments",
  "cli/input-values",
  "emulator/control/scenario",
  "emulator/state/journal",
];

/**
 * Every surface: `name`, an arbitrary of inputs, `inputs` (those that a kept file represents), and
 * `check`, which throws where the code under test crashes or breaks a promise. `load` imports a
 * module of src/ by its path without ending, from wherever it was compiled to; `kept` is the
 * corpus: files by surface, from which mutations begin too.
 */
export async function createSurfaces(load, kept = {}) {
  const modules = await inTurn(MODULES, load);
  const redactor = () => {
    const made = modules["secrets/redaction"].createRedactor();
    made.add(SECRET);
    return made;
  };
  const texts = (name, corpus) => [
    ...corpus,
    ...(kept[name] ?? []).map((bytes) => bytes.toString("utf8")),
  ];
  const jsons = (name, corpus) => [
    ...corpus.map((one) => JSON.stringify(one)),
    ...(kept[name] ?? []).map((bytes) => bytes.toString("utf8")).filter(isJson),
  ];
  const made = {
    modules,
    redactor,
    text: (name, corpus, check) => ({
      name,
      arbitrary: mutated(texts(name, corpus)),
      inputs: (bytes) => [bytes.toString("utf8")],
      check,
    }),
    json: (name, corpus, check) => ({
      name,
      arbitrary: mutatedJson(jsons(name, corpus)),
      inputs: (bytes) => [bytes.toString("utf8")],
      check,
    }),
    bytes: (name, corpus, check) => ({
      name,
      arbitrary: bytesOf(mutated(texts(name, corpus))),
      inputs: (bytes) => [bytes],
      check,
    }),
    texts,
    jsons,
  };
  const surfaces = [
    ...specSurfaces(made),
    ...(await experimentSurfaces(made)),
    ...gateSurfaces(made),
    ...serviceSurfaces(made),
    ...reportSurfaces(made),
    ...hostSurfaces(made),
    ...placeSurfaces(made),
  ];
  return surfaces.map(({ check, ...surface }) => ({
    ...surface,
    check: async (input) => {
      await check(input);
      must(
        {}.polluted === undefined && Object.keys(Object.prototype).length === 0,
        "Object.prototype was changed",
      );
    },
  }));
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The kept files of a surface lie in a folder called after it. */
export const folderOf = (name) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

function specSurfaces({ modules, texts, text }) {
  const { parseSpec } = modules["spec/spec"];
  const { interpolate: fill } = modules["spec/interpolation"];
  const modes = ["apply", "plan", "validate"];
  return [
    {
      name: "spec",
      arbitrary: fc.record({
        text: mutated(texts("spec", SAMPLES.specs)),
        mode: fc.constantFrom(...modes),
        interpolate: fc.boolean(),
      }),
      inputs: (bytes) =>
        modes.flatMap((mode) =>
          [true, false].map((interpolate) => ({ text: bytes.toString("utf8"), mode, interpolate })),
        ),
      check: ({ text: given, mode, interpolate }) => {
        const parsed = parseSpec({
          files: [{ path: "a.yml", text: given }],
          env: ENV,
          mode,
          interpolate,
        });
        for (const problem of parsed.problems) {
          must(
            Number.isInteger(problem.line) &&
              problem.line > 0 &&
              Number.isInteger(problem.column) &&
              problem.column > 0,
            "a problem has no place",
          );
          isSentence(problem.message);
          mustNot(
            "Leak",
            /^secrets\b|\benv\b/.test(problem.path) && holds(problem.message, ENV.B),
            "a problem of a secret tells its value",
          );
        }
        must(
          parsed.documents.length > 0 || parsed.problems.length > 0,
          "neither a document nor a problem",
        );
        mustNot(
          "Leak",
          !interpolate && (holds(parsed.documents, ENV.A) || holds(parsed.problems, ENV.A)),
          "an untrusted spec was filled from the environment",
        );
      },
    },
    text("interpolation", ["${A}", "a ${B:-x} b", "${C:?why}", "$${A}", "${MIN}"], (given) => {
      const filled = fill(given, { env: ENV, trusted: true });
      must(
        filled.text === undefined ? filled.faults.length > 0 : typeof filled.text === "string",
        "neither a text nor a fault",
      );
      mustNot(
        "Leak",
        holds(fill(given, { env: ENV, trusted: false }).text ?? "", ENV.A),
        "an untrusted text was filled",
      );
    }),
    text("duration", ["30m", "500ms", "90s", "1h", "1.5h"], (given) => {
      const ms = modules["duration"].parseDuration(given);
      must(ms === undefined || (Number.isFinite(ms) && ms >= 0), "a duration is no finite number");
    }),
    {
      name: "globs",
      arbitrary: fc.tuple(
        fc.array(mutated(["**/*.json", "a/{b,c}/**", "!x*?"]), { maxLength: 4 }),
        fc.string({ unit: "binary-ascii", maxLength: 300 }),
      ),
      inputs: (bytes) => [[bytes.toString("utf8").split("\n"), `${"a".repeat(250)}.json`]],
      check: ([patterns, path]) => {
        modules["files/glob"].pathMatcher(patterns)(path);
      },
    },
  ];
}

async function experimentSurfaces({ modules, bytes, text }) {
  const { findInputFiles } = modules["experiment/input/input-file"];
  const root = mkdtempSync(join(tmpdir(), "agent-deploy-fuzz-"));
  process.on("exit", () => rmSync(root, { recursive: true, force: true }));
  const fileOf = async (name, given) => {
    writeFileSync(join(root, name), given);
    return (await findInputFiles([name], { root }, true)).files[0];
  };
  const { parseMapping } = modules["experiment/formats/mapping-file"];
  const readAll = async (given, how) => {
    const { experiments, problems } = await modules["experiment/experiment"].readFiles(
      [await fileOf(how.name, given)],
      how,
    );
    for (const problem of problems) isSentence(problem.message);
    must(experiments.length > 0 || problems.length > 0, "neither an experiment nor a problem");
    for (const one of experiments) {
      try {
        let rows = 0;
        for (const { bytes, rows: count } of one.spool.joined()) {
          JSON.parse(`[${bytes.toString("utf8")}]`);
          rows += count;
        }
        must(rows === one.rowCount, `${rows} rows are written, ${one.rowCount} were counted`);
      } catch (error) {
        allow("DiagnosticError")(error);
      }
    }
  };
  const readers = Object.entries(FORMAT_EXAMPLES).map(([name, examples]) =>
    bytes(
      `reader ${name}`,
      examples.map(({ text }) => text),
      async (given) => {
        await readAll(given, { name: examples[0].name, format: "auto" });
        await readAll(given, { name: examples[0].name, format: name });
      },
    ),
  );
  const mapped = parseMapping("inputs.q: question\nevaluation_scores.m: score\n", "m.yml");
  return [
    ...readers,
    {
      name: "reader inspect (.eval)",
      inputs: (given) => [given],
      check: (given) => readAll(given, { name: "log.eval", format: "auto" }),
      arbitrary: fc.oneof(
        bytesOf(fc.constant(SAMPLES.evalLog())),
        bytesOf(mutated([EVAL_SAMPLE])).map((given) =>
          zipOf({ "header.json": "{}", "samples/s.json": given }),
        ),
        bytesOf(mutated([EVAL_SAMPLE])).map((given) =>
          zipOf({ "header.json": given }, { claimedSize: 7 }),
        ),
      ),
    },
    bytes(
      "reader by mapping",
      [
        "question,score\na,1\n",
        '[{"question":"a","score":1}]',
        '{"question":"a","score":1}\n{"question":"b"}\n',
      ],
      (given) => readAll(given, { name: "r.csv", mapping: mapped }),
    ),
    text(
      "mapping file",
      [
        "inputs.q: question\nevaluation_scores.m: score\nrows: a.b\n",
        "inputs: { q: { literal: 1 } }\n",
      ],
      (given) => {
        try {
          parseMapping(given, "m.yml");
        } catch (error) {
          allow("DiagnosticError")(error);
        }
      },
    ),
    text(
      "python literal",
      ["['a', \"b\", {'c': 1, (1, 2): None}]", "[True, -1.5e3, '\\x41\\u0041']"],
      (given) => {
        modules["experiment/formats/python-literal"].parsePythonLiteral(given);
      },
    ),
  ];
}

function gateSurfaces({ modules, text }) {
  return [
    text("gate grammar", SAMPLES.gates, (given) => {
      const parsed = modules["gate/language"].parseGates({ text: given, file: "g" });
      must(parsed.state === "parsed" || parsed.problems.length > 0, "neither gates nor a problem");
    }),
    text("baseline file", [SAMPLES.baseline], (given) => {
      if (modules["gate/baseline"].isBaseline(given))
        modules["gate/baseline-reading"].parseBaseline(given, "b");
    }),
  ];
}

function serviceSurfaces({ modules, json, redactor, jsons, texts }) {
  const replies = modules["service/replies"];
  const types = ["application/json", "text/html", "text/plain", ""];
  const logs = [
    LOGS,
    {
      logs: [
        { timestamp: 1, message: `${"x".repeat(1990)}${SECRET}` },
        `token \u001b[1m${SECRET.slice(0, 9)}\u001b[0m${SECRET.slice(9)}`,
      ],
    },
    { items: [] },
    ["a", "b"],
  ];
  return [
    json(
      "service replies",
      [
        DEPLOYMENT,
        REVISION,
        LOGS,
        { resources: [DEPLOYMENT], offset: 1 },
        [REVISION],
        { id: ID, name: "n" },
        { id: ID, compute_id: "c", compute_config: { k8s_namespaces: ["d"] } },
      ],
      (given) => {
        const reply = JSON.parse(given);
        for (const read of [
          replies.toDeployment,
          replies.toRevision,
          replies.toIntegrations,
          replies.toListener,
          (each) => replies.toPage(each, replies.toDeployment),
        ]) {
          try {
            read(reply);
          } catch (error) {
            allow("UnreadableReply")(error);
          }
        }
      },
    ),
    {
      name: "service error bodies",
      arbitrary: fc.tuple(
        mutated(
          texts("service error bodies", [
            `{"detail":[{"loc":["body","name"],"msg":"bad ${SECRET}","input":"${SECRET}"}]}`,
            "<html><title>Sign in</title></html>",
            '{"message":"x","errors":{"a":["b"]}}',
            "plain",
          ]),
        ),
        fc.constantFrom(...types),
      ),
      inputs: (bytes) => types.map((type) => [bytes.toString("utf8"), type]),
      check: ([given, type]) => {
        const words = modules["service/error-text"].serviceWords(given, type, redactor().redact);
        must(
          typeof words === "string" && words.length <= 2000 && !words.includes("\n"),
          "the service's words are no bounded line",
        );
        mustNot("Leak", holds(words, SECRET), "the service's words hold a secret");
      },
    },
    {
      name: "log tails",
      arbitrary: mutatedJson(jsons("log tails", logs)),
      inputs: (bytes) => [bytes.toString("utf8")],
      check: (given) => {
        const { redact } = redactor();
        const read = replies.toLogTail(JSON.parse(given), 30, redact);
        if (read === null) return;
        const tail = read.lines;
        must(
          tail.length <= 30 &&
            tail.every((line) => typeof line === "string" && line.length <= 2000),
          "a tail is not bounded",
        );
        const { toLogLine, fence } = modules["report/escape"];
        const shown = [
          fence(tail, 30),
          ...tail.map((line) => toLogLine(line)),
          ...modules["report/terminal-frame"].tailLines("log", tail),
        ].join("\n");
        mustNot("Leak", holds(shown, SECRET) || holds(tail, SECRET), "a log tail holds a secret");
        mustNot("Leak", shown.includes("\u001b"), "a log tail holds terminal codes");
      },
    },
    {
      name: "addresses",
      arbitrary: fc.tuple(
        mutated(
          texts("addresses", [
            "https://api.host.example.com",
            "http://127.0.0.1:8080/api-host",
            "http://[::1]:1/api",
            "http://localhost",
            "https://u:p@h/api-host",
          ]),
        ),
        mutated(["", "https://h/api", "https://api.smith.example.com"]),
      ),
      inputs: (bytes) =>
        bytes
          .toString("utf8")
          .split("\n")
          .filter((line) => line !== "")
          .flatMap((line) => [
            [line, ""],
            ["", line],
          ]),
      check: ([controlPlaneUrl, tracingUrl]) => {
        const found = modules["service/addresses"].resolveAddresses({
          region: "us",
          controlPlaneUrl,
          tracingUrl,
        });
        if (found.kind !== "addresses") {
          isSentence(found.message);
          return;
        }
        for (const base of [found.controlPlane, found.tracing]) {
          const url = new URL(base);
          const local =
            ["localhost", "[::1]"].includes(url.hostname) ||
            /^127\.\d+\.\d+\.\d+$/.test(url.hostname);
          mustNot(
            "Leak",
            url.protocol !== "https:" && !local,
            `a key would travel in the clear to ${url.hostname}`,
          );
          mustNot(
            "Leak",
            url.username !== "" || url.password !== "" || url.search !== "",
            "an address holds a user, a password or a query",
          );
        }
        // A given address is never paired with the hosted service's own.
        mustNot(
          "Leak",
          /langchain\.com$/.test(new URL(found.controlPlane).hostname) !==
            /langchain\.com$/.test(new URL(found.tracing).hostname),
          "a given address is paired with another's",
        );
      },
    },
  ];
}

function reportSurfaces({ modules, jsons, text, redactor }) {
  const { renderHeader } = modules["github/comment-header"];
  return [
    {
      name: "report merge",
      arbitrary: fc.tuple(
        mutatedJson(jsons("report merge", [REPORT])),
        mutatedJson([JSON.stringify(REPORT)]),
      ),
      inputs: (bytes) => [[bytes.toString("utf8"), JSON.stringify(REPORT)]],
      check: (pair) => {
        const read = pair.map((each) => modules["report/report-file"].parseReport(each, "r.json"));
        const reports = read.flatMap((each) => ("report" in each ? [each.report] : []));
        if (reports.length === 0) return;
        const merged = redactor().redactAll(modules["report/merge"].mergeReports(reports));
        const { renderComment, renderSummary } = modules["report/markdown"];
        const { renderOutcome, renderPlan } = modules["report/terminal"];
        const comment = renderComment(merged, {
          header: renderHeader({ v: 1, key: "k", run: "1", attempt: 1, sha: "a", open: false }),
        });
        must(comment.length <= 65_536, "the comment is too long for GitHub");
        const shown = [
          comment,
          renderSummary(merged),
          renderOutcome(merged, { color: false }),
          renderPlan(merged, { color: false }),
          ...Object.values(
            modules["report/outputs"].toOutputs(merged, { reportPath: "r", commentUrl: "" }),
          ),
        ].join("\n");
        mustNot("Leak", holds(shown, SECRET), "a rendered report holds a secret");
      },
    },
    text("report file", [SAMPLES.report], (given) => {
      const read = modules["report/report-file"].parseReport(given, "r.json");
      if (!("report" in read)) isSentence(read.problem);
    }),
    text(
      "comment header",
      [
        renderHeader({ v: 1, key: "k", run: "12", attempt: 1, sha: "a", open: true }),
        '<!-- agent-deploy: {"v":1,"key":"__proto__"} -->',
      ],
      (body) => {
        const parsed = modules["github/comment-header"].parseHeader(body);
        if (parsed === null) return;
        modules["github/comment-header"].isNewer(parsed, { run: "1", attempt: 1 });
        must(
          /^<!-- agent-deploy: [^<>]* -->$/.test(renderHeader(parsed)),
          "the header does not close where it should",
        );
      },
    ),
    {
      name: "redactor",
      arbitrary: fc.tuple(
        fc
          .string({ unit: "grapheme", minLength: 8, maxLength: 40 })
          .filter((secret) => /[a-z0-9]{6}/i.test(secret) && secret.trim() === secret),
        fc.string({ unit: "binary", maxLength: 40 }),
        fc.string({ unit: "binary", maxLength: 40 }),
      ),
      inputs: (bytes) => [[bytes.toString("utf8").trim(), "before", "after"]],
      check: ([secret, before, after]) => {
        const { add, redact } = modules["secrets/redaction"].createRedactor();
        add(secret);
        for (const form of [
          secret,
          JSON.stringify(secret).slice(1, -1),
          encodeURIComponent(Buffer.from(secret).toString()),
          Buffer.from(secret).toString("base64").replace(/=+$/, ""),
        ]) {
          mustNot(
            "Leak",
            holds(redact(`${before} ${form} ${after}`), form),
            "a secret is left in a redacted text",
          );
          const coloured = `${form.slice(0, 3)}\u001b[1m${form.slice(3)}`;
          mustNot(
            "Leak",
            holds(modules["report/escape"].toLogLine(redact(coloured)), form) &&
              !form.includes("\u001b"),
            "a secret that terminal codes part is whole again where they are taken out",
          );
        }
      },
    },
  ];
}

function hostSurfaces({ modules, texts, jsons, text }) {
  const { readRunContext } = modules["ci/context"];
  const { toCommentKey } = modules["github/comment-key"];
  const events = [
    "push",
    "pull_request",
    "pull_request_target",
    "workflow_run",
    "merge_group",
    "issue_comment",
    "pull_request_review_comment",
  ];
  const payloads = [
    {
      number: 1,
      pull_request: {
        number: 1,
        head: { sha: "a", repo: { full_name: "x/y" } },
        base: { ref: "main" },
        user: { login: "dependabot[bot]" },
      },
    },
    {
      workflow_run: {
        head_sha: "a",
        head_repository: { full_name: "x/y" },
        pull_requests: [{ number: 1 }],
      },
    },
    {
      merge_group: {
        head_ref: "refs/heads/gh-readonly-queue/main/pr-1-a",
        base_ref: "refs/heads/main",
      },
    },
    { issue: { number: 1, pull_request: {} }, comment: { body: "/deploy" } },
  ];
  const env = { GITHUB_ACTIONS: "true", GITHUB_REPOSITORY: "acme/agents" };
  return [
    {
      name: "command line",
      arbitrary: fc.array(
        fc.oneof(
          fc.constantFrom(
            "apply",
            "--wait",
            "--no-wait",
            "--timeout",
            "30m",
            "--spec=x",
            "--",
            "-h",
            "help",
            "--api-key",
            "--concurrency=9e9",
          ),
          mutated(texts("command line", ["--timeout=5m"])),
        ),
        { maxLength: 6 },
      ),
      inputs: (bytes) => [bytes.toString("utf8").split("\n")],
      check: (argv) => {
        const parsed = modules["cli/arguments"].parseArguments(argv);
        const { problems } = modules["cli/input-values"].parseInputs(parsed.raw, "cli");
        for (const { message } of [...parsed.problems, ...problems]) isSentence(message);
      },
    },
    {
      name: "event payload",
      arbitrary: fc.tuple(
        mutatedJson(jsons("event payload", payloads)),
        fc.constantFrom(...events),
      ),
      inputs: (bytes) => events.map((name) => [bytes.toString("utf8"), name]),
      check: ([event, name]) => {
        const payload = JSON.parse(event);
        const run = readRunContext({ ...env, GITHUB_EVENT_NAME: name }, payload);
        const head =
          name === "workflow_run"
            ? payload?.workflow_run?.head_repository?.full_name
            : payload?.pull_request?.head?.repo?.full_name;
        if (
          ["pull_request_target", "workflow_run"].includes(name) &&
          (typeof head !== "string" || head.toLowerCase() !== "acme/agents")
        )
          mustNot("Leak", !run.untrustedHead, "a head of another repository is trusted");
      },
    },
    text("matrix", ['{"include":[{"name":"a"}]}', "null", '{"os":"linux","n":1}'], (matrix) => {
      const key = toCommentKey({
        workflow: matrix,
        job: "j",
        matrix,
        environment: matrix,
        commentKey: matrix,
        spec: [matrix],
      });
      must(/^[0-9a-f]{32}$/.test(key), "a comment's key is no hash");
    }),
    text(
      "log text",
      ["::set-output name=a::b", "##[error]x", "  ::add-mask::x", "a::b", "\u001b[31m::error::x"],
      (given) => {
        for (const line of modules["ci/workflow-command"].toLogText(given).split(/\r\n|\n|\r/)) {
          mustNot(
            "Leak",
            line.trimStart().startsWith("::") || line.includes("##["),
            "the runner would take a line for a command",
          );
        }
      },
    ),
    text(
      "emulator scenario",
      [
        "timeScale: 50\nfaults: [{ route: POST /v2/deployments, kind: status }]\nrevisions: [{ outcome: build-failed }]\nseed: { deployments: [] }\n",
      ],
      (given) => {
        try {
          modules["emulator/control/scenario"].parseScenario(given, "s.yml");
        } catch (error) {
          isSentence(error.message);
          allow("ScenarioError")(error);
        }
      },
    ),
  ];
}

/** A folder of its own, made when it is first asked for and gone at the end. */
const place = (() => {
  let made = process.env.AGENT_DEPLOY_FUZZ_PLACE;
  return () => {
    if (made === undefined) {
      made = createPlace();
      process.on("exit", () => {
        rmSync(String(made), { recursive: true, force: true });
      });
    }
    return made;
  };
})();

/** A folder `inside` next to a folder `outside`, with links from one into the other. */
export function createPlace() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "agent-deploy-fuzz-")));
  for (const folder of ["inside/sub", "outside"])
    mkdirSync(join(base, folder), { recursive: true });
  for (const file of ["inside/a.json", "inside/sub/b.json", "outside/c.json"])
    writeFileSync(join(base, file), SECRET);
  for (const [name, target] of [
    ["link", "../outside"],
    ["link.json", "../outside/c.json"],
    ["circle", "circle"],
  ])
    symlinkSync(target, join(base, "inside", name));
  return base;
}

/** Files and paths, over a real folder next to one that nobody may touch: what is read and written stays inside. */
function placeSurfaces({ modules, texts, text }) {
  const words = [
    "a.json",
    "sub/b.json",
    "../outside/c.json",
    "link/c.json",
    "link.json",
    "/etc/passwd",
    "/dev/zero",
    "circle",
    "sub/../../outside/c.json",
    "**/*.json",
    "{a,b}.json",
    "./a.json",
    "sub//b.json",
    "/proc/self/environ",
    "~/.ssh/id_rsa",
  ];
  const outside = () =>
    JSON.stringify([
      readdirSync(place()).sort(),
      readdirSync(join(place(), "outside")).map((name) => [
        name,
        readFileSync(join(place(), "outside", name), "utf8"),
      ]),
    ]);
  return [
    text(
      "emulator state",
      [
        '{"agent-deploy-emulator-state":2}\n[["deployments","a",{"id":"a"}]]\n[["deployments","a",null]]\n',
      ],
      (given) => {
        const path = join(place(), "inside/state.jsonl");
        writeFileSync(path, given);
        try {
          modules["emulator/state/journal"].openJournal(path).journal.close();
        } catch (error) {
          // What was read is written again, with an fsync, which scripts/fuzz.mjs may not do: then
          // all of it was readable.
          must(/state\.jsonl:\d+: |Permission Model/.test(error.message), error.message);
        }
      },
    ),
    {
      name: "paths",
      arbitrary: mutated(texts("paths", words)),
      inputs: (bytes) =>
        bytes
          .toString("utf8")
          .split("\n")
          .filter((line) => line !== ""),
      check: async (path) => {
        const before = outside();
        const root = join(place(), "inside");
        const workspace = modules["files/workspace"].createWorkspace({ root });
        const refused = (error) => {
          allow("WorkspaceError")(error);
          isSentence(error.message);
        };
        const real = await workspace.locate(path).catch(refused);
        mustNot(
          "Outside",
          real !== undefined && real !== root && !real.startsWith(`${root}/`),
          "a path leads outside",
        );
        const found = await workspace.expand([path]).catch(refused);
        for (const one of found ?? [])
          mustNot(
            "Outside",
            !(await workspace.locate(one)).startsWith(root),
            "a pattern finds what is outside",
          );
        await workspace.readText(path, 1_000).catch(refused);
        // Some of the paths make folders: so that thousands of inputs do not fill the disk, only
        // short ones are written.
        if (path.length < 60) await workspace.writeText(path, "written").catch(refused);
        mustNot("Outside", outside() !== before, "something outside the workspace was written");
      },
    },
  ];
}
