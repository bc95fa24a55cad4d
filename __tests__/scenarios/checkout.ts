import type { ServerOptions } from "../../src/emulator/server.ts";
import type { Entry } from "../../src/emulator/state/store.ts";
import { createStage, expectEnd, type Stage } from "./stage.ts";

/** A deployment that is built from the checkout. */
export const SPEC = `name: support-agent
source: internal_source
source_config: { deployment_type: dev }
secrets:
  - { name: API_TOKEN, value: first-value-1 }
`;

const CONFIG = JSON.stringify({ dependencies: ["."], graphs: { agent: "./agent.py:graph" } });

/** A service and a checkout with an agent in it. */
export async function createCheckout(
  spec = SPEC,
  files: Readonly<Record<string, string>> = {},
  options: ServerOptions = {},
  held?: readonly Entry[],
): Promise<Stage> {
  const stage = await createStage(spec, options, held === undefined ? {} : { held });
  const all = { "langgraph.json": CONFIG, "agent.py": "graph = 1\n", ...files };
  for (const [path, text] of Object.entries(all)) stage.workspace.write(path, text);
  return stage;
}

/** What a run deploys of a checkout with nothing added, and what the service holds after it. */
const deployFirst = async () => {
  const stage = await createCheckout();
  const run = await stage.run();
  return { stage, run, held: stage.emulator.emulator.world.store.entries() };
};

let first: ReturnType<typeof deployFirst> | undefined;

/** The run that deployed first, once for a file of tests. */
export const firstDeploy = (): ReturnType<typeof deployFirst> => (first ??= deployFirst());

/** A checkout that was deployed once; each test begins with a copy of what the service holds after that. */
export async function createDeployedCheckout(
  spec = SPEC,
  options: ServerOptions = {},
): Promise<Stage> {
  const { held, run } = await firstDeploy();
  expectEnd(run, { outcome: "deployed" });
  return createCheckout(spec, {}, options, held);
}

interface Upload {
  readonly object_path: string;
  readonly archive: {
    readonly files: readonly { readonly path: string; readonly bytes: number }[];
    readonly data: string | null;
  } | null;
}

/** What was uploaded, oldest first. */
export const uploads = ({ emulator }: Stage): Upload[] =>
  emulator.emulator.world.store.all("uploads") as unknown as Upload[];

/** Paths of the files in the last upload. */
export const packed = (stage: Stage): string[] =>
  uploads(stage)
    .at(-1)!
    .archive!.files.map(({ path }) => path)
    .sort();
