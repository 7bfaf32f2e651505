"""LLVM's text with assertions in the place of clang's sanitizer handlers, for Clam.
Also a program: the lines of `gainsay tailor show` call it."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

HANDLERS = {"divrem": "division_by_zero", "add": "signed_overflow", "sub": "signed_overflow", "mul": "signed_overflow"}
HANDLERS |= {"negate": "signed_overflow", "out_of": "index_bound"}

# Our checks have lines of their own, by which they are known in Clam's output; so have the places behind them.
OURS = 10_000_000
BEHIND = 20_000_000

NUMBERED = re.compile(r'"[^"]*"|%(\d+)\b|^(\d+):')
DBG = re.compile(r", !dbg !(\d+)")
DEFINED = re.compile(r'^define .*?@("[^"]+"|[\w.$-]+)\(.*?(?:!dbg !(\d+))?[^!]*\{$')
LOCATION = re.compile(r"^!(\d+) = (?:distinct )?!DILocation\(line: (\d+)(.*)\)$")
COLUMN = re.compile(r", column: \d+")
SUBPROGRAM = re.compile(r"^!(\d+) = (?:distinct )?!DISubprogram\(.*?file: !(\d+)")
FILE = re.compile(r'^!(\d+) = !DIFile\(filename: "([^"]*)", directory: "([^"]*)"')
HANDLER = re.compile(r"^  call void @__ubsan_handle_([a-z]+(?:_of)?)_[a-z_]*minimal\(\)")
FAILS = re.compile(r"^  call void @__assert(?:_fail|_rtn)?\(")
ASSERTS = re.compile(r"^  call void (?:\(\.\.\.\) )?@__(?:CRAB|VERIFIER)_assert\(")
BRANCH = re.compile(r"^  br i1 %\S+, label %(\S+), label %(handler\.[\w.]+)")
JUMP = re.compile(r"^  br label %(\S+?)(?:,|$)")
OVERFLOW = re.compile(
    r"^  %(\S+) = call \{ i(32|64), i1 \} @llvm\.s(add|sub|mul)\.with\.overflow\.i\d+\(i\d+ (%?[\w.-]+), i\d+ "
    r"(%?[\w.-]+)\)"
)
PART = re.compile(r"^  %(\S+) = extractvalue \{ i\d+, i1 \} %\S+, 0")
RANGE = re.compile(r"^  %(\S+) = icmp u(lt|le) i64 (%[\w.-]+), (\d+), .*!nosanitize")
NOT_ZERO = re.compile(r"^  %(\S+) = icmp ne i(\d+) (%[\w.-]+), 0, .*!nosanitize")
NOT_SAME = re.compile(r"^  %(\S+) = icmp ne i\d+ %?[\w.-]+, -\d+, .*!nosanitize")


class Check(msgspec.Struct, frozen=True):
    """One of our checks, by the number that its line is made of.
    `behind` is the number of the place behind it, if that can be asked for."""

    function: str
    kind: str
    line: int
    behind: int = 0


class Rewriting:
    """One pass over clang's text.
    `marked`: our checks get lines by which they are known. `asks`: behind each handler there is one more assertion, on
    a branch of its own, that says whether the place behind the check is reached."""

    def __init__(self, text: str, checks: Sequence[str], marked: bool, asks: bool) -> None:
        self.lines = [NUMBERED.sub(named_value, line) for line in text.splitlines()]
        self.checks, self.marked, self.asks = checks, marked, asks
        self.locations = {m[1]: (int(m[2]), m[3]) for line in self.lines if (m := LOCATION.match(line))}
        self.free = 1 + max((int(n) for n in re.findall(r"^!(\d+) = ", text, re.MULTILINE)), default=0)
        self.found: list[Check] = []
        self.out: list[str] = []
        self.added: list[str] = []
        self.function = ""
        self.moved: dict[str, str] = {}  # label -> what is computed there instead of before the check

    def done(self) -> tuple[str, list[Check]]:
        at = 0
        while at < len(self.lines):
            at += self.step(at)
        declared = ["declare void @crab.assert(i1)", *(["declare i1 @gainsay.any()"] if self.asks else [])]
        return "\n".join([*self.out, *declared, *self.added]) + "\n", self.found

    def step(self, at: int) -> int:
        """Handle what begins at a line; how many lines that were."""
        line = self.lines[at]
        if defined := DEFINED.match(line):
            self.function, self.moved = defined[1].strip('"'), {}
        for handle in (self.overflow, self.range, self.division):
            if used := handle(at):
                return used
        if HANDLER.match(line):
            return self.handler(at)
        if "assert" in self.checks and FAILS.match(line):
            self.out.append(self.asserted("assertion", line))
        if "assert" in self.checks and ASSERTS.match(line) and (location := DBG.search(line)):
            line = line.replace(location[0], self.location("assertion", line, has_behind=False))
        if (branch := BRANCH.match(line)) and self.asks:
            line = line.replace(f"label %{branch[1]},", f"label %{branch[1]}.ask,", 1)
        self.out.append(line)
        label = line.partition(":")[0]
        if label in self.moved and line.startswith(f"{label}:"):
            self.out.append(self.moved.pop(label))
        return 1

    def location(self, kind: str, line: str, has_behind: bool) -> str:
        """A new check: its location, as it is written behind an instruction."""
        found = DBG.search(line)
        if found is None or found[1] not in self.locations:
            return found[0] if found else ""
        number = len(self.found) + 1
        self.found.append(Check(self.function, kind, self.locations[found[1]][0], number if has_behind else 0))
        return self.at_line(found[1], OURS + number) if self.marked else found[0]

    def at_line(self, location: str, line: int) -> str:
        self.added.append(f"!{self.free} = !DILocation(line: {line}{COLUMN.sub('', self.locations[location][1])})")
        self.free += 1
        return f", !dbg !{self.free - 1}"

    def asserted(self, kind: str, line: str, has_behind: bool = False) -> str:
        return f"  call void @crab.assert(i1 false){self.location(kind, line, has_behind)}"

    def handler(self, at: int) -> int:
        """A handler's call and the jump behind it."""
        line, jump = self.lines[at], self.lines[at + 1]
        word = HANDLER.match(line)
        target = JUMP.match(jump)
        kind = HANDLERS.get(word[1], "") if word else ""
        if word and word[1] == "divrem" and "division" not in self.checks:
            kind = "signed_overflow"
        if not kind or target is None:
            self.out.append(line)
            return 1
        self.out.append(self.asserted(kind, line, has_behind=True))
        label = target[1]
        if not self.asks:
            self.out.append(jump)
            return 2
        dbg = DBG.search(line)
        place = self.at_line(dbg[1], BEHIND + len(self.found)) if dbg and dbg[1] in self.locations else ""
        plain = dbg[0] if dbg else ""
        self.out += [
            f"  br label %{label}.ask{plain}",
            f"{label}.ask:",
            f"  %{label}.any = call i1 @gainsay.any(){plain}",
        ]
        self.out += [f"  br i1 %{label}.any, label %{label}.say, label %{label}{plain}"]
        self.out += [f"{label}.say:", f"  call void @crab.assert(i1 false){place}", f"  unreachable{plain}"]
        return 2

    def goes_on(self, label: str) -> str:
        """Where an execution goes on that passed a check."""
        return f"{label}.ask" if self.asks else label

    def branches(self, name: str, tests: Sequence[str], go_on: str, handler: str, dbg: str) -> None:
        """Both tests hold, or the handler is called: a branch for each."""
        low, high = tests
        self.out += [
            f"  %{name}.low = {low}{dbg}",
            f"  br i1 %{name}.low, label %{name}.then, label %{handler}{dbg}",
            f"{name}.then:",
        ]
        self.out += [
            f"  %{name}.high = {high}{dbg}",
            f"  br i1 %{name}.high, label %{self.goes_on(go_on)}, label %{handler}{dbg}",
        ]

    def overflow(self, at: int) -> int:
        """llvm.sadd.with.overflow.i32(a, b), the test of its bit  ->  a + b in 64 bits, the test that it fits."""
        found = OVERFLOW.match(self.lines[at])
        part = PART.match(self.lines[at + 1]) if found else None
        branch = BRANCH.match(self.lines[at + 4]) if found else None
        if found is None or part is None or branch is None:
            return 0
        name, bits, operation = found[1], int(found[2]), found[3]
        dbg = (DBG.search(self.lines[at]) or [""])[0]
        wide = f"i{2 * bits}"
        for side, operand in (("left", found[4]), ("right", found[5])):
            is_name = operand.startswith("%")
            self.out.append(
                f"  %{name}.{side} = "
                f"{f'sext i{bits} {operand} to {wide}' if is_name else f'add {wide} {operand}, 0'}{dbg}"
            )
        self.out.append(f"  %{name} = {operation} {wide} %{name}.left, %{name}.right{dbg}")
        tests = (f"icmp sge {wide} %{name}, {-(1 << bits - 1)}", f"icmp sle {wide} %{name}, {(1 << bits - 1) - 1}")
        self.branches(name, tests, branch[1], branch[2], dbg)
        self.moved[branch[1]] = f"  %{part[1]} = trunc {wide} %{name} to i{bits}{dbg}"
        return 5

    def range(self, at: int) -> int:
        """i < 10, unsigned  ->  i >= 0 and i < 10, signed: the same, for a bound that is positive as a signed
        number."""
        found = RANGE.match(self.lines[at])
        branch = BRANCH.match(self.lines[at + 1]) if found else None
        if found is None or branch is None or int(found[4]) >= 1 << 63:
            return 0
        dbg = (DBG.search(self.lines[at]) or [""])[0]
        self.branches(
            found[1],
            (f"icmp sge i64 {found[3]}, 0", f"icmp s{found[2]} i64 {found[3]}, {found[4]}"),
            branch[1],
            branch[2],
            dbg,
        )
        return 2

    def division(self, at: int) -> int:
        """b != 0 & (a != MIN | b != -1)  ->  two checks, each with branches of its own."""
        found = NOT_ZERO.match(self.lines[at])
        if found is None or "division" not in self.checks or "overflow" not in self.checks:
            return 0
        left, right = NOT_SAME.match(self.lines[at + 1]), NOT_SAME.match(self.lines[at + 2])
        branch = BRANCH.match(self.lines[at + 5])
        if (
            left is None
            or right is None
            or branch is None
            or " or i1 " not in self.lines[at + 3]
            or " and i1 " not in self.lines[at + 4]
        ):
            return 0
        name, go_on = found[1], self.goes_on(branch[1])
        dbg = (DBG.search(self.lines[at]) or [""])[0]
        self.out += [
            self.lines[at],
            f"  br i1 %{name}, label %{name}.some, label %{branch[2]}{dbg}",
            f"{name}.some:",
            self.lines[at + 1],
        ]
        self.out += [
            f"  br i1 %{left[1]}, label %{go_on}, label %{name}.least{dbg}",
            f"{name}.least:",
            self.lines[at + 2],
        ]
        self.out += [f"  br i1 %{right[1]}, label %{go_on}, label %{name}.over{dbg}", f"{name}.over:"]
        self.out += [self.asserted("signed_overflow", self.lines[at]), f"  br label %{go_on}{dbg}"]
        return 6


def named_value(found: re.Match[str]) -> str:
    """LLVM wants numbered values and labels without gaps; ours go between them, so all get names.
    What stands in quotes is left alone."""
    if found[1] is not None:
        return f"%gainsay.{found[1]}"
    return f"gainsay.{found[2]}:" if found[2] is not None else found[0]


def rewritten(text: str, checks: Sequence[str], *, marked: bool = True, asks: bool = False) -> tuple[str, list[Check]]:
    """clang's text with assertions in place of handlers, and what they are."""
    return Rewriting(text, checks, marked, asks).done()


def body_of(text: str) -> list[str]:
    """The part of a module that does not tell where it was compiled."""
    return [line for line in text.splitlines() if not line.startswith(("!", ";", "source_filename", "@.src"))]


def files_of(text: str) -> dict[str, Path]:
    """The file of each function."""
    files = {m[1]: Path(m[3], m[2]) for m in map(FILE.match, text.splitlines()) if m}
    programs = {m[1]: m[2] for m in map(SUBPROGRAM.match, text.splitlines()) if m}
    found = [(m[1].strip('"'), m[2]) for m in map(DEFINED.match, text.splitlines()) if m]
    return {name: files[programs[at]] for name, at in found if programs.get(at) in files}


def main(arguments: Sequence[str]) -> None:
    """What the lines of `command` call: put the checks into clang's text, and keep its lines."""
    source, target, checks = arguments
    text, _ = rewritten(Path(source).read_text("utf-8", "surrogateescape"), checks.split(","), marked=False)
    Path(target).write_text(text, "utf-8", "surrogateescape")


if __name__ == "__main__":
    main(sys.argv[1:])
