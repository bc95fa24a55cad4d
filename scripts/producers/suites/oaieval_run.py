"""oaieval with an eval and an agent of our own; a sample whose agent crashes is recorded as an error, as its own evals do."""
import json, os, pathlib, sys
os.environ["OPENAI_API_KEY"] = "none"
from agent import QUESTIONS, answer
import evals.cli.oaieval as oaieval
import evals.record


class Agent:
    def __init__(self, registry=None, **_):
        pass

    def __call__(self, prompt, **_):
        asked = prompt[-1]["content"]
        try:
            said = answer(asked)
        except TypeError as error:
            evals.record.record_error("the agent crashed", error)
            said = ""
        evals.record.record_sampling(prompt=prompt, sampled=said)
        return Said(said)


class Said:
    def __init__(self, text):
        self.text = text

    def get_completions(self):
        return [self.text]


if __name__ == "__main__":
    import oaieval_run  # the registry loads the agent by this name

    registry = pathlib.Path("registry")
    for name in ("evals", "completion_fns", "data"):
        (registry / name).mkdir(parents=True, exist_ok=True)
    (registry / "completion_fns/agent.yaml").write_text("agent:\n  class: oaieval_run:Agent\n")
    (registry / "evals/capitals.yaml").write_text(
        "capitals:\n  id: capitals.test.v1\n  metrics: [accuracy]\n"
        "capitals.test.v1:\n  class: evals.elsuite.basic.match:Match\n  args:\n    samples_jsonl: capitals.jsonl\n")
    with open(registry / "data/capitals.jsonl", "w") as data:
        for q, a in QUESTIONS:
            data.write(json.dumps({"input": [{"role": "system", "content": "s"}, {"role": "user", "content": q}], "ideal": a}) + "\n")
    sys.argv = ["oaieval", "agent", "capitals", "--registry_path", "registry", "--record_path", sys.argv[1], "--no-cache"]
    oaieval.main()
