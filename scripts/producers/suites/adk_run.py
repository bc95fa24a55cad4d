"""Google ADK's own evaluation of an agent without a model; the result file as its manager of local eval sets writes it."""
import asyncio, glob, os, shutil, sys
from agent import QUESTIONS, answer
from google.adk.agents import BaseAgent
from google.adk.evaluation.base_eval_service import EvaluateConfig, EvaluateRequest, InferenceConfig, InferenceRequest
from google.adk.evaluation.eval_case import EvalCase, Invocation
from google.adk.evaluation.eval_metrics import EvalMetric
from google.adk.evaluation.in_memory_eval_sets_manager import InMemoryEvalSetsManager
from google.adk.evaluation.local_eval_service import LocalEvalService
from google.adk.evaluation.local_eval_set_results_manager import LocalEvalSetResultsManager
from google.adk.events import Event
from google.genai import types


def content(role, text):
    return types.Content(role=role, parts=[types.Part(text=text)])


class Agent(BaseAgent):
    async def _run_async_impl(self, ctx):
        asked = ctx.user_content.parts[0].text
        yield Event(author=self.name, invocation_id=ctx.invocation_id, content=content("model", answer(asked)))


async def main():
    sets = InMemoryEvalSetsManager()
    sets.create_eval_set("capitals", "capitals")
    for q, a in QUESTIONS:
        sets.add_eval_case("capitals", "capitals", EvalCase(eval_id=f"case {q}", conversation=[
            Invocation(user_content=content("user", q), final_response=content("model", a))]))
    service = LocalEvalService(root_agent=Agent(name="agent"), eval_sets_manager=sets, eval_set_results_manager=LocalEvalSetResultsManager("adk-out"))
    inferred = [r async for r in service.perform_inference(InferenceRequest(app_name="capitals", eval_set_id="capitals", inference_config=InferenceConfig()))]
    metrics = [EvalMetric(metric_name="response_match_score", threshold=0.8), EvalMetric(metric_name="tool_trajectory_avg_score", threshold=1.0)]
    async for _ in service.evaluate(EvaluateRequest(inference_results=inferred, evaluate_config=EvaluateConfig(eval_metrics=metrics))):
        pass


asyncio.run(main())
shutil.copy([os.path.join(d, f) for d, _, fs in os.walk("adk-out") for f in fs if f.endswith(".evalset_result.json")][0], sys.argv[1])
