"""Clam for real. Skipped without it: set GAINSAY_CLAM to the folder of clam, or put it on PATH."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gainsay.core.draw import Draw
from gainsay.core.tailor_analyzer import PROVED, Allowance, Code, Ingredient
from gainsay.errors import UsageError
from gainsay.tailor import draws
from gainsay.tailor.analyzers import clam
from gainsay.tailor.analyzers.clam import Clam

FOLDER = os.environ.get("GAINSAY_CLAM", "")
SMALL = Path(__file__).parents[1] / "unit" / "tailor" / "analyzers" / "clam" / "small.c"
ENOUGH = Allowance(20, 4 << 30)
is_here = shutil.which("clam", path=FOLDER or None) is not None and any(map(shutil.which, clam.CLANGS))
pytestmark = pytest.mark.skipif(
    not is_here,
    reason=f"needs clam and clang-14: apt-get install clang-14; {Clam.install} For the tests, set GAINSAY_CLAM=FOLDER.",
)


def opened(**options: str) -> Clam:
    return Clam({**({"bin": FOLDER} if FOLDER else {}), **options})


def prepared(analyzer: Clam, source: Path, folder: Path) -> Code:
    return analyzer.prepare(source, folder / "prepared", threading.Event())


def proved(analyzer: Clam, code: Code, ingredient: Ingredient) -> int:
    outcome = analyzer.run(code, ingredient, 0, ENOUGH, threading.Event())
    assert outcome.status == "ok", outcome
    return code.mask(outcome.verdicts, PROVED)


def written(folder: Path, text: str) -> Path:
    source = folder / "given.c"
    source.write_text(text, "utf-8")
    return source


def test_the_version_names_llvm_and_the_program() -> None:
    assert opened().version().startswith("LLVM ")


def test_intervals_prove_what_they_should(tmp_path: Path) -> None:
    analyzer = opened()
    code = prepared(analyzer, SMALL, tmp_path)
    chosen = code.chosen(proved(analyzer, code, Ingredient("int")))
    assert ("element", "index_bound") in {(p.function, p.kind) for p in chosen}
    still_open = {(p.function, p.kind, p.line) for p in code.properties if p not in chosen}
    assert {
        ("beyond", "index_bound", 17),
        ("quotient", "division_by_zero", 21),
        ("freed", "dangling", 30),
    } <= still_open


def test_code_prepared_again_is_the_same(tmp_path: Path) -> None:
    one, other = (prepared(opened(), SMALL, tmp_path / name) for name in "ab")
    assert (one.digest, one.properties) == (other.digest, other.properties)


def test_relations_prove_more_than_intervals(tmp_path: Path) -> None:
    text = (
        "int f(int n) { static int t[100]; int j = 0; if (n > 100) return 0; for (int i = 0; i < n; i++) { t[j] = "
        "i; j++; } return j; }"
    )
    analyzer = opened()
    code = prepared(analyzer, written(tmp_path, text), tmp_path)
    assert (
        proved(analyzer, code, Ingredient("int")).bit_count() < proved(analyzer, code, Ingredient("zones")).bit_count()
    )


def test_domains_that_the_build_lacks_are_gone(tmp_path: Path) -> None:
    analyzer = opened()
    code = prepared(analyzer, SMALL, tmp_path)
    for domain in analyzer.domains.names:
        assert analyzer.run(code, Ingredient(domain), 0, ENOUGH, threading.Event()).status == "ok"
    for domain in set(Clam.domains.names) - set(analyzer.domains.names):
        assert analyzer.run(code, Ingredient(domain), 0, ENOUGH, threading.Event()).status == "crash"


def test_backward_with_apron_calls_a_violated_assertion_safe_and_no_recipe_can_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason for NO_BACKWARD. If the first half fails, CRAB was repaired, and the table may go."""
    analyzer = opened(checks="assert")
    [code] = analyzer.planted(tmp_path, threading.Event())
    suspects = [Ingredient(d, (("backward", "on"),)) for d in sorted(clam.NO_BACKWARD) if d in analyzer.domains.names]
    assert all(analyzer.called_safe(code, proved(analyzer, code, i)) == [] for i in suspects)
    monkeypatch.setattr(clam, "NO_BACKWARD", frozenset())
    if suspects:
        assert all(analyzer.called_safe(code, proved(analyzer, code, i)) for i in suspects)


@pytest.mark.parametrize("checks", [clam.USUAL, "assert"])
def test_no_recipe_that_can_be_drawn_calls_a_planted_error_safe(tmp_path: Path, checks: str) -> None:
    analyzer = opened(checks=checks)
    [code] = analyzer.planted(tmp_path, threading.Event())
    assert {p.function for p in code.properties} >= {f"planted_{c}_1" for c in checks.split(",")}
    draw = Draw(7)
    tried = [*analyzer.most_precise().ingredients, *(Ingredient(d) for d in analyzer.domains.names)]
    for _ in range(20):
        tuning = draws.sampled(draw, analyzer, 1, analyzer.initial().ingredients[0])
        tried += draws.resettled(draw, analyzer, tuning, draws.Odds(more=0.8)).ingredients
    for ingredient in tried:
        outcome = analyzer.run(code, ingredient, 0, Allowance(3, 4 << 30), threading.Event())
        if outcome.status == "ok":
            assert analyzer.called_safe(code, code.mask(outcome.verdicts, PROVED)) == [], str(ingredient)


def test_a_run_is_ended_by_its_limit(tmp_path: Path) -> None:
    analyzer = opened()
    code = prepared(analyzer, SMALL, tmp_path)
    assert analyzer.run(code, Ingredient("pk"), 0, Allowance(0.001, 4 << 30), threading.Event()).status in (
        "timeout",
        "ok",
    )
    assert not list(Path(code.folder).glob("run-*"))


def test_code_that_does_not_compile_is_refused_with_the_compilers_words(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.h"):
        prepared(opened(), written(tmp_path, '#include "nowhere.h"\n'), tmp_path)


def test_code_without_a_check_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to check"):
        prepared(opened(), written(tmp_path, "int f(void) { return 1; }\n"), tmp_path)


def test_headers_and_macros_are_found(tmp_path: Path) -> None:
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "given.h").write_text("static int row[SIZE];\n", "utf-8")
    source = written(tmp_path, '#include "given.h"\nint f(int n) { return row[n]; }\n')
    code = prepared(opened(include="headers", define="SIZE=4"), source, tmp_path)
    assert [p.text for p in code.properties if p.kind == "index_bound"] == ["int f(int n) { return row[n]; }"]


def test_the_lines_for_a_user_do_the_same(tmp_path: Path) -> None:
    analyzer = opened()
    lines = analyzer.command(str(SMALL), Ingredient("zones"))
    room = {
        **os.environ,
        "PATH": os.pathsep.join(filter(None, [FOLDER, str(Path(sys.executable).parent), os.environ["PATH"]])),
    }
    for line in lines:
        subprocess.run(["sh", "-c", line], cwd=tmp_path, env=room, check=True, capture_output=True)
    told = (tmp_path / "result.quotient.crabir").read_text("utf-8")
    assert "line=21" in told and "FAIL" in told


def test_a_call_is_taken_to_free_nothing(tmp_path: Path) -> None:
    """The limit that the module's docstring names. If this fails, Clam has learnt it, and an error of this sort may be
    planted."""
    text = "#include <stdlib.h>\nvoid drop(int *p) { free(p); }\n"
    text += "int f(void) {\n  int *p = malloc(4);\n  if (!p) return 0;\n  drop(p);\n  return *p;\n}\n"
    analyzer = opened()
    code = prepared(analyzer, written(tmp_path, text), tmp_path)
    assert ("dangling", 7) in {(p.kind, p.line) for p in code.chosen(proved(analyzer, code, Ingredient("zones")))}
