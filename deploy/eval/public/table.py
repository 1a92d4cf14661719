"""Writes the table of docs/quality.md: each public set asked of the platform and of the plain pipeline in one run, with 95 % intervals
(percentile bootstrap). Reads what the evaluation and the baseline wrote."""

import argparse
import datetime
import json
import random
from pathlib import Path

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
SAMPLES = 1000
# What others publish, or simple methods reach on the same passages and questions (the README beside the sets names the sources).
ANCHORS = {
    "xquad-en": "recall@1: BM25 .93, all-MiniLM-L6-v2 .89, multilingual-e5-large .96",
    "xquad-de": "recall@1: BM25 .87, all-MiniLM-L6-v2 .57, multilingual-e5-large .93",
    "covid-de": "BM25 without stems: recall@1 .11, recall@5 .28",
    "covid-en": "BM25 without stems: recall@1 .26, recall@5 .53",
    "clapnq": "recall@1: BM25 .89",
    "mtrag-cloud": "recall@5: BM25 .76, any relevant passage",
    "mtrag-govt": "recall@5: BM25 .73, any relevant passage",
    "mtrag-un-ibmcloud": "a 30B model refuses with precision .33, recall .44",
}
# The precision of refusals at which their recall is shown.
PRECISION = 0.6
# Small talk of these conversations needs no answer from documents.
NEITHER = {"conversational"}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--results", type=Path, required=True, help="a folder for each set, with both files")
    arguments.add_argument("--page", type=Path, required=True)
    arguments.add_argument("--command", required=True)
    arguments = arguments.parse_args()
    platform, baseline = (read(arguments.results, name) for name in ("eval.json", "eval-baseline.json"))
    # Kept results may be of several programs.
    commits = ", ".join(sorted({file.read_text().strip() for file in arguments.results.glob("*/commit")}))
    lines = [
        f"Measured on {datetime.date.today()} at commit {commits} with `{arguments.command}`.",
        "",
        "| set | questions | recall@1 | recall@5 | right and sure | wrong and sure | words in the text | plain pipeline: recall@1, recall@5 | published |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [answerable(one, baseline.get(name)) for name, one in platform.items()]
    others = [row for one in platform.values() if (row := unanswerable(one))]
    if others:
        head = ("set", "without an answer", "answered as if sure", "refused or asked back: precision, recall")
        head += (f"recall at precision {digits(PRECISION)}", "to ask back: refused or asked back")
        lines += ["", "| " + " | ".join(head) + " |", "|---" * len(head) + "|", *others]
    page = arguments.page.read_text()
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    arguments.page.write_text("\n".join([before + BEGIN, "", *lines, "", END + after]))
    print("\n".join(lines))


def read(results, name):
    """The reports of all sets, each by its name."""
    files = sorted(results.glob(f"*/{name}"))
    return {one["name"]: one for file in files for one in json.loads(file.read_text())["sets"]}


def answerable(one, plain):
    asked = [question for question in one["questions"] if question["answerable"]]
    cells = [
        one["name"],
        str(len(asked)),
        share(asked, lambda question: within(question, 1)),
        share(asked, lambda question: within(question, 5)),
        share(asked, lambda question: question["right"] and question["confidence"] == "high"),
        share(asked, lambda question: not question["right"] and question["confidence"] == "high"),
        share(asked, lambda question: question["in_text"] is True) if labelled(one) else "-",
        ", ".join(share(cases(plain), lambda case, most=most: within(case, most)) for most in (1, 5)) if plain else "-",
        ANCHORS.get(one["name"], "-"),
    ]
    return "| " + " | ".join(cells) + " |"


def unanswerable(one):
    kinds = [question for question in one["questions"] if question["kind"] not in NEITHER]
    without = [question for question in kinds if not question["answerable"]]
    if not without:
        return None
    refused = [question for question in kinds if question["confidence"] != "high"]
    back = [question for question in without if question.get("ask_back")]
    cells = [
        one["name"],
        str(len(without)),
        share(without, lambda question: question["confidence"] == "high"),
        f'{share(refused, lambda question: not question["answerable"])}, {share(without, lambda question: question["confidence"] != "high")}',
        digits(recall_at(kinds)),
        share(back, lambda question: question["confidence"] != "high") if back else "-",
    ]
    return "| " + " | ".join(cells) + " |"


def recall_at(kinds):
    """The recall of refusing the questions with the least evidence, as many as PRECISION allows."""
    order = sorted(kinds, key=lambda question: question["evidence"])
    without = sum(not question["answerable"] for question in kinds)
    found, best = 0, 0
    for count, question in enumerate(order, 1):
        found += not question["answerable"]
        best = max(best, found) if found >= PRECISION * count else best
    return best / without


def labelled(one):
    """Whether the questions name words that the answer must have."""
    return any(question["in_text"] is not None for question in one["questions"])


def cases(plain):
    return [case for case in plain["cases"] if case["answerable"]]


def within(case, most):
    return case["rank"] is not None and case["rank"] <= most


def share(items, holds):
    """A share with its interval, such as `.95 (.93-.97)`."""
    if not items:
        return "-"
    points = [1 if holds(item) else 0 for item in items]
    draw = random.Random(0x5EED)
    means = sorted(sum(draw.choices(points, k=len(points))) / len(points) for _ in range(SAMPLES))
    low, high = means[SAMPLES * 25 // 1000], means[SAMPLES * 975 // 1000]
    return f"{digits(sum(points) / len(points))} ({digits(low)}-{digits(high)})"


def digits(value):
    text = f"{value:.2f}"
    return text if value >= 0.995 else text.removeprefix("0")


if __name__ == "__main__":
    main()
