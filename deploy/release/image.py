#!/usr/bin/env python3
"""Builds the images of deploy/Containerfile from the release's tarball, without a daemon, and writes each as an OCI layout in a
tar archive, which `docker load` reads as well. Needs buildah and root; without BASE also mmdebstrap, which makes a small Debian."""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cached_property
from pathlib import Path

from archives import Entry, tar
from checkout import ROOT, Refused, commit, commit_time, version

DEBIAN = "bookworm"
# With its folders merged from the start: the package that merges them later needs all of Perl.
PACKAGES = ["--include=ca-certificates,usr-is-merged", "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr"]
# Languages and manuals, which nobody reads in an image. Licences stay.
UNREAD = ["exclude=/usr/share/man/*", "exclude=/usr/share/info/*", "exclude=/usr/share/locale/*", "exclude=/usr/share/doc/*"]
DPKG = [f"--dpkgopt=path-{rule}" for rule in [*UNREAD, "include=/usr/share/doc/*/copyright"]]
STAGES = {"slim": "", "ocr": "-ocr"}
# The time of the small Debian's files: its layer is the same for every release, as long as Debian's packages are.
DEBIAN_TIME = "1700000000"
OCI = "application/vnd.oci.image"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split(". ")[0])
    arguments.add_argument("release", type=Path, help="the folder with the tarball, in which the archives are written")
    arguments.add_argument("--stage", choices=STAGES, action="append", help="build this one alone")
    chosen = arguments.parse_args()
    try:
        for path in images(chosen.release, chosen.stage or list(STAGES)):
            print(f"  {path.stat().st_size:>12,}  {path}")
    except (Refused, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: {error}")


def images(release: Path, stages: list[str]) -> list[Path]:
    """The archives of these stages of the Containerfile."""
    missing = [name for name in ("buildah", *([] if os.environ.get("BASE") else ["mmdebstrap"])) if not shutil.which(name)]
    if missing:
        raise Refused(f"{' and '.join(missing)} not found: install them, and without mmdebstrap name an image in BASE")
    store = ROOT / "var/image"
    store.mkdir(parents=True, exist_ok=True)
    build = Build(store)
    try:
        return [build.archive(release, stage) for stage in stages]
    finally:
        # Copies of every layer, a gigabyte and more; the small Debian stays.
        build.buildah("rmi", "--all", "--force")


class Build:
    """What buildah keeps is below one folder, and deleted with it."""

    def __init__(self, store: Path):
        self.store, self.seconds, self.version = store, commit_time(), version()

    def buildah(self, *arguments) -> str:
        # Without privileges for file systems and namespaces of its own.
        options = ["--storage-driver", "vfs", "--root", self.store / "root", "--runroot", self.store / "run"]
        done = subprocess.run(["buildah", *options, *arguments], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise Refused(f"buildah {arguments[0]} failed")
        return done.stdout.strip()

    @cached_property
    def base(self) -> str:
        """The image to build on: BASE, or a small Debian, made once."""
        if named := os.environ.get("BASE"):
            return named
        files = self.store / f"{DEBIAN}.tar"
        if not files.exists():
            fresh = files.with_suffix(".new.tar")
            environment = {**os.environ, "SOURCE_DATE_EPOCH": DEBIAN_TIME}
            make = ["mmdebstrap", "--quiet", "--variant=minbase", *PACKAGES, *DPKG, DEBIAN, fresh]
            subprocess.run(make, check=True, env=environment)
            fresh.rename(files)
        name = f"localhost/{DEBIAN}"
        container = self.buildah("from", "scratch")
        self.buildah("add", "--quiet", container, files, "/")
        self.buildah("commit", "--quiet", "--rm", "--timestamp", DEBIAN_TIME, container, name)
        return name

    def archive(self, release: Path, stage: str) -> Path:
        name = f"chatbot-platform:{self.version}{STAGES[stage]}"
        values = {"BASE": self.base, "VERSION": self.version, "COMMIT": commit(), "SOURCE_DATE_EPOCH": str(self.seconds)}
        self.buildah(
            "build", "--quiet", "--isolation", "chroot", "--format", "docker", "--timestamp", str(self.seconds), "--target", stage,
            *(word for key, value in values.items() for word in ("--build-arg", f"{key}={value}")),
            "--file", ROOT / "deploy/Containerfile", "--tag", name, release,
        )
        with tempfile.TemporaryDirectory(dir=self.store) as folder:
            self.buildah("push", "--quiet", f"localhost/{name}", f"dir:{folder}")
            path = release / f"chatbot-platform-{self.version}{STAGES[stage]}-image.tar"
            path.write_bytes(tar(layout(Path(folder), name), self.seconds))
        return path


def layout(folder: Path, name: str) -> list[Entry]:
    """The OCI layout of an image that buildah wrote in Docker's format, which alone has a health check."""
    manifest = json.loads((folder / "manifest.json").read_text())
    written = json.loads(file_of(folder, manifest["config"]).read_text())
    # Without the names of containers of the build, which differ each time.
    config = {key: written[key] for key in ("created", "architecture", "os", "rootfs")}
    config["config"] = {key: value for key, value in written["config"].items() if key not in ("Hostname", "Image") and value}
    entries = [Entry("oci-layout", b'{"imageLayoutVersion":"1.0.0"}')]
    layers = []
    for layer in manifest["layers"]:
        entries.append(Entry(blob(layer["digest"]), file_of(folder, layer)))
        layers.append({"mediaType": f"{OCI}.layer.v1.tar+gzip", "digest": layer["digest"], "size": layer["size"]})

    def described(kind: str, content: dict) -> dict:
        text = json.dumps(content).encode()
        digest = f"sha256:{hashlib.sha256(text).hexdigest()}"
        entries.append(Entry(blob(digest), text))
        return {"mediaType": f"{OCI}.{kind}.v1+json", "digest": digest, "size": len(text)}

    configured = described("config", config)
    content = {"schemaVersion": 2, "mediaType": f"{OCI}.manifest.v1+json", "config": configured, "layers": layers}
    image = described("manifest", content)
    image["platform"] = {"architecture": "amd64", "os": "linux"}
    image["annotations"] = {"org.opencontainers.image.ref.name": name, "io.containerd.image.name": f"docker.io/library/{name}"}
    index = {"schemaVersion": 2, "mediaType": f"{OCI}.index.v1+json", "manifests": [image]}
    # What `docker load` reads unless Docker keeps its images in containerd.
    docker = [{"Config": blob(configured["digest"]), "RepoTags": [name], "Layers": [blob(layer["digest"]) for layer in layers]}]
    return [*entries, Entry("index.json", json.dumps(index).encode()), Entry("manifest.json", json.dumps(docker).encode())]


def file_of(folder: Path, part: dict) -> Path:
    return folder / part["digest"].removeprefix("sha256:")


def blob(digest: str) -> str:
    return f"blobs/{digest.replace(':', '/')}"


if __name__ == "__main__":
    main()
