"""Dependencies between the class files of a folder, by the JDK's own jdeps.

jdeps gets archives that are made of the files, not the folder: a module-info would make it ask for modules that are not
there, two versions of one class would hide one another, and no file's name can be taken for an option."""

from __future__ import annotations

import shutil
import struct
import subprocess
import tempfile
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from gainsay.errors import EnvironmentProblem
from gainsay.split.environments import clean, last

MODULE, PACKAGE = "module-info", "package-info"
# Of constants, JVM spec. 4.4
SIZES = {3: 5, 4: 5, 5: 9, 6: 9, 7: 3, 8: 3, 9: 5, 10: 5, 11: 5, 12: 5, 15: 4, 16: 3, 17: 5, 18: 5, 19: 3, 20: 3}
TEXT, WIDE = 1, (5, 6)  # the tag of a text, and of constants that count twice
UTF8 = [f"-J-D{name}=UTF-8" for name in ("file.encoding", "stdout.encoding", "sun.stdout.encoding")]


def dependencies(folder: Path, names: Sequence[str]) -> dict[str, set[str]]:
    """For each file the others that it uses directly. A file that is no class file uses none, and stays a file."""
    files = classes(folder, names)
    files.pop(MODULE, None)
    found: dict[str, set[str]] = {name: set() for name in names}
    for source, target in (*said(folder, files), *together(files)):
        for name in files.get(source, ()):
            found[name].update(other for other in files.get(target, ()) if other != name)
    return found


def classes(folder: Path, names: Sequence[str]) -> dict[str, list[str]]:
    """The files of each class, by the name that they give it: it may lie below target/classes or META-INF/versions/9.
    The least deep comes first."""
    found: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda name: (name.count("/"), name)):
        try:
            found.setdefault(class_name((folder / name).read_bytes()), []).append(name)
        except NotAClass:
            pass
    return found


class NotAClass(ValueError):
    """These bytes are no class file."""


def class_name(content: bytes) -> str:
    """The class that a class file defines, such as com.acme.Foo$Inner. Only the table of constants is read."""
    if content[:4] != b"\xca\xfe\xba\xbe":
        raise NotAClass
    try:
        (count,) = struct.unpack_from(">H", content, 8)
        at, number, places = 10, 1, {}
        while number < count:
            tag = content[at]
            places[number] = at + 1
            number += 2 if tag in WIDE else 1
            at += 3 + struct.unpack_from(">H", content, at + 1)[0] if tag == TEXT else SIZES[tag]
        (own,) = struct.unpack_from(">H", content, at + 2)
        start = places[struct.unpack_from(">H", content, places[own])[0]]
        (length,) = struct.unpack_from(">H", content, start)
        return content[start + 2 : start + 2 + length].decode().replace("/", ".")
    except (struct.error, LookupError, UnicodeDecodeError):
        raise NotAClass from None


def together(files: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """What jdeps may not say, but analyzers read: a class and those inside of it use one another, and all use their
    package's annotations."""
    for name in files:
        package, dot, simple = name.rpartition(".")
        for at in (n for n, letter in enumerate(simple) if letter == "$" and n):
            outer = package + dot + simple[:at]
            yield from ((name, outer), (outer, name))
        yield name, package + dot + PACKAGE


# --- jdeps ------------------------------------------------------------------------------------------------------------


def said(folder: Path, files: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Pairs of classes, as jdeps says them of these files."""
    if not files:
        return []
    if shutil.which("jdeps") is None:
        raise EnvironmentProblem(
            "jdeps is not installed, and only it knows who uses whom in Java. Install a JDK, 11 or later."
        )
    with tempfile.TemporaryDirectory(prefix="gainsay-jdeps-") as room:
        archives = pack(folder, files, Path(room))
        command = ["jdeps", *UTF8, "-v", *archives]
        done = subprocess.run(
            command,
            cwd=room,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            stdin=subprocess.DEVNULL,
            env=clean(),
            check=False,
        )
    if done.returncode:
        raise EnvironmentProblem(
            f"jdeps ended with code {done.returncode}: {last(done.stderr or done.stdout)}. Is it of JDK 11 or later?"
        )
    return list(edges(done.stdout, archives))


def pack(folder: Path, files: Mapping[str, Sequence[str]], room: Path) -> list[str]:
    """Archives of the files, each class at most once in each: the names of the archives."""
    made = []
    for version in range(max(map(len, files.values()))):
        made.append(f"gainsay-{version}.jar")
        with zipfile.ZipFile(room / made[-1], "w") as archive:
            for name, variants in files.items():
                if version < len(variants):
                    archive.writestr(f"{name.replace('.', '/')}.class", (folder / variants[version]).read_bytes())
    return made


def edges(printed: str, archives: Collection[str]) -> Iterator[tuple[str, str]]:
    """Lines such as `   a.B   -> a.C$D   x.jar`, where x.jar is ours: those of the JDK, of other archives and "not
    found" name others.

    A class's name may have blanks in it (Kotlin's tests do), an archive's of ours has none.
    """
    for line in printed.split("\n"):
        source, arrow, rest = line.rstrip().partition(" -> ")
        target, _, archive = rest.rpartition(" ")
        if arrow and line.startswith(" ") and archive in archives:
            yield source.strip(), target.strip()
