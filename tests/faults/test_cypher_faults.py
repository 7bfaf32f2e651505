"""Planted faults in an engine that is otherwise our own evaluator: a matrix of oracle x fault. A fault that no oracle
finds fails the build."""

import functools
import operator

import msgspec
import pytest

from cypher_standin import ORACLES, Fault, Standin, hold, scene, seats
from gainsay.core import registry
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seat, Seats, Target
from gainsay.core.tree import transform, walk
from gainsay.families.cypher.drawing import fixed_questions
from gainsay.families.cypher.drawing.lexicon import Lexicon
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.scopes import has_aggregate

SCENES = 150  # until a fault counts as not seen
PER_SCENE = 12
replace = msgspec.structs.replace


def nodes(kind, change):
    """A fault in which every node of a class is read as another one."""
    return Fault(lambda query, standin: transform(query, lambda n: change(n) if isinstance(n, kind) else n))


def fact(name, value):
    return Fault(facts=((name, value),))


def meaning(op, fn, strict=True):
    def patch(evaluator):
        evaluator.meanings[op] = (fn, strict)

    return Fault(patch=patch)


def aggregate(fn, new):
    def patch(evaluator):
        old = evaluator.aggregates[fn]
        evaluator.aggregates[fn] = lambda values: new(old, values)

    return Fault(patch=patch)


def bound_before(query, change):
    """Node patterns whose variable an earlier clause has bound, changed."""
    parts = []
    for part in query.parts:
        bound, clauses = set(), []
        for clause in part.clauses:
            if isinstance(clause, ir.Match):
                known = frozenset(bound)
                bound |= {n.var for _, n in walk(clause.patterns) if isinstance(n, ir.NodePat)}
                patterns = transform(
                    clause.patterns,
                    lambda n, known=known: change(n) if isinstance(n, ir.NodePat) and n.var in known else n,
                )
                clause = replace(clause, patterns=patterns)
            clauses.append(clause)
        parts.append(ir.Single(tuple(clauses)))
    return replace(query, parts=tuple(parts))


def is_unbound_null(value):
    return ir.Op("IS NULL", (value,))


def empty_by_index(query, standin):
    """With an index on a text, what is equal to '' is not found."""
    keys = {key for _, key in standin.indexes if standin.created.keys.get(key) == "str"}

    def change(n):
        if not isinstance(n, ir.Op) or n.op != "=":
            return n
        looked_up = [a for a in n.args if isinstance(a, ir.Prop) and a.key in keys]
        return ir.Op("AND", (n, ir.Op("<>", (looked_up[0], ir.Lit("str", ""))))) if looked_up else n

    def lost(pattern):
        is_hit = any(e.key in keys and e.value == ir.Lit("str", "") for e in pattern.props)
        return replace(pattern, props=(*pattern.props, ir.Entry("id", ir.Lit("int", -1)))) if is_hit else pattern

    found = replace_wheres(query, lambda where: transform(where, change))
    return transform(found, lambda n: lost(n) if isinstance(n, ir.NodePat) else n)


def replace_wheres(query, change):
    return transform(
        query,
        lambda n: (
            replace(n, where=change(n.where)) if isinstance(n, (ir.Match, ir.With)) and n.where is not None else n
        ),
    )


def stale_index(query, standin):
    """With an index, only the first condition of a conjunction is looked at."""
    return replace_wheres(
        query, lambda w: w.args[0] if standin.indexes and isinstance(w, ir.Op) and w.op == "AND" else w
    )


def without_nulls(clause):
    return replace(clause, expr=ir.Comprehension("zz", clause.expr, ir.Op("IS NOT NULL", (ir.Var("zz"),))))


def rewritten_not(n):
    """NOT (NOT c) is c: but it takes null for true on the way."""
    if n.op == "NOT" and isinstance(n.args[0], ir.Op) and n.args[0].op == "NOT":
        return ir.Op("coalesce", (n.args[0].args[0], ir.TRUE))
    return n


def raising(n):
    if not isinstance(n.base, ir.Var):
        return n
    return ir.Case((ir.When(is_unbound_null(n.base), ir.Op("/", (ir.Lit("int", 1), ir.Lit("int", 0)))),), n)


def unfiltered(clause):
    return replace(clause, where=None) if any(has_aggregate(i.expr) for i in clause.items) else clause


def shorter(n):
    return replace(n, length=(1, *(max(1, x) for x in n.length[1:]))) if n.length and n.length[0] == 0 else n


def star_loses(query, standin):
    """WITH * forgets null rows."""

    def change(single):
        found, names = [], []
        for c in single.clauses:
            if isinstance(c, ir.With) and c.star and c.where is None and names:
                c = replace(c, where=ir.Op("IS NOT NULL", (ir.Var(names[0]),)))
            elif isinstance(c, ir.Match):
                names = [n.var for _, n in walk(c.patterns) if isinstance(n, ir.NodePat) and n.var] + names
            elif isinstance(c, ir.With):
                names = []
            found.append(c)
        return ir.Single(tuple(found))

    return replace(query, parts=tuple(change(p) for p in query.parts))


def filtering(change):
    """A fault in WHERE only, not where the same condition is a value: an optimiser's."""
    return Fault(lambda query, standin: replace_wheres(query, lambda w: change(w) if isinstance(w, ir.Op) else w))


FAULTS = {
    "OPTIONAL MATCH drops rows without a match": nodes(ir.Match, lambda c: replace(c, optional=False)),
    "a label on a bound node is ignored": Fault(lambda q, s: bound_before(q, lambda n: replace(n, labels=()))),
    "properties of a bound node are ignored": Fault(lambda q, s: bound_before(q, lambda n: replace(n, props=()))),
    "relationships of one MATCH may be the same": fact("relationship-uniqueness", "may be the same"),
    "a path may use an edge twice": fact("variable-length", "walk"),
    "paths of length 0 are missing": nodes(ir.RelPat, shorter),
    "the upper bound of a path is one too high": nodes(
        ir.RelPat, lambda r: replace(r, length=(r.length[0], r.length[1] + 1)) if len(r.length) > 1 else r
    ),
    "WHERE keeps null": Fault(lambda q, s: replace_wheres(q, lambda w: ir.Op("OR", (w, is_unbound_null(w))))),
    "DISTINCT is ignored": nodes((ir.With, ir.Return), lambda c: replace(c, distinct=False)),
    "count(DISTINCT) counts all": nodes(ir.Agg, lambda a: replace(a, distinct=False) if a.fn == "count" else a),
    "UNION ALL drops duplicates": nodes(ir.Query, lambda q: replace(q, is_all=False)),
    "UNION keeps duplicates": nodes(ir.Query, lambda q: replace(q, is_all=True)),
    "nothing starts with ''": meaning("STARTS WITH", lambda a, b: a.startswith(b) and b != ""),
    "nothing contains ''": meaning("CONTAINS", lambda a, b: b in a and b != ""),
    "an index does not have ''": Fault(empty_by_index),
    "with an index, only one condition is looked at": Fault(stale_index),
    "ORDER BY DESC is ascending": nodes(ir.Order, lambda o: replace(o, desc=False)),
    "ordered rows come in reverse": Fault(
        rows=lambda rows, query: rows[::-1] if query.parts[0].clauses[-1].order else rows
    ),
    "LIMIT gives one more": nodes(
        (ir.With, ir.Return), lambda c: replace(c, limit=c.limit + 1) if c.limit is not None else c
    ),
    "SKIP is ignored": nodes((ir.With, ir.Return), lambda c: replace(c, skip=None)),
    "CASE has no ELSE": nodes(ir.Case, lambda c: replace(c, default=None)),
    "CASE takes null for true": nodes(
        ir.Case,
        lambda c: replace(
            c,
            whens=tuple(
                replace(w, test=ir.Op("coalesce", (w.test, ir.TRUE))) if c.operand is None else w for w in c.whens
            ),
        ),
    ),
    "<- is read as ->": nodes(ir.RelPat, lambda r: replace(r, direction="->")),
    "an undirected loop is met twice": fact("undirected-loop", "twice"),
    "parallel edges are one": fact("unreferenced-edge", "exists"),
    "several labels: one is enough": fact("labels", "any"),
    "the second label is ignored": nodes(ir.NodePat, lambda n: n if n.is_any else replace(n, labels=n.labels[:1])),
    "a property map is ignored": nodes((ir.NodePat, ir.RelPat), lambda n: replace(n, props=())),
    "a property of null breaks": nodes(ir.Prop, raising)._replace(breaks=True),
    "IN knows no null": fact("in-null", "false"),
    "XOR takes null for false": meaning("XOR", lambda a, b: bool(a) != bool(b), False),
    "OR is null if one side is": meaning("OR", lambda a, b: None if a is None or b is None else a or b, False),
    "UNWIND drops null": nodes(ir.Unwind, without_nulls),
    "min of strings is max": aggregate(
        "min", lambda old, values: max(values) if values and isinstance(values[0], str) else old(values)
    ),
    "sum loses its last value": aggregate("sum", lambda old, values: old(values[:-1])),
    "avg counts nulls": aggregate("avg", lambda old, values: old([*values, 0])),
    "collect drops duplicates": aggregate("collect", lambda old, values: old(list(dict.fromkeys(values)))),
    "sum of nothing is null": fact("sum-of-nothing", "null"),
    "WHERE after aggregation is ignored": nodes(ir.With, unfiltered),
    "EXISTS is always true": nodes(ir.SubQuery, lambda s: ir.TRUE if s.kind == "exists" else s),
    "a bare pattern is always true": nodes(ir.SubQuery, lambda s: ir.TRUE if s.kind == "pattern" else s),
    "a subquery has no WHERE": nodes(ir.SubQuery, lambda s: replace(s, where=None)),
    "COUNT { } is at most 1": nodes(
        ir.SubQuery,
        lambda s: (
            ir.Case((ir.When(ir.Op(">", (s, ir.Lit("int", 1))), ir.Lit("int", 1)),), s) if s.kind == "count" else s
        ),
    ),
    "single() is any()": nodes(ir.Quantified, lambda q: replace(q, kind="any") if q.kind == "single" else q),
    "a comprehension has no WHERE": nodes(ir.Comprehension, lambda c: replace(c, condition=None)),
    "reduce() keeps its first value": nodes(ir.Reduce, lambda r: r.initial),
    "WHERE a OR b is WHERE a AND b": filtering(lambda w: replace(w, op="AND") if w.op == "OR" else w),
    "WHERE a <= b is WHERE a < b": filtering(lambda w: replace(w, op="<") if w.op == "<=" else w),
    "WHERE NOT c keeps null": filtering(lambda w: ir.Op("coalesce", (w, ir.TRUE)) if w.op == "NOT" else w),
    "IS NULL of a comparison is false": nodes(
        ir.Op,
        lambda o: (
            ir.FALSE if o.op == "IS NULL" and isinstance(o.args[0], ir.Op) and o.args[0].op in ("=", "<", "<>") else o
        ),
    ),
    "NOT (NOT c) keeps null": nodes(ir.Op, rewritten_not),
    "WITH * drops rows of OPTIONAL MATCH": Fault(star_loses),
    "*1..1 is *1..2": nodes(ir.RelPat, lambda r: replace(r, length=(1, 2)) if r.length == (1, 1) else r),
    "the last row is lost": Fault(rows=lambda rows, query: rows[:-1]),
    "a list equals itself reversed": meaning(
        "=", lambda a, b: sorted(map(repr, a)) == sorted(map(repr, b)) if isinstance(a, list) else operator.eq(a, b)
    ),
    "7 / 2 is 3.5": fact("integer-division", "real"),
    "toInteger rounds down": fact("float-to-integer", "down"),
    "null and a string is the string": fact("concat-null", "the other"),
    "substring() starts at 1": fact("substring", "from 1"),
    "type() is lower case": meaning("type", lambda r: r.type.lower()),
}


@functools.cache
def seated():
    return seats()


@functools.cache
def grown(number):
    made = fixed_questions.scene(number, seated().lexicon)
    return made if made is not None else scene(number, seated(), "faults")


@functools.cache
def recipes(name, number):
    """Drawn once for all faults, when they are needed; the fixed questions come first, as in a hunt."""
    oracle = registry.oracle("cypher", name)
    draw = Draw(seed_for(number, name))
    first = list(oracle.fixed_recipes(grown(number), seated()))
    return [*first, *(oracle.draw(draw, grown(number), seated()) for _ in range(PER_SCENE))]


def found(name, fault, most=SCENES):
    """The label of the first claim that is contradicted, and how many conversations were held; None if there is
    none."""
    oracle, standin = registry.oracle("cypher", name), Standin((), fault)
    held = 0
    for number in range(most):
        standin.load(grown(number))
        for recipe in recipes(name, number):
            held += 1
            labels = hold(oracle, grown(number), recipe, seated(), standin.ask).contradicted
            if labels:
                return labels[0], held
    return None


# Who sees a fault. What is not listed is seen by `reference` alone, as far as is certain: the others compare an engine
# with itself.
OTHERS = {
    "properties of a bound node are ignored": {"reference", "rewrite"},
    "a path may use an edge twice": {"reference", "rewrite"},
    "the upper bound of a path is one too high": {"reference", "rewrite"},
    "WHERE keeps null": {"reference", "partition", "norec", "rewrite"},
    "with an index, only one condition is looked at": {"reference", "partition"},
    "CASE takes null for true": {"reference", "rewrite"},
    "<- is read as ->": {"reference", "rewrite"},
    "parallel edges are one": {"reference", "partition", "rewrite"},
    "several labels: one is enough": {"reference", "rewrite"},
    "the second label is ignored": {"reference", "rewrite"},
    "a property map is ignored": {"reference", "rewrite"},
    "a property of null breaks": {"reference", "partition", "norec", "rewrite"},
    "WHERE after aggregation is ignored": {"reference", "partition", "norec"},
    "WHERE a OR b is WHERE a AND b": {"reference", "partition", "norec", "rewrite"},
    "WHERE a <= b is WHERE a < b": {"reference", "partition", "norec"},
    "WHERE NOT c keeps null": {"reference", "partition", "norec"},
    "NOT (NOT c) keeps null": {"reference", "partition", "rewrite"},
    "WITH * drops rows of OPTIONAL MATCH": {"rewrite"},
    "*1..1 is *1..2": {"reference", "rewrite"},
    "the last row is lost": {"reference", "partition", "norec", "rewrite"},
}
FINDERS = {fault: OTHERS.get(fault, {"reference"}) for fault in FAULTS}
LABELS = {"reference": "as evaluated", "partition": "partitions", "norec": "as often as true", "rewrite": "same rows"}


@pytest.mark.parametrize(("fault", "oracle"), [(f, o) for f in FAULTS for o in sorted(FINDERS[f])])
def test_each_fault_is_found_by_the_oracles_that_can_see_it(fault, oracle):
    seen = found(oracle, FAULTS[fault])
    assert seen is not None
    assert seen[0] == ("internal-error" if FAULTS[fault].breaks else LABELS[oracle])


@pytest.mark.parametrize("oracle", ORACLES)
def test_an_engine_without_a_fault_is_not_accused(oracle):
    assert found(oracle, Fault(), 15) is None


# An engine that is wrong about what a clause or an aggregate means is so in the same way whenever it is asked.
BLIND = [
    ("partition", "OPTIONAL MATCH drops rows without a match"), ("norec", "OPTIONAL MATCH drops rows without a match"),
    ("norec", "sum loses its last value"),
    ("norec", "LIMIT gives one more"), ("norec", "DISTINCT is ignored"), ("norec", "nothing starts with ''"),
    ("rewrite", "sum loses its last value"),
]  # fmt: skip


@pytest.mark.parametrize(("oracle", "fault"), BLIND)
def test_a_fault_is_not_seen_where_nobody_looks(oracle, fault):
    assert found(oracle, FAULTS[fault], 8) is None


def test_no_fault_is_without_a_finder_and_no_oracle_without_a_fault():
    assert OTHERS.keys() <= FAULTS.keys()
    assert all(FINDERS.values())
    assert set().union(*FINDERS.values()) == set(ORACLES)


@pytest.mark.parametrize(
    "fault", ["<- is read as ->", "DISTINCT is ignored", "a property map is ignored", "CASE has no ELSE"]
)
def test_differential_finds_an_engine_that_is_wrong_and_no_other(fault):
    oracle = registry.oracle("cypher", "differential")
    two = Seats(tuple(Seat(i, Target("neo4j", str(i)), "0", "neo4j") for i in range(2)))
    two.lexicon = Lexicon(two, {})
    right, other, wrong = Standin(), Standin(), Standin((), FAULTS[fault])
    contradicted = 0
    for number in range(40):
        made = scene(number, two, "differential")
        draw = Draw(seed_for(number, "differential"))
        for standin in (right, other, wrong):
            standin.load(made)
        for _ in range(6):
            recipe = oracle.draw(draw, made, two)
            assert not hold(oracle, made, recipe, two, right.ask, other.ask).contradicted
            contradicted += bool(hold(oracle, made, recipe, two, right.ask, wrong.ask).contradicted)
        if contradicted:
            return
    raise AssertionError("not found")
