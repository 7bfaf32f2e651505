"""Program rewrites as data: queryFuzz's on a rule (thesis, chapter 3) and DLSmith's on the graph (chapter 4). `rewrite` applies them."""

from __future__ import annotations

from typing import ClassVar, Union

from gainsay.core.tree import Node
from gainsay.families.datalog import ir


class Rewrite(Node, frozen=True):
    sort: ClassVar[str] = "rewrite"
    keep: ClassVar[frozenset[str]] = frozenset({"rule", "atom", "fresh", "var", "by", "at", "rel", "values", "added"})


# --- queryFuzz: one rule -------------------------------------------------------------------------------------------------------------


class AddEqu(Rewrite, frozen=True):
    """Repeat a subgoal with fresh variables: p(x) :- a(x, y)  ->  p(x) :- a(x, y), a(x, z)."""

    rule: int
    atom: int
    fresh: tuple[int, ...]


class AddCon(Rewrite, frozen=True):
    """Join one more subgoal over the rule's variables: p(x) :- a(x, y)  ->  p(x) :- a(x, y), b(y, x)."""

    rule: int
    added: ir.Atom


class ModExp(Rewrite, frozen=True):
    """Free one occurrence of a variable: p(x) :- a(x, y), a(y, x)  ->  p(x) :- a(x, y), a(y, z)."""

    rule: int
    var: ir.Var
    at: int


class ModEqu(Rewrite, frozen=True):
    """Rename a variable everywhere: p(x) :- a(x, y)  ->  p(x) :- a(x, z)."""

    rule: int
    var: ir.Var


class ModCon(Rewrite, frozen=True):
    """Make two variables one: p(x) :- a(x, y), a(y, x)  ->  p(x) :- a(x, x), a(x, x)."""

    rule: int
    var: ir.Var
    by: ir.Var


class Rem(Rewrite, frozen=True):
    """Remove a subgoal: equivalent where it maps to one that stays, else expanding. p(z) :- r(w, x), r(y, x), t(z)  ->  p(z) :- r(y, x), t(z)."""

    rule: int
    atom: int


class NegEqu(Rewrite, frozen=True):
    """Negate twice: p(x) :- a(x), c(x)  ->  n(x) :- a(x), !c(x).  p(x) :- a(x), !n(x)."""

    rule: int
    atom: int


# --- DLSmith: the graph --------------------------------------------------------------------------------------------------------------


class AddRelNode(Rewrite, frozen=True):
    """A new relation that nobody reads."""

    added: ir.Rel


class AddRelEdges(Rewrite, frozen=True):
    """A new rule that reads a relation and its negation, and so derives nothing: v(x) :- u(x), !u(x)."""

    added: ir.Rule


class AddSelfEdge(Rewrite, frozen=True):
    """A new rule that derives what is there: v(x, y) :- v(x, y)."""

    added: ir.Rule


class FactInline(Rewrite, frozen=True):
    """All rules of a relation give way to the facts that they derive."""

    rel: str


class AddRelEdge(Rewrite, frozen=True):
    """One more atom, of either sign where nobody sees it, in a rule."""

    rule: int
    added: ir.Atom | ir.Not


class AddRule(Rewrite, frozen=True):
    """A new rule for a relation: DLSmith's expanding AddRelEdge."""

    added: ir.Rule


class AddFact(Rewrite, frozen=True):
    added: ir.Fact


class DelFact(Rewrite, frozen=True):
    added: ir.Fact


class DelRelNode(Rewrite, frozen=True):
    """A relation that the output does not see goes, with the rules that read it."""

    rel: str


class DelRelEdge(Rewrite, frozen=True):
    """One atom, of either sign, leaves a rule."""

    rule: int
    atom: int


class DelRelEdges(Rewrite, frozen=True):
    """All rules of a relation go."""

    rel: str


Any_ = Union[
    AddEqu, AddCon, ModExp, ModEqu, ModCon, Rem, NegEqu, AddRelNode, AddRelEdges, AddSelfEdge, FactInline, AddRelEdge, AddRule, AddFact, DelFact,
    DelRelNode, DelRelEdge, DelRelEdges,
]  # fmt: skip
