"""Reads the producers' files on its own: what rows, marks, errors and skips each should come to, and which question each row is of. Shares nothing with the product."""
import ast, csv, json, pathlib, re, sys, xml.etree.ElementTree as ET

root = pathlib.Path(sys.argv[1])
csv.field_size_limit(10_000_000)


def loads(text):
    return json.loads(re.sub(r"\bNaN\b", "null", text))


def numbers(cells):
    words = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0}
    return {k: words.get(v.lower()) if v.lower() in words else float(v) for k, v in cells.items() if v != ""}


def promptfoo(path):
    for line in path.read_text().splitlines():
        r = loads(line)
        failed = r.get("failureReason") == 2
        parts = (r.get("gradingResult") or {}).get("componentResults") or []
        marks = {}
        for part in parts:
            a = part["assertion"]
            marks.setdefault(a["metric"], []).append((part["score"], a.get("weight", 1)))
        scores = {k: sum(s * w for s, w in v) / sum(w for _, w in v) for k, v in marks.items()}
        scores["pass"] = float(r["success"])
        yield (not failed and scores), failed, r["vars"]["q"]


def reports(path):
    d = loads(path.read_text())
    if "testResults" in d:
        for t in (t for s in d["testResults"] for t in s["assertionResults"]):
            if t["status"] in ("passed", "failed"):
                judged = {s["name"]: s["score"] for s in (t.get("meta", {}).get("eval") or {}).get("scores", [])}
                crashed = t["status"] == "failed" and bool(t.get("meta", {}).get("harness")) and not judged
                yield ({} if crashed else {**judged, "pass": float(t["status"] == "passed")}), crashed, t["fullName"]
            else:
                yield None, False, t["fullName"]
    else:
        pending = {t["fullTitle"] for t in d["pending"]}
        for t in d["tests"]:
            yield (None if t["fullTitle"] in pending else {"pass": float(t["err"] == {})}), False, t["fullTitle"]


def ctrf(path):
    for t in loads(path.read_text())["results"]["tests"]:
        yield ({"pass": float(t["status"] == "passed")} if t["status"] in ("passed", "failed") else None), False, t["name"]


def junit(path):
    for case in ET.parse(path).getroot().iter("testcase"):
        name = case.get("name")
        if case.find("skipped") is not None:
            yield None, False, name
            continue
        props = {p.get("name")[6:]: float(p.get("value")) for p in case.iter("property") if p.get("name").startswith("score.")}
        if case.find("error") is not None:
            yield props, True, name
        else:
            yield {**props, "pass": float(case.find("failure") is None)}, False, name


def evalite(path):
    for e in loads(path.read_text())["evals"]:
        for r in e["results"]:
            yield {s["name"]: s["score"] for s in r["scores"]}, r["status"] == "fail" and not r["scores"], r["input"]


def braintrust(path):
    for r in loads(path.read_text())["results"]:
        asked = r["input"] if isinstance(r["input"], str) else r["input"][-1]["content"]
        yield {k: v for k, v in r["scores"].items() if v is not None}, r["error"] is not None, asked


def inspect(path):
    from inspect_ai.log import read_eval_log

    for s in read_eval_log(str(path)).samples:
        asked = [m.text for m in s.input if m.role == "user"][-1]
        marks = {k: {"C": 1.0, "I": 0.0}.get(v.value, v.value) for k, v in (s.scores or {}).items()}
        yield {k: v for k, v in marks.items() if v == v}, s.error is not None, asked


def langsmith_tests(path):
    for t in (t for s in loads(path.read_text())["testResults"] for t in s["assertionResults"]):
        name, _, side = t["title"].partition(", test_id=")
        asked = re.sub(", run \\d+$", "", name)
        if t["status"] not in ("passed", "failed"):
            yield None, False, asked
            continue
        side = loads((path.parent / "langsmith_test_results" / f"{side}.json").read_text())
        crashed = side.get("outputs") is None
        marks = {f["key"]: float(f["score"]) for f in side["feedback"] if not (crashed and f["key"] == "pass")}
        yield marks, crashed, asked


def oaieval(path):
    samples = {}
    for e in map(loads, path.read_text().splitlines()):
        if "sample_id" in e:
            samples.setdefault(e["sample_id"], {})[e["type"]] = e["data"]
    for s in samples.values():
        yield {"match": float(s["match"]["correct"])}, "error" in s, s["sampling"]["prompt"][-1]["content"]


def phoenix(path):
    for r in loads(path.read_text()):
        yield {a["name"]: a["score"] for a in r["annotations"] if a["score"] is not None}, r["error"] is not None, r["input"]["question"]


def items(path):
    for r in loads(path.read_text())["data"]:
        marks = {}
        for g in r["results"]:
            if g.get("status") != "error":
                marks[g.get("metric", g["name"])] = g["score"]
                if g["passed"] is not None:
                    marks[g.get("metric", g["name"]) + ".pass"] = float(g["passed"])
        yield marks, r["status"] == "error", r["datasource_item"].get("query", r["datasource_item"].get("question"))


def tau(path):
    for r in loads(path.read_text()):
        crashed = "error" in r["info"]
        yield ({} if crashed else {"reward": r["reward"]}), crashed, f"q{r['task_id'] + 1}"


def tau2(path):
    for r in loads(path.read_text())["simulations"]:
        crashed, info = r["reward_info"] is None, r["reward_info"] or {}
        parts = {f"reward.{k}": v for k, v in (info.get("reward_breakdown") or {}).items()}
        yield ({} if crashed else {"reward": info["reward"], **parts}), crashed, r["task_id"]


def azure(path):
    for r in loads(path.read_text())["rows"]:
        f1, exact = r["outputs.f1.f1_score"], r["outputs.exact.exact"]
        marks = {"f1.f1_score": f1, "f1.f1_score.pass": float(r["outputs.f1.f1_score_result"] == "pass"), "exact.exact": exact}
        yield {k: v for k, v in marks.items() if v is not None}, False, r["inputs.query"]


def deepeval(path):
    d = loads(path.read_text())
    d = d.get("testRunData", d)
    for c in d.get("testCases", []) + d.get("conversationalTestCases", []):
        marks = {}
        for m in c.get("metricsData", []):
            if not m.get("error"):
                marks[m["name"]] = m["score"]
                marks[m["name"] + ".pass"] = float(m["success"])
        if c.get("success") is not None:
            marks["pass"] = float(c["success"])
        said = [t["content"] for t in c.get("turns", []) if t["role"] == "user"]
        yield marks, False, said[-1] if said else c["input"]


def ragas(path):
    metrics = ("exact", "exact_match", "string_present")
    asked = lambda talk: talk if isinstance(talk, str) else [t["content"] for t in talk if t["type"] == "human"][-1]
    if path.suffix == ".csv":
        for r in csv.DictReader(path.open()):
            talk = ast.literal_eval(r["user_input"]) if r["user_input"].startswith("[") else r["user_input"]
            yield numbers({k: r[k] for k in metrics if k in r}), False, asked(talk)
    else:
        for r in map(loads, path.read_text().splitlines()):
            yield {k: r[k] for k in metrics if r.get(k) is not None}, False, asked(r["user_input"])


def langsmith(path):
    for r in csv.DictReader(path.open()):
        marks = numbers({k[9:]: v for k, v in r.items() if k.startswith("feedback.")})
        yield marks, r["error"] != "", r["inputs.question"]


def mlflow(path):
    if path.suffix == ".csv":
        for r in csv.DictReader(path.open()):
            yield numbers({k: r[f"{k}/value"] for k in ("exact", "length", "verdict")}), r["state"] == "ERROR", r["request"]
    else:
        table = loads(path.read_text())
        for cells in table["data"]:
            r = dict(zip(table["columns"], cells))
            yield {"exact": r["exact/v1/score"]} if r["exact/v1/score"] is not None else {}, False, r["inputs"]


def lm_eval(path):
    for r in map(loads, path.read_text().splitlines()):
        behind = "" if r["filter"] == "none" else "," + r["filter"]
        yield {m + behind: r[m] for m in r["metrics"]}, False, r["doc"]["q"] + behind


def langfuse(path):
    for r in loads(path.read_text())["item_results"]:
        yield {e["name"]: e["value"] for e in r["evaluations"] if not isinstance(e["value"], str)}, False, r["item"]["input"]


def adk(path):
    for c in loads(path.read_text())["eval_case_results"]:
        marks = {}
        for m in c["overall_eval_metric_results"]:
            marks[m["metric_name"]] = m["score"]
            marks[m["metric_name"] + ".pass"] = float(m["eval_status"] == 1)
        crashed = not c["overall_eval_metric_results"]
        yield ({} if crashed else {**marks, "pass": float(c["final_eval_status"] == 1)}), crashed, c["eval_id"]


READERS = {"promptfoo": promptfoo, "vitest": reports, "jest": reports, "jest-ctrf": ctrf, "mocha-11-json": reports,
           "mocha-11-xunit": junit, "node-test": junit, "pytest": junit, "evalite": evalite, "braintrust": braintrust,
           "inspect": inspect, "azure": azure, "deepeval": deepeval, "ragas": ragas, "langsmith": langsmith, "mlflow": mlflow,
           "lm-eval": lm_eval, "langfuse": langfuse, "google-adk": adk, "autoevals": braintrust, "langsmith-vitest": langsmith_tests,
           "langsmith-jest": langsmith_tests, "oaieval": oaieval, "phoenix": phoenix, "foundry": items, "openai-evals-api": items,
           "tau-bench": tau, "tau2-bench": tau2}
# What a gate looks at: the first of these that a file has.
METRICS = ("exact", "Exact", "exact_match", "accuracy", "response_match_score", "exact.exact", "ExactMatch", "match", "reward", "pass")
files, asked, crashed = {}, {}, {}


def reader_of(tool):
    return READERS[next(k for k in sorted(READERS, key=len, reverse=True) if tool.startswith(k))]


def limits_in(tool, path):
    """Samples that ran into a limit; None where the format has no such thing."""
    if reader_of(tool) is inspect:
        from inspect_ai.log import read_eval_log

        return sum(s.limit is not None for s in read_eval_log(str(path)).samples)
    return sum(r["termination_reason"] == "max_steps" for r in loads(path.read_text())["simulations"]) if reader_of(tool) is tau2 else None


def fate_of(found, metric):
    """What became of the question at which the agent crashes."""
    last = [row for row in found if re.search(r"(?:^|\D)14(?:\D|$)", str(row[2]))]
    if not last:
        return "not in the file"
    marks, failed, _ = last[0]
    if failed:
        return "error"
    return f"{metric} {marks[metric]:g}" if metric in marks else f"{metric} unscored"


for path in sorted(p for p in root.glob("*/*/*") if p.is_file()):
    tool = path.relative_to(root).parts[0]
    found = list(reader_of(tool)(path))
    rows = [row for row in found if row[0] is not None]
    sums = {}
    for marks, _, _ in rows:
        # A score of a row that failed is a score.
        for key, value in (marks or {}).items():
            total, n = sums.get(key, (0.0, 0))
            sums[key] = (total + value, n + 1)
    name = str(path.relative_to(root))
    metric = next(key for key in METRICS if key in sums)
    asked[name] = [key for _, _, key in rows]
    crashed[name] = fate_of(found, metric)
    files[name] = {
        "rows": len(rows),
        "errors": sum(1 for _, failed, _ in rows if failed),
        "skipped": len(found) - len(rows),
        "limits": limits_in(tool, path),
        "metric": metric,
        "scores": {k: {"sum": round(t, 6), "n": n} for k, (t, n) in sorted(sums.items())},
    }


def line_of(tool):
    a, b, worse = (next(name for name in files if name.startswith(f"{tool}/{variant}/")) for variant in ("a", "b", "worse"))
    facts = files[a]
    mean = lambda name: files[name]["scores"][facts["metric"]]["sum"] / files[name]["scores"][facts["metric"]]["n"]
    scores = ", ".join(f"{k} {v['sum'] / v['n']:.3f} of {v['n']}" for k, v in facts["scores"].items())
    return {
        "producer": tool, "file": a.split("/")[-1], "rows": facts["rows"], "scores": scores, "errors": facts["errors"], "crashed": crashed[a],
        "skipped": facts["skipped"] if reader_of(tool) in (reports, junit, ctrf, langsmith_tests) else None, "limits": facts["limits"],
        "shared": len(set(asked[a]) & set(asked[b])), "examples": len(set(asked[a])), "shuffled": asked[a] != asked[b],
        "metric": facts["metric"], "means": [round(mean(name), 3) for name in (a, b, worse)],
    }


table = [line_of(tool) for tool in sorted({name.split("/")[0] for name in files})]
(root.parent / "expected.json").write_text(json.dumps({"files": files, "table": table}, indent=1, sort_keys=True) + "\n")
