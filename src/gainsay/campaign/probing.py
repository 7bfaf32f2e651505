"""Asks a target once what it takes, in a process that may die: what is refused is never drawn.
What was said is remembered."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import gainsay
from gainsay.campaign import seating
from gainsay.campaign.seating import HostedPlayer
from gainsay.core import registry
from gainsay.core.answer import Answer, Decision, Died, GaveUp, Refused, Rows
from gainsay.core.model import Probe, Seat, Seats, Target
from gainsay.core.plugins import file_of
from gainsay.core.values import is_well, same_bag
from gainsay.engines import releases
from gainsay.errors import EnvironmentProblem

CRASHES = "crashes:"
SETUP = "setup: "  # of a statement that other probes need
HARD_S = min(10.0, seating.HARD_S)
MEMORY_S = 7 * 24 * 3600  # how long what was probed is believed
PLACES = frozenset({"host", "port", "url"})  # options that name a server of somebody's
# A target, how many features were probed, and of how many: of none while it starts, all when it is ready
Tell = Callable[[Target, int, int], None]


def silent(target: Target, done: int, total: int) -> None:
    return None


def refused(seat: Seat, family_name: str, player: HostedPlayer | None = None, tell: Tell = silent) -> frozenset[str]:
    """The features that a target does not have; those that end its process are named a second time, as `crashes:`."""
    found = recalled(seat, family_name)
    if found is None:
        found = answers(seat.target, family_name, player, tell)
        remember(seat, family_name, found)
    return frozenset(found) | {f"{CRASHES}{feature}" for feature, text in found.items() if text.startswith("Died(")}


class Refusal(NamedTuple):
    """What a target was asked for a feature that it does not have, after which statements, and its whole answer."""

    setup: tuple[str, ...]
    text: str
    message: str


# --- what is remembered -----------------------------------------------------------------------------------------------


def is_served(target: Target) -> bool:
    """Whether a target is a server that somebody else started."""
    return bool(registry.engine(target.engine).needs_server or PLACES & {key for key, _ in target.options})


def memo(seat: Seat, family_name: str) -> Path | None:
    """The file that remembers what a target takes, named by all that this depends on.
    None for a server: that may change under its name."""
    target, engine = seat.target, registry.engine(seat.target.engine)
    prefix = f"GAINSAY_{target.engine.upper()}_"
    if is_served(target) or any(name.startswith(prefix) for name in os.environ):
        return None
    program = shutil.which(target.engine) or ""
    files = [file_of(type(engine)), program, *(value for _, value in sorted(seating.options(target).items()))]
    key = (
        own_version(),
        (
            sys.version,
            sys.prefix,
            [os.environ.get(name, "") for name in ("PYTHONPATH", "LD_PRELOAD", "LD_LIBRARY_PATH")],
        ),
        (str(target), seat.version, seat.build, seat.dialect),
        [(path, stamp(path)) for path in files],
        list(registry.family(family_name).probes(seat.dialect)),
    )
    digest = hashlib.sha256(repr(key).encode("utf-8", "surrogatepass")).hexdigest()
    return releases.cache_root() / "probed" / f"{target.engine}-{digest[:24]}.json"


def stamp(path: str) -> tuple[int, int]:
    """Size and time of a file, by which another one in its place is known; zeros where there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return 0, 0
    return found.st_size, found.st_mtime_ns


def own_version() -> list[Any]:
    """Our version, and how our files are: in a checkout they change under the same number."""
    home = Path(gainsay.__file__).parent
    return [
        gainsay.__version__,
        [(str(path.relative_to(home)), stamp(str(path))) for path in sorted(home.rglob("*.py"))],
    ]


def recalled(seat: Seat, family_name: str) -> dict[str, str] | None:
    """What a target said earlier, in whatever hunt; None if that is not known, too old or can't be read: then it is
    asked."""
    path = memo(seat, family_name)
    try:
        if path is None or time.time() - path.stat().st_mtime > MEMORY_S:
            return None
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        return None


def remember(seat: Seat, family_name: str, missing: dict[str, str]) -> None:
    """Keep what a target said.
    A hang, or being killed, may be the machine's doing: that is asked again the next time."""
    path = memo(seat, family_name)
    if path is None or any(
        text.startswith("Died(") and (not text.startswith("Died(crash") or "SIGKILL" in text)
        for text in missing.values()
    ):
        return
    part = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(msgspec.json.encode(missing))
        os.replace(part, path)
    except OSError:
        return  # then it is asked again


# --- asking -----------------------------------------------------------------------------------------------------------


def answers(
    target: Target, family_name: str, player: HostedPlayer | None = None, tell: Tell = silent
) -> dict[str, str]:
    """Each refused feature with the first line of what the target said."""
    return {
        feature: refusal.message.splitlines()[0]
        for feature, refusal in refusals(target, family_name, player, tell).items()
    }


def refusals(
    target: Target, family_name: str, player: HostedPlayer | None = None, tell: Tell = silent
) -> dict[str, Refusal]:
    """Each refused feature with what was asked and said. `player` has the target started already, and is closed."""
    family = registry.family(family_name)
    engine = registry.engine(target.engine)
    dialect = engine.dialect
    quick = tuple(c for c in target.configs if c not in engine.slow)
    if player is None or quick != target.configs:
        player = HostedPlayer(msgspec.structs.replace(target, configs=quick))
    player.hard_s = HARD_S
    missing: dict[str, Refusal] = {}
    current: tuple[str, ...] | None = None
    try:
        player.reset()
        text, expected = family.canary(dialect)
        answer = canary_answer(player.ask, text, expected)
        if not is_well(answer, expected):
            shown = answer.rows if isinstance(answer, (Rows, Decision)) else answer
            remedy = family.remedy
            raise EnvironmentProblem(
                f"{target} does not give the known answer {expected} to a simple program; it gives {shown}. {remedy}"
            )
        total = sum(1 for _ in family.probes(dialect))
        for number, probe in enumerate(family.probes(dialect, lambda feature: feature not in missing)):
            tell(target, number, total)
            if current != probe.setup or probe.is_fresh:
                current = fresh(player, probe.setup, missing)
            why = probed(player, probe)
            if why is not None:
                missing[probe.feature] = why
            if why is not None and why.message.startswith("Died("):
                current = None
    finally:
        player.close()
    return missing


def probed(player: HostedPlayer, probe: Probe) -> Refusal | None:
    """Why a target does not have a feature; None if it has it."""
    why: Refusal | None = None
    for text in probe.texts:
        answer = player.ask(text)
        is_refused = isinstance(answer, (Refused, Died)) or (isinstance(answer, GaveUp) and answer.reason == "unknown")
        if is_refused:
            why = why or Refusal(probe.setup, text, all_said(answer))
            if isinstance(answer, Died) and probe.is_any:
                fresh(player, probe.setup, {})
        if is_refused != probe.is_any:
            why = Refusal(probe.setup, text, all_said(answer)) if is_refused else None
            break
    if why is not None or probe.effect is None:
        return why
    question, right = probe.effect
    for text in (*probe.tries, question):
        answer = player.ask(text)
        if isinstance(answer, Died):
            return Refusal((*probe.setup, *probe.texts), text, all_said(answer))
    told = f"taken, but without effect: {question} gives {answer}, not {right}"
    return None if is_well(answer, right) else Refusal((*probe.setup, *probe.texts, *probe.tries), question, told)


class Examined(NamedTuple):
    """A fixed question, what the target said, and what it should have said (None: it said that, or refused the
    question)."""

    question: str
    said: str
    right: str | None


def examined(seat: Seat, family_name: str) -> list[Examined]:
    """A family's fixed questions to a target, each compared with what its profile says."""
    family = registry.family(family_name)
    player = HostedPlayer(seat.target, hard_s=10.0)
    seats = Seats((seat,))
    seats.lexicon = family.prepare(seats, {})
    dialect = family.dialect(seat.dialect)
    found = []
    try:
        for scene, question, right, rule in family.examination(seats):
            texts = [dialect.text(s) for s in family.script(scene)]
            if player.holding != texts:
                fresh(player, tuple(filter(None, texts)), {})
                player.holding = texts
            answer = player.ask(dialect.text(question))
            if not isinstance(answer, Rows):
                player.holding = None
            is_right = not isinstance(answer, (Rows, Died)) or (
                isinstance(answer, Rows) and same_bag(answer.rows, right, rule)
            )
            shown = str(answer.rows) if isinstance(answer, Rows) else said(answer)
            found.append(Examined(dialect.text(question), shown, None if is_right else str(right)))
    finally:
        player.close()
    return found


def canary_answer(ask: Callable[[str], Answer], texts: str | Sequence[str], expected: list[Any]) -> Answer:
    """An engine's answer to its canary; where there are several texts, each in another logic, one right answer is
    enough."""
    answer: Answer = Refused("canary", "nothing was asked")
    for text in [texts] if isinstance(texts, str) else texts:
        answer = ask(text)
        if is_well(answer, expected):
            break
    return answer


def fresh(player: HostedPlayer, setup: tuple[str, ...], missing: dict[str, Refusal]) -> tuple[str, ...]:
    """A fresh session with what probes need.
    What of that is refused is noted: it is why other features seem to be missing."""
    player.reset()
    for text in setup:
        answer = player.ask(text)
        if isinstance(answer, (Refused, Died)):
            missing[f"{SETUP}{text}"] = Refusal((), text, all_said(answer))
    return setup


def said(answer: Answer) -> str:
    return all_said(answer).splitlines()[0]


def all_said(answer: Answer) -> str:
    """All that an engine said when it refused, gave up or died."""
    if isinstance(answer, Refused) and answer.message.strip():
        return answer.message.strip()
    return f"{answer!r}\n{answer.stderr}".strip() if isinstance(answer, Died) else repr(answer)
