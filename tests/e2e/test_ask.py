"""`gainsay ask` and `gainsay reduce --case`: a user's own statements."""

import json

import pytest

REAL = """CREATE TABLE t0(c0, c1 REAL GENERATED ALWAYS AS (c0));
CREATE TABLE t1(a INTEGER, b TEXT);
INSERT INTO t1 VALUES (1, 'x'), (2, 'y');
INSERT INTO t0(c0) VALUES (0), (1);
CREATE INDEX i ON t1(a);
SELECT a1.c1, t1.a FROM t0 CROSS JOIN t0 AS a1 JOIN t1 ON t1.a > 0 ORDER BY a1.c0;
"""
LIKE = "CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('a'), (NULL); SELECT a LIKE 'A' FROM t WHERE a IS NOT NULL"


def test_answers_stand_beside_ours_with_the_facts_that_make_the_difference(gainsay):
    result = gainsay("ask", LIKE, "--on", "apsw", "--on", "duckdb")
    assert result.code == 0, result.out + result.err
    assert "our semantics, as apsw" in result.out and "our semantics, as duckdb" in result.out
    assert "like-case: insensitive (apsw), sensitive (duckdb)" in result.out


def test_json_has_the_rows_of_both_sides(gainsay):
    (asked,) = gainsay("ask", LIKE, "--on", "apsw", "--json").json
    assert asked["answers"][0]["rows"] == asked["answers"][0]["ours"] == [["1"]]
    assert asked["answers"][0]["agrees"] is True


def test_a_scene_comes_from_a_file(gainsay, tmp_path):
    (tmp_path / "scene.sql").write_text("CREATE TABLE t(a); INSERT INTO t VALUES (7)")
    result = gainsay("ask", "SELECT a FROM t", "--scene", "scene.sql", "--on", "apsw")
    assert "(7)" in result.out and result.code == 0


@pytest.mark.parametrize(
    ("target", "text", "answer"),
    [
        ("kuzu", "RETURN 1 + 1 AS x", "(2)"),
        ("graphqlite", "CREATE (a:A {k: 1}); MATCH (a:A) RETURN a.k", "(1)"),
        ("z3", "(declare-const x Int) (assert (> x 2)) (check-sat)", "sat"),
        ("clingo", ".decl a(x:number)\n.decl b(x:number)\n.output b\na(1). a(2).\nb(x) :- a(x), x > 1.", "2"),
    ],
)
def test_every_family_can_be_asked(target, text, answer, gainsay):
    result = gainsay("ask", text, "--on", target, "--json")
    assert result.code == 0, result.out + result.err
    (said,) = result.json[0]["answers"]
    assert answer in str(said["rows"]) or said["rows"] == [[answer.strip("()")]], said
    assert said["ours"] in (None, said["rows"])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("ask", "SELECT 1"), "Name a target"),
        (("ask", "ATTACH 'x' AS y; SELECT 1", "--on", "apsw"), "'ATTACH' is not sent"),
        (("ask", "SELECT load_extension('x')", "--on", "apsw"), "'load_extension' is not sent"),
        (("ask", "SELECT 1", "--on", "apsw", "--on", "z3"), "different languages"),
        (("ask", "SELECT 1", "--on", "apsw", "--scene", "gone.sql"), "can't be read"),
        (("ask", "CREATE TABLE t(a)", "--on", "apsw"), "no question"),
        (("ask", "SELECT 'unfinished", "--on", "apsw"), "looked through"),
        (("reduce",), "Name a finding"),
        (("reduce", "--case", "gone.sql", "--on", "apsw"), "can't be read"),
        (("reduce", "--case", "case.sql"), "Name the target"),
        (("reduce", "--case", "case.sql", "--on", "apsw", "--expect", "crsh"), "crash"),
        (("reduce", "--case", "case.sql", "--on", "apsw", "--expect", "differential"), "two of them"),
        (("reduce", "--case", "files.sql", "--on", "apsw"), "is not sent"),
    ],
)
def test_a_wrong_move_is_told(words, told, gainsay, tmp_path):
    (tmp_path / "case.sql").write_text(REAL)
    (tmp_path / "files.sql").write_text("COPY t TO 'x'; SELECT 1")
    result = gainsay(*words)
    assert (result.code, told in result.err, "Traceback" in result.err) == (2, True, False), result.err


def test_what_an_engine_refuses_is_said_in_its_place(gainsay):
    result = gainsay("ask", "SELECT nothing_like_this(1)", "--on", "apsw")
    assert result.code == 2 and "refused" in result.out and "nothing_like_this" in result.out.lower()
    other = gainsay("ask", "SELECT ~1, printf('%d', 1)", "--on", "apsw")
    assert other.code == 0 and "PRINTF()" in other.out


def test_a_join_that_is_too_large_is_said_and_not_worked_out(gainsay):
    rows = ", ".join(f"({n})" for n in range(60))
    text = f"CREATE TABLE t(a); INSERT INTO t VALUES {rows}; SELECT COUNT(*) FROM t, t AS u, t AS v"
    result = gainsay("ask", text, "--on", "apsw")
    assert result.code == 0 and "too large" in result.out and "(216000)" in result.out


def test_a_users_script_is_reduced_and_kept_as_a_finding(gainsay, tmp_path):
    (tmp_path / "case.sql").write_text(REAL)
    result = gainsay("reduce", "--case", "case.sql", "--on", "sqlite@3.46.1", "--out", "smaller")
    assert result.code == 1, result.out + result.err
    assert "ORDER BY" in result.out and "t1" not in result.out.split("statements before")[0]
    (listed,) = gainsay("findings", "smaller", "--json").json
    assert listed["oracle"] == "reference" and listed["proof"] == "", "its reproducer was run, and shows it"
    assert gainsay("replay", listed["id"], "smaller").code == 1
    case = json.loads((tmp_path / "smaller/findings" / listed["id"] / "finding.json").read_text())
    assert len(case["setup"]) == 2


def test_a_script_with_nothing_wrong_is_told_so(gainsay, tmp_path):
    (tmp_path / "fine.sql").write_text("CREATE TABLE t(a); INSERT INTO t VALUES (1); SELECT a FROM t WHERE a > 0")
    result = gainsay("reduce", "--case", "fine.sql", "--on", "apsw")
    assert result.code == 0 and "No oracle sees anything wrong" in result.out
    assert not (tmp_path / "gainsay-out").exists()
