"""How many causes a hunt met: what a release can't be asked tells nothing of where a cause begins or ends."""

from gainsay.campaign.siblings import GONE, SHOWS, UNASKABLE
from gainsay.cli.bench_causes import Run, counted, run_of


def span(states):
    words = {"+": SHOWS, "-": GONE, "?": UNASKABLE}
    return {f"3.{n}": words[state] for n, state in enumerate(states)}


def test_a_run_ends_where_a_contradiction_is_gone_and_may_go_on_where_nobody_can_ask():
    assert run_of(span("-++-+"), 1) == Run(1, 1, 2, 2)
    assert run_of(span("-?+?-"), 2) == Run(1, 2, 2, 3)
    assert run_of(span("??+-+"), 2) == Run(0, 2, 2, 2)


def test_a_contradiction_that_older_releases_cannot_be_asked_counts_for_a_cause_that_it_may_have():
    runs = [run_of(span(states), 2) for states in ("+++-", "??+-", "-?+-", "--++")]
    assert counted(runs, []) == {(0, 2): 2, (2, 2): 1, (2, 3): 1}
    assert counted(runs[1:2], []) == {(2, 2): 1}


def test_what_is_reported_comes_first_and_what_contradicts_it_is_another_cause():
    runs = [run_of(span(states), 2) for states in ("?++-", "-++-", "+++-")]
    assert counted(runs, [(0, 2)]) == {(0, 2): 2, (1, 2): 1}
