#!/usr/bin/env python3
"""Writes the realm files without the people of the demo world: realms.py FROM TO"""

import json
import sys
from pathlib import Path


def without_people(realm: str) -> bytes:
    """The realm with the accounts of clients alone."""
    content = json.loads(realm)
    content["users"] = [user for user in content["users"] if "serviceAccountClientId" in user]
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.mkdir(exist_ok=True)
    for file in source.glob("*-realm.json"):
        (target / file.name).write_bytes(without_people(file.read_text()))
