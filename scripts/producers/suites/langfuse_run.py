"""Langfuse's run_experiment() on local data; the SDK writes no file, so its result is written as its experiment action does."""
import json, os, sys
os.environ.update({"LANGFUSE_PUBLIC_KEY": "none", "LANGFUSE_SECRET_KEY": "none", "LANGFUSE_HOST": "http://127.0.0.1:9", "LANGFUSE_TRACING_ENABLED": "false"})
from agent import QUESTIONS, answer
from langfuse import Evaluation, get_client


def exact(*, input, output, expected_output, **_):
    return Evaluation(name="exact", value=float(output == expected_output), comment="compared")


def tone(*, output, **_):
    return Evaluation(name="tone", value="plain" if "answer" in output else "lost")


result = get_client().run_experiment(
    name="capitals", data=[{"input": q, "expected_output": a, "metadata": {"n": n}} for n, (q, a) in enumerate(QUESTIONS)],
    task=lambda *, item, **_: answer(item["input"]), evaluators=[exact, tone],
    run_evaluators=[lambda *, item_results, **_: Evaluation(name="mean", value=sum(r.evaluations[0].value for r in item_results) / len(item_results))],
)
plain = lambda e: {k: getattr(e, k, None) for k in ("name", "value", "comment", "metadata", "data_type")}
json.dump({
    "item_results": [{"item": r.item if isinstance(r.item, dict) else vars(r.item), "output": r.output, "evaluations": [plain(e) for e in r.evaluations], "trace_id": r.trace_id} for r in result.item_results],
    "run_evaluations": [plain(e) for e in result.run_evaluations],
}, open(sys.argv[1], "w"), indent=1, default=str)
