"""An engine behind a server. The user's is proved first: it is left alone unless it is empty, or he lets us in."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from gainsay.core.answer import Rows
from gainsay.core.engine import Engine, Options
from gainsay.engines.sql_server import (
    KEYS,
    NUMBERS,
    OURS,
    House,
    Place,
    Wire,
    is_orphaned,
    listed,
    named,
    place,
    removed,
    worded,
)
from gainsay.engines.sql_session import ServerSession

SWEPT_S = 7.0  # a question that a killed process asked may take so long
OUTSIDE = (
    "The server at {0} lets us make a {1} and then makes our tables outside of it, so that we can't be kept apart from "
    "yours. We leave it alone."
)


class ServedEngine(Engine):
    """An engine behind a server: one of our own, or the user's by ?url= or ?host=&port=."""

    family = "sql"
    schemes: ClassVar[Sequence[str]]
    port: ClassVar[int]
    version_question: ClassVar[str] = "SELECT VERSION()"

    @abstractmethod
    def connected(self, theirs: Place) -> Wire:
        """A connection to the user's server, or an error that says what to do."""

    @abstractmethod
    def own_version(self) -> str:
        """That of the programs that we would start."""

    def version(self) -> str:
        theirs = self.theirs({})
        if theirs is None:
            return self.own_version()
        wire = self.connected(theirs)
        try:
            found = NUMBERS.search(str(listed(wire, self.version_question)))
        finally:
            wire.close()
        return found[0] if found else "unknown"

    @abstractmethod
    def house(self, configs: Sequence[str], options: Options) -> House:
        """Where sessions in these configurations are opened."""

    def open_session(self, configs: Sequence[str], options: Options) -> ServerSession:
        return ServerSession(self.house(configs, options), self.texts(configs))

    def theirs(self, options: Options) -> Place | None:
        return place(self.name, self.schemes, self.port, options)

    def prove(self, options: Options) -> None:
        """A database of the user's holds nothing that is not ours, unless he lets us work beside it; and we may make
        a place of our own there."""
        theirs = self.theirs(options)
        if theirs is None:
            return
        house = self.house((), options)
        wire = house.connect(None)
        try:
            found = house.others(wire)
            if found and not theirs.wipe:
                raise RuntimeError(told_of_others(theirs, house.room, found))
            for name in house.forgotten(wire):
                removed(house, wire, name)
            if not house.room:
                return
            name = named("probe")
            try:
                for text in house.emptied(name):
                    (said,) = wire.run([text])
                    if not isinstance(said, Rows):
                        raise RuntimeError(
                            f"The user {theirs.user!r} may not create a {house.room} there: "
                            f"{worded(said)}. Give another user, or let this one: {house.grant()}"
                        )
                if not house.is_inside(wire, name):
                    raise RuntimeError(OUTSIDE.format(theirs, house.room))
            finally:
                removed(house, wire, name)
        finally:
            wire.close()

    def sweep(self, options: Options) -> None:
        """Those of processes of ours that were killed a moment ago may be in use for as long as a question takes."""
        if self.theirs(options) is None:
            return
        house = self.house((), options)
        wire = house.connect(None)
        try:
            until = time.monotonic() + SWEPT_S
            while any(is_orphaned(name) for name in house.in_use(wire)) and time.monotonic() < until:
                time.sleep(0.1)
            for name in house.forgotten(wire):
                removed(house, wire, name)
        finally:
            wire.close()

    def environment(self, version: str, options: Options) -> Mapping[str, str]:
        return {f"GAINSAY_{self.name.upper()}_{key.upper()}": options[key] for key in KEYS if options.get(key)}


def told_of_others(theirs: Place, room: str, found: Sequence[str]) -> str:
    """What is said of a database that has something in it."""
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    told = f"The database {theirs.database} at {theirs} is not empty: it has {found[0]}{more}. ".replace("  ", " ")
    place = f"in a {room} of our own" if room else f"with tables whose names begin with {OURS}"
    return f"{told}Name an empty database, or say --wipe: we then work beside it, {place}."
