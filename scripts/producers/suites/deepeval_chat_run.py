"""DeepEval on conversations; the agent's turns are part of the test case. Half of the conversations name a scenario."""
import os
os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"
os.environ["DEEPEVAL_RESULTS_FOLDER"] = "deepeval-out"
from agent import QUESTIONS, answer
from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig, ErrorConfig
from deepeval.metrics import BaseConversationalMetric
from deepeval.test_case import ConversationalTestCase, Turn


class Exact(BaseConversationalMetric):
    threshold = 0.5
    async_mode = False
    evaluation_model = None

    def measure(self, case, *args, **kwargs):
        if case.turns[-1].content == "(nothing)":
            raise ValueError("judge down")
        self.score = float(case.turns[-1].content == case.expected_outcome)
        self.reason = "compared"
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, case, *args, **kwargs):
        return self.measure(case)

    def is_successful(self):
        return bool(self.success)

    @property
    def __name__(self):
        return "Exact"


cases = []
for q, a in QUESTIONS:
    try:
        said = answer(q)
    except TypeError:
        said = "(nothing)"
    turns = [Turn(role="user", content="hello"), Turn(role="assistant", content=f"hi, variant {os.environ['VARIANT']}"),
             Turn(role="user", content=q), Turn(role="assistant", content=said)]
    cases.append(ConversationalTestCase(turns=turns, expected_outcome=a, scenario=f"asks {q}" if int(q[1:]) % 2 else None))
evaluate(test_cases=cases, metrics=[Exact()], display_config=DisplayConfig(show_indicator=False, print_results=False),
         error_config=ErrorConfig(ignore_errors=True), async_config=AsyncConfig(run_async=False), cache_config=CacheConfig(write_cache=False))
