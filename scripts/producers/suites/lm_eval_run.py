"""lm-evaluation-harness over a task of its own, with a model that is the agent; the samples as --log_samples writes them."""
import glob, json, os, shutil, sys
os.environ.update({"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": os.path.abspath("hf")})
from agent import QUESTIONS, answer
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

os.makedirs("tasks", exist_ok=True)
with open("tasks/data.jsonl", "w") as f:
    for q, a in QUESTIONS:
        f.write(json.dumps({"q": q, "a": a}) + "\n")
with open("tasks/capitals.yaml", "w") as f:
    f.write(f"""task: capitals
dataset_path: json
dataset_kwargs: {{ data_files: {{ test: {os.path.abspath("tasks/data.jsonl")} }} }}
test_split: test
output_type: generate_until
doc_to_text: "{{{{q}}}}"
doc_to_target: "{{{{a}}}}"
generation_kwargs: {{ until: ["\\n"] }}
filter_list:
  - {{ name: none, filter: [ {{ function: take_first }} ] }}
  - {{ name: first-word, filter: [ {{ function: regex, regex_pattern: "(\\\\S+)" }}, {{ function: take_first }} ] }}
metric_list:
  - {{ metric: exact_match, aggregation: mean, higher_is_better: true }}
""")


class Agent(LM):
    def generate_until(self, requests, disable_tqdm=False):
        said = []
        for request in requests:
            try:
                said.append(answer(request.args[0]))
            except TypeError:
                said.append("")
        return said

    def loglikelihood(self, requests):
        raise NotImplementedError

    def loglikelihood_rolling(self, requests):
        raise NotImplementedError


tracker = EvaluationTracker(output_path="lm-out")
results = simple_evaluate(model=Agent(), tasks=["capitals"], task_manager=TaskManager(include_path="tasks", include_defaults=False), log_samples=True, bootstrap_iters=0)
samples = results.pop("samples")
tracker.save_results_aggregated(results=results, samples=samples)
for name, rows in samples.items():
    tracker.save_results_samples(task_name=name, samples=rows)
shutil.copy(glob.glob("lm-out/**/samples_*.jsonl", recursive=True)[0], sys.argv[1])
