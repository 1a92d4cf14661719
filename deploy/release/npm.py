"""The npm package of the widget, from packages/chat-widget: its modules, the same as CommonJS, and their types."""

import json
import subprocess
import sys
from pathlib import Path

from archives import Entry, tar_gz
from checkout import ROOT, commit_time, version

SOURCE = ROOT / "packages/chat-widget"
ESBUILD = ROOT / "xtask/npm/node_modules/.bin/esbuild"
MODULES = ["index", "react"]


def npm_package(version: str, seconds: int) -> bytes:
    described = {**json.loads((SOURCE / "package.json").read_text()), "version": version}
    entries = [Entry("package.json", (json.dumps(described, indent=2) + "\n").encode()), Entry("README.md", SOURCE / "README.md")]
    entries += [Entry(name, ROOT / name) for name in ("LICENSE", "LICENSE-APACHE", "LICENSE-MIT")]
    for name in MODULES:
        module = (SOURCE / f"{name}.js").read_text().replace('VERSION = "0.0.0"', f'VERSION = "{version}"').encode()
        common = subprocess.run([ESBUILD, "--format=cjs", "--platform=neutral"], input=module, check=True, capture_output=True).stdout
        types = SOURCE / f"{name}.d.ts"
        entries += [Entry(f"{name}.js", module), Entry(f"{name}.cjs", common), Entry(types.name, types), Entry(f"{name}.d.cts", types)]
    return tar_gz([Entry(f"package/{entry.name}", entry.content) for entry in entries], seconds)


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(npm_package(version(), commit_time()))
