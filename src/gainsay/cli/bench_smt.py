"""The measurements of `gainsay bench smt` and `gainsay bench reduction`: STORM's rates, and its Table 2.4."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gainsay.campaign import describing, events, journal, seating
from gainsay.core import registry
from gainsay.core.answer import Decision
from gainsay.core.draw import Draw
from gainsay.core.model import Case, Seat, Seats, Target
from gainsay.core.talk import opening
from gainsay.errors import EnvironmentProblem, UsageError
from gainsay.families.smt.drawing import scenes
from gainsay.families.smt.language import scripts
from gainsay.families.smt.language.ir import Instance, Term
from gainsay.families.smt.meaning.scene_cache import SceneCache
from gainsay.families.smt.reducing import algorithm2, shrink

LOGICS = ("QF_LIA", "QF_BV", "QF_UF")
A_MAX = "24"  # as in the measurements that our floors come from; a hunt has 64
# Claims that an instance is satisfiable: what STORM's own minimiser is for
TRUE_LABELS = ("sat by construction", "same values")


def generated(seconds: float) -> list[dict[str, Any]]:
    """How many instances are made in a CPU-second, drawn and spelled, with nobody asked.
    Pools are made beforehand, as for a seed."""
    family, oracle = registry.family("smt"), registry.oracle("smt", "storm")
    found = []
    for logic in LOGICS:
        seats = Seats((Seat(0, Target("z3"), "", "smtlib"),))
        seats.lexicon = family.prepare(seats, {"logics": logic, "storm.mode": "one-shot", "storm.a_max": A_MAX})
        made = size = 0
        spent = 0.0
        number = 0
        while spent < seconds:
            draw = Draw(number)
            scene = scenes.grow(draw, seats.lexicon)
            number += 1
            if not seats.lexicon.scene_cache(scene).pool.initial:
                continue
            begun = time.process_time()
            for _ in range(300):
                size += len(opening(oracle.converse(scene, oracle.draw(draw, scene, seats), seats)).node)
                made += 1
            spent += time.process_time() - begun
        found.append({"logic": logic, "rate": made / spent, "bytes": size / made})
    return found


# --- reduction --------------------------------------------------------------------------------------------------------


def sized(size: tuple[int, int, int] | None) -> str:
    return " / ".join(f"{n:,}" for n in size) if size else "-"


def reductions(out: Path, fixed: Target, patience_s: float) -> Iterator[dict[str, Any]]:
    """Each finding of a hunt that is an unsat for a satisfiable instance, minimised in each way."""
    if not (out / "journal.jsonl").exists():
        raise UsageError(f"{out} is not the folder of a hunt: it has no journal.")
    raws: dict[Any, events.Raw] = {}
    findings: dict[str, events.Finding] = {}
    for event in journal.read(out / "journal.jsonl"):
        if isinstance(event, events.Raw):
            raws[event.name, event.claim] = event
        elif isinstance(event, events.Finding) and event.family == "smt" and event.claim in TRUE_LABELS:
            findings[event.id] = event
    describing.describe(fixed)
    for finding in findings.values():
        raw = raws.get((finding.name, finding.claim))
        if raw is not None and raw.case is not None:
            yield Table(finding, events.read_case(raw.case), fixed, patience_s).row()


class Table:
    """One row of the table."""

    def __init__(self, finding: events.Finding, met: Case, fixed: Target, patience_s: float) -> None:
        self.finding = finding
        self.seat = met.seats[0]
        self.fixed = fixed
        self.patience_s = patience_s
        recipe: Instance = met.recipe
        self.terms = (*(shrink.spread(met.scene, recipe.picks) if recipe.picks else ()), *recipe.asserts)
        self.scene = met.scene
        self.check = scripts.check(self.seat, recipe.tactic)
        self.player = seating.HostedPlayer(self.seat.target)

    def text(self, terms: tuple[Term, ...], scene: Any = None) -> str:
        return scripts.script(SceneCache(scene or self.scene), Instance((), terms), self.check)

    def ask(self, text: str) -> str:
        answer = self.player.ask(text)
        return answer.verdict if isinstance(answer, Decision) else ""

    def row(self) -> dict[str, Any]:
        self.player.reset()
        try:
            return self._row()
        finally:
            self.player.close()

    def _row(self) -> dict[str, Any]:
        ours = events.read_case(self.finding.case)
        picks = ours.recipe.picks
        small = (*(shrink.spread(ours.scene, picks) if picks else ()), *ours.recipe.asserts)
        own = self.text(small, ours.scene)
        is_one_shot = self.ask(self.text(self.terms)) == "unsat"
        two = algorithm2.Minimiser(self.scene, self.check, self.ask, Draw(1)).run(self.terms) if is_one_shot else None
        return {
            "id": self.finding.id,
            "met": measure(self.text(self.terms), self.terms),
            "algorithm2": measure(self.text(two), two) if two is not None else None,
            "ddsmt": self.ddsmt() if is_one_shot else None,
            "ours": measure(own, small),
            "fixed": self.verdict_of(self.fixed, own),
        }

    def verdict_of(self, target: Target, text: str) -> str:
        player = seating.HostedPlayer(target)
        try:
            player.reset()
            answer = player.ask(text)
            return answer.verdict if isinstance(answer, Decision) else repr(answer)
        finally:
            player.close()

    def ddsmt(self) -> tuple[int, int, int] | None:
        """ddSMT, with the fixed release as the second solver, for as long as its patience lasts; it keeps its best file
        as it goes."""
        program = shutil.which("ddsmt", path=str(Path(sys.executable).parent)) or shutil.which("ddsmt")
        if program is None:
            raise EnvironmentProblem("ddSMT is not installed. Run: pip install ddsmt")
        with tempfile.TemporaryDirectory() as room:
            source, result = Path(room) / "in.smt2", Path(room) / "out.smt2"
            source.write_text(self.text(self.terms).removeprefix("(reset)\n"), encoding="utf-8")
            wrong, right = (self.command(t, Path(room), n) for n, t in enumerate((self.seat.target, self.fixed)))
            command = [
                program,
                "-q",
                "-q",
                "-j",
                "2",
                "--timeout",
                "5",
                "--timeout-cc",
                "5",
                "-c",
                right,
                str(source),
                str(result),
                *wrong.split(),
            ]
            run_for(command, self.patience_s)
            text = result.read_text(encoding="utf-8") if result.exists() else ""
        # It keeps what both solvers print, not that something is left to be asked: what no longer shows the bug is no
        # result.
        if (
            not text
            or self.ask(f"(reset)\n{text}") != "unsat"
            or self.verdict_of(self.fixed, f"(reset)\n{text}") != "sat"
        ):
            return None
        return file_size(text)

    def command(self, target: Target, room: Path, number: int) -> str:
        """A target as a command that takes a file: its reproducer's way of asking, as a script."""
        engine = seating.check(target)
        folder = seating.room(target).folder
        asks = f"from __future__ import annotations\nimport sys\nsys.path.insert(0, {folder!r})\n" + engine.repro(
            target.version, seating.options(target), target.configs
        )
        script = room / f"ask{number}.py"
        script.write_text(asks + "\nsys.stdout.write(ask(open(sys.argv[1]).read()))\n", encoding="utf-8")
        return f"{sys.executable} {script}"


def run_for(command: list[str], seconds: float) -> None:
    """Run a program with all that it starts, and end them together when its time is up."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def measure(text: str, terms: tuple[Term, ...]) -> tuple[int, int, int]:
    return len(text.removeprefix("(reset)\n").encode()), len(terms), algorithm2.depth_of(terms)


def file_size(text: str) -> tuple[int, int, int]:
    from gainsay.families.smt.language import reader
    from gainsay.families.smt.language.sexpr import SmtError

    try:
        terms = reader.read(text).asserts
        return len(text.encode()), len(terms), algorithm2.depth_of(terms)
    except SmtError:
        return len(text.encode()), text.count("(assert"), 0
