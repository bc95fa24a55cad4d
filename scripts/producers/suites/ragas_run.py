"""ragas on its own data set, with metrics that need no model; an answer that is not there leaves its scores empty."""
import os, sys
os.environ["RAGAS_DO_NOT_TRACK"] = "true"
from agent import QUESTIONS, answer
from dataclasses import dataclass, field
from ragas import EvaluationDataset, SingleTurnSample, evaluate
from ragas.dataset_schema import MultiTurnSample
from ragas.metrics import ExactMatch, StringPresence
from ragas.metrics.base import MetricType, SingleTurnMetric


@dataclass
class Exact(SingleTurnMetric):
    name: str = "exact"
    _required_columns: dict = field(default_factory=lambda: {MetricType.SINGLE_TURN: {"response", "reference"}})

    def init(self, run_config):
        pass

    async def _single_turn_ascore(self, sample, callbacks):
        if sample.response == "":
            raise ValueError("judge down")
        return float(sample.response == sample.reference)


samples = []
for q, a in QUESTIONS:
    try:
        said = answer(q)
    except TypeError:
        said = ""
    samples.append(SingleTurnSample(user_input=q, response=said, reference=a, retrieved_contexts=[f'it\'s "{q}"', "b"]))
result = evaluate(EvaluationDataset(samples), metrics=[Exact(), ExactMatch(), StringPresence()], raise_exceptions=False, show_progress=False)
frame = result.to_pandas()
if sys.argv[1].endswith(".csv"):
    frame.to_csv(sys.argv[1])
else:
    frame.to_json(sys.argv[1], orient="records", lines=True)
