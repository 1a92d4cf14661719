#!/usr/bin/env python3
"""Checks rules and dashboard with promtool, which the first argument names: syntax, tests of the rules, and that every metric is one
that the server registers."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from dashboard import HERE, dashboard

PROMTOOL = sys.argv[1]
METRICS = HERE.parents[1] / "server/src/metrics.rs"
# What Prometheus knows of every target.
OF_PROMETHEUS = {"up"}


def main() -> None:
    rules = (HERE / "rules.yaml").read_text()
    subprocess.run([PROMTOOL, "check", "rules", HERE / "rules.yaml"], check=True)
    subprocess.run([PROMTOOL, "test", "rules", HERE / "rules.test.yaml"], check=True, cwd=HERE)
    assert (HERE / "dashboard.json").read_text() == dashboard(), "dashboard.json is not what dashboard.py writes: run it"
    board = json.loads(dashboard())
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    check_syntax(queries)
    known, of_queries = registered(), names("\n".join(queries))
    used = of_queries | names("\n".join(re.findall(r"(?m)^ +expr: (.*(?:\n {10}.*)*)", rules)))
    assert used - known <= OF_PROMETHEUS, f"metrics that the server does not have: {used - known - OF_PROMETHEUS}"
    missing = {name for name in known if not name.endswith(("_bucket", "_sum", "_count"))} - of_queries
    histograms = {name.removesuffix("_bucket") for name in known if name.endswith("_bucket")}
    assert missing <= histograms, f"the dashboard does not show {missing - histograms}"
    print(f"monitoring: {rules.count('- alert:')} alerts, {len(board['panels'])} panels")


def registered() -> set[str]:
    """The metrics of the server, with the series of histograms."""
    found = re.findall(r'(counter|gauge|histogram)!\("([a-z_]+)"', METRICS.read_text())
    assert len(found) > 10, "no metrics were found in the server's source"
    names = {name for _, name in found}
    return names | {name + end for kind, name in found if kind == "histogram" for end in ("_bucket", "_sum", "_count")}


def names(queries: str) -> set[str]:
    """The metrics of queries: words before a selector or a bracket that ends an argument."""
    return set(re.findall(r"\b(svc_[a-z_]+|process_[a-z_]+|up)\b", queries))


def check_syntax(queries: list[str]) -> None:
    """promtool reads expressions of rules."""
    rules = [{"record": f"panel:{number}", "expr": query.replace("$__rate_interval", "5m")} for number, query in enumerate(queries)]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        json.dump({"groups": [{"name": "panels", "rules": rules}]}, file)
        file.flush()
        subprocess.run([PROMTOOL, "check", "rules", file.name], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
