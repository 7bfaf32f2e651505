"""SpotBugs and jdeps for real: `make test-analyzers`. Needs a JDK of 11 or later and Maven, which brings SpotBugs on
first use."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from gainsay.core.split_analyzer import NOT_ANALYZED, Finding, NoReport
from gainsay.limits import Ended, run
from gainsay.split.analyzers.spotbugs import SpotBugs
from gainsay.split.graphs import java

MISSING = [tool for tool in ("java", "javac", "jdeps", "mvn") if shutil.which(tool) is None]
pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"no {' '.join(MISSING)}: apt-get install default-jdk-headless maven"
)

SOURCES = {
    "package-info.java": "@Deprecated package shop;",
    "Goods.java": "package shop; public interface Goods { int price(); }",
    "Shelf.java": """package shop;
public class Shelf implements Goods {
    static class Box {
        String label;
        boolean isSame(String other) {
            return label == other;
        }
    }
    public int price() { return new Box() { int two() { return 2; } }.two(); }
    int count(Object thing) {
        if (thing == null)
            return thing.hashCode();
        return 1;
    }
}
""",
    "Till.java": "package shop; public final class Till { public int sum(Shelf shelf, Goods[] goods) { return "
    "shelf.price() + goods.length; } }",
}
SHELF, BOX, ANONYMOUS = "shop/Shelf.class", "shop/Shelf$Box.class", "shop/Shelf$1.class"
GOODS, TILL, PACKAGE = "shop/Goods.class", "shop/Till.class", "shop/package-info.class"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("shop"), SOURCES)


def compiled(room: Path, sources: dict[str, str], *options: str) -> Path:
    for name, text in sources.items():
        (room / name).write_text(text, "utf-8")
    files = [str(room / name) for name in sources]
    command = ["javac", "-encoding", "UTF-8", "-g", *options, "-d", str(room / "classes"), *files]
    subprocess.run(command, check=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    return room / "classes"


def part(shop: Path, folder: Path, names: Sequence[str]) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(shop / name, folder / name)
    return folder


def ended(folder: Path, **options: str) -> tuple[SpotBugs, Ended]:
    analyzer = SpotBugs(options)
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.class"))
    return analyzer, run(
        analyzer.command(folder, names, names), folder, 100, 2 << 30, environment=analyzer.environment(folder)
    )


def found(folder: Path, **options: str) -> list[Finding]:
    analyzer, end = ended(folder, **options)
    return analyzer.read(end, folder)


def test_bugs_are_found_with_class_file_line_and_rule(shop: Path, tmp_path: Path) -> None:
    whole = found(part(shop, tmp_path, [SHELF, BOX, ANONYMOUS, GOODS, TILL, PACKAGE]))
    assert (SHELF, 12, "NP_ALWAYS_NULL", "error") in [(f.file, f.line, f.rule, f.level) for f in whole]
    assert (BOX, 6, "ES_COMPARING_PARAMETER_STRING_WITH_EQ") in [f.place for f in whole]
    assert all(f.message and f.file for f in whole)


def test_a_clean_part_gives_none(shop: Path, tmp_path: Path) -> None:
    assert found(part(shop, tmp_path, [GOODS])) == []


def test_a_part_without_its_dependencies_is_still_analyzed(shop: Path, tmp_path: Path) -> None:
    assert (SHELF, 12, "NP_ALWAYS_NULL") in [f.place for f in found(part(shop, tmp_path, [SHELF, TILL]))]


def test_a_class_may_lie_anywhere_under_any_name(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "target" / "a b").mkdir(parents=True)
    shutil.copy(shop / SHELF, tmp_path / "-exclude.class")
    shutil.copy(shop / BOX, tmp_path / "target" / "a b" / "ü.class")
    assert {f.file for f in found(tmp_path)} == {"-exclude.class", "target/a b/ü.class"}


def test_a_filter_of_the_user_s_is_obeyed(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "filter.xml").write_text(
        '<FindBugsFilter><Match><Bug pattern="NP_ALWAYS_NULL"/></Match></FindBugsFilter>'
    )
    options = {"exclude": str(tmp_path / "filter.xml")}
    folder = part(shop, tmp_path / "part", [SHELF])
    for name, content in SpotBugs(options).extras().items():
        (folder / name).write_bytes(content)
    assert "NP_ALWAYS_NULL" not in {f.rule for f in found(folder, **options)}


def test_a_file_that_is_no_class_file_is_a_finding_and_leaves_the_others_alone(shop: Path, tmp_path: Path) -> None:
    folder = part(shop, tmp_path, [SHELF])
    (folder / "junk.class").write_text("not a class")
    analyzer, end = ended(folder)
    first = analyzer.read(end, folder)
    assert [f.place for f in first] == [("junk.class", 0, NOT_ANALYZED)]
    assert analyzer.unblock(end, first, folder) == ["junk.class"]
    assert (SHELF, 12, "NP_ALWAYS_NULL") in [f.place for f in found(folder)]


def test_half_a_class_file_is_no_report(shop: Path, tmp_path: Path) -> None:
    folder = part(shop, tmp_path, [BOX, SHELF])
    content = (folder / SHELF).read_bytes()
    (folder / SHELF).write_bytes(content[:-200])
    with pytest.raises(NoReport, match="spotbugs"):
        found(folder)


def test_out_of_memory_is_no_report(shop: Path, tmp_path: Path) -> None:
    with pytest.raises(NoReport, match=r"memory|heap"):
        found(part(shop, tmp_path, [SHELF]), heap="8m")


def test_a_part_of_only_a_module_s_description_has_no_bugs(tmp_path: Path) -> None:
    assert found(compiled(tmp_path, {"module-info.java": "module shop { }"})) == []


# --- jdeps ---


def test_jdeps_knows_who_uses_whom(shop: Path) -> None:
    uses = java.dependencies(shop, [SHELF, BOX, ANONYMOUS, GOODS, TILL, PACKAGE])
    assert uses[TILL] == {SHELF, GOODS, PACKAGE}
    assert uses[SHELF] == {GOODS, BOX, ANONYMOUS, PACKAGE}
    assert uses[BOX] == {SHELF, PACKAGE}
    assert uses[ANONYMOUS] == {SHELF, BOX, PACKAGE}
    assert uses[GOODS] == {PACKAGE} and uses[PACKAGE] == set()


def test_classes_that_are_not_asked_for_are_not_seen(shop: Path) -> None:
    assert java.dependencies(shop, [TILL, GOODS]) == {TILL: {GOODS}, GOODS: set()}


def test_modules_that_are_missing_and_files_that_are_no_classes_do_not_matter(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    library = compiled(tmp_path / "lib", {"module-info.java": "module elsewhere { }"})
    sources = {"module-info.java": "module shop { requires elsewhere; }", "Goods.java": SOURCES["Goods.java"]}
    folder = compiled(tmp_path, sources, "--module-path", str(library))
    shutil.copy(shop / TILL, folder / "-v.class")
    (folder / "junk.class").write_text("not a class")
    names = ["-v.class", "junk.class", "module-info.class", GOODS]
    assert java.dependencies(folder, names) == {
        "-v.class": {GOODS},
        "junk.class": set(),
        "module-info.class": set(),
        GOODS: set(),
    }


def test_two_versions_of_a_class_are_two_files(shop: Path, tmp_path: Path) -> None:
    folder = part(shop, tmp_path, [TILL, GOODS])
    part(shop, folder / "META-INF/versions/9", [GOODS])
    newer = f"META-INF/versions/9/{GOODS}"
    assert java.dependencies(folder, [newer, TILL, GOODS]) == {TILL: {GOODS, newer}, GOODS: set(), newer: set()}


def test_names_outside_of_ascii_are_kept(tmp_path: Path) -> None:
    folder = compiled(tmp_path, {"Größe.java": "class Größe { Maß maß; } class Maß { }"})
    assert java.dependencies(folder, ["Größe.class", "Maß.class"]) == {"Größe.class": {"Maß.class"}, "Maß.class": set()}
