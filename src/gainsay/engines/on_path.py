"""Engines by their command line: a program on PATH, or ?bin=PATH."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from typing import ClassVar

from gainsay.core.engine import Engine, Options

# In a reproducer: the version, by what SAID holds and the pattern `says`.
NUMBER = '(re.search($says, SAID) or ["", "unknown"])[1]'


class OnPath(Engine):
    """A program that is named like the engine. Which one a process uses is in a variable: `version` has no options."""

    mark: ClassVar[str]  # what such a program says of itself, when it is asked for its version
    says: ClassVar[str]  # a pattern for what it says; its first group is the version

    repro_open = """
import os, re, subprocess, sys
PROGRAM = os.environ.get("$variable") or $program  # $variable= names another one
SAID = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout
"""
    repro_version = NUMBER

    def variable(self) -> str:
        return f"GAINSAY_{self.name.upper()}"

    def binary(self) -> str:
        return os.environ.get(self.variable()) or self.name

    def said(self) -> str:
        """What it says of itself."""
        command = [self.binary(), "--version"]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout

    def version(self) -> str:
        found = re.search(self.says, self.said())
        return (found[1] if found else "") or "unknown"

    def environment(self, version: str, options: Options) -> Mapping[str, str]:
        return {self.variable(): os.path.abspath(options["bin"])} if "bin" in options else {}

    def prove(self, options: Options) -> None:
        """Raise unless the program is there, and is what its name says."""
        path, remedy = self.binary(), f"Give the path of a {self.name} binary, as {self.name}?bin=PATH."
        if shutil.which(path) is None:
            if "bin" in options:
                raise RuntimeError(f"{path} is not a program that can be run. {remedy}")
            way = f"Install {self.title}, or name its binary: {self.name}?bin=PATH."
            raise RuntimeError(f"there is no {self.name} on PATH. {way}")
        try:
            said = self.said()
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RuntimeError(f"{path} can't be run: {error}") from None
        if self.mark not in said:
            first = (said.strip().splitlines() or [""])[0][:80]
            raise RuntimeError(f"{path} is not {self.title}: it says '{first}' when asked for its version. {remedy}")

    def repro_words(self, version: str, options: Options, configs: Sequence[str]) -> Mapping[str, str]:
        path = os.path.abspath(options["bin"]) if "bin" in options else self.name
        words = {"variable": self.name.upper(), "program": repr(path), "says": repr(self.says)}
        return {**super().repro_words(version, options, configs), **words}
