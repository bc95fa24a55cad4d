#!/usr/bin/env bash
# Any CI with bash and Node 20.18.1 or newer: Jenkins, CircleCI, Buildkite, a cron job.
#   deploy.sh plan     in a change request: what would happen; nothing is written
#   deploy.sh deploy   on the main branch: deploy, wait, and wait once more after a timeout
# Environment: AGENT_DEPLOY_API_KEY, the secrets that the spec names, and AGENT_DEPLOY_CLI, the path of dist/cli.js in a clone of agent-deploy:
#   git clone --depth 1 --branch v0.1.0 https://github.com/your-org/agent-deploy "$HOME/agent-deploy"
set -euo pipefail
cli="${AGENT_DEPLOY_CLI:?set it to the path of dist/cli.js in a clone of agent-deploy}"
spec="${AGENT_DEPLOY_SPEC:-agent-deploy.yml}"
report="${AGENT_DEPLOY_REPORT:-agent-deploy.json}"

case "${1:-}" in
  plan) exec node "$cli" plan "$spec" --report-file "$report" ;;
  deploy) ;;
  *) echo "usage: deploy.sh plan|deploy" >&2; exit 2 ;;
esac

code=0
node "$cli" apply "$spec" --report-file "$report" || code=$?
if [ "$code" -eq 5 ]; then
  # Timed out: the revision may still come up. The report names what is worth waiting for.
  code=0
  node -e 'for (const one of require(require("path").resolve(process.argv[1])).deployments) if (one.outcome === "timed-out") console.log(one.id, one.revision_id)' "$report" > "$report.waiting"
  while read -r deployment revision; do
    node "$cli" wait --deployment-id "$deployment" --revision-id "$revision" || code=$?
  done < "$report.waiting"
  rm -f "$report.waiting"
fi
exit "$code"
