"""`gainsay new`: what a family says of how to begin is all that decides what is written."""

import argparse
import sys

import pytest

from gainsay.cli import new
from gainsay.core import registry
from gainsay.core.family import Family, Starter
from gainsay.errors import UsageError


def asked(what, family, out):
    return argparse.Namespace(what=what, name="mine", family=family, out=str(out))


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """A plugin's family, which brings a template for an engine."""
    home = tmp_path / "theirs" / "templates" / "engine" / "prolog"
    home.mkdir(parents=True)
    (tmp_path / "theirs" / "__init__.py").write_text("")
    (home / "README.md.txt").write_text("@name@ of @family@")
    (home / "engine.py.txt").write_text("class @class@: ...")
    monkeypatch.syspath_prepend(tmp_path)
    family = type("Prolog", (Family,), {"starter": Starter("swi", ("pyswip",), "theirs")})
    monkeypatch.setattr(registry, "table", lambda group: {"prolog": ""} if group.endswith("families") else {})
    monkeypatch.setattr(registry, "family", lambda name: family)
    yield family
    sys.modules.pop("theirs", None)


def test_a_plugins_family_has_packages_of_its_own(plugin, tmp_path, capsys):
    assert new.new(asked("engine", "prolog", tmp_path / "out")) == 0
    assert (tmp_path / "out/README.md").read_text() == "mine of prolog"
    assert (tmp_path / "out/gainsay_mine/engine.py").read_text() == "class Mine: ..."
    assert not (tmp_path / "out/gainsay_mine/dialect.py").exists()
    assert '"pyswip"' in (tmp_path / "out/pyproject.toml").read_text()


def test_a_family_that_says_nothing_and_one_that_is_not_there_are_told(plugin, tmp_path):
    with pytest.raises(UsageError, match=r"no family 'prolg'.*prolog"):
        new.new(asked("engine", "prolg", tmp_path / "out"))
    plugin.starter = None
    with pytest.raises(UsageError, match="says nothing of how to begin"):
        new.new(asked("engine", "prolog", tmp_path / "out"))


@pytest.mark.parametrize("family", registry.BUILT_IN["gainsay.families"])
@pytest.mark.parametrize("what", ["engine", "oracle"])
def test_each_of_our_families_has_templates(family, what, tmp_path):
    written = dict(new.texts(what, "mine", family))
    assert written.keys() >= {"README.md", f"gainsay_mine/{what}.py"}
    assert ("gainsay_mine/dialect.py" in written) == ((what, family) == ("engine", "sql"))
    assert registry.family(family).starter.trial in registry.BUILT_IN["gainsay.engines"]


def test_without_a_family_it_is_the_first(tmp_path, capsys):
    assert new.new(asked("oracle", None, tmp_path / "out")) == 0
    assert "gainsay hunt sqlite --oracle mine" in capsys.readouterr().out
