"""What is asked for is probed, and what is probed is drawn."""

import re
from pathlib import Path

import pytest

from cypher_standin import DIALECTS, FAMILY, Standin, seats
from gainsay.families.cypher import probe
from gainsay.families.cypher.drawing import lexicon
from gainsay.families.cypher.meaning.scene_cache import profile_of

SEATED = seats()
STANDARD = profile_of(SEATED)
TEXT = FAMILY.dialect("neo4j").text


SOURCES = [
    *sorted(Path(lexicon.__file__).parents[1].rglob("*.py")),
    *sorted((Path(lexicon.__file__).parents[3] / "oracles").glob("cypher_*.py")),
]


def named():
    """Features that the sources ask a lexicon for: has("...") as they stand, f-strings as patterns."""
    found = set()
    for path in SOURCES:
        text = path.read_text()
        for call in re.finditer(r'\bhas\((f?)"([^"]+)"(?: if [^)]*? else (f?)"([^"]+)")?', text):
            for is_f, feature in (call.groups()[:2], call.groups()[2:]):
                if feature and re.match(r"\w+:[\w{]", feature):
                    found.add(re.sub(r"\{[^}]*\}", "\0", feature) if is_f else feature)
        for needs in re.finditer(r"^NEEDS = \{(.*?)\}", text, re.S | re.M):
            found |= {f for f in re.findall(r': "([^"]+)"', needs[1]) if ":" in f}
    return found


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_feature_that_is_asked_for_is_probed(dialect):
    probed = {p.feature for p in probe.probes(FAMILY.dialect(dialect))}
    patterns = [re.compile(re.escape(f).replace("\0", ".+") + "$") for f in named()]
    assert len(patterns) > 40
    for pattern in patterns:
        if pattern.pattern.startswith(("op:", "op\\:")) and "/" not in pattern.pattern:
            continue  # an operator as a whole: a dialect may lack it
        assert any(pattern.match(f) for f in probed), pattern.pattern


def test_every_probe_is_about_something_that_is_drawn():
    patterns = [re.compile(re.escape(f).replace("\0", ".+") + "$") for f in named()]
    for feature in {p.feature for p in probe.probes(FAMILY.dialect("neo4j"))}:
        assert feature.startswith("op:") or any(p.match(feature) for p in patterns), feature


@pytest.mark.parametrize("dialect", [d for d in DIALECTS if d != "kuzu"])
def test_a_probe_has_a_name_of_its_own_and_is_taken_by_an_engine_that_takes_everything(dialect):
    names = [p.feature for p in probe.probes(FAMILY.dialect(dialect))]
    assert len(set(names)) == len(names)
    standin = Standin()
    refused = set()
    for each in probe.probes(FAMILY.dialect(dialect)):
        standin.reset()
        for text in (*each.setup, *each.texts):
            answer = standin.ask(text)
            if not hasattr(answer, "rows") and not re.match("agg:(sum|avg) (str|bool)|op:toBoolean", each.feature):
                refused.add((each.feature, text, str(answer)))
    assert not refused


def test_every_operator_is_probed_with_each_typing():
    probed = {p.feature for p in probe.probes(FAMILY.dialect("neo4j"))}
    assert {feature for feature, *_ in lexicon.variants()} <= probed
