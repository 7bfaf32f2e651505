"""Which files are the code base."""

import os
from pathlib import Path

import pytest

from gainsay.errors import UsageError
from gainsay.split import code as codes


def test_links_that_lead_out_are_left_out_and_said(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("password = 1\n")
    inside = tmp_path / "code"
    inside.mkdir()
    (inside / "a.py").write_text("")
    (inside / "out.py").symlink_to(tmp_path / "secret.py")
    (inside / "in.py").symlink_to(inside / "a.py")
    (inside / "there").symlink_to(tmp_path)
    found = codes.gather(inside, (".py",))
    assert found.names == ("a.py", "in.py")
    assert found.left_out == ("out.py: a link that leads out of the folder", "there: a link to a folder")


def test_hidden_folders_and_environments_are_left_out(tmp_path: Path) -> None:
    for name in (".git/x.py", "__pycache__/x.py", "env/lib/x.py", "node_modules/x.py", "-dash.py", "a/b.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "env" / "pyvenv.cfg").write_text("")
    assert codes.gather(tmp_path, (".py",)).names == ("-dash.py", "a/b.py")


def test_a_name_that_is_not_utf8_is_left_out_and_said(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    with open(os.fsencode(tmp_path) + b"/\xff.py", "w"):
        pass
    found = codes.gather(tmp_path, (".py",))
    assert found.names == ("a.py",)
    assert "not UTF-8" in found.left_out[0]


def test_a_folder_without_code_is_a_mistake_of_the_users(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no \.py file"):
        codes.gather(tmp_path, (".py",))
    with pytest.raises(UsageError, match="There is no folder"):
        codes.gather(tmp_path / "no", (".py",))


def test_a_folder_whose_name_is_no_word_is_no_package(tmp_path: Path) -> None:
    (tmp_path / "my-app").mkdir()
    (tmp_path / "my-app" / "__init__.py").write_text("")
    assert codes.gather(tmp_path / "my-app", (".py",)).prefix == ""
