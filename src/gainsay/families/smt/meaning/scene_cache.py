"""A scene laid out for work: its pools as text, its model as values, its vocabulary. Made once for each scene."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from gainsay.core.draw import Draw
from gainsay.core.model import Seats
from gainsay.families.smt.drawing.expressions import Grower
from gainsay.families.smt.drawing.pool import Pool
from gainsay.families.smt.drawing.vocabulary import ELEMENTS
from gainsay.families.smt.language import logics, reader, writer
from gainsay.families.smt.language.ir import Binding, Decl, Scene, Term
from gainsay.families.smt.language.sorts import array_of, is_array
from gainsay.families.smt.meaning.semantics import Array, Datatypes, Evaluation, Function, is_free, term_of, zero

MOST_READ = 60  # predicates of a seed that are read back as terms
LONGEST = 1500  # characters of such a term


class SceneCache:
    """What is worked out once for a scene: its pool, model, evaluation and sorts."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.datatypes: Datatypes = {sort: dict(constructors) for sort, constructors in scene.datatypes}

    @cached_property
    def pool(self) -> Pool:
        return Pool(self.scene)

    @cached_property
    def model(self) -> Mapping[str, Any]:
        return values(self.scene, self.datatypes)

    @cached_property
    def evaluation(self) -> Evaluation:
        return Evaluation(self.model, self.datatypes)

    @cached_property
    def sorts(self) -> tuple[str, ...]:
        found = dict.fromkeys(("Bool", *(s for d in self.scene.decls for s in (*d.args, d.sort)), *self.datatypes))
        return tuple(s for s in found if s != "RegLan")

    @cached_property
    def usable(self) -> tuple[str, ...]:
        """Sorts of which a term can be made: those with literals, constants, constructors."""
        known = {d.sort for d in self.scene.decls if not d.args} | set(self.datatypes)
        return tuple(s for s in self.sorts if s in known or (not is_array(s) and term_of(zero(s), s) is not None))

    @cached_property
    def formulas(self) -> list[Term]:
        """The seed's smaller predicates as terms."""
        if not self.scene.seed or not self.scene.pool:
            return []
        few = range(min(len(self.scene.pool), MOST_READ))
        read = reader.read(self.pool.script(few, "(check-sat)").removeprefix("(reset)")).asserts
        return [t for t in read if len(writer.text(t)) < LONGEST]

    @cached_property
    def logic(self) -> logics.Logic:
        has_functions = any(d.args for d in self.scene.decls)
        return logics.find(self.scene.logic, logics.theories(self.sorts, has_functions, bool(self.datatypes)))

    @cached_property
    def witness(self) -> str:
        """The model in words."""
        return (
            ", ".join(f"{b.name} = {b.value}" + (f" but {shown(b)}" if b.entries else "") for b in self.scene.model)
            or "any model"
        )

    def grower(self, draw: Draw, has: Any) -> Grower:
        decls = [d for d in self.scene.decls if all(s in self.usable for s in (*d.args, d.sort))]
        return Grower(draw, self.logic, decls, self.usable, self.datatypes, has)


def shown(binding: Binding) -> str:
    return ", ".join(f"{binding.name}({', '.join(args)}) = {value}" for args, value in binding.entries)


def cache_of(seats: Seats, scene: Scene) -> SceneCache:
    """The scene's cache; a worker keeps the last one."""
    found: SceneCache = seats.lexicon.scene_cache(scene) if seats.lexicon is not None else SceneCache(scene)
    return found


# --- models as text and as values -------------------------------------------------------------------------------------


def written(value: Any, sort: str, datatypes: Datatypes) -> str:
    """A value as SMT-LIB text; an element of an uninterpreted sort by its name."""
    if sort in datatypes:
        name, *parts = value
        fields = datatypes[sort][name]
        return (
            f"({name} {' '.join(written(v, s, datatypes) for v, (_, s) in zip(parts, fields, strict=True))})"
            if parts
            else name
        )
    if isinstance(value, Array):
        return array_text(value, sort, datatypes)
    term = term_of(value, sort)
    return writer.text(term) if term is not None else str(value)


def array_text(value: Array, sort: str, datatypes: Datatypes) -> str:
    index, element = array_of(sort)
    text = f"((as const {sort}) {written(value.default, element, datatypes)})"
    for place, held in sorted(value.entries, key=repr):
        text = f"(store {text} {written(place, index, datatypes)} {written(held, element, datatypes)})"
    return text


def bound(decl: Decl, value: Any, datatypes: Datatypes) -> Binding:
    """What a model says of a symbol, as text."""
    if not decl.args:
        return Binding(decl.name, written(value, decl.sort, datatypes))
    entries = tuple(
        (
            tuple(written(v, s, datatypes) for v, s in zip(key, decl.args, strict=True)),
            written(result, decl.sort, datatypes),
        )
        for key, result in sorted(value.table.items(), key=repr)
    )
    return Binding(decl.name, written(value.default, decl.sort, datatypes), entries)


def values(scene: Scene, datatypes: Datatypes) -> Mapping[str, Any]:
    """A scene's model as values."""
    by_name = {d.name: d for d in scene.decls}
    free = {
        s for d in scene.decls for s in (*d.args, d.sort) for s in re.findall(r"[^\s()]+", s) if is_free(s, datatypes)
    }
    elements = [Decl(f"{sort}!{n}", sort) for sort in sorted(free) for n in range(ELEMENTS)]
    ground = Evaluation({}, datatypes)
    table = {sort: dict(constructors) for sort, constructors in datatypes.items()}

    def value(text: str) -> Any:
        return ground.value(reader.read_term(text, elements, table))

    model: dict[str, Any] = {}
    for b in scene.model:
        if by_name[b.name].args:
            model[b.name] = Function({tuple(map(value, args)): value(v) for args, v in b.entries}, value(b.value))
        else:
            model[b.name] = value(b.value)
    return model


def ground_term(value: Any, sort: str, datatypes: Datatypes) -> Term | None:
    """A term that has a value in every model; None for elements of uninterpreted sorts."""
    if sort in datatypes:
        name, *parts = value
        fields = datatypes[sort][name]
        made = [ground_term(v, s, datatypes) for v, (_, s) in zip(parts, fields, strict=True)]
        return None if any(m is None for m in made) else Term(name, tuple(m for m in made if m is not None), sort)
    return term_of(value, sort)
