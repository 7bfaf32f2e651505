"""What may stand in the place of a part of a case, so that the part is taken out: the values of an expression, by our
own semantics; a plainer join."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gainsay.core.model import Case, Seats
from gainsay.core.tree import Node, Path, along, at
from gainsay.families.sql.language import ir
from gainsay.families.sql.meaning.scene_cache import cache_of
from gainsay.families.sql.reducing.size import SIMPLEST

CONSTANTS = (ir.TRUE, ir.FALSE, ir.NULL, *SIMPLEST[:2])


def instead(case: Case, path: Path) -> Sequence[Any]:
    """The values of an expression for the rows of its query, the most frequent first, else plain constants."""
    node = at((case.scene, case.recipe), path)
    if isinstance(node, ir.Join):
        return [msgspec.structs.replace(node, kind="JOIN")] if node.kind else []
    if not isinstance(node, Node) or node.sort != "expr":
        return ()
    values = list(dict.fromkeys(computed(case, path, node)))
    return values or CONSTANTS


def computed(case: Case, path: Path, node: Any) -> Iterator[ir.Lit]:
    """The values of an expression as literals; nothing where nobody can tell, or a value has no literal."""
    around, cache = around_of(case, path), cache_of(Seats(case.seats), case.scene)
    if around is None or cache is None:
        return
    rows = cache.rows(ir.Select((node,), around.source, ctes=around.ctes)) or []
    try:
        counted = Counter(literal(value) for (value,) in rows)
    except ValueError:
        return
    yield from (value for value, _ in counted.most_common())


def around_of(case: Case, path: Path) -> ir.Select | None:
    """The query whose rows an expression is computed for. A condition beside a query is its condition."""
    around = [part for part in along((case.scene, case.recipe), path) if isinstance(part, ir.Select)]
    found = around[-1] if around else case.recipe.subject if path[0] == 1 else None
    return found if isinstance(found, ir.Select) else None


def literal(value: Any) -> ir.Lit:
    """A value as every dialect writes it."""
    if value is None:
        return ir.NULL
    if isinstance(value, bool):
        return ir.TRUE if value else ir.FALSE
    if isinstance(value, int):
        return ir.Lit("int", str(value))
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return ir.Lit("real", repr(value))
    if isinstance(value, str) and "\0" not in value:
        return ir.Lit("text", "'" + value.replace("'", "''") + "'")
    raise ValueError(f"no literal for {value!r}")
