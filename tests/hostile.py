"""A hunt whose every text is hostile: what an engine, or whoever wrote a finding, could put there."""

import msgspec

from gainsay.campaign import config, events
from gainsay.campaign.interval import Interval, Tried
from gainsay.campaign.ledger import Ledger
from gainsay.core.model import Case, CaseName, Seat, Target
from gainsay.core.registry import family, oracle

EVIL = "</script></pre><script>alert(1)</script><img src=x onerror=alert(2)>\x00]]>&\"'`"
GROUP = "sqlite"
SCENE = "CREATE TABLE t0(c0)", "INSERT INTO t0(c0) VALUES (1)"
QUERY = "SELECT c0 FROM t0 WHERE c0 = 1"


def case():
    """A real case of `reference`, which is right."""
    scene, (query, *_), _ = family("sql").parse(SCENE, QUERY, "sqlite")
    recipe = oracle("sql", "reference").recipe_type(query)
    seat = Seat(0, Target("sqlite"), "3.40.1", "sqlite", ("ENABLE_FTS5",))
    return Case("sql", "reference", scene, recipe, (seat,), "as evaluated")


def finding(**other):
    """A finding of that case, with hostile text wherever text is."""
    evil = {
        "id": "sqlite-reference-00000001", "signature": f"sqlite: logic: {EVIL}", "kind": "logic",
        "status": "confirmed", "family": "sql", "oracle": "reference", "engine": "sqlite", "version": EVIL,
        "claim": "as evaluated", "words": EVIL, "why": EVIL, "seed": 1, "name": CaseName(GROUP, 0, "reference", 0),
        "case": msgspec.to_builtins(case()), "setup": (EVIL,), "texts": {"query": EVIL},
        "answers": {"query": [[EVIL]]}, "left": (EVIL, "1"), "right": ("1",), "detail": EVIL, "opinion": EVIL,
        "sides": {
            "left": {"fold": "rows", "steps": ["query"], "value": None},
            "right": {"fold": "rows", "steps": [], "value": [["1"]]}, "relation": "same bag", "rule": "exact",
        },
        "interval": Interval(EVIL, (Tried(EVIL, "+", EVIL),), 3, EVIL, EVIL, EVIL, EVIL), "title": "",
        "proof": EVIL,
    }  # fmt: skip
    return events.Finding(**{**evil, **other})


def hunt(*findings):
    """A campaign and its ledger."""
    seat = Seat(0, Target("sqlite"), "3.40.1", "sqlite", (EVIL,))
    group = config.Group(GROUP, "sql", (seat,), ("reference", "norec"))
    ledger = Ledger()
    ledger.take(events.Started("0", 1))
    ledger.take(events.Trouble(EVIL, EVIL))
    counts = events.Counts(checks=9, asks=9, scenes=1, answered=9, nonempty=8)
    told = {EVIL: 3}
    drawn = {f"op:{EVIL}": (3, 1), "op:=": (5, 5)}
    ledger.take(events.Progress(GROUP, counts, refusals=told, drawn=drawn, held={"reference": 9}))
    for number in range(6):
        ledger.take(events.Pulse(1000.0 + number, float(number), 2.0 * number, counts, number, number, 1))
    for each in findings:
        ledger.take(each)
        ledger.take(events.Settled(each.name, each.claim, each.id))
    return config.Campaign(1, ("sqlite",), (), (group,)), ledger
