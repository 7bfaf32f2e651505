"""CRAB by way of Clam (LLVM 14), by its command line: the analyzer of the thesis.
Properties are the thesis's four kinds, and the user's assertions.

Clam puts in checks for memory itself (use after free, bounds of what is allocated, null). Division by zero, signed
overflow and the bounds of arrays come from clang's sanitizer: each of its handlers is turned into an assertion that no
execution gets there. Overflow is computed in twice the width, because CRAB knows nothing of LLVM's overflow intrinsics;
a test of a range is made of two signed ones, each with a branch of its own, because CRAB's domains lose what stands
behind a Boolean `and`. clam-pp is not run: it makes all functions but main internal and drops them, so that nothing of
a library is left, and its passes remove a quarter of the checks before CRAB sees them.

What a proof means: CRAB takes integers as unbounded, so a proof holds where no unsigned computation wraps and no
conversion cuts. It goes function by function, and a call is taken to free nothing. Clam never says that a check fails
for certain: nothing is refuted, and a check that is dead is told apart from a proved one only by ours of prepare(). A
recipe is the union of its runs: upstream Clam can't hand over what one run proved to the next one."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from gainsay import limits
from gainsay.core.poset import Poset
from gainsay.core.tailor_analyzer import OPEN, PROVED, Allowance, Code, Ingredient, Outcome, Setting, Tuning
from gainsay.errors import EnvironmentProblem, UsageError, near
from gainsay.tailor.analyzers import clam_text
from gainsay.tailor.analyzers.c_code import OPTIONS, CAnalyzer
from gainsay.tailor.analyzers.clam_planted import KIND_OF, PLANTED, PROLOGUE
from gainsay.tailor.analyzers.clam_says import Place, dead, named, verdicts_of
from gainsay.tailor.analyzers.clam_text import Check, body_of, files_of, rewritten

PREPARE_S = 120.0  # CPU-seconds for each step that happens once
PREPARE_MEMORY = 4 << 30
CLANGS = ("clang-14", "clang")

# Figure 5.3. `bool` is a domain of the thesis's CRAB; in today's every domain has it built in.
ABOVE: Mapping[str, Sequence[str]] = {
    "int": ("zones", "term-int", "ric", "dis-int"),
    "zones": ("oct",),
    "oct": ("pk",),
    "dis-int": ("boxes", "term-dis-int"),
    "bool": (),
}
LADDER = ("int", "zones", "oct", "pk")
# Table 5.1. The default of `narrow` can't be read there: 3 is that of Clam's own script.
SETTINGS = (
    Setting("delay-widen", ("1", "2", "4", "8", "16"), "1"),
    Setting("narrow", ("1", "2", "3", "4"), "3"),
    Setting("thresholds", ("0", "10", "20", "30", "40"), "0"),
    Setting("backward", ("off", "on"), "off"),
    Setting("smashing", ("off", "on"), "on", is_monotone=False),
)
NUMBERS = {
    "delay-widen": "--crab-widening-delay",
    "narrow": "--crab-narrowing-iterations",
    "thresholds": "--crab-widening-jump-set",
}
# The backward transformers of CRAB's Apron domains mix up variables, and call violated assertions safe. (The released
# TAILOR switched them
# off for pk, too.)
NO_BACKWARD = frozenset({"oct", "pk"})
WHY_NOT = "CRAB's backward analysis calls violated assertions safe with oct and pk"

SANITIZERS = {"division": "integer-divide-by-zero", "overflow": "signed-integer-overflow", "bounds": "array-bounds"}
CHECKS = ("division", "overflow", "bounds", "uaf", "null", "assert")
USUAL = "division,overflow,bounds,uaf,assert"
FIXED = (
    # LLVM would join two branches into one with a Boolean `or`, whose parts CRAB's domains lose
    "--simplifycfg-branch-fold-threshold=0",
    *(
        "--clam-lower-select",
        "--clam-lower-unsigned-icmp",
        "--crab-track=mem",
        "--crab-heap-analysis=cs-sea-dsa",
        "--crab-singleton-aliases",
    ),
    *("--crab-check", "--crab-store-invariants=false", "--crab-print-invariants=none", "--crab-enable-warnings=false"),
)
MEMORY = {
    "uaf": ("--crab-uaf-check", "--crab-dom-param=region.deallocation=true"),
    "bounds": ("--crab-bounds-check",),
    "null": ("--crab-null-check",),
}


class Clam(CAnalyzer):
    """Clam: a run on bitcode for each recipe's ingredient."""

    name = "clam"
    about = "CRAB's domains on C, by way of Clam: abstract interpretation of LLVM bitcode, function by function"
    install = (
        "Clam is built from its sources, see its README; then put clam on PATH, or name its folder: --analyzer "
        "'clam?bin=FOLDER'."
    )
    options_known: ClassVar[Mapping[str, str]] = {
        "bin": "the folder of clam, if it is not on PATH",
        "clang": "the compiler, of the LLVM that Clam was built with (default clang-14, or clang)",
        **OPTIONS,
        "checks": f"what to check, of {', '.join(CHECKS)} (default {USUAL})",
    }
    # Name programs: never from a file that somebody sent
    trusted_only: ClassVar[frozenset[str]] = frozenset({"bin", "clang"})
    domains = Poset(ABOVE)
    settings = SETTINGS
    kinds: ClassVar[Mapping[str, str]] = {
        "division_by_zero": "division by zero",
        "signed_overflow": "integer overflow",
        "index_bound": "buffer overflow",
        "mem_access": "buffer overflow",
        "dangling": "use after free",
        "null": "other",
        "assertion": "other",
    }

    def check_options(self) -> None:
        """All of them reach a command line."""
        if "bin" in self.options and not Path(self.options["bin"]).is_dir():
            raise UsageError(f"bin={self.options['bin']}: there is no such folder.")
        super().check_options()
        for check in self.checks:
            if check not in CHECKS:
                raise UsageError(f"checks={check}: there is no such check.{near(check, CHECKS)}")
        if not self.checks:
            raise UsageError(f"checks=: give some of {', '.join(CHECKS)}.")

    @property
    def checks(self) -> list[str]:
        return self.listed("checks", USUAL)

    # --- programs -----------------------------------------------------------------------------------------------------

    def program(self) -> str:
        found = shutil.which("clam", path=self.options.get("bin"))
        if found is None:
            raise EnvironmentProblem(
                f"There is no clam in {self.options.get('bin', 'the folders of PATH')}. {self.install}"
            )
        return str(Path(found).resolve())

    def compiler(self) -> str:
        found = next(
            filter(None, map(shutil.which, [self.options["clang"]] if "clang" in self.options else CLANGS)), None
        )
        if found is None:
            raise EnvironmentProblem(
                "There is no clang-14 here, which clam needs. Install it with 'apt-get install clang-14' (Debian, "
                "Ubuntu)."
            )
        return found

    def version(self) -> str:
        """Clam tells only the version of LLVM, so the program's own digest is added."""
        program = self.program()
        ended = subprocess.run([program, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        found = re.search(r"LLVM version (\d\S*)", ended.stdout)
        if ended.returncode or found is None:
            raise EnvironmentProblem(
                f"'clam --version' does not work: {(ended.stderr or ended.stdout).strip()[:200]}. {self.install}"
            )
        return f"LLVM {found[1]}, {hashlib.sha256(Path(program).read_bytes()).hexdigest()[:12]}"

    # --- recipes ------------------------------------------------------------------------------------------------------

    def default(self) -> Tuning:
        """The thesis's: the product of Boolean, which every domain has built in, and Zones."""
        return Tuning((Ingredient("zones"),))

    def initial(self) -> Tuning:
        return Tuning((Ingredient("int"),))

    def ladder(self) -> Sequence[tuple[str, Tuning]]:
        """Clam has no levels of its designer's: its numerical domains from fast to precise stand in for them."""
        return [
            (f"--crab-dom={domain}", Tuning((Ingredient(domain),))) for domain in LADDER if domain in self.domains.names
        ]

    def settings_of(self, domain: str) -> list[Setting]:
        return [s for s in super().settings_of(domain) if s.name != "backward" or domain not in NO_BACKWARD]

    def checked(self, tuning: Tuning, where: str) -> Tuning:
        for ingredient in super().checked(tuning, where).ingredients:
            if ingredient.domain in NO_BACKWARD and dict(ingredient.settings).get("backward") == "on":
                raise UsageError(f"{where}: {ingredient.domain} can't have backward=on: {WHY_NOT}.")
        return tuning

    def arguments(self, ingredient: Ingredient) -> list[str]:
        """The options of one run. Whoever made the recipe: never backward where that is unsound."""
        values = {s.name: ingredient.get(s) for s in self.settings}
        found = [
            *FIXED,
            f"--crab-dom={ingredient.domain}",
            *(f"{option}={values[name]}" for name, option in NUMBERS.items()),
        ]
        found.append(
            f"--crab-dom-param=array_adaptive.is_smashable={'true' if values['smashing'] == 'on' else 'false'}"
        )
        if values["backward"] == "on" and ingredient.domain not in NO_BACKWARD:
            found.append("--crab-backward")
        return [*found, *(flag for check, flags in MEMORY.items() if check in self.checks for flag in flags)]

    def command(self, source: str, ingredient: Ingredient) -> list[str]:
        rewriting = [
            Path(sys.executable).name,
            "-m",
            clam_text.__name__,
            "code.ll",
            "checked.ll",
            ",".join(self.checks),
        ]
        program = shlex.join(
            ["clam", "checked.ll", "-oll", "/dev/null", *self.arguments(ingredient), "-ocrab=result.crabir"]
        )
        return [
            shlex.join([Path(self.compiler()).name, *self._compiling(Path(source)), source, "-o", "code.ll"]),
            shlex.join(rewriting),
            program,
        ]

    # --- preparing ----------------------------------------------------------------------------------------------------

    def prepare(self, source: Path, folder: Path, stop: threading.Event) -> Code:
        """Compile and put in the checks.
        One run with intervals tells which are there, and which stand behind a check that fails for certain: those hold
        of nothing, and are left out, so that no recipe is paid for them. (A more precise domain may find more of that
        sort.) What LLVM's simplification sees, which Clam runs first, is not there either."""
        folder.mkdir(parents=True, exist_ok=True)
        compiling = [self.compiler(), *self._compiling(source), str(source.resolve()), "-o", "code.ll"]
        ended = limits.run(compiling, folder, PREPARE_S, PREPARE_MEMORY, stop=stop)
        if ended.why or ended.code:
            raise UsageError(
                f"{source} does not compile: {reason(ended)} Headers and macros are given by the options include and "
                "define."
            )
        text = (folder / "code.ll").read_text("utf-8", "surrogateescape")
        found: list[Check] = []
        for name, asks in (("code", False), ("asking", True)):
            checked, found = rewritten(text, self.checks, asks=asks)
            (folder / "checked.ll").write_text(checked, "utf-8", "surrogateescape")
            self._to_bitcode("checked.ll", f"{name}.bc", folder, stop)
        self._narrow_domains(folder, stop)
        listed = self._places(folder, "code.bc", found, stop)
        behind = self._places(folder, "asking.bc", found, stop)
        properties = named(listed, dead(found, behind), files_of(text), source)
        if not properties:
            raise UsageError(f"{source} has nothing to check: no function in it has one of {', '.join(self.checks)}.")
        (folder / "places.json").write_bytes(msgspec.json.encode((list(properties.values()), found)))
        digest = hashlib.blake2b(
            repr((body_of(text), self.checks, list(properties))).encode("utf-8", "replace"), digest_size=16
        ).hexdigest()
        return Code(source.stem, digest, tuple(properties), str(folder.resolve()), str(source))

    def _compiling(self, source: Path) -> list[str]:
        sanitizers = ",".join(s for check, s in SANITIZERS.items() if check in self.checks)
        flags = self.flags(source)
        checking = [f"-fsanitize={sanitizers}", "-fsanitize-minimal-runtime"] if sanitizers else []
        return [
            "-O0",
            "-Xclang",
            "-disable-O0-optnone",
            "-g",
            "-w",
            "-S",
            "-emit-llvm",
            "-fno-discard-value-names",
            *checking,
            *flags,
        ]

    def _to_bitcode(self, name: str, bitcode: str, folder: Path, stop: threading.Event) -> None:
        command = [
            self.compiler(),
            "-w",
            "-O0",
            "-Xclang",
            "-disable-llvm-passes",
            "-c",
            "-emit-llvm",
            name,
            "-o",
            bitcode,
        ]
        ended = limits.run(command, folder, PREPARE_S, PREPARE_MEMORY, stop=stop)
        if ended.why or ended.code:
            raise UsageError(
                f"The checks can't be put into this code: {reason(ended)} Try fewer of them: --analyzer "
                "'clam?checks=uaf'."
            )

    def _narrow_domains(self, folder: Path, stop: threading.Event) -> None:
        """Which domains there are depends on how Clam was built; one that is not there ends it.
        Found out once, on a function that does nothing; after that the poset of this instance has the others only."""
        if "domains" in vars(self):
            return
        (folder / "nothing.ll").write_text("define i32 @main() {\n  ret i32 0\n}\n", "utf-8")
        self._to_bitcode("nothing.ll", "nothing.bc", folder, stop)
        there = []
        for domain in self.domains.names:
            command = [self.program(), "nothing.bc", "-oll", "/dev/null", *self.arguments(Ingredient(domain))]
            ended = limits.run(command, folder, PREPARE_S, PREPARE_MEMORY, stop=stop)
            if not ended.why and ended.code == 0:
                there.append(domain)
        if "int" not in there or "zones" not in there:
            raise EnvironmentProblem(f"clam does not work here: it has no domain int or zones. {self.install}")
        # The port has it by class; what a build has is of the instance
        self.domains = restricted(self.domains, there)  # type: ignore[misc]

    def _places(self, folder: Path, bitcode: str, found: Sequence[Check], stop: threading.Event) -> dict[Place, bool]:
        """What a run with intervals says of each place."""
        ended, places = self._clam(
            folder, bitcode, self.initial().ingredients[0], found, Allowance(PREPARE_S, PREPARE_MEMORY), stop
        )
        if places is None:
            raise UsageError(f"Clam can't analyze this code: {reason(ended)}")
        return places

    # --- running ------------------------------------------------------------------------------------------------------

    def run(
        self, code: Code, ingredient: Ingredient, assumed: int, allowance: Allowance, stop: threading.Event
    ) -> Outcome:
        del assumed  # a sequence is the union of its runs
        folder = Path(code.folder)
        of, found = msgspec.json.decode((folder / "places.json").read_bytes(), type=tuple[list[Place], list[Check]])
        ended, places = self._clam(folder, "code.bc", ingredient, found, allowance, stop)
        if ended.why:
            return Outcome(ended.why, ended.cpu_s, ended.wall_s, ended.memory)
        if places is None:
            return Outcome("crash", ended.cpu_s, ended.wall_s, ended.memory, detail=reason(ended))
        verdicts = "".join(PROVED if places.get(place, False) else OPEN for place in of)
        return Outcome("ok", ended.cpu_s, ended.wall_s, ended.memory, verdicts)

    def _clam(
        self,
        folder: Path,
        bitcode: str,
        ingredient: Ingredient,
        found: Sequence[Check],
        allowance: Allowance,
        stop: threading.Event,
    ) -> tuple[limits.Ended, dict[Place, bool] | None]:
        """One run, and what it says of each place; None if it did not come to an end."""
        out = folder / f"run-{threading.get_ident()}"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        try:
            command = [
                self.program(),
                bitcode,
                "-oll",
                "/dev/null",
                *self.arguments(ingredient),
                f"-ocrab={out.name}/of.crabir",
            ]
            ended = limits.run(command, folder, allowance.cpu_s, allowance.memory, stop=stop)
            if ended.why or ended.code or "ANALYSIS RESULTS END" not in ended.printed:
                return ended, None
            texts = {
                f.name.removeprefix("of.").removesuffix(".crabir"): f.read_text("utf-8", "replace")
                for f in sorted(out.glob("of.*.crabir"))
            }
            return ended, verdicts_of(texts, found)
        finally:
            shutil.rmtree(out, ignore_errors=True)

    # --- the guard ----------------------------------------------------------------------------------------------------

    def planted(self, folder: Path, stop: threading.Event) -> Sequence[Code]:
        """One function for each error.
        What a call frees, and what wraps unsigned, is not among them: Clam does not claim to see it."""
        wanted = [check for check in self.checks if check in PLANTED]
        if not wanted:
            return ()
        folder.mkdir(parents=True, exist_ok=True)
        source = folder / "planted.c"
        source.write_text("\n".join([PROLOGUE, *(PLANTED[check] for check in wanted)]), "utf-8")
        return [self.prepare(source, folder / "planted", stop)]

    def called_safe(self, code: Code, proved: int) -> list[str]:
        """The planted functions all of whose properties of the planted kind are proved."""
        still_open: dict[str, bool] = {}
        for index, at in enumerate(code.properties):
            if at.function.startswith("planted_") and at.kind in KIND_OF[at.function.split("_")[1]]:
                still_open[at.function] = still_open.get(at.function, False) or not proved >> index & 1
        return sorted(function for function, is_open in still_open.items() if not is_open)


def restricted(poset: Poset, names: Sequence[str]) -> Poset:
    """The same order on fewer domains: what was above by way of one that is gone, is now immediately above."""
    above = {name: [other for other in names if poset.is_below(name, other)] for name in names}
    return Poset(
        {name: [o for o in over if not any(poset.is_below(m, o) for m in over)] for name, over in above.items()}
    )


def reason(ended: limits.Ended) -> str:
    """Why a program did not do what it was asked, in its own words."""
    if ended.why:
        return f"it was ended by its limit ({ended.why})."
    told = [
        " ".join(line.split())
        for line in ended.printed.splitlines()
        if re.search("rror: |ERROR|xception|ssertion", line)
    ]
    return (told[0][:300] if told else f"exit code {ended.code}") + "."
