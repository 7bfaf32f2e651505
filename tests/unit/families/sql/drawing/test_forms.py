"""A query in another form: its rows are those that our evaluator gives for it, and a real engine too."""

import sqlite3
from collections import Counter

import pytest

from gainsay.core.draw import Draw, seed_for
from gainsay.families.sql.drawing import forms, meant, queries, scenes
from gainsay.families.sql.drawing.forms import Form
from gainsay.families.sql.language import dialects, parse
from gainsay.families.sql.meaning.scene_cache import told

SETUP = ("CREATE TABLE t0(c0, c1)", "INSERT INTO t0(c0, c1) VALUES (1, NULL), (NULL, 2), (3, 3)")
SQLITE = dialects.find("sqlite")


QUERIES = ("SELECT t0.c0, t0.c1 FROM t0", "SELECT t0.c0 FROM t0 UNION SELECT 5 ORDER BY 1 LIMIT 3")


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("form", [Form(kind, column) for kind in dict.fromkeys(forms.KINDS) for column in (0, 1)])
def test_an_engine_gives_the_rows_that_follow(query, form):
    found = parse.known(SETUP, query, SQLITE)
    db = sqlite3.connect(":memory:")
    for text in SETUP:
        db.execute(text)
    asked = forms.said(found.questions[0], form)
    wanted = forms.rows(told(found.scene, found.questions[0], SQLITE, {}), form)
    assert Counter(db.execute(SQLITE.text(asked))) == Counter(wanted) == Counter(told(found.scene, asked, SQLITE, {}))


def test_our_evaluator_gives_the_rows_that_follow(stage_of):
    seats, compared = stage_of("sqlite", "reference").seats, Counter()
    lexicon = meant.lexicon(seats)
    for number in range(25):
        scene = scenes.grow(Draw(seed_for(1, "sql", "forms", number)), seats.lexicon)
        known, draw = lexicon.relations(scene), Draw(number)
        cache = lexicon.scene_cache(scene)
        for _ in range(20 if known else 0):
            query = queries.query(draw, lexicon, known, True)
            rows = cache.rows(query)
            for form in forms.drawn(draw, lexicon, query) if rows is not None else ():
                again = cache.rows(forms.said(query, form))
                if again is not None:
                    assert Counter(map(repr, again)) == Counter(map(repr, forms.rows(rows, form)))
                    compared[form.kind] += 1
    assert all(compared[kind] > 20 for kind in forms.KINDS), compared
