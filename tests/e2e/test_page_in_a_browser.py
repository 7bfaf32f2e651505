"""The page in a real browser: its script runs under its own policy, and hostile text does not."""

import shutil
import subprocess

import pytest

import hostile
from gainsay.report.page import page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="a browser is not here: apt-get install chromium")
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=3000",
]
# What a user does, done by a script of the test's own in the place of the page's clicks
FILTER = """
document.getElementById("search").value = "second";
document.getElementById("search").dispatchEvent(new Event("input", {bubbles: true}));
"""


def shown(path, profile, fragment=""):
    """The document as it stands after its scripts have run."""
    command = [CHROMIUM, *QUIET, f"--user-data-dir={profile}", "--dump-dom", f"{path.as_uri()}{fragment}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


@pytest.fixture
def written(tmp_path):
    """A page with two findings, with more script in it if wanted."""

    def write(extra=""):
        first = hostile.finding()
        second = hostile.finding(
            id="sqlite-reference-00000002", signature="sqlite: logic: the second", words="w", why="w", setup=(),
            detail="", texts={"query": "SELECT 2"}, version="1", opinion="", proof="", interval=None,
            name=hostile.CaseName(hostile.GROUP, 1, "reference", 0),
        )  # fmt: skip
        campaign, ledger = hostile.hunt(first, second)
        page.environment.cache_clear()
        kept = page.files
        page.files = lambda name: kept(name) + (extra if name == "page.js" else "")
        try:
            text = page.page(campaign, ledger, tmp_path)
        finally:
            page.files = kept
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_an_address_with_a_finding_in_it_opens_that_one(written, tmp_path):
    dom = shown(written(), tmp_path / "profile", "#sqlite-reference-00000002")
    assert '<details class="finding" id="sqlite-reference-00000002"' in dom
    opened = [part.partition(">")[0] for part in dom.split("<details ")[1:] if " open" in part.partition(">")[0]]
    assert len([o for o in opened if 'class="finding"' in o and "00000002" in o]) == 1
    assert not [o for o in opened if "00000001" in o]
    assert dom.count("<script>") == 1 and "<img" not in dom


def test_a_search_hides_what_does_not_fit(written, tmp_path):
    dom = shown(written(FILTER), tmp_path / "profile")
    hidden = [part.partition(">")[0] for part in dom.split("<details ")[1:] if " hidden" in part.partition(">")[0]]
    assert [("00000001" in h) for h in hidden] == [True]
    assert "1 of 2" in dom
