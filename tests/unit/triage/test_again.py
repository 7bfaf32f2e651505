"""A case that is held again: it shows, it is gone, or nothing can be told; and nothing is sent that reaches out."""

import msgspec
import pytest

import hostile
from gainsay.campaign.siblings import GONE, UNASKABLE
from gainsay.core.answer import Refused
from gainsay.core.model import Target
from gainsay.errors import UsageError
from gainsay.families.sql.language import ir
from gainsay.triage import again


def finding(case, **other):
    return hostile.finding(case=msgspec.to_builtins(case), interval=None, **other)


def with_statements(*statements):
    case = hostile.case()
    scene = msgspec.structs.replace(case.scene, statements=(*case.scene.statements, *statements))
    return msgspec.structs.replace(case, scene=scene)


@pytest.fixture(scope="module")
def asker():
    made = again.Asker(Target("sqlite"))
    yield made
    made.close()


def test_what_is_right_is_gone(asker):
    assert asker.ask(finding(hostile.case())) == (GONE, "", None)


def test_what_is_refused_is_never_called_right(asker):
    case = with_statements(ir.RawStatement("CREATE TABLE t0(again)"))
    assert asker.ask(finding(case))[:2] == (UNASKABLE, again.REFUSED)


def test_nothing_is_sent_that_touches_files(asker, tmp_path):
    path = tmp_path / "made-by-a-case.db"
    for text in (f"ATTACH '{path}' AS a", "SELECT load_extension('x')", f"VACUUM INTO '{path}'"):
        outcome = asker.ask(finding(with_statements(ir.RawStatement(text))))
        assert outcome.state == UNASKABLE, text
    assert not path.exists()
    before = finding(hostile.case(), before=((0, f"ATTACH '{path}' AS a"),))
    asker.ask(before)
    assert not path.exists()


def test_a_guarded_player_says_what_it_did_not_send():
    player = again.Guarded(Target("sqlite"), 5.0)
    try:
        player.reset()
        said = player.ask("ATTACH 'x.db' AS a")
        assert isinstance(said, Refused) and "not sent" in said.message
        assert player.ask("SELECT 1").rows == [(1,)]
    finally:
        player.close()


def test_a_case_of_several_targets_starts_none_of_them(asker):
    case = hostile.case()
    two = msgspec.structs.replace(case, seats=(*case.seats, msgspec.structs.replace(case.seats[0], index=1)))
    assert "several targets" in asker.ask(finding(two)).why


def test_another_family_can_not_be_asked():
    solver = again.Asker(Target("z3"))
    try:
        assert solver.ask(finding(hostile.case()))[:2] == (UNASKABLE, "it is of the family sql")
    finally:
        solver.close()


def test_a_case_that_was_edited_is_told():
    with pytest.raises(UsageError, match="edited"):
        again.case_of(hostile.finding(case={"family": "sql"}))
