"""What was probed is remembered across hunts, and never longer than it is true."""

import os
import time

import msgspec
import pytest

import gainsay
from gainsay.campaign import describing, probing
from gainsay.core.model import Seat, Target


@pytest.fixture
def seat(monkeypatch, tmp_path):
    monkeypatch.setenv("GAINSAY_CACHE", str(tmp_path / "cache"))
    return describing.describe(Target("sqlite"))


def changed(seat, **fields):
    return msgspec.structs.replace(seat, **fields)


def test_a_target_is_probed_once_for_all_hunts(seat):
    asked = []
    first = probing.refused(seat, "sql", tell=lambda *progress: asked.append(progress))
    assert asked and asked[-1][1] < asked[-1][2]
    again = probing.refused(seat, "sql", tell=lambda *progress: pytest.fail("it was asked again"))
    assert again == first


def test_what_is_remembered_is_known_by_all_that_it_depends_on(seat, monkeypatch, tmp_path):
    library = tmp_path / "libx.so"
    library.write_text("one")
    named = changed(seat, target=Target("sqlite", options=(("lib", str(library)),)))
    names = [probing.memo(named, "sql")]
    library.write_text("another")
    names.append(probing.memo(named, "sql"))
    names.append(probing.memo(seat, "sql"))
    names.append(probing.memo(changed(seat, version="3.99.0"), "sql"))
    names.append(probing.memo(changed(seat, build=("OMIT_JSON",)), "sql"))
    names.append(probing.memo(changed(seat, target=Target("sqlite", configs=("utf16",))), "sql"))
    names.append(probing.memo(changed(seat, target=Target("apsw")), "sql"))
    monkeypatch.setattr(gainsay, "__version__", "99")
    names.append(probing.memo(seat, "sql"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    names.append(probing.memo(seat, "sql"))
    assert None not in names and len(set(names)) == len(names)


def test_a_server_of_somebody_is_always_probed(seat, monkeypatch):
    assert probing.memo(changed(seat, target=Target("neo4j"), dialect="neo4j"), "cypher") is None
    assert (
        probing.memo(
            changed(seat, target=Target("falkordb", options=(("host", "localhost"),)), dialect="falkordb"), "cypher"
        )
        is None
    )
    monkeypatch.setenv("GAINSAY_FALKORDB_HOST", "localhost")
    assert probing.memo(changed(seat, target=Target("falkordb"), dialect="falkordb"), "cypher") is None


@pytest.mark.parametrize("said", ["Died(hang, SIGKILL)", "Died(memory, SIGKILL)", "Died(crash, SIGKILL)"])
def test_what_the_machine_may_have_done_is_not_remembered(seat, said):
    probing.remember(seat, "sql", {"function:x": said})
    assert probing.recalled(seat, "sql") is None
    probing.remember(seat, "sql", {"function:x": "Died(crash, SIGSEGV)"})
    assert probing.recalled(seat, "sql") == {"function:x": "Died(crash, SIGSEGV)"}


def test_what_is_old_or_damaged_is_asked_again(seat):
    probing.remember(seat, "sql", {})
    path = probing.memo(seat, "sql")
    path.write_text("{")
    assert probing.recalled(seat, "sql") is None
    path.write_text("{}")
    assert probing.recalled(seat, "sql") == {}
    past = time.time() - probing.MEMORY_S - 60
    os.utime(path, (past, past))
    assert probing.recalled(seat, "sql") is None


def test_a_cache_that_cannot_be_written_is_no_problem(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GAINSAY_CACHE", str(tmp_path / "file"))
    seat = Seat(0, Target("sqlite"), "3", "sqlite")
    probing.remember(seat, "sql", {})
    assert probing.recalled(seat, "sql") is None
