"""The adapter of Clam without Clam: what it puts into clang's text, and what it makes of recorded outputs (LLVM 14, of
small.c)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gainsay.core.tailor_analyzer import KINDS, Code, Ingredient, Property, Tuning
from gainsay.errors import EnvironmentProblem, UsageError
from gainsay.limits import Ended
from gainsay.tailor.analyzers import clam, clam_planted, clam_says, clam_text
from gainsay.tailor.analyzers.clam import Clam

RECORDED = Path(__file__).with_name("clam")
TEXT = (RECORDED / "small.ll").read_text("utf-8")
ALL = clam.USUAL.split(",")


def recorded(name: str) -> dict[str, str]:
    parts = re.split(r"^=== (\w+)\n", (RECORDED / name).read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def one(domain: str, **settings: str) -> Tuning:
    return Tuning((Ingredient(domain, tuple(sorted((n.replace("_", "-"), v) for n, v in settings.items()))),))


# --- the text of LLVM ---


def test_each_handler_becomes_a_check_of_its_kind() -> None:
    _, found = clam_text.rewritten(TEXT, ALL)
    assert [(c.function, c.kind, c.line) for c in found] == [
        ("element", "index_bound", 10),
        ("beyond", "index_bound", 16),
        ("beyond", "signed_overflow", 15),
        ("beyond", "index_bound", 17),
        ("beyond", "signed_overflow", 17),
        ("beyond", "index_bound", 17),
        ("beyond", "signed_overflow", 17),
        ("quotient", "signed_overflow", 21),
        ("quotient", "division_by_zero", 21),
    ]


def test_no_call_of_a_handler_is_left() -> None:
    text, found = clam_text.rewritten(TEXT, ALL)
    assert "call void @__ubsan" not in text
    assert text.count("call void @crab.assert(i1 false)") == len(found)


def test_overflow_is_computed_in_twice_the_width() -> None:
    text, _ = clam_text.rewritten(TEXT, ALL)
    assert "call { i32, i1 } @llvm.sadd" not in text
    assert re.search(r"icmp sle i64 %\S+, 2147483647", text)


def test_a_bound_is_tested_by_signed_comparisons() -> None:
    text, _ = clam_text.rewritten(TEXT, ALL)
    assert not re.search(r"icmp u.*nosanitize", text)


def test_lines_are_kept_for_a_user_who_runs_clam_by_hand() -> None:
    text, found = clam_text.rewritten(TEXT, ALL, marked=False)
    assert found and str(clam_text.OURS // 10) not in text


def test_numbers_in_strings_are_left_alone() -> None:
    line = '@.str = private constant [5 x i8] c"%02d\\00", align 1'
    assert clam_text.rewritten(line, ALL)[0].splitlines()[0] == line
    assert clam_text.rewritten("  %3 = add i32 %2, 1", ALL)[0].splitlines()[0] == "  %gainsay.3 = add i32 %gainsay.2, 1"


def test_a_failed_assertion_of_the_c_library_is_a_check_only_if_asked_for() -> None:
    text = (
        "define void @f() !dbg !1 {\n  call void @__assert_fail(i8* null, i8* null, i32 3, i8* null) #1, !dbg !2\n}\n"
    )
    text += "!2 = !DILocation(line: 3, column: 1, scope: !1)\n"
    assert [(c.function, c.kind, c.line) for c in clam_text.rewritten(text, ["assert"])[1]] == [("f", "assertion", 3)]
    assert clam_text.rewritten(text, ["bounds"])[1] == []


def test_the_file_of_a_function_is_known() -> None:
    assert clam_text.files_of(TEXT)["quotient"].name == "small.c"


def test_where_code_was_compiled_is_no_part_of_its_digest() -> None:
    assert clam_text.body_of(TEXT) == clam_text.body_of(TEXT.replace("small.c", "/elsewhere/small.c"))


# --- what Clam says ---


def test_results_are_read_for_each_place() -> None:
    places = clam_says.verdicts_of(recorded("plain.crabir"), clam_text.rewritten(TEXT, ALL)[1])
    assert places[("element", "index_bound", 10, 1)]
    assert not places[("quotient", "division_by_zero", 21, 9)]
    assert places[("freed", "dangling", 28, 6)] and not places[("freed", "dangling", 30, 10)]
    assert places[("freed", "mem_access", 30, 10)]


def test_the_worst_of_several_results_at_one_place_counts() -> None:
    line = "  // loc(file=a.c line=3 col=4) id={} Result:  {}\n  assert(-@V_1 <= 0)\n"
    text = line.format(1, "OK") + line.format(2, "FAIL -- num of warnings=1") + line.format(3, "OK")
    assert clam_says.verdicts_of({"f": text}, []) == {("f", "mem_access", 3, 4): False}


def test_what_is_dead_behind_a_certain_failure_is_no_property() -> None:
    found = clam_text.rewritten(TEXT, ALL)[1]
    left_out = clam_says.dead(found, clam_says.verdicts_of(recorded("asking.crabir"), found))
    assert {(found[n - 1].function, found[n - 1].line) for n in left_out} == {("beyond", 17)}
    named = clam_says.named(clam_says.verdicts_of(recorded("plain.crabir"), found), left_out, {}, RECORDED / "small.c")
    assert [p.kind for p in named if p.line == 17] == ["index_bound"]


def test_properties_are_known_by_the_text_of_their_line() -> None:
    found = clam_text.rewritten(TEXT, ALL)[1]
    named = list(
        clam_says.named(clam_says.verdicts_of(recorded("plain.crabir"), found), set(), {}, RECORDED / "small.c")
    )
    assert str(named[0]) == "element, line 10: index_bound: return table[n];"
    assert len({p.id for p in named}) == len(named)


def test_every_kind_is_one_of_the_five() -> None:
    assert set(Clam.kinds.values()) <= set(KINDS)
    assert {clam_text.HANDLERS[word] for word in clam_text.HANDLERS} <= set(Clam.kinds)
    assert {kind for kinds in clam_planted.KIND_OF.values() for kind in kinds} <= set(Clam.kinds)


def test_a_reason_is_told_in_the_words_of_the_program() -> None:
    assert "bitwidths" in clam.reason(
        Ended("", 1, 0, 0, 0, "CRAB ERROR: two wrapint numbers with different bitwidths\n")
    )
    assert "exit code 1" in clam.reason(Ended("", 1, 0, 0, 0, ""))
    assert "timeout" in clam.reason(Ended("timeout", -9, 0, 0, 0, ""))


# --- recipes ---


def test_the_domains_are_those_of_figure_5_3() -> None:
    poset = Clam.domains
    assert len(poset.names) == 10
    assert (
        poset.is_below("int", "pk") and poset.is_below("dis-int", "term-dis-int") and poset.is_below("dis-int", "boxes")
    )
    assert not any(poset.is_comparable("bool", other) for other in poset.names if other != "bool")


def test_a_domain_that_is_not_built_leaves_the_order_of_the_others() -> None:
    poset = clam.restricted(Clam.domains, ["int", "zones", "pk", "ric"])
    assert poset.greater("zones") == ("pk",) and poset.greater("int") == ("ric", "zones")


def test_the_most_precise_recipe_has_six_ingredients_and_no_unsound_one() -> None:
    recipe = Clam({}).most_precise()
    assert set(recipe.domains) == {"bool", "pk", "term-int", "ric", "boxes", "term-dis-int"}
    assert {i.domain for i in recipe.ingredients if ("backward", "on") in i.settings} == set(recipe.domains) - {"pk"}


@pytest.mark.parametrize("domain", ["oct", "pk"])
def test_backward_is_neither_offered_nor_accepted_where_it_is_unsound(domain: str) -> None:
    analyzer = Clam({})
    assert "backward" not in [s.name for s in analyzer.settings_of(domain)]
    with pytest.raises(UsageError, match="violated assertions"):
        analyzer.checked(one(domain, backward="on"), "recipe.toml")
    assert "--crab-backward" not in analyzer.arguments(one(domain, backward="on").ingredients[0])


def test_settings_reach_the_command_line() -> None:
    words = Clam({}).arguments(one("zones", backward="on", delay_widen="8", smashing="off").ingredients[0])
    assert {"--crab-dom=zones", "--crab-backward", "--crab-widening-delay=8", "--crab-narrowing-iterations=3"} <= set(
        words
    )
    assert "--crab-dom-param=array_adaptive.is_smashable=false" in words


def test_memory_checks_are_those_that_were_asked_for() -> None:
    words = Clam({"checks": "null"}).arguments(Ingredient("int"))
    assert "--crab-null-check" in words and "--crab-uaf-check" not in words


@pytest.mark.parametrize(
    "options",
    [
        {"include": "a b"},
        {"include": "-x"},
        {"define": "A;B"},
        {"checks": "division,nothing"},
        {"checks": ","},
        {"bin": "/no/such/folder"},
    ],
)
def test_options_that_may_not_reach_a_command_line_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        Clam(options)


def test_a_missing_clam_is_told_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="README"):
        Clam({"bin": str(tmp_path)}).version()


def test_options_that_name_programs_are_known_as_such() -> None:
    assert Clam.trusted_only <= set(Clam.options_known)


def test_planted_errors_are_called_safe_only_if_all_of_their_kind_are_proved() -> None:
    properties = tuple(
        Property(function, kind, "x", n)
        for n, (function, kind) in enumerate(
            [("planted_uaf_1", "dangling"), ("planted_uaf_1", "dangling"), ("planted_uaf_1", "null"), ("other", "null")]
        )
    )
    code = Code("planted", "", properties, "")
    assert Clam({}).called_safe(code, 0b1101) == []
    assert Clam({}).called_safe(code, 0b0011) == ["planted_uaf_1"]
