"""Many scenes on one server of ours, one after the other: do memory, disk and catalog grow?

python tools/many_scenes.py postgresql --scenes 10000
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from gainsay.campaign import config, describing
from gainsay.campaign.episode import Stage
from gainsay.campaign.recorder import Recorder
from gainsay.campaign.seating import LocalPlayer
from gainsay.core.answer import Rows
from gainsay.core.model import Target
from gainsay.engines.sql_session import ServerSession
from gainsay.limits import proportional, tree

CATALOGS = ("SELECT COUNT(*) FROM pg_class", "SELECT COUNT(*) FROM information_schema.tables")
ORACLES = ("norec", "twin")  # the second makes and drops tables of its own
CHECKS = 8  # for each scene
LOOKS = 10  # at the server, over all scenes


class Size(NamedTuple):
    """How large a server is after some scenes."""

    scenes: int
    memory_mb: float  # of all its processes, what they share divided among them
    disk_mb: float
    catalog: int
    cpu_s: float


def sized(session: ServerSession, scenes: int) -> Size:
    own = session._own
    if own is None or own.process is None:
        raise SystemExit("This is for a server that we start: name no ?url= and no ?host=.")
    memory = sum(map(proportional, tree(own.process.pid))) / 2**20
    disk = sum(p.lstat().st_blocks * 512 for p in Path(own.folder).rglob("*") if p.exists()) / 2**20
    answers = (session.ask(question) for question in CATALOGS)
    catalog = next(answer.rows[0][0] for answer in answers if isinstance(answer, Rows))
    return Size(scenes, memory, disk, int(catalog), own.spent_s())


def grown(target: str, scenes: int, seed: int) -> list[Size]:
    """The server's sizes, from its first scene to its last."""
    seat = describing.seated(Target.parse(target), {})
    group = config.Group(target, "sql", (seat,), ORACLES)
    player = LocalPlayer(seat)
    found = []
    with tempfile.TemporaryDirectory() as room:
        recorder = Recorder(Path(room) / "recorder")
        stage = Stage(group, config.seats_of(group, {}), [player], seed, recorder, lambda raw: None)
        try:
            for number in range(scenes + 1):
                stage.run(number, CHECKS)
                if number % max(1, scenes // LOOKS) == 0:
                    session = player._session
                    assert isinstance(session, ServerSession)
                    found.append(sized(session, number))
                    show(found[-1])
        finally:
            player.close()
            recorder.close()
    return found


def show(size: Size) -> None:
    words = f"{size.scenes:>7,} scenes  {size.memory_mb:7.1f} MB memory  {size.disk_mb:7.1f} MB disk"
    print(f"{time.strftime('%H:%M:%S')} {words}  {size.catalog:,} in the catalog  {size.cpu_s:,.1f} s", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("target", help="such as postgresql or mariadb@11.4.5")
    parser.add_argument("--scenes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    grown(given.target, given.scenes, given.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
