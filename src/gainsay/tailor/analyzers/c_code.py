"""What the analyzers of C share: options with folders of headers and macros, of a form that may reach a compiler's
command line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from gainsay.core.tailor_analyzer import TailorAnalyzer
from gainsay.errors import UsageError

WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./+-]*|\.{1,2}(/[A-Za-z0-9_./+-]+)?|/[A-Za-z0-9_./+-]*")
DEFINE = re.compile(r"[A-Za-z_]\w*(=[A-Za-z0-9_.]*)?")
OPTIONS: Mapping[str, str] = {
    "include": "folders of header files, with commas between them, relative to the C file",
    "define": "macros, with commas between them, such as NDEBUG or SIZE=4",
}


class CAnalyzer(TailorAnalyzer):
    """Base of analyzers whose code is a C file."""

    suffixes = (".c",)

    def check_options(self) -> None:
        for folder in self.listed("include"):
            if not WORD.fullmatch(folder):
                raise UsageError(f"include={folder}: a folder's name may have letters, digits, _ . / + and - only.")
        for macro in self.listed("define"):
            if not DEFINE.fullmatch(macro):
                raise UsageError(f"define={macro}: write NAME or NAME=VALUE, of letters, digits, _ and . only.")

    def listed(self, option: str, default: str = "") -> list[str]:
        """The parts of an option that has commas in it."""
        return [part for part in self.options.get(option, default).split(",") if part]

    def flags(self, source: Path) -> list[str]:
        """Folders and macros as a C compiler takes them."""
        folders = [f"-I{(source.parent / folder).resolve()}" for folder in self.listed("include")]
        return folders + [f"-D{macro}" for macro in self.listed("define")]
