"""A Phoenix server of our own on loopback, an experiment by its client, and what the server gives as the experiment's JSON."""
import json, os, socket, subprocess, sys, time, urllib.request

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    grpc = free.getsockname()[1]
url = f"http://127.0.0.1:{port}"
os.environ.update({"PHOENIX_WORKING_DIR": os.path.abspath("phoenix"), "PHOENIX_PORT": str(port), "PHOENIX_GRPC_PORT": str(grpc), "PHOENIX_HOST": "127.0.0.1",
                   "PHOENIX_TELEMETRY_ENABLED": "false", "PHOENIX_CLIENT_ENDPOINT": url, "PHOENIX_COLLECTOR_ENDPOINT": url})
server = subprocess.Popen([os.path.join(os.path.dirname(sys.executable), "phoenix"), "serve"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    for _ in range(240):
        try:
            urllib.request.urlopen(url + "/healthz", timeout=1).read()
            break
        except OSError:
            time.sleep(0.5)
    from agent import QUESTIONS, answer
    from phoenix.client import Client

    client = Client(base_url=url)
    dataset = client.datasets.create_dataset(
        name="capitals", inputs=[{"question": q} for q, _ in QUESTIONS], outputs=[{"answer": a} for _, a in QUESTIONS])

    def task(input):
        return {"answer": answer(input["question"])}

    def exact(output, expected):
        right = output["answer"] == expected["answer"]
        return {"score": float(right), "label": "right" if right else "wrong", "explanation": "compared"}

    def sure(output):
        if output["answer"] == "answer 11.":
            raise ValueError("judge down")
        return 1.0

    ran = client.experiments.run_experiment(
        dataset=dataset, task=task, evaluators=[exact, sure], repetitions=2, retries=0, print_summary=False)
    found = urllib.request.urlopen(f"{url}/v1/experiments/{ran['experiment_id']}/json").read()
    runs = json.loads(found)
    with open(sys.argv[1], "w") as out:
        json.dump(runs, out, indent=1)
finally:
    server.terminate()
    server.wait()
