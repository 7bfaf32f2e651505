"""`gainsay doctor`: what is here for a hunt, what is missing, and what brings it."""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import gainsay
from gainsay.campaign.gathering import Gathering
from gainsay.cli.cache import size
from gainsay.cli.looking import installed
from gainsay.core import registry
from gainsay.core.model import Target
from gainsay.engines import releases
from gainsay.errors import EnvironmentProblem

PROGRAMS = {
    "java": "H2, HSQLDB and ArcadeDB: apt-get install default-jre-headless",
    "mvn": "releases of PostgreSQL, MariaDB, MySQL, H2, HSQLDB: apt-get install maven",
    "git": "gainsay bisect --repo: apt-get install git",
    "npm": "make ladder, which builds old SQLites: apt-get install npm",
    "cc": "make ladder: apt-get install gcc",
}
PACKAGES = {
    "starlette": "serve", "uvicorn": "serve", "optuna": "tailor", "distributed": "split", "argcomplete": "completion",
}  # fmt: skip
FILES = 256  # open files that a hunt with some workers wants


class Check(NamedTuple):
    """Something a hunt wants: whether it is there, what is, and what to do where it is not."""

    name: str
    is_there: bool
    said: str
    remedy: str = ""


def doctor(arguments: argparse.Namespace) -> int:
    """0: all that every hunt needs is there; 2: something is not."""
    needed, engines, optional = list(machine()), list(engine_checks()), list(extras())
    if arguments.json:
        parts = {"needed": needed, "engines": engines, "optional": optional}
        print(json.dumps({name: [check._asdict() for check in checks] for name, checks in parts.items()}))
    else:
        show("What every hunt needs", needed)
        show("Engines", engines)
        show("What some commands need", optional)
    return 0 if all(check.is_there for check in needed) else 2


def show(title: str, checks: list[Check]) -> None:
    print(f"{title}:")
    width = max(len(check.name) for check in checks)
    for name, is_there, said, remedy in checks:
        told = said if is_there or not remedy else f"{said}: {remedy}" if said else remedy
        print(f"  {'ok     ' if is_there else 'missing'}  {name:{width}}  {told}")


def machine() -> Iterator[Check]:
    """What no hunt can do without."""
    yield Check("gainsay", True, f"{gainsay.__version__} on Python {platform.python_version()}, {platform.platform()}")
    yield Check("Linux", sys.platform == "linux", sys.platform, "gainsay reads /proc and uses LD_PRELOAD")
    names = ("stat", "statm", f"task/{os.getpid()}/children")
    has_proc = all(os.access(f"/proc/self/{name}", os.R_OK) for name in names)
    yield Check("/proc", has_proc, "time, memory and children of processes", "mount it, or allow it in the container")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield Check("open files", soft >= FILES or hard >= FILES, f"{soft} may be open", f"ulimit -n {FILES} or more")
    memory, _ = resource.getrlimit(resource.RLIMIT_AS)
    is_free = memory == resource.RLIM_INFINITY or memory >= 4 << 30
    yield Check("memory limit", is_free, "none" if is_free else f"{memory >> 20} MB", "ulimit -v unlimited")
    place = releases.cache_root()
    held = f"{place}, {size(place) >> 20:,} MB"
    yield Check("cache", is_writable(place), held, "set GAINSAY_CACHE to a folder of yours")
    shm = shutil.disk_usage("/dev/shm").free if Path("/dev/shm").is_dir() else 0
    yield Check("/dev/shm", True, f"{shm >> 20:,} MB free: servers of ours keep their data there where it has room")


def is_writable(place: Path) -> bool:
    """Whether a folder can be made, or written to."""
    while not place.exists():
        place = place.parent
    return os.access(place, os.W_OK)


def engine_checks() -> Iterator[Check]:
    """Which engines can be hunted on as they are, and what brings the others."""
    with Gathering([Target(name) for name in registry.table("gainsay.engines")], installed) as gathering:
        for target, said in gathering.all():
            if isinstance(said, str):
                yield Check(target.engine, True, said)
            else:
                yield Check(target.engine, False, "", remedy(target.engine, said))


def remedy(name: str, problem: EnvironmentProblem) -> str:
    """What installs an engine."""
    engine = registry.engine(name)
    if engine.package and not engine.needs_server and "not installed" in str(problem):
        return f"pip install 'gainsay[{name}]'"
    return str(problem).removeprefix(f"{name}: ").rstrip(".")


def extras() -> Iterator[Check]:
    """Programs and packages that some commands use."""
    for name, used_for in PROGRAMS.items():
        path = shutil.which(name)
        yield Check(name, path is not None, path or "", used_for)
    for name, extra in PACKAGES.items():
        version = package_version(name)
        yield Check(name, bool(version), version, f"pip install 'gainsay[{extra}]'")


def package_version(name: str) -> str:
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""
