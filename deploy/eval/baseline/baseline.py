"""The pipeline that one would write in an afternoon, asked the same sets: chunks of 200 words, BM25 over stems, the platform's embedding
model, reciprocal rank fusion, the best chunk as the answer. It refuses nothing, so that only the area under the curve says how well it
could. Prints its figures, next to those of the crate `evaluation` if these are there, and writes eval-baseline.json."""

import argparse
import hashlib
import json
import re
import tomllib
from pathlib import Path

import numpy
from bs4 import BeautifulSoup
from encoder import Encoder
from rank_bm25 import BM25Okapi
from snowballstemmer import stemmer

CHUNK_WORDS = 200
DEPTH = 50
RRF = 60
LANGUAGES = {"en": "english", "de": "german"}
QUOTES = str.maketrans("", "", "`\"'“”‘’")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sets", type=Path, required=True)
    arguments.add_argument("--parts", type=Path, required=True, help="what `xtask fetch` unpacked")
    arguments.add_argument("--var", type=Path, required=True, help="where eval.json of the platform is")
    arguments.add_argument("--vectors", type=Path, required=True, help="keeps the vectors of documents")
    arguments.add_argument("--set", help="asks this set only")
    arguments = arguments.parse_args()
    sets = tomllib.loads(arguments.sets.read_text())
    encoder = Encoder(arguments.parts / "all-minilm-l6-v2")
    corpora = {}
    reports = []
    for one in sets["set"]:
        if arguments.set not in (None, one["name"]):
            continue
        name = one["corpus"]
        if name not in corpora:
            entry = next(corpus for corpus in sets["corpus"] if corpus["name"] == name)
            corpora[name] = Corpus(entry, arguments, encoder)
        lines = (arguments.sets.parent / one["questions"]).read_text().splitlines()
        questions = (about(json.loads(line), one.get("about", "")) for line in lines if line.strip())
        cases = [corpora[name].ask(question) for question in questions if question]
        ranks = [{"answerable": case["answerable"], "rank": case["rank"]} for case in cases]
        reports.append({"name": one["name"], "groups": groups(cases), "cases": ranks})
    (arguments.var / "eval-baseline.json").write_text(json.dumps({"version": 1, "sets": reports}, indent=1))
    platform = arguments.var / "eval.json"
    show(json.loads(platform.read_text())["sets"] if platform.exists() else [], reports)


class Corpus:
    """The chunks of a corpus with both indexes."""

    def __init__(self, entry, arguments, encoder):
        self.encoder = encoder
        self.stem = stemmer(LANGUAGES[entry["language"]]).stemWords
        self.chunks = [
            (name, chunk)
            for name, text in documents(entry, arguments.sets.parent, arguments.parts)
            for chunk in chunks_of(text)
        ]
        texts = [chunk for _, chunk in self.chunks]
        self.words = BM25Okapi([self.terms(text) for text in texts])
        self.vectors = cached(arguments.vectors, texts, encoder)

    def terms(self, text):
        return self.stem(re.findall(r"\w+", text.lower()))

    def ask(self, question):
        # A question that follows another one is searched together with it.
        text = " ".join([*question.get("history", [])[-1:], question["question"]])
        cosines = self.vectors @ self.encoder.embed([text])[0]
        scores = self.words.get_scores(self.terms(text))
        points = numpy.zeros(len(self.chunks))
        for ranking in (cosines, scores):
            for rank, at in enumerate(numpy.argsort(-ranking, kind="stable")[:DEPTH]):
                points[at] += 1 / (RRF + rank + 1)
        order = numpy.argsort(-points, kind="stable")[:DEPTH]
        right = [rank for rank, at in enumerate(order, 1) if is_right(question, *self.chunks[at])]
        answer = self.chunks[order[0]][1]
        return {
            "kind": question.get("kind", "question"),
            "half": question.get("half"),
            "answerable": is_answerable(question),
            "rank": right[0] if right else None,
            "in_text": has_words(question, answer) if "words" in question else None,
            "characters": len(answer),
            "cosine": float(cosines.max()),
        }


def about(question, folder):
    """The question as it is asked of a corpus of this folder alone, as the platform does: without an answer if it is about
    another document, and None if it then needs its conversation."""
    document = question.get("document", "")
    if not folder:
        return question
    if document.startswith(folder):
        return {**question, "document": document.removeprefix(folder)}
    if question.get("history"):
        return None
    labels = {"document", "passage", "words"}
    kind = "foreign" if labels & question.keys() else question.get("kind", "question")
    return {**{key: value for key, value in question.items() if key not in labels}, "kind": kind}


def documents(entry, folder, parts):
    """Name and text of each document; names end as the platform's do."""
    for named in entry.get("documents", []):
        for path in sorted((folder / named).rglob("*.*")):
            yield str(path.relative_to(folder / named)), text_of(path)
    for part in entry.get("parts", []):
        for path in sorted((parts / part["folder"]).glob(f"*{part['suffix']}")):
            yield path.name, text_of(path)


def text_of(path):
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix != ".html":
        return text
    page = BeautifulSoup(text, "html.parser")
    for element in page(["script", "style", "head"]):
        element.decompose()
    return page.get_text(" ")


def chunks_of(text):
    words = text.split()
    return [" ".join(words[start : start + CHUNK_WORDS]) for start in range(0, len(words), CHUNK_WORDS)]


def cached(folder, texts, encoder):
    """The texts' vectors, kept below the var folder as long as the texts stay."""
    digest = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
    path = folder / f"vectors-{digest}.npy"
    if not path.exists():
        # An interrupted run leaves no half file.
        numpy.save(path.with_suffix(".new.npy"), encoder.embed(texts))
        path.with_suffix(".new.npy").rename(path)
    return numpy.load(path)


def plain(text):
    return " ".join(text.translate(QUOTES).lower().split())


def has_words(question, text):
    text = plain(text)
    return all(loose(words) in loose(text) for words in question.get("words", []))


def loose(text):
    """Without white space: the tags of a page leave some inside of words."""
    return re.sub(r"\s+", "", plain(text))


def documents_of(question):
    """The ends of the paths of the documents that answer it."""
    return [path for path in (question.get("document"), *question.get("documents", [])) if path]


def is_answerable(question):
    labels = any(key in question for key in ("passage", "words")) or documents_of(question)
    return bool(labels) and not question.get("ask_back", False)


def is_right(question, name, chunk):
    wanted = documents_of(question)
    if wanted and not any(name.endswith(path) for path in wanted):
        return False
    if "passage" in question:
        return loose(question["passage"]) in loose(chunk)
    return has_words(question, chunk)


def groups(cases):
    found = [{"by": "all", "name": "all", **figures(cases)}]
    for by in ("half", "kind"):
        for name in sorted({case[by] for case in cases if case[by]}):
            found.append({"by": by, "name": name, **figures([case for case in cases if case[by] == name])})
    return found


def figures(cases):
    answerable = [case for case in cases if case["answerable"]]
    others = [case for case in cases if not case["answerable"]]
    labelled = [case["in_text"] for case in answerable if case["in_text"] is not None]

    def mean(values):
        values = list(values)
        return sum(values) / len(values) if values else None

    won = [
        0.5 if high["cosine"] == low["cosine"] else float(high["cosine"] > low["cosine"])
        for high in answerable
        for low in others
    ]
    return {
        "questions": len(cases),
        "answerable": len(answerable),
        "recall_1": mean(case["rank"] == 1 for case in answerable),
        "recall_5": mean(case["rank"] is not None and case["rank"] <= 5 for case in answerable),
        "mrr": mean(1 / case["rank"] if case["rank"] else 0.0 for case in answerable),
        "in_text": mean(labelled),
        "characters": int(numpy.median([case["characters"] for case in answerable])) if answerable else None,
        "invented": len(others),
        "refusal_auc": mean(won),
    }


def show(platform, baseline):
    columns = ("recall_1", "recall_5", "mrr", "in_text", "characters", "refusal_auc")
    print(f"\n{'set':<18} {'group':<14}" + "".join(f" {column:>17}" for column in columns))
    print(f"{'':<33}" + " platform baseline" * len(columns))
    for report in baseline:
        ours = next((one for one in platform if one["name"] == report["name"]), None)
        for group in report["groups"]:
            key = (group["by"], group["name"])
            same = next((one for one in ours["groups"] if (one["by"], one["name"]) == key), {}) if ours else {}
            figures = {**same, **same.get("searches", {}).get(ours["visitor"], {})} if same.get("answerable") else {}
            cells = "".join(f" {cell(figures.get(column)):>8} {cell(group[column]):>8}" for column in columns)
            print(f"{report['name']:<18} {group['name'] if group['by'] != 'half' else 'half ' + group['name']:<14}{cells}")


def cell(value):
    return "-" if value is None else str(value) if isinstance(value, int) else f"{value:.2f}"


if __name__ == "__main__":
    main()
