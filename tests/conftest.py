"""Shared fixtures: seats on real engines, a stage to draw from, and the installed command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gainsay.campaign import config, describing
from gainsay.campaign.episode import Stage
from gainsay.campaign.recorder import Recorder
from gainsay.campaign.seating import LocalPlayer
from gainsay.core.model import Target


class Result:
    """What a run of the command left behind."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    @property
    def json(self) -> Any:
        return json.loads(self.out.strip().splitlines()[-1])


@pytest.fixture
def gainsay(tmp_path: Path) -> Callable[..., Result]:
    """Run the command in an empty folder: gainsay("hunt", "sqlite", ...)."""

    def run(*arguments: str, cwd: Path = tmp_path, env: dict[str, str] | None = None, timeout: float = 300) -> Result:
        command = [sys.executable, "-m", "gainsay.cli.main", *arguments]
        environment = {**os.environ, **(env or {})}
        if (
            env and "PYTHONPATH" in env and "PYTHONPATH" in os.environ
        ):  # the code under test stays the one that these tests run with
            environment["PYTHONPATH"] = os.pathsep.join((env["PYTHONPATH"], os.environ["PYTHONPATH"]))
        return Result(
            subprocess.run(
                command, cwd=cwd, capture_output=True, text=True, timeout=timeout, env=environment, check=False
            )
        )

    return run


@pytest.fixture
def plugin(tmp_path: Path) -> Callable[..., dict[str, str]]:
    """Install a module as another package would: plugin("name", code, group, point, value) gives the environment in
    which it is found."""
    homes: list[str] = []

    def install(name: str, code: str, group: str, point: str, value: str = "") -> dict[str, str]:
        home = tmp_path / f"plugin-{name}"
        info = home / f"{name}-0.1.dist-info"
        info.mkdir(parents=True)
        (home / f"{name}.py").write_text(code)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
        (info / "entry_points.txt").write_text(f"[{group}]\n{point} = {value or name}\n")
        homes.append(str(home))
        return {"PYTHONPATH": os.pathsep.join([*homes, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)}

    return install


@pytest.fixture(scope="session")
def seat_of() -> Callable[[str], Any]:
    """A described and probed seat on an engine that is installed, made once."""
    made: dict[str, Any] = {}

    def seat(name: str) -> Any:
        if name not in made:
            made[name] = describing.seated(Target.parse(name), {})
        return made[name]

    return seat


@pytest.fixture
def stage_of(seat_of: Callable[[str], Any], tmp_path: Path) -> Iterator[Callable[..., Stage]]:
    """A stage on one embedded engine, in this process; its raw contradictions are in `stage.raws`."""
    players: list[Any] = []

    def stage(name: str, *oracles: str, seed: int = 1, player: Any = None, mix: str = "full") -> Stage:
        seat = seat_of(name)
        group = config.Group(name, "sql", (seat,), oracles or ("norec", "tlp"))
        raws: list[Any] = []
        players.append(player or LocalPlayer(seat))
        made = Stage(
            group,
            config.seats_of(group, {"mix": mix}),
            [players[-1]],
            seed,
            Recorder(tmp_path / "recorder"),
            raws.append,
        )
        made.raws = raws  # type: ignore[attr-defined]
        return made

    yield stage
    for each in players:
        each.close()
