"""Program rewrites as data: queryFuzz's on a rule (thesis, chapter 3) and DLSmith's on the graph (chapter 4).
`rewrite` applies them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Union

from gainsay.core.tree import Node
from gainsay.families.datalog.language import ir


class Rewrite(Node, frozen=True):
    """`words` say in a report what is done; `head` is the relation of the rule that is changed."""

    words: ClassVar[str]
    adds_rule: ClassVar[bool] = False  # whose key comes after all others
    sort: ClassVar[str] = "rewrite"
    keep: ClassVar[frozenset[str]] = frozenset({"rule", "atom", "fresh", "var", "by", "at", "rel", "values", "added"})


class OfRule(Rewrite, frozen=True):
    """A rewrite of one rule, by its key; its variables are those of that rule."""

    rule: int


# --- queryFuzz: one rule ----------------------------------------------------------------------------------------------


class AddEqu(OfRule, frozen=True):
    """Repeat a subgoal with fresh variables: p(x) :- a(x, y)  ->  p(x) :- a(x, y), a(x, z)."""

    words: ClassVar[str] = "a subgoal of the rule for {head} is repeated with fresh variables"
    atom: int
    fresh: tuple[int, ...]


class AddCon(OfRule, frozen=True):
    """Join one more subgoal over the rule's variables: p(x) :- a(x, y)  ->  p(x) :- a(x, y), b(y, x)."""

    words: ClassVar[str] = "the rule for {head} also asks for {added}"
    added: ir.Atom


class ModExp(OfRule, frozen=True):
    """Free one occurrence of a variable: p(x) :- a(x, y), a(y, x)  ->  p(x) :- a(x, y), a(y, z)."""

    words: ClassVar[str] = "one occurrence of {var} in the rule for {head} becomes a variable of its own"
    var: ir.Var
    at: int


class ModEqu(OfRule, frozen=True):
    """Rename a variable everywhere: p(x) :- a(x, y)  ->  p(x) :- a(x, z)."""

    words: ClassVar[str] = "{var} gets another name in the rule for {head}"
    var: ir.Var


class ModCon(OfRule, frozen=True):
    """Make two variables one: p(x) :- a(x, y), a(y, x)  ->  p(x) :- a(x, x), a(x, x)."""

    words: ClassVar[str] = "{var} becomes {by} in the rule for {head}"
    var: ir.Var
    by: ir.Var


class Rem(OfRule, frozen=True):
    """Remove a subgoal: equivalent where it maps to one that stays, else expanding.
    p(z) :- r(w, x), r(y, x), t(z)  ->  p(z) :- r(y, x), t(z)."""

    words: ClassVar[str] = "a subgoal of the rule for {head} is left out"
    atom: int


class NegEqu(OfRule, frozen=True):
    """Negate twice: p(x) :- a(x), c(x)  ->  n(x) :- a(x), !c(x).  p(x) :- a(x), !n(x)."""

    adds_rule: ClassVar[bool] = True
    words: ClassVar[str] = "a subgoal of the rule for {head} is negated twice, by way of a new relation"
    atom: int


# --- DLSmith: the graph -----------------------------------------------------------------------------------------------


class AddRelNode(Rewrite, frozen=True):
    """A new relation that nobody reads."""

    words: ClassVar[str] = "the relation {added} is added, which nothing reads"
    added: ir.Rel


class AddRelEdges(Rewrite, frozen=True):
    """A new rule that reads a relation and its negation, and so derives nothing: v(x) :- u(x), !u(x)."""

    adds_rule: ClassVar[bool] = True
    words: ClassVar[str] = (
        "a rule is added that derives nothing, since it asks for a relation and for its negation: {added}"
    )
    added: ir.Rule


class AddSelfEdge(Rewrite, frozen=True):
    """A new rule that derives what is there: v(x, y) :- v(x, y)."""

    adds_rule: ClassVar[bool] = True
    words: ClassVar[str] = "a rule is added that derives only what is there: {added}"
    added: ir.Rule


class FactInline(Rewrite, frozen=True):
    """All rules of a relation give way to the facts that they derive."""

    words: ClassVar[str] = "the rules for {rel} give way to the facts that they derive"
    refers: ClassVar[Mapping[str, str]] = {"rel": "relation"}
    rel: str


class AddRelEdge(OfRule, frozen=True):
    """One more atom, of either sign where nobody sees it, in a rule."""

    words: ClassVar[str] = "the rule for {head} also asks for {added}"
    added: ir.Atom | ir.Not


class AddRule(Rewrite, frozen=True):
    """A new rule for a relation: DLSmith's expanding AddRelEdge."""

    adds_rule: ClassVar[bool] = True
    words: ClassVar[str] = "a rule is added: {added}"
    added: ir.Rule


class AddFact(Rewrite, frozen=True):
    """One more fact."""

    words: ClassVar[str] = "a fact is added: {added}"
    added: ir.Fact


class DelFact(Rewrite, frozen=True):
    """One fact less."""

    words: ClassVar[str] = "a fact is left out: {added}"
    added: ir.Fact


class DelRelNode(Rewrite, frozen=True):
    """A relation that the output does not see goes, with the rules that read it."""

    words: ClassVar[str] = "{rel}, which the output does not see, is left out with the rules that read it"
    refers: ClassVar[Mapping[str, str]] = {"rel": "relation"}
    rel: str


class DelRelEdge(OfRule, frozen=True):
    """One atom, of either sign, leaves a rule."""

    words: ClassVar[str] = "a subgoal of the rule for {head} is left out"
    atom: int


class DelRelEdges(Rewrite, frozen=True):
    """All rules of a relation go."""

    words: ClassVar[str] = "the rules for {rel} are left out"
    refers: ClassVar[Mapping[str, str]] = {"rel": "relation"}
    rel: str


Any_ = Union[
    AddEqu, AddCon, ModExp, ModEqu, ModCon, Rem, NegEqu, AddRelNode, AddRelEdges, AddSelfEdge, FactInline, AddRelEdge,
    AddRule, AddFact, DelFact,
    DelRelNode, DelRelEdge, DelRelEdges,
]  # fmt: skip
