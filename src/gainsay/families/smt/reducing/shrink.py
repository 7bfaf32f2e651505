"""Shrinking instances.
What is satisfiable by construction stays so: every candidate is evaluated under the kept model before a solver sees
it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from gainsay.core import names
from gainsay.core.tree import Path, along, put, rebuilt, walk
from gainsay.families.smt.language import ops, parse, reader, scripts
from gainsay.families.smt.language.ir import Decl, Instance, RawScript, Scene, Term
from gainsay.families.smt.language.ops import OPERATORS, ROUNDING
from gainsay.families.smt.language.sorts import float_of
from gainsay.families.smt.meaning import types
from gainsay.families.smt.meaning.legal import instance_of, is_witnessed
from gainsay.families.smt.meaning.scene_cache import SceneCache, bound, ground_term
from gainsay.families.smt.meaning.semantics import Evaluation
from gainsay.families.smt.meaning.values import Undetermined
from gainsay.families.smt.reducing import widths

Pair = tuple[Any, Any]
MOST_NODES = 4000  # of a term that is laid out as a tree
DEEPEST = 200  # levels of such a term
SPREAD = 12  # picked formulas that are laid out at once
SHEDDING = frozenset(name for name, row in OPERATORS.items() if row.sheds)


def terms_of(recipe: Any) -> list[Term]:
    """The outermost terms of a recipe."""
    found: list[Term] = []
    for path, value in walk(recipe):
        if isinstance(value, Term) and not any(isinstance(step, str) and step == "args" for step in path):
            found.append(value)
    return found


def measured(terms: Sequence[Term], of: Callable[[list[int]], int]) -> dict[int, int]:
    """A measure of each term from those of its arguments, by identity: what is shared is looked at once, and depth does
    not matter."""
    known: dict[int, int] = {}
    stack = list(terms)
    while stack:
        term = stack[-1]
        missing = [a for a in term.args if id(a) not in known]
        if missing:
            stack.extend(missing)
            continue
        known[id(term)] = of([known[id(a)] for a in term.args])
        stack.pop()
    return known


def tree_size(terms: Sequence[Term]) -> int:
    """How many nodes terms have as trees; what is shared counts each time."""
    known = measured(terms, lambda parts: 1 + sum(parts))
    return sum(known[id(t)] for t in terms)


def is_handy(terms: Sequence[Term]) -> bool:
    """Whether terms can be worked on as trees: not too many nodes, not too deep."""
    return (
        tree_size(terms) <= MOST_NODES
        and max(measured(terms, lambda parts: 1 + max(parts, default=0)).values(), default=0) <= DEEPEST
    )


# --- large cuts -------------------------------------------------------------------------------------------------------


def cuts(scene: Scene, recipe: Any) -> Iterator[Pair]:
    """Large cuts: fewer formulas, no pool, no model, terms cut off at a depth."""
    if isinstance(recipe.subject, RawScript):
        yield from shorter(scene, recipe)
        return
    found = instance_of(recipe)
    if found is not None:
        path, instance = found
        for smaller in fewer(scene, instance):
            yield scene, put(recipe, path, smaller)
        if not instance.picks and (scene.pool or scene.defs):
            yield msgspec.structs.replace(scene, pool=(), built=(), defs=()), recipe
            yield msgspec.structs.replace(scene, pool=(), built=(), defs=(), is_loaded=False), recipe
    if not is_witnessed(recipe) and (scene.pool or scene.is_loaded or scene.model):
        yield msgspec.structs.replace(scene, pool=(), built=(), defs=(), is_loaded=False), recipe
        if found is not None:
            yield msgspec.structs.replace(scene, pool=(), built=(), defs=(), is_loaded=False, model=()), recipe
    yield from truncated(scene, recipe)
    yield from unused(scene, recipe)


def shorter(scene: Scene, recipe: Any) -> Iterator[Pair]:
    """A script as the instance that it asks, which is shrunk term by term; else without halves, quarters, ... of its
    lines."""
    read = parse.instance(recipe.subject.text)
    if read is not None and is_handy(read[1].asserts):
        yield read[0], recipe.with_subject(read[1])
    lines = recipe.subject.text.split("\n")
    size = len(lines) // 2
    while size:
        for start in range(0, len(lines), size):
            yield scene, recipe.with_subject(RawScript("\n".join(lines[:start] + lines[start + size :])))
        size //= 2


def fewer(scene: Scene, instance: Instance) -> Iterator[Instance]:
    """Without halves, quarters, ... of the picked formulas; when few are left, those laid out as terms."""
    picks = instance.picks
    size = len(picks) // 2
    while size:
        for start in range(0, len(picks), size):
            rest = picks[:start] + picks[start + size :]
            moves = instance.moves[:start] + instance.moves[start + size :]  # each stays with its formula
            if rest or instance.asserts:
                yield msgspec.structs.replace(instance, picks=rest, moves=moves)
        size //= 2
    if 0 < len(picks) <= SPREAD:
        terms = spread(scene, picks)
        if is_handy(terms):
            yield msgspec.structs.replace(instance, picks=(), asserts=(*terms, *instance.asserts))
        cache = SceneCache(scene)
        for level in (2, 4, 8, 16):
            short = [valued_below(cache.evaluation, cache, t, level) for t in terms]
            if is_handy(short):
                yield msgspec.structs.replace(instance, picks=(), asserts=(*short, *instance.asserts))


def spread(scene: Scene, picks: Sequence[int]) -> tuple[Term, ...]:
    """Picked formulas as terms, with all definitions put in place."""
    return reader.read(SceneCache(scene).pool.script(picks, "(check-sat)").removeprefix("(reset)")).asserts


def valued_below(evaluation: Evaluation, cache: SceneCache, root: Term, level: int) -> Term:
    """A term in which everything below a level is replaced by its value."""

    def cut(term: Term, left: int) -> Term:
        if not term.args or term.bound:
            return term
        if left <= 0:
            found = value_term(evaluation, cache, term)
            return term if found is None else found
        return Term(term.op, tuple(cut(a, left - 1) for a in term.args), term.sort, term.bound)

    return cut(root, level)


def value_term(evaluation: Evaluation, cache: SceneCache, term: Term) -> Term | None:
    """A literal of a term's value under the model."""
    if term.sort == "RegLan":
        return None
    try:
        return ground_term(evaluation.value(term), term.sort, cache.datatypes)
    except Undetermined:
        return None


def truncated(scene: Scene, recipe: Any) -> Iterator[Pair]:
    """Everything below a level replaced by its value, in all terms at once."""
    if not is_witnessed(recipe):
        return
    cache = SceneCache(scene)
    tops = [(path, t) for path, t in walk(recipe) if isinstance(t, Term) and "args" not in path]
    for level in (1, 2, 3, 4, 6, 9):
        changed = recipe
        for path, term in tops:
            changed = put(changed, path, valued_below(cache.evaluation, cache, term, level))
        if changed != recipe:
            yield scene, changed


def unused(scene: Scene, recipe: Any) -> Iterator[Pair]:
    """Only what the terms use is declared."""
    found = instance_of(recipe)
    if found is not None and found[1].picks:
        return
    used = scripts.symbols(terms_of(recipe))
    decls = tuple(d for d in scene.decls if d.name in used)
    sorts = " ".join(s for d in decls for s in (*d.args, d.sort)) + " ".join(used)
    model = tuple(b for b in scene.model if b.name in used)
    prelude = tuple(line for line in scene.prelude if needed(line, sorts))
    if len(decls) < len(scene.decls) or len(prelude) < len(scene.prelude) or len(model) < len(scene.model):
        yield msgspec.structs.replace(scene, decls=decls, model=model, prelude=prelude), recipe
        yield msgspec.structs.replace(scene, decls=decls, model=model), recipe


def needed(line: str, sorts: str) -> bool:
    """Whether a declaration of a sort has anything to do with what is used."""
    words = set(re.findall(r"[^\s()]+", line)) - {
        "declare-sort",
        "declare-datatypes",
        "0",
        "Bool",
        "Int",
        "Real",
        "String",
    }
    present = set(re.findall(r"[^\s()]+", sorts))
    return bool(words & present)


# --- coordinated shrinks ----------------------------------------------------------------------------------------------


def shrinks(scene: Scene, recipe: Any) -> Iterator[Pair]:
    """Smaller cases, one step at a time."""
    found = instance_of(recipe)
    if found is not None and found[1].picks:
        return
    witnessed = is_witnessed(recipe)
    cache = SceneCache(scene)
    yield from valued(cache, recipe) if witnessed else simplified(scene, recipe)
    if witnessed:
        yield from valued_once(cache, recipe)
    yield from dropped(scene, recipe)
    yield from merged(cache, recipe)
    yield from widths.narrowed(cache, recipe)
    yield from plainer_operators(scene, recipe)
    yield from plainer(scene, recipe)
    if witnessed:
        yield from plainer_model(cache, recipe)
    yield from unused(scene, recipe)
    yield from unasserted(scene, recipe)
    if scene.logic and not scene.pool:
        yield msgspec.structs.replace(scene, logic=""), recipe


def valued(cache: SceneCache, recipe: Any) -> Iterator[Pair]:
    """Subterms replaced by their values, by a constant of the same value, or by a part of their own: everywhere at
    once, the largest first."""
    evaluation = cache.evaluation
    constants = [d for d in cache.scene.decls if not d.args]
    for term in distinct(recipe):
        for new in replacements(cache, evaluation, constants, term):
            yield cache.scene, everywhere(recipe, instead(term, new))


def instead(old: Term, new: Term) -> Callable[[Term], Term]:
    """The change by which one term takes the place of another."""
    return lambda term: new if term == old else term


def valued_once(cache: SceneCache, recipe: Any) -> Iterator[Pair]:
    """The same for a single occurrence."""
    for path, term in walk(recipe):
        if isinstance(term, Term) and (term.args or not is_simple(term)) and not within_quantifier(recipe, path):
            new = value_term(cache.evaluation, cache, term)
            if new is not None and new != term:
                yield cache.scene, put(recipe, path, new)


def is_simple(term: Term) -> bool:
    return term.op in ("true", "false") or is_literal(term) or term.op.startswith("#")


def within_quantifier(recipe: Any, path: Path) -> bool:
    """Whether a quantifier is somewhere above: there a term may have many values."""
    return any(isinstance(part, Term) and part.bound for part in along(recipe, path[:-1]))


def replacements(cache: SceneCache, evaluation: Evaluation, constants: Sequence[Decl], term: Term) -> Iterator[Term]:
    new = value_term(evaluation, cache, term)
    if new is not None and new != term:
        yield new
    if new is not None:
        same = evaluation.value(term)
        yield from (
            Term(d.name, (), d.sort) for d in constants if d.sort == term.sort and cache.model.get(d.name) == same
        )
    yield from parts(term)


def parts(term: Term) -> Iterator[Term]:
    """Parts of a term that could stand in its place: arguments of its sort, and theirs."""
    for argument in term.args:
        if argument.sort == term.sort:
            yield argument
        yield from (inner for inner in argument.args if inner.sort == term.sort and argument.sort != term.sort)


def simplified(scene: Scene, recipe: Any) -> Iterator[Pair]:
    """The same for instances without a model: a part in a term's place, everywhere at once; true and false for
    formulas."""
    for term in distinct(recipe):
        for new in (*((Term("true"), Term("false")) if term.sort == "Bool" else ()), *parts(term)):
            yield scene, everywhere(recipe, instead(term, new))


def distinct(recipe: Any) -> list[Term]:
    """The terms of a recipe that have arguments, each once, largest first; none from inside a quantifier."""
    found: dict[Term, int] = {}
    stack = list(terms_of(recipe))
    while stack:
        term = stack.pop()
        if term.args and term not in found:
            found[term] = tree_size([term])
            if not term.bound:
                stack.extend(term.args)
    return sorted(found, key=lambda t: -found[t])


def dropped(scene: Scene, recipe: Any) -> Iterator[Pair]:
    """Arguments of n-ary operators left out. (and a b c) -> (and a c)"""
    for path, term in walk(recipe):
        if isinstance(term, Term) and term.op in SHEDDING and len(term.args) > 2:
            for n in range(len(term.args)):
                yield scene, put(recipe, path, Term(term.op, term.args[:n] + term.args[n + 1 :], term.sort))
        if isinstance(term, Term) and term.op in ("and", "or") and len(term.args) == 1:
            yield scene, put(recipe, path, term.args[0])


def unasserted(scene: Scene, recipe: Any) -> Iterator[Pair]:
    """(assert (and a b)) -> two assertions"""
    found = instance_of(recipe)
    if found is None:
        return
    path, instance = found
    for n, term in enumerate(instance.asserts):
        before, after = instance.asserts[:n], instance.asserts[n + 1 :]
        if instance.moves and len(instance.asserts) > 1:
            moves = instance.moves[:n] + instance.moves[n + 1 :]
            yield scene, put(recipe, path, msgspec.structs.replace(instance, asserts=before + after, moves=moves))
        is_twice_negated = term.op == "not" and term.args[0].op == "not"
        plainer_terms = term.args if term.op == "and" else term.args[0].args if is_twice_negated else ()
        if plainer_terms:
            asserts = (*before, *plainer_terms, *after)
            yield scene, put(recipe, path, msgspec.structs.replace(instance, asserts=asserts))


def merged(cache: SceneCache, recipe: Any) -> Iterator[Pair]:
    """One constant for two of the same sort (and, where it matters, value)."""
    scene = cache.scene
    hidden = names.scoped(types.postorder(terms_of(recipe)), "symbol")
    constants = [d for d in scene.decls if not d.args and d.name not in hidden]
    for n, one in enumerate(constants):
        for two in constants[n + 1 :]:
            if one.sort == two.sort:
                yield scene, names.renamed_shared(recipe, names.by("symbol", {two.name: one.name}))


def everywhere(recipe: Any, change: Callable[[Term], Term]) -> Any:
    """A recipe with a change made in all of its terms."""
    return rebuilt(recipe, lambda node: change(node) if isinstance(node, Term) else node)


PLAIN: dict[str, tuple[str, ...]] = {
    "Int": ("0", "1", "2"),
    "Real": ("0.0", "1.0", "2.0"),
    "String": ('""', '"a"'),
    "RoundingMode": ("RNE",),
}


def plainer_operators(scene: Scene, recipe: Any) -> Iterator[Pair]:
    """(bvule x y) -> (bvult x y)"""
    for path, term in walk(recipe):
        if isinstance(term, Term) and len(term.args) > 1:
            for other in reversed(ops.plainer(term.op)):
                yield scene, put(recipe, path, msgspec.structs.replace(term, op=other))


def plainer(scene: Scene, recipe: Any) -> Iterator[Pair]:
    """Literals closer to nothing."""
    for path, term in walk(recipe):
        if not isinstance(term, Term):
            continue
        if term.op.startswith("#b") and "1" in term.op:
            for op in ("#b" + "0" * (len(term.op) - 2), "#b" + "1".zfill(len(term.op) - 2)):
                if op != term.op:
                    yield scene, put(recipe, path, Term(op, (), term.sort))
        elif term.sort in PLAIN and not term.args and is_literal(term):
            smaller = (str(int(term.op) // 2),) if term.sort == "Int" else ()
            for op in (*PLAIN[term.sort], *smaller):
                if op != term.op and (len(op), op) < (len(term.op), term.op):
                    yield scene, put(recipe, path, Term(op, (), term.sort))
        elif term.sort.startswith("(_ Floa") and term.args and term.op == "fp":
            eb, sb = float_of(term.sort)
            yield scene, put(recipe, path, Term(f"(_ +zero {eb} {sb})", (), term.sort))
        elif term.op in ("forall", "exists") and term.bound:
            for n in range(len(term.bound)):
                rest = term.bound[:n] + term.bound[n + 1 :]
                body = term.args[0]
                yield scene, put(recipe, path, Term(term.op, (body,), "Bool", rest) if rest else body)


def is_literal(term: Term) -> bool:
    return term.op[0].isdigit() or term.op[0] == '"' or term.op in ROUNDING[1:]


def plainer_model(cache: SceneCache, recipe: Any) -> Iterator[Pair]:
    """A constant's value set to the simplest one."""
    scene = cache.scene
    for n, binding in enumerate(scene.model):
        decl = next(d for d in scene.decls if d.name == binding.name)
        if decl.args:
            if binding.entries:
                yield with_binding(scene, n, msgspec.structs.replace(binding, entries=())), recipe
            continue
        try:
            new = bound(decl, cache.evaluation.simplest(decl.sort), cache.datatypes)
        except Undetermined:
            continue
        if new != binding:
            yield with_binding(scene, n, new), recipe


def with_binding(scene: Scene, n: int, new: Any) -> Scene:
    return msgspec.structs.replace(scene, model=(*scene.model[:n], new, *scene.model[n + 1 :]))
