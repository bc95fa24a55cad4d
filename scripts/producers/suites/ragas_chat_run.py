"""ragas on conversations: the whole talk is one column, the agent's turns in it."""
import os, sys
os.environ["RAGAS_DO_NOT_TRACK"] = "true"
from dataclasses import dataclass, field
from agent import QUESTIONS, answer
from ragas import EvaluationDataset, evaluate
from ragas.dataset_schema import MultiTurnSample
from ragas.messages import AIMessage, HumanMessage
from ragas.metrics.base import MetricType, MultiTurnMetric


@dataclass
class Exact(MultiTurnMetric):
    name: str = "exact"
    _required_columns: dict = field(default_factory=lambda: {MetricType.MULTI_TURN: {"user_input", "reference"}})

    def init(self, run_config):
        pass

    async def _multi_turn_ascore(self, sample, callbacks):
        if sample.user_input[-1].content == "(nothing)":
            raise ValueError("judge down")
        return float(sample.user_input[-1].content == sample.reference)


samples = []
for q, a in QUESTIONS:
    try:
        said = answer(q)
    except TypeError:
        said = "(nothing)"
    talk = [HumanMessage(content="hello"), AIMessage(content=f"hi, variant {os.environ['VARIANT']}"), HumanMessage(content=q), AIMessage(content=said)]
    samples.append(MultiTurnSample(user_input=talk, reference=a))
result = evaluate(EvaluationDataset(samples), metrics=[Exact()], raise_exceptions=False, show_progress=False)
frame = result.to_pandas()
if sys.argv[1].endswith(".csv"):
    frame.to_csv(sys.argv[1])
else:
    frame.to_json(sys.argv[1], orient="records", lines=True)
