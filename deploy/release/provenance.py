"""Where a release comes from: an in-toto statement with a SLSA provenance, and the signature of the checksums."""

import hashlib
import json
import os
import platform
import subprocess
from pathlib import Path

from bill import part_digest, shipped_parts
from checkout import ROOT

# Files that pin what a release is built from.
PINS = ["Cargo.lock", "parts.toml", "xtask/npm/package-lock.json"]
# What a signature is for, so that no other signature of the key can take its place.
PURPOSE = "chatbot-platform-release"


def statement(release: Path, version: str, commit: str) -> bytes:
    """What was built: the files of a folder; from what; by whom, which BUILDER_ID names."""
    subjects = [{"name": path.name, "digest": {"sha256": sha256(path)}} for path in sorted(release.iterdir())]
    source = {"uri": "urn:chatbot-platform:source", "digest": {"gitCommit": commit}}
    pins = [{"uri": name, "digest": {"sha256": sha256(ROOT / name)}} for name in PINS]
    parts = [
        {"uri": f"pkg:pypi/{part['name']}@{part['version']}", "digest": {"sha256": part_digest(part)}} for part in shipped_parts()
    ]
    made = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:chatbot-platform:make-release:1",
                "externalParameters": {"version": version, "commit": commit},
                "internalParameters": {"rustc": first_line("rustc", "--version"), "libc": " ".join(platform.libc_ver())},
                "resolvedDependencies": [source, *pins, *parts],
            },
            "runDetails": {"builder": {"id": os.environ.get("BUILDER_ID") or "urn:chatbot-platform:builder:local"}},
        },
    }
    return (json.dumps(made, indent=1) + "\n").encode()


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def first_line(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[0]


def sign(checksums: Path, key: str) -> None:
    """Writes the signature of the checksums next to them, by an SSH key: its file, or a public key whose private one an agent has."""
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", PURPOSE, checksums], check=True, stdin=subprocess.DEVNULL)
