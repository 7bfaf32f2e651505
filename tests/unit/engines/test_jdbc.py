"""What Java's exceptions and results mean, without a Java machine; and what is said where there is no jar."""

from decimal import Decimal

import pytest

from gainsay.campaign import naming
from gainsay.core import registry
from gainsay.core.answer import GaveUp, Refused
from gainsay.core.model import Target
from gainsay.engines import jdbc, maven, releases
from gainsay.engines.h2 import KINDS


class Frame:
    def __init__(self, name):
        self._class, _, self._method = name.rpartition(".")

    def getClassName(self):
        return self._class

    def getMethodName(self):
        return self._method


class SqlError:
    """An SQLException as JPype shows it."""

    def __init__(self, state, message, frames=(), cause=None):
        self._said = state, message, [Frame(f) for f in frames], cause

    def getSQLState(self):
        return self._said[0]

    def getMessage(self):
        return self._said[1]

    def getStackTrace(self):
        return self._said[2]

    def getCause(self):
        return self._said[3]


@pytest.mark.parametrize(
    ("state", "kind"),
    [("42001", "syntax"), ("42S02", "name"), ("22018", "conversion"), ("23505", "constraint"), ("90054", "other")],
)
def test_a_refusal_is_told_by_its_state(state, kind):
    answer = jdbc.refusal(SqlError(state, "No; SQL statement:\nSELECT 1 [1-2]"), KINDS)
    assert repr(answer) == repr(Refused(kind, "No"))


def test_what_java_threw_is_an_internal_error_and_says_where():
    cause = SqlError("", "null", ["java.util.ArrayList.get", "org.h2.expression.Row.value"])
    answer = jdbc.refusal(SqlError("HY000", 'General error: "NullPointerException"', (), cause), KINDS)
    assert repr(answer) == repr(Refused("internal", 'General error: "NullPointerException" (in Row.value)'))
    assert jdbc.refusal(SqlError("90000", "java.lang.ClassCastException: x"), KINDS).kind == "internal"


def test_time_and_memory_are_given_up():
    given_up = [jdbc.refusal(SqlError(*said), KINDS) for said in (("57014", "canceled"), ("90108", "Out of memory."))]
    assert repr(given_up) == repr([GaveUp("timeout"), GaveUp("memory")])


class Result:
    """A java.sql.ResultSet with one row."""

    def __init__(self, *cells):
        self._cells, self._left = cells, 1

    def getMetaData(self):
        return self

    def getColumnCount(self):
        return len(self._cells)

    def getColumnType(self, n):
        return self._cells[n - 1][0]

    def getString(self, n):
        return self._cells[n - 1][1]

    getBytes = getString

    def next(self):
        self._left -= 1
        return self._left >= 0


def test_values_are_plain():
    found = jdbc.rows(
        Result((4, "7"), (8, "1.5E10"), (16, "TRUE"), (3, "1.50"), (2, "3"), (12, "a"), (4, None), (-3, [-1, 1]))
    )
    assert found == [(7, 1.5e10, True, Decimal("1.50"), 3, "a", None, b"\xff\x01")]


def test_without_maven_it_is_said_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("GAINSAY_CACHE", str(tmp_path))
    monkeypatch.setattr(maven.shutil, "which", lambda name: None)
    assert naming.newest(Target("h2")) == Target("h2")
    with pytest.raises(RuntimeError, match=r"Maven is not here.*apt-get install maven.*\?jar=PATH"):
        registry.engine("h2").version()


def test_a_jar_that_is_not_there_is_told_by_its_path(monkeypatch):
    engine = registry.engine("h2")
    (variable,) = engine.environment("", {"jar": "/no/such.jar"})
    monkeypatch.setenv(variable, "/no/such.jar")
    with pytest.raises(RuntimeError, match=r"no jar /no/such\.jar"):
        engine.version()


def test_without_a_version_it_is_the_newest_release_and_is_hunted_on_only_if_named(monkeypatch):
    monkeypatch.setattr(releases, "newest", lambda engine: "2.5.252")
    monkeypatch.setattr(releases, "folder", lambda engine, version: None)
    assert naming.newest(Target("h2")) == Target("h2", "2.5.252")
    assert naming.newest(Target("h2", options=(("jar", "x"),))).version == ""
    assert Target("h2") not in naming.candidates()
