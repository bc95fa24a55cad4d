"""What Azure AI Foundry stores of a run: the SDK's own conversion of its results into items of an eval run."""
import json, sys
from agent import QUESTIONS, answer
from azure.ai.evaluation import F1ScoreEvaluator, evaluate


def exact(response, ground_truth):
    if response == "":
        raise ValueError("judge down")
    return {"exact": float(response == ground_truth)}


if __name__ == "__main__":
    with open("foundry-data.jsonl", "w") as f:
        for q, a in QUESTIONS:
            try:
                said = answer(q)
            except TypeError:
                said = ""
            f.write(json.dumps({"query": q, "response": said, "ground_truth": a}) + "\n")
    result = evaluate(data="foundry-data.jsonl", evaluators={"f1": F1ScoreEvaluator(threshold=0.5), "exact": exact},
                      _convert_to_aoai_evaluation_result=True, _eval_id="eval_1", _eval_run_id="evalrun_1")
    json.dump({"object": "list", "data": result["_evaluation_results_list"]}, open(sys.argv[1], "w"), indent=1)
