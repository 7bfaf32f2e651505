"""What `gainsay engines check` says of meanings: documented ones with their sources, and what nobody documents."""

from gainsay.cli import looking
from gainsay.core import registry
from gainsay.families.cypher.meaning.profile import profile


def test_what_only_a_comment_calls_right_is_marked_and_hunted_on():
    for engine in map(registry.engine, registry.table("gainsay.engines")):
        if engine.family == "cypher" and engine.disputed:
            facts = engine.facts("0.11.3", ())
            judged = profile(tuple((name, value) for name, (value, _) in facts.items()))
            for name, why in engine.disputed.items():
                assert name not in facts and judged[name] == profile(())[name], "judged as openCypher has it"
                assert f"  {name}: NOT TAKEN FOR DOCUMENTED, so hunted on: {why}" in looking.meanings(engine, facts)
    assert registry.engine("kuzu").disputed.keys() == {"label-on-bound-node"}
    assert registry.engine("ladybug").disputed == {}, "its maintainers call it a bug"
