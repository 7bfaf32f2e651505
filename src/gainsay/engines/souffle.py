"""Soufflé, by its command line. One process for a program, or for a block of small ones."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from gainsay.core.answer import Answer, Died, GaveUp, Refused, Rows
from gainsay.core.engine import Facts, Options, Session
from gainsay.engines.on_path import OnPath

FACTS = "GAINSAY_SOUFFLE_FACTS"
SOFT_S = 10.0
COMPILE_S = 300.0
FLOOR = ("-w", "-D-", "--no-preprocessor")  # no mcpp process, no files
BLOCK = re.compile(r"^-{9,}\n(\S+)\n(.*)\n={9,}\n((?:.*\n)*?)={9,}$", re.MULTILINE)
OUTPUT = re.compile(r"^\.output (\S+?)(?:\(.*\))?$", re.MULTILINE)
ASSERTION = re.compile(r"(\w+\.(?:cpp|h)):\d+: .*Assertion `(.*)' failed")
RECORD = re.compile(r"^\s*\.type\s+(\w+)\s*=\s*\[([^\]]*)\]", re.MULTILINE)
SUBTYPE = re.compile(r"^\s*\.type\s+(\w+)\s*<:\s*(\w+)", re.MULTILINE)
REDUNDANT = (
    "RemoveRedundantRelationsTransformer",
    "RemoveRelationCopiesTransformer",
    "RemoveEmptyRelationsTransformer",
)
BASE: Mapping[str, Any] = {"number": int, "unsigned": int, "float": float, "symbol": str}


def types_of(text: str, output: str) -> list[Any]:
    """How each column of a relation is read."""
    declared = re.search(
        rf"^\s*\.decl\s+(?:[\w, ]+,\s*)?{re.escape(output)}(?:\s*,[\w, ]+)?\s*\(([^)]*)\)", text, re.MULTILINE
    )
    bases = dict(SUBTYPE.findall(text))
    made = []
    for column in declared[1].split(",") if declared and declared[1].strip() else []:
        kind = column.rpartition(":")[2].strip()
        made.append(reader(kind, bases, dict(RECORD.findall(text))))
    return made


def reader(kind: str, bases: Mapping[str, str], records: Mapping[str, str]) -> Any:
    """How a value of a type is read: a record of simple fields as a tuple, what is neither as the text that was
    printed."""
    while kind in bases:
        kind = bases[kind]
    if kind in BASE:
        return BASE[kind]
    fields = (
        [reader(f.rpartition(":")[2].strip(), bases, {}) for f in records[kind].split(",")] if kind in records else []
    )

    def read(text: str) -> Any:
        parts = text[1:-1].split(", ")
        if not fields or text[:1] != "[" or len(parts) != len(fields):
            return text
        return tuple([f(p) for f, p in zip(fields, parts, strict=True)])

    return read


def refusal(code: int, said: str) -> Answer:
    """What an exit code and an error text mean."""
    if code < 0:
        failed = ASSERTION.search(said)
        where = f": {failed[1]}: Assertion `{failed[2]}'" if failed else ""
        return Died("crash", signal.Signals(-code).name + where, said[-2000:])
    lines = [line for line in said.splitlines() if line.strip()]
    first = next(
        (line for line in lines if "rror" in line or "ssert" in line), lines[0] if lines else f"exit status {code}"
    )
    if "Error:" in first and "nternal" not in first:
        return Refused("syntax" if "syntax" in first else "program", first)
    return Refused("internal", "\n".join([first, *[line for line in lines if "Warning" not in line][:10]]))


class SouffleSession(Session):
    """Programs are independent: there is nothing to open or to close."""

    answers_blocks = True

    def __init__(self, binary: str, arguments: Sequence[str]) -> None:
        facts = os.environ.get(FACTS)
        self._command = [binary, *FLOOR, *arguments, *([f"-F{facts}"] if facts else []), "/dev/stdin"]
        self._compiles = "-c" in arguments
        self._folder = tempfile.TemporaryDirectory(prefix="gainsay-souffle-") if self._compiles else None

    def _run(self, text: str) -> tuple[int, str, str] | None:
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=self._compiles,
            cwd=self._folder.name if self._folder else None,
        )
        try:
            out, err = process.communicate(text.encode(), timeout=COMPILE_S if self._compiles else SOFT_S)
        except subprocess.TimeoutExpired:
            if self._compiles:
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            process.communicate()
            return None
        return process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")

    def ask(self, text: str) -> Answer:
        output = OUTPUT.search(text)
        if output is None:
            return Refused("syntax", "the program has no .output")
        ended = self._run(text)
        if ended is None:
            return GaveUp("timeout")
        code, out, err = ended
        if code:
            return refusal(code, err + out)
        blocks = {name: body for name, _, body in BLOCK.findall(out)}
        if output[1] not in blocks:
            return Refused("internal", f"no table of {output[1]} in what was printed: {(err + out)[:300]}")
        return parsed(blocks[output[1]], types_of(text, output[1]))

    def ask_block(self, texts: Sequence[str]) -> list[Answer]:
        """Independent programs in one process, each as a component; one by one if that does not go well."""
        answers: dict[int, Answer] = {}
        packed = [i for i, t in enumerate(texts) if not t.startswith((".pragma", "#")) and "\n.comp " not in t]
        if len(packed) > 1:
            joined = "\n".join(f".comp P{i} {{\n{texts[i]}\n}}\n.init p{i} = P{i}" for i in packed)
            ended = self._run(joined)
            if ended is not None and ended[0] == 0:
                blocks = {name: body for name, _, body in BLOCK.findall(ended[1])}
                for i in packed:
                    output = OUTPUT.search(texts[i])
                    name = f"p{i}.{output[1]}" if output else ""
                    if name in blocks and output:
                        answers[i] = parsed(blocks[name], types_of(texts[i], output[1]))
        return [answers[i] if i in answers else self.ask(t) for i, t in enumerate(texts)]

    def close(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()


def parsed(body: str, types: Sequence[Any]) -> Answer:
    """The rows of an output relation, from its lines."""
    lines = body.split("\n")[:-1]
    if not types:
        return Rows([() for _ in lines])
    if len(types) == 1:
        made = types[0]
        return Rows([(made(line),) for line in lines])
    try:
        return Rows([tuple([made(v) for made, v in zip(types, line.split("\t"), strict=True)]) for line in lines])
    except ValueError:
        return GaveUp("unknown")  # columns are told apart by tabs: a text that holds one can't be read back


class Souffle(OnPath):
    """A configuration is arguments of the program."""

    name = "souffle"
    family = "datalog"
    dialect = "souffle"
    title = "Soufflé"
    configs_are_statements = False
    carried = (types_of, reader)
    repro_open = f"""{OnPath.repro_open}
BASE = {{"number": int, "unsigned": int, "float": float, "symbol": str}}
SUBTYPE = re.compile({SUBTYPE.pattern!r}, re.MULTILINE)
RECORD = re.compile({RECORD.pattern!r}, re.MULTILINE)
"""
    repro_ask = r"""
command = [PROGRAM, "-w", "-D-", "--no-preprocessor", *$configs, "/dev/stdin"]
ended = subprocess.run(command, input=text, capture_output=True, text=True)
if ended.returncode:
    sys.stderr.write(ended.stderr)
    sys.exit(ended.returncode if ended.returncode > 0 else 128 - ended.returncode)
made = types_of(text, re.search(r"^\.output (\w+)", text, re.M)[1])
lines = ended.stdout.split("\n")
first = next(i for i, line in enumerate(lines) if line.startswith("====="))
last = next(i for i, line in enumerate(lines) if i > first and line.startswith("====="))
return [tuple(f(v) for f, v in zip(made, line.split("\t"))) if made else () for line in lines[first + 1 : last]]
"""
    mark = "ouffl"
    says = r"Version:[ \t]*(\S*)"
    options = {
        "bin": "the path of a souffle binary",
        "facts": "the folder of .facts files that seed programs read",
    }
    configs = {
        "default": (),
        "compiled": ("-c",),
        "provenance": ("-t", "none"),
        "magic": ("--magic-transform=*",),
        "jobs": ("-j2",),
        "no-inline": ("--inline-exclude=*",),
        "no-aliases": ("--disable-transformers=ResolveAliasesTransformer",),
        "no-minimise": ("--disable-transformers=MinimiseProgramTransformer",),
        "no-partition": ("--disable-transformers=PartitionBodyLiteralsTransformer",),
        "no-redundant": ("--disable-transformers=" + ",".join(REDUNDANT),),
        "no-reorder": ("--disable-transformers=ReorderLiteralsTransformer",),
        "no-singleton": ("--disable-transformers=ReplaceSingletonVariablesTransformer",),
        "profile": ("-p", os.devnull),
        "statistics": ("--emit-statistics", "-p", os.devnull),
        "legacy": ("--legacy",),
        "warnings": ("-W", "all"),
    }
    # Each program goes through a C++ compiler: what the front end takes is asked of the interpreter.
    slow = frozenset({"compiled"})
    proofs = {
        "sum": (
            ".decl r(a:number)\nr(1). r(2).\n.decl o(a:number)\no(s) :- s = sum a : { r(a) }.\n.output o",
            {"an integer": "[(3,)]"},
        ),
        "division": (".decl o(a:number)\no(-7 / 2).\n.output o", {"truncates": "[(-3,)]"}),
    }

    def open_session(self, configs: Sequence[str], options: Options) -> SouffleSession:
        return SouffleSession(self.binary(), self.texts(configs))

    def build(self) -> Sequence[str]:
        lines = self.said().splitlines()
        return [" ".join(line.split()) for line in lines if line.startswith(("Word size", "Options enabled"))]

    def facts(self, version: str, build: Sequence[str]) -> Facts:
        docs = "https://souffle-lang.github.io/aggregates"
        return {
            "sum": ("an integer", docs),
            "aggregate-bag": ("over all bindings of the body", docs),
            "division": ("truncates", "https://souffle-lang.github.io/arguments"),
        }

    def environment(self, version: str, options: Options) -> Mapping[str, str]:
        facts = {FACTS: os.path.abspath(options["facts"])} if "facts" in options else {}
        return {**super().environment(version, options), **facts}
