"""Eva for real: `make test-analyzers`. Needs Frama-C (Debian: apt-get install frama-c-base) and, for one test, gcc."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from importlib import resources
from pathlib import Path

import pytest

from gainsay.core.draw import Draw
from gainsay.core.tailor_analyzer import Allowance, Analyzer, Code, Ingredient
from gainsay.errors import UsageError
from gainsay.tailor import draws
from gainsay.tailor.analyzers.eva import Eva

pytestmark = pytest.mark.skipif(shutil.which("frama-c") is None, reason="no frama-c: apt-get install frama-c-base")

LOOP = """
#include "__fc_builtin.h"
int table[10];
int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += table[i]; return s; }
int main(void) {
  int n = Frama_C_interval(0, 10);
  for (int i = 0; i < 10; i++) table[i] = Frama_C_interval(0, 100);
  return sum(n) / (n + 1);
}
"""
SHADOW = """
#include <stdlib.h>
typedef struct list { int v; struct list *next; } list;
list *make(int v) { struct list *list; if ((list = malloc(sizeof(*list))) == NULL) return NULL;
  list->v = 10 / v; list->next = NULL; return list; }
int main(void) { list *x = make(3); return x ? 12 / x->v : 0; }
"""
RECURSIVE = "int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }\nint main(void) { return 100 / (f(5) + 1); }"
FAILING = """
#include "__fc_builtin.h"
int t[4];
int main(void) { int n = Frama_C_interval(0, 9); int i = 7;
  if (n > 3) { int a = t[i]; int b = a + 1; return 10 / b; } return 0; }
"""


def prepared(folder: Path, text: str, **options: str) -> tuple[Eva, Code]:
    source = folder / "code-under-test.c"
    source.write_text(text)
    analyzer = Eva(options)
    return analyzer, analyzer.prepare(source, folder / "prepared", threading.Event())


def verdicts(analyzer: Analyzer, code: Code, ingredient: Ingredient, cpu_s: float = 20) -> str:
    outcome = analyzer.run(code, ingredient, 0, Allowance(cpu_s, 2 << 30), threading.Event())
    assert outcome.status == "ok", outcome
    return outcome.verdicts


def test_a_precise_recipe_proves_what_the_default_does_not(tmp_path: Path) -> None:
    analyzer, code = prepared(tmp_path, LOOP)
    assert {"division_by_zero", "signed_overflow", "index_bound"} <= {p.kind for p in code.properties}
    default = verdicts(analyzer, code, analyzer.default().ingredients[0])
    precise = verdicts(analyzer, code, Ingredient("cvalue", (("min-loop-unroll", "16"),)))
    assert "o" in default and "o" not in precise


@pytest.mark.parametrize("rung", range(12))
def test_every_rung_of_the_ladder_runs_and_the_set_of_properties_stays(tmp_path: Path, rung: int) -> None:
    analyzer, code = prepared(tmp_path, LOOP)
    (ingredient,) = analyzer.ladder()[rung][1].ingredients
    assert len(verdicts(analyzer, code, ingredient)) == len(code.properties)


def test_every_value_of_every_setting_is_known_to_frama_c(tmp_path: Path) -> None:
    analyzer, code = prepared(tmp_path, LOOP)
    for setting in analyzer.settings:
        for value in setting.values:
            domain = f"cvalue+{setting.needs}" if setting.needs else "cvalue"
            verdicts(analyzer, code, Ingredient(domain, ((setting.name, value),)))
        if setting.takes_function:
            verdicts(analyzer, code, Ingredient("cvalue", ((f"{setting.name}@sum", setting.values[-1]),)))
    verdicts(analyzer, code, Ingredient(analyzer.domains.greatest[0]))


def test_properties_keep_their_identity_when_lines_shift(tmp_path: Path) -> None:
    _, code = prepared(tmp_path, LOOP)
    (tmp_path / "later").mkdir()
    _, later = prepared(
        tmp_path / "later", "int unrelated;\n\n\n" + LOOP.replace("int table", "\n/* more */\nint table")
    )
    assert [p.id for p in later.properties] == [p.id for p in code.properties]


def test_dead_code_behind_a_certain_failure_is_not_proved(tmp_path: Path) -> None:
    analyzer, code = prepared(tmp_path, FAILING)
    found = dict(zip(code.properties, verdicts(analyzer, code, Ingredient("cvalue")), strict=True))
    assert "R" in found.values()
    assert all(v != "P" for p, v in found.items() if p.kind in ("signed_overflow", "division_by_zero"))


BEHIND = {
    "uninitialised": "int t[4]; int main(void) { int a = 1; a = a + 1; int x; int y = x; t[9] = 1; return 10 / (y - "
    "y); }",
    "precondition": "#include <string.h>\nint main(void) { int b = 1; b = b + 1; char a[4]; memset(a, 0, 8); a[7] = "
    "1; return 10 / 0; }",
    "loop": "int t[4]; int main(void) { for (int i = 0; i <= 4; i++) t[i] = i; t[3] = t[2] + 1; return 10 / (t[0] - "
    "t[0]); }",
    "call": "int t[4]; int f(int d) { return 10 / d; }\nint main(void) { f(1); f(0); t[9] = 1; return 10 / 0; }",
}


@pytest.mark.parametrize("name", BEHIND)
def test_nothing_is_proved_by_standing_behind_an_error(tmp_path: Path, name: str) -> None:
    analyzer, code = prepared(tmp_path, BEHIND[name])
    for ingredient in (
        Ingredient("cvalue"),
        Ingredient("cvalue", (("min-loop-unroll", "16"), ("slevel", "50"))),
        Ingredient("cvalue", (("precision", "8"),)),
    ):
        found = dict(zip(code.properties, verdicts(analyzer, code, ingredient), strict=True))
        assert all(v != "P" for p, v in found.items() if p.kind == "division_by_zero" and p.function == "main"), (
            ingredient
        )


def test_what_the_default_proves_stays_proved_where_a_precise_recipe_finds_it_dead(tmp_path: Path) -> None:
    text = LOOP.replace("return sum(n)", "int s = sum(n); if (s > 5000) return 7 / (n + 2);\n  return s")
    analyzer, code = prepared(tmp_path, text)
    index = next(n for n, p in enumerate(code.properties) if p.kind == "division_by_zero" and "n + 2" in p.text)
    assert verdicts(analyzer, code, Ingredient("cvalue"))[index] == "P"
    assert verdicts(analyzer, code, Ingredient("cvalue", (("min-loop-unroll", "16"),)))[index] == "P"


def test_the_name_of_a_folder_is_no_command(tmp_path: Path) -> None:
    folder = tmp_path / "d;touch ran;#'x"
    (folder / "inc").mkdir(parents=True)
    (folder / "inc" / "size.h").write_text("#define SIZE 10\n")
    source = folder / "x.c"
    source.write_text('#include "size.h"\n' + LOOP)
    code = Eva({"include": "inc"}).prepare(source, tmp_path / "prepared", threading.Event())
    assert code.properties and not list(tmp_path.rglob("ran"))


def test_recursion_is_unrolled(tmp_path: Path) -> None:
    analyzer, code = prepared(tmp_path, RECURSIVE)
    assert verdicts(analyzer, code, Ingredient("cvalue", (("slevel", "50"),)))


def test_code_that_frama_c_can_t_read_again_is_analyzed_as_it_is(tmp_path: Path) -> None:
    analyzer, code = prepared(tmp_path, SHADOW)
    assert not (Path(code.folder) / "code.c").exists()
    kinds = {p.kind for p in code.properties}
    assert "division_by_zero" in kinds and "dangling" not in kinds
    assert "P" in verdicts(analyzer, code, Ingredient("cvalue"))


def test_time_and_memory_are_limited(tmp_path: Path) -> None:
    analyzer, code = prepared(tmp_path, LOOP.replace("10", "10000"))
    slow = Ingredient("cvalue+octagon", (("min-loop-unroll", "256"), ("slevel", "5000")))
    assert analyzer.run(code, slow, 0, Allowance(0.5, 2 << 30), threading.Event()).status == "timeout"
    assert analyzer.run(code, slow, 0, Allowance(60, 64 << 20), threading.Event()).status == "memory"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("int main(void) { return 1 +; }", "can't be parsed"),
        ("int main(void) { return 0; }", "no assertions"),
        ("int f(int x) { return 1 / x; }", "no assertions"),
    ],
)
def test_code_that_can_t_be_tuned_to_is_refused(tmp_path: Path, text: str, part: str) -> None:
    with pytest.raises(UsageError, match=part):
        prepared(tmp_path, text)


# --- the guard ---


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Eva, Code]:
    analyzer = Eva({})
    (code,) = analyzer.planted(tmp_path_factory.mktemp("planted"), threading.Event())
    return analyzer, code


def test_no_recipe_calls_a_planted_error_safe(planted: tuple[Eva, Code]) -> None:
    analyzer, code = planted
    draw = Draw(7)
    ingredients = [i for _, tuning in analyzer.ladder() for i in tuning.ingredients]
    for _ in range(12):
        tuning = draws.sampled(draw, analyzer, 1, Ingredient("cvalue"))
        for _ in range(3):
            tuning = draws.resettled(draw, analyzer, tuning, draws.Odds())
        ingredients.append(tuning.ingredients[0])
    finished = 0
    for ingredient in ingredients:
        outcome = analyzer.run(code, ingredient, 0, Allowance(10, 2 << 30), threading.Event())
        if outcome.status == "ok":
            finished += 1
            assert analyzer.called_safe(code, code.mask(outcome.verdicts, "P")) == [], ingredient
    assert finished >= 12


def test_the_guard_notices_a_false_proof(planted: tuple[Eva, Code]) -> None:
    analyzer, code = planted
    assert len(analyzer.called_safe(code, (1 << len(code.properties)) - 1)) == 14


def test_every_planted_error_is_one(tmp_path: Path) -> None:
    """Compiled with sanitizers, some choice of numbers runs into each of them."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc: apt-get install gcc")
    source = Path(str(resources.files("gainsay.tailor") / "planted" / "eva.c"))
    (tmp_path / "pick.c").write_text(
        "#include <stdlib.h>\nstatic int asked;\n"
        'int pick(int low, int high) { const char *name = asked++ ? "NUMBER" : "WHICH"; int n = atoi(getenv(name)); '
        "return n < low ? low : n > high ? high : n; }\n"
    )
    flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g"]
    subprocess.run(["gcc", *flags, str(source), str(tmp_path / "pick.c"), "-o", str(tmp_path / "program")], check=True)
    for which in range(14):
        room = {"WHICH": str(which), "ASAN_OPTIONS": "detect_leaks=0"}
        codes = {
            subprocess.run([tmp_path / "program"], env={**room, "NUMBER": str(n)}, capture_output=True).returncode
            for n in range(61)
        }
        assert codes - {0}, (which, codes)


# --- the command ---


def test_the_commands_of_the_readme(gainsay, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "loop.c").write_text(LOOP)
    result = gainsay(
        "tailor",
        "run",
        "loop.c",
        "--analyzer",
        "eva",
        "--limit",
        "3s",
        "--limit",
        "10s",
        "--iterations",
        "12",
        "--json",
    )
    assert result.code == 0, result.err
    small, large = result.json["files"]
    assert small["proved"] == small["assertions"] > small["default_proved"] and large["proved"] == large["assertions"]
    assert result.json["own_s"] < 0.05 * result.json["analyzer_s"]
    assert gainsay("tailor", "check", "tailor.json", "loop.c").code == 0
    shown = gainsay("tailor", "show", "tailor.json")
    assert "frama-c -machdep gcc_x86_64 loop.c -rte -then" in shown.out
    (tmp_path / "loop.c").write_text(LOOP.replace("Frama_C_interval(0, 10)", "Frama_C_interval(0, 12)"))
    worse = gainsay("tailor", "check", "tailor.json", "loop.c")
    assert worse.code == 1 and "lost: sum" in worse.out


def test_a_recipe_file_can_t_load_a_script(gainsay, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "loop.c").write_text(LOOP)
    (tmp_path / "evil.ml").write_text('let () = ignore (Sys.command "touch ran")')
    gainsay(
        "tailor", "run", "loop.c", "--limit", "3s", "--i-dom", "0", "--i-set", "0", "--no-ladder", "--functions", "0"
    )
    book = json.loads((tmp_path / "tailor.json").read_text())
    book["files"]["loop.c"]["limits"][0]["recipe"][0]["settings"].append(["load-script", "evil.ml"])
    (tmp_path / "tailor.json").write_text(json.dumps(book))
    result = gainsay("tailor", "check", "tailor.json", "loop.c")
    assert result.code == 2 and "load-script" in result.err and not (tmp_path / "ran").exists()
