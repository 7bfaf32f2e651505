"""What every engine's adapter must do, on the real engine, in a process of its own."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from unittest import SkipTest

import msgspec

from gainsay.campaign import config, conversation, describing, events, journal, seating
from gainsay.campaign.episode import FAILED
from gainsay.campaign.probing import canary_answer
from gainsay.campaign.seating import HostedPlayer
from gainsay.core import registry
from gainsay.core.answer import Decision, Died, GaveUp, Refused, Rows
from gainsay.core.claim import Claim, Relation, Side, Verdict, fold
from gainsay.core.engine import Engine
from gainsay.core.family import Dialect
from gainsay.core.model import Case, CaseName, Seat, Target
from gainsay.core.oracle import Oracle
from gainsay.core.plugins import complaints, lacking
from gainsay.core.values import is_well
from gainsay.report import repro
from gainsay.testing.check import Check, want
from gainsay.testing.talk import SEED, Talk, held, staged
from gainsay.triage.job import Job
from gainsay.triage.worker import Triage

NONSENSE = "this is ( no question"
SCENES = 4
ENDED_S = 2.0  # of CPU time, for an engine whose process must be ended
CHECKS = 80  # of a short hunt
PLAIN_ROOTS = frozenset(sys.stdlib_module_names) | {"gainsay", "__main__", "__mp_main__"}
IMPORTS = (
    "import json, sys; before = set(sys.modules); import {module}; print(json.dumps(sorted(set(sys.modules) - before)))"
)


class Held(NamedTuple):
    """A case whose claim holds on the engine, and the conversation."""

    case: Case
    talk: Talk


class EngineKit:
    """The checks for one target. What takes long to find out is found out once."""

    def __init__(self, target: str, long: str, nonsense: str) -> None:
        self.target = Target.parse(target)
        self.engine = seating.check(self.target)
        self.family = registry.family(self.engine.family)
        self.dialect = self.family.dialect(self.engine.dialect)
        self.long = long or self.family.long_question(self.engine.dialect)
        self.nonsense = nonsense

    @functools.cached_property
    def seat(self) -> Seat:
        return describing.seated(self.target, {})

    @contextlib.contextmanager
    def player(self, *configs: str, hard_s: float = seating.HARD_S) -> Iterator[HostedPlayer]:
        target = msgspec.structs.replace(self.target, configs=configs or self.target.configs)
        made = HostedPlayer(target, hard_s=hard_s)
        try:
            made.reset()
            yield made
        finally:
            made.close()

    def sings(self, player: HostedPlayer, when: str) -> None:
        text, expected = self.family.canary(self.engine.dialect)
        answer = canary_answer(player.ask, text, expected)
        want(is_well(answer, expected), f"{when} the canary {text!r} must give {expected}; it gives {answer}.")

    # --- the class ---

    def is_complete(self) -> None:
        """The class has what the port wants, in the form it wants."""
        engine = self.engine
        wrong = complaints(Engine, type(engine))
        want(not wrong, f"The class {'; it '.join(wrong)}.")
        want(not registry.unasked(type(engine)), registry.unasked(type(engine)))
        where = f"{self.target.engine!r}, the name of its entry point"
        want(self.target.engine == engine.name, f"name is {engine.name!r}; it must be {where}.")
        tables = {"configs": engine.configs, "options": engine.options, "proofs": engine.proofs}
        for name, table in tables.items():
            want(isinstance(table, Mapping), f"{name} must be a mapping.")
        is_listed = all(not isinstance(texts, str) for texts in engine.configs.values())
        want(is_listed, "configs maps a name to a sequence of texts, not to one text.")
        self.has_requirements()

    def has_requirements(self) -> None:
        """What pip is told for a version names a version."""
        engine, version = self.engine, describing.describe(self.target).version
        for text in engine.requirements(version):
            want(
                version in text or "==" in text,
                f"requirements({version!r}) gives {text!r}: each must name a version, such as 'package==1.2'.",
            )
        for package, pattern in engine.available().items():
            want(
                re.compile(pattern).groups >= 1,
                f"available() gives {pattern!r} for {package}: its first group must be the engine's version.",
            )
        options = seating.options(self.target)
        want(
            isinstance(engine.environment("", options), Mapping),
            "environment() must give a mapping of variables, empty if none are needed.",
        )
        missing = lacking(Dialect, self.dialect)
        want(not missing, f"The dialect has no {', '.join(missing)} (gainsay.core.family.Dialect says what each is).")

    def imports_little(self) -> None:
        """A host has nothing but the engine around it, and the supervisor must not load an engine."""
        module = registry.table("gainsay.engines")[self.target.engine].partition(":")[0]
        done = run_python("-c", IMPORTS.format(module=module), room=seating.room(self.target))
        want(done.returncode == 0, f"'import {module}' fails: {done.stderr.strip()[-300:]}")
        roots = {name.partition(".")[0] for name in json.loads(done.stdout.splitlines()[-1])}
        foreign = sorted(r for r in roots - PLAIN_ROOTS - {module.partition(".")[0]} if not r.startswith("_"))
        want(
            not foreign,
            f"'import {module}' also imports {', '.join(foreign)}: import what is not the standard library's inside "
            "the functions.",
        )

    def has_a_version(self) -> None:
        """The version is the running engine's, and the engine bears out its facts."""
        seat = describing.describe(self.target)
        want(
            re.match(r"\d", seat.version),
            f"version() gives {seat.version!r}: it must be the version of the running engine, such as 1.2.3.",
        )
        denied = [f"{name} ({value})" for name, value in seat.facts if value.startswith("NOT AS DOCUMENTED")]
        want(not denied, f"The running engine denies facts: {'; '.join(denied)}. Correct facts() or proofs.")
        for name, told in self.engine.facts(seat.version, seat.build).items():
            want(
                len(told) == 2 and all(isinstance(part, str) and part for part in told),
                f"The fact {name!r} must be (value, source), both texts.",
            )

    # --- a session ---

    def knows_the_canary(self) -> None:
        with self.player() as player:
            self.sings(player, "In a fresh session")

    def refuses(self) -> None:
        """Nonsense is refused, and the session goes on."""
        with self.player() as player:
            answer = player.ask(self.nonsense)
            printed = answer.stderr.strip()[-300:] if isinstance(answer, Died) else ""
            remedy = "ask() must catch the binding's errors and return Refused(kind, message)"
            want(
                not isinstance(answer, Died),
                f"{self.nonsense!r} ends the process ({printed}): {remedy}.",
            )
            want(
                isinstance(answer, Refused),
                f"{self.nonsense!r} must be refused; it gives {answer}. Never read silence as an answer.",
            )
            assert isinstance(answer, Refused)
            want(
                answer.kind and answer.kind != "internal",
                f"A refusal needs a kind, and 'internal' is kept for bugs of the engine: {answer}.",
            )
            want(answer.message, "A refusal needs the engine's own words as its message.")
            self.sings(player, "After a refusal")

    def gives_up(self) -> None:
        """A question that takes far too long is given up, and the session goes on; of an engine that nothing can stop
        (`is_stoppable`) its process is ended, and the next one is well."""
        if not self.long:
            raise SkipTest(
                "no text is known that takes long in every dialect of this family: engine_checks(NAME, long=TEXT)"
            )
        is_stoppable = self.engine.is_stoppable
        with self.player(hard_s=seating.HARD_S if is_stoppable else ENDED_S) as player:
            answer = player.ask(self.long)
            if isinstance(answer, Refused):
                raise SkipTest(f"the long question is refused ({answer.message[:80]}): engine_checks(NAME, long=TEXT)")
            told = "end it by the engine's own means, or with a thread that interrupts it, and return GaveUp('timeout')"
            is_ended = isinstance(answer, GaveUp) and answer.reason == "timeout"
            is_killed = isinstance(answer, Died) and answer.how == "hang" and not is_stoppable
            want(
                is_ended or is_killed,
                f"A question that takes very long gives {answer}: {told}. Where nothing can end it, say is_stoppable = "
                "False.",
            )
            if is_killed:
                player.reset()
            self.sings(player, "After a time-out")

    def dies_alone(self) -> None:
        with self.player() as player:
            os.kill(player.pid, signal.SIGKILL)
            text, _ = self.family.canary(self.engine.dialect)
            answer = player.ask(text if isinstance(text, str) else text[0])
            want(isinstance(answer, Died) and answer.how == "crash", f"A killed process must be Died; it is {answer}.")
            player.reset()
            self.sings(player, "In the process after one that was killed")

    def opens_configurations(self) -> None:
        """Every configuration opens, and answers the canary."""
        text, expected = self.family.canary(self.engine.dialect)
        for name in self.engine.configs:
            with self.player(name) as player:
                answer = canary_answer(player.ask, text, expected)
                # A solver's configuration may lack push, which the canary has: that is no lie.
                is_fine = is_well(answer, expected) or (isinstance(answer, Refused) and answer.kind != "internal")
                want(
                    is_fine,
                    f"In the configuration {name!r} the canary {text!r} must give {expected}; it gives {answer}.",
                )

    # --- scenes and cases ---

    def holds_scenes(self) -> None:
        """Each scene is loaded twice, each time in an empty place, and what is stored is read back: it must be the
        same."""
        loaded = 0
        with staged([self.seat], self.engine.family, self.oracles()) as (stage, (player,), _):
            for number in range(SCENES):
                scene = stage.prepare(number, stage.grow(number))
                if scene is None:
                    continue
                loaded += 1
                one = self.read_back(player, scene)
                stage.prepare(number, scene)
                two = self.read_back(player, scene)
                want(
                    one == two,
                    f"A scene is not the same when it is loaded again: {one} and then {two}. A session must start "
                    "empty.",
                )
                self.is_emptied(player, scene)
        want(loaded, f"None of {SCENES} scenes could be loaded: look at 'gainsay engines check {self.target}'.")

    def read_back(self, player: HostedPlayer, scene: Any) -> list[str]:
        """All that is stored, as texts to compare."""
        found = []
        for node in self.family.stored(scene):
            answer = player.ask(self.dialect.text(node))
            want(isinstance(answer, Rows), f"What was stored can't be read: {self.dialect.text(node)} gives {answer}.")
            assert isinstance(answer, Rows)
            want(all(isinstance(row, tuple) for row in answer.rows), f"Rows must be tuples: {answer.rows[:2]}.")
            want(
                pickle.loads(pickle.dumps(answer.rows)) == answer.rows or "nan" in repr(answer.rows),
                "Values must be plain ones of Python.",
            )
            found.append(repr(sorted(answer.rows, key=repr)))
        return found

    def is_emptied(self, player: HostedPlayer, scene: Any) -> None:
        for node in self.family.stored(scene)[:1]:
            player.reset()
            answer = player.ask(self.dialect.text(node))
            is_empty = isinstance(answer, Refused) or (isinstance(answer, Rows) and not answer.rows)
            want(is_empty, f"A new session must be an empty place, and {self.dialect.text(node)} still gives {answer}.")

    def oracles(self) -> list[str]:
        names = registry.oracles(self.engine.family)
        return [
            n
            for n in names
            if f"{self.engine.family}/{n}" in registry.BUILT_IN["gainsay.oracles"] and self.oracle(n).min_seats == 1
        ]

    def oracle(self, name: str) -> Oracle:
        return registry.oracle(self.engine.family, name)

    @functools.cached_property
    def sample(self) -> Held:
        """A case whose claim holds, with rows or verdicts that say something."""
        seen = 0
        with staged([self.seat], self.engine.family, self.oracles()) as (stage, (player,), _):
            for number in range(2, 2 + 3 * SCENES):  # a family may begin with fixed scenes
                scene = stage.laid(number, stage.grow(number))
                for check, recipe in enumerate(stage.recipes(number, scene, 32) if scene is not None else []):
                    if recipe is None or recipe is FAILED:
                        continue
                    oracle = stage.oracle(check)
                    talk = held(
                        oracle, scene, recipe, stage.seats, lambda step: player.ask(self.dialect.text(step.node))
                    )
                    seen += len(talk.steps)
                    if is_telling(talk) and not self.is_twofold(scene, talk):
                        return Held(
                            Case(self.engine.family, oracle.name, scene, recipe, (self.seat,), talk.claims[0].label),
                            talk,
                        )
        raise AssertionError(
            f"None of {seen} questions led to a claim that could be decided: look at 'gainsay engines check "
            f"{self.target}'."
        )

    def is_twofold(self, scene: Any, talk: Talk) -> bool:
        """Whether a solver's whole script stands beside definitions that are loaded: a reproducer of what was reduced
        has one of them."""
        return bool(self.family.script(scene)) and any(
            self.dialect.text(step.node).startswith("(reset)") for step in talk.steps
        )

    def replays(self) -> None:
        """A case that was met comes to the same when it is read back and replayed."""
        case, talk = self.sample
        read = events.read_case(msgspec.json.decode(msgspec.json.encode(case)))
        with self.player() as player:
            verdicts: list[Verdict] = []
            found = conversation.hold(read, [player], config.seats_of(self.group, {}), (), verdicts)
        texts = [self.dialect.text(step.node) for step in talk.steps]
        want(found is not None, f"A case that was met is refused when it is replayed: {texts}.")
        want(
            verdicts == talk.verdicts,
            f"A case gives {talk.verdicts} when it is met and {verdicts} when it is replayed: {texts}.",
        )

    @property
    def group(self) -> config.Group:
        return config.Group(str(self.target), self.engine.family, (self.seat,), tuple(self.oracles()))

    def has_reproducers(self) -> None:
        """The same case as a finding: its script must say 0, as the engine is right, and 1 where something else is
        expected."""
        case, talk = self.sample
        for claim, code in ((talk.claims[0], 0), (falsified(talk, self.family.opposites), 1)):
            script = repro.python(self.finding(case, talk, claim))
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "repro.py"
                path.write_text(script, encoding="utf-8")
                done = run_python(str(path), room=seating.room(self.target), cwd=folder)
            said = f"{done.stdout}{done.stderr}".strip()[-600:]
            told = "repro() must give text that opens the engine and defines ask(text) and VERSION"
            want(
                done.returncode == code,
                f"A reproducer must exit with {code}, and exits with {done.returncode}: {told}. It says:\n{said}",
            )

    def finding(self, case: Case, talk: Talk, claim: Claim) -> events.Finding:
        texts = {step.label: self.dialect.text(step.node) for step in talk.steps}
        found = conversation.Contradiction(
            claim.label, claim, dict(talk.given), texts, asked={s.label: s.node for s in talk.steps}
        )
        raw = events.Raw(CaseName(str(self.target), 0, case.oracle, 0), claim.label)
        job = Job(raw, SEED, self.group, {}, "", True, 2 << 30)
        return Triage(job).finding(case, found, "confirmed", (), False)

    def hunts(self) -> None:
        """A short hunt ends well and makes checks."""
        with tempfile.TemporaryDirectory() as folder:
            how = ["--checks", str(CHECKS), "--stop-after", "1", "--seed", str(SEED), "--workers", "1", "--json"]
            words = ["hunt", str(self.target), *how, "--out", f"{folder}/out"]
            done = run_python("-m", "gainsay.cli.main", *words, cwd=folder)
            want(done.returncode in (0, 1), f"A hunt ends with {done.returncode}: {done.stderr.strip()[-800:]}")
            summary = json.loads(done.stdout.splitlines()[-1])
            for event in journal.read(Path(folder) / "out" / "journal.jsonl"):
                want(
                    not isinstance(event, events.Trouble),
                    f"A hunt meets a mistake of gainsay's, an oracle's or a dialect's: {shown(event)}",
                )
            refused = "; ".join(summary["refusals"])[:300]
            want(summary["checks"], f"A hunt of {CHECKS} checks makes none. Refused: {refused or 'nothing'}.")
            want(
                summary["valid"] > 0.5,
                f"Only {summary['valid']:.0%} of what a hunt asks is taken: is the dialect right? Refused: {refused}.",
            )
            for finding in [f for f in summary["findings"] if f["status"] == "confirmed"][:1]:
                again = run_python(
                    "-m", "gainsay.cli.main", "replay", finding["id"], "--out", f"{folder}/out", cwd=folder
                )
                want(
                    again.returncode == 1,
                    f"The finding {finding['id']} is not there when it is replayed: {again.stdout}{again.stderr}",
                )


def is_telling(talk: Talk) -> bool:
    """Whether a conversation has one claim, which holds, between answers that are not empty, of a kind that can be made
    false."""
    if len(talk.claims) != 1 or talk.claims[0].relation in (Relation.SATISFIES, Relation.DECIDES):
        return False
    return talk.verdicts == [Verdict.HOLDS] and all(
        isinstance(a, (Rows, Decision)) and a.rows for a in talk.given.values()
    )


def falsified(talk: Talk, opposites: Mapping[str, str]) -> Claim:
    """A claim that held, with another right side."""
    claim = talk.claims[0]
    wrong: tuple[Any, ...] = (("no such row",),)
    if claim.relation is Relation.SAME_DECISION:
        wrong = tuple((opposites.get(word, word),) for (word,) in fold(claim.right, talk.given))
    elif claim.relation is Relation.SUBSET:
        wrong = ()
    return msgspec.structs.replace(claim, right=Side(value=wrong))


def shown(event: Any) -> str:
    return str(getattr(event, "traceback", "")).strip()[-600:]


def run_python(
    *arguments: str, room: seating.Room | None = None, cwd: str | None = None
) -> subprocess.CompletedProcess[str]:
    environment = (room or seating.Room("", {})).environment()
    return subprocess.run(
        [sys.executable, *arguments], env=environment, cwd=cwd, capture_output=True, text=True, timeout=300, check=False
    )


def engine_checks(target: str, long: str = "", nonsense: str = NONSENSE) -> list[Check]:
    """What an engine must do, on a target such as 'mine' or 'mine@1.2?host=x'.
    `long` is a question that takes minutes, `nonsense` none at all."""
    kit = EngineKit(target, long, nonsense)
    return [
        Check("the port is complete", kit.is_complete),
        Check("the module imports nothing but the standard library", kit.imports_little),
        Check("the version is that of the running engine, and no fact is denied", kit.has_a_version),
        Check("the canary gets its known answer", kit.knows_the_canary),
        Check("nonsense is a refusal with a kind, and the session goes on", kit.refuses),
        Check("what takes too long is given up, and the session goes on", kit.gives_up),
        Check("a process that is killed is a death, and the next one lives", kit.dies_alone),
        Check("every configuration opens", kit.opens_configurations),
        Check("a scene is read back as it was loaded, and a new session is empty", kit.holds_scenes),
        Check("a case is replayed with the same verdict", kit.replays),
        Check("a reproducer runs, and tells right from wrong", kit.has_reproducers),
        Check("a short hunt goes through, and what it finds is replayed", kit.hunts),
    ]
