import random

import pytest

from gainsay.core.tree import walk
from gainsay.families.datalog.language import dialects, ir, parse
from gainsay.families.datalog.meaning import legal


def read(text):
    scene, questions = parse.known([], text)
    assert all(isinstance(q, ir.Rules) for q in questions), "it was not read"
    return scene, questions[0]


def answer(text):
    """What the program that was read means."""
    scene, rules = read(text)
    tables = legal.meaning(ir.program(scene, rules), ())
    return tables and tables[rules.output]


def again(text, dialect):
    """The program that was read, in its dialect's words."""
    scene, rules = read(text)
    return dialects.find(dialect).text(ir.program(scene, rules))


def is_raw(text):
    return parse.known([], text) == (ir.Scene(()), [ir.RawProgram(text)])


# --- known bugs ---

KNOWN = {
    "cozo-101": ("x[B] := B = 2\nx[B] := B = 1, x[_]\n?[A, C] := x[C], x[A]", {(1, 1), (1, 2), (2, 1), (2, 2)}),
    "cozo-122": (
        "phve[A, B] <- [[-0.0, null], [0.0, null]]\nxukw[A, B] := phve[A, B], ge(A, 0)\nnwku[F] := phve[_, F]\n"
        "ssie[F, C] := nwku[C], xukw[F, C]\n?[A, B] := ssie[A, B]",
        {(0.0, None)},
    ),
    "cozo-113": (
        'itwn[] <- [["a", 1]]\nbzwp[B] := itwn[B, A], str_includes(trim_start(B), "a")\natwm[B] := bzwp[B]\n'
        "vdbx[A] := itwn[C, A]\nqzjb[I, F] := atwm[F], itwn[F, I]\naqms[A, A] := vdbx[B], qzjb[A, B]\n"
        "?[A, B] := aqms[A, B]",
        set(),
    ),
    "muz-4870": (
        "Z 64 / in1(49). in1(10). in2(25,10). in2(16,13). in2(24,22). / R(V,M) :- in2(V,M), in1(M). / out(f) :- "
        "R(f,c), R(f,a), R(f,b).",
        {(25,)},
    ),
    "muz-6446": (
        "Z 128 / jrkr(80,80). jrkr(29,29). jrkr(4,4). mxsr(1). qjfp(1). rtkv(1). / ebbj(A) :- mxsr(A), 43 != A. / "
        "oxyx(C) :- qjfp(C), 76 != C. / iypi(A) :- rtkv(A), 77 < A. / fvof(E) :- jrkr(D, E), 8 != E, 71 < D.",
        {(8,)},  # 80 is the ninth of its constants
    ),
    "souffle-2337": (
        ".decl a(A:number)\n.decl b(A:number) inline\n.decl c(A:number) no_magic\n.output c\na(-1). a(1). a(2).\n"
        "b(A) :- a(A), a(-A).\nc(A) :- b(A).",
        {(-1,), (1,)},
    ),
    "souffle-2327": (
        ".decl a(c:unsigned)\n.decl d(b:unsigned, c:unsigned) magic eqrel\n.decl bxax(e:unsigned)\na(8). a(4).\n"
        "d(f+4, f) :- a(f).\nbxax(c) :- d(c, e), a(c).\n.output bxax",
        {(4,), (8,)},
    ),
}


@pytest.mark.parametrize("bug", KNOWN)
def test_a_known_bug_is_read_and_means_what_was_expected(bug):
    assert answer(KNOWN[bug][0]) == KNOWN[bug][1]


def test_souffle_2375_is_read_though_minus_zero_has_no_one_meaning():
    text = (
        '.decl yona(A:symbol, C:float)\n.decl idck(B:float) magic\n.decl zsjo(A:float)\nyona("x", 0).\n'
        "idck(A) :- yona(D, A).\nzsjo(D) :- idck(D), idck(min(-D,D)).\n.output zsjo"
    )
    assert "idck(min((-D), D))" in again(text, "souffle")
    assert answer(text) is None


def test_cozo_122_keeps_the_whole_number_that_makes_it_wrong():
    assert "A >= 0\n" in again(KNOWN["cozo-122"][0], "cozo")


@pytest.mark.parametrize(
    "text", ["rpnt[K] := K = 5 % 0\n?[a] := rpnt[a]", "any .dl file", "", "Z 64 /", "?[a] := " + "(" * 3000, "SELECT 1"]
)
def test_what_can_not_be_read_stays_text(text):
    assert is_raw(text)


def test_no_text_raises_anything():
    rng = random.Random(3)
    for _ in range(1500):
        letters = list(rng.choice([text for text, _ in KNOWN.values()]))
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(letters) + 1)
            letters[at : at + rng.randint(0, 3)] = rng.choice(
                ["", "(", ")", "[", '"', ",", ".", ":-", "-", "!", "0", "\x00", "x", "{", ":="]
            )
        parse.known([], "".join(letters))


# --- Soufflé ---


def test_facts_are_the_scenes_and_rules_the_questions():
    scene, rules = read(".decl a,b(x:number)\na(1). b(2). // a(3).\nb(x)\n  :- a(x),\n     x < 2.\n.output b, a")
    assert [r.name for r in scene.rels] == ["a"] and [r.name for r in rules.rels] == ["b"]
    assert scene.facts == (ir.Fact("a", (1,)), ir.Fact("b", (2,)))
    assert rules.rules == (
        ir.Rule(
            1,
            ir.Atom("b", (ir.Var("x"),)),
            (ir.Atom("a", (ir.Var("x"),), 1), ir.Compare("<", ir.Var("x"), ir.Const(2))),
        ),
    )


def test_every_output_is_a_question():
    _, questions = parse.known([".decl a,b(x:number)"], "a(1). b(x) :- a(x).\n.output b, a()")
    assert [q.output for q in questions] == ["b", "a"]


def test_rules_and_positive_atoms_have_keys_of_their_own():
    _, rules = read(
        ".decl a(x:number)\n.decl b(x:number)\na(1).\nb(x) :- a(x), a(x), !a(2).\n"
        "b(x), b(y) :- a(x), (a(y) ; a(y), y > 0).\n.output b"
    )
    assert [r.key for r in rules.rules] == [1, 2, 3]
    keys = [[n.key for _, n in walk(r.body) if isinstance(n, ir.Atom)] for r in rules.rules]
    assert keys == [[1, 2, 0], [1, 2, 3], [1, 2, 3]]


@pytest.mark.parametrize(
    ("kind", "term", "made"),
    [
        ("number", "x + 1 * 2", "(x + (1 * 2))"),
        ("float", "-x + 1", "((-x) + 1.0)"),
        ("unsigned", "max(x, 2, 3) bor x", "(max(max(x, 2), 3) bor x)"),
        ("symbol", 'cat(x, substr(x, 0, 1), "!")', 'cat(cat(x, substr(x, 0, 1)), "!")'),
        ("symbol", "to_string(strlen(x) - -1)", "to_string((strlen(x) - -1))"),
    ],
)
def test_functors_get_the_types_of_their_arguments(kind, term, made):
    text = f".decl a(x:{kind})\n.decl b(x:{kind})\nb({term}) :- a(x).\n.output b"
    assert f"b({made}) :- a(x)." in again(text, "souffle")


def test_a_variable_gets_its_type_from_what_it_is_computed_from():
    _, rules = read(".decl a(x:float)\n.decl b(x:float)\nb(z) :- z = y * 2, y = x + 1, a(x).\n.output b")
    assert [n.fn for _, n in walk(rules.rules) if isinstance(n, ir.Call)] == ["mul:float", "add:float"]


def test_numbers_in_float_columns_are_floats():
    scene, _ = read(".decl a(x:float, y:number)\na(1, 0x10).\n.output a")
    assert repr(scene.facts[0].values) == "(1.0, 16)"


def test_aggregates_are_read_wherever_they_stand():
    text = ".decl a(x:number, y:number)\n.decl b(x:number, y:number)\na(1, 2). a(1, 3). a(2, 5).\n"
    assert answer(text + "b(x, n) :- a(x, _), n = sum y : { a(x, y) }.\n.output b") == {(1, 5), (2, 5)}
    assert answer(text + "b(x, 1) :- a(x, _), 1 < count : { a(x, y) }.\n.output b") == {(1, 1)}
    assert answer(text + "b(0, max x + y : { a(x, y) }).\n.output b") == {(0, 7)}


def test_declarations_keep_types_marks_choices_and_plans():
    text = """.pragma "magic-transform" "*"
.type Id <: Base
.type Base <: number
.type Pair = [l:Id, r:symbol]
.decl a(x:Id, p:Pair) btree choice-domain x, (x, p)
.decl b(x:number) no_inline
a(1, ["x"]) :- b(_).
"""
    assert is_raw(text + ".output a"), "a record with a field too few"
    rest = 'a(1, [2, "x"]).\nb(x) :- a(x, [_, "x"]).\nb(x) :- b(y), b(x), x = y. .plan 0:(1,2), 1:(2,1)\n.output b'
    scene, rules = read(text.replace('a(1, ["x"]) :- b(_).\n', "") + rest)
    assert scene.types == (
        ir.TypeDef("Id", "number"),
        ir.TypeDef("Base", "number"),
        ir.TypeDef("Pair", "", ("Id", "symbol")),
    )
    assert scene.rels == (ir.Rel("a", ("Id", "Pair"), ("btree",), ((0,), (0, 1))),)
    assert scene.facts == (ir.Fact("a", (1, (2, "x"))),)
    assert rules.rels[0].marks == ("no_inline",) and rules.rules[1].plan == ((1, 2), (2, 1))
    assert rules.pragmas == ('"magic-transform" "*"',)


def test_subsumption_leaves_what_is_not_dominated():
    text = (
        ".decl a(x:number)\n.decl b(x:number) btree_delete\na(1). a(2).\nb(x) :- a(x).\nb(x) <= b(y) :- x < y.\n"
        ".output b"
    )
    assert answer(text) == {(2,)}
    assert again(text, "souffle").count("btree_delete") == 1


def test_tests_and_their_opposites_are_read():
    text = '.decl a(x:symbol)\n.decl b(x:symbol)\na("ab"). a("c").\n'
    assert answer(text + 'b(x) :- a(x), contains("a", x).\n.output b') == {("ab",)}
    assert answer(text + 'b(x) :- a(x), !contains("a", x).\n.output b') == {("c",)}
    assert is_raw(text + 'b(x) :- a(x), match("a.*", x).\n.output b'), "patterns mean more than we know"


@pytest.mark.parametrize(
    "line",
    [
        ".input a",
        ".comp C { }",
        '#include "b.dl"',
        "a(x) :- x = range(1, 3).",
        "a(mean x : { a(x) }).",
        'a("x\\n").',
        "a(y) :- a(x), _ = x.",
        "c(1).",
        "a(1, 2).",
    ],
)
def test_souffle_programs_beyond_us_stay_text(line):
    assert is_raw(f".decl a(x:number)\na(1).\n.output a\n{line}\n")


# --- Cozo ---


def test_a_query_that_is_more_than_a_relation_becomes_one():
    scene, rules = read("r[a, b] <- [[1, 'x'], [2, 'y']]\n?[b, a] := r[a, b], a > 1\n?[b, a] := r[a, b], b == 'x'")
    assert rules.output == "out" and rules.rels == (ir.Rel("out", ("symbol", "number")),)
    assert legal.meaning(ir.program(scene, rules), ())["out"] == {("x", 1), ("y", 2)}


def test_a_query_that_passes_a_relation_on_asks_for_it():
    _, rules = read("r[a] <- [[1]]\ns[a] := r[a]\n?[x] := s[x]")
    assert rules.output == "s" and len(rules.rules) == 1


def test_columns_without_types_get_those_of_their_values():
    scene, rules = read(
        "r[a, b, c, d] <- [[1, 1.5, 'x', null], [2, 0.5, 'y', 3]]\n"
        "s[a, b, c, d, e] := r[a, b, c, d], e = length(c) + 1\n?[a, b, c, d, e] := s[a, b, c, d, e]"
    )
    assert scene.rels[0].types == ("number", "float", "symbol", "any")
    assert rules.rels[0].types == ("number", "float", "symbol", "any", "number")


def test_cozo_words_and_signs_are_the_same_to_us():
    text = (
        "r[a, b] <- [[1, 'x'], [3, 'xy']]\n?[c, d] := r[a, b], neq(a, 2), c = {}, d = {}, (c > 3 or not r[a, 'x'], "
        "a < 9)"
    )
    assert (
        answer(text.format("add(a, 1, 1)", "concat(b, b)"))
        == answer(text.format("a + 1 + 1", "b ++ b"))
        == {(5, "xyxy")}
    )


def test_head_aggregates_group():
    text = "r[a, b] <- [[1, 2], [1, 3], [2, 5]]\n?[a, count(b), sum(b), max(b)] := r[a, b]"
    assert answer(text) == {(1, 2, 5.0, 3), (2, 1, 5.0, 5)}
    assert read(text)[1].rels[0].types == ("number", "number", "float", "number")


@pytest.mark.parametrize(
    "line",
    [
        "?[a] := *s[a]",
        "?[a] := r[a] :limit 1",
        "?[mean(a)] := r[a]",
        "?[a] <~ F(r[])",
        "?[a] := a in [1]",
        "?[a] <- [[true]]",
        "?[a] := r[a, b]",
    ],
)
def test_cozo_programs_beyond_us_stay_text(line):
    assert is_raw(f"r[a] <- [[1]]\n{line}")
