import random

import pytest

from gainsay.errors import UsageError
from gainsay.families.datalog.drawing import seeds
from gainsay.families.datalog.language import ir
from gainsay.families.datalog.language.dialects import DIALECTS
from gainsay.families.datalog.language.writer import Dialect


def only(text, dialect):
    return seeds.seed("a", text.encode(), DIALECTS[dialect])


def rels(found):
    return {r.name: r.types for r in found.rels}


# --- folders ---


def test_files_are_read_by_name_and_by_extension(tmp_path):
    (tmp_path / "deep").mkdir()
    for name in ("b.dl", "deep/a.dl", "a.dl", "notes.txt"):
        (tmp_path / name).write_text(".decl a(x:number)\n")
    assert [s.name for s in seeds.read(tmp_path, DIALECTS["souffle"])] == ["a.dl", "b.dl", "deep/a.dl"]
    assert [s.name for s in seeds.read(tmp_path, DIALECTS["cozo"])] == ["notes.txt"]
    assert [s.problem for s in seeds.read(tmp_path, DIALECTS["souffle"])] == ["", "", ""]


@pytest.mark.parametrize("make", [lambda p: p / "nowhere", lambda p: p / "file.dl", lambda p: p])
def test_a_folder_that_is_none_or_has_no_seeds_is_the_users_mistake(tmp_path, make):
    (tmp_path / "file.dl").write_text("")
    with pytest.raises(UsageError, match="Name a folder"):
        seeds.read(make(tmp_path), DIALECTS["clingo"])


def test_a_dialect_without_seeds_is_the_users_mistake(tmp_path):
    class Mine(Dialect):
        name = "mine"

    with pytest.raises(UsageError, match="no seeds in the dialect mine"):
        seeds.read(tmp_path, Mine())


def test_a_dialect_of_somebody_elses_has_seeds_where_it_says_how_they_are_read(tmp_path):
    class Mine(Dialect):
        name = "mine"
        seed_files = (".mine",)

        def seed(self, text):
            return text.upper(), [ir.Rel("a", ("any",))]

    (tmp_path / "a.mine").write_text("a(1).")
    assert seeds.read(tmp_path, Mine()) == [seeds.Seed("a.mine", "A(1).", (ir.Rel("a", ("any",)),), "")]


def test_a_file_that_is_not_text_says_so(tmp_path):
    (tmp_path / "a.lp").write_bytes(b"p(1).\xff\xfe")
    (found,) = seeds.read(tmp_path, DIALECTS["clingo"])
    assert found.problem == "It is not UTF-8 (byte 5)."
    assert found.rels == ()


def test_no_bytes_raise_anything():
    rng = random.Random(7)
    parts = [
        b".decl ",
        b".comp {",
        b"a(x:n)",
        b"?[a] := ",
        b"<- [[",
        b"%*",
        b'"',
        b"(",
        b")",
        b"{",
        b"declare-rel",
        b".",
        b"#",
        b":-",
        b"\xff",
        b"\n",
        b"|",
        b"[]",
    ]
    for dialect in DIALECTS.values():
        for _ in range(300):
            seeds.seed("a", b"".join(rng.choice(parts) for _ in range(rng.randint(0, 25))), dialect)


def test_a_seed_without_relations_is_a_problem():
    for dialect in DIALECTS:
        assert only("", dialect).problem == "It defines no relation that rules could build on."


# --- Soufflé ---

SOUFFLE = """
// .decl not_this(x:number)
.type Node <: Name
.type Name = symbol
.type Pair = [a:number, b:number]
.type Shape = Round {r:number} | Flat {}
edge("a.output b", "b").
.decl edge(x:Node, y:symbol) brie
.decl A, B(n:unsigned, p:Pair, s:Shape)
.decl hidden(x:number) inline
.decl flag()
.decl old(x:float) output
.comp C { .decl inner(x:number)
  .output inner }
.init c = C
.input A
.output edge, B(IO=file,
  filename="(x)")
.printsize edge .limitsize A(n=3)
A(n, p, s) :- B(n, p, s).
"""


def test_souffle_relations_are_listed_with_simple_types():
    found = only(SOUFFLE, "souffle")
    assert rels(found) == {
        "edge": ("symbol", "symbol"),
        "A": ("unsigned", "Pair", "Shape"),
        "B": ("unsigned", "Pair", "Shape"),
        "old": ("float",),
    }


def test_souffle_outputs_go_and_all_else_stays():
    text = only(SOUFFLE, "souffle").text
    code = text.replace("a.output b", "")
    assert "output" not in code and "printsize" not in code and "limitsize" not in code and "filename" not in code
    assert '"a.output b"' in text and ".input A" in text and "brie" in text and "inline" in text
    assert text.endswith("A(n, p, s) :- B(n, p, s).\n")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('#include "a.dl"', "preprocessor"),
        ("#define X 1", "preprocessor"),
        (".functor f(x:number):number", "functors"),
        (".comp A {", "closed"),
    ],
)
def test_souffle_programs_that_need_more_than_their_text_are_a_problem(line, problem):
    found = only(f".decl a(x:number)\n{line}\n", "souffle")
    assert problem in found.problem and found.text == ""


# --- Cozo ---


def test_cozo_queries_and_options_go():
    found = only(
        "r[a, b] <- [[1, '?[x] := y']] # c[d] := e\ns[] <- [[1, [2, 3], 'x']]\n?[a, count(b)] :=\n  r[a, b]\n"
        "t[x] := s[x, _, _]\n:limit 3\n",
        "cozo",
    )
    assert rels(found) == {"r": ("any", "any"), "s": ("any",) * 3, "t": ("any",)}
    assert (
        found.text == "r[a, b] <- [[1, '?[x] := y']] # c[d] := e\ns[] <- [[1, [2, 3], 'x']]\n\nt[x] := s[x, _, _]\n\n"
    )


@pytest.mark.parametrize(
    "line",
    [
        "?[a] := *r[a]",
        "?[a] := *r{a}",
        ":create r {a}",
        "::relations",
        ":put r {a}",
        "?[a] := a = $x",
        "{ ?[a] <- [[1]] }",
    ],
)
def test_cozo_scripts_with_stored_relations_or_parameters_are_a_problem(line):
    assert only(f"s[a] <- [[1]]\n{line}", "cozo").problem


# --- clingo ---


def test_clingo_relations_have_the_width_of_their_heads():
    found = only(
        "#const n = 3. p(1..n). q(1, 2; 3, 4). r(f(X, Y)) :- q(X, Y), not p(X). % s(1).\nt. u(1). u(1, 2).\n"
        "#show p/1.\n#show X : p(X).",
        "clingo",
    )
    assert rels(found) == {"p": ("any",), "q": ("any", "any"), "r": ("any",)}
    assert "#show" not in found.text and "#const n = 3." in found.text


@pytest.mark.parametrize(
    "line",
    [
        "{ q(X) } :- p(X).",
        "1 { q(1) ; q(2) } 1.",
        "q(1) ; q(2).",
        "q(1) | q(2).",
        ":~ p(X). [X]",
        ":- p(X).",
        "#minimize { X : p(X) }.",
        "q(1)",
    ],
)
def test_clingo_programs_with_more_or_less_than_one_answer_are_a_problem(line):
    assert only(f"p(1).\n{line}", "clingo").problem


# --- Nemo ---


def test_nemo_heads_are_listed_and_outputs_go():
    found = only(
        '@prefix ex: <http://a.b/c#> .\nedge(1, 2.5) . s("x.") .\npath(?x, ?y), q(?x) :- edge(?x, ?y), ?x < 3.0 .\n'
        '@output path .\n@export q :- csv{resource="q.csv"} .\n',
        "nemo",
    )
    assert rels(found) == {"edge": ("any", "any"), "s": ("any",), "path": ("any", "any"), "q": ("any",)}
    assert "@output" not in found.text and "@export" not in found.text and "http://a.b/c#" in found.text


@pytest.mark.parametrize("line", ['@import p :- csv{resource="p.csv"} .', "p(?x, !v) :- q(?x) ."])
def test_nemo_programs_that_import_or_invent_are_a_problem(line):
    assert only(f"q(1) .\n{line}", "nemo").problem


# --- muZ ---


def test_muz_relations_over_six_bits_are_listed():
    text = (
        "(set-logic HORN) ; (declare-rel no ((_ BitVec 6)))\n(declare-rel a ((_ BitVec 6) (_ BitVec 6)))\n"
        "(declare-rel b (Int))\n(declare-rel c ())\n(rule (a #b000001 #b000010))\n(query a :print-answer true)\n"
        "(check-sat)\n"
    )
    found = only(text, "muz")
    assert found.rels == (ir.Rel("a", ("number", "number")),)
    assert "query" not in found.text and "check-sat" not in found.text and "(rule (a" in found.text
