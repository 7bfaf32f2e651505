"""What speaks PostgreSQL's protocol: nothing is taken for granted of it, and nothing of ours stays there."""

import re

import pytest

from gainsay.core import registry
from gainsay.core.answer import Refused, Rows
from gainsay.engines.apart import OUR_NAMES
from gainsay.families.sql import probe
from gainsay.families.sql.language import dialects
from gainsay.oracles import sql_twin


@pytest.mark.parametrize("engine", ["cockroachdb", "materialize", "questdb", "cratedb", "pgwire"])
def test_no_meaning_is_taken_for_granted(engine):
    assert dialects.find(registry.engine(engine).dialect).system is None


def test_the_tables_of_probes_and_copies_are_known_as_ours():
    texts = [t for p in probe.probes(dialects.find("questdb")) for t in (*p.setup, *p.texts)]
    made = {name for text in texts for name in re.findall(r"CREATE TABLE (\w+)", text)}
    assert len(made) > 10
    assert {name for name in made if not OUR_NAMES.fullmatch(name)} == set()
    assert all(OUR_NAMES.fullmatch(f"t0{mark}") for mark in (sql_twin.MARK, sql_twin.REVERSED))
    assert not OUR_NAMES.fullmatch("orders")


def test_a_server_that_makes_tables_outside_of_our_schema_is_noticed_and_left_as_it_was():
    session = registry.engine("postgresql").open_session((), {})
    house, wire = session._house, session._wire
    wire.run(["CREATE SCHEMA gainsay_other"])
    assert not house.is_inside(wire, "gainsay_other")
    assert isinstance(wire.run(["SELECT c0 FROM x0"])[0], Refused)
    wire.run(house.emptied("gainsay_other"))
    assert house.is_inside(wire, "gainsay_other")
    assert isinstance(wire.run(["SELECT c0 FROM x0"])[0], Rows)
    session.close()
