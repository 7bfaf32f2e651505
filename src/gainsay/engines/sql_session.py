"""A session on an SQL server: a schema or database, the scene in it, and what becomes of both when the server dies."""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Callable, Sequence

from gainsay.core.answer import Answer, Died, GaveUp, Refused, Rows
from gainsay.core.engine import Session
from gainsay.engines import server
from gainsay.engines.sql_server import (
    QUESTION,
    House,
    Lost,
    OwnServer,
    Place,
    Stuck,
    Unreachable,
    Wire,
    named,
    plain,
    removed,
    worded,
)

SHORT = re.compile(rf"{server.FULL.pattern}|No more room|table '.*' is full")  # or a table that may hold no more
LITTLE = 16 << 20  # room that a server may well lack


def is_up(connect: Callable[[], Wire]) -> bool:
    """Whether a server answers."""
    try:
        connect().close()
    except Unreachable:
        return False
    return True


def reached(theirs: Place, connect: Callable[[], Wire]) -> Wire:
    """A connection to the user's server; where it is gone, as soon as the user's command has started it again.
    A process that begins while another one waits for that must wait as well."""
    try:
        return connect()
    except Unreachable:
        if not theirs.restart:
            raise
    server.restart(theirs.restart, str(theirs), lambda: is_up(connect))
    return connect()


def is_internal(answer: Answer) -> bool:
    """Whether the client was told that the engine broke inside."""
    return isinstance(answer, Refused) and answer.kind == "internal"


def is_short(answer: Answer) -> bool:
    """Whether a server lacks room, or may do so."""
    if isinstance(answer, GaveUp):
        return answer.reason == "memory"
    return isinstance(answer, Refused) and bool(SHORT.search(answer.message))


def has_done(text: str, answer: Answer) -> bool:
    """Whether a text changed the place."""
    return isinstance(answer, Rows) and not QUESTION.match(text)


class ServerSession(Session):
    """An empty schema or database on a server; its connection, and the scene that it holds."""

    answers_blocks = True
    runs_scripts = True

    def __init__(self, house: House, statements: Sequence[str]) -> None:
        self._house = house
        self._statements = tuple(statements)  # of the configuration
        self._own: OwnServer | None = None
        self._wire: Wire | None = None
        self._name = named(secrets.token_hex(4))
        self._scene: list[str] = []  # what was done since it was empty
        self._logged = 0
        self._spent_s = 0.0
        self._scenes = 0
        try:
            self._open()
        except BaseException:
            self._leave()
            raise

    def _open(self) -> None:
        """A server that answers, and an empty place on it."""
        house = self._house
        if house.theirs is not None:
            wire = reached(house.theirs, lambda: house.connect(None))
        else:
            if self._own is not None and self._own.process is not None and self._own.process.has_ended():
                self._drop_own()
            self._own = self._own or house.start()
            try:
                wire = house.connect(self._own)
            except Unreachable:  # it is dying, and may take its time over it
                self._drop_own()
                self._own = house.start()
                wire = house.connect(self._own)
            self._logged = self._own.log_size()
        self._wire = house.apart(wire, self._name)
        self._empty()

    def _empty(self) -> None:
        assert self._wire is not None
        self._wire.run(self._house.claimed(self._name))
        self._house.empty(self._wire, self._name)
        self._do(self._house.emptied(self._name))
        self._wire.run(self._house.tuned())
        self._do(self._statements)

    def _do(self, texts: Sequence[str]) -> None:
        assert self._wire is not None
        for text, answer in zip(texts, self._run(texts), strict=True):
            if not isinstance(answer, Rows):
                raise RuntimeError(f"The server refuses {text!r}: {worded(answer)}")

    def _drop_own(self) -> None:
        if self._own is not None:
            self._spent_s += self._own.spent_s()
            self._own.end()
            self._own = None

    def _run(self, texts: Sequence[str]) -> list[Answer]:
        """What the server says. It may name our place, which has another name each time."""
        assert self._wire is not None
        answers = self._wire.run(texts)
        if self._own is not None and any(map(is_short, answers)):
            self._see_room(
                shutil.disk_usage(self._own.folder).free < LITTLE or bool(server.FULL.search(self._own.log()))
            )
        return [plain(answer, f"{self._name}.") for answer in answers]

    def ask(self, text: str) -> Answer:
        self._reconnect()
        try:
            (answer,) = self._run([text])
        except Lost as lost:
            return self._bury(str(lost))
        except Stuck:
            self._forsake()
            return GaveUp("timeout")
        alarm = self._alarm()
        if alarm and not is_internal(answer):
            return Refused("internal", alarm)
        if has_done(text, answer):
            self._scene.append(text)
        return answer

    def ask_block(self, texts: Sequence[str]) -> list[Answer]:
        """Many questions in one go; where something goes wrong that is not a plain refusal, one by one."""
        found = self._at_once(texts) if all(map(QUESTION.match, texts)) else None
        return [self.ask(text) for text in texts] if found is None else found

    def run_script(self, texts: Sequence[str]) -> list[Answer]:
        """Many statements in one go; where something goes wrong that is not a plain refusal, one by one, in a place as
        it was before: then it is seen which of them did it."""
        answers = self._at_once(texts, is_script=True)
        if answers is None:
            return [self.ask(text) for text in texts]
        self._scene += [text for text, answer in zip(texts, answers, strict=True) if has_done(text, answer)]
        return answers

    def _at_once(self, texts: Sequence[str], is_script: bool = False) -> list[Answer] | None:
        """What the server says in one go; None where something goes wrong. A script is then undone."""
        self._reconnect()
        try:
            answers = self._run(texts)
            if not self._alarm() or any(map(is_internal, answers)):
                return answers
            if is_script:
                self._empty()
                self._load(self._scene)
        except Lost:
            self._hang_up()
        except Stuck:
            self._forsake()
        return None

    def _load(self, scene: list[str]) -> None:
        self._scene = []
        for text in scene:
            self.ask(text)

    def _alarm(self) -> str:
        """A line of our server's log that tells of something the client may not have been told."""
        if self._own is None:
            return ""
        size = self._own.log_size()
        if size == self._logged:
            return ""
        said = self._own.log(self._logged)
        self._logged = size
        found = self._house.alarming.search(said)
        return f"in the server's log: {found[0].strip()}" if found else ""

    def _bury(self, said: str) -> Died:
        signal, detail = "connection lost", said
        if self._own is not None:
            self._see_room()
            signal, log = self._house.died(self._own, self._own.log(self._logged))
            detail = f"{said}\n{log}".strip()
        self._hang_up()
        return Died("crash", signal, detail)

    def _see_room(self, is_full: bool = False) -> None:
        """What a server of ours does when its disk is full is no finding."""
        if self._own is not None and (is_full or server.FULL.search(self._own.log(self._logged))):
            raise RuntimeError(server.NO_ROOM.format(self._own.folder))

    def _forsake(self) -> None:
        """Leave a server that does not answer; the next question finds the scene on another one."""
        self._hang_up()
        self._drop_own()

    def _hang_up(self) -> None:
        if self._wire is not None:
            self._wire.close()
            self._wire = None

    def _reconnect(self) -> None:
        """A connection where none is left, with the scene as it was."""
        if self._wire is None:
            self._reopen()

    def _reopen(self) -> None:
        """After a death: the same server if it came back, else another one, with the scene as it was."""
        theirs = self._house.theirs
        if theirs is not None:
            server.restart(theirs.restart, str(theirs), lambda: is_up(lambda: self._house.connect(None)))
        try:
            self._open()
        except Lost:  # it dies again
            self._see_room()
            self._forsake()
            self._open()
        self._load(self._scene)

    def renew(self) -> bool:
        self._scene = []
        self._scenes += 1
        try:
            if self._wire is None:
                self._reopen()
                return True
            if self._scenes % self._house.reconnected == 0:
                self._wire.close()  # a connection remembers what it has seen of the catalog, and what was set
                self._wire = self._house.apart(self._house.connect(self._own), self._name)
            self._empty()
            if self._own is not None:
                self._do(self._house.upkeep(self._scenes))
        except Lost:
            self._wire = None
            self._see_room()
            self._reopen()
        return True

    def spent_s(self) -> float | None:
        return None if self._house.theirs is not None else self._spent_s + (self._own.spent_s() if self._own else 0.0)

    def _leave(self) -> None:
        if self._wire is not None:
            if self._house.theirs is not None:
                try:
                    removed(self._house, self._wire, self._name)
                except (Lost, RuntimeError):
                    pass  # the next hunt looks for it
            self._hang_up()
        self._drop_own()

    def close(self) -> None:
        self._leave()
