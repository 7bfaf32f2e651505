"""How strong the partitions are: an oracle that compares an engine with itself must part something."""

from cypher_standin import FAMILY, cases, seats
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.meaning.scene_cache import SceneCache, profile_of

SEATED = seats()
STANDARD = profile_of(SEATED)
TEXT = FAMILY.dialect("neo4j").text


def test_a_quarter_of_the_partitions_part_something():
    split = total = 0
    for grown, recipe, _ in cases("partition", 40, None, 5):
        parts = [
            SceneCache(grown).rows(recipe.part(c), STANDARD)
            for c in (recipe.condition, ir.Op("NOT", (recipe.condition,)), ir.Op("IS NULL", (recipe.condition,)))
        ]
        split += sum(bool(p) and p not in ([(0,)], [(None,)]) for p in parts) > 1
        total += 1
    assert split > total / 4, (split, total)
