"""What is packed: the commit of this checkout, its time and its version."""

import os
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Refused(Exception):
    """A sentence that says what to do."""


def version() -> str:
    """The one version of all packages."""
    return tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]


def commit() -> str:
    """COMMIT, or the commit of the checkout."""
    return os.environ.get("COMMIT") or asked("COMMIT", "rev-parse", "HEAD")


def commit_time() -> int:
    """The time of everything that is packed: SOURCE_DATE_EPOCH, or that of the commit."""
    named = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(named if named.isdecimal() else asked("SOURCE_DATE_EPOCH", "log", "-1", "--format=%ct"))


def asked(variable: str, *question: str) -> str:
    found = subprocess.run(["git", "-C", ROOT, *question], capture_output=True, text=True)
    if found.returncode != 0:
        raise Refused(f"git does not know the commit of {ROOT}: set {variable}")
    return found.stdout.strip()
