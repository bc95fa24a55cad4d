import { own, ownAt, ownString } from "../lenient-json.ts";
import { isObject } from "../../model/json.ts";
import type { FileHeader, ReadRow } from "../row.ts";
import { usageOf } from "../usage.ts";
import type { InputFile } from "../input-file.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { streamValues, type PlacedValue } from "./objects.ts";
import { listAt, numberAt, present } from "./pick.ts";
import { countLost, lossOf } from "./totals.ts";
import { known, unreadOf, type KnownFields } from "./unread.ts";

/** What a record holds that is read, or is not a score. */
const KNOWN: KnownFields = {
  ...known("task_id", "reward", "traj", "trial"),
  info: {
    ...known("task", "source", "user_cost", "error", "traceback"),
    reward_info: {
      ...known("reward", "actions"),
      info: known("r_actions", "gt_data_hash", "r_outputs", "outputs"),
    },
  },
};
const KNOWN_SIMULATION: KnownFields = {
  ...known("task_id", "trial", "messages", "duration", "seed", "agent_cost", "user_cost", "ticks"),
  // The parts of a reward are read out of the breakdown; what is checked for each stands beside it.
  reward_info: {
    ...known("reward", "reward_breakdown", "reward_basis"),
    db_check: known("db_match", "db_reward"),
    env_assertions: known("env_assertion", "met", "reward"),
    action_checks: known("action", "action_match", "action_reward"),
    nl_assertions: known("nl_assertion", "met", "justification"),
    communicate_checks: known("info", "met", "justification"),
  },
};

/** tau-bench: a list of runs, a task by its number and a trial. */
function toRow(file: InputFile, { value: run, line, index }: PlacedValue): ReadRow {
  const task = ownAt(run, "info", "task");
  const error = ownString(own(run, "info"), "error");
  const reward = own(run, "reward");
  const taskId = own(run, "task_id") ?? null;
  return {
    place: { file: file.name, line, index },
    inputs: {
      task_id: taskId,
      ...(ownString(task, "instruction") === undefined
        ? {}
        : { instruction: own(task, "instruction") }),
    },
    identity: { task_id: taskId },
    expected_outputs: present([
      ["actions", own(task, "actions")],
      ["outputs", own(task, "outputs")],
    ]),
    actual_outputs: present([["trajectory", own(run, "traj")]]),
    ...(error === undefined
      ? { evaluation_scores: [{ key: "reward", score: reward }] }
      : { error }),
    repeat: numberAt(run, "trial"),
    ...unreadOf(run, KNOWN),
    run_metadata: present([["user_cost", ownAt(run, "info", "user_cost")]]),
  };
}

/** tau2-bench: simulations, each with its parts of the reward; what could not be simulated has none. */
function toSimulation(file: InputFile, { value: run, line, index }: PlacedValue): ReadRow {
  const taskId = own(run, "task_id") ?? null;
  const info = own(run, "reward_info");
  const reward = own(info, "reward");
  const parts = own(info, "reward_breakdown");
  const ended = ownString(run, "termination_reason");
  const broken = typeof reward !== "number" || ended === "infrastructure_error";
  return {
    place: { file: file.name, line, index },
    inputs: { task_id: taskId },
    identity: { task_id: taskId },
    actual_outputs: present([["messages", own(run, "messages")]]),
    ...(broken
      ? { error: ended ?? "the simulation has no reward" }
      : {
          evaluation_scores: [
            { key: "reward", score: reward },
            ...(isObject(parts)
              ? Object.entries(parts).map(([key, score]) => ({ key: `reward.${key}`, score }))
              : []),
          ],
        }),
    start_time: own(run, "start_time"),
    end_time: own(run, "end_time"),
    duration_s: numberAt(run, "duration"),
    repeat: numberAt(run, "trial"),
    ...unreadOf(run, KNOWN_SIMULATION),
    usage: usageOf({ cost: own(run, "agent_cost") }),
    run_metadata: present([
      ["termination_reason", ended],
      ["agent_cost", own(run, "agent_cost")],
      ["user_cost", own(run, "user_cost")],
    ]),
  };
}

function open(files: readonly InputFile[], heads: readonly Head[]): RowSource {
  const [file, head] = [files[0]!, heads[0]!];
  const second = head.keys.has("simulations");
  const values = streamValues(file, head, ["simulations"]);
  let held = 0;
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    held = 0;
    for await (const batch of values.batches()) {
      held += batch.length;
      yield batch.map((value) => (second ? toSimulation(file, value) : toRow(file, value)));
    }
  }
  const header = (): FileHeader => {
    const domain = ownAt(values.rest(), "info", "environment_info", "domain_name");
    // tau2 writes after every simulation: the file of a run that was killed looks like any other.
    const trials = ownAt(values.rest(), "info", "num_trials");
    const all = listAt(values.rest(), "tasks").length * (typeof trials === "number" ? trials : 0);
    const lost = countLost({ all }, { all: held, run: held });
    return {
      given: {},
      suite: typeof domain === "string" ? domain : undefined,
      ...lossOf(lost, held, "simulations"),
    };
  };
  return { batches, header };
}

/** Results of tau-bench and tau2-bench. */
export const tauBenchFormat: Format = {
  name: "tau-bench",
  title: "tau-bench, tau2-bench (JSON)",
  detect: (head) =>
    (head.container === "json" || head.container === "jsonl") &&
    ((["task_id", "reward"].every((key) => head.keys.has(key)) &&
      ["traj", "info"].some((key) => head.keys.has(key))) ||
      (head.keys.has("simulations") && head.keys.has("tasks"))),
  open,
};
