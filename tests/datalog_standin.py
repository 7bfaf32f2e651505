"""Our own evaluator in an engine's place: it can't read text, so a conversation is driven by its nodes. And short ways
to say a program."""

import re

import talks
from gainsay.core import registry
from gainsay.core.answer import GaveUp, Rows
from gainsay.core.model import Seat, Seats, Target
from gainsay.families.datalog.drawing.lexicon import Lexicon
from gainsay.families.datalog.language import ir, parse
from gainsay.families.datalog.meaning import legal

# Tests take the evaluator from here: its modules may move.
from gainsay.families.datalog.meaning.semantics import Evaluation as Evaluation
from gainsay.families.datalog.meaning.semantics import Limits as Limits

Unsafe, Unstratified, TooBig, Undefined = legal.ILL

ENGINES = [e for e in map(registry.engine, registry.BUILT_IN["gainsay.engines"]) if e.family == "datalog"]
DIALECTS = tuple(dict.fromkeys(engine.dialect for engine in ENGINES))


def evaluate(program, given=(), limits=None):
    """All tables of a program; `given` is what its seed's relations hold."""
    return Evaluation((*program.rels, *program.seeded), (*program.facts, *given), limits).run(program.rules)


def seats(dialect, **settings):
    """A seat on a target that refuses nothing, and its lexicon; rules_max_att="3" is --set rules.max_att=3."""
    made = Seats((Seat(0, Target(dialect), "0", dialect),))
    made.lexicon = Lexicon(made, {k.replace("rules_", "rules."): v for k, v in settings.items()})
    return made


def declared(spec):
    """'a/2 s(number,symbol):inline' as declarations: columns are numbers where nothing else is said."""
    lines = []
    for word in spec.split():
        name, count, kinds, marks = re.fullmatch(r"(\w+)(?:/(\d)|\(([\w,]*)\))(?::(\S+))?", word).groups()
        columns = ["number"] * int(count) if count else kinds.split(",")
        lines.append(
            f".decl {name}({', '.join(f'c{i}:{k}' for i, k in enumerate(columns))}) {(marks or '').replace(',', ' ')}"
        )
    return "\n".join(lines)


def read(spec, text, output="", types=""):
    """A scene and its rules, in Soufflé's words. The relation that is declared last is asked for."""
    last = output or re.findall(r"(\w+)(?:/|\()", spec)[-1]
    scene, questions = parse.known([], f"{types}\n{declared(spec)}\n{text}\n.output {last}")
    assert isinstance(questions[0], ir.Rules), "the test's own program was not read"
    return scene, questions[0]


def program(spec, text, output="", types=""):
    return ir.program(*read(spec, text, output, types))


def cozo(text):
    """A program in Cozo's words, which has aggregates in heads."""
    scene, questions = parse.known([], text)
    assert isinstance(questions[0], ir.Rules), "the test's own program was not read"
    return ir.program(scene, questions[0])


def tables(node):
    """What an engine that makes no mistake derives; None where there is no one answer. Recursion through negation is
    well-founded."""
    try:
        return Evaluation((*node.rels, *node.seeded), node.facts, unstratified=True).run(node.rules)
    except legal.ILL:
        return None


def right(node):
    """The answer of an engine that makes no mistake."""
    found = tables(node)
    return GaveUp("unknown") if found is None else Rows(sorted(found[node.output], key=repr))


def hold(oracle, scene, recipe, seated, ask=right):
    """Hold a conversation with what answers a program."""
    return talks.hold(oracle, scene, recipe, seated, lambda step, _: ask(step.node))
