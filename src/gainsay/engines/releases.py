"""Released versions of engines: listed and brought from PyPI or Maven by name, into a cache, each in its own folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from gainsay.core.engine import Engine
from gainsay.engines import maven
from gainsay.errors import EnvironmentProblem

DAY_S = 24 * 3600


def cache_root() -> Path:
    own = os.environ.get("GAINSAY_CACHE")
    return Path(own) if own else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gainsay"


def cache_dir() -> Path:
    return cache_root() / "engines"


def pip(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def listed(engine: Engine) -> list[str]:
    """Versions of an engine with a wheel for this Python, newest first; an engine whose wheels have other numbers has a
    table of them."""
    if engine.releases:
        return list(engine.releases)
    found: dict[str, None] = {}
    for package, pattern in engine.available().items():
        if package.startswith(maven.MARK):
            matches = [re.match(pattern, name) for name in reversed(maven.versions(package))]
            found.update(dict.fromkeys(match.group(1) for match in matches if match))
            continue
        result = pip("index", "versions", "--only-binary=:all:", package)
        line = next((text for text in result.stdout.splitlines() if text.startswith("Available versions:")), "")
        for name in line.removeprefix("Available versions:").split(","):
            match = re.match(pattern, name.strip())
            if match:
                found[match.group(1)] = None
    return list(found)


def is_from_maven(engine: Engine) -> bool:
    """Whether Maven brings it: what is not there yet is then asked for by name only."""
    return any(name.startswith(maven.MARK) for name in (*engine.available(), *engine.releases.values()))


def newest(engine: Engine, is_asking: bool = True) -> str:
    """The newest release that can be had, or nothing.
    What an index says is remembered for a day; without `is_asking` nothing else is looked at."""
    if engine.releases:
        return next(iter(engine.releases))
    memo = cache_root() / "newest" / engine.name
    try:
        if time.time() - memo.stat().st_mtime < DAY_S:
            return memo.read_text("ascii")
    except (OSError, UnicodeDecodeError):
        pass
    if not is_asking:
        return ""
    found = max(listed(engine), key=numbers, default="")
    if not found:
        return ""
    try:
        memo.parent.mkdir(parents=True, exist_ok=True)
        memo.write_text(found, "ascii")
    except OSError:
        pass  # then it is asked again
    return found


def is_older(version: str, other: str) -> bool:
    """Whether a version is older than another; what has no number is no older."""
    return bool(numbers(version)) and bool(numbers(other)) and numbers(version) < numbers(other)


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", version))


def has_wheel(engine: Engine, version: str) -> bool:
    """Whether pip would really install it; what an index lists may be for other Pythons only."""
    if any(r.startswith(maven.MARK) for r in engine.requirements(version)):
        return True
    options = ("--dry-run", "--quiet", "--no-deps", "--ignore-installed", "--only-binary=:all:")
    target = ("--target=unused", *engine.pip) if engine.pip else ()  # another platform wants a target, even for nothing
    return any(
        pip("install", *options, *target, requirement).returncode == 0 for requirement in engine.requirements(version)
    )


def nearest(engine: Engine, version: str, versions: list[str]) -> list[str]:
    """Up to four versions around one that can be installed here; else the oldest that can."""
    ordered = sorted(versions, key=numbers)
    wanted = numbers(version)
    below = [v for v in ordered if numbers(v) < wanted][-2:]
    above = [v for v in ordered if numbers(v) > wanted][:2]
    found = [v for v in below + above if has_wheel(engine, v)]
    if found or not ordered:
        return found
    low, high = 0, len(ordered) - 1  # wheels begin with some release
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if has_wheel(engine, ordered[middle]) else (middle + 1, high)
    return ordered[low : low + 2]


def folder(engine: Engine, version: str, is_hinting: bool = True) -> Path:
    """The folder that holds this version; installed on first use. `is_hinting`: where it can't be had, say which are
    near, which takes as long as several installs."""
    home = cache_dir() / engine.name / version
    if home.exists():
        return home
    if not re.fullmatch(r"\d+(\.\w+)*", version):
        raise EnvironmentProblem(f"{version!r} is not a version of {engine.name}. Write it as in {engine.name}@1.2.3.")
    home.parent.mkdir(parents=True, exist_ok=True)
    said = ""
    for requirement in engine.requirements(version):
        with tempfile.TemporaryDirectory(dir=home.parent) as room:
            fresh = Path(room) / "x"
            said = brought(engine, requirement, fresh)
            if not said:
                # Two processes may install at once: the first rename wins, both folders are the same.
                try:
                    fresh.rename(home)
                except OSError:
                    shutil.rmtree(fresh, ignore_errors=True)
                return home
    if not is_hinting:
        raise EnvironmentProblem(f"{engine.name}@{version} can't be installed here: {said.removeprefix('ERROR: ')}")
    versions = listed(engine)
    if not versions:
        raise EnvironmentProblem(
            f"{engine.name}@{version} can't be installed: {said}. Is PyPI reachable, and pip installed in this "
            "environment?"
        )
    is_known = version in versions and any(r.startswith(maven.MARK) for r in engine.requirements(version))
    if is_known:
        raise EnvironmentProblem(f"{engine.name}@{version} can't be brought: {said}. Is Maven's repository reachable?")
    hint = ", ".join(nearest(engine, version, versions))
    if any(name.startswith(maven.MARK) for name in (*engine.available(), *engine.releases.values())):
        raise EnvironmentProblem(f"{engine.name}@{version} is not among what Maven brings. The nearest: {hint}.")
    raise EnvironmentProblem(f"{engine.name}@{version} has no wheel for this Python. The nearest that have: {hint}.")


def brought(engine: Engine, requirement: str, folder: Path) -> str:
    """Install what a requirement names. Empty if that went well, else why not."""
    if requirement.startswith(maven.MARK):
        return maven.bring(requirement, folder, engine.is_archive)
    result = pip("install", "--quiet", "--only-binary=:all:", *engine.pip, "--target", str(folder), requirement)
    return "" if result.returncode == 0 else (result.stderr.strip().splitlines() or ["pip failed"])[-1]


def cached(engine: Engine) -> list[str]:
    """Released versions that are in the cache."""
    found = (cache_dir() / engine.name).glob("*")
    return [path.name for path in found if re.fullmatch(r"\d+(\.(post)?\d+)*", path.name)]


def library(engine: Engine, version: str) -> str:
    """A shared library that was put into the cache for a version without a wheel (make ladder), or nothing."""
    path = cache_dir() / engine.name / version / "libsqlite3.so.0"
    return str(path) if path.exists() else ""
