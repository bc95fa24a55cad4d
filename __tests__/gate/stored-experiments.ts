import { expect } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { startTestEmulator, type TestEmulator } from "../support/emulator-process.ts";
import { createTree, type Tree } from "../support/tree.ts";

export const EXAMPLES = 30;
export const GATE = ["--gate", "correctness >= 0.8"];

/** Rows with one mark each; the first ones are wrong. */
export function rows(wrong: number, salt = ""): Record<string, unknown>[] {
  return Array.from({ length: EXAMPLES }, (_, i) => ({
    inputs: { question: `question number ${i}` },
    actual_outputs: { answer: `answer ${salt}` },
    evaluation_scores: [{ key: "correctness", score: i < wrong ? 0 : 1 }],
  }));
}

export interface StoredExperiments {
  readonly service: TestEmulator;
  readonly store: (
    name: string,
    results: readonly Record<string, unknown>[],
    metadata?: Record<string, unknown>,
  ) => Promise<{ id: string }>;
  readonly judge: (
    args: readonly string[],
    workspace?: Tree,
    env?: Record<string, string>,
  ) => Promise<{ code: number | null; report: any; stderr: string }>;
}

/** A service that experiments are stored in and judged from. */
export async function startStoredExperiments(): Promise<StoredExperiments> {
  const service = await startTestEmulator();
  /** An experiment as `evaluate()` leaves it: nothing in it is of this tool. */
  const store = async (
    name: string,
    results: readonly Record<string, unknown>[],
    metadata: Record<string, unknown> = {},
  ): Promise<{ id: string }> => {
    const time = "2026-11-01T10:00:00Z";
    const reply = await fetch(`${service.url}/api/v1/datasets/upload-experiment`, {
      method: "POST",
      headers: { "x-api-key": "test-key", "content-type": "application/json" },
      body: JSON.stringify({
        experiment_name: name,
        experiment_start_time: time,
        experiment_end_time: time,
        dataset_name: "capitals",
        experiment_metadata: metadata,
        results: results.map((row) => ({ ...row, start_time: time, end_time: time })),
      }),
    });
    expect(reply.status).toBe(200);
    return ((await reply.json()) as { experiment: { id: string } }).experiment;
  };
  const judge = async (
    args: readonly string[],
    workspace: Tree = createTree(),
    env: Record<string, string> = service.env,
  ): Promise<{ code: number | null; report: any; stderr: string }> => {
    const run = await runCli(["gate", ...args, "--json"], { workspace, env });
    return {
      code: run.code,
      stderr: run.stderr,
      report: run.stdout.trim() === "" ? {} : JSON.parse(run.stdout),
    };
  };
  return { service, store, judge };
}
