"""Databases in Java: the conformance kit on their newest releases, where Java and Maven are."""

import shutil

import pytest

from gainsay.core import registry
from gainsay.engines.jdbc import JarEngine
from gainsay.testing import engine_checks

NAMES = [n for n in registry.BUILT_IN["gainsay.engines"] if isinstance(registry.engine(n), JarEngine)]
CHECKS = [pytest.param(check, id=f"{name}: {check}") for name in NAMES for check in engine_checks(name)]
pytestmark = [
    pytest.mark.more,
    pytest.mark.skipif(
        not (shutil.which("java") and shutil.which("mvn")), reason="needs Java and Maven: apt-get install maven"
    ),
]


@pytest.mark.parametrize("check", CHECKS)
def test_a_database_in_java_conforms(check):
    check()


@pytest.mark.parametrize(("target", "words"), [("h2@1.4.999", "1.4.200"), ("h2?jar=/no/such.jar", "/no/such.jar")])
def test_what_is_not_there_is_told_with_what_is(gainsay, target, words):
    result = gainsay("engines", "check", target)
    assert result.code == 2 and words in result.err
