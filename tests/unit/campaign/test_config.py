"""From what the user asks for to a campaign: which targets are started, which seats meet which oracles, what is refused at once."""

import msgspec
import pytest

from gainsay.campaign import config
from gainsay.campaign.config import Campaign, Group, Request
from gainsay.core import registry
from gainsay.core.model import Seat, Target
from gainsay.errors import EnvironmentProblem, JournalError, UsageError


@pytest.fixture(autouse=True)
def no_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GAINSAY_CACHE", str(tmp_path / "cache"))  # no siblings, nothing that was probed before


def seat(text, version="1"):
    target = Target.parse(text)
    return Seat(0, target, version, registry.engine(target.engine).dialect)


def arranged(*targets, oracles=(), settings=None, **more):
    return config.arranged([seat(t) for t in targets], oracles, 5, settings or {}, 0, **more)


def groups(campaign):
    return {g.key: g.oracles for g in campaign.groups}


ALONE = ("norec", "tlp", "plans", "twin")

# --- plan: real engines are started ---


@pytest.fixture
def known():
    """What an earlier run learnt of SQLite, with a mark by which it is known again."""
    return {"sqlite": msgspec.structs.replace(config.describe(Target("sqlite")), refused=frozenset({"a mark"}))}


def test_a_named_target_is_started_and_what_an_earlier_run_learnt_is_taken_as_it_is(known):
    made = config.plan([Target("sqlite")], (), 5, {}, 100, known)
    (group,) = made.groups
    assert group.seats == (known["sqlite"],) and group.oracles == ALONE
    assert (made.seed, made.targets, made.checks, made.explicit) == (5, ("sqlite",), 100, True)


def test_what_was_learnt_of_another_version_is_not_believed(known):
    other = {"sqlite": msgspec.structs.replace(known["sqlite"], version="3.1.0")}
    (group,) = config.plan([Target("sqlite")], (), 5, {}, 0, other).groups
    assert "a mark" not in group.seats[0].refused and group.seats[0].version == known["sqlite"].version


def test_a_named_target_that_is_not_there_is_told():
    with pytest.raises(EnvironmentProblem, match="souffle"):
        config.plan([Target.parse("souffle?bin=/nowhere/souffle")], (), 5, {}, 0, {})


def test_without_targets_all_that_is_installed_and_that_the_oracle_may_ask_is_taken():
    installed = {name: config.describe(Target(name)) for name in ("sqlite", "apsw", "duckdb")}
    made = config.plan([], ("tlp",), 5, {}, 0, installed)
    assert groups(made).items() >= {"sqlite": ("tlp",), "apsw": ("tlp",), "duckdb": ("tlp",)}.items()
    assert set(map(str, groups(made).values())) == {"('tlp',)"}
    assert not made.explicit


def test_what_is_done_is_told_target_by_target(known):
    told = []
    config.plan([Target("sqlite")], (), 5, {}, 0, known, tell=lambda target, done, total: told.append((str(target), done, total)))  # fmt: skip
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


def test_whose_turn_it_is_follows_from_how_dear_the_oracles_are():
    names = tuple(registry.oracles("smt"))
    group = Group("z3", "smt", (seat("z3"),), names)
    order = config.turns(group)
    assert {name: order.count(name) for name in names} == {n: registry.oracle("smt", n).turns for n in names}
    assert order[: len(names)] == list(names), "each has its first turn before any has a second"


# --- settings and requests ---


def test_a_family_gets_its_own_settings_bare_and_those_of_its_oracles_with_their_names():
    made = Campaign(1, (), (), (), {"sql.mix": "small", "rules.max_rules": "4", "datalog.seeds": "x"})
    assert made.family_settings("sql") == {"mix": "small"}
    assert made.family_settings("datalog") == {"seeds": "x", "rules.max_rules": "4"}


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"settings": {"sqk.mix": "small"}}, "nothing here is called 'sqk'. Did you mean sql"),
        ({"settings": {"sql.mixx": "small"}}, "sql has no parameter 'mixx'. Did you mean mix"),
        ({"settings": {"sql.mix": "large"}}, "no mix 'large'"),
        ({"oracles": ("storm",)}, "none of these targets has that oracle"),
        ({"oracles": ("nrec",)}, "norec"),
        ({"oracles": ("differential",)}, "name two or more of one family"),
        ({"targets": (Target("sqlite"), Target("sqlite"))}, "named twice"),
        ({"targets": (Target.parse("sqlite?bin=x"),)}, "has no option 'bin'"),
        ({"targets": (Target.parse("duckdb:noopt"),)}, "has no configuration 'noopt'"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_started(request_, said):
    asked = {"targets": (Target("sqlite"),), "oracles": (), "settings": {}} | request_
    with pytest.raises(UsageError) as told:
        config.check_request(Request(**asked))
    assert said in str(told.value)


def test_a_sound_request_is_taken():
    config.check_request(Request((Target("sqlite"), Target("duckdb")), ("differential", "tlp"), {"sql.mix": "small"}))
    config.check_request(Request((), ("storm",), {}))


# --- saved and read again ---


def test_a_campaign_is_read_as_it_was_saved_but_without_credentials(tmp_path):
    secret = seat("neo4j?uri=bolt://me:pw@host&password=pw")
    group = Group("neo4j", "cypher", (msgspec.structs.replace(secret, refused=frozenset({"b", "a"})),), ("norec",), seat("kuzu"))  # fmt: skip
    made = Campaign(5, ("neo4j",), ("norec",), (group,), {"cypher.nodes": "4"}, 10, is_whole=False)
    config.save(made, tmp_path)
    again = config.saved(tmp_path)
    assert "pw" not in (tmp_path / "campaign.toml").read_text()
    kept = again.groups[0].seats[0]
    assert kept.target == secret.target.public() and kept.refused == {"a", "b"}
    assert again == msgspec.structs.replace(made, groups=(msgspec.structs.replace(group, seats=(kept,)),))


def test_a_folder_without_a_campaign_has_none_and_a_damaged_one_is_told(tmp_path):
    assert config.saved(tmp_path) is None
    (tmp_path / "campaign.toml").write_text("seed = ")
    with pytest.raises(JournalError, match="is not what was written there"):
        config.saved(tmp_path)


def test_the_causes_of_one_target_are_told_apart_not_those_of_several():
    with pytest.raises(UsageError, match="--sibling"):
        config.told_apart(arranged("sqlite", "duckdb"), [Target("sqlite")])
