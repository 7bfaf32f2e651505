"""Doltlite: which library a process is started with."""

from gainsay.engines import doltlite, releases

ENGINE = doltlite.Doltlite()


def test_a_release_runs_on_its_own_library():
    found = ENGINE.environment("0.50.0", {})
    assert found["LD_PRELOAD"] == str(
        releases.cache_dir() / "doltlite" / "0.50.0" / "doltlite" / "_lib" / "libdoltlite.so"
    )
    assert found["_DOLTLITE_BOOTSTRAPPED"] == "1"


def test_a_reproducer_starts_python_again_on_the_library():
    text = ENGINE.repro("", {}, ("reverse",))
    assert text.index("LD_PRELOAD=LIB") < text.index("import sqlite3")
    assert "SQLite " not in text and text.endswith("ask('PRAGMA reverse_unordered_selects = 1')\n")


def test_its_releases_are_those_of_its_package():
    assert ENGINE.requirements("0.50.0") == ["doltlite==0.50.0"] and list(ENGINE.available()) == ["doltlite"]
