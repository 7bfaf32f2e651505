"""Bring the Java code that docs/split.md measures on into a folder: the classes of one package from Maven Central.

    python tools/java_corpus.py DEST

makes
    DEST/classes/com/google/common/...    all class files of the package's archive, unchanged

Java and Maven are needed. What the package itself needs is not brought: as with any part, those classes are missing.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

PACKAGE = ("com.google.guava", "guava", "33.7.2-jre")


class CorpusError(Exception):
    """Something could not be fetched; the text says what, and what to do about it."""


def fetch(work: Path) -> Path:
    """Let Maven copy the archive into a folder."""
    command = ["mvn", "-B", "-q", "dependency:copy", f"-Dartifact={':'.join(PACKAGE)}", "-DoutputDirectory=jars"]
    try:
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, errors="replace", check=False)
    except FileNotFoundError:
        raise CorpusError("mvn is not installed. Install Maven (Debian: apt-get install maven).") from None
    if done.returncode:
        last = "\n".join((done.stdout + done.stderr).strip().splitlines()[-5:])
        raise CorpusError(
            f"{' '.join(command)}\nended with status {done.returncode}:\n{last}\nCheck that Maven can reach its "
            "registry."
        )
    archives = list((work / "jars").glob("*.jar"))
    if len(archives) != 1:
        raise CorpusError(f"{':'.join(PACKAGE)}: expected one archive, found {len(archives)}.")
    return archives[0]


def unpack(archive: Path, dest: Path) -> int:
    """Write the class files of an archive to `dest`, and count them."""
    count = 0
    with zipfile.ZipFile(archive) as jar:
        for name in sorted(jar.namelist()):
            path = PurePosixPath(name)
            if path.suffix != ".class" or path.is_absolute() or ".." in path.parts:
                continue
            target = dest / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(jar.read(name))
            count += 1
    return count


def main(argv: Sequence[str] | None = None) -> int:
    """Fetch the package unless it is there, and say what is."""
    parser = argparse.ArgumentParser(description="Fetch the classes of one real Java package.")
    parser.add_argument("dest", type=Path, metavar="DEST", help="folder to fill (made if missing)")
    classes: Path = parser.parse_args(argv).dest.resolve() / "classes"
    if classes.exists():
        print(f"{classes} is there already; remove it to fetch anew")
        return 0
    classes.parent.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=classes.parent) as work:
            fresh = Path(work) / "classes"
            count = unpack(fetch(Path(work)), fresh)
            fresh.rename(classes)
    except CorpusError as error:
        print(f"java_corpus: {error}", file=sys.stderr)
        return 1
    print(f"{count} classes of {':'.join(PACKAGE)} in {classes}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
