"""Brings Python code bases to cut, from source distributions by name and number: python tools/split_corpus.py DEST

DEST/django has 909 files, DEST/django-all with its tests 2,911, DEST/homeassistant 6,739.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

# name of the folder -> package, version, what is taken of it
CODE = {
    "django": ("django", "6.1.3", "django"),
    "django-all": ("django", "6.1.3", ""),
    "homeassistant": ("homeassistant", "2024.3.3", ""),
}


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(f"{__doc__}")
    goal = Path(sys.argv[1])
    goal.mkdir(parents=True, exist_ok=True)
    for folder, (package, version, part) in CODE.items():
        if not (goal / folder).exists():
            bring(goal / folder, package, version, part)
        print(f"{goal / folder}: {sum(1 for _ in (goal / folder).rglob('*.py'))} files of {package} {version}")


def bring(goal: Path, package: str, version: str, part: str) -> None:
    with tempfile.TemporaryDirectory(dir=goal.parent) as room:
        pip = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--ignore-requires-python",
        ]
        subprocess.run([*pip, f"--no-binary={package}", "--dest", room, f"{package}=={version}"], check=True)
        with tarfile.open(next(Path(room).glob("*.tar.gz"))) as archive:
            archive.extractall(Path(room) / "x", filter="data")
        top = next((Path(room) / "x").iterdir())
        (top / part).rename(goal)


if __name__ == "__main__":
    main()
