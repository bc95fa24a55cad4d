import type { Change, DeploymentPlan } from "../../src/plan/plan.ts";
import type {
  DeploymentReport,
  ExperimentReport,
  GateReport,
  Report,
  StatusTransition,
} from "../../src/report/report.ts";

export const START = Date.parse("2026-03-04T10:00:00Z");
const ID = "0b6f6f0e-6a39-4d42-9a7e-0d6f4c1e2a11";
const REVISION = "7c1d1a52-53f4-4a35-8a5f-3f1c0c8a9b22";
const PREVIOUS = "5e0a9d3b-8c1f-4c69-b7b8-2d9e6a7f3c33";
const OLD_IMAGE =
  "registry.example.com/acme/support@sha256:1f0c6a3d9b7e48215c0d6e7f8a9b0c1d2e3f405162738495a6b7c8d9e0f1a2b3";
const NEW_IMAGE =
  "registry.example.com/acme/support@sha256:9b8a7c6d5e4f30211203f4e5d6c7b8a90f1e2d3c4b5a69788796a5b4c3d2e1f0";

export function change(
  path: string,
  before: Change["before"],
  after: Change["after"],
  effect: Change["effect"] = "new-revision",
  sensitive = false,
): Change {
  return { path, before, after, effect, sensitive };
}

export function plan(over: Partial<DeploymentPlan> = {}): DeploymentPlan {
  return {
    name: "support-agent",
    source: "external_container",
    dialect: "document",
    id: ID,
    action: "update",
    changes: [],
    blockers: [],
    revision: "makes",
    dropped: [],
    unreadable: [],
    unmanaged: [],
    secrets: [],
    notes: [],
    warnings: [],
    fingerprint: "ab12cd34ef56ab12cd34ef56ab12cd34ef56ab12cd34ef56ab12cd34ef56ab12",
    ...over,
  };
}

export function deployment(over: Partial<DeploymentReport> = {}): DeploymentReport {
  const changes = over.changes ?? [];
  return {
    name: "support-agent",
    id: ID,
    action: "update",
    outcome: "deployed",
    reason: "",
    message: "",
    next: [],
    revision_id: null,
    previous_revision_id: null,
    revision_status: null,
    url: "",
    changes,
    plan: plan({ name: over.name ?? "support-agent", action: over.action ?? "update", changes }),
    changed: true,
    timeline: [],
    warnings: [],
    notes: [],
    log_tail: [],
    ...over,
  };
}

export function report(over: Partial<Report> = {}): Report {
  return {
    version: 1,
    tool: "agent-deploy 0.1.0",
    command: "apply",
    outcome: "deployed",
    changed: true,
    fingerprint: "c0ffee12c0ffee12c0ffee12c0ffee12c0ffee12c0ffee12c0ffee12c0ffee12",
    deployments: [],
    experiments: [],
    gates: [],
    gate_verdict: "none",
    rows_worse: [],
    rows_better: [],
    rows_new: [],
    rows_missing: [],
    row_counts: { new: 0, missing: 0, changed: {} },
    baseline: null,
    problems: [],
    warnings: [],
    links: [
      { label: "Run", url: "https://github.com/acme/agents/actions/runs/1234567/attempts/1" },
    ],
    started_at: "2026-03-04T10:00:00Z",
    finished_at: "2026-03-04T10:07:05Z",
    ...over,
  };
}

/** Status transitions from `[status, seconds since the start]`. */
export function seen(...steps: readonly (readonly [string, number])[]): StatusTransition[] {
  return steps.map(([status, seconds]) => ({ status, atMs: START + seconds * 1000 }));
}

const BUILD = seen(["QUEUED", 0], ["BUILDING", 2], ["DEPLOYING", 374], ["DEPLOYED", 414]);

const CHANGES: readonly Change[] = [
  change("source_revision_config.image_uri", OLD_IMAGE, NEW_IMAGE),
  change(
    "source_config.resource_spec",
    { cpu: 1, memory_mb: 1024, sidecars: [{ name: "proxy", image: "envoy:1.29" }] },
    {
      cpu: 2,
      memory_mb: 1024,
      sidecars: [{ name: "proxy", image: "envoy:1.31" }],
      labels: { team: "support" },
    },
  ),
  change("secrets.DB_URL", "set", "set", "new-revision", true),
  change("secrets.OPENAI_API_KEY", null, "set", "new-revision", true),
  change("secrets.LEGACY_TOKEN", "set", null, "new-revision", true),
  change("secrets.SENTRY_DSN", "value unknown", "value unknown", "new-revision", true),
  change(
    "source_config.custom_url",
    "https://support.example.com",
    "https://help.example.com",
    "in-place",
  ),
];

export function gate(over: Partial<GateReport>): GateReport {
  const { rule = "correctness >= 0.85" } = over;
  const [, threshold, unit] = /(-?[\d.]+)(ms|s)?$/.exec(rule) ?? [];
  const limit = threshold === undefined ? null : Number(threshold) / (unit === "ms" ? 1000 : 1);
  return {
    limit,
    metric: "correctness",
    rule: "correctness >= 0.85",
    verdict: "pass",
    n: 120,
    n_dropped: 2,
    repeats: 3,
    head: 0.902,
    base: 0.885,
    delta: 0.017,
    ci: [-0.011, 0.045],
    p: 0.88,
    method: "paired t",
    alpha: 0.05,
    mde: 0.035,
    reason: "The mean is 0.902; its 95 % interval lies above 0.85, so the floor is proven.",
    ...over,
  };
}

export function experiment(over: Partial<ExperimentReport> = {}): ExperimentReport {
  return {
    file: "results/support.json",
    format: "promptfoo-json",
    name: "support 9f2c1ab 1234567.1",
    outcome: "uploaded",
    message: "",
    rows: 120,
    errors: 2,
    experiment_id: "e1a2b3c4-0000-4000-8000-000000000001",
    experiment_url: "https://smith.example.com/o/t/datasets/d1?selectedSessions=e1",
    compare_url: "https://smith.example.com/o/t/datasets/d1/compare?selectedSessions=e1%2Ce0",
    dataset_id: "d1a2b3c4-0000-4000-8000-000000000001",
    dataset_name: "acme/agents support",
    test_run_number: 7,
    scores: { correctness: { mean: 0.902, n: 118 }, hallucination: { mean: 0.031, n: 118 } },
    warnings: [],
    ...over,
  };
}

const FAILED_BUILD = deployment({
  outcome: "failed",
  reason: "BUILD_FAILED",
  message:
    "The build of revision 7c1d1a52 ended in BUILD_FAILED. What was live before still serves.",
  next: [
    "Read the log below: the first error is usually the cause",
    `agent-deploy redeploy --deployment-id ${ID} --revision-id ${PREVIOUS}`,
  ],
  revision_id: REVISION,
  previous_revision_id: PREVIOUS,
  revision_status: "BUILD_FAILED",
  changes: CHANGES.slice(0, 1),
  timeline: seen(["QUEUED", 0], ["BUILDING", 2], ["BUILD_FAILED", 194]),
  log_tail: [
    "#12 [builder 4/7] RUN pip install -r requirements.txt",
    "\u001b[31mERROR: Could not find a version that satisfies the requirement langfoo==9.9\u001b[0m",
    "```",
    "</details> @octocat <!-- agent-deploy: {} -->",
    "ERROR: failed to build: exit code: 1",
  ],
});

/** Verdicts, numbers and sentences as a run of `gate` over 40 examples printed them. */
const GATES: readonly GateReport[] = [
  gate({
    metric: "tone",
    rule: "tone drop <= 0.02",
    verdict: "fail",
    n: 38,
    head: 0.7989,
    base: 0.9015,
    delta: -0.1025,
    ci: [-0.1478, -0.05733],
    p: 4.889e-5,
    method: "paired t, df 37; Holm over 2",
    mde: 0.05549,
    reason:
      "tone fell from 0.9 to 0.8 on the 38 shared examples (2 rows without a value not counted) (0.02 is allowed); a fall this large would happen by chance in about 1 of 20000 runs of an unchanged agent (all 2 drop gates counted in)",
  }),
  gate({
    metric: "correctness",
    rule: "correctness drop <= 0.02",
    verdict: "inconclusive",
    n: 38,
    head: 0.7982,
    base: 0.8333,
    delta: -0.03509,
    ci: [-0.1425, 0.07235],
    p: 0.2561,
    method: "paired t, df 37; Holm over 2",
    mde: 0.1318,
    reason:
      "correctness fell from 0.83 to 0.8 on the 38 shared examples (2 rows without a value not counted) (0.02 is allowed), but a fall this large would happen by chance in about 1 of 4 runs of an unchanged agent (all 2 drop gates counted in); 38 examples can only show a change of about 0.13 or more, and to judge one of 0.02, about 1700 examples are needed",
  }),
  gate({
    metric: "correctness",
    rule: "correctness >= 0.75",
    verdict: "pass",
    n: 40,
    head: 0.8,
    base: null,
    delta: null,
    ci: [0.698, 0.8738],
    p: null,
    method: "Wilson interval",
    mde: 0.1256,
    reason:
      "correctness is 0.8 on 40 examples (2 rows without a value not counted) and meets the floor of 0.75; not proven, since the true value most likely lies between 0.7 and 0.87",
  }),
  gate({
    metric: "hallucination",
    rule: "hallucination <= 0.05",
    verdict: "pass",
    n: 40,
    head: 0.03118,
    base: null,
    delta: null,
    ci: [0.02784, 0.03452],
    p: null,
    method: "t interval, df 39",
    mde: 0.004773,
    reason:
      "hallucination is 0.031 on 40 examples (2 rows without a value not counted); the limit of 0.05 is met beyond chance (0.028 to 0.035)",
  }),
  gate({
    metric: "latency_p95",
    rule: "latency_p95 <= 4s",
    verdict: "pass",
    n: 40,
    head: 3.6,
    base: null,
    delta: null,
    ci: null,
    p: null,
    method: "order statistics",
    mde: 0.4874,
    reason:
      "latency_p95 is 3.6 s on 40 examples (2 rows without a value not counted) and meets the limit of 4 s; not proven, as that takes at least 72 examples (95% CI 3.42 s or more)",
  }),
];

/** Every kind of report once; the name is that of its golden file. */
export const SAMPLES: Readonly<Record<string, Report>> = {
  plan: report({
    command: "plan",
    outcome: "planned",
    finished_at: "2026-03-04T10:00:04Z",
    deployments: [
      deployment({
        outcome: "planned",
        changes: CHANGES,
        changed: true,
        message: "would be updated",
        plan: plan({
          changes: CHANGES,
          dropped: ["source_config.resource_spec.annotations.owner"],
          unreadable: ["source_config.listener_config"],
          warnings: [
            "the service does not show source_config.listener_config: not compared, and sent only along with another update",
            "secrets.SENTRY_DSN: the service did not return its value, so it is kept as it is; `secrets-unknown: send` sends it",
          ],
          notes: ["on merge: builds the merged commit"],
        }),
      }),
    ],
  }),
  created: report({
    deployments: [
      deployment({
        action: "create",
        message: `revision ${REVISION} is DEPLOYED and active`,
        revision_id: REVISION,
        revision_status: "DEPLOYED",
        url: "https://support-agent-5d1f.eu.example.app",
        timeline: BUILD,
        changes: [
          change("name", null, "support-agent"),
          change("source", null, "repohost"),
          change("source_config", null, {
            repo_url: "https://git.example.com/acme/agents",
            deployment_type: "prod",
            build_on_push: false,
          }),
          change("source_revision_config", null, {
            repo_ref: "main",
            graph_config_path: "graphs/support.json",
          }),
          change("secrets.OPENAI_API_KEY", null, "set", "new-revision", true),
        ],
      }),
    ],
  }),
  updated: report({
    deployments: [
      deployment({
        message: `revision ${REVISION} is DEPLOYED and active`,
        revision_id: REVISION,
        previous_revision_id: PREVIOUS,
        revision_status: "DEPLOYED",
        url: "https://support-agent-5d1f.eu.example.app",
        timeline: BUILD,
        changes: CHANGES,
        plan: plan({ changes: CHANGES, notes: ["`cpu_limit` follows `cpu`: 4"] }),
      }),
    ],
  }),
  unchanged: report({
    outcome: "unchanged",
    changed: false,
    finished_at: "2026-03-04T10:00:03Z",
    deployments: [
      deployment({
        outcome: "unchanged",
        action: "none",
        changed: false,
        message: "nothing to do: live is what the spec says",
        revision_id: PREVIOUS,
        previous_revision_id: PREVIOUS,
        revision_status: "DEPLOYED",
        url: "https://support-agent-5d1f.eu.example.app",
        plan: plan({ action: "none", revision: "none" }),
      }),
    ],
  }),
  blocked: report({
    outcome: "blocked",
    changed: false,
    deployments: [
      deployment({
        outcome: "blocked",
        action: "blocked",
        reason: "impossible",
        changed: false,
        message:
          "`source_config.repo_url` cannot be changed on a deployment that exists, so nothing was sent.",
        next: [
          "Give the spec a new `name` and apply it: that makes a new deployment",
          "Or set `repo_url` back to the live value",
        ],
        changes: [
          change(
            "source_config.repo_url",
            "https://git.example.com/acme/agents",
            "https://git.example.com/acme/agents-v2",
            "impossible",
          ),
        ],
      }),
    ],
  }),
  "failed-build": report({ outcome: "failed", deployments: [FAILED_BUILD] }),
  "timed-out": report({
    outcome: "timed-out",
    deployments: [
      deployment({
        outcome: "timed-out",
        reason: "timeout",
        message: "Revision 7c1d1a52 was still BUILDING after 30 m. It may still become DEPLOYED.",
        next: [`agent-deploy wait --deployment-id ${ID} --revision-id ${REVISION}`],
        revision_id: REVISION,
        previous_revision_id: PREVIOUS,
        revision_status: "BUILDING",
        timeline: seen(["QUEUED", 0], ["BUILDING", 65], ["BUILDING", 1865]),
        changes: CHANGES.slice(0, 1),
      }),
    ],
  }),
  superseded: report({
    outcome: "superseded",
    deployments: [
      deployment({
        outcome: "superseded",
        reason: "SKIPPED",
        message: "The service skipped revision 7c1d1a52: 88aa77bb is newer and active.",
        superseded_by: "88aa77bb-0d5b-4a40-8a2f-0f7d3d1f5a10",
        next: ["Nothing, if the newer revision holds this change"],
        revision_id: REVISION,
        previous_revision_id: PREVIOUS,
        revision_status: "SKIPPED",
        timeline: seen(["QUEUED", 0], ["SKIPPED", 31]),
        changes: CHANGES.slice(0, 1),
      }),
    ],
  }),
  cancelled: report({
    outcome: "cancelled",
    deployments: [
      deployment({
        outcome: "cancelled",
        reason: "SIGINT",
        message: "The run was cancelled; revision 7c1d1a52 is still building and may go live.",
        next: [`agent-deploy wait --deployment-id ${ID} --revision-id ${REVISION}`],
        revision_id: REVISION,
        previous_revision_id: PREVIOUS,
        revision_status: "BUILDING",
        timeline: seen(["QUEUED", 0], ["BUILDING", 2], ["BUILDING", 60]),
        changes: CHANGES.slice(0, 1),
      }),
    ],
  }),
  "rolled-back": report({
    outcome: "failed",
    deployments: [
      deployment({
        outcome: "failed",
        reason: "verify",
        message:
          "The verify command ended with exit code 1, so the revision before was redeployed. A redeploy does not restore `custom_url` or secrets.",
        next: ["Fix the cause, then push again"],
        revision_id: REVISION,
        previous_revision_id: PREVIOUS,
        revision_status: "DEPLOYED",
        timeline: BUILD,
        changes: CHANGES.slice(0, 1),
        verify: { exit_code: 1, tail: ["> smoke", "GET /ok 502", "npm ERR! code ELIFECYCLE"] },
        rollback: { revision_id: "99aa88bb-0000-4000-8000-000000000009", outcome: "deployed" },
      }),
    ],
  }),
  "fifty-deployments": report({
    outcome: "failed",
    deployments: Array.from({ length: 50 }, (_, at) => {
      const name = `agent-${String(at + 1).padStart(2, "0")}`;
      if (at === 6) return { ...FAILED_BUILD, name };
      if (at === 20)
        return deployment({
          name,
          outcome: "blocked",
          action: "blocked",
          reason: "duplicates",
          changed: false,
          message: "Two deployments have this name.",
          next: ["Set `deploy.id` to one of them"],
        });
      if (at % 3 === 0)
        return deployment({
          name,
          outcome: "deployed",
          message: "Live.",
          revision_id: REVISION,
          revision_status: "DEPLOYED",
          timeline: BUILD,
          changes: CHANGES.slice(0, 2),
          url: `https://${name}.example.app`,
        });
      return deployment({
        name,
        outcome: "unchanged",
        action: "none",
        changed: false,
        plan: plan({ name, action: "none", revision: "none" }),
      });
    }),
  }),
  "experiments-and-gates": report({
    command: "upload",
    outcome: "unchanged",
    changed: false,
    gate_verdict: "fail",
    experiments: [
      experiment({
        scores: {
          correctness: { mean: 0.805, n: 118 },
          tone: { mean: 0.794, n: 118 },
          hallucination: { mean: 0.0314, n: 118 },
        },
      }),
      experiment({
        file: "results/greeting.jsonl",
        name: "greeting 9f2c1ab 1234567.1",
        rows: 40,
        errors: 0,
        scores: { polite: { mean: 0.81, n: 40 } },
        compare_url: "",
        warnings: ["40 rows have no duration: their end is their start"],
      }),
    ],
    gates: GATES,
    gate_messages: GATES.map(({ metric, reason }) => ({
      subject: metric,
      finding: reason.slice(metric.length + 1),
      advice: "",
      with_p: false,
      by_chance: false,
    })),
    rows_worse: [
      {
        metric: "tone",
        input: "Where is my order?",
        expected: "friendly",
        head_output: "It is late. | Deal with it.",
        head: 0.573333333333,
        base: 0.92,
      },
      {
        metric: "tone",
        input: "Cancel my plan, `now`",
        expected: "calm",
        head_output: "no",
        head: 0.2,
        base: 0.8,
      },
    ],
    rows_new: ["New: can you call me back? (38)", "New: can you call me back? (39)"],
    rows_missing: ["0816b2a3-dd47-504a-a83f-08bae7bf81b7", "5f2f1a0e-94ce-5d3b-8f37-0a8f5ab8d1c2"],
    row_counts: {
      new: 2,
      missing: 2,
      changed: { correctness: { worse: 10, better: 9 }, tone: { worse: 30, better: 7 } },
    },
    sensitivity:
      "Sensitivity: 118 examples with 1 run each find a true fall of 0.06 in tone, 0.13 in correctness in 8 of 10 runs.",
    baseline: {
      file: "baseline.json",
      commit: "5f3e2d1c0b9a87766554433221100ffeeddccbba",
      created_at: "2026-03-01T08:00:00Z",
      rows: 120,
      state: "used",
      message: "38 of 40 examples shared",
    },
  }),
};
