"""mypy: types, across files. A file's module is its path from the nearest folder from which packages are imported."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from gainsay.core.split_analyzer import NOT_ANALYZED, Finding, NoReport, not_analyzed, relative
from gainsay.limits import Ended
from gainsay.split.by_pip import ByPip
from gainsay.split.stubs import UNKNOWN

BLOCKED = 2  # its exit code when it could not go on
BLOCKERS = ("syntax", "error", NOT_ANALYZED)


class Mypy(ByPip):
    """mypy, which follows imports into stubs beyond a part's border."""

    name = "mypy"
    about = "types across files"
    suffixes = (".py", ".pyi")
    takes_stubs = True
    configs = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg")
    requirements = ("mypy==2.4.1",)

    def command(self, folder: Path, names: Sequence[str], homes: Sequence[str]) -> list[str]:
        """The others are only followed, silently: mypy then leaves out the bodies of their functions.
        Of a.py and a.pyi it takes the second."""
        shadowed = {name.removesuffix("i") for name in names if name.endswith(".pyi")}
        return [
            str(self.install() / "bin" / "mypy"),
            *("--output", "json", "--no-error-summary", "--no-incremental", "--cache-dir", "/dev/null"),
            *("--explicit-package-bases", "--namespace-packages", "--scripts-are-modules"),
            f"--config-file={settings(folder)}",
            *(() if len(homes) == len(names) else ("--follow-imports", "silent")),
            *self.arguments,
            *("--", *(f"./{name}" for name in homes if name not in shadowed)),
        ]

    def environment(self, folder: Path) -> dict[str, str]:
        return {"MYPYPATH": os.pathsep.join(map(str, roots(folder))), "PYTHONDONTWRITEBYTECODE": "1"}

    def unblock(self, ended: Ended, found: Sequence[Finding], folder: Path) -> list[str]:
        """One file that does not parse, and mypy looks at no other.
        A module of which nothing is known takes its place."""
        if ended.code != BLOCKED:
            return []
        blocked = sorted(
            {
                f.file
                for f in found
                if f.rule in BLOCKERS and f.file.endswith((".py", ".pyi")) and (folder / f.file).is_file()
            }
        )
        if not blocked:
            raise NoReport(f"mypy ended with code {ended.code}: {found[0].file}: {found[0].message}")
        for name in blocked:
            (folder / name).unlink()
            if not any(f.file == name and f.rule == NOT_ANALYZED for f in found):
                (folder / name).with_suffix(".pyi").write_text(UNKNOWN, "utf-8")
        return blocked

    def read(self, ended: Ended, folder: Path) -> list[Finding]:
        """Exit codes 0 and 1 are reports. 2 is none, but says which file it stumbled over, see `unblock`."""
        found, other = [], []
        for line in ended.printed.splitlines():
            try:
                said = json.loads(line)
                if said["severity"] == "error":
                    found.append(
                        finding(
                            relative(said["file"], folder),
                            said["line"],
                            said["column"] + 1,
                            said["code"],
                            said["message"],
                        )
                    )
            except (ValueError, KeyError, TypeError):
                other.append(line)
        if ended.code not in (0, 1) and (ended.code != BLOCKED or not found):
            raise NoReport(f"mypy ended with code {ended.code}: {' '.join(other)[-500:] or 'it said nothing'}")
        return found


def finding(file: str, line: int, column: int, rule: str | None, message: str) -> Finding:
    """An error without a code keeps mypy from going on.
    Two modules of one name are no error of the user's, but mypy can't see both."""
    if rule is None and message.startswith(("Duplicate module", "Source file found twice")):
        return not_analyzed(file, message)
    return Finding(file, max(0, line), max(0, column), rule or "error", message, "error")


def settings(folder: Path) -> str:
    """The user's own, if the part has them: else mypy would look for some in the folders above, which are not the
    code's."""
    for name, mark in (("mypy.ini", ""), (".mypy.ini", ""), ("pyproject.toml", "[tool.mypy"), ("setup.cfg", "[mypy")):
        path = folder / name
        if path.is_file() and mark in path.read_text("utf-8", "replace"):
            return name
    return ""


def roots(folder: Path) -> list[Path]:
    """Folders from which packages are imported: the top, and others that hold packages, such as src, unless two hold
    one of the same name."""
    packages = {init.parent for init in folder.rglob("__init__.py*") if init.suffix in (".py", ".pyi")}
    tops = sorted(package for package in packages if package.parent not in packages and package.parent != folder)
    counts = Counter(top.name for top in [*tops, *(p for p in packages if p.parent == folder)])
    found = dict.fromkeys(top.parent for top in tops)
    clashing = {top.parent for top in tops if counts[top.name] > 1}
    return [folder, *(root for root in found if root not in clashing)]
