"""What servers written in Go say, sorted by its words; and what is said where their program is not there."""

import pytest

from gainsay.core import registry
from gainsay.core.answer import GaveUp, Refused
from gainsay.engines import go_servers


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("syntax error at position 7 near 'SELEKT' (1105)", "syntax"),
        ('column "x" could not be found in any table in scope (1105)', "name"),
        ("unsupported type for greatest/least argument: bool (1105)", "missing"),
        ("panic recovered: runtime error: index out of range [0] with length 0 (1105)", "internal"),
        ("no idea (1105)", "other"),
    ],
)
def test_a_refusal_is_told_by_its_words(said, kind):
    assert repr(go_servers.sorted_by_words(Refused("internal", said))) == repr(
        Refused(kind, said.removesuffix(" (1105)"))
    )


def test_a_panic_says_where_and_has_no_stack():
    stack = (
        "goroutine 1 [running]: debug.Stack() panic({0x1}) "
        "github.com/dolthub/go-mysql-server/sql/expr.(*Sign).Eval(0x1)"
    )
    answer = go_servers.sorted_by_words(Refused("internal", f"panic recovered: runtime error: nil {stack} (1105)"))
    assert repr(answer) == repr(Refused("internal", "panic recovered: runtime error: nil (in expr.(*Sign).Eval)"))


def test_what_was_ended_is_given_up():
    assert repr(go_servers.sorted_by_words(Refused("other", "context canceled"))) == repr(GaveUp("timeout"))


def test_a_number_without_a_fraction_is_an_integer():
    assert [go_servers.number(text) for text in ("0", "-3", "0.5", "1e300")] == [0, -3, 0.5, 1e300]


def test_a_program_that_is_not_there_is_told_with_the_remedy(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match=r"no dolt on PATH\. Install Dolt .*\?bin=FOLDER"):
        registry.engine("dolt").version()
    monkeypatch.setenv("GAINSAY_DOLT_BIN", str(tmp_path))
    with pytest.raises(RuntimeError, match="no program dolt in"):
        registry.engine("dolt").version()


def test_a_program_for_another_platform_is_told(monkeypatch, tmp_path):
    (tmp_path / "dolt").write_bytes(b"MZ\x90\x00")
    (tmp_path / "dolt").chmod(0o755)
    monkeypatch.setenv("GAINSAY_DOLT_BIN", str(tmp_path))
    with pytest.raises(RuntimeError, match="for another platform"):
        registry.engine("dolt").version()


def test_a_panic_that_ended_a_connection_is_named_by_the_log():
    house = registry.engine("dolt").house((), {})
    log = 'level=error msg="mysql_server caught panic:\\nunknown type info\\n/dolt/unknown.go:57"'
    assert house.died(None, log)[0] == "panic: unknown type info"
