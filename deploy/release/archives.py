"""Archives whose bytes follow from their entries alone: sorted, with one time for all and root as their owner."""

import base64
import gzip
import hashlib
import io
import tarfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Entry:
    """A file of an archive: its content is bytes, a file on disk, or the target of a link."""

    name: str
    content: bytes | Path | str
    mode: int = 0o644

    def read(self) -> bytes:
        return self.content.read_bytes() if isinstance(self.content, Path) else bytes(self.content)


def tree(folder: Path, name: str, keep=lambda path: True) -> list[Entry]:
    """The files below a folder that `keep` wants, as entries below `name`. Programs stay executable."""
    files = [path for path in folder.rglob("*") if path.is_file() and keep(path.relative_to(folder))]
    if not files:
        raise FileNotFoundError(f"{folder} is missing or empty")
    mode = lambda path: 0o755 if path.stat().st_mode & 0o100 else 0o644
    return [Entry(f"{name}/{path.relative_to(folder)}", path, mode(path)) for path in files]


def tar_gz(entries: list[Entry], seconds: int) -> bytes:
    """A compressed tar archive."""
    return gzip.compress(tar(entries, seconds), compresslevel=6, mtime=seconds)


def tar(entries: list[Entry], seconds: int) -> bytes:
    """A tar archive with an entry for each folder."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name in sorted({name for entry in entries for name in folders_of(entry.name)}):
            archive.addfile(header(name, tarfile.DIRTYPE, 0o755, seconds))
        for entry in sorted(entries, key=lambda entry: entry.name):
            if isinstance(entry.content, str):
                link = header(entry.name, tarfile.SYMTYPE, 0o777, seconds)
                link.linkname = entry.content
                archive.addfile(link)
                continue
            content = entry.read()
            file = header(entry.name, tarfile.REGTYPE, entry.mode, seconds)
            file.size = len(content)
            archive.addfile(file, io.BytesIO(content))
    return held.getvalue()


def folders_of(name: str) -> list[str]:
    """The folders that contain a file, without the archive's own."""
    parts = name.split("/")
    folders = ["/".join(parts[:length]) for length in range(1, len(parts))]
    return [folder for folder in folders if folder != "."]


def header(name: str, kind: bytes, mode: int, seconds: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.mode, info.mtime = kind, mode, seconds
    info.uname = info.gname = "root"
    return info


def wheel(entries: list[Entry], info: str, seconds: int) -> bytes:
    """A wheel: a zip archive with a table of all files at its end, in the folder `info`."""
    held, record = io.BytesIO(), io.StringIO()
    # Zip knows no earlier time.
    moment = max(time.gmtime(seconds)[:6], (1980, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(held, "w") as archive:
        for entry in sorted(entries, key=lambda entry: entry.name):
            content = entry.read()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.write(f"{entry.name},sha256={digest},{len(content)}\n")
            add(archive, entry.name, content, entry.mode, moment)
        name = f"{info}/RECORD"
        record.write(f"{name},,\n")
        add(archive, name, record.getvalue().encode(), 0o644, moment)
    return held.getvalue()


def add(archive: zipfile.ZipFile, name: str, content: bytes, mode: int, moment) -> None:
    file = zipfile.ZipInfo(name, moment)
    file.create_system, file.external_attr = 3, (0o100000 | mode) << 16
    archive.writestr(file, content, zipfile.ZIP_DEFLATED, 6)


def deb(control: list[Entry], data: list[Entry], seconds: int) -> bytes:
    """A Debian package: an `ar` archive of a version, the control files and the files."""
    dotted = lambda entries: [Entry(f"./{entry.name}", entry.content, entry.mode) for entry in entries]
    parts = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", tar_gz(dotted(control), seconds)),
        ("data.tar.gz", tar_gz(dotted(data), seconds)),
    ]
    archive = b"!<arch>\n"
    for name, content in parts:
        archive += f"{name:<16}{seconds:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode() + content
        archive += b"\n" * (len(content) % 2)
    return archive
