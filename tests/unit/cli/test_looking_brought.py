"""The list of engines brings nothing: what Maven would have to download is named, and left alone."""

import pytest

from gainsay.campaign import naming
from gainsay.cli import looking
from gainsay.core import registry
from gainsay.core.model import Target
from gainsay.engines import releases
from gainsay.errors import EnvironmentProblem


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(releases, "cache_dir", lambda: tmp_path)
    return tmp_path


class Unasked:
    def start(self, target):
        raise AssertionError(f"{target} was started")


def test_an_engine_that_maven_has_to_bring_is_not_started_to_list_it(cache):
    with pytest.raises(EnvironmentProblem, match="gainsay hunt h2"):
        looking.installed(Target("h2"), Unasked())
    assert not list(cache.iterdir())


@pytest.mark.parametrize("name", ["sqlite", "duckdb", "postgresql", "kuzu"])
def test_what_is_installed_is_started(cache, name):
    assert not naming.is_unbrought(registry.engine(name))


def test_what_was_brought_once_is_started(cache):
    (cache / "h2" / "2.3.232").mkdir(parents=True)
    assert not naming.is_unbrought(registry.engine("h2"))
