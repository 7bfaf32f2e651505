"""Our own evaluator in an engine's place, behind the port: it reads the texts that an engine would get, and may be
told to be wrong."""

import functools
import re
from typing import Any, NamedTuple

import msgspec

import talks
from gainsay.campaign import seating
from gainsay.core import registry
from gainsay.core.answer import Refused, Rows
from gainsay.core.draw import Draw, seed_for
from gainsay.core.model import Seat, Seats, Target
from gainsay.engines.falkordb import FalkorDB
from gainsay.engines.kuzu import Kuzu
from gainsay.families.cypher.drawing import scenes
from gainsay.families.cypher.drawing.lexicon import Lexicon
from gainsay.families.cypher.language import ir, parse
from gainsay.families.cypher.language.dialects import NO_INDEX
from gainsay.families.cypher.language.reader import Reader, Unread, read
from gainsay.families.cypher.language.writer import CypherDialect
from gainsay.families.cypher.meaning.graph import graph_of
from gainsay.families.cypher.meaning.profile import profile
from gainsay.families.cypher.meaning.semantics import Evaluator, Failed, TooBig, Undetermined
from gainsay.oracles import cypher_reference

FAMILY = registry.family("cypher")
ORACLES = ("reference", "partition", "norec", "rewrite")
ENGINES = [e for e in map(registry.engine, registry.BUILT_IN["gainsay.engines"]) if e.family == "cypher"]
DIALECTS = tuple(dict.fromkeys(engine.dialect for engine in ENGINES))
TABLES = CypherDialect(
    "tables", {}, NO_INDEX, has_tables=True
)  # as Kùzu wants them; but operators are spelled as usual, so that they are read
ONE_LABEL = frozenset({"graph:labels many", "graph:labels none", "graph:index", "graph:index drop"})
KUZU = tuple((name, value) for name, (value, _) in Kuzu().facts("0.11.3", ()).items())
FALKORDB = tuple((name, value) for name, (value, _) in FalkorDB().facts("4.22.1", ()).items())
SET = re.compile(r"MATCH (\(\)-\[)?\(?x(?::(\w+))? \{id: (\d+)\}(?:\]->\(\)|\)) SET x\.(\w+) = (.*)$", re.DOTALL)
DELETE = re.compile(r"MATCH (\(\)-\[)?\(?x(?::(\w+))? \{id: (\d+)\}(?:\]->\(\)|\)) (?:DETACH )?DELETE x$")
INDEX = re.compile(
    r"(CREATE|DROP) INDEX(?: gainsay_(?P<l>\w)_(?P<k>\w))?(?: FOR \(n:(\w+)\) ON \(n\.(\w+)\)| ON :(\w+)\((\w+)\))?$"
)


def seats(facts=(), refused=frozenset(), dialect="neo4j", count=1, **settings):
    """Seats on a target with these facts, and their lexicon; clauses="2" is --set cypher.clauses=2."""
    made = Seats(
        tuple(Seat(i, Target("neo4j", str(i) if i else ""), "0", dialect, (), refused, facts) for i in range(count))
    )
    made.lexicon = Lexicon(made, settings)
    return made


def like_kuzu(**settings):
    return seats(KUZU, ONE_LABEL, "cypher_standin:TABLES", **settings)


def like_falkordb(**settings):
    return seats(FALKORDB, frozenset({"clause:match after optional"}), "falkordb", **settings)


class Created(parse.Graphs):
    """Statements as our writer makes them: lists may be empty, and tables may have lists."""

    def __init__(self):
        super().__init__(())

    @staticmethod
    def columns(text, keys):
        for name, kind in re.findall(r", (\w+) (INT64\[\]|STRING\[\]|\w+)", text):
            if name not in ("id", "FROM", "PRIMARY"):
                keys[name] = {"INT64[]": "ints", "STRING[]": "strs"}.get(kind) or parse.KINDS[kind]

    @staticmethod
    def props(entries, keys):
        values = {e.key: e.value for e in entries}
        for name, value in values.items():
            if name != "id":
                is_list = isinstance(value, ir.ListOf)
                first = value.items[0] if is_list and value.items else value
                if isinstance(first, ir.Lit):
                    keys.setdefault(name, first.kind + "s" * is_list)
        return values["id"].value, tuple(ir.Kept(k, v) for k, v in values.items() if k != "id")


@functools.lru_cache(20_000)
def understood(text):
    return read(text)


class Fault(NamedTuple):
    """A mistake. `query(query, standin)` changes what is evaluated, `facts` what is meant, `patch(evaluator)` how,
    `rows(rows, query)` what comes out."""

    query: Any = None
    facts: tuple[tuple[str, str], ...] = ()
    patch: Any = None
    rows: Any = None
    breaks: bool = False  # a run-time error is called an internal one


NONE = Fault()


class Standin(seating.Player):
    """A session, and a player. What it does not understand it refuses as a syntax error."""

    def __init__(self, facts=(), fault=NONE):
        self.facts = facts
        self.fault = fault
        self.asked = 0
        self.reset()

    def reset(self):
        self.created = Created()
        self.changes = []
        self.indexes = set()
        self._evaluators = {}

    def renew(self):
        self.reset()
        return True

    def close(self):
        pass

    def spent_s(self):
        return None

    def load(self, scene, dialect="neo4j"):
        """Start anew with a graph; every statement must be taken."""
        self.reset()
        spell = FAMILY.dialect(dialect).text
        for text in filter(None, map(spell, FAMILY.script(scene))):
            answer = self.ask(text)
            assert isinstance(answer, Rows), (text, answer)

    @property
    def scene(self):
        return msgspec.structs.replace(self.created.scene(), changes=tuple(self.changes))

    def evaluator(self, is_right=False):
        if is_right not in self._evaluators:
            facts = self.facts if is_right else (*self.facts, *self.fault.facts)
            made = self._evaluators[is_right] = Evaluator(graph_of(self.scene), profile(facts), 5000)
            if self.fault.patch is not None and not is_right:
                self.fault.patch(made)
        return self._evaluators[is_right]

    def ask(self, text):
        self.asked += 1
        try:
            if text.startswith(("CREATE", "DROP", "MATCH")) and self.stated(text):
                self._evaluators = {}
                return Rows([])
            return self.answered(understood(text))
        except (Unread, KeyError, ValueError) as error:
            return Refused("syntax", f"{error.__class__.__name__} {error}: {text}")

    def stated(self, text):
        """Whether it is a statement; then it is done."""
        index, setting, deletion = INDEX.match(text), SET.match(text), DELETE.match(text)
        if index:
            label, key = [g for g in index.groups()[1:] if g][:2]
            (self.indexes.add if index[1] == "CREATE" else self.indexes.discard)((label, key))
        elif setting:
            reader = Reader(setting[5])
            self.changes.append(
                ir.SetKey(int(setting[3]), setting[4], reader.expr(), bool(setting[1]), setting[2] or "")
            )
        elif deletion:
            self.changes.append(ir.Drop(int(deletion[3]), bool(deletion[1]), deletion[2] or ""))
        elif text.startswith("CREATE"):
            self.created.statement(text)
        else:
            return False
        return True

    def answered(self, query):
        fault = self.fault
        changed = fault.query(query, self) if fault.query is not None else query
        try:
            rows = self.evaluator().rows(changed)
        except (Undetermined, Failed, TooBig) as error:
            if fault.breaks and isinstance(error, Failed):
                return Refused("internal", "internal error: null has no properties")
            if fault is NONE:
                return Refused("value", str(error))
            try:
                return Rows(self.evaluator(True).rows(query))
            except (Undetermined, Failed, TooBig) as again:
                return Refused("value", str(again))
        return Rows(fault.rows(rows, query) if fault.rows is not None else rows)


def hold(oracle, scene, recipe, seated, *asks):
    """Hold a conversation with one ask per seat."""
    return talks.hold(oracle, scene, recipe, seated, lambda step, text: asks[step.seat](text))


def scene(number, seated, name="scene"):
    return scenes.grow(Draw(seed_for(number, name)), seated.lexicon)


def cases(name, count, seated=None, each=1):
    """What an oracle draws, some recipes on a scene; oracles of the family may draw none now and then."""
    seated = seated or seats()
    oracle = registry.oracle("cypher", name)
    for number in range(count):
        grown = scene(number, seated)
        draw = Draw(seed_for(number, name))
        for _ in range(each):
            recipe = oracle.draw(draw, grown, seated)
            if recipe is not None:
                yield grown, recipe, seated


def query(text):
    return read(text)


def graph(*statements):
    """A scene from CREATE statements."""
    made, _ = parse.known(statements, "RETURN 1 AS c0")
    assert not made.raw, "the test's own graph was not read"
    return made


SCENE = graph(
    "CREATE (a:A {id: 0, k: 5, s: 'abc'}), (b:B {id: 1, k: 5}), (c:B {id: 2}), "
    "(a)-[:T {id: 3, w: 1}]->(b), (b)-[:S {id: 4}]->(c)"
)
RECIPE = cypher_reference.Recipe(
    query("MATCH (a:A)-[r:T]->(b:B) WHERE (b.k > 1) WITH a, b, a.s AS s RETURN s AS x, b.k AS y")
)


def rows(scene, text, facts=()):
    """What a query gives by our own semantics."""
    return Evaluator(graph_of(scene), profile(facts)).rows(read(text) if isinstance(text, str) else text)
