"""The table of docs/house.md: how large and how readable a checkout is. Any checkout is counted in the same way.

python tools/sizes.py [CHECKOUT]...    # this one by default; several stand beside each other

Pairs of places are counted where the command `duplicates` is on PATH, complexity where ruff is installed.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import shutil
import statistics
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
PACKAGES = (
    "core",
    "families",
    "engines",
    "oracles",
    "campaign",
    "triage",
    "report",
    "testing",
    "cli",
    "tailor",
    "split",
)
LONGEST, WIDEST, COMPLEX = 50, 120, 15  # lines of a function, characters of a line, branches as ruff counts
PLUGINS = {"family", "engine", "oracle", "session", "recipe", "probe", "analyzer", "dialect", "plugin"}
LISTED = re.compile(r'"gainsay\.(engines|oracles)\.(\w+):\w+"')  # in the registry
PAIRS = re.compile(r"(\d[\d,]*) pairs?")


def sources(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if "templates" not in path.parts)


def lines(paths: Sequence[Path]) -> int:
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def tokens(paths: Sequence[Path]) -> int:
    """Tokens do not depend on where lines end; comments and docstrings are counted."""
    left_out = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    read = (io.StringIO(path.read_text("utf-8")).readline for path in paths)
    return sum(token.type not in left_out for each in read for token in tokenize.generate_tokens(each))


def median(home: Path, group: str) -> float:
    """Lines of the files that the registry names, in the middle."""
    listed = {name for kind, name in LISTED.findall((home / "core" / "registry.py").read_text()) if kind == group}
    return statistics.median([lines([home / group / f"{name}.py"]) for name in listed] or [0])


def asked_by_name(paths: Sequence[Path]) -> Iterator[tuple[Path, ast.Call]]:
    """Calls of hasattr and getattr."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("hasattr", "getattr")
            ):
                yield path, node


def is_on_plugin(call: ast.Call) -> bool:
    """Whether the object that is asked is called like a plugin."""
    return bool(call.args) and ast.unparse(call.args[0]).rpartition(".")[2].strip("_") in PLUGINS


def long_functions(paths: Sequence[Path]) -> int:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    return sum(isinstance(n, functions) and (n.end_lineno or 0) - n.lineno + 1 > LONGEST for n in nodes)


def wide_lines(paths: Sequence[Path]) -> int:
    return sum(len(line) > WIDEST for path in paths for line in path.read_text("utf-8").split("\n"))


def complex_functions(home: Path) -> str:
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "C901", "--output-format", "json"]
    limit = ["--config", f"lint.mccabe.max-complexity={COMPLEX}"]
    told = subprocess.run([*command, *limit, str(home)], capture_output=True, text=True, check=False)
    return str(sum(found["code"] == "C901" for found in json.loads(told.stdout))) if told.stdout else "?"


def pairs(checkout: Path) -> str:
    """Pairs of places in src that share six or more lines."""
    if shutil.which("duplicates") is None:
        return "?"
    command = ["duplicates", "--repo", str(checkout / "src"), "--most", "1", "--seconds", "300"]
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = PAIRS.search(told)
    return found[1] if found else "0" if told.startswith("no duplicates") else "?"


def counted(checkout: Path) -> Mapping[str, str]:
    """The figures of a checkout, by what they are of."""
    home = checkout / "src" / "gainsay"
    all_of, beside = sources(home), [path for folder in ("tests", "tools") for path in sources(checkout / folder)]
    calls = list(asked_by_name(all_of))
    on_plugins = [call for path, call in calls if "core" not in path.relative_to(home).parts and is_on_plugin(call)]
    listed = {package: sources(home / package) for package in PACKAGES}
    listed |= {
        f"families/{f.name}": sources(f) for f in sorted((home / "families").iterdir()) if (f / "family.py").exists()
    }
    return {
        "lines in src (files)": f"{lines(all_of):,} ({len(all_of)})",
        "tokens in src": f"{tokens(all_of):,}",
        **{f"lines of {name} (files)": f"{lines(paths):,} ({len(paths)})" for name, paths in sorted(listed.items())},
        "lines in tests and tools (files)": f"{lines(beside):,} ({len(beside)})",
        "an engine's lines, median": f"{median(home, 'engines'):g}",
        "an oracle's lines, median": f"{median(home, 'oracles'):g}",
        "hasattr and getattr": str(len(calls)),
        "... on a plugin's object outside of core": str(len(on_plugins)),
        f"functions above {LONGEST} lines: src; tests, tools": f"{long_functions(all_of)}; {long_functions(beside)}",
        f"lines above {WIDEST}: src; tests, tools": f"{wide_lines(all_of)}; {wide_lines(beside)}",
        f"complexity above {COMPLEX} in src": complex_functions(home),
        "pairs of places in src that share six or more lines": pairs(checkout),
    }


def table(columns: Mapping[str, Mapping[str, str]]) -> str:
    """Figures of several checkouts beside each other, as Markdown."""
    names = dict.fromkeys(name for figures in columns.values() for name in figures)
    rows = [("", *columns), ("---",) * (1 + len(columns))]
    rows += [(name, *(figures.get(name, "") for figures in columns.values())) for name in names]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="*", type=Path, metavar="CHECKOUT")
    chosen = parser.parse_args().checkouts or [HERE]
    print(table({str(checkout): counted(checkout.resolve()) for checkout in chosen}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
