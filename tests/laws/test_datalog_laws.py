"""Laws that hold for every drawn Datalog program, rewrite and reduction. Seeds are fixed; the dialects are those of
real engines."""

import itertools

import msgspec
import pytest

from datalog_standin import DIALECTS, evaluate, hold, program, read, seats, tables
from gainsay.campaign import events
from gainsay.core import registry
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Case
from gainsay.core.tree import walk
from gainsay.families.datalog.drawing import propose, queries, rewritten, scenes
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.meaning import legal
from gainsay.families.datalog.meaning.apg import CON, EQU, EXP
from gainsay.triage import passes

FAMILY = registry.family("datalog")
ORACLES = ("cq", "apg", "rules", "reference")


@pytest.fixture(params=DIALECTS)
def dialect(request):
    return request.param


def drawn_scenes(seated, count, name="scene"):
    for number in range(count):
        yield number, scenes.grow(Draw(seed_for(number, name)), seated.lexicon)


def programs(dialect, count, **settings):
    """Drawn programs, on a scene each."""
    seated = seats(dialect, **settings)
    for number, scene in drawn_scenes(seated, count):
        yield ir.program(scene, queries.query(Draw(seed_for(number, "program")), scene, seated.lexicon))


def cases(dialect, name, count, **settings):
    """What an oracle draws, on a scene each. Programs of `rules` stay small: there, each rule is asked for alone."""
    more = {"rules_max_rules": "6", "rules_p_head": "0.35"} if name == "rules" else {}
    seated = seats(dialect, **more, **settings)
    oracle = registry.oracle("datalog", name)
    for number, scene in drawn_scenes(seated, count):
        yield scene, oracle.draw(Draw(seed_for(number, name)), scene, seated), seated


# --- programs ---


def test_a_drawn_program_is_legal(dialect):
    illegal = [made for made in programs(dialect, 200) if legal.meaning(made) is None]
    assert illegal == []


def test_a_drawn_program_holds_something(dialect):
    empty = [made for made in programs(dialect, 200, p_empty="0") if not tables(made)[made.output]]
    assert len(empty) < 0.15 * 200


def test_a_drawn_program_is_spelled(dialect):
    for made in programs(dialect, 150):
        assert FAMILY.dialect(dialect).text(made)


def test_the_same_seed_draws_the_same_case(dialect):
    for name in ORACLES:
        assert [msgspec.json.encode(c[:2]) for c in cases(dialect, name, 10)] == [
            msgspec.json.encode(c[:2]) for c in cases(dialect, name, 10)
        ]


def test_a_program_grows_on_its_own_results(dialect):
    """What the generator believes that its relations hold is what they hold."""
    seated = seats(dialect)
    compared = 0
    for number, scene in drawn_scenes(seated, 60):
        grower = queries.Grower(Draw(seed_for(number, "grown")), seated.lexicon, scene, seated.lexicon.small)
        made = grower.grown(6)
        if made is not None:
            believed = {name: grower.state.tables[name] for name in grower.rels}
            assert believed == evaluate(ir.program(scene, made))
            compared += any(believed.values())
    assert compared > 40


def test_some_programs_recurse_negate_and_join(dialect):
    shapes = [
        FAMILY.shape(ir.Scene(made.rels, made.facts), ir.Rules((), made.rules, made.output))
        for made in programs(dialect, 200)
    ]
    for feature in ("recursion", "negation", "join", "wildcard", "constant", "several rules", "repeated atom"):
        assert sum(feature in shape for shape in shapes) >= 6, feature


# --- rewrites ---


def after_rewrites(base, steps, is_local):
    """The program after each rewrite in turn; what a relation holds is what our evaluator says."""
    made = base
    for step in steps:
        found = evaluate(made)
        rows = sorted(found[step.rel], key=repr) if isinstance(step, rewritten.FactInline) else ()
        result = rewritten.apply(made, step, rows, is_local)
        assert result is not None, "a drawn rewrite was refused"
        made = result[0]
    return made


@pytest.mark.parametrize("is_local", [True, False], ids=["cq", "apg"])
def test_a_sequence_of_rewrites_does_what_its_oracle_says(dialect, is_local):
    seated = seats(dialect)
    seen = dict.fromkeys((EQU, CON, EXP), 0)
    changed = 0
    for number, base in enumerate(programs(dialect, 120)):
        macro, steps = propose.sequence(Draw(seed_for(number, "steps")), seated.lexicon, base, (), 20, is_local)
        before, after = evaluate(base)[base.output], evaluate(after_rewrites(base, steps, is_local))[base.output]
        assert {EQU: before == after, CON: after <= before, EXP: after >= before}[macro]
        seen[macro] += bool(steps)
        changed += before != after
    assert min(seen.values()) > 10, seen
    assert changed > 0, "rewrites that never change a result test nothing"


def test_a_rewritten_program_is_legal(dialect):
    seated = seats(dialect)
    rewrote = 0
    for number, base in enumerate(programs(dialect, 60)):
        _, steps = propose.sequence(Draw(seed_for(number, "steps")), seated.lexicon, base, (), 100, is_local=False)
        if steps:
            assert legal.meaning(after_rewrites(base, steps, is_local=False)) is not None
            rewrote += 1
    assert rewrote > 30


def test_every_rewrite_is_drawn():
    drawn = {
        type(step).__name__
        for scene, recipe, _ in itertools.chain(cases("souffle", "apg", 350), cases("souffle", "cq", 150))
        for step in recipe.steps
        if scene.rels
    }
    assert drawn == {
        "AddEqu", "AddCon", "ModExp", "ModEqu", "ModCon", "Rem", "NegEqu", "AddRelNode", "AddRelEdges", "AddSelfEdge",
        "FactInline", "AddRelEdge",
        "AddRule", "AddFact", "DelFact", "DelRelNode", "DelRelEdge", "DelRelEdges",
    }  # fmt: skip


def test_a_sequence_is_no_longer_than_asked_for():
    seated = seats("clingo")
    lengths = [
        len(propose.sequence(Draw(number), seated.lexicon, base, (), 3, is_local=True)[1])
        for number, base in enumerate(programs("clingo", 60))
    ]
    assert max(lengths) == 3


@pytest.mark.parametrize("name", ["cq", "apg"])
def test_a_dialect_is_only_told_what_it_has(dialect, name):
    """A rewrite must not bring in what was never drawn because the dialect has no word for it."""
    features = FAMILY.dialect(dialect).features
    negations = 0
    for scene, recipe, seated in cases(dialect, name, 80):
        for node in hold(registry.oracle("datalog", name), scene, recipe, seated).steps.values():
            denied = [n.atom.args for _, n in walk(node.rules) if isinstance(n, ir.Not)]
            wild = [[isinstance(a, ir.Wild) for a in args] for args in denied]
            assert "negated wildcard" in features or not any(map(any, wild))
            assert "negated all" in features or not any(map(all, wild))
            negations += len(denied)
    assert negations > 10


# --- cases ---


@pytest.mark.parametrize("name", ORACLES)
def test_a_recipe_is_read_back_as_it_was_written(dialect, name):
    oracle = registry.oracle("datalog", name)
    for scene, recipe, seated in cases(dialect, name, 40):
        assert msgspec.convert(msgspec.to_builtins(recipe), oracle.recipe_type) == recipe
        case = Case("datalog", name, scene, recipe, events.slim(seated.seats), "x")
        assert events.read_case(msgspec.json.decode(msgspec.json.encode(case))) == case


@pytest.mark.parametrize("name", ORACLES)
def test_a_conversation_is_pure(dialect, name):
    oracle = registry.oracle("datalog", name)
    asked = claims = 0
    for scene, recipe, seated in cases(dialect, name, 20):
        one, two = (hold(oracle, scene, recipe, seated) for _ in range(2))
        assert one.steps == two.steps and one.claims == two.claims
        asked, claims = asked + len(one.steps), claims + len(one.claims)
    assert asked >= 20 and claims >= 10, (asked, claims)


def test_every_seat_is_asked_the_same_by_differential():
    oracle = registry.oracle("datalog", "differential")
    seated = seats("clingo")
    for number, scene in drawn_scenes(seated, 20):
        recipe = oracle.draw(Draw(number), scene, seated)
        assert msgspec.convert(msgspec.to_builtins(recipe), oracle.recipe_type) == recipe
        assert hold(oracle, scene, recipe, seated).steps == {
            f"on {seated.seats[0].target}": ir.program(scene, recipe.question)
        }


# --- tidying and shrinking ---


@pytest.mark.parametrize("name", ["reference", "rules"])
def test_tidying_changes_names_only(dialect, name):
    compared = renamed = 0
    for scene, recipe, _ in cases(dialect, name, 60):
        before, after = ir.program(scene, recipe.rules), ir.program(*tidied(scene, recipe))
        found = tables(before)
        assert found is None or tables(after)[after.output] == found[before.output]
        compared += found is not None and bool(found[before.output])
        renamed += before != after
    assert compared > 30 and renamed > 30, (compared, renamed)


def tidied(scene, recipe):
    small, made = FAMILY.tidy(scene, recipe)
    return small, made.rules


def conversations(dialect, name, is_wanted):
    """A conversation and that of its tidied case, of sequences of rewrites that are wanted."""
    oracle = registry.oracle("datalog", name)
    for scene, recipe, seated in cases(dialect, name, 60):
        if recipe.steps and is_wanted(recipe.steps):
            yield hold(oracle, scene, recipe, seated), hold(oracle, *FAMILY.tidy(scene, recipe), seated)


@pytest.mark.parametrize("name", ["cq", "apg"])
def test_a_tidied_rewrite_is_the_same_rewrite(dialect, name):
    claims = 0
    for before, after in conversations(dialect, name, lambda steps: len(steps) == 1):
        assert [a.rows for a in after.answers.values()] == [a.rows for a in before.answers.values()]
        assert len(after.claims) == len(before.claims)
        claims += len(before.claims)
    assert claims >= 5


def lost_by_tidying(text, *steps):
    """Whether a sequence of rewrites makes a claim, and its tidied twin none."""
    oracle, seated = registry.oracle("datalog", "cq"), seats("souffle")
    scene, rules = read("a/2 b/1 p/1", "a(1, 2). a(3, 3). b(3). " + text)
    recipe = oracle.recipe_type(rules, CON, steps)
    assert hold(oracle, scene, recipe, seated).claims
    return not hold(oracle, *FAMILY.tidy(scene, recipe), seated).claims


def test_a_tidied_rewrite_finds_what_an_earlier_one_made():
    assert not lost_by_tidying(
        "p(v) :- a(v, w).", rewritten.ModEqu(1, ir.Var("w")), rewritten.ModCon(1, ir.Var("n0"), ir.Var("v"))
    )


def test_a_tidied_rewrite_finds_the_rule_that_a_negation_made():
    assert not lost_by_tidying("p(v) :- a(v, w), b(v).", rewritten.NegEqu(1, 2), rewritten.ModEqu(2, ir.Var("v")))


@pytest.mark.parametrize("name", ["cq", "apg"])
def test_a_tidied_sequence_is_the_same_sequence(dialect, name):
    claims = 0
    for before, after in conversations(
        dialect, name, lambda steps: len(steps) > 1 and not any(isinstance(s, rewritten.NegEqu) for s in steps)
    ):
        assert len(after.claims) == len(before.claims)
        claims += len(before.claims)
    assert claims >= 5


def test_tidied_names_are_short_and_differ():
    made = program(
        "zeta/2 gamma/2 delta/1 omega/1",
        "zeta(1, 2). gamma(x9, y9) :- zeta(x9, y9). delta(k) :- gamma(k, _). omega(q) :- delta(q), zeta(q, p).",
    )
    scene, recipe = FAMILY.tidy(ir.Scene(made.rels[:1], made.facts), ir.Rules(made.rels[1:], made.rules, made.output))
    text = FAMILY.dialect("souffle").text(ir.program(scene, recipe))
    assert text.splitlines()[-4:] == [
        "p(x, y) :- a(x, y).",
        "q(x) :- p(x, _).",
        "out(x) :- q(x), a(x, y).",
        ".output out",
    ]


@pytest.mark.parametrize("name", ORACLES)
def test_no_pass_of_the_reducer_raises(dialect, name):
    """Each pass may propose what is illegal, larger or of no use; the reducer asks for its size and whether it is
    legal, and goes on."""
    sized = judged = 0
    for scene, recipe, seated in cases(dialect, name, 5):
        case = Case("datalog", name, scene, recipe, seated.seats, "x")
        whole = (scene, recipe)
        generic = itertools.chain(passes.chunks(whole), passes.children(whole), passes.defaults(whole))
        for index, proposed in enumerate(itertools.chain(FAMILY.cuts(case), FAMILY.shrinks(case), generic)):
            size = FAMILY.size(*proposed)
            hash(proposed)
            sized += 1
            if index % 12 == 0 and size < FAMILY.size(*whole):
                FAMILY.is_legal(*proposed, seated)
                judged += 1
    assert sized > 250 and judged > 20, (sized, judged)


@pytest.mark.parametrize("name", ORACLES)
def test_a_smaller_legal_proposal_can_be_talked_about_and_spelled(dialect, name):
    oracle = registry.oracle("datalog", name)
    spelled = 0
    for scene, recipe, seated in cases(dialect, name, 3):
        case = Case("datalog", name, scene, recipe, seated.seats, "x")
        whole = FAMILY.size(scene, recipe)
        legal_ones = (p for p in FAMILY.shrinks(case) if FAMILY.size(*p) < whole and FAMILY.is_legal(*p, seated))
        for small in itertools.islice(legal_ones, 25):
            for node in hold(oracle, *small, seated).steps.values():
                assert FAMILY.dialect(dialect).text(node)
                spelled += 1
    assert spelled > 20


def test_the_reducers_passes_make_real_cases_smaller(dialect):
    shrunk = 0
    for scene, recipe, seated in cases(dialect, "reference", 20):
        case = Case("datalog", "reference", scene, recipe, seated.seats, "x")
        if recipe.rules.rules:
            assert any(FAMILY.size(*p) < FAMILY.size(scene, recipe) for p in FAMILY.shrinks(case))
            shrunk += 1
    assert shrunk > 10
