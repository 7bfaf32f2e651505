"""A campaign: whose turn it is, whose settings are whose, and how it is saved and read again."""

import msgspec
import pytest

from gainsay.campaign import config
from gainsay.campaign.config import Campaign, Group
from gainsay.core import registry
from gainsay.core.model import Seat, Target
from gainsay.errors import JournalError


def seat(text, version="1"):
    target = Target.parse(text)
    return Seat(0, target, version, registry.engine(target.engine).dialect)


def test_whose_turn_it_is_follows_from_how_dear_the_oracles_are():
    names = tuple(registry.oracles("smt"))
    group = Group("z3", "smt", (seat("z3"),), names)
    order = config.turns(group)
    assert {name: order.count(name) for name in names} == {n: registry.oracle("smt", n).turns for n in names}
    assert order[: len(names)] == list(names), "each has its first turn before any has a second"


def test_a_family_gets_its_own_settings_bare_and_those_of_its_oracles_with_their_names():
    made = Campaign(1, (), (), (), {"sql.mix": "small", "rules.max_rules": "4", "datalog.seeds": "x"})
    assert made.family_settings("sql") == {"mix": "small"}
    assert made.family_settings("datalog") == {"seeds": "x", "rules.max_rules": "4"}


def test_a_campaign_is_read_as_it_was_saved_but_without_credentials(tmp_path):
    secret = seat("neo4j?uri=bolt://me:pw@host&password=pw")
    group = Group(
        "neo4j", "cypher", (msgspec.structs.replace(secret, refused=frozenset({"b", "a"})),), ("norec",), seat("kuzu")
    )
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
