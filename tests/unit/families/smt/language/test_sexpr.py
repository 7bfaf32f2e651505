"""S-expressions and sorts: text in, tuples out, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainsay.families.smt.language import sorts
from gainsay.families.smt.language.sexpr import SmtError, parse, parse_one, show

ATOMS = st.one_of(
    st.from_regex(r"[a-z<=>+-][a-z0-9.!-]{0,5}", fullmatch=True),
    st.from_regex(r"[0-9]{1,3}(\.[0-9])?|#b[01]{1,4}|:[a-z]{1,4}", fullmatch=True),
    st.text(alphabet='ab ();|\n"', max_size=6).map(lambda s: '"' + s.replace('"', '""') + '"'),
    st.text(alphabet='ab ();"\n', min_size=1, max_size=6).map(lambda s: f"|{s} |"),
)


@given(st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=30))
def test_what_is_shown_is_read_again(expr):
    assert parse_one(show(expr)) == expr


def test_comments_strings_and_quoted_symbols_are_tokens():
    text = '; a ( comment\n(echo "a ""b"" ; ) |" |x| |a b| |let| #xff) ; end'
    assert parse(text) == [("echo", '"a ""b"" ; ) |"', "x", "|a b|", "|let|", "#xff")]


def test_deep_nesting_is_no_trouble():
    depth = 50_000
    assert len(show(parse_one("(" * depth + "x" + ")" * depth))) == 2 * depth + 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(a)\n(b\n(c)", "line 2: what begins with ( never ends"),
        ("(a)\n)", "line 2: there is a ) too many"),
        ('\n\n(a "b)', 'line 3: what begins with " never ends'),
        ("(a |b)", "line 1: what begins with | never ends"),
    ],
)
def test_unbalanced_text_is_refused_with_its_line(text, message):
    with pytest.raises(SmtError) as error:
        parse(text)
    assert str(error.value) == message


def test_sorts_are_taken_apart():
    assert sorts.width("(_ BitVec 12)") == 12
    assert sorts.float_of("(_ FloatingPoint 8 24)") == (8, 24)
    assert sorts.array_of("(Array (_ BitVec 4) (Array Int Bool))") == ("(_ BitVec 4)", "(Array Int Bool)")
    for function in (sorts.width, sorts.float_of, sorts.array_of):
        with pytest.raises(SmtError):
            function("Int")


def test_defined_sorts_and_short_names_are_spelled_out():
    table = sorts.SortTable()
    table.declared["U"] = 0
    table.defined["Pair"] = ("T",), ("Array", "T", "T")
    assert (
        table.read(("Pair", ("Array", "U", "Float32")))
        == "(Array (Array U (_ FloatingPoint 8 24)) (Array U (_ FloatingPoint 8 24)))"
    )
    for text in ("V", "(U Int)", "(_ BitVec 0)", "(_ BitVec x)", "()", "((a) b)", "(Pair)"):
        with pytest.raises(SmtError):
            table.read(parse_one(text))
