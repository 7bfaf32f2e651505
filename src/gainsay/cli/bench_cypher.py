"""The measurements of `bench cypher`: how fast queries are drawn and evaluated, and GDsmith's ablation as hunts of
equal length."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seat, Seats, Target
from gainsay.families.cypher.drawing import queries, scenes
from gainsay.families.cypher.drawing.lexicon import Lexicon

# GDsmith's baselines 1 and 2 and GDsmith itself (its README: compared1, compared2, compared3), and ours.
GUIDANCE = (
    ("none", "nothing (baseline 1)"),
    ("patterns", "patterns from the graph (baseline 2)"),
    ("topdown", "patterns and conditions from the top down (GDsmith)"),
    ("full", "the table behind each clause (ours)"),
)
QUERIES = 40  # on each graph
# Kuzu's process dies of these within seconds: measured without, on all engines.
DEADLY = frozenset(
    {
        "clause:union",
        "clause:union all",
        *(f"agg:{fn} distinct" for fn in ("count", "sum", "min", "max", "avg", "collect")),
    }
)


def tame(seat: Seat) -> Seat:
    """A seat to measure on, in one process."""
    return msgspec.structs.replace(seat, refused=seat.refused | DEADLY)


def generated(seconds: float) -> list[dict[str, Any]]:
    """Queries that are drawn and evaluated a CPU-second, without any engine."""
    found = []
    for clauses in (4, 9):
        seats = Seats((Seat(0, Target("arcadedb"), "", "arcadedb"),))
        seats.lexicon = Lexicon(seats, {"clauses": str(clauses)})
        begun, count, nonempty, number = time.process_time(), 0, 0, 0
        while time.process_time() - begun < seconds:
            scene = scenes.grow(Draw(seed_for(1, "cypher", "scene", number)), seats.lexicon)
            draw = Draw(seed_for(1, "cypher", "bench", number))
            cache = seats.lexicon.scene_cache(scene)
            for _ in range(QUERIES):
                rows = cache.rows(queries.query(draw, scene, seats.lexicon), seats.lexicon.profiles[0])
                nonempty += bool(rows)
                count += 1
            number += 1
        found.append({"clauses": clauses, "rate": count / (time.process_time() - begun), "nonempty": nonempty / count})
    return found


def hunts(targets: Sequence[str], budget: str) -> Iterator[dict[str, Any]]:
    """Hunts of equal length with one worker and one seed: each guidance with `reference`, then `partition` alone."""
    for target in targets:
        for guidance, words in GUIDANCE:
            yield {
                "target": target,
                "oracle": "reference",
                "led by": words,
                **hunted(target, "reference", guidance, budget),
            }
        yield {
            "target": target,
            "oracle": "partition",
            "led by": GUIDANCE[-1][1],
            **hunted(target, "partition", "full", budget),
        }


def hunted(target: str, oracle: str, guidance: str, budget: str) -> dict[str, Any]:
    """One hunt of that length, in a folder that goes with it: checks, contradictions, findings."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "gainsay.cli.main",
            "hunt",
            target,
            "--oracle",
            oracle,
            "--set",
            f"cypher.guidance={guidance}",
            "--set",
            "cypher.fixed_questions=off",
            "--for",
            budget,
        ]
        ended = subprocess.run(
            [*command, "--seed", "1", "--workers", "1", "--out", f"{folder}/out", "--json"],
            capture_output=True,
            text=True,
            check=False,
        )
    said = json.loads(ended.stdout.splitlines()[-1])
    return {
        "checks": said["checks"],
        "nonempty": said["nonempty"],
        "valid": said["valid"],
        "raw": said["raw"],
        "findings": len(said["findings"]),
    }
