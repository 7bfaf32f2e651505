"""Releases that Maven brings: listed and copied by name; archives of programs are unpacked.

A requirement is `mvn:GROUP:ARTIFACT:VERSION[:TYPE[:CLASSIFIER]]`, and a package to list `mvn:GROUP:ARTIFACT`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

from gainsay.errors import EnvironmentProblem

MARK = "mvn:"
ARCHIVES = (".txz", ".tar.xz", ".tar.gz", ".tgz", ".tar")
ELSEWHERE = re.compile(r"mac|osx|darwin|win|aarch64|arm64", re.IGNORECASE)  # in the name: for another platform
SMALLEST = 1 << 20  # of an archive in an archive that is unpacked, too
ELF = b"\x7fELF"
REMEDY = "Java and Maven bring it: apt-get install maven"


def lacking() -> str:
    """What is not here of what it takes; nothing where all is."""
    if shutil.which("mvn") is None:
        return "Maven, which is not here"
    has_java = shutil.which("java") or Path(os.environ.get("JAVA_HOME") or "/nowhere", "bin", "java").is_file()
    return "" if has_java else "Maven, which needs a Java, and there is none"


def is_there() -> bool:
    return not lacking()


def mvn(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["mvn", "--batch-mode", "--quiet", *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def versions(package: str) -> list[str]:
    """All versions of an artifact, oldest first; none where Maven is not there or does not know it."""
    if not is_there():
        return []
    group, artifact = package.removeprefix(MARK).split(":")[:2]
    mvn("dependency:get", f"-Dartifact={group}:{artifact}:LATEST:pom", "-Dtransitive=false")
    home = repository() / group.replace(".", "/") / artifact
    found: dict[str, None] = {}
    for told in sorted(home.glob("maven-metadata-*.xml")):
        found.update(dict.fromkeys(re.findall(r"<version>([^<]+)</version>", told.read_text("utf-8"))))
    return list(found)


def repository() -> Path:
    """Where Maven keeps what it has brought."""
    return Path.home() / ".m2" / "repository"


def bring(requirement: str, folder: Path, is_unpacked: bool) -> str:
    """Put an artifact into a folder. What Maven said if that can't be; empty if it is there."""
    missing = lacking()
    if missing:
        raise EnvironmentProblem(
            f"{requirement.removeprefix(MARK)} comes from {missing}. {REMEDY}. "
            "What pip installs works without: 'gainsay engines' lists it."
        )
    folder.mkdir()
    artifact = requirement.removeprefix(MARK)
    result = mvn("dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={folder}")
    if result.returncode != 0:
        told = re.search(r"\[ERROR\] (.*\S)", result.stdout)
        return told[1] if told else "Maven failed"
    if is_unpacked:
        for archive in [*folder.iterdir()]:
            unpack(archive, folder)
    return ""


def unpack(archive: Path, folder: Path) -> None:
    """What is in an archive, and in archives in it, in place of it. Programs can be run."""
    before = {*folder.rglob("*")}
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(folder)
    else:
        with tarfile.open(archive) as opened:
            opened.extractall(folder, filter="tar")
    archive.unlink()
    for path in [p for p in folder.rglob("*") if p not in before and p.is_file() and not p.is_symlink()]:
        if path.name.endswith(ARCHIVES) and path.stat().st_size > SMALLEST:
            if ELSEWHERE.search(path.name):
                path.unlink()
            else:
                unpack(path, path.parent)
        elif path.exists() and path.stat().st_size > 4:
            with path.open("rb") as file:
                is_program = file.read(4) == ELF
            if is_program:
                path.chmod(0o755)
