"""The documents name files that are there, and hooks of oracles as the port calls them."""

import inspect
import re
from pathlib import Path

import pytest

from gainsay.core.oracle import Oracle

ROOT = Path(__file__).parents[2]
DOCS = ["ARCHITECTURE.md", "README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]
MADE = {"repro.py", "gainsay_pocket.py"}  # by a hunt, or by who reads
GONE = {"docs/design-differences.md": {"engines/command.py"}}  # of the first design, never built


def there():
    """The paths of all files, and every end of each."""
    paths = [p for folder in ("src", "tests", "tools", "docs") for p in (ROOT / folder).rglob("*")]
    return {"/".join(p.parts[n:]) for p in paths if "__pycache__" not in p.parts for n in range(len(p.parts))}


def files_in(text):
    """What looks like a file of Python's in text outside of code blocks; NAME and the like stand for any."""
    prose = re.sub(r"```.*?```", "", text, flags=re.S)
    return {name for name in re.findall(r"`([\w./-]+\.py)`", prose) if not re.search(r"[A-Z]{3}|\ba/b\b|test_b", name)}


@pytest.fixture(scope="module")
def files():
    return there()


@pytest.mark.parametrize("doc", DOCS)
def test_every_file_that_a_document_names_is_there(doc, files):
    named = files_in((ROOT / doc).read_text("utf-8"))
    assert named - files - MADE - GONE.get(doc, set()) == set()


def test_the_law_sees_files():
    assert files_in("`a.py`, `NAME.py`\n```\n`b.py`\n```") == {"a.py"}
    assert sum(len(files_in((ROOT / doc).read_text("utf-8"))) for doc in DOCS) > 20


def test_the_hooks_of_an_oracle_are_listed_as_they_are_called():
    text = (ROOT / "docs/adding-an-oracle.md").read_text("utf-8")
    listed = dict(re.findall(r"^\| `(\w+)\(([\w, ]*)\)` \|", text, re.M))
    hooks = {name: hook for name, hook in vars(Oracle).items() if inspect.isfunction(hook) and name[0] != "_"}
    wanted = {name: ", ".join(list(inspect.signature(hook).parameters)[1:]) for name, hook in hooks.items()}
    assert listed == wanted


def anchor(heading):
    """What a heading is called in a link to it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def links(doc):
    """The files, and places in them, that a document leads to."""
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", (ROOT / doc).read_text("utf-8"), flags=re.S)
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", prose) if "://" not in link]


@pytest.mark.parametrize("doc", DOCS)
def test_every_link_leads_somewhere(doc):
    for link in links(doc):
        path, _, place = link.partition("#")
        page = (ROOT / doc).parent / path if path else ROOT / doc
        assert page.exists(), link
        headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.M) if place else []
        assert not place or place in map(anchor, headings), link


def test_the_law_sees_links():
    assert sum(len(links(doc)) for doc in DOCS) > 30
