"""Reads the producers' files on its own: what rows, marks and errors each should come to. Shares nothing with the product."""
import json, pathlib, re, sys, xml.etree.ElementTree as ET

root = pathlib.Path(sys.argv[1])


def loads(text):
    return json.loads(re.sub(r"\bNaN\b", "null", text))


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
        yield (not failed and scores), failed


def reports(path):
    d = loads(path.read_text())
    if "testResults" in d:
        for t in (t for s in d["testResults"] for t in s["assertionResults"]):
            if t["status"] in ("passed", "failed"):
                judged = {s["name"]: s["score"] for s in (t.get("meta", {}).get("eval") or {}).get("scores", [])}
                crashed = t["status"] == "failed" and bool(t.get("meta", {}).get("harness")) and not judged
                yield ({} if crashed else {**judged, "pass": float(t["status"] == "passed")}), crashed
    else:
        pending = {t["fullTitle"] for t in d["pending"]}
        for t in d["tests"]:
            if t["fullTitle"] not in pending:
                yield {"pass": float(t["err"] == {})}, False


def junit(path):
    for case in ET.parse(path).getroot().iter("testcase"):
        if case.find("skipped") is not None:
            continue
        props = {p.get("name")[6:]: float(p.get("value")) for p in case.iter("property") if p.get("name").startswith("score.")}
        if case.find("error") is not None:
            yield props, True
        else:
            yield {**props, "pass": float(case.find("failure") is None)}, False


def evalite(path):
    for e in loads(path.read_text())["evals"]:
        for r in e["results"]:
            yield {s["name"]: s["score"] for s in r["scores"]}, r["status"] == "fail" and not r["scores"]


def braintrust(path):
    for r in loads(path.read_text())["results"]:
        yield {k: v for k, v in r["scores"].items() if v is not None}, r["error"] is not None


def inspect(path):
    from inspect_ai.log import read_eval_log

    for s in read_eval_log(str(path)).samples:
        yield {k: {"C": 1.0, "I": 0.0}[v.value] for k, v in (s.scores or {}).items()}, s.error is not None


def azure(path):
    for r in loads(path.read_text())["rows"]:
        f1, exact = r["outputs.f1.f1_score"], r["outputs.exact.exact"]
        marks = {"f1.f1_score": f1, "f1.f1_score.pass": float(r["outputs.f1.f1_score_result"] == "pass"), "exact.exact": exact}
        yield {k: v for k, v in marks.items() if v is not None}, False


def deepeval(path):
    d = loads(path.read_text())
    for c in d.get("testRunData", d)["testCases"]:
        marks = {}
        for m in c.get("metricsData", []):
            if not m.get("error"):
                marks[m["name"]] = m["score"]
                marks[m["name"] + ".pass"] = float(m["success"])
        if c.get("success") is not None:
            marks["pass"] = float(c["success"])
        yield marks, False


READERS = {"promptfoo": promptfoo, "vitest": reports, "jest": reports, "mocha-11-json": reports, "mocha-11-xunit": junit,
           "node-test": junit, "pytest": junit, "evalite": evalite, "braintrust": braintrust, "inspect": inspect,
           "azure": azure, "deepeval": deepeval}
found = {}
for path in sorted(p for p in root.glob("*/*/*") if p.is_file()):
    tool = path.relative_to(root).parts[0]
    reader = next(READERS[k] for k in sorted(READERS, key=len, reverse=True) if tool.startswith(k))
    rows = list(reader(path))
    sums = {}
    for marks, _ in rows:
        for key, value in (marks or {}).items():
            total, n = sums.get(key, (0.0, 0))
            sums[key] = (total + value, n + 1)
    found[str(path.relative_to(root))] = {
        "rows": len(rows),
        "errors": sum(1 for _, failed in rows if failed),
        "scores": {k: {"sum": round(t, 6), "n": n} for k, (t, n) in sorted(sums.items())},
    }
(root.parent / "expected.json").write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")

lines = [
    "# Files of real tools",
    "",
    "Made by `node scripts/producers/make.mjs`; see scripts/producers/README.md. Rows, errors and scores are what `read.py` found, which shares no code with the",
    "product; the test beside this folder compares. `a` and `b` are two runs of one agent and share every example; `worse` is a real regression and fails the gate.",
    "",
    "| file | rows | errors | scores (mean of n) |",
    "|---|---|---|---|",
]
for path, facts in sorted(found.items()):
    marks = ", ".join(f"{k} {v['sum'] / v['n']:.3f} of {v['n']}" for k, v in facts["scores"].items())
    lines.append(f"| {path} | {facts['rows']} | {facts['errors']} | {marks} |")
(root.parent / "README.md").write_text("\n".join(lines) + "\n")
