"""Reads a folder of files with the platform and with programs that people use, and prints how far they agree.

python3 compare.py FOLDER READ_FILES [LIST]

READ_FILES is the built example `read_files`. Each file with a second reader is compared by its words:

- kept: the share of the other reader's words that the platform has as well, each as often as it occurs
- order: the share of the other reader's neighbouring pairs of words that follow each other within a few words
- more: words that only the platform has, as a share of its own

With LIST, the files that agree least are listed. pdftotext reads PDF, pandoc (of pypandoc-binary) DOCX, ODT, EPUB and HTML,
openpyxl XLSX, python-pptx PPTX, and LibreOffice DOCX and ODT where it is installed.

A file of the own corpus has what a person sees of it beside it (FILE.json: text, hidden words, cells of tables). The platform
and the other readers are compared with that, and not with each other.
"""

import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import warnings

NEAR = 8
SECONDS = 60
WORD = re.compile(r"[^\W_]+", re.UNICODE)


def words(text):
    """Runs of letters and digits; each character of a script without spaces is one. Soft hyphens are within words."""
    text = text.replace("\u00ad", "")
    text = re.sub(r"([\u3040-\u30ff\u3400-\u9fff])", r" \1 ", text)
    return [word.lower() for word in WORD.findall(text)]


def pdf(path):
    return run(["pdftotext", "-q", "-enc", "UTF-8", path, "-"])


def pandoc(path):
    import pypandoc

    kind = path.rsplit(".", 1)[1].lower()
    kind = {"htm": "html"}.get(kind, kind)
    return run([pypandoc.get_pandoc_path(), "-f", kind, "-t", "plain", "--wrap=none", path])


def xlsx(path):
    import openpyxl

    book = openpyxl.load_workbook(path, data_only=True)
    rows = [row for sheet in book.worksheets if sheet.sheet_state == "visible" for row in sheet.iter_rows(values_only=True)]
    return "\n".join(" ".join(str(cell) for cell in row if cell is not None) for row in rows)


def pptx(path):
    import pptx as slides

    lines = []
    for slide in slides.Presentation(path).slides:
        for shape in slide.shapes:
            if shape.has_text_frame:
                lines.append(shape.text_frame.text)
            elif shape.has_table:
                lines += [" ".join(cell.text for cell in row.cells) for row in shape.table.rows]
    return "\n".join(lines)


def libreoffice(path):
    with tempfile.TemporaryDirectory() as folder:
        run(["soffice", "--headless", "--convert-to", "txt:Text (encoded):UTF8", "--outdir", folder, path])
        with open(os.path.join(folder, os.listdir(folder)[0]), encoding="utf-8-sig") as file:
            return file.read()


def run(command):
    done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)
    return done.stdout.decode("utf-8", "replace")


READERS = {
    "pdf": ("pdftotext", pdf),
    "docx": ("pandoc", pandoc),
    "odt": ("pandoc", pandoc),
    "epub": ("pandoc", pandoc),
    "html": ("pandoc", pandoc),
    "htm": ("pandoc", pandoc),
    "xlsx": ("openpyxl", xlsx),
    "pptx": ("python-pptx", pptx),
}


def compare(ours, theirs):
    """Words of `theirs`, those that `ours` has, pairs of `theirs`, those in order, words that only `ours` has."""
    have, want = collections.Counter(ours), collections.Counter(theirs)
    kept = sum((have & want).values())
    places = collections.defaultdict(list)
    for at, word in enumerate(ours):
        places[word].append(at)
    pairs = ordered = 0
    for one, other in zip(theirs, theirs[1:]):
        if one in have and other in have:
            pairs += 1
            follows = set(places[other])
            near = (at + step for at in places[one][:200] for step in range(1, NEAR))
            ordered += any(place in follows for place in near)
    return len(theirs), kept, pairs, ordered, sum((have - want).values())


def values_in_rows(text, cells):
    """The values that stand on a line with the names of their rows."""
    lines = text.splitlines()
    has = lambda line, cell: cell["value"] in line and all(name in line for name in cell["row"])
    return sum(any(has(line, cell) for line in lines) for cell in cells)


def corpus(folder, texts):
    """Prints how the platform and the other readers read the files of the own corpus."""
    totals = collections.defaultdict(collections.Counter)
    others = collections.defaultdict(list)
    for kind, reader in READERS.items():
        others[kind].append(reader)
    if shutil.which("soffice"):
        others["docx"].append(("LibreOffice", libreoffice))
        others["odt"].append(("LibreOffice", libreoffice))
    for name in sorted(os.listdir(folder)):
        kind = name.rsplit(".", 1)[1]
        if kind == "json":
            continue
        with open(os.path.join(folder, f"{name}.json"), encoding="utf-8") as file:
            expected = json.load(file)
        own = lambda _: open(os.path.join(texts, f"{name}.txt"), encoding="utf-8").read()
        for reader, read in [("platform", own)] + others[kind]:
            total = totals[kind, reader]
            try:
                text = read(os.path.join(folder, name))
            except Exception:
                total["unread"] += 1
                continue
            found = words(text)
            wanted, kept, pairs, ordered, _ = compare(found, words(expected["text"]))
            hidden = sum(set(words(word)) <= set(found) for word in expected["hidden"])
            rows = values_in_rows(text, expected["cells"])
            total.update(files=1, wanted=wanted, kept=kept, pairs=pairs, ordered=ordered, hidden=hidden)
            total.update(cells=len(expected["cells"]), rows=rows)
    print("| format | reader | files | words kept | pairs in order | values in their rows | hidden words shown |")
    print("|---|---|---|---|---|---|---|")
    for (kind, reader), total in sorted(totals.items(), key=lambda item: (item[0][0], item[0][1] != "platform")):
        share = lambda part, whole: f"{total[part] / max(total[whole], 1):.3f}"
        row = [kind, reader, total["files"], share("kept", "wanted"), share("ordered", "pairs"), share("rows", "cells")]
        print("|", " | ".join(map(str, row + [total["hidden"]])), "|")


def main():
    warnings.filterwarnings("ignore")
    folder, program = sys.argv[1], sys.argv[2]
    least = len(sys.argv) > 3
    texts = tempfile.mkdtemp()
    lines = subprocess.run([program, folder, texts], capture_output=True, check=True, text=True).stdout.splitlines()
    if any(name.endswith(".json") for name in os.listdir(folder)):
        return corpus(folder, texts)
    totals, files = collections.defaultdict(collections.Counter), []
    for line in lines:
        name, seconds, found = line.split("\t")[:3]
        kind = name.rsplit(".", 1)[1].lower()
        if kind not in READERS:
            continue
        total = totals[kind]
        started = time.monotonic()
        try:
            theirs = words(READERS[kind][1](os.path.join(folder, name)))
        except Exception:
            total["unread by the other"] += 1
            continue
        total["their seconds"] += time.monotonic() - started
        total["seconds"] += float(seconds)
        text = os.path.join(texts, f"{name}.txt")
        if not os.path.exists(text):
            total["refused"] += 1
            if len(theirs) > 5:
                total["refused with text"] += 1
                files.append((0.0, 0.0, name, found, len(theirs)))
            continue
        with open(text, encoding="utf-8") as file:
            ours = words(file.read())
        wanted, kept, pairs, ordered, more = compare(ours, theirs)
        total["files"] += 1
        total.update(wanted=wanted, kept=kept, pairs=pairs, ordered=ordered, more=more, ours=len(ours))
        files.append((kept / max(wanted, 1), ordered / max(pairs, 1), name, len(ours), wanted))
    print("| format | files | words kept | pairs in order | further words | refused (with text) | seconds | other reader | its seconds |")
    print("|---|---|---|---|---|---|---|---|---|")
    for kind, total in sorted(totals.items()):
        share = lambda part, whole: f"{total[part] / max(total[whole], 1):.3f}"
        refused = f"{total['refused']} ({total['refused with text']})"
        row = [kind, total["files"], share("kept", "wanted"), share("ordered", "pairs"), share("more", "ours"), refused]
        row += [f"{total['seconds']:.1f}", READERS[kind][0], f"{total['their seconds']:.1f}"]
        print("|", " | ".join(map(str, row)), "|")
    if least:
        for kept, ordered, name, ours, wanted in sorted(files):
            print(f"{kept:.2f}\t{ordered:.2f}\t{name}\t{ours}\t{wanted}")


if __name__ == "__main__":
    main()
