#!/usr/bin/env python3
"""Reads the Compose files with a parser of the Compose specification, named by the first argument, as a user has them: with an
.env file in which every value is set. No container is started."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "deploy"))
from settings import variables

PARSER = Path(sys.argv[1]).resolve()
PLATFORM = ["server", "worker", "migrate"]


def parse(folder: Path, name: str) -> subprocess.CompletedProcess:
    command = [PARSER, name]
    return subprocess.run(command, cwd=folder, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True)


def services(folder: Path, name: str) -> dict:
    parsed = parse(folder, name)
    assert parsed.returncode == 0, f"{name}: {parsed.stdout} {parsed.stderr}"
    return json.loads(parsed.stdout)["services"]


def main() -> None:
    with tempfile.TemporaryDirectory() as named:
        folder = Path(named)
        for name in ("compose.yaml", "compose.demo.yaml"):
            shutil.copy(ROOT / "deploy" / name, folder)
        example = (ROOT / "deploy/compose/env.example").read_text()
        (folder / ".env").write_text(example)
        refused = parse(folder, "compose.yaml")
        assert refused.returncode != 0 and "APP_PASSWORD is missing a value" in refused.stdout + refused.stderr, refused
        (folder / ".env").write_text(re.sub(r"(?m)^(\w+)=$", r"\1=value-of-\1", example))
        production, demo = services(folder, "compose.yaml"), services(folder, "compose.demo.yaml")
    check_settings(production)
    check_realms(production["keycloak"]["environment"])
    check_rights({**production, **demo})
    for service in production.values():
        for mount in service.get("volumes", []):
            path = Path(mount["source"])
            if mount["type"] == "bind" and path.name != "realms":
                assert (ROOT / "deploy/compose" / path.name).is_file(), f"{path} is missing"
    assert production["migrate"]["depends_on"]["database"]["condition"] == "service_healthy"
    for name in ("server", "worker"):
        assert production[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    published = [name for name, service in production.items() if service.get("ports")]
    assert published == ["proxy"], f"published: {published}"
    print(f"compose: {len(production)} services and {len(demo)}, read with the specification's parser")


def check_settings(production: dict) -> None:
    """Every variable of the platform is a setting: it refuses others."""
    known = variables()
    for name in PLATFORM:
        given = set(production[name]["environment"])
        assert given and given <= known, f"{name}: {given - known}"
    assert production["server"]["environment"]["SVC_JOBS_WORKERS"] == "0"
    assert "SVC_JOBS_WORKERS" not in production["worker"]["environment"]


def check_realms(environment: dict) -> None:
    """Keycloak gets every variable of the realm files, which it would import as text otherwise; and nobody of the demo world."""
    sys.path.insert(0, str(ROOT / "deploy/compose"))
    from realms import without_people

    for file in sorted((ROOT / "deploy/realms").glob("*-realm.json")):
        realm = without_people(file.read_text()).decode()
        wanted = set(re.findall(r"\$\{(SVC_[A-Z_]+)\}", realm))
        assert wanted and wanted <= set(environment), f"{file.name}: {wanted - set(environment)}"
        people = [user["username"] for user in json.loads(realm)["users"]]
        assert people and all(name.startswith("service-account-") for name in people), f"{file.name}: {people}"


def check_rights(all_services: dict) -> None:
    for name in (*PLATFORM, "demo"):
        service = all_services[name]
        assert service["read_only"] and service["cap_drop"] == ["ALL"], f"{name} has more rights than it needs"
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert not service.get("privileged") and "ports" not in service, name


if __name__ == "__main__":
    main()
