"""The search for the releases between which a contradiction came and went."""

import random

import pytest

from gainsay.campaign.interval import Interval, Tried, twins
from gainsay.campaign.siblings import GONE, SHOWS, UNASKABLE
from gainsay.core.model import Target
from gainsay.triage import bisecting
from gainsay.triage.again import Outcome
from gainsay.triage.bisecting import Search, edge


def searched(states):
    """The result of a search over states, and the places that it asked."""
    asked = []

    def state(place, following):
        asked.append(place)
        assert all(0 <= n < len(states) for n in following)
        return states[place]

    return edge(len(states), state), set(asked)


@pytest.mark.parametrize("wrong", range(1, 40))
def test_the_edge_of_one_interval_is_found_in_few_questions(wrong):
    states = [SHOWS] * wrong + [GONE] * (40 - wrong)
    found, asked = searched(states)
    assert found == (wrong - 1, wrong)
    assert {wrong - 1, wrong} <= asked | {0}
    assert len(asked) <= 8


def test_what_shows_on_the_last_one_has_no_edge():
    assert searched([SHOWS] * 9) == ((8, -1), {8})
    assert searched([SHOWS]) == ((0, -1), set())


def test_what_can_not_be_asked_is_searched_around():
    found, _ = searched([*SHOWS * 3, *UNASKABLE * 5, *GONE * 4])
    assert found == (2, 8)
    found, asked = searched([*SHOWS * 3, *UNASKABLE * 60])
    assert found == (2, -1)
    assert len(asked) < 16  # it does not ask all of them


def test_random_ladders_agree_with_a_look_at_every_rung():
    compared = 0
    for seed in range(4000):
        draw = random.Random(seed)
        wrong, right = draw.randint(1, 12), draw.randint(0, 12)
        states = [SHOWS] * wrong + [GONE] * right
        lost = draw.choice((0.0, 0.2, 0.6))
        states = [states[0]] + [UNASKABLE if draw.random() < lost else s for s in states[1:]]
        (low, gone), _ = searched(states)
        assert states[low] == SHOWS
        assert gone == -1 or (low < gone and states[gone] == GONE)
        if lost == 0.0:
            assert (low, gone) == (wrong - 1, wrong if right else -1)
            compared += 1
    assert compared > 1000


class Ladder:
    """Releases of which each has a state."""

    def __init__(self, monkeypatch, states):
        self.states = {f"1.{n}.0": state for n, state in enumerate(states)}
        self.asked = []
        monkeypatch.setattr(bisecting.rungs, "brought", lambda engine, version: "")

    def ask(self, finding, target):
        self.asked.append(target.version)
        state = self.states[target.version]
        return Outcome(state, "no such word" if state == UNASKABLE else "")

    def search(self, start):
        return Search(None, Target("duckdb"), list(self.states), ask=self.ask).run(start)


def test_both_ends_and_a_release_beyond_each_are_told(monkeypatch):
    ladder = Ladder(monkeypatch, GONE * 10 + SHOWS * 7 + GONE * 10)
    found = ladder.search("1.12.0")
    assert (found.before, found.introduced, found.last, found.fixed) == ("1.9.0", "1.10.0", "1.16.0", "1.17.0")
    assert {"1.8.0", "1.18.0"} <= set(ladder.asked)
    assert len(ladder.asked) == len(set(ladder.asked)) == len(found.tried) < 16
    assert [t.version for t in found.tried] == sorted(ladder.asked, key=lambda v: int(v.split(".")[1]))
    assert found.told() == "since 1.10.0 (1.9.0 is right), until 1.16.0 (1.17.0 is right again)"
    assert found.is_whole


def test_a_finding_of_a_build_between_two_releases_begins_at_the_nearest_that_shows_it(monkeypatch):
    found = Ladder(monkeypatch, GONE * 3 + SHOWS * 2 + GONE).search("1.2.9")
    assert (found.introduced, found.last) == ("1.3.0", "1.4.0")


def test_what_shows_nowhere_has_no_interval(monkeypatch):
    found = Ladder(monkeypatch, GONE * 9).search("1.4.0")
    assert found.introduced == ""
    assert len(found.tried) == bisecting.NEAR


def test_a_release_that_can_not_be_brought_is_told_and_searched_around(monkeypatch):
    ladder = Ladder(monkeypatch, GONE * 4 + SHOWS * 4)
    monkeypatch.setattr(
        bisecting.rungs, "brought", lambda engine, version: "no wheel" if version in ("1.3.0", "1.4.0") else ""
    )
    found = ladder.search("1.6.0")
    assert (found.before, found.introduced) == ("1.2.0", "1.5.0")
    assert {t.why for t in found.tried if t.state == UNASKABLE} == {"no wheel"}
    assert not {"1.3.0", "1.4.0"} & set(ladder.asked)


def test_what_is_known_stays_when_it_is_interrupted(monkeypatch):
    ladder = Ladder(monkeypatch, GONE * 8 + SHOWS * 8)

    def ask(finding, target):
        if len(ladder.asked) == 4:
            raise KeyboardInterrupt
        return ladder.ask(finding, target)

    search = Search(None, Target("duckdb"), list(ladder.states), ask=ask)
    with pytest.raises(KeyboardInterrupt):
        search.run("1.12.0")
    known = search.interval()
    assert len(known.tried) == 4
    assert not known.is_whole
    assert "the search was ended early" in known.told()


def test_an_interval_names_releases_outside_of_it_that_are_wrong_as_well():
    tried = (Tried("1.0.0", SHOWS), Tried("1.1.0", GONE), Tried("1.2.0", SHOWS), Tried("1.3.0", GONE))
    found = Interval("duckdb", tried, 4, "1.1.0", "1.2.0", "1.2.0", "1.3.0")
    assert found.outside() == ["1.0.0"]
    assert "also in 1.0.0" in found.told()


def test_findings_that_came_and_went_together_are_put_beside_each_other():
    one = Interval("duckdb", (), 4, "1.1.0", "1.2.0", "1.2.0", "1.3.0")
    all_of_them = Interval("duckdb", (), 4, "", "1.0.0", "1.3.0", "")
    assert twins([("a", one), ("b", all_of_them), ("c", one), ("d", all_of_them)]) == [["a", "c"]]
