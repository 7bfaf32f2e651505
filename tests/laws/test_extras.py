"""Every engine that pip can bring has an extra, and `all` has them all."""

import re
import tomllib
from pathlib import Path

import gainsay
from gainsay.core import registry

PROJECT = tomllib.loads((Path(gainsay.__file__).parents[2] / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
LARGE = {"chdb"}  # half a gigabyte: tests that need it are skipped where it is not installed
OTHERS = {"all", "completion", "dev", "serve", "split", "tailor"}


def named(requirement):
    return re.match(r"[A-Za-z0-9_.-]+", requirement)[0]


def test_all_has_every_extra_but_the_developers():
    told = {extra for line in EXTRAS["all"] for extra in re.fullmatch(r"gainsay\[(.*)\]", line)[1].split(",")}
    assert told == set(EXTRAS) - {"all", "dev"}, "an extra is named in `all` of pyproject.toml, too"


def test_an_extra_is_called_like_its_engine():
    assert set(EXTRAS) - OTHERS <= set(registry.table("gainsay.engines"))


def test_every_package_of_an_extra_is_pinned_for_the_tests():
    pinned = {named(line) for line in EXTRAS["dev"] if "==" in line}
    wanted = {named(line) for extra in set(EXTRAS) - {"all", "dev"} - LARGE for line in EXTRAS[extra]}
    assert pinned >= wanted, "a package of an extra is pinned in `dev` of pyproject.toml, too"
