import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startEmulator } from "../emulator/server.ts";
import type { Environment } from "../spec/interpolation.ts";
import { calledAs } from "../ci/checkout-folder.ts";
import type { Session } from "../ci/session.ts";

/** Phases of about a second: long enough to see, short enough to wait for. */
const TIME_SCALE = 8;
const SPEC = "agent-deploy.yml";

interface Stage {
  readonly folder: string;
  readonly script: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** `demo`: plays the sample spec against an emulator, as a user would type it. Returns the exit code. */
export async function runDemo({ env: outer, signal }: Session): Promise<number> {
  const script = await realpath(process.argv[1] ?? "");
  const folder = await mkdtemp(join(tmpdir(), "agent-deploy-demo-"));
  const emulator = await startEmulator({ timeScale: TIME_SCALE });
  const env = {
    PATH: outer["PATH"],
    HOME: outer["HOME"],
    NO_COLOR: outer["NO_COLOR"],
    FORCE_COLOR: outer["FORCE_COLOR"],
    AGENT_DEPLOY_API_KEY: "demo-key",
    AGENT_DEPLOY_CONTROL_PLANE_URL: emulator.url,
    OPENAI_API_KEY: "sk-demo-not-a-real-key",
    SEARCH_DB_URL: "postgres://demo:not-a-real-password@db.example.com/search",
  };
  // If the reader goes away (demo | head), the process ends at its next line, whatever is running.
  const clearUp = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", clearUp);
  try {
    const examples = join(dirname(script), "..", "examples");
    await cp(join(examples, SPEC), join(folder, SPEC));
    await cp(join(examples, "evals"), join(folder, "evals"), { recursive: true });
    print(
      `Started a local emulator at ${emulator.url}; nothing leaves this machine. The spec is examples/${SPEC}, with two deployments.`,
    );
    return await play(
      { folder, script, env, signal },
      () => emulator.emulator.requests().filter((request) => request.method !== "GET").length,
    );
  } finally {
    process.removeListener("exit", clearUp);
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Step {
  readonly title: string;
  readonly args: readonly string[];
  /** Whether a field of the spec is changed before. */
  readonly changes?: true;
}

const STEPS: readonly Step[] = [
  { title: "What would happen? Nothing is written yet.", args: ["plan"] },
  { title: "Deploy both, and wait until they run.", args: ["apply"] },
  {
    title:
      "Deploy again: one PATCH with what changed, one new revision, the other deployment stays as it is.",
    args: ["apply"],
    changes: true,
  },
  { title: "Run it once more: nothing to do.", args: ["apply"] },
  {
    title:
      "Evaluation results: upload them as an experiment, and gate them against the last good run.",
    args: [
      ...["upload", "evals/capitals.jsonl", "--baseline", "evals/capitals.baseline.json"],
      ...["--gate", "correctness >= 0.8, correctness drop <= 0.05, latency_p95 <= 4s"],
    ],
  },
];

async function play(stage: Stage, countWrites: () => number): Promise<number> {
  const path = join(stage.folder, SPEC);
  const writes: number[] = [];
  for (const { changes, title, args } of STEPS) {
    if (changes === true) {
      const text = await readFile(path, "utf8");
      await writeFile(path, text.replace("memory_mb: 1024", "memory_mb: 2048"));
      print("\n# One field of the spec changes: memory_mb 1024 → 2048");
    }
    const already = countWrites();
    if (!(await type(stage, title, args))) return 1;
    writes.push(countWrites() - already);
  }
  const [, first, change, third, experiment] = writes;
  print(
    `\nWrites the service got: ${first} for the first deploy, ${change} for the change, ${third} for the third run, ${experiment} for the experiment.`,
  );
  print(
    `Next: write your own spec with ${calledAs(process.cwd())} init, then see README.md for the workflow.`,
  );
  return 0;
}

async function type(
  { folder, script, env, signal }: Stage,
  title: string,
  args: readonly string[],
): Promise<boolean> {
  print(
    `\n# ${title}\n$ agent-deploy ${args.map((word) => (/[ ,<>]/.test(word) ? `"${word}"` : word)).join(" ")}`,
  );
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "inherit", "inherit"],
    signal,
  });
  const stop = (): void => {
    child.kill();
  };
  process.once("exit", stop);
  const [code] = (await once(child, "close").catch(() => [130])) as [number | null];
  process.removeListener("exit", stop);
  if (code !== 0) print(`(ended with exit code ${code ?? 1})`);
  return code === 0;
}
