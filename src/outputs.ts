/** THE OUTPUT TABLE: action.yml and README derive from it, and the Action sets each of these, on failure too. */
export const OUTPUTS = {
  outcome:
    "How the run ended: `unchanged`, `planned`, `updated`, `deployed`, `started` or `skipped` (green); `blocked`, `failed`, `superseded`, `timed-out` or `cancelled` (red).",
  changed:
    "`plan`: whether there is something to write. `apply`: whether this run wrote, or waited for a revision that a push made.",
  plan: "The plan as JSON: `{fingerprint, deployments: [{name, id, action, fingerprint, changes}]}`.",
  fingerprint: "sha256 of the plan, for `expect-plan`.",
  matrix:
    '`{"include": [{name, names, action, fingerprint}]}` of the deployments that have work, for a job matrix; `names` is for `only`.',
  waves: '`[{"wave", "matrix": {"include": […]}}]`: the same, wave by wave.',
  deployments:
    "JSON array, one entry per deployment: name, id, action, outcome, reason, revision_id, previous_revision_id, revision_status, url, changes.",
  "deployment-id": "Id of the deployment, where there is one alone.",
  "revision-id": "Revision of this run, where there is one deployment alone.",
  "previous-revision-id": "Revision that was active before, where there is one deployment alone.",
  "revision-status": "Last status seen of that revision, where there is one deployment alone.",
  url: "Address of the deployment as the service gives it, where there is one deployment alone; never built.",
  experiments: "JSON array, one entry per experiment.",
  "experiment-id": "Id of the experiment, where there is one alone.",
  "experiment-url": "Page of the experiment, where there is one alone.",
  "dataset-id": "Id of its dataset, where there is one experiment alone.",
  "gate-verdict": "`pass`, `fail`, `inconclusive` or `none`.",
  report: "Absolute path of the full JSON report.",
  "comment-url": "Address of the pull request comment.",
} as const;
