"""Imports: grimp and our own walk agree, and the walk sees what grimp does not."""

from pathlib import Path

import pytest

from gainsay.split import code as codes
from gainsay.split.graphs import python

FILES = {
    "app/__init__.py": "",
    "app/a.py": "import app.b\nfrom app import c\nimport os, json\n",
    "app/b.py": "from . import c\nfrom .sub import deep\nfrom .sub.deep import x\n",
    "app/c.py": "def f():\n    from app.sub import deep\n    return deep\n",
    "app/sub/__init__.py": "from ..a import *\n",
    "app/sub/deep.py": "from .. import b\nfrom app.names import hidden\nimport config\n",
    "app/names/hidden.py": "import app\n",  # no __init__.py beside it
    "config.py": "",
    "scripts/run.py": "import helper\nimport app.a\n",
    "scripts/helper.py": "import run\n",
    "scripts/broken.py": "def (\n",
    "scripts/-dash.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import app.c\n",
}
EXPECTED = {
    "app/__init__.py": set(),
    "app/a.py": {"app/b.py", "app/c.py"},
    "app/b.py": {"app/c.py", "app/sub/deep.py"},
    "app/c.py": {"app/sub/deep.py"},
    "app/sub/__init__.py": {"app/a.py"},
    "app/sub/deep.py": {"app/b.py", "app/names/hidden.py", "config.py"},
    "app/names/hidden.py": {"app/__init__.py"},
    "config.py": set(),
    "scripts/run.py": {"scripts/helper.py", "app/a.py"},
    "scripts/helper.py": {"scripts/run.py"},
    "scripts/broken.py": set(),
    "scripts/-dash.py": {"app/c.py"},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize("is_walked", [True, False])
def test_all_imports_are_seen_with_grimp_and_without(folder: Path, is_walked: bool) -> None:
    assert python.dependencies(folder, sorted(FILES), is_walked=is_walked) == EXPECTED


def test_a_folder_inside_of_a_package_keeps_its_place(folder: Path) -> None:
    code = codes.gather(folder / "app", (".py",))
    assert code.prefix == "app/"
    found = python.dependencies(code.folder, code.names, code.prefix)
    assert found["a.py"] == {"b.py", "c.py"}
    assert found["b.py"] == {"c.py", "sub/deep.py"}


def test_grimp_really_reads_the_package(folder: Path) -> None:
    said = python.imported(folder, sorted(FILES), "")
    assert "app.sub.deep" in said
    assert "scripts.run" not in said


def test_a_package_with_a_file_that_does_not_parse_is_walked(folder: Path) -> None:
    (folder / "app" / "bad.py").write_text("def (\n", "utf-8")
    names = sorted([*FILES, "app/bad.py"])
    assert python.dependencies(folder, names) == {**EXPECTED, "app/bad.py": set()}
