import { realpath, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Session } from "../ci/session.ts";

/** Where a repository keeps its copy of the editor's schema. */
export const SCHEMA_PATH = "schema/agent-deploy.schema.json";
const CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1";
const REPOSITORY = "your-org/agent-deploy";

interface FirstWorkflow {
  readonly host: "github" | "gitlab";
  readonly version: string;
  readonly spec: string;
  readonly branch: string;
  readonly secrets: readonly string[];
  /** Whether a document has `deploy.paths`. */
  readonly hasPaths: boolean;
}

/** Plans on pull requests, deploys on pushes to the branch. */
function renderFirstWorkflow(given: FirstWorkflow): string {
  const spec = given.spec === "agent-deploy.yml" ? "" : `spec: ${given.spec}, `;
  // deploy.paths needs the history, to see which files changed since the live commit, and the
  // commit, so that the plan of a pull request shows what its merge builds.
  const depth = given.hasPaths ? "fetch-depth: 0, " : "";
  const commit = given.hasPaths ? 'commit: "${{ github.sha }}", ' : "";
  const env = given.secrets.map((name) => `          ${name}: \${{ secrets.${name} }}`);
  return `${[
    "name: deploy",
    `on: { pull_request: {}, push: { branches: [${given.branch}] } }`,
    "permissions: { contents: read, pull-requests: write }",
    "concurrency: deploy-${{ github.ref }}",
    "jobs:",
    "  deploy:",
    "    runs-on: ubuntu-latest",
    "    steps:",
    `      - uses: ${CHECKOUT}`,
    `        with: { ${depth}persist-credentials: false }`,
    `      - uses: ${REPOSITORY}@v${given.version}`,
    `        with: { ${spec}${commit}api-key: "\${{ secrets.AGENT_DEPLOY_API_KEY }}" }`,
    ...(env.length === 0 ? [] : ["        env: # one line for each secret of the spec", ...env]),
  ].join("\n")}\n`;
}

/** The first jobs of GitLab: plan in merge requests, deploy on the default branch. */
function renderFirstPipeline({ spec, version }: FirstWorkflow): string {
  const file = spec === "agent-deploy.yml" ? "" : ` ${spec}`;
  return `${[
    "image: node:24",
    "variables:",
    `  AGENT_DEPLOY: npx --yes github:${REPOSITORY}#v${version}`,
    "plan:",
    '  rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }]',
    `  script: $AGENT_DEPLOY plan${file} --markdown-file plan.md`,
    "  artifacts: { paths: [plan.md], when: always }",
    "deploy:",
    "  rules: [{ if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH }]",
    "  resource_group: agent-deploy # one deploy at a time",
    `  script: $AGENT_DEPLOY apply${file}`,
  ].join("\n")}\n`;
}

const HOSTS = {
  github: {
    path: ".github/workflows/deploy.yml",
    render: renderFirstWorkflow,
    secrets: "Create these secrets in the repository",
  },
  gitlab: {
    path: ".gitlab-ci.yml",
    render: renderFirstPipeline,
    secrets: "Create these masked variables under Settings, CI/CD, Variables",
  },
} as const;

/** Whether the workspace has a file at this path. */
export async function isThere({ workspace }: Session, path: string): Promise<boolean> {
  return (await workspace.expand([path]).catch(() => [])).length > 0;
}

/** Writes a file unless it exists; returns the line that says so. */
async function writeNew(session: Session, path: string, text: string): Promise<string[]> {
  if (await isThere(session, path)) return [];
  await session.workspace.writeText(path, text);
  return [`wrote ${path}`];
}

/** Writes the workflow of a GitHub or GitLab repository; lists the secrets to create there. */
export async function writeFirstWorkflow(
  session: Session,
  given: Omit<FirstWorkflow, "version">,
): Promise<string[]> {
  const { path, render, secrets } = HOSTS[given.host];
  const written = await writeNew(session, path, render({ ...given, version: session.version }));
  if (written.length === 0) return [];
  const names = ["AGENT_DEPLOY_API_KEY", ...given.secrets];
  return [...written, `${secrets}: ${names.join(", ")}`];
}

/** Copies the editor's schema from the package to where the first line of the spec expects it. */
export async function writeSchema(session: Session, place: string): Promise<string[]> {
  try {
    const script = await realpath(process.argv[1] ?? "");
    const text = await readFile(join(dirname(script), "..", SCHEMA_PATH), "utf8");
    return await writeNew(session, place, text);
  } catch {
    return [`Completion in an editor: copy ${SCHEMA_PATH} of agent-deploy into this repository.`];
  }
}
