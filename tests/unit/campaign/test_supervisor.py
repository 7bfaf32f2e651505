"""The supervisor with workers and triage processes whose parts are played: leases, deaths, budgets, what is handed
on."""

import msgspec
import pytest

from children import PlayedTriage, PlayedWorker
from gainsay.campaign import events, journal
from gainsay.campaign.config import Campaign, Group
from gainsay.campaign.leasing import FRUITLESS, VOID, Limits
from gainsay.campaign.ledger import OFTEN, Ledger
from gainsay.campaign.recorder import ASKING, IDLE, LOADING
from gainsay.campaign.slot import untold
from gainsay.campaign.supervisor import Supervisor
from gainsay.core.model import CaseName, Seat, Target
from gainsay.errors import GainsayError

SQLITE = Group("sqlite", "sql", (Seat(0, Target("sqlite"), "3", "sqlite"),), ("norec", "tlp"))
APSW = Group("apsw", "sql", (Seat(0, Target("apsw"), "3", "sqlite"),), ("norec",))


class House:
    """A supervisor, and all whom it started."""

    def __init__(self, folder, limits, groups, worker, triage, ledger=None):
        self.journal = journal.Journal(folder / "journal.jsonl")
        self.workers, self.triages, self.told = [], [], []
        self.worker, self.triage = worker, triage
        campaign = Campaign(7, tuple(g.key for g in groups), (), tuple(groups))
        self.supervisor = Supervisor(
            campaign, ledger or Ledger(), self.journal, limits, folder / ".run", self.emit, self.start
        )

    def emit(self, what, value):
        if what != "tick":
            self.told.append((what, value))

    def start(self, module, room, log):
        if module == "gainsay.campaign.worker":
            self.workers.append(self.worker(log, len(self.workers)))
            return self.workers[-1]
        assert module == "gainsay.triage.worker"
        self.triages.append(self.triage(log))
        return self.triages[-1]

    @property
    def ledger(self):
        return self.supervisor.ledger

    def stints(self, key=None):
        """All episodes that were leased, in order."""
        chosen = [w for w in self.workers if key in (None, w.setup["group"]["key"])]
        return [stint for w in chosen for lease in w.leases for stint in lease.episodes]

    def kept(self, kind):
        return [e for e in journal.read(self.journal.path) if isinstance(e, kind)]


@pytest.fixture
def house(tmp_path):
    made = []

    def build(limits, *groups, worker=PlayedWorker, triage=PlayedTriage, ledger=None):
        made.append(House(tmp_path, limits, groups or (SQLITE,), worker, triage, ledger))
        return made[-1]

    yield build
    for each in made:
        each.supervisor.close()
        each.journal.close()


# --- budgets and leases ---


def test_a_counted_hunt_leases_each_episode_once_and_the_last_one_shorter(house):
    made = house(Limits(checks=200))
    made.supervisor.hunt()
    assert made.stints() == [events.Stint(0, 80), events.Stint(1, 80), events.Stint(2, 40)]
    assert made.ledger.counts.checks == 200 and made.ledger.done["sqlite"] == {0, 1}
    assert made.workers[0].is_killed, "nobody stays behind"


def test_two_groups_share_the_checks_and_the_first_has_the_odd_one(house):
    made = house(Limits(checks=101), SQLITE, APSW)
    made.supervisor.hunt()
    assert made.ledger.made == {"sqlite": 51, "apsw": 50}


def test_a_worker_is_told_seed_group_settings_and_limits(house):
    made = house(Limits(checks=1, memory=5 << 20))
    made.supervisor.hunt()
    setup = made.workers[0].setup
    assert (setup["seed"], setup["group"]["key"], setup["memory"]) == (7, "sqlite", 5 << 20)


def test_several_workers_begin_with_several_groups(house):
    made = house(Limits(checks=400, workers=2), SQLITE, APSW)
    made.supervisor.hunt()
    assert {w.setup["group"]["key"] for w in made.workers[:2]} == {"sqlite", "apsw"}


def test_what_an_earlier_run_did_is_not_done_again(house):
    ledger = Ledger()
    ledger.take(events.Progress("sqlite", events.Counts(checks=110), done=(0,), partial={1: 30}))
    made = house(Limits(checks=200), ledger=ledger)
    made.supervisor.hunt()
    assert made.stints() == [events.Stint(1, 80, 30), events.Stint(2, 40)]


def test_conversations_that_were_no_checks_are_made_up_for_until_their_own_budget_ends(house):
    class Idle(PlayedWorker):
        def hold(self, stint):
            super().hold(stint, checks=0)

    made = house(Limits(checks=100), worker=Idle)
    made.supervisor.hunt()
    assert sum(s.checks - s.start for s in made.stints()) == 100 + VOID


def test_where_half_of_them_were_none_the_rest_is_made(house):
    class Half(PlayedWorker):
        def hold(self, stint):
            super().hold(stint, checks=(stint.checks - stint.start + 1) // 2)

    made = house(Limits(checks=100), worker=Half)
    made.supervisor.hunt()
    assert made.ledger.counts.checks == 100


def test_a_hunt_ends_when_its_time_is_over(house):
    made = house(Limits(for_s=0.3))
    made.supervisor.hunt()
    assert made.stints() and made.supervisor.left_s == 0


def test_leases_grow_with_the_speed_of_the_workers(house):
    made = house(Limits(checks=80 * 60))
    made.supervisor.hunt()
    sizes = [len(lease.episodes) for lease in made.workers[0].leases]
    assert sizes[0] == 1 and max(sizes) > 2 and sum(sizes) == 60


# --- deaths ---


class Mortal(PlayedWorker):
    """The first worker dies over a question, in the middle of its first lease."""

    moment = (0, 5, ASKING)
    told = (-1, 0)

    def work(self, stints):
        if self.number:
            super().work(stints)
            return
        if self.told[1]:
            counts = events.Counts(checks=self.told[1])
            self.say(events.Progress(self.setup["group"]["key"], counts, reached=self.told))
        self.record(*self.moment, "SELECT the end")
        self.die("Segmentation fault")


def test_a_death_is_put_to_its_exact_check_and_the_rest_of_the_episode_is_made(house):
    made = house(Limits(checks=80), worker=Mortal)
    made.supervisor.hunt()
    (raw,) = made.kept(events.Raw)
    assert raw.name == CaseName("sqlite", 0, "tlp", 5) and raw.claim == "crash" and raw.text == "SELECT the end"
    assert raw.detail == "SIGSEGV\nSegmentation fault"
    assert made.workers[1].leases[0].episodes == (events.Stint(0, 80, 0, 0, (5,)),)
    assert made.ledger.counts.checks == 79 + 1, "another check is made for the one that was none"


def test_of_what_the_dead_one_had_told_nothing_is_counted_twice(house):
    class Told(Mortal):
        moment, told = (0, 37, ASKING), (0, 32)

    made = house(Limits(checks=80), worker=Told)
    made.supervisor.hunt()
    assert made.workers[1].leases[0].episodes == (events.Stint(0, 80, 32, 0, (37,)),)


def test_a_death_while_a_scene_is_loaded_ends_its_episode(house):
    class Loading(Mortal):
        moment = (0, 0, LOADING)

    made = house(Limits(checks=160), worker=Loading)
    made.supervisor.hunt()
    assert made.kept(events.Raw)[0].name == CaseName("sqlite", 0, "load", 0)
    assert made.ledger.done["sqlite"] >= {0} and 0 not in {
        s.episode for w in made.workers[1:] for le in w.leases for s in le.episodes
    }


class Gone(Mortal):
    """The first worker ends between two questions."""

    moment = (0, 0, IDLE)


@pytest.mark.parametrize(
    ("told", "left"),
    [((-1, 0), events.Stint(0, 80)), ((0, 48), events.Stint(0, 80, 48))],
    ids=["nothing was told", "a part was told"],
)
def test_what_a_worker_that_is_gone_did_not_tell_of_is_left_for_another(house, told, left):
    made = house(Limits(checks=80), worker=type("Told", (Gone,), {"told": told}))
    made.supervisor.hunt()
    assert made.workers[1].leases[0].episodes == (left,)
    assert made.ledger.counts.checks == 80 and not made.kept(events.Raw)


def test_an_episode_that_was_told_to_its_end_is_done_though_its_worker_could_not_say_so(house):
    made = house(Limits(checks=160), worker=type("Told", (Gone,), {"told": (0, 80)}))
    made.supervisor.hunt()
    assert made.workers[1].leases[0].episodes == (events.Stint(1, 80),)
    assert made.ledger.counts.checks == 160 and made.ledger.done["sqlite"] == {0, 1}


def test_the_last_and_shorter_episode_is_known_to_have_gone_so_far(house):
    made = house(Limits(checks=20), worker=type("Told", (Gone,), {"told": (0, 20)}))
    made.supervisor.hunt()
    assert made.ledger.partial["sqlite"] == {0: 20} and made.ledger.counts.checks == 20


def test_an_episode_is_taken_up_behind_what_was_told_of_it():
    stint = events.Stint(3, 80, 0, 5, (7,))
    assert untold(stint, (3, 48)) == events.Stint(3, 80, 48, 0, (7,))
    assert untold(stint, (2, 48)) == stint
    assert untold(events.Stint(3, 80, 64), (3, 48)) == events.Stint(3, 80, 64)


def test_workers_that_do_not_stay_alive_end_the_hunt_and_say_why(house):
    class Dying(PlayedWorker):
        def work(self, stints):
            self.record(0, 0, IDLE, "")
            self.die("no such module")

    made = house(Limits(checks=80), worker=Dying)
    with pytest.raises(GainsayError, match=r"Workers for sqlite do not stay alive .*no such module"):
        made.supervisor.hunt()
    assert len(made.workers) == 6


def test_a_worker_that_uses_too_much_memory_is_ended_and_that_is_a_contradiction(house):
    class Large(Mortal):
        def work(self, stints):
            if self.number:
                super().work(stints)
            else:
                self.record(0, 9, ASKING, "SELECT a lot")
                self.used_memory = 3 << 30

    made = house(Limits(checks=80, memory=2 << 30), worker=Large)
    made.supervisor.hunt()
    (raw,) = made.kept(events.Raw)
    assert (raw.claim, raw.name.check, raw.text) == ("memory", 9, "SELECT a lot")
    assert made.workers[0].is_killed and made.workers[1].leases[0].episodes[0].skip == (9,)


def test_a_worker_that_works_on_one_question_too_long_is_ended_and_that_is_a_contradiction(house):
    class Stuck(Mortal):
        def work(self, stints):
            if self.number:
                super().work(stints)
            else:
                self.record(0, 9, ASKING, "SELECT for ever")

        def cpu(self):
            self.used_cpu += 1000.0  # seconds, each time that somebody looks
            return self.used_cpu

    made = house(Limits(checks=80), worker=Stuck)
    made.supervisor.hunt()
    assert [(r.claim, r.text) for r in made.kept(events.Raw)] == [("hang", "SELECT for ever")]


def test_an_engine_that_is_gone_for_good_ends_the_hunt_and_what_waits_waits(house):
    class Serverless(PlayedWorker):
        def work(self, stints):
            self.say(raw(1), events.Gone("start the server again"))

    made = house(Limits(checks=800), worker=Serverless)
    made.supervisor.hunt()
    assert made.supervisor.gone == "start the server again" and made.ledger.counts.checks == 0
    made.supervisor.settle(5)
    assert not made.triages and made.ledger.waiting() == 1


# --- mistakes ---


def trouble(number=1, oracle="", times=1):
    return events.Trouble("sqlite, episode 0", f'  File "a.py", line {number}\nOops', oracle, "sqlite", times)


def test_a_mistake_is_shown_once_and_its_traceback_kept_once(house):
    class Clumsy(PlayedWorker):
        def hold(self, stint):
            self.say(trouble(1), trouble(1), trouble(2))
            super().hold(stint)

    made = house(Limits(checks=80), worker=Clumsy)
    made.supervisor.hunt()
    assert [what for what, _ in made.told] == ["trouble", "trouble"] and made.supervisor.troubles == 3
    assert [bool(e.traceback) for e in made.kept(events.Trouble)] == [True, False, True]


@pytest.mark.parametrize(("answered", "is_given_up"), [(0, True), (1, False)])
def test_a_group_in_which_nothing_but_failed_draws_happens_is_given_up(house, answered, is_given_up):
    class Drawless(PlayedWorker):
        def hold(self, stint):
            super().hold(stint, checks=0, answered=answered)
            self.say(trouble(oracle="norec", times=FRUITLESS))

    made = house(Limits(checks=80 * 50), worker=Drawless)
    made.supervisor.hunt()
    assert (made.supervisor.leases.fruitless == {"sqlite"}) == is_given_up
    assert made.supervisor.undrawn["norec"] == FRUITLESS * len(made.stints()) and made.supervisor.troubles == 0
    assert (len(made.stints()) < 10) == is_given_up


# --- what is found ---


def raw(number=1, claim="filtered rows", shape=("comparison",)):
    return events.Raw(CaseName("sqlite", 0, "norec", number), claim, shape, {"a": 1}, text="SELECT 1")


def finding(number=1, **more):
    told = {
        "id": f"sqlite-norec-{number}", "signature": f"sqlite: logic: {number}", "kind": "logic",
        "status": "confirmed", "family": "sql",
        "oracle": "norec", "engine": "sqlite", "version": "3", "claim": "filtered rows", "words": "", "why": "",
        "seed": 7,
        "name": CaseName("sqlite", 0, "norec", number), "case": {"a": 1}, "setup": (), "texts": {}, "answers": {},
        "shape": (f"shape {number}",),
        "bucket": (f"shape {number}",),
    }  # fmt: skip
    return events.Finding(**(told | more))


class Contradicted(PlayedWorker):
    """Each of the first two episodes meets a contradiction."""

    def hold(self, stint):
        if stint.episode < 2:
            self.say(raw(stint.episode + 1, shape=(f"shape {stint.episode + 1}",)))
        super().hold(stint)


class Finder(PlayedTriage):
    def look(self, job, raw):
        self.say(finding(raw.name.check))


def test_in_a_counted_hunt_contradictions_are_looked_at_afterwards_in_the_order_of_their_names(house):
    made = house(Limits(checks=160), worker=Contradicted, triage=Finder)
    made.supervisor.hunt()
    assert not made.triages and made.ledger.waiting() == 2
    made.supervisor.settle(0)
    assert [job["raw"]["name"]["check"] for job in made.triages[0].jobs] == [1, 2]
    assert [value.id for what, value in made.told if what == "finding"] == ["sqlite-norec-1", "sqlite-norec-2"]
    assert not made.ledger.waiting() and len(made.kept(events.Finding)) == 2


def test_a_hunt_on_the_clock_has_them_looked_at_at_once(house):
    made = house(Limits(for_s=0.5), worker=Contradicted, triage=Finder)
    made.supervisor.hunt()
    assert len(made.ledger.findings) == 2


def test_a_hunt_may_end_with_so_many_findings(house):
    made = house(Limits(checks=80 * 5000, stop_after=1), worker=Contradicted, triage=Finder)
    made.supervisor.hunt()
    assert len(made.ledger.findings) >= 1 and made.ledger.counts.checks < 80 * 5000


def test_the_job_says_all_that_is_needed_to_look_at_a_contradiction(house):
    made = house(Limits(checks=80, memory=1 << 20), worker=Contradicted)
    made.supervisor.hunt()
    made.supervisor.settle(0)
    (job,) = made.triages[0].jobs
    assert (job["seed"], job["group"]["key"], job["hosted"], job["memory"]) == (7, "sqlite", False, 1 << 20)
    assert msgspec.convert(job["raw"], events.Raw) == raw(1, shape=("shape 1",))


def test_what_nobody_sees_again_is_settled_with_its_reason(house):
    made = house(Limits(checks=80), worker=Contradicted)
    made.supervisor.hunt()
    made.supervisor.settle(0)
    assert made.ledger.vanished == 1 and made.kept(events.Settled)[0].note == "nothing"


class Fatal(PlayedTriage):
    """The case kills who looks at it."""

    def look(self, job, raw):
        self.die()


def test_a_case_that_kills_who_looks_at_it_is_looked_at_from_outside_and_then_given_up(house):
    made = house(Limits(checks=80), worker=Contradicted, triage=Fatal)
    made.supervisor.hunt()
    made.supervisor.settle(0)
    assert [job["hosted"] for triage in made.triages for job in triage.jobs] == [False, True]
    assert [s.note for s in made.kept(events.Settled)] == ["the engine died over it"]


def test_a_mistake_of_ours_over_a_case_costs_one_case(house):
    class Clumsy(Finder):
        def look(self, job, raw):
            if raw.name.check == 1:
                self.say(trouble())
            else:
                super().look(job, raw)

    made = house(Limits(checks=160), worker=Contradicted, triage=Clumsy)
    made.supervisor.hunt()
    made.supervisor.settle(0)
    assert [s.note for s in made.kept(events.Settled)] == ["gainsay failed over it", ""]
    assert list(made.ledger.findings) == ["sqlite-norec-2"] and made.supervisor.troubles == 1


def test_an_interrupted_hunt_looks_for_a_while_only(house):
    class Slow(PlayedTriage):
        def look(self, job, raw):
            pass

    made = house(Limits(checks=80), worker=Contradicted, triage=Slow)
    made.supervisor.hunt()
    made.supervisor.is_interrupted = True
    made.supervisor.settle(0.2)
    assert made.ledger.waiting() == 1


def test_what_looks_known_is_first_looked_for_on_the_siblings(house):
    class Spanning(PlayedTriage):
        def look(self, job, raw):
            for each in job["spanned"]:
                told = msgspec.convert(each, events.Raw)
                self.say(events.Spanned(told.name, told.claim, {"3.1": "+", "3.2": "-"}))
            for each in job["replayed"]:
                told = msgspec.convert(each["raw"], events.Raw)
                self.say(events.Replayed(told.name, told.claim, next(iter(each["known"]))))
            if not job["spanned"] and not job["replayed"]:
                super().look(job, raw)

    ledger = Ledger()
    known = finding(1, span={"3.1": "+", "3.2": "-"}, name=CaseName("sqlite", 9, "norec", 1))
    ledger.found(known)
    made = house(Limits(checks=80), worker=Contradicted, triage=Spanning, ledger=ledger)
    made.supervisor.hunt()
    made.supervisor.settle(0)
    first, second, third = made.triages[0].jobs
    assert [r["name"]["check"] for r in first["spanned"]] == [1] and not second["spanned"] and not first["replayed"]
    assert [list(r["known"]) for r in second["replayed"]] == [["sqlite-norec-1"]] and made.kept(events.Replayed)
    assert third["span"] == {"3.1": "+", "3.2": "-"} and not third["replayed"]
    assert [k["id"] for k in third["known"]] == ["sqlite-norec-1"] and made.kept(events.Spanned)


def test_a_job_that_dies_over_known_triggers_leaves_repetitions(house):
    class Dying(PlayedTriage):
        def look(self, job, raw):
            self.die() if job["replayed"] else super().look(job, raw)

    ledger = Ledger()
    ledger.found(finding(1, name=CaseName("sqlite", 9, "norec", 1)))
    made = house(Limits(checks=80), worker=Contradicted, triage=Dying, ledger=ledger)
    made.supervisor.hunt()
    made.supervisor.settle(0)
    (told,) = made.kept(events.Replayed)
    assert told.finding == "sqlite-norec-1" and made.ledger.waiting() == 0


def test_known_deaths_are_named_to_the_workers(house):
    ledger = Ledger()
    for number in range(OFTEN):
        ledger.found(
            finding(kind="crash", claim="crash", shape=("a", "b"), name=CaseName("sqlite", 9, "norec", number)), "crash"
        )
    made = house(Limits(checks=80), ledger=ledger)
    made.supervisor.hunt()
    assert made.workers[0].leases[0].shunned == (("a", "b"),)


def test_contradictions_are_on_the_disk_before_anything_else_of_their_worker_is_taken(house):
    made = house(Limits(checks=80), worker=Contradicted)
    made.supervisor.hunt()
    kinds = [e.__class__ for e in journal.read(made.journal.path)]
    assert kinds.index(events.Raw) < kinds.index(events.Progress)


def test_what_waits_of_a_group_that_has_not_joined_yet_waits_on(house):
    ledger = Ledger()
    ledger.take(events.Raw(CaseName("apsw", 0, "norec", 3), "x", (), {"a": 1}))
    made = house(Limits(for_s=0.2), ledger=ledger)
    made.supervisor.hunt()
    made.supervisor.settle(patience_s=5.0)
    assert not made.triages and ledger.waiting() == 0 and len(ledger.raws) == 1
    made.supervisor.join(Campaign(7, ("sqlite", "apsw"), (), (SQLITE, APSW)))
    assert ledger.waiting() == 1
    made.supervisor.settle(patience_s=5.0)
    assert made.triages and not ledger.raws


def test_a_campaign_may_get_more_groups_while_it_runs(house):
    made = house(Limits(checks=100))
    made.supervisor.join(Campaign(7, ("sqlite", "apsw"), (), (SQLITE, APSW)))
    made.supervisor.hunt()
    assert made.ledger.made == {"sqlite": 50, "apsw": 50}
