"""Result files of tools that cannot be had here: records as their documentation shows them, of the suite that all tools run."""
import json, os, sys
from agent import QUESTIONS, answer


def asked():
    for n, (q, a) in enumerate(QUESTIONS):
        try:
            yield n, q, a, answer(q)
        except TypeError as error:
            yield n, q, a, error


def openai_items():
    """eval.run.output_item, as in the reference of the Evals API: a grader's result has a name, a score and whether it passed."""
    for n, q, a, said in asked():
        crashed = isinstance(said, Exception)
        yield {
            "object": "eval.run.output_item", "id": f"outputitem_{os.urandom(6).hex()}", "created_at": 1767225600, "run_id": "evalrun_1", "eval_id": "eval_1",
            "status": "error" if crashed else "pass" if said == a else "fail", "datasource_item_id": n, "datasource_item": {"question": q, "answer": a},
            "results": [] if crashed else [{"name": "exact", "type": "string-check-grader", "sample": None, "passed": said == a, "score": float(said == a)}],
            "sample": {
                "input": [{"role": "user", "content": q}], "output": [] if crashed else [{"role": "assistant", "content": said}],
                "finish_reason": "stop", "model": "agent", "usage": {"total_tokens": 9, "completion_tokens": 4, "prompt_tokens": 5, "cached_tokens": 0},
                "error": {"code": "server_error", "message": str(said)} if crashed else None,
                "temperature": 1.0, "max_completion_tokens": 64, "top_p": 1.0, "seed": 42,
            },
        }


def tau_runs():
    """tau-bench's runs: a task by its number, a trial, the reward, and the conversation; a run that threw has a reward of 0."""
    for trial in range(2):
        for _, q, a, said in asked():
            crashed = isinstance(said, Exception)
            task = {"user_id": "u", "instruction": q, "actions": [{"name": "answer", "kwargs": {"text": a}}], "outputs": []}
            yield {
                "task_id": int(q[1:]) - 1, "reward": 0.0 if crashed else float(said == a),
                "info": {"error": str(said), "traceback": "…"} if crashed else {
                    "task": task, "source": "user", "user_cost": 0.001,
                    "reward_info": {"reward": float(said == a), "info": {"r_actions": float(said == a), "gt_data_hash": "0"}, "actions": task["actions"]}},
                "traj": [] if crashed else [{"role": "user", "content": q}, {"role": "assistant", "content": said}], "trial": trial,
            }


def tau2_simulations():
    """tau2-bench's simulations: parts of a reward, and a reason to end; one that broke down has no reward."""
    for trial in range(2):
        for _, q, a, said in asked():
            crashed, right = isinstance(said, Exception), float(said == a)
            limit = q == "q12"
            yield {
                "id": os.urandom(8).hex(), "task_id": q, "timestamp": "2026-01-01T00:00:02", "start_time": "2026-01-01T00:00:00", "end_time": "2026-01-01T00:00:01",
                "duration": 1.0, "termination_reason": "infrastructure_error" if crashed else "max_steps" if limit else "user_stop",
                "agent_cost": 0.001, "user_cost": 0.001, "trial": trial, "seed": 300 + trial,
                "reward_info": None if crashed else {
                    "reward": 0.0 if limit else right, "db_check": None if limit else {"db_match": bool(right), "db_reward": right}, "env_assertions": [], "action_checks": [],
                    "nl_assertions": None, "communicate_checks": [], "reward_basis": ["DB", "COMMUNICATE"],
                    "reward_breakdown": None if limit else {"DB": right, "COMMUNICATE": 1.0}, "info": {}},
                "messages": [] if crashed else [{"role": "user", "content": q, "turn_idx": 0}, {"role": "assistant", "content": said, "turn_idx": 1}],
            }


shape, out = sys.argv[1:]
made = {
    "openai": lambda: {"object": "list", "data": list(openai_items()), "has_more": False},
    "tau": lambda: list(tau_runs()),
    "tau2": lambda: {
        "timestamp": "2026-01-01T00:00:00", "info": {"git_commit": "0", "num_trials": 2, "max_steps": 30, "max_errors": 10, "seed": 300,
                                                      "environment_info": {"domain_name": "capitals", "policy": "p"}},
        "tasks": [{"id": q, "user_scenario": {"instructions": q}} for q, _ in QUESTIONS], "simulations": list(tau2_simulations())},
}[shape]()
json.dump(made, open(out, "w"), indent=1)
