import { ownAt, ownString } from "../../model/json.ts";
import { listAt, numberAt } from "./pick.ts";
import { createRecipe, hasKeys } from "./recipe.ts";

/** tau-bench: a list of runs with task number and trial. tau2-bench: simulations, each with its parts of the reward. */
export const tauBenchFormat = createRecipe({
  name: "tau-bench",
  title: "tau-bench, tau2-bench (JSON)",
  detect: (head) =>
    hasKeys(head, ["task_id", "reward", "traj | info"]) || hasKeys(head, ["simulations", "tasks"]),
  mapping: `
exact: true
rows: simulations | []
inputs: { task_id: task_id, instruction: info.task.instruction? }
identity: [task_id]
expected_outputs: { actions: info.task.actions, outputs: info.task.outputs }
actual_outputs: { trajectory: traj, messages: messages }
evaluation_scores.reward: reward | reward_info.reward
evaluation_scores: { list: reward_info.reward_breakdown, prefix: reward. }
error: info.error
score_errored: false
start_time: start_time
end_time: end_time
duration_s: duration
repeat: trial
usage.cost: agent_cost
run_metadata: { termination_reason: termination_reason, agent_cost: agent_cost, user_cost: user_cost | info.user_cost }
ignore:
  - info.task
  - info.source
  - info.traceback
  - info.reward_info.reward
  - info.reward_info.actions
  - info.reward_info.info.r_actions
  - info.reward_info.info.gt_data_hash
  - info.reward_info.info.r_outputs
  - info.reward_info.info.outputs
  - seed
  - ticks
  - reward_info.db_check.db_match
  - reward_info.db_check.db_reward
  - reward_info.env_assertions.met
  - reward_info.env_assertions.reward
  - reward_info.env_assertions.env_assertion
  - reward_info.action_checks.action
  - reward_info.action_checks.action_match
  - reward_info.action_checks.action_reward
  - reward_info.nl_assertions.met
  - reward_info.communicate_checks.met
suite: info.environment_info.domain_name
`,
  hook: ({ document }) => ({
    // A simulation that tau2 could not complete has no reward; the reason for its end is the error.
    finish: (row, { value }) => {
      const ended = ownAt(value, "termination_reason");
      const isRun = ownAt(value, "reward_info") === undefined && ended === undefined;
      const reward = ownAt(value, "reward_info", "reward");
      if (isRun || (typeof reward === "number" && ended !== "infrastructure_error")) return row;
      const error = ended ?? "the simulation has no reward";
      return { ...row, evaluation_scores: [], error };
    },
    // tau2 writes after every simulation: the file of a killed run looks like any other.
    header: (rows) => {
      const trials = numberAt(ownAt(document, "info"), "num_trials") ?? 0;
      const all = listAt(document, "tasks").length * trials;
      return {
        counted: [{ what: "simulations", all, held: { all: rows, run: rows } }],
        agent: ownString(ownAt(document, "info", "agent_info"), "llm"),
      };
    },
  }),
});
