"""A pass of the reducer goes on where a candidate was accepted: what stands before it was just tried in vain."""

from gainsay.core.model import Case, Seat, Target
from gainsay.families.sql.language import ir
from gainsay.oracles.sql_norec import Recipe
from gainsay.triage.reduce import Reducer

NEEDED, USELESS = (
    [ir.Setting(f"PRAGMA a{n}") for n in range(0, 24, 2)],
    [ir.Setting(f"PRAGMA a{n}") for n in range(1, 24, 2)],
)


def test_what_was_tried_in_vain_is_not_tried_again_after_each_step():
    statements = tuple(s for pair in zip(NEEDED, USELESS, strict=True) for s in pair)
    case = Case(
        "sql",
        "norec",
        ir.Scene(statements),
        Recipe(ir.Select((ir.Lit("int", "0"),))),
        (Seat(0, Target("sqlite"), "3", "sqlite"),),
        "x",
    )
    reducer = Reducer(case, lambda c: set(NEEDED) <= set(c.scene.statements), budget=1000)
    assert reducer.run().scene.statements == tuple(NEEDED)
    assert 1000 - reducer.left < 200, "each of twelve statements once in each of few sweeps"
