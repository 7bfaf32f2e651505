"""Whether the same seed still does the same: short hunts on embedded engines, over one source tree or several in turn.

python tools/fingerprints.py [--checks N] [--seed S] [--engine NAME]... [TREE]...

A tree is a checkout, or a folder with the package gainsay in it; this checkout by default. Without --engine: every
engine that is installed and no server. Exits 1 where trees differ. Clocks decide some things (time-outs, heaps that
break): run a tree twice, `TREE TREE`, to see what differs by itself.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
COUNTS = ("checks", "scenes", "asks", "valid", "nonempty", "undecidable", "raw")
NOT_HERE = " "  # what stands for a version where nothing is installed is a sentence
Print = Mapping[str, Any]


def source(tree: Path) -> Path:
    """The folder to put on PYTHONPATH for a tree."""
    return tree / "src" if (tree / "src" / "gainsay").is_dir() else tree


def said(tree: Path, *words: str) -> str:
    """What the command of a tree prints."""
    variables = dict(os.environ, PYTHONPATH=str(source(tree).resolve()))
    command = [sys.executable, "-m", "gainsay.cli.main", *words]
    return subprocess.run(
        command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False
    ).stdout


def embedded(engines: Sequence[Mapping[str, Any]]) -> list[str]:
    """Of what `engines --json` lists: what is installed and needs neither a server nor a program to be named."""
    return [e["engine"] for e in engines if e["installed"] and NOT_HERE not in e["installed"] and not is_server(e)]


def is_server(engine: Mapping[str, Any]) -> bool:
    return not {"url", "port", "host"}.isdisjoint(engine["options"])


def printed(summary: Mapping[str, Any]) -> Print:
    """What must be the same: the counts, and each finding's id with its signature."""
    findings = sorted(f"{f['id']}: {f['signature']}" for f in summary["findings"])
    return {**{name: summary[name] for name in COUNTS}, "findings": findings}


def hunted(tree: Path, engine: str, checks: int, seed: int) -> Print:
    """The fingerprint of a short hunt; empty where it came to no end."""
    with tempfile.TemporaryDirectory() as folder:
        limits = ("--checks", str(checks), "--seed", str(seed), "--workers", "1")
        told = said(tree, "hunt", engine, *limits, "--json", "--out", f"{folder}/out")
    lines = told.strip().splitlines()
    return printed(json.loads(lines[-1])) if lines else {}


def differences(one: Print, two: Print) -> list[str]:
    """What two fingerprints differ in, as lines."""
    found = [f"{name}: {one.get(name)} / {two.get(name)}" for name in COUNTS if one.get(name) != two.get(name)]
    here, there = one.get("findings", []), two.get("findings", [])
    found += [f"only in the first: {finding}" for finding in here if finding not in there]
    return found + [f"only in the second: {finding}" for finding in there if finding not in here]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="*", type=Path, metavar="TREE")
    parser.add_argument("--engine", action="append", metavar="NAME")
    parser.add_argument("--checks", type=int, default=600)
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    trees = arguments.trees or [HERE]
    engines = arguments.engine or embedded(json.loads(said(trees[0], "engines", "--json")))
    is_same = True
    for engine in engines:
        prints = [hunted(tree, engine, arguments.checks, arguments.seed) for tree in trees]
        print(engine, " ".join(f"{name} {prints[0].get(name)}" for name in COUNTS), flush=True)
        for finding in prints[0].get("findings", ()):
            print(f"    {finding}")
        for tree, other in zip(trees[1:], prints[1:], strict=True):
            told = differences(prints[0], other)
            is_same = is_same and not told
            print(f"  {tree}: {'the same' if not told else ''}", *told, sep="\n    " if told else "", flush=True)
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
