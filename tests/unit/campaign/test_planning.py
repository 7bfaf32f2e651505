"""From targets to a campaign: which are started, and which seats meet which oracles."""

import msgspec
import pytest

from gainsay.campaign import describing, planning
from gainsay.core import registry
from gainsay.core.model import Seat, Target
from gainsay.errors import EnvironmentProblem, UsageError


@pytest.fixture(autouse=True)
def no_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GAINSAY_CACHE", str(tmp_path / "cache"))  # no siblings, nothing that was probed before


def seat(text, version="1"):
    target = Target.parse(text)
    return Seat(0, target, version, registry.engine(target.engine).dialect)


def arranged(*targets, oracles=(), settings=None, **more):
    return planning.arranged([seat(t) for t in targets], oracles, 5, settings or {}, 0, **more)


def groups(campaign):
    return {g.key: g.oracles for g in campaign.groups}


FEW = ("sqlite", "apsw", "duckdb", "cozo", "mysql")
ALONE = tuple(n for n in registry.oracles("sql") if n != "differential")


# --- plan: real engines are started ---


@pytest.fixture
def known():
    """What an earlier run learnt of SQLite, with a mark by which it is known again."""
    return {"sqlite": msgspec.structs.replace(describing.describe(Target("sqlite")), refused=frozenset({"a mark"}))}


def test_a_named_target_is_started_and_what_an_earlier_run_learnt_is_taken_as_it_is(known):
    made = planning.plan([Target("sqlite")], (), 5, {}, 100, known)
    (group,) = made.groups
    assert group.seats == (known["sqlite"],) and group.oracles == ALONE
    assert (made.seed, made.targets, made.checks, made.explicit) == (5, ("sqlite",), 100, True)


def test_what_was_learnt_of_another_version_is_not_believed(known):
    other = {"sqlite": msgspec.structs.replace(known["sqlite"], version="3.1.0")}
    (group,) = planning.plan([Target("sqlite")], (), 5, {}, 0, other).groups
    assert "a mark" not in group.seats[0].refused and group.seats[0].version == known["sqlite"].version


def test_a_named_target_that_is_not_there_is_told():
    with pytest.raises(EnvironmentProblem, match="souffle"):
        planning.plan([Target.parse("souffle?bin=/nowhere/souffle")], (), 5, {}, 0, {})


def test_without_targets_all_that_is_installed_and_that_the_oracle_may_ask_is_taken(monkeypatch):
    every = registry.table  # all engines would be started one by one
    few = {name: where for name, where in every("gainsay.engines").items() if name in FEW}
    monkeypatch.setattr(registry, "table", lambda group: few if group == "gainsay.engines" else every(group))
    installed = {name: describing.describe(Target(name)) for name in ("sqlite", "apsw", "duckdb")}
    made = planning.plan([], ("tlp",), 5, {}, 0, installed)
    assert groups(made).items() >= {"sqlite": ("tlp",), "apsw": ("tlp",), "duckdb": ("tlp",)}.items()
    assert set(map(str, groups(made).values())) == {"('tlp',)"}
    assert not made.explicit


def test_what_is_done_is_told_target_by_target(known):
    told = []
    planning.plan(
        [Target("sqlite")],
        (),
        5,
        {},
        0,
        known,
        tell=lambda target, done, total: told.append((str(target), done, total)),
    )
    assert told[0] == ("sqlite", 0, 0) and told[-1] == ("sqlite", 1, 1)


# --- arranged: which seats meet which oracles ---


def test_each_target_is_asked_alone_and_all_of_a_family_together_by_what_compares():
    made = arranged("sqlite", "duckdb")
    assert groups(made) == {
        "sqlite": ALONE,
        "duckdb": ALONE,
        "sqlite duckdb": ("differential",),
    }
    assert [s.index for s in made.group("sqlite duckdb").seats] == [0, 1]


def test_targets_of_two_families_are_not_compared_and_take_turns():
    made = arranged("sqlite", "duckdb", "cozo")
    assert [g.key for g in made.groups] == ["sqlite", "cozo", "duckdb", "sqlite duckdb"]


def test_only_oracles_that_were_asked_for_are_arranged():
    assert groups(arranged("sqlite", "duckdb", oracles=("tlp",))) == {"sqlite": ("tlp",), "duckdb": ("tlp",)}
    assert groups(arranged("sqlite", "duckdb", oracles=("differential",))) == {"sqlite duckdb": ("differential",)}


def test_without_named_targets_nothing_is_compared_unless_that_was_asked_for():
    assert "sqlite duckdb" not in groups(arranged("sqlite", "duckdb", explicit=False))
    asked = arranged("sqlite", "duckdb", oracles=("tlp", "differential"), explicit=False)
    assert groups(asked)["sqlite duckdb"] == ("differential",)


def test_an_engine_in_two_configurations_is_two_targets():
    made = arranged("z3", "z3:arith-2")
    assert {"z3", "z3:arith-2", "z3 z3:arith-2"} == set(groups(made))


@pytest.mark.parametrize(
    ("targets", "more", "error", "said"),
    [
        ((), {}, EnvironmentProblem, "No embedded engine is installed"),
        (("sqlite", "sqlite"), {}, UsageError, "named twice"),
        (("sqlite",), {"oracles": ("storm",)}, UsageError, "None of the oracles storm applies to sqlite"),
        (("sqlite",), {"settings": {"sql.mix": "larg"}}, UsageError, "no mix 'larg'"),
    ],
)
def test_what_can_not_be_arranged_is_told(targets, more, error, said):
    with pytest.raises(error, match=said):
        arranged(*targets, **more)


def test_the_causes_of_one_target_are_told_apart_not_those_of_several():
    with pytest.raises(UsageError, match="--sibling"):
        planning.with_siblings(arranged("sqlite", "duckdb"), [Target("sqlite")])


def test_what_can_claim_nothing_of_a_target_is_not_chosen_unless_it_is_named():
    chosen = groups(arranged("mysql", "sqlite"))
    assert set(chosen["sqlite"]) - set(chosen["mysql"]) == {"reference", "writes"} and chosen["mysql"]
    assert set(chosen["mysql"]) - set(groups(arranged("questdb"))["questdb"]) == {"plans"}
    assert groups(arranged("mysql", oracles=("reference",))) == {"mysql": ("reference",)}
