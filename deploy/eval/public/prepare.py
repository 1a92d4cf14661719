"""Unpacks public question sets (zips or folders with `documents/` and `questions*.jsonl`) and writes the file of sets that `make eval`
reads, and a file with their names. PATH is one such set or a folder of them. A set without documents is about those of another one:
`name-de-on-en` asks German questions about the documents of `name-en`."""

import argparse
import json
import re
import shutil
import sys
import zipfile
from pathlib import Path

# What other sets call a question that should be asked back.
ASK_BACK = {"underspecified"}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("path", type=Path)
    arguments.add_argument("out", type=Path, help="a folder that is emptied")
    arguments = arguments.parse_args()
    shutil.rmtree(arguments.out, ignore_errors=True)
    arguments.out.mkdir(parents=True)
    names = [unpack(source, arguments.out) for source in sources(arguments.path)]
    if not names:
        sys.exit(f"{arguments.path} has no set: a zip or a folder with questions*.jsonl")
    # The documents of a set may be in another one beside it.
    missing = {documents_of(name) for name in names if not has_documents(arguments.out / name)} - set(names)
    beside = [arguments.path.parent / f"{name}.zip" for name in missing]
    corpora = names + [unpack(source, arguments.out) for source in beside if source.is_file()]
    lines = []
    for name in corpora:
        if has_documents(arguments.out / name):
            lines += ["[[corpus]]", f'name = "{name}"', f'language = "{language(name)}"', f'documents = ["{name}/documents"]', ""]
    for name in names:
        corpus = name if has_documents(arguments.out / name) else documents_of(name)
        if not has_documents(arguments.out / corpus):
            sys.exit(f"{name}: the documents of {corpus} are not there")
        lines += ["[[set]]", f'name = "{name}"', f'corpus = "{corpus}"', f'questions = "{name}/questions.jsonl"', ""]
    (arguments.out / "sets.toml").write_text("\n".join(lines))
    (arguments.out / "names").write_text("".join(f"{name}\n" for name in names))


def has_documents(folder):
    return (folder / "documents").is_dir()


def sources(path):
    """The sets at a path, in the order of their names."""
    if path.suffix == ".zip" or any(path.glob("questions*.jsonl")):
        return [path]
    return [one for one in sorted(path.iterdir()) if one.suffix == ".zip" or one.is_dir() and any(one.glob("questions*.jsonl"))]


def unpack(source, out):
    """Copies a set below `out`, with all its questions in one file; returns its name."""
    name = re.sub(r"[^a-z0-9-]+", "-", source.stem.lower())
    target = out / name
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        with zipfile.ZipFile(source) as archive:
            # Members with `..` or an absolute path are put below the folder.
            archive.extractall(target)
    questions = []
    for file in sorted(target.glob("questions*.jsonl")):
        questions += [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
        file.unlink()
    for question in questions:
        if question.get("kind") in ASK_BACK:
            question["ask_back"] = True
    text = "".join(json.dumps(question, ensure_ascii=False) + "\n" for question in questions)
    (target / "questions.jsonl").write_text(text, encoding="utf-8")
    return name


def documents_of(name):
    """The set whose documents a set without documents is about."""
    match = re.fullmatch(r"(.+)-[a-z]{2}-on-([a-z]{2})", name)
    return f"{match[1]}-{match[2]}" if match else name


def language(name):
    """The language of the documents, by the end of the name; English without one."""
    match = re.search(r"-([a-z]{2})$", name)
    return match[1] if match and match[1] in {"de", "en", "es", "fr", "it", "nl", "pt"} else "en"


if __name__ == "__main__":
    main()
