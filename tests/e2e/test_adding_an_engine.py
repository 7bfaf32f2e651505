"""docs/adding-an-engine.md: what it tells to write is a package that passes the conformance kit."""

import ast
import os
import re
import tomllib
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "adding-an-engine.md"


def files(text):
    """File -> its code blocks, one after the other. The line before a block names its file."""
    found = {}
    for name, code in re.findall(r"^`([\w./]+)`[^\n]*\n```\w+\n(.*?)^```$", text, re.M | re.S):
        found[name] = "\n\n".join(filter(None, (found.get(name), code)))
    return found


def test_the_walk_is_short_and_every_block_of_code_is_in_a_file():
    text = DOCUMENT.read_text()
    assert len(text.splitlines()) <= 100
    assert text.count("```") == 2 * 3 and set(files(text)) == {"pyproject.toml", "gainsay_pocket.py"}


def test_the_code_of_the_walk_is_as_the_laws_want_it_in_this_project():
    """tests/laws/test_readable.py: whoever puts it into src/ must not be told of it."""
    tree = ast.parse(files(DOCUMENT.read_text())["gainsay_pocket.py"])
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert len(classes) == 2 and all(map(ast.get_docstring, classes))


def test_the_engine_of_the_walk_passes_the_conformance_kit_as_it_is_written(gainsay, tmp_path):
    home = tmp_path / "package"
    home.mkdir()
    for name, code in files(DOCUMENT.read_text()).items():
        (home / name).write_text(code)
    project = tomllib.loads((home / "pyproject.toml").read_text())["project"]
    info = home / "gainsay_pocket-0.1.dist-info"  # as pip would make it
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    ((group, points),) = project["entry-points"].items()
    (info / "entry_points.txt").write_text(f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in points.items()))
    path = os.pathsep.join(filter(None, (str(home), os.environ.get("PYTHONPATH"))))
    result = gainsay("engines", "conform", "pocket", env={"PYTHONPATH": path})
    assert result.code == 0 and "All is well." in result.out, result.out + result.err
    assert result.out.count("  ok  ") == 12, result.out
