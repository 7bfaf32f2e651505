"""What is read from Frama-C's texts; runs of Frama-C itself are in tests/analyzers."""

from __future__ import annotations

from pathlib import Path

import pytest

from gainsay.core.tailor_analyzer import Code, Ingredient, Tuning
from gainsay.errors import UsageError
from gainsay.tailor.analyzers.eva import Eva, functions_of, laid_out, properties_of, reachable, spelled, verdicts_of

PRINTED = r"""
#include "stdlib.h"
struct n {
   int v ;
};
int (*hook[1])(int ) = {& called};
static int helper(int (*f)(int ), int n)
{
  int __retres;
  /*@ assert rte: division_by_zero: n != 0; */
  __retres = 3 / n;
  return __retres;
}

 __attribute__((__visibility__("hidden"))) int called(int n)
{
  /*@ assert rte: signed_overflow:
        n + 1 <= 2147483647; */
  return n + 1;
}

int lonely(int n)
{
  /*@ assert rte: division_by_zero: n != 0; */
  return 1 / n;
}

int main(void)
{
  int *p = malloc((size_t)4);
  /*@ assert rte: mem_access: \valid(p + 2); */
  *(p + 2) = helper(hook[0],1);
  /*@ assert rte: mem_access: \valid_read(p + 2); */
  /*@ assert rte: mem_access: \valid_read(p + 2); */
  return *(p + 2);
}
"""


def test_every_assertion_has_a_line_of_its_own_and_followed_pointers_one_more() -> None:
    text = laid_out(PRINTED)
    assert "/*@ assert rte: signed_overflow: n + 1 <= 2147483647; */" in [line.strip() for line in text.splitlines()]
    assert text.count(r"rte: dangling: !\dangling(&p)") == 3


def test_functions_are_found_by_their_braces() -> None:
    assert [name for name, *_ in functions_of(PRINTED)] == ["helper", "called", "lonely", "main"]


def test_equal_assertions_of_a_function_are_told_apart_by_number_not_by_line() -> None:
    found = list(properties_of(laid_out(PRINTED)))
    reads = [p for p in found if p.text == r"\valid_read(p + 2)"]
    assert [(p.function, p.ordinal) for p in reads] == [("main", 0), ("main", 1)]
    shifted = list(properties_of("\n\n\n" + laid_out(PRINTED)))
    assert [p.id for p in found] == [p.id for p in shifted] and [p.line + 3 for p in found] == [p.line for p in shifted]
    assert len({p.id for p in found}) == len(found)


def test_only_what_main_or_a_table_mentions_is_reached() -> None:
    assert reachable(PRINTED, "main") == {"main", "helper", "called"}
    assert reachable(PRINTED, "absent") == set()


def report(*rows: tuple[int, str]) -> str:
    head = "directory\tfile\tline\tfunction\tproperty kind\tstatus\tproperty"
    return "\n".join([head, *(f".\tcode.c\t{line}\tf\tuser assertion\t{status}\tx" for line, status in rows)])


def code(folder: Path, lines: int) -> Code:
    (folder / "code.c").write_text("")
    text = "int f(void)\n{\n" + "".join(f"  /*@ assert rte: shift: {n} >= 0; */\n" for n in range(lines)) + "}\n"
    return Code("c", "d", tuple(properties_of(text)), str(folder))


def test_valid_is_proved_unknown_is_open(tmp_path: Path) -> None:
    assert verdicts_of(code(tmp_path, 2), report((3, "Valid"), (4, "Unknown"))) == "Po"


def test_dead_is_proved_only_where_the_default_proves_it_of_live_code(tmp_path: Path) -> None:
    made, rows = code(tmp_path, 3), report((3, "Dead"), (4, "Dead"), (5, "Dead"))
    assert verdicts_of(made, rows) == "ddd"
    (tmp_path / "baseline").write_text("PoR")
    assert verdicts_of(made, rows) == "Pdd"


def test_what_has_no_row_is_open(tmp_path: Path) -> None:
    assert verdicts_of(code(tmp_path, 2), report((4, "Valid"))) == "oP"


def test_what_stands_behind_a_certain_failure_on_the_same_statement_is_not_proved(tmp_path: Path) -> None:
    rows = report((3, "Valid"), (4, "Invalid or unreachable"), (5, "Valid"), (6, "Valid"), (7, "Dead"))
    assert verdicts_of(code(tmp_path, 5), rows) == "PRood"


def test_settings_become_options() -> None:
    assert list(spelled("slevel", "50")) == ["-eva-slevel", "50"]
    assert list(spelled("slevel@f", "50")) == ["-eva-slevel-function", "f:50"]
    assert list(spelled("interprocedural-splits", "on")) == ["-eva-interprocedural-splits"]
    arguments = Eva({"main": "start"}).arguments(Ingredient("cvalue+equality", (("precision", "3"),)))
    assert arguments[arguments.index("-main") + 1] == "start" and "-eva-no-remove-redundant-alarms" in arguments
    assert arguments[-4:] == ["-eva-domains", "cvalue,equality", "-eva-precision", "3"]


@pytest.mark.parametrize(
    "options",
    [
        {"main": "f -load-script x"},
        {"include": "$(reboot)"},
        {"define": "X;y"},
        {"recursion": "-1"},
        {"include": "-load"},
        {"plugin": "x"},
    ],
)
def test_options_that_could_say_more_than_they_should_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        Eva(options)


@pytest.mark.parametrize(
    "ingredient",
    [
        Ingredient("cvalue", (("load-script", "evil.ml"),)),
        Ingredient("cvalue", (("slevel", "50 -load-script evil.ml"),)),
        Ingredient("cvalue -load-script evil.ml"),
        Ingredient("cvalue", (("slevel@f:1,g", "50"),)),
        Ingredient("cvalue", (("ilevel@f", "8"),)),
    ],
)
def test_a_recipe_says_only_what_is_in_the_tables(ingredient: Ingredient) -> None:
    with pytest.raises(UsageError, match="recipes"):
        Eva({}).checked(Tuning((ingredient,)), "recipes.json")


def test_the_poset_is_that_of_all_subsets() -> None:
    assert len(Eva.domains.names) == 64 and Eva.domains.is_below("cvalue", "cvalue+octagon")
    assert not Eva.domains.is_comparable("cvalue+octagon", "cvalue+equality")


def test_the_most_precise_recipe_has_all_domains_and_the_last_value_of_every_setting() -> None:
    (ingredient,) = Eva({}).most_precise().ingredients
    assert ingredient.domain == Eva.domains.greatest[0] and dict(ingredient.settings)["slevel"] == "5000"
    assert "precision" not in dict(ingredient.settings)
