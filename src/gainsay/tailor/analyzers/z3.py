"""Z3 as a prover: the code is a set of proof obligations in SMT-LIB (a folder of files, or one file with many checks),
each proved by `unsat`.

An ingredient is a configuration of the solver. Obligations are independent of each other, so that an ingredient of a
recipe works only on what the earlier ones left open, and nothing is assumed."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from gainsay import limits
from gainsay.core.poset import Poset
from gainsay.core.tailor_analyzer import (
    OPEN,
    PROVED,
    REFUTED,
    Allowance,
    Code,
    Ingredient,
    Outcome,
    Property,
    Setting,
    TailorAnalyzer,
    Tuning,
)
from gainsay.engines.solver import beside
from gainsay.errors import EnvironmentProblem, UsageError
from gainsay.families.smt.language import sexpr

KEPT = frozenset(
    [
        "set-logic",
        "declare-sort",
        "declare-fun",
        "declare-const",
        "declare-datatype",
        "declare-datatypes",
        "define-sort",
        "define-fun",
        "define-const",
        "define-fun-rec",
        "define-funs-rec",
        "assert",
    ]
)
SIZE = 64 << 20  # bytes of one file
DEEPEST = 1000  # levels of one push
DEATHS = 5  # of the solver in one run, before the run counts as a crash
MARK = re.compile(r"^gainsay-(\d+)$", re.MULTILINE)
SIMPLIFIED = "simplify propagate-values"
# A tactic is below another one if it decides less, however long it is given: rewriting alone decides least.
TACTICS: Mapping[str, str] = {
    "default": "",
    "rewrite": f"(then {SIMPLIFIED} fail-if-undecided)",
    "solve-eqs": f"(then {SIMPLIFIED} solve-eqs elim-uncnstr simplify fail-if-undecided)",
    "context": "(then simplify propagate-values ctx-simplify fail-if-undecided)",
    "smt": "(then simplify smt)",
    "smt-eqs": f"(then {SIMPLIFIED} solve-eqs simplify smt)",
    "bit-blast": f"(then {SIMPLIFIED} solve-eqs elim-uncnstr reduce-args simplify max-bv-sharing ackermannize_bv "
    "bit-blast aig sat)",
    "nlsat": f"(then {SIMPLIFIED} solve-eqs purify-arith qfnra-nlsat)",
    "nla2bv": f"(then {SIMPLIFIED} nla2bv smt)",
    "qe": "(then simplify qe smt)",
}
POSET: Mapping[str, Sequence[str]] = {
    "rewrite": ("solve-eqs", "context"),
    "solve-eqs": ("smt-eqs", "bit-blast", "nlsat", "default"),
    "context": ("smt", "default"),
    "smt": (),
    "smt-eqs": (),
    "bit-blast": (),
    "nlsat": (),
    "nla2bv": (),
    "qe": (),
    "default": (),
}
# Setting -> Z3's parameter. `effort` is Z3's own count of steps for one obligation, which does not depend on the
# machine.
PARAMETERS: Mapping[str, str] = {
    "effort": ":rlimit",
    "arith": ":smt.arith.solver",
    "relevancy": ":smt.relevancy",
    "case-split": ":smt.case_split",
    "phase": ":smt.phase_selection",
    "restart": ":smt.restart_strategy",
    "mbqi": ":smt.mbqi",
    "ematching": ":smt.ematching",
    "eager": ":smt.qi.eager_threshold",
    "macros": ":smt.macro_finder",
    "grobner": ":smt.arith.nl.grobner",
}


def setting(name: str, values: str, default: str, is_monotone: bool = False) -> Setting:
    return Setting(name, tuple(values.split()), default, is_monotone)


class Z3(TailorAnalyzer):
    """Z3 on a folder of proof obligations: tactics and parameters are the settings."""

    name = "z3"
    about = "Z3 on proof obligations in SMT-LIB: each is proved by 'unsat'"
    install = "Install it with: pip install 'gainsay[z3]'"
    suffixes = (".smt2",)
    options_known: ClassVar[Mapping[str, str]] = {
        "bin": "the program to run (default: that of the package z3-solver, else z3 on PATH)"
    }
    trusted_only = frozenset({"bin"})
    hands_on = True
    domains = Poset(POSET)
    settings = (
        setting("effort", "50000 200000 1000000 5000000 25000000 unlimited", "unlimited", is_monotone=True),
        setting("arith", "2 6", "6"),
        setting("relevancy", "0 1 2", "2"),
        setting("case-split", "0 1 2", "1"),
        setting("phase", "0 3 5", "3"),
        setting("restart", "0 1 2", "1"),
        setting("mbqi", "false true", "true"),
        setting("ematching", "false true", "true"),
        setting("eager", "5 10 50 200", "10"),
        setting("macros", "false true", "false"),
        setting("grobner", "false true", "true"),
    )
    kinds: ClassVar[Mapping[str, str]] = {}

    def check_options(self) -> None:
        if "bin" in self.options and shutil.which(self.options["bin"]) is None:
            raise UsageError(f"bin={self.options['bin']}: there is no program of that name.")

    def program(self) -> str:
        if "bin" in self.options:
            return os.path.abspath(shutil.which(self.options["bin"]) or "")
        try:
            return beside("z3", "z3")
        except (ModuleNotFoundError, RuntimeError):
            found = shutil.which("z3")
            if found is None:
                raise EnvironmentProblem(f"There is no Z3 here. {self.install}") from None
            return found

    def version(self) -> str:
        try:
            ended = subprocess.run(
                [self.program(), "--version"],
                capture_output=True,
                text=True,
                errors="replace",
                stdin=subprocess.DEVNULL,
            )
        except OSError as error:
            raise EnvironmentProblem(f"{self.program()} can't be run: {error.strerror}. {self.install}") from None
        found = re.search(r"\d+\.\d+\.\d+(\.\d+)?", ended.stdout)
        if not found:
            raise EnvironmentProblem(
                f"'z3 --version' does not tell a version: {(ended.stdout or ended.stderr).strip()[:100]!r}. "
                f"{self.install}"
            )
        return found.group()

    def default(self) -> Tuning:
        return Tuning((Ingredient("default"),))

    def initial(self) -> Tuning:
        """Z3 has no limit of its own, so that one hard obligation takes all the time: the search starts where each is
        given little."""
        return Tuning((Ingredient("default", (("effort", "200000"),)),))

    def ladder(self) -> Sequence[tuple[str, Tuning]]:
        """Z3's own strategy with more and more effort for each obligation."""
        values = next(s.values for s in self.settings if s.name == "effort")
        return [
            (f"rlimit {v}", Tuning((Ingredient("default", (("effort", v),) if v != "unlimited" else ()),)))
            for v in values
        ]

    # --- preparing ----------------------------------------------------------------------------------------------------

    def prepare(self, source: Path, folder: Path, stop: threading.Event) -> Code:
        files = sorted(p for p in source.rglob("*.smt2") if p.is_file()) if source.is_dir() else [source]
        if not files:
            raise UsageError(f"{source} holds no .smt2 file. Give a folder of SMT-LIB files, or one file.")
        properties: list[Property] = []
        scripts: list[str] = []
        for file in files:
            name = (
                (file.relative_to(source).as_posix() if source.is_dir() else file.name)
                .encode("utf-8", "replace")
                .decode()
            )
            for number, (script, status) in enumerate(obligations(read(file), str(file))):
                properties.append(
                    Property(name, "obligation", f"check-sat{f', stated to be {status}' if status else ''}", number)
                )
                scripts.append(script)
        if not properties:
            raise UsageError(f"{source} has no check-sat: there is nothing to prove in it.")
        folder.mkdir(parents=True, exist_ok=True)
        data = msgspec.json.encode(scripts)
        (folder / "scripts.json").write_bytes(data)
        return Code(
            source.name if source.is_dir() else source.stem,
            hashlib.blake2b(data, digest_size=16).hexdigest(),
            tuple(properties),
            str(folder.resolve()),
            str(source),
        )

    # --- running ------------------------------------------------------------------------------------------------------

    def run(
        self, code: Code, ingredient: Ingredient, assumed: int, allowance: Allowance, stop: threading.Event
    ) -> Outcome:
        """One process for all obligations; where it dies of one, the next process goes on behind that."""
        scripts: list[str] = msgspec.json.decode((Path(code.folder) / "scripts.json").read_bytes(), type=list[str])
        waiting = [n for n in range(len(scripts)) if not assumed >> n & 1]
        found = dict.fromkeys(waiting, OPEN)
        spent = wall = 0.0
        most = deaths = answered = 0
        while waiting:
            left = Allowance(max(allowance.cpu_s - spent, 0.001), allowance.memory, allowance.open)
            ended, answers = self._process(code, ingredient, [(n, scripts[n]) for n in waiting], found, left, stop)
            spent, wall, most = spent + ended.cpu_s, wall + ended.wall_s, max(most, ended.memory)
            found.update(answers)
            answered += len(answers)
            if ended.why:
                still = sum(found[n] != PROVED for n in answers)
                return Outcome(ended.why, spent, wall, most, open=still)
            waiting = waiting[len(answers) :]
            if waiting:  # it died of the first that has no answer
                deaths += 1
                waiting = waiting[1:]
                if deaths > DEATHS:
                    return Outcome(
                        "crash", spent, wall, most, detail=ended.printed.strip()[-200:] or f"exit code {ended.code}"
                    )
        if deaths and not answered:
            return Outcome("crash", spent, wall, most, detail=ended.printed.strip()[-200:] or f"exit code {ended.code}")
        verdicts = "".join(found.get(n, PROVED) for n in range(len(scripts)))
        return Outcome("ok", spent, wall, most, verdicts, f"{deaths} deaths" if deaths else "")

    def _process(
        self,
        code: Code,
        ingredient: Ingredient,
        asked: list[tuple[int, str]],
        found: Mapping[int, str],
        allowance: Allowance,
        stop: threading.Event,
    ) -> tuple[limits.Ended, dict[int, str]]:
        path = Path(code.folder) / f"run-{threading.get_ident()}.smt2"
        opening, check = "\n".join(options(ingredient)), checking(ingredient)
        path.write_text(
            "".join(f'(reset)\n{opening}\n{text}{check}\n(echo "gainsay-{n}")\n' for n, text in asked), "utf-8"
        )
        failed = sum(v == REFUTED for v in found.values())

        def is_pointless(printed: int) -> bool:
            seen = answers_of(os.pread(printed, limits.PRINTED, 0).decode("utf-8", "replace"))
            return failed + sum(v != PROVED for v in seen.values()) >= allowance.open

        watching = is_pointless if allowance.open < len(found) else None
        try:
            ended = limits.run(
                [self.program(), "-smt2", path.name],
                Path(code.folder),
                allowance.cpu_s,
                allowance.memory,
                stop=stop,
                is_pointless=watching,
            )
        finally:
            path.unlink(missing_ok=True)
        return ended, answers_of(ended.printed)

    def command(self, source: str, ingredient: Ingredient) -> list[str]:
        """As a script to put before and in the place of (check-sat)."""
        return [
            f"# each obligation of {shlex.quote(source)}: these lines first, and its check-sat as "
            f"{checking(ingredient)}",
            *options(ingredient),
        ]


def options(ingredient: Ingredient) -> list[str]:
    return [f"(set-option {PARAMETERS[name]} {value})" for name, value in ingredient.settings if value != "unlimited"]


def checking(ingredient: Ingredient) -> str:
    tactic = TACTICS[ingredient.domain]
    return f"(check-sat-using {tactic})" if tactic else "(check-sat)"


def answers_of(printed: str) -> dict[int, str]:
    """The verdict of each obligation that was finished.
    An answer beside an error message is none: something was not understood."""
    found = {}
    at = 0
    for mark in MARK.finditer(printed):
        said = printed[at : mark.start()].split()
        at = mark.end()
        found[int(mark[1])] = PROVED if said == ["unsat"] else REFUTED if said == ["sat"] else OPEN
    return found


def read(file: Path) -> list[sexpr.Expr]:
    """The commands of a script; a file that can't be read is told with the remedy."""
    try:
        if file.stat().st_size > SIZE:
            raise UsageError(f"{file} has more than {SIZE >> 20} MiB. Split it.")
        return sexpr.parse(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{file} can't be read as text: {getattr(error, 'strerror', None) or 'it is not UTF-8'}."
        ) from None
    except sexpr.SmtError as error:
        raise UsageError(f"{file} is not SMT-LIB: {error}.") from None


def obligations(commands: Sequence[sexpr.Expr], where: str) -> Iterator[tuple[str, str]]:
    """The script of each check by itself, with the status that the file states for it.
    Options and output are left out, and what is neither a declaration nor an assertion is refused: a script may write
    files."""
    levels: list[list[str]] = [[]]
    status = ""
    for command in commands:
        word = command[0] if isinstance(command, tuple) and command else ""
        rest = command[1:] if isinstance(command, tuple) else ()
        if word in KEPT:
            levels[-1].append(sexpr.show(command))
        elif word == "push":
            if count(rest) > DEEPEST:
                raise UsageError(f"{where}: {sexpr.show(command)[:60]} is deeper than {DEEPEST}.")
            levels += [[] for _ in range(count(rest))]
        elif word == "pop":
            if count(rest) >= len(levels):
                raise UsageError(f"{where}: a pop without its push.")
            del levels[len(levels) - count(rest) :]
        elif word in ("check-sat", "check-sat-assuming"):
            assumed = [f"(assert {sexpr.show(e)})" for e in rest[0]] if rest and isinstance(rest[0], tuple) else []
            yield "\n".join([*(line for level in levels for line in level), *assumed]) + "\n", status
            status = ""
        elif word == "reset":
            levels = [[]]
        elif word == "reset-assertions":
            levels = [[line for line in levels[0] if not line.startswith("(assert")]]
        elif word == "exit":
            return
        elif word == "set-info" and rest and rest[0] == ":status":
            status = str(rest[1]) if len(rest) > 1 and rest[1] in ("sat", "unsat") else ""
        elif word not in ("set-info", "set-option") and not str(word).startswith(("get-", "echo")):
            raise UsageError(f"{where}: {sexpr.show(command)[:60]!r} is no command that is read here.")


def count(rest: Sequence[sexpr.Expr]) -> int:
    return int(rest[0]) if rest and isinstance(rest[0], str) and rest[0].isdecimal() else 1
