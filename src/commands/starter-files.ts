import { realpath, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Session } from "../ci/session.ts";

/** Where a repository keeps its copy of the editor's schema. */
export const SCHEMA_PATH = "schema/agent-deploy.schema.json";
const WORKFLOW_PATH = ".github/workflows/deploy.yml";
const CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1";
const REPOSITORY = "your-org/agent-deploy";

interface FirstWorkflow {
  readonly version: string;
  readonly spec: string;
  readonly branch: string;
  readonly secrets: readonly string[];
  /** Whether a document has `deploy.paths`. */
  readonly hasPaths: boolean;
}

/**
 * The first workflow: plans on pull requests, deploys on pushes to the branch, with a line for
 * each secret of the spec.
 */
function renderFirstWorkflow(given: FirstWorkflow): string {
  const spec = given.spec === "agent-deploy.yml" ? "" : `spec: ${given.spec}, `;
  // deploy.paths needs the history, to see which files changed since the live commit.
  const depth = given.hasPaths ? "fetch-depth: 0, " : "";
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
    `        with: { ${spec}api-key: "\${{ secrets.AGENT_DEPLOY_API_KEY }}" }`,
    ...(env.length === 0 ? [] : ["        env: # one line for each secret of the spec", ...env]),
  ].join("\n")}\n`;
}

/** Writes a file unless it exists; returns the line that says so. */
async function writeNew(session: Session, path: string, text: string): Promise<string[]> {
  const found = await session.workspace.expand([path]).catch(() => []);
  if (found.length > 0) return [];
  await session.workspace.writeText(path, text);
  return [`wrote ${path}`];
}

/** Writes the workflow of a GitHub repository; lists the secrets to create there. */
export async function writeFirstWorkflow(
  session: Session,
  given: Omit<FirstWorkflow, "version">,
): Promise<string[]> {
  const text = renderFirstWorkflow({ ...given, version: session.version });
  const written = await writeNew(session, WORKFLOW_PATH, text);
  if (written.length === 0) return [];
  const names = ["AGENT_DEPLOY_API_KEY", ...given.secrets];
  return [...written, `Create these secrets in the repository: ${names.join(", ")}`];
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
