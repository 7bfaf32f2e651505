"""Patterns: what they are taken from, they match."""

from cypher_standin import FAMILY, scene, seats
from gainsay.core.draw import Draw, seed_for
from gainsay.core.tree import walk
from gainsay.families.cypher.drawing import queries
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.meaning.graph import NodeV, RelV
from gainsay.families.cypher.meaning.scene_cache import OPEN, SceneCache, profile_of

SEATED = seats()
STANDARD = profile_of(SEATED)
TEXT = FAMILY.dialect("neo4j").text


def composer(number, seated=SEATED, name="composer"):
    return queries.Composer(
        Draw(seed_for(number, name)), SceneCache(scene(number, seated)), seated.lexicon, profile_of(seated)
    )


def clauses(count=150, optional=False):
    """Drawn patterns with their witness and their matches."""
    for number in range(count):
        made = composer(number)
        paths, witness = made.weaver.clause({}, optional)
        try:
            rows = made.evaluator.clause(ir.Match(paths), [{}])
        except OPEN:
            continue
        yield made, paths, witness, rows


def is_at(row, witness):
    """Whether a match is the place that a pattern was taken from; paths are made anew by each match."""
    return all(row[n] is v for n, v in witness.items() if isinstance(v, (NodeV, RelV)))


def test_the_witness_satisfies_its_pattern():
    for _, paths, witness, rows in clauses():
        assert any(is_at(row, witness) for row in rows), TEXT(ir.Match(paths))


def test_the_witness_satisfies_a_second_clause_that_goes_on_from_it():
    for made, _, witness, rows in clauses(100):
        more, known = made.weaver.clause(witness, False)
        try:
            found = made.evaluator.clause(ir.Match(more), [row for row in rows if is_at(row, witness)])
        except OPEN:
            continue
        assert any(is_at(row, known) for row in found), TEXT(ir.Match(more))


def test_pieces_of_one_region_share_variables_and_regions_share_none():
    shared = 0
    for made, paths, _, _ in clauses(300):
        names = [{p.start.var, *(h.node.var for h in p.hops)} - {""} for p in paths]
        for one in range(len(paths)):
            for two in range(one):
                common = names[one] & names[two]
                shared += bool(common)
                assert len({made.weaver.owner[n] for n in common}) <= 1
        regions = {}
        for path, listed in zip(paths, names, strict=True):
            owners = {made.weaver.owner[n] for n in listed}
            assert len(owners) <= 1, f"a path is in one region: {TEXT(path)}"
            for owner in owners:
                regions.setdefault(owner, set()).update(listed)
        for one, listed in regions.items():
            assert all(listed.isdisjoint(other) for two, other in regions.items() if two != one)
    assert shared > 60


def test_no_edge_is_used_twice_in_a_clause():
    for _, _, witness, rows in clauses(200):
        rels = [v for v in witness.values() if isinstance(v, RelV)]
        assert len(rels) == len(set(map(id, rels)))
        assert rows, "relationship uniqueness leaves the witness"


def test_a_later_clause_begins_where_an_earlier_one_was_in_most_cases():
    joined = total = 0
    for made, _, witness, _ in clauses(200):
        more, _ = made.weaver.clause(witness, False)
        names = {n.var for _, n in walk(more) if isinstance(n, ir.NodePat)}
        joined += bool(names & witness.keys())
        total += any(isinstance(v, NodeV) for v in witness.values())
    assert 0.5 * total < joined


def test_labels_and_types_of_a_pattern_are_those_of_the_elements():
    kept = dropped = 0
    for _, paths, witness, _ in clauses(150):
        for _, n in walk(paths):
            if isinstance(n, ir.NodePat) and n.var and not n.is_any:
                assert set(n.labels) <= witness[n.var].labels
                kept += bool(n.labels)
                dropped += bool(witness[n.var].labels) and not n.labels
    assert kept > 30 and dropped > 30


def test_an_optional_pattern_may_miss():
    missed = sum(not rows for _, _, _, rows in clauses(300, optional=True))
    assert 5 < missed < 200


def test_without_guidance_patterns_have_nothing_to_do_with_the_graph():
    missed = 0
    for number in range(150):
        made = composer(number)
        paths, witness = made.weaver.blind({}, {})
        missed += not made.evaluator.clause(ir.Match(paths), [{}])
        assert {n.var for _, n in walk(paths) if isinstance(n, ir.NodePat)} <= witness.keys()
    assert missed > 30
