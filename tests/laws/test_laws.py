"""Laws that hold for every seed."""

from collections import Counter

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gainsay.campaign import events
from gainsay.core import registry, values
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Case, Seats
from gainsay.core.tree import Node, at, count, put, walk
from gainsay.families.sql.legal import is_legal
from gainsay.triage import passes

RELAXED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
cells = st.one_of(
    st.none(), st.integers(-2, 2), st.sampled_from([0.0, 1.0, -0.0, 0.5]), st.sampled_from(["a", "A", ""]), st.booleans(), st.just(b"a")
)
rows = st.lists(st.tuples(cells, cells), max_size=5)


@given(rows, rows)
@settings(max_examples=300, deadline=None)
def test_same_bag_is_the_naive_multiset(left, right):
    def naive(listed):
        return Counter(tuple((type(v).__name__, v + 0.0 if type(v) is float else v) for v in row) for row in listed)

    assert values.same_bag(left, right) == (naive(left) == naive(right))


@given(rows, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(listed, random):
    shuffled = list(listed)
    random.shuffle(shuffled)
    for rule in (values.EXACT, values.NUMBER, values.CLOSE, values.GROUP):
        assert values.same_bag(listed, shuffled, rule)


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
@pytest.mark.parametrize("name", ["norec", "tlp", "differential"])
def test_cases_are_legal_repeatable_and_read_back(engine, name, stage_of):
    stage = stage_of(engine)
    oracle = registry.oracle("sql", name)
    for number in range(40):
        scene = stage.grow(number)
        assert scene == stage.grow(number)
        draws = [Draw(seed_for(1, number)), Draw(seed_for(1, number))]
        for _ in range(5):
            recipe, again = (oracle.draw(d, scene, stage.seats) for d in draws)
            assert recipe == again
            assert is_legal(scene, recipe), (scene, recipe)
            case = Case("sql", name, scene, recipe, events.slim(stage.seats.seats), "x")
            assert events.read_case(msgspec.json.decode(msgspec.json.encode(case))) == case


@pytest.mark.parametrize("name", ["norec", "tlp"])
def test_a_conversation_is_pure(name, stage_of):
    from gainsay.core.answer import Rows
    from gainsay.core.model import Step

    stage = stage_of("sqlite")
    oracle = registry.oracle("sql", name)
    scene = stage.grow(3)
    recipe = oracle.draw(Draw(5), scene, stage.seats)

    def said():
        talk = oracle.converse(scene, recipe, Seats(stage.seats.seats))
        item, heard = next(talk, None), []
        while item is not None:
            heard.append(item)
            try:
                item = talk.send(Rows([])) if isinstance(item, Step) else next(talk, None)
            except StopIteration:
                break
        return heard

    assert said() == said()


@RELAXED
@given(st.integers(0, 10_000))
def test_generic_passes_give_well_formed_trees_that_are_not_larger(stage_of, number):
    stage = stage_of("sqlite")
    scene = stage.grow(number)
    whole = (scene, registry.oracle("sql", "norec").draw(Draw(number), scene, stage.seats))
    for new in list(passes.chunks(whole))[:30] + list(passes.children(whole))[:30] + list(passes.defaults(whole))[:30]:
        assert count(new) <= count(whole)
        msgspec.json.encode(new)


@RELAXED
@given(st.integers(0, 10_000))
def test_put_and_at_are_inverse(stage_of, number):
    scene = stage_of("sqlite").grow(number)
    for path, value in list(walk(scene))[:40]:
        assert at(scene, path) == value
        assert put(scene, path, value) == scene
        assert isinstance(value, (Node, tuple))


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_tidying_changes_names_only(engine, stage_of):
    """A scene and its tidied twin give the same rows on the real engine."""
    from gainsay.campaign import conversation
    from gainsay.campaign.seating import LocalPlayer

    stage = stage_of(engine)
    family = registry.family("sql")
    oracle = registry.oracle("sql", "tlp")
    for number in range(25):
        scene = stage.prepare(number, stage.grow(number))
        recipe = oracle.draw(Draw(number), scene, stage.seats)
        answers = []
        for s, r in ((scene, recipe), family.tidy(scene, recipe)):
            player = LocalPlayer(stage.seats.seats[0])
            player.reset()
            loaded = conversation.load(lambda _, text, p=player: p.ask(text), conversation.spelled(family, s, stage.seats))
            assert not loaded.refused
            answers.append(player.ask(family.dialect(stage.seats.seats[0].dialect).text(r.query)))
            player.close()
        one, two = (getattr(a, "rows", None) for a in answers)
        assert one == two
