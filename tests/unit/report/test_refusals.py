"""What an engine refused is kept with the statement and all that it said."""

from collections import Counter
from types import SimpleNamespace

from gainsay.campaign import events
from gainsay.campaign.episode import Stage
from gainsay.campaign.ledger import Ledger
from gainsay.core.answer import Refused
from gainsay.report import refusals


def test_the_whole_message_is_kept_and_not_its_first_line(tmp_path):
    stage = Stage.__new__(Stage)
    stage.group, stage.refusals, stage.samples, stage._sampled = SimpleNamespace(key="duckdb"), Counter(), {}, set()
    for number in (1, 2):
        stage._refused(f"SELECT f({number})", Refused("type", f"Binder Error: no f({number})\n\nLINE 1: SELECT f"))
    ledger = Ledger()
    ledger.take(events.Progress("duckdb", events.Counts(), refusals=dict(stage.refusals), samples=stage.samples))
    assert refusals.write(ledger, tmp_path)
    (file,) = (tmp_path / "refused").iterdir()
    text = file.read_text()
    assert (
        "refused 2 times" in text
        and "Statement:\nSELECT f(1)\n" in text
        and text.endswith("Binder Error: no f(1)\n\nLINE 1: SELECT f\n")
    )
