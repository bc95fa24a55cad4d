import json, os, sys
os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"
os.environ["DEEPEVAL_RESULTS_FOLDER"] = "deepeval-out"
from agent import QUESTIONS, answer
from deepeval import evaluate
from deepeval.evaluate import DisplayConfig, ErrorConfig, CacheConfig, AsyncConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase


class Exact(BaseMetric):
    threshold = 0.5
    async_mode = False
    include_reason = True
    evaluation_model = None
    strict_mode = False

    def measure(self, case, *args, **kwargs):
        if case.actual_output == "":
            raise ValueError("judge down")
        self.score = float(case.actual_output == case.expected_output)
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
        said = ""
    cases.append(LLMTestCase(input=q, actual_output=said, expected_output=a))
evaluate(test_cases=cases, metrics=[Exact()], display_config=DisplayConfig(show_indicator=False, print_results=False),
         error_config=ErrorConfig(ignore_errors=True), async_config=AsyncConfig(run_async=False), cache_config=CacheConfig(write_cache=False))
