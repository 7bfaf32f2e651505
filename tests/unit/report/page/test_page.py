"""The page of a hunt: whole, escaped, small, and with all that a reader looks for."""

import json
import re
import time
from html.parser import HTMLParser

import pytest
import sarif_pydantic

import hostile
from gainsay.campaign.interval import Interval, Tried
from gainsay.report import junit, sarif, script
from gainsay.report.page import page
from gainsay.report.page.charts import charts, moments, rounded
from gainsay.report.page.heat import heats


class Seen(HTMLParser):
    """Which elements and attributes a page has, and the text outside of scripts and styles."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.text, self._in = [], [], "", []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]
        self._in = [tag] if tag in ("script", "style") else self._in

    def handle_endtag(self, tag):
        self._in = [] if tag in self._in else self._in

    def handle_data(self, data):
        self.text += "" if self._in else data


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    campaign, ledger = hostile.hunt(hostile.finding())
    return page.page(campaign, ledger, tmp_path_factory.mktemp("hunt"))


def test_hostile_text_stays_text(made):
    seen = Seen(made)
    assert seen.tags.count("script") == 1
    assert "img" not in seen.tags
    assert not [a for a in seen.attributes if a[1].startswith("on")]
    assert "<script>alert(1)</script>" in seen.text


def test_a_page_needs_nothing_else(made):
    seen = Seen(made)
    outside = [a for a in seen.attributes if a[1] in ("src", "href") and not (a[2] or "").startswith("#")]
    assert outside == []
    assert not re.search(r"@import|url\(", made.partition("</style>")[0])


def test_its_policy_lets_just_its_own_script_and_style_run(made):
    policy = next(a[2] for a in Seen(made).attributes if a[:2] == ("meta", "content") and "default-src" in (a[2] or ""))
    script = made.partition("<script>")[2].rpartition("</script>")[0]
    style = made.partition("<style>")[2].partition("</style>")[0]
    assert f"script-src '{page.digest(script)}'" in policy
    assert f"style-src '{page.digest(style)}'" in policy
    assert "default-src 'none'" in policy
    assert ' style="' not in made


def test_it_says_what_was_hunted_what_was_found_and_what_was_not_tested(made):
    text = Seen(made).text
    for word in ("targets", "seed", "checks", "accepted", "Copy the script", "What was not tested", "LEFT JOIN"):
        assert word in text
    assert 'class="differs"' in made
    assert 'class="releases"' in made


def plain(number):
    """The texts of an ordinary finding."""
    script = "SELECT a1.c0, COUNT(*) FROM t0 LEFT JOIN t0 AS a1 ON a1.c0 = t0.c0 WHERE a1.c0 IS NOT NULL GROUP BY a1.c0"
    tried = tuple(Tried(f"1.{n}.0", "+-"[n > 4]) for n in range(9))
    interval = Interval("sqlite", tried, 40, "", "1.0.0", "1.4.0", "1.5.0")
    return {
        "signature": f"sqlite: logic: condition, outer join {number}", "version": "3.40.1", "words": "rows(query) must",
        "why": "The meaning of the statements, by the engine's own manual, gives exactly these rows.", "proof": "",
        "setup": ("CREATE TABLE t0(c0, c1 REAL GENERATED ALWAYS AS (c0))", "INSERT INTO t0(c0) VALUES (1), (NULL)"),
        "texts": {"query": script}, "answers": {"query": [["1"], ["2"]]}, "detail": "", "opinion": "",
        "interval": interval,
    }  # fmt: skip


def test_the_script_is_in_the_page_as_it_is(tmp_path):
    campaign, ledger = hostile.hunt(hostile.finding(**plain(1)))
    html = page.page(campaign, ledger, tmp_path)
    code = html.partition('<pre class="code" tabindex="0"><code>')[2].partition("</code>")[0]
    (finding,) = ledger.shown()
    assert Seen(code).text.strip() == script.text(finding).strip()
    assert page.SCRIPT in html


def test_two_hundred_findings_are_made_fast_and_are_not_large(tmp_path):
    many = [
        hostile.finding(
            id=f"sqlite-reference-{n:08x}", name=hostile.CaseName(hostile.GROUP, n, "reference", 0),
            **plain(n),
        )
        for n in range(200)
    ]  # fmt: skip
    campaign, ledger = hostile.hunt(*many)
    begun = time.process_time()
    text = page.page(campaign, ledger, tmp_path)
    assert text.count('<details class="finding') == 200
    assert len(text.encode("utf-8", "replace")) < 2_000_000
    assert time.process_time() - begun < 20  # docs/page.md has the figure; this is a bound for a busy machine


def test_a_hunt_without_findings_has_a_page_too(tmp_path):
    campaign, ledger = hostile.hunt()
    assert "No findings" in page.page(campaign, ledger, tmp_path)
    ledger.pulses.clear()
    assert "<figure>" not in page.sections(campaign, ledger, tmp_path)


def test_runs_in_one_folder_are_one_line_of_time():
    _, ledger = hostile.hunt()
    ledger.pulses += ledger.pulses[:3]
    assert [m.at_s for m in moments(ledger.pulses)] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert next(c.title for c in charts(ledger.pulses)) == "checks a second"
    assert [rounded(v) for v in (0.3, 1, 7, 51, 4999)] == [0.5, 1, 10, 100, 5000]


def test_what_could_be_drawn_and_was_not_is_told_apart_from_what_the_target_lacks():
    campaign, ledger = hostile.hunt()
    seat = campaign.groups[0].seats[0]
    lacking = hostile.Seat(0, seat.target, seat.version, seat.dialect, (), frozenset({"join:FULL JOIN"}))
    group = hostile.config.Group(hostile.GROUP, "sql", (lacking,), ("reference",))
    (heat,) = heats(hostile.config.Campaign(1, ("sqlite",), (), (group,)), ledger)
    joins = {row.name: row for table in heat.tables if table.kind == "joins" for row in table.rows}
    assert joins["FULL JOIN"].cells[0].text == "×"
    assert (joins["LEFT JOIN"].cells[0].text, joins["LEFT JOIN"].is_untested) == ("", True)
    ops = {row.name: row for table in heat.tables if table.kind.startswith("operators") for row in table.rows}
    assert not ops["="].is_untested
    assert ops[hostile.EVIL].cells[0].is_refused


def test_sarif_holds_hostile_text_and_tells_what_is_suppressed(tmp_path):
    campaign, ledger = hostile.hunt(hostile.finding(), hostile.finding(
        id="sqlite-reference-00000002", signature="sqlite: logic: b", status="known",
        name=hostile.CaseName(hostile.GROUP, 1, "reference", 0),
    ))  # fmt: skip
    report = json.loads(sarif.write(campaign, ledger, tmp_path))
    (run,) = report["runs"]
    assert (report["version"], run["tool"]["driver"]["name"]) == ("2.1.0", "gainsay")
    assert [("suppressions" in r) for r in run["results"]] == [False, True]
    first = run["results"][0]
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == first["ruleId"] == "sql/reference"
    place = first["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uri"] == "findings/sqlite-reference-00000001/repro.sql"
    assert place["uriBaseId"] in run["originalUriBaseIds"]
    assert first["partialFingerprints"]["gainsaySignature/v1"].startswith("sqlite: logic: ")
    assert json.loads(sarif.write(*hostile.hunt(), tmp_path))["runs"][0]["results"] == []


@pytest.mark.parametrize("findings", [[], [hostile.finding()], [hostile.finding(status="known", interval=None)]])
def test_sarif_is_what_the_standard_says_by_a_model_of_it_that_others_wrote(findings, tmp_path):
    text = sarif.write(*hostile.hunt(*findings), tmp_path)
    read = sarif_pydantic.Sarif.model_validate_json(text)
    assert len(read.runs[0].results) == len(findings)
    wrong = text.replace('"2.1.0"', '"2.1"').replace('"error"', '"bad"').replace('"driver"', '"diver"')
    with pytest.raises(ValueError, match="driver"):
        sarif_pydantic.Sarif.model_validate_json(wrong)


def test_junit_holds_hostile_text_and_fails_the_oracle_that_saw_it(tmp_path):
    from xml.etree import ElementTree

    campaign, ledger = hostile.hunt(hostile.finding())
    top = ElementTree.fromstring(junit.write(campaign, ledger, tmp_path))
    cases = {c.get("name"): c for c in top.iter("testcase")}
    assert cases["reference"].find("failure") is not None
    assert cases["norec"].find("skipped") is not None
    assert cases["always on"].find("failure") is None
    assert (top.get("tests"), top.get("failures"), top.get("skipped")) == ("3", "1", "1")
