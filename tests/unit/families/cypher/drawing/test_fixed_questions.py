"""The fixed questions: whose they are, and that each has one answer."""

from cypher_standin import FAMILY, like_kuzu, scene, seats
from gainsay.families.cypher.drawing import fixed_questions
from gainsay.families.cypher.language.reader import read
from gainsay.families.cypher.meaning import types
from gainsay.families.cypher.meaning.scene_cache import SceneCache, profile_of

SEATED = seats()
STANDARD = profile_of(SEATED)
TEXT = FAMILY.dialect("neo4j").text


def test_every_fixed_question_belongs_to_one_of_the_first_episodes():
    asked = []
    for number in range(20):
        made = fixed_questions.scene(number, SEATED.lexicon)
        if made is None:
            break
        found = fixed_questions.questions(made)
        assert 0 < len(found) <= fixed_questions.PART
        asked += map(TEXT, found)
    assert asked == [TEXT(read(q)) for q in fixed_questions.QUESTIONS]
    assert fixed_questions.questions(scene(1, SEATED)) == []


def test_every_fixed_question_is_typed_and_determined():
    made = fixed_questions.scene(0, SEATED.lexicon)
    for text in fixed_questions.QUESTIONS:
        question = read(text)
        assert SceneCache(made).rows(question, STANDARD) is not None, text
        assert types.is_typed(made.schema, question), text


def test_the_fixed_questions_are_for_one_engine():
    both = seats()
    both.lexicon.profiles = (STANDARD, profile_of(like_kuzu()))
    assert fixed_questions.scene(0, both.lexicon) is None
    assert fixed_questions.scene(0, seats(refused=frozenset({"graph:pairs"})).lexicon) is None
