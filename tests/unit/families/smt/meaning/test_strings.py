"""SMT-LIB's strings and regular expressions: corner cases of the theory's text, and matching against Python's own."""

import itertools
import random
import re

import pytest

from gainsay.families.smt.language.ir import Term
from gainsay.families.smt.language.ops import OPERATORS
from gainsay.families.smt.meaning import strings
from gainsay.families.smt.meaning.values import Undetermined

A, B, AB = strings.to_re("a"), strings.to_re("b"), strings.to_re("ab")
WORDS = ["".join(word) for size in range(5) for word in itertools.product("ab", repeat=size)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('""', ""),
        ('"a""b"', 'a"b'),
        ('"a\\u02C1"', "aˁ"),
        ('"\\u{2C}1a"', ",1a"),
        ('"\\u2CA"', "\\u2CA"),
        ('"\\u{ACG}A"', "\\u{ACG}A"),
        ('"\\u{}"', "\\u{}"),
        ('"\\u{2fFfF}"', "\U0002ffff"),
        ('"\\u{30000}"', "\\u{30000}"),
        ('"\\u{000041}"', "\\u{000041}"),
        ('"\\n\\x41\\\\"', "\\n\\x41\\\\"),
        ('"\\\\u0041"', "\\A"),
        ('"\\u{5c}u0041"', "\\u0041"),  # what an escape makes starts no other
        ('"\\ud800"', "\ud800"),
        ("(_ char #x2B)", "+"),
        ("(_ char #x0002B)", "+"),
    ],
)
def test_literals_are_read_as_the_theory_says(text, value):
    assert strings.read_literal(text) == value


@pytest.mark.parametrize(
    "value", ["", "a b~", 'say "', "\\u{41}", "\\", "u\\u0041", "\x00\x7f\xe9\n", "\U0002ffff\ud800"]
)
def test_what_is_written_is_read_back(value):
    text = strings.literal(value)
    assert text.isascii() and text.isprintable()
    assert strings.read_literal(text) == value


def test_a_text_without_quotes_is_no_literal():
    with pytest.raises(ValueError, match="not a string literal"):
        strings.read_literal("abc")


@pytest.mark.parametrize(
    ("op", "args", "value"),
    [
        ("str.++", ("a", "", "b"), "ab"),
        ("str.len", ("\U0001f600a",), 2),
        ("str.<", ("a", "aardvark"), True),
        ("str.<", ("\uffff", "\U00010000"), True),  # code points, not UTF-16 units
        ("str.<", ("a", "a"), False),
        ("str.<", ("a", "b", "b"), False),
        ("str.<=", ("a", "a"), True),
        ("str.<=", ("a", "b", "b"), True),
        ("str.<=", ("b", "ab"), False),
        ("str.at", ("abc", 2), "c"),
        ("str.at", ("abc", 3), ""),
        ("str.at", ("abc", -1), ""),
        ("str.substr", ("abcde", 1, 2), "bc"),
        ("str.substr", ("abc", 1, 100), "bc"),
        ("str.substr", ("abc", -1, 2), ""),
        ("str.substr", ("abc", 3, 1), ""),
        ("str.substr", ("abc", 0, -1), ""),
        ("str.prefixof", ("", "a"), True),
        ("str.prefixof", ("ab", "a"), False),
        ("str.suffixof", ("bc", "abc"), True),
        ("str.suffixof", ("", ""), True),
        ("str.contains", ("abc", "bc"), True),
        ("str.contains", ("", ""), True),
        ("str.contains", ("a", "ab"), False),
        ("str.indexof", ("abab", "ab", 1), 2),
        ("str.indexof", ("abc", "", 3), 3),
        ("str.indexof", ("abc", "", 4), -1),
        ("str.indexof", ("abc", "a", -1), -1),
        ("str.indexof", ("", "", 0), 0),
        ("str.indexof", ("abc", "a", 1), -1),
        ("str.replace", ("abab", "ab", "x"), "xab"),
        ("str.replace", ("abc", "", "x"), "xabc"),
        ("str.replace", ("", "", "x"), "x"),
        ("str.replace", ("abc", "d", "x"), "abc"),
        ("str.replace_all", ("aaa", "aa", "b"), "ba"),
        ("str.replace_all", ("abc", "", "x"), "abc"),
        ("str.replace_all", ("aa", "a", "aa"), "aaaa"),
        ("str.is_digit", ("7",), True),
        ("str.is_digit", ("77",), False),
        ("str.is_digit", ("",), False),
        ("str.is_digit", ("\u0663",), False),  # a digit elsewhere
        ("str.to_code", ("A",), 65),
        ("str.to_code", ("",), -1),
        ("str.to_code", ("AB",), -1),
        ("str.from_code", (0x2FFFF,), "\U0002ffff"),
        ("str.from_code", (0x30000,), ""),
        ("str.from_code", (-1,), ""),
        ("str.to_int", ("00123",), 123),
        ("str.to_int", ("",), -1),
        ("str.to_int", ("-1",), -1),
        ("str.to_int", ("1_0",), -1),
        ("str.to_int", (" 1",), -1),
        ("str.to_int", ("\u0663",), -1),
        ("str.from_int", (0,), "0"),
        ("str.from_int", (-5,), ""),
        ("str.from_int", (120,), "120"),
    ],
)
def test_operators_on_strings(op, args, value):
    assert OPERATORS[op].meaning(Term(op), (), list(args)) == value


@pytest.mark.parametrize(
    ("regex", "members"),
    [
        (strings.RE_NONE, []),
        (strings.RE_ALL, WORDS),
        (strings.RE_ALLCHAR, ["a", "b"]),
        (strings.to_re(""), [""]),
        (strings.re_range("a", "a"), ["a"]),
        (strings.re_range("b", "a"), []),
        (strings.re_range("a", "bc"), []),
        (strings.re_range("", "b"), []),
        (strings.re_concat(A, strings.RE_ALLCHAR, B), ["aab", "abb"]),
        (strings.re_concat(A, strings.RE_NONE), []),
        (strings.re_union(), []),
        (strings.re_inter(strings.re_star(AB), strings.re_power(4, strings.RE_ALLCHAR)), ["abab"]),
        (strings.re_comp(strings.re_concat(strings.RE_ALL, A, strings.RE_ALL)), ["", "b", "bb", "bbb", "bbbb"]),
        (strings.re_diff(strings.re_star(A), strings.re_star(strings.to_re("aa"))), ["a", "aaa"]),
        (strings.re_diff(strings.re_star(A), A, strings.to_re("aaaa")), ["", "aa", "aaa"]),
        (strings.re_plus(AB), ["ab", "abab"]),
        (strings.re_plus(strings.re_opt(strings.to_re("bbb"))), ["", "bbb"]),
        (strings.re_star(strings.re_star(strings.re_opt(strings.to_re("bb")))), ["", "bb", "bbbb"]),
        (strings.re_power(0, strings.RE_NONE), [""]),
        (strings.re_power(2, strings.re_opt(A)), ["", "a", "aa"]),
        (strings.re_loop(2, 1, A), []),
        (strings.re_loop(1, 3, A), ["a", "aa", "aaa"]),
        (strings.re_loop(0, 0, A), [""]),
        (strings.re_loop(3, 10**9, strings.re_opt(A)), ["", "a", "aa", "aaa", "aaaa"]),
        (strings.re_loop(10**9, 10**9, A), []),
    ],
)
def test_members_of_a_language(regex, members):
    assert [word for word in WORDS if strings.in_re(word, regex)] == sorted(members, key=lambda word: (len(word), word))


def test_regular_expressions_are_simplified_and_hashable():
    assert strings.re_union(A, strings.RE_NONE, A) == A
    assert strings.re_concat(A, strings.re_concat(B, strings.to_re(""))) == AB
    assert strings.re_comp(strings.re_comp(A)) == A
    assert strings.re_star(strings.RE_ALLCHAR) == strings.RE_ALL
    assert len({strings.re_star(A), strings.re_star(strings.re_star(A))}) == 1


@pytest.mark.parametrize(
    ("regex", "once", "everywhere"),  # of "abaab", by "-"
    [
        (strings.re_plus(A), "-baab", "-b--b"),
        (strings.re_star(A), "-abaab", "-b--b"),  # the shortest match is empty, and not counted for all
        (strings.re_union(strings.to_re("aab"), strings.to_re("aa")), "ab-b", "ab-b"),
        (strings.re_concat(strings.RE_ALL, B), "-aab", "--"),
        (strings.RE_NONE, "abaab", "abaab"),
        (strings.to_re(""), "-abaab", "abaab"),
        (strings.RE_ALLCHAR, "-baab", "-----"),
        (strings.re_comp(A), "-abaab", "---"),
    ],
)
def test_replacing_takes_the_shortest_leftmost_match(regex, once, everywhere):
    assert strings.replace_re("abaab", regex, "-") == once
    assert strings.replace_re_all("abaab", regex, "-") == everywhere


def drawn(rng, depth):
    """Draw a regular expression, as ours and as Python's."""
    kind = rng.choice(["cat", "or", "star", "opt", "loop"]) if depth else "str"
    if kind == "str":
        word = rng.choice(["a", "b", "ab", "ba", ""])
        return strings.to_re(word), word
    (ours, theirs), (other, others) = drawn(rng, depth - 1), drawn(rng, depth - 1)
    low, high = rng.randint(0, 2), rng.randint(2, 3)
    return {
        "cat": (strings.re_concat(ours, other), theirs + others),
        "or": (strings.re_union(ours, other), f"(?:{theirs}|{others})"),
        "star": (strings.re_star(ours), f"(?:{theirs})*"),
        "opt": (strings.re_opt(ours), f"(?:{theirs})?"),
        "loop": (strings.re_loop(low, high, ours), f"(?:{theirs}){{{low},{high}}}"),
    }[kind]


def test_membership_agrees_with_python():
    rng = random.Random(3)
    for _ in range(150):
        ours, theirs = drawn(rng, 3)
        compiled = re.compile(theirs)
        assert [strings.in_re(word, ours) for word in WORDS] == [
            compiled.fullmatch(word) is not None for word in WORDS
        ], theirs


def test_too_much_work_is_undetermined():
    nested = strings.re_star(
        strings.re_concat(strings.re_star(A), strings.re_star(strings.re_star(strings.re_union(A, AB))))
    )
    with pytest.raises(Undetermined):
        strings.in_re("a" * 400 + "c", nested)
    with pytest.raises(Undetermined):
        strings.to_int("1" * 5000)
    with pytest.raises(Undetermined):
        strings.from_int(10**5000)
