"""A conversation that our own evaluator contradicts is not held with an engine."""

import msgspec

from cypher_standin import SCENE, query, seats
from gainsay.core.claim import Claim, Relation, Side
from gainsay.core.model import Step
from gainsay.families.cypher.meaning import proof
from gainsay.families.cypher.meaning.scene_cache import SceneCache, profile_of

replace = msgspec.structs.replace
SEATED = seats()


def said(*claims, asked="MATCH (n) RETURN n.k AS x"):
    """A conversation with one question and some claims about its rows."""
    yield Step("query", query(asked))
    for right in claims:
        yield Claim("same", Side(("query",)), Relation.SAME_BAG, Side(value=tuple(right)), "why", "graph")


def test_a_conversation_that_would_not_hold_is_not_held():
    cache, profile = SceneCache(SCENE), profile_of(SEATED)
    right, wrong = [(5,), (5,), (None,)], [(5,)]
    assert proof.holds(said(right), cache, profile) and proof.holds(said(right, right), cache, profile)
    assert not proof.holds(said(wrong), cache, profile) and not proof.holds(said(right, wrong), cache, profile)
    assert not proof.holds(said(), cache, profile), "nothing is claimed"
    assert not proof.holds(said(right, asked="MATCH (n) WITH n.id AS x LIMIT 1 RETURN x AS x"), cache, profile), (
        "no one answer"
    )
