"""What triage must know of a family or an engine is a hook of its port, and nothing of it stands in triage."""

import pytest

from gainsay.campaign.reasons import words_of
from gainsay.core import registry
from gainsay.families.sql.language import ir
from gainsay.triage import passes


@pytest.mark.parametrize("size", range(1, 9))
def test_dropping_elements_never_empties_a_tuple_of_any_family(size):
    query = (ir.Select(tuple(ir.Lit("int", str(n)) for n in range(size))),)
    assert all(smaller.items for (smaller,) in passes.chunks(query))


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ("kuzu", "Lambda paramName {} cannot found."),
        ("falkordb", "Unable to locate a value with alias [{}] within the record"),
        ("graphqlite", "no such column: {}"),
    ],
)
def test_the_name_behind_a_mark_of_the_engine_is_no_part_of_the_bug(engine, said):
    marks = registry.engine(engine).name_marks
    assert words_of(said.format("x"), marks) == words_of(said.format("n12.k"), marks)
    assert words_of(said.format("r._ID"), marks) == words_of(said.format("n12.k"), marks), "it is the question's r"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("no such column: n_8.id", "no such column: _gql_default_alias_1.id"),
        ("no such column: _with_0.n1.id", "no such column: n_3.id"),
        ('near "AND": syntax error', 'near "FROM": syntax error'),
        ('near ".": syntax error', 'near ")": syntax error'),
    ],
)
def test_what_an_engine_itself_calls_something_is_a_part_of_the_bug(one, two):
    marks = registry.engine("graphqlite").name_marks
    assert words_of(one, marks) != words_of(two, marks)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("no such column: n_8.id", "no such column: n_11.k"),
        ("no such column: _with_0.n1.id", "no such column: _with_2.m.b2"),
        ('near "x7": syntax error', 'near "abc": syntax error'),
    ],
)
def test_numbers_and_names_of_the_question_are_none(one, two):
    marks = registry.engine("graphqlite").name_marks
    assert words_of(one, marks) == words_of(two, marks)


def test_an_engine_without_marks_is_taken_at_its_word():
    assert words_of("column: x", registry.engine("duckdb").name_marks) != words_of("column: y")
    assert words_of("the 1st of 3 at 0xff in 'x'") == words_of("the 2nd of 4 at 0xfe in 'y'")


@pytest.mark.parametrize(
    ("detail", "words"),
    [
        ("\nbroken at line 17", "broken at line _"),
        ("SIGSEGV\nmore of it", "SIGSEGV"),
        ("no 'a' in \"b\" at 0x7f3a", "no _ in _ at _"),
        ("the 2nd time", "the _ time"),
        ("Assertion `x' failed", "Assertion `x' failed"),
        ("", ""),
    ],
)
def test_of_an_error_only_what_names_the_bug_is_kept(detail, words):
    assert words_of(detail) == words


def test_how_long_a_list_of_the_questions_is_tells_nothing():
    words = "Failed to bind column reference [8.0] (bindings: {})"
    assert words_of(words.format("[1.0]")) == words_of(words.format("[1.0 1.1 1.2]")) == words_of(words.format("[0.7]"))
    braces = "Failed to bind (bindings: {})"
    assert words_of(braces.format("{#[7.0]}")) == words_of(braces.format("{#[7.0], #[7.1], #[12.3]}"))
    assert words_of("in (1, 2)") == words_of("in (1, 2, 3)")
    assert words_of("f(INTEGER_LITERAL, INTEGER_LITERAL)") != words_of("f(INTEGER_LITERAL)"), "these are its own words"
