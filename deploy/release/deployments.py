"""The Helm chart and the Compose files, with the version of the workspace."""

import re
import sys

from archives import Entry, tar_gz, tree
from checkout import ROOT

sys.path.append(str(ROOT / "deploy/compose"))
from realms import without_people


def chart(version: str, seconds: int) -> bytes:
    """The chart as `helm package` would make it. Files of other folders, which it links to, are copied."""
    entries = tree(ROOT / "deploy/helm/chatbot-platform", "chatbot-platform")
    described = re.sub(r"(?m)^(version|appVersion): .*", rf"\1: {version}", (ROOT / "deploy/helm/chatbot-platform/Chart.yaml").read_text())
    kept = [entry for entry in entries if not entry.name.endswith("/Chart.yaml")]
    return tar_gz([*kept, Entry("chatbot-platform/Chart.yaml", described.encode())], seconds)


def compose(version: str, seconds: int) -> bytes:
    """Both Compose files and what they mount. The realms have nobody of the demo world."""
    versioned = lambda text: re.sub(r"(?m)(VERSION:-|^VERSION=)[0-9.]+", rf"\g<1>{version}", text).encode()
    entries = [Entry(name, versioned((ROOT / "deploy" / name).read_text())) for name in ("compose.yaml", "compose.demo.yaml")]
    for name in ("Caddyfile", "keycloak-database.sh"):
        entries.append(Entry(f"compose/{name}", ROOT / "deploy/compose" / name))
    entries.append(Entry("compose/env.example", versioned((ROOT / "deploy/compose/env.example").read_text())))
    for file in sorted((ROOT / "deploy/realms").glob("*-realm.json")):
        entries.append(Entry(f"compose/realms/{file.name}", without_people(file.read_text())))
    folder = f"chatbot-platform-{version}-compose"
    return tar_gz([Entry(f"{folder}/{entry.name}", entry.content) for entry in entries], seconds)
