"""Seeds: SMT-LIB files that somebody else wrote. They are read when they are drawn; a folder may hold thousands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gainsay.core.draw import Draw
from gainsay.errors import UsageError
from gainsay.families.smt.drawing import fragments
from gainsay.families.smt.drawing.pool import declared, free_prefix, set_logic
from gainsay.families.smt.drawing.scenes import table_of
from gainsay.families.smt.language import reader
from gainsay.families.smt.language.ir import RawScript, Scene
from gainsay.families.smt.language.sexpr import SmtError
from gainsay.families.smt.language.writer import define

ESCAPED = '(assert (= (str.len "\\u{41}") 1))'
LARGEST = 1 << 20  # bytes of a file


class Seed(NamedTuple):
    """A file that can be used, and how many instances it is good for."""

    name: str
    path: Path
    weight: float


def files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise UsageError(f"--seeds {folder}: there is no such folder.")
    found = sorted(p for p in folder.rglob("*.smt2") if p.is_file())
    if not found:
        raise UsageError(f"--seeds {folder}: there is no .smt2 file in it.")
    return found


def name_of(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def script_of(path: Path) -> reader.Script:
    """A seed's script; SmtError says why it can't be used."""
    if path.stat().st_size > LARGEST:
        raise SmtError(f"larger than {LARGEST >> 20} MiB")
    try:
        script = reader.read(path.read_text(encoding="utf-8", errors="strict"))
    except UnicodeDecodeError:
        raise SmtError("no UTF-8 text") from None
    except RecursionError:
        raise SmtError("nested too deeply") from None
    if not script.asserts:
        raise SmtError("it has no assert")
    return script


def checked(folder: Path) -> list[tuple[str, str, Any]]:
    """Each file: its name, why it can't be used (or nothing), and a script that shows whether a solver reads it."""
    found: list[tuple[str, str, Any]] = []
    for path in files(folder):
        try:
            script = script_of(path)
        except (SmtError, OSError) as error:
            found.append((name_of(path, folder), str(error), None))
            continue
        found.append((name_of(path, folder), "", RawScript(shown(script))))
    return found


def shown(script: reader.Script) -> str:
    """All of a seed's formulas, defined but not asserted: a solver has to read them, not to decide them."""
    names = [d.name for d in script.decls]
    defs, texts = define(script.asserts, free_prefix(names, "d"))
    own = free_prefix(names, "a")
    named = [*defs, *((f"{own}{i}", "Bool", text) for i, text in enumerate(texts))]
    lines = [
        *head(script),
        *(declared(d) for d in script.decls),
        *(f"(define-fun {n} () {s} {b})" for n, s, b in named),
    ]
    # Where the seed has escapes in strings, the solver must read them as the standard says.
    escapes = [ESCAPED] if "\\u" in "".join(b for _, _, b in named) else []
    return "\n".join(["(reset)", *lines, *escapes, "(check-sat)"])


def head(script: reader.Script) -> list[str]:
    return [*set_logic(script.logic or "ALL"), *prelude(script)]


def prelude(script: reader.Script) -> tuple[str, ...]:
    return (*(f"(declare-sort {n} {a})" for n, a in script.sort_decls), *script.datatype_commands)


def usable(folder: Path, names: Sequence[str]) -> list[Seed]:
    """The seeds that are drawn from.
    Larger ones come back more often: NM grows with the initial pool, which a file's size stands for."""
    wanted = set(names)
    paths = [(name_of(p, folder), p) for p in files(folder)]
    return [Seed(n, p, fragments.nm_of(p.stat().st_size // 100) / 300) for n, p in paths if n in wanted]


def pick(draw: Draw, found: Sequence[Seed]) -> Seed:
    at = draw.unit() * sum(s.weight for s in found)
    for seed in found:
        at -= seed.weight
        if at < 0:
            return seed
    return found[-1]


def base(script: reader.Script, name: str) -> Scene:
    return Scene(script.logic or "ALL", script.decls, prelude(script), table_of(script.datatypes), seed=name)
