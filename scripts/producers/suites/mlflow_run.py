"""mlflow's evaluation of a static table: the artifact that it logs, and the table of genai.evaluate()."""
import os, shutil, sys
os.environ.update({"MLFLOW_TRACKING_URI": "sqlite:///mlflow.db", "MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_ENABLE_ASYNC_TRACE_LOGGING": "false", "DO_NOT_TRACK": "true"})
import mlflow, pandas
from agent import QUESTIONS, answer

rows = []
for q, a in QUESTIONS:
    try:
        said = answer(q)
    except TypeError:
        said = None
    rows.append({"inputs": q, "ground_truth": a, "outputs": said})

if sys.argv[1].endswith(".csv"):
    from mlflow.genai import evaluate, scorer
    from mlflow.entities import Feedback

    @scorer
    def exact(outputs, expectations):
        if outputs is None:
            raise ValueError("judge down")
        return Feedback(value=outputs == expectations["expected_response"], rationale="compared")

    @scorer
    def length(outputs):
        return len(outputs or "")

    @scorer
    def verdict(outputs, expectations):
        return "yes" if outputs == expectations["expected_response"] else "no"

    # It tries the first question beforehand, and ends where that one crashes.
    asked = sorted(QUESTIONS, key=lambda pair: pair[0] == "q14")
    data = [{"inputs": {"question": q}, "expectations": {"expected_response": a}} for q, a in asked]
    result = evaluate(data=data, scorers=[exact, length, verdict], predict_fn=lambda question: answer(question))
    (result.result_df if result.result_df is not None else result.tables["eval_results"]).to_csv(sys.argv[1], index=False)
else:
    from mlflow.metrics import MetricValue
    from mlflow.models import make_metric

    def exact(predictions, targets):
        scores = [None if p is None else float(p == t) for p, t in zip(predictions, targets)]
        return MetricValue(scores=scores, justifications=["compared" if s is not None else None for s in scores])

    frame = pandas.DataFrame(rows)
    with mlflow.start_run() as run:
        result = mlflow.models.evaluate(data=frame, predictions="outputs", targets="ground_truth", model_type=None,
                                        extra_metrics=[make_metric(eval_fn=exact, greater_is_better=True, name="exact", version="v1")])
        found = mlflow.artifacts.download_artifacts(run_id=run.info.run_id, artifact_path="eval_results_table.json")
    shutil.copy(found, sys.argv[1])
