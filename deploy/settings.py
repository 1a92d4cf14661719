"""The environment variables of the platform's settings, from their list in docs/configuration.md."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs/configuration.md"


def variables() -> set[str]:
    names = re.findall(r"(?m)^- `([a-z0-9_]+(?:\.[a-z0-9_]+)+)` \(", PAGE.read_text())
    assert len(names) > 50, f"{PAGE} has only {len(names)} settings"
    return {f"SVC_{name.replace('.', '_').upper()}" for name in names}
