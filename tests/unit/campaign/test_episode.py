"""The hot loop on a graph engine that breaks: what is asked after it, where a death would be put, what is counted."""

from cypher_standin import FAMILY, Fault, Standin, seats
from gainsay.campaign import config
from gainsay.campaign.episode import Stage
from gainsay.campaign.recorder import ASKING, LOADING, Recorder
from gainsay.core.answer import Refused, Rows
from gainsay.core.model import Seats
from gainsay.core.tree import transform
from gainsay.families.cypher.drawing import fixed_questions
from gainsay.families.cypher.language import ir
from gainsay.families.cypher.language.reader import read


class Player(Standin):
    """A stand-in that breaks on some words, and notes in which phase each text is asked."""

    def __init__(self, recorder=None, on="", fault=Fault()):  # noqa: B008 # a Fault is never changed
        self.recorder, self.on = recorder, on
        self.phases, self.texts = [], []
        super().__init__((), fault)
        self.broken = 0

    def ask(self, text):
        self.texts.append(text)
        if self.recorder is not None:
            self.phases.append((self.recorder._phase, text))
        if self.on and self.on in text:
            self.broken += 1
            return Refused("internal", "broken")
        return super().ask(text)


def staged(tmp_path, player, *oracles, count=1):
    seated = seats(count=count)
    group = config.Group("standin", "cypher", seated.seats, oracles or ("norec", "partition", "reference", "rewrite"))
    raws = []
    recorder = Recorder(tmp_path / "recorder")
    players = [player] if count == 1 else [player, *(Standin() for _ in range(count - 1))]
    for each in players:
        each.recorder = recorder
    stage = Stage(group, seated, players, 1, recorder, raws.append)
    stage.raws = raws
    return stage


def test_every_check_of_an_episode_is_made_and_the_fixed_questions_come_first(tmp_path):
    player = Player()
    stage = staged(tmp_path, player)
    stage.run(0, 80)
    assert (stage.counts.checks + stage.counts.void, stage.counts.contradicted, stage.counts.refused, stage.raws) == (
        80,
        0,
        0,
        [],
    )
    assert stage.counts.void < 3
    assert stage.counts.undecidable == 0 and stage.counts.answered > 70
    fixed = {FAMILY.dialect("neo4j").text(read(q)) for q in fixed_questions.QUESTIONS}
    assert sum(text in fixed for text in player.texts) == 40


def test_an_internal_error_is_a_finding_and_the_rest_is_asked(tmp_path):
    player = Player(on="XOR")
    stage = staged(tmp_path, player, "reference")
    stage.run(1, 80)
    assert player.broken and {r.claim for r in stage.raws} == {"internal-error"}
    assert stage.counts.checks == 80 and stage.counts.contradicted == player.broken


def test_after_an_internal_error_questions_are_asked_as_questions(tmp_path):
    player = Player(on="XOR")
    stage = staged(tmp_path, player, "reference")
    stage.run(1, 80)
    assert player.broken
    asked = {phase for phase, text in player.phases if " RETURN " in text and not text.startswith("RETURN 1 + 1")}
    assert asked == {ASKING}
    assert {phase for phase, text in player.phases if text.startswith("CREATE")} == {LOADING}


def test_an_index_comes_and_goes_while_nothing_else_is_asked(tmp_path):
    """What other conversations ask is asked on the graph as the scene made it."""
    player = Player()
    stage = staged(tmp_path, player, "rewrite")
    made = 0
    for number in range(2, 12):
        player.phases.clear()
        stage.run(number, 40)
        inside = None
        for text in [text for phase, text in player.phases if phase == ASKING]:
            if text.startswith("CREATE INDEX"):
                inside = []
            elif text.startswith("DROP INDEX"):
                assert len(inside) == 1, inside
                inside, made = None, made + 1
            elif inside is not None:
                inside.append(text)
        assert inside is None
    assert made > 3
    assert stage.counts.contradicted == 0


def test_what_is_stored_is_compared_before_anything_else(tmp_path):
    wrong = Player(fault=Fault(rows=lambda rows, query: rows[:-1] if len(rows) > 1 else rows))
    stage = staged(tmp_path, wrong, "differential", count=2)
    stage.run(5, 40)
    assert (stage.counts.checks, stage.counts.void) == (0, 40) and len(stage.raws) == 1
    assert [r.name.check for r in stage.raws] == [-1]


def test_a_scene_of_which_a_part_is_refused_is_asked_as_it_stands(tmp_path):
    class Without(Player):
        def ask(self, text):
            return Refused("syntax", "no indexes") if "INDEX" in text else super().ask(text)

    stage = staged(tmp_path, Without(), "reference")
    for number in range(2, 10):
        stage.run(number, 10)
    assert stage.counts.contradicted == 0 and stage.counts.undecidable == 0 and stage.counts.refused > 0


def test_counts_of_nothing_are_answers(tmp_path):
    """RETURN count(*) over no rows is a row that was foreseen."""
    stage = staged(tmp_path, Player(), "reference")
    stage.run(3, 80)
    assert stage.counts.nonempty == stage.counts.answered


def test_a_contradiction_carries_its_case_and_the_profile(tmp_path):
    from gainsay.campaign import events

    fault = Fault(
        lambda q, s: transform(
            q, lambda n: ir.RelPat(n.var, n.types, "->", n.props, n.length) if isinstance(n, ir.RelPat) else n
        )
    )
    stage = staged(tmp_path, Player(fault=fault), "reference")
    stage.run(0, 40)
    assert stage.raws
    case = events.read_case(stage.raws[0].case)
    assert case.claim == "as evaluated" and case.seats[0].dialect == "neo4j"
    assert FAMILY.is_legal(case.scene, case.recipe, Seats(case.seats))
    assert isinstance(Standin().ask("RETURN 1 AS x"), Rows)


def test_what_the_last_block_counted_is_told_with_the_end_of_the_episode(stage_of):
    stage = stage_of("sqlite", "norec")
    told = []
    stage.beat = lambda: told.append(stage.reached)
    stage.run(0, 80)
    assert told == [(0, 16), (0, 32), (0, 48), (0, 64)]
    assert stage.reached == (0, 80) and stage.counts.checks == 80 == stage.held["norec"]
