"""The oracle `writes`: a statement is asked in a transaction that is taken back; what it tells and leaves is judged."""

import apsw

from gainsay.core.answer import Refused, Rows
from gainsay.core.claim import CONTRADICTED, HOLDS
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seat, Seats, Target
from gainsay.core.talk import Judged, held
from gainsay.families.sql.language import dialects, ir
from gainsay.families.sql.reducing import size
from gainsay.oracles.sql_writes import Recipe, Writes
from sql_cases import ONE, ZERO, insert, lexicon, op, table

SEATS = Seats((Seat(0, Target("apsw"), "3.54.1", "sqlite"),))
SCENE = ir.Scene((table("t0", "c0", "c1"), insert("t0", "c0 c1", (ONE, ZERO), (ZERO, ONE))))
SEVEN = ir.Lit("int", "7")
CHANGE = ir.Update("t0", (ir.Assign("c0", SEVEN),), op("=", ir.Col("", "c0"), ONE))
TOLD = (ir.Col("", "c1"), ir.Col("", "c0"))


def said(recipe, fault=None):
    """What is asked of a real SQLite, and what each claim is called and found. `fault` changes the text of the
    statement."""
    database, asked, verdicts = apsw.Connection(":memory:"), [], []
    for statement in SCENE.statements:
        database.execute(dialects.find("sqlite").text(statement))

    def answer(step):
        asked.append(dialects.find("sqlite").text(step.node))
        text = fault(asked[-1]) if fault and step.label == "statement" else asked[-1]
        try:
            return Rows(list(database.execute(text)))
        except apsw.Error as error:
            return Refused("error", str(error))

    for each in held(Writes().converse(SCENE, recipe, SEATS), answer):
        if isinstance(each, Judged):
            verdicts.append((each.claim.label, each.verdict))
    left = list(database.execute("SELECT c0, c1 FROM t0"))
    assert not recipe.is_undone or left == [(1, 0), (0, 1)], "all is taken back"
    return asked, verdicts


def test_a_statement_is_asked_and_taken_back():
    asked, verdicts = said(Recipe(CHANGE, TOLD, is_undone=True))
    assert asked == [
        "SELECT t0.c0, t0.c1 FROM t0",
        "BEGIN",
        "UPDATE t0 SET c0 = 7 WHERE c0 = 1 RETURNING c1, c0",
        "SELECT t0.c0, t0.c1 FROM t0",
        "ROLLBACK",
    ]
    assert verdicts == [("returned", HOLDS), ("left behind", HOLDS)]


def test_a_reduced_case_needs_no_transaction():
    """What is drawn is larger by it, so that a reducer leaves it out, and a script is the statement alone."""
    change = "UPDATE t0 SET c0 = 7 WHERE c0 = 1"
    asked, verdicts = said(Recipe(CHANGE, TOLD))
    assert asked == [f"{change} RETURNING c1, c0"] and verdicts == [("returned", HOLDS)]
    asked, verdicts = said(Recipe(CHANGE))
    assert asked == [change, "SELECT t0.c0, t0.c1 FROM t0"] and verdicts == [("left behind", HOLDS)]
    assert size.size(SCENE, Recipe(CHANGE)) < size.size(SCENE, Recipe(CHANGE, is_undone=True))


def test_a_wrong_write_and_a_wrong_telling_are_told_apart():
    drawn = Recipe(CHANGE, TOLD, is_undone=True)
    for recipe in (Recipe(CHANGE), Recipe(CHANGE, is_undone=True)):
        assert said(recipe, lambda text: text.replace("7", "8"))[1] == [("left behind", CONTRADICTED)]
    told = said(drawn, lambda text: text.replace("RETURNING c1, c0", "RETURNING c0, c1"))[1]
    assert told[0] == ("returned", CONTRADICTED)


def test_nothing_is_claimed_of_what_is_refused_or_open():
    assert said(Recipe(CHANGE, TOLD), lambda text: "nonsense")[1] == []
    wide = ir.Update("t0", (ir.Assign("c0", ir.Col("u0", "c0")),), None, (ir.Join("t0", alias="u0"),))
    assert said(Recipe(wide)) == ([], [])
    gone = ir.Update("t0", (ir.Assign("c9", ONE),))
    assert said(Recipe(gone)) == ([], [])


def test_statements_of_every_kind_are_drawn():
    seats = Seats(SEATS.seats)
    seats.lexicon = lexicon()
    keyed = ir.CreateTable("t0", (ir.Column("c0", "INT", unique=True), ir.Column("c1")))
    scene = ir.Scene((keyed, *SCENE.statements[1:]))
    drawn = [Writes().draw(Draw(seed_for("writes", n)), scene, seats) for n in range(300)]
    found = [recipe for recipe in drawn if recipe is not None]
    verbs = {getattr(recipe.statement, "verb", "DELETE") for recipe in found}
    assert {"INSERT", "INSERT OR IGNORE", "UPDATE", "UPDATE OR REPLACE", "DELETE"} <= verbs
    assert any(isinstance(r.statement, ir.Update) and r.statement.source for r in found)
    assert any(isinstance(r.statement, ir.Insert) and r.statement.upsert for r in found)
    assert all(r.is_undone for r in found)
    assert any(r.items for r in found) and not all(r.items for r in found)


def test_nothing_is_claimed_where_the_table_was_wrong_before():
    verdicts = []

    def answer(step):
        return Rows([(9, 9)]) if step.label in ("before", "table") else Rows([])

    for each in held(Writes().converse(SCENE, Recipe(CHANGE, TOLD, is_undone=True), SEATS), answer):
        verdicts += [each] if isinstance(each, Judged) else []
    assert not verdicts


def test_a_title_names_the_statement_and_a_shape_does_not():
    """UPDATE and INSERT are often wrong in the same way, but a reader wants to know which it was."""
    moved = ir.Update("t0", (ir.Assign("c0", SEVEN),), None, (ir.Join("t0", alias="u0"),))
    for statement, word in ((CHANGE, "update"), (moved, "update from"), (ir.Delete("t0"), "delete")):
        recipe = Recipe(statement, TOLD)
        assert recipe.features == {"returning"} and recipe.title_words == {word}
