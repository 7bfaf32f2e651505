"""SMT-LIB terms, and the scene: declarations, a model, and formulas whose truth under that model is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from gainsay.core.oracle import Recipe
from gainsay.core.tree import Node


class Term(Node, frozen=True):
    """A typed term.
    `op` is a symbol, a literal or an indexed operator as SMT-LIB writes it: and, x, #b01, (_ extract 3 0), forall.

    A term without arguments is a constant, a literal or a variable that a quantifier binds. Let is gone: what it shared
    is the same object."""

    # A part that is dropped would leave it ill-typed
    keep: ClassVar[frozenset[str]] = frozenset({"op", "args", "sort", "bound"})
    refers: ClassVar[Mapping[str, str]] = {"op": "symbol"}
    scopes: ClassVar[Mapping[str, str]] = {"bound": "symbol"}
    op: str
    args: tuple[Term, ...] = ()
    # A field here, since each term has its own: as SMT-LIB writes it, with single blanks: Int, (_ BitVec 8)
    sort: str = "Bool"  # type: ignore[misc]
    bound: tuple[tuple[str, str], ...] = ()  # of a quantifier: names and sorts; its body is the only argument


class Decl(Node, frozen=True):
    """A declared symbol: a constant, or a function with the sorts of its arguments."""

    binds: ClassVar[Mapping[str, str]] = {"name": "symbol"}
    name: str
    sort: str  # type: ignore[misc] # a field here
    args: tuple[str, ...] = ()


class Binding(Node, frozen=True):
    """What a model says of a declared symbol, as SMT-LIB text; a function has a table, and `value` is what it gives
    elsewhere."""

    keep: ClassVar[frozenset[str]] = frozenset({"name", "value", "entries"})
    refers: ClassVar[Mapping[str, str]] = {"name": "symbol"}
    name: str
    value: str
    entries: tuple[tuple[tuple[str, ...], str], ...] = ()


class Definition(Node, frozen=True):
    """A term that several others share."""

    binds: ClassVar[Mapping[str, str]] = {"name": "symbol"}
    name: str
    sort: str  # type: ignore[misc] # a field here
    text: str


class Fragment(Node, frozen=True):
    """A formula of the initial pool: its text, and its truth under the scene's model."""

    text: str
    value: bool
    depth: int = 0


class Built(Node, frozen=True):
    """A formula of the construction pool: the conjunction of two others, or (`two` < 0) the negation of one."""

    one: int
    two: int = -1


class Scene(Node, frozen=True):
    """STORM's two pools over one model. Formulas are numbered: fragments first, then those that were built of them."""

    keep: ClassVar[frozenset[str]] = frozenset(
        {"logic", "decls", "prelude", "defs", "model", "pool", "built", "datatypes", "seed", "valued_by"}
    )
    logic: str
    decls: tuple[Decl, ...] = ()
    prelude: tuple[str, ...] = ()  # declarations of sorts and datatypes
    datatypes: tuple[tuple[str, tuple[tuple[str, tuple[tuple[str, str], ...]], ...]], ...] = ()
    model: tuple[Binding, ...] = ()
    defs: tuple[Definition, ...] = ()
    pool: tuple[Fragment, ...] = ()
    built: tuple[Built, ...] = ()
    seed: str = ""
    valued_by: str = ""  # the solver that valued what we can't evaluate
    is_loaded: bool = False  # its declarations and definitions stay in a resident solver


class Instance(Recipe, frozen=True):
    """Assertions, and how they are asked: formulas of the scene by number, terms, or both; each may be preceded by a
    push, a pop or a check."""

    keep: ClassVar[frozenset[str]] = frozenset({"is_loose"})
    picks: tuple[int, ...] = ()
    asserts: tuple[Term, ...] = ()
    moves: tuple[str, ...] = ()
    mode: str = "one-shot"  # or resident, incremental
    tactic: str = ""
    is_loose: bool = False  # nobody knows whether it can be met; else the scene's model meets it


class RawScript(Node, frozen=True):
    """A script that somebody else wrote, as it stands."""

    text: str
