"""Runs an image of `make release` without a container engine: its files as root folder, read-only, with its user and its
variables, in a mount namespace. Needs root. What an engine adds (namespaces of processes and networks, limits) is not tested."""

import json
import os
import tarfile
from pathlib import Path

# Run with the root folder, the state folder, user and group, and the command. Only state, /tmp and shared memory can be written.
STATE = "/var/lib/chatbot-platform"
ENTER = r"""
root=$1; state=$2; user=$3; shift 3
mount --bind "$root" "$root"
mount -o remount,bind,ro,nosuid,nodev "$root"
mount --bind "$state" "$root/var/lib/chatbot-platform"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --rbind /proc "$root/proc"
mount -t tmpfs -o mode=0755 tmpfs "$root/dev"
mkdir -m 1777 "$root/dev/shm"
for device in null zero random urandom; do : > "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
cd "$root"
exec chroot --userspec="$user" "$root" "$@"
"""
# Of the image without text recognition.
MAX_BYTES = 300_000_000


def script(path: Path, root: Path, state: Path, user: str, command: str) -> Path:
    """Writes a program that runs a command below a root folder, with the variables of its caller."""
    state.mkdir(parents=True, exist_ok=True)
    os.chown(state, *map(int, user.split(":")))
    lines = [
        "#!/bin/sh",
        "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
        "unset HOME XDG_STATE_HOME TMPDIR",
        f"export SVC_PATHS_VAR_DIR=${{SVC_PATHS_VAR_DIR:-{STATE}}}",
        f"exec unshare --mount /bin/sh -ceu '{ENTER}' enter {root} {state} {user} {command} \"$@\"",
    ]
    path.write_text("\n".join(lines) + "\n")
    path.chmod(0o755)
    return path


class Image:
    """An image archive, unpacked below a folder."""

    def __init__(self, archive: Path, folder: Path, layers: int | None = None):
        """With `layers`, only the lowest ones are unpacked: one has the system alone."""
        self.root = folder / "root"
        self.root.mkdir(parents=True)
        with tarfile.open(archive) as image:
            name = lambda part: f"blobs/{part['digest'].replace(':', '/')}"
            blob = lambda part: image.extractfile(name(part))
            described = json.load(image.extractfile("index.json"))["manifests"][0]
            manifest = json.load(blob(described))
            self.config = json.load(blob(manifest["config"]))["config"]
            docker = {
                "Config": name(manifest["config"]),
                "RepoTags": [described["annotations"]["org.opencontainers.image.ref.name"]],
                "Layers": [name(layer) for layer in manifest["layers"]],
            }
            self.loads_in_docker = json.load(image.extractfile("manifest.json")) == [docker]
            self.layers = [layer["size"] for layer in manifest["layers"]]
            for layer in manifest["layers"][:layers]:
                with tarfile.open(fileobj=blob(layer), mode="r:gz") as files:
                    self.unpack(files)

    def unpack(self, files: tarfile.TarFile) -> None:
        """Adds a layer. A file of a lower layer that it deletes is named with a prefix."""
        for member in files:
            path = self.root / member.name
            if path.name.startswith(".wh."):
                removed = path.with_name(path.name.removeprefix(".wh."))
                if removed.is_dir() and not removed.is_symlink():
                    # Only caches: their folders may stay.
                    continue
                removed.unlink(missing_ok=True)
                continue
            if path.is_symlink() or path.is_file():
                path.unlink()
            files.extract(member, self.root, numeric_owner=True, filter="fully_trusted")

    def script(self, path: Path, state: Path, command: str = "") -> Path:
        """Writes a program that runs a command line of the image, or another command of its files."""
        return script(path, self.root, state, self.config["User"], command or self.program())

    def program(self) -> str:
        """The path of what the image starts."""
        folders = dict(variable.split("=", 1) for variable in self.config["Env"])["PATH"].split(":")
        name = self.config["Entrypoint"][0]
        return next(f"{folder}/{name}" for folder in folders if (self.root / folder.lstrip("/") / name).exists())

    def faults(self) -> list[str]:
        """What the image lacks."""
        labels = self.config.get("Labels", {})
        holds = {
            f"room: {sum(self.layers):,} bytes instead of {MAX_BYTES:,}": (self.root / "usr/bin/tesseract").exists() or sum(self.layers) <= MAX_BYTES,
            "the manifest that Docker loads": self.loads_in_docker,
            f"{STATE} as its state folder": f"SVC_PATHS_VAR_DIR={STATE}" in self.config["Env"],
            "a user that is not root": self.config.get("User", "").split(":")[0] not in ("", "0", "root"),
            "a health check by the program": self.config.get("Healthcheck", {}).get("Test") == ["CMD", "chatbot-platform", "health"],
            "a version as a label": bool(labels.get("org.opencontainers.image.version")),
            "a commit as a label": len(labels.get("org.opencontainers.image.revision", "")) == 40,
            "the demo world as its command": self.config.get("Cmd") == ["demo"],
        }
        return [name for name, is_so in holds.items() if not is_so]
