import type { FormatPage } from "./page.ts";

/** tau-bench, tau2-bench (JSON): a file that holds all of it, and what readers must know. */
export const tauBenchPage: FormatPage = {
  examples: [
    {
      name: "tau.json",
      text: JSON.stringify([
        {
          task_id: 0,
          reward: 1,
          info: { task: { instruction: "a", actions: [{ name: "b" }] }, user_cost: 0.1 },
          traj: [{ role: "assistant", content: "c" }],
          trial: 0,
        },
        { task_id: 1, reward: 0, info: { error: "e" }, traj: [], trial: 0 },
      ]),
    },
  ],
  notes: [
    "The example is the task's id; a trial is a repeat.",
    "tau2-bench: the parts of the reward are `reward.<PART>`.",
  ],
};
