/** THE OUTPUT TABLE: action.yml and the README derive from it. The Action sets every output, on failure too. */
export const OUTPUTS = {
  outcome:
    "How the run ended: `unchanged`, `planned`, `updated`, `deployed`, `started` or `skipped` (green); `blocked`, `failed`, `superseded`, `timed-out` or `cancelled` (red).",
  changed:
    "`plan`: whether there is something to change. `apply`: true if this run changed, or may have changed, something, or waited for the revision of a push.",
  plan: "The plan as JSON: `{fingerprint, deployments: [{name, id, action, fingerprint, changes}]}`.",
  fingerprint: "sha256 of the plan, for `expect-plan`.",
  matrix:
    '`{"include": [{name, names, action, fingerprint}]}` of the deployments to change, for a job matrix; pass `names` to `only`.',
  waves: '`[{"wave", "matrix": {"include": […]}}]`: the same, wave by wave.',
  deployments:
    "JSON array, one entry per deployment: name, id, action, outcome, reason, revision_id, previous_revision_id, revision_status, url, changes.",
  "deployment-id": "Deployment ID (single deployment only).",
  "revision-id": "Revision ID of this run (single deployment only).",
  "previous-revision-id": "Previously active revision (single deployment only).",
  "revision-status": "Last known status of the revision (single deployment only).",
  url: "Deployment URL (single deployment only).",
  experiments: "JSON array, one entry per experiment.",
  "experiment-id": "Experiment ID (single experiment only).",
  "experiment-url": "Experiment page (single experiment only).",
  "dataset-id": "Dataset ID (single experiment only).",
  "gate-verdict": "`pass`, `fail`, `inconclusive` or `none`.",
  report: "Absolute path of the full JSON report.",
  "comment-url": "URL of the pull request comment.",
} as const;

/** THE OUTPUTS OF gate/action.yml, set on failure too. */
export const GATE_OUTPUTS = {
  verdict: "`pass`, `fail`, `inconclusive`, or `none` where nothing was judged.",
  gates:
    "JSON array, one entry per gate: metric, rule, verdict, n, head, base, delta, reason and more.",
  "comment-url": OUTPUTS["comment-url"],
  report: OUTPUTS.report,
} as const;
