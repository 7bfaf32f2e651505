"""Random queries over a scene: FROM lists, conditions with subqueries, select lists, grouping, and whole queries of
every form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from gainsay.core.draw import Draw
from gainsay.core.tree import transform, walk
from gainsay.families.sql.drawing import ordering
from gainsay.families.sql.drawing.lexicon import ORDERED, Lexicon
from gainsay.families.sql.drawing.windows import window
from gainsay.families.sql.drawing.witness import AS_DRAWN, Witness, joined, led
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.aggregates import EXTREMES
from gainsay.families.sql.language.schema import Attribute, Relation, Scope, scope_of
from gainsay.families.sql.meaning.scope import ROWIDS
from gainsay.families.sql.meaning.semantics import Compiler

INNER = frozenset({"", ",", "JOIN", "CROSS JOIN"})
WITH_ON = frozenset({"JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"})
ZERO, ONE = ir.Lit("int", "0"), ir.Lit("int", "1")
NATURAL = ("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN")  # kinds of joins by all columns of one name
USING, ALL = 0.08, 0.03  # shares of joins by columns that are named, and of queries with the word ALL
REDRAWN = 2  # how often a query without rows is drawn anew
LISTED = frozenset({"any", "int", "text", "bool", "date"})  # classes whose literals VALUES has

Question = ir.Select | ir.Compound
Columns = list[tuple[ir.Col, Attribute]]


class Base(NamedTuple):
    """What a query reads: its FROM list and the columns in reach."""

    source: tuple[ir.Join, ...]
    columns: Columns
    scope: Scope
    ctes: tuple[ir.Cte, ...] = ()
    listed: tuple[ir.Expr, ...] = ()  # a select list, where one is ready
    witness: Witness | None = None  # a row of it, where we know one


def alone(lexicon: Lexicon, relation: Relation) -> Base:
    """A query's base on one relation; made once for the many checks on a scene."""
    known = lexicon.memo.get(relation.name)
    if known is None or known[0] is not relation:  # names come again in every scene
        columns = relation.columns()
        known = relation, Base((ir.Join(relation.name),), columns, scope_of(columns), (), determined(columns))
        lexicon.memo[relation.name] = known
    found: Base = known[1]
    return found


def determined(columns: Columns) -> tuple[ir.Expr, ...]:
    """A select list whose values are determined: clean columns, NULL tests on the others."""
    listed: list[ir.Expr] = []
    listed += [c for c, a in columns if a.clean][:6]
    listed += [ir.Op("is null", (c,)) for c, a in columns if not a.clean][:2]
    return tuple(listed) or (ONE,)


def read(draw: Draw, lexicon: Lexicon, relations: tuple[Relation, ...]) -> Base:
    """What a query reads, with a row of it as a witness, where we know what the tables hold."""
    compiler = lexicon.compiler()
    return base(draw, lexicon, relations) if compiler is None else with_witness(draw, lexicon, compiler, relations)


def whole(draw: Draw, lexicon: Lexicon, relations: tuple[Relation, ...]) -> Base:
    """What a query without a condition reads: a row of it is looked for only where that takes some doing."""
    is_plain = lexicon.mix.is_small or not lexicon.has_meaning
    return base(draw, lexicon, relations) if is_plain else with_witness(draw, lexicon, lexicon.compiler(), relations, 2)


def with_witness(
    draw: Draw, lexicon: Lexicon, compiler: Compiler | None, relations: tuple[Relation, ...], least: int = 1
) -> Base:
    """What a query reads, and a row of it. Where relations that are joined have none it is most often drawn anew.
    `least`: how many relations must be read for a row to be looked for."""
    for _ in range(REDRAWN + 1):
        found = base(draw, lexicon, filled(draw, lexicon, relations))
        if compiler is None or len(found.source) < least:
            return found
        source, witness = joined(draw, lexicon, compiler, found.source, found.columns, found.ctes)
        found = found._replace(source=source, witness=witness)
        if witness is not None:
            break
    return found


def filled(draw: Draw, lexicon: Lexicon, relations: tuple[Relation, ...]) -> tuple[Relation, ...]:
    """The relations that hold rows; now and then all."""
    return relations if draw.unit() < AS_DRAWN else lexicon.filled(relations)


def base(draw: Draw, lexicon: Lexicon, relations: tuple[Relation, ...]) -> Base:
    """One to three relations, joined in any way that all seats have; now and then one of them is a CTE."""
    mix = lexicon.mix
    if mix.is_small or (len(relations) == 1 and draw.coin(0.7)):
        return alone(lexicon, draw.pick(relations))
    ctes: tuple[ir.Cte, ...] = ()
    stored = relations
    if draw.unit() < 0.06 and lexicon.has("clause:with"):
        cte, relation = common_table(draw, lexicon, relations)
        ctes, relations = (cte,), (*relations, relation, relation)
    unit = draw.unit()
    number = 1 if unit < 0.45 else 2 if unit < 0.82 or mix.relations < 3 else 3
    joins: list[ir.Join] = []
    columns: Columns = []
    for place in range(number):
        relation = draw.pick(relations)
        alias = f"a{place}" if any(j.rel == relation.name for j in joins) else ""
        by_names = named_alike(columns, relation)
        is_natural = place == 1 and is_joinable(columns, relation)
        columns += relation.columns(alias)
        joins.append(
            join(draw, lexicon, relation, alias, scope_of(columns), is_natural, by_names)
            if place
            else ir.Join(relation.name)
        )
    if lexicon.table_functions and draw.unit() < 0.08:
        joins.append(made_here(draw, lexicon, called(draw, lexicon, scope_of(columns)), columns))
    if lexicon.has_lateral and draw.unit() < 0.06:
        joins.append(made_here(draw, lexicon, lateral(draw, lexicon, stored, scope_of(columns)), columns))
    # What a join made one has a name without a relation, as long as nothing behind it has that name
    classes = {c.name: a.cls for c, a in columns}
    columns += [(ir.Col("", name), Attribute(name, classes[name])) for name in joins[-1].using]
    return Base(tuple(joins), columns, scope_of(columns), ctes)


def called(draw: Draw, lexicon: Lexicon, scope: Scope) -> ir.Join:
    """A function that gives rows, of the columns before it."""
    name, function = draw.pick(lexicon.table_functions)
    args = tuple(lexicon.expr(draw, cls, 1, scope) for cls in function.args)
    columns = tuple(ir.ViewColumn(f"c{n}", cls, True, function.exact) for n, cls in enumerate(function.columns))
    return ir.Join("", alias="f0", call=ir.Call(name, args), columns=columns)


def lateral(draw: Draw, lexicon: Lexicon, relations: tuple[Relation, ...], scope: Scope) -> ir.Join:
    """A subquery that uses columns of what stands before it."""
    relation = draw.pick(relations)
    inner = relation.columns("l0")
    own = scope_of(inner)
    both = merged(own, scope)
    source = (ir.Join(relation.name, alias="l0"),)
    where = lexicon.predicate(draw, 2, both)
    chosen: list[tuple[ir.Expr, Attribute]] = []
    if draw.unit() < 0.3:
        chosen += aggregates(draw, lexicon, Base(source, inner, own), has_extremes=True)
    else:
        clean = [(c, a) for c, a in inner if a.clean]
        for _ in range(draw.between(1, 2)):
            if clean and draw.coin():
                chosen.append(draw.pick(clean))
            else:
                cls = draw.pick(lexicon.classes)
                chosen.append((lexicon.expr(draw, cls, 1, both), Attribute("", cls)))
    columns = tuple(
        ir.ViewColumn(a.name, a.cls, a.clean, a.exact) for a in named([attribute for _, attribute in chosen])
    )
    query = ir.Select(tuple(e for e, _ in chosen), source, where)
    return ir.Join("", alias="d0", sub=query, columns=columns, is_lateral=True)


def made_here(draw: Draw, lexicon: Lexicon, made: ir.Join, columns: Columns) -> ir.Join:
    """How what is made in a FROM list is joined to what it uses; its columns are in reach from here on."""
    columns += [(ir.Col(made.alias, c.name), Attribute(c.name, c.cls, c.clean, c.exact)) for c in made.columns]
    kinds = [k for k in ("CROSS JOIN", "CROSS JOIN", "JOIN", "LEFT JOIN") if lexicon.has(f"join:{k}")]
    kind = draw.pick(kinds or [","])
    on = None if kind not in WITH_ON else lexicon.predicate(draw, lexicon.mix.depth - 1, scope_of(columns))
    return msgspec.structs.replace(made, kind=kind, on=on)


def merged(inner: Scope, outer: Scope) -> Scope:
    """The columns of a query and of the one around it."""
    classes = {*inner.by_class, *outer.by_class}
    return Scope({c: (*inner.by_class.get(c, ()), *outer.by_class.get(c, ())) for c in sorted(classes)})


def named_alike(columns: Columns, relation: Relation) -> list[str]:
    """The columns by which USING can join: one of each name on both sides, of one class, with clean values."""
    before: dict[str, list[Attribute]] = {}
    for column, attribute in columns:
        before.setdefault(column.name, []).append(attribute)
    return [
        a.name
        for a in relation.attributes
        if a.clean and [(b.cls, b.clean) for b in before.get(a.name, ())] == [(a.cls, True)]
    ]


def is_joinable(columns: Columns, relation: Relation) -> bool:
    """Whether NATURAL JOIN is determined and well typed: columns of one name have one class, and clean values."""
    before = {c.name: a for c, a in columns}
    pairs = [(before[a.name], a) for a in relation.attributes if a.name in before]
    return all(one.cls == two.cls and one.clean and two.clean for one, two in pairs)


def join(
    draw: Draw,
    lexicon: Lexicon,
    relation: Relation,
    alias: str,
    scope: Scope,
    is_natural: bool,
    by_names: Sequence[str] = (),
) -> ir.Join:
    """How a relation is joined to those before it, in a way that all seats have. `by_names`: columns that USING may
    name."""
    kind = draw.pick(lexicon.joins)
    plain = next((k for k in ("LEFT JOIN", "JOIN", "CROSS JOIN") if lexicon.has(f"join:{k}")), ",")
    if kind == "NATURAL JOIN" and lexicon.is_wide:
        kind = f"NATURAL {draw.pick(NATURAL)}"
        if is_natural and lexicon.has(f"join:{kind}"):
            return ir.Join(relation.name, kind, None, alias)
        kind = plain
    if kind in WITH_ON and by_names and lexicon.is_wide and draw.unit() < USING and lexicon.has("join:using"):
        if lexicon.has(f"join:{kind}"):
            using = draw.sample(by_names, min(len(by_names), draw.between(1, 2)))
            return ir.Join(relation.name, kind, None, alias, using=tuple(using))
    if kind == "FULL JOIN" and not lexicon.has("join:FULL JOIN") and lexicon.has("join:FULL JOIN by ="):
        return ir.Join(relation.name, kind, paired(draw, relation, alias, scope), alias)
    if not lexicon.has(f"join:{kind}") or (kind == "NATURAL JOIN" and not is_natural):
        kind = plain
    if kind == "," and lexicon.has("join:CROSS JOIN") and (lexicon.is_mixed or not lexicon.has("join:, before ON")):
        kind = "CROSS JOIN"  # engines differ on whether a comma binds weaker than JOIN
    if kind in WITH_ON and lexicon.dialect.spell.get("join on") == "an equation":
        equation = paired(draw, relation, alias, scope)
        return ir.Join(
            relation.name,
            "CROSS JOIN" if equation is ir.TRUE else kind,
            None if equation is ir.TRUE else equation,
            alias,
        )
    on = None
    if (kind in WITH_ON or kind in lexicon.dialect.joins) and (draw.unit() < 0.85 or not lexicon.has("join:no on")):
        on = lexicon.predicate(draw, lexicon.mix.depth - 1, scope)
    return ir.Join(relation.name, kind, on, alias)


def paired(draw: Draw, relation: Relation, alias: str, scope: Scope) -> ir.Expr:
    """An equation between the two sides of a join: all that some engines can do a FULL JOIN by."""
    own = [(c, a) for c, a in relation.columns(alias) if a.clean]
    for column, attribute in draw.sample(own, len(own)):
        others = [c for c in scope.by_class.get(attribute.cls, ()) if isinstance(c, ir.Col) and c.rel != column.rel]
        if others:
            return ir.Op("=", (draw.pick(others), column))
    return ir.TRUE


def common_table(draw: Draw, lexicon: Lexicon, relations: tuple[Relation, ...]) -> tuple[ir.Cte, Relation]:
    """A CTE: of a query, of rows, or recursive."""
    unit = draw.unit()
    if unit < 0.15 and lexicon.is_wide and lexicon.has("clause:values"):
        return row_list(draw, lexicon)
    has_clean = any(a.clean for r in relations for a in r.attributes)
    if (
        unit < 0.4
        and has_clean
        and lexicon.is_wide
        and {"clause:recursive", "clause:union all"}.isdisjoint(lexicon.refused)
    ):
        return recursive(draw, lexicon, relations)
    query, attributes = defined(draw, lexicon, relations, joins=False)
    columns = tuple(ir.ViewColumn(a.name, a.cls, a.clean, a.exact) for a in attributes)
    return ir.Cte("w0", columns, query), Relation("w0", attributes, "view")


def row_list(draw: Draw, lexicon: Lexicon) -> tuple[ir.Cte, Relation]:
    """WITH w0 AS (VALUES ...)"""
    classes = [draw.pick([c for c in lexicon.classes if c in LISTED]) for _ in range(draw.between(1, 3))]
    attributes = named([Attribute("", cls) for cls in classes])
    rows = tuple(ir.Values(tuple(lexicon.literal(draw, cls) for cls in classes)) for _ in range(draw.between(1, 4)))
    columns = tuple(ir.ViewColumn(a.name, a.cls) for a in attributes)
    return ir.Cte("w0", columns, ir.RowList(rows)), Relation("w0", attributes, "view")


def recursive(draw: Draw, lexicon: Lexicon, relations: tuple[Relation, ...]) -> tuple[ir.Cte, Relation]:
    """A recursive CTE that counts its steps in its last column, and ends by that."""
    relation = draw.pick([r for r in relations if any(a.clean for a in r.attributes)])
    clean = [(c, a) for c, a in relation.columns() if a.clean]
    own = scope_of(relation.columns())
    chosen = draw.sample(clean, draw.between(1, 2))
    where = lexicon.predicate(draw, 2, own) if draw.coin() else None
    begun = ir.Select((*(c for c, _ in chosen), ZERO), (ir.Join(relation.name),), where)
    number = Attribute("", "any" if lexicon.is_loose else "int", True, True)
    attributes = named([*(a for _, a in chosen), number])
    step = ir.Col("w0", attributes[-1].name)
    inner = [(ir.Col("w0", a.name), a) for a in attributes]
    source: tuple[ir.Join, ...] = (ir.Join("w0"),)
    listed: list[ir.Expr] = [c for c, _ in inner[:-1]]
    if draw.coin(0.3):
        source = (*source, ir.Join(relation.name, "JOIN", lexicon.predicate(draw, 1, scope_of(inner + clean)), "r0"))
        source = (source[0], renamed(source[1], relation.name))
        listed[0] = ir.Col("r0", chosen[0][1].name)
    test: ir.Expr = ir.Op("<", (step, ir.Lit("int", draw.pick(("1", "2", "3")))))
    if draw.coin():
        test = ir.Op("and", (test, lexicon.predicate(draw, 1, scope_of(inner[:-1]))))
    again = ir.Select((*listed, ir.Op("+", (step, ONE))), source, test)
    columns = tuple(ir.ViewColumn(a.name, a.cls, a.clean, a.exact) for a in attributes)
    query = ir.Compound(draw.pick(("UNION ALL", "UNION ALL", "UNION")), (begun, again))
    if query.op == "UNION" and not all(a.exact for _, a in chosen):
        query = msgspec.structs.replace(query, op="UNION ALL")
    return ir.Cte("w0", columns, query, True), Relation("w0", attributes, "view")


def renamed(join: ir.Join, name: str) -> ir.Join:
    """A join whose condition calls its relation by its alias."""
    return msgspec.structs.replace(
        join,
        on=transform(join.on, lambda n: ir.Col(join.alias, n.name) if isinstance(n, ir.Col) and n.rel == name else n),
    )


def condition(
    draw: Draw, lexicon: Lexicon, relations: tuple[Relation, ...], found: Base, wanted: bool = True
) -> ir.Expr:
    """A condition, most often one that is true, or false, for the witness."""
    drawn = unled(draw, lexicon, relations, found.scope)
    return drawn if found.witness is None else led(draw, found.witness, drawn, wanted)


def unled(draw: Draw, lexicon: Lexicon, relations: tuple[Relation, ...], scope: Scope) -> ir.Expr:
    """A predicate, sometimes with a subquery that has one possible answer."""
    predicate = lexicon.predicate(draw, lexicon.mix.depth, scope)
    if lexicon.mix.is_small or draw.unit() > 0.12 or not lexicon.has("clause:subquery"):
        return predicate
    nested = subquery(draw, lexicon, relations, scope)
    return nested if draw.coin() else ir.Op(draw.pick(("and", "or")), (nested, predicate))


def subquery(draw: Draw, lexicon: Lexicon, relations: tuple[Relation, ...], scope: Scope) -> ir.Expr:
    """An EXISTS, an IN or a scalar subquery, perhaps with columns of the query around it."""
    relation = draw.pick(relations)
    inner = relation.columns("s0")
    own = scope_of(inner)
    both = merged(own, scope)
    is_correlated = draw.coin(0.4) and lexicon.has("clause:correlated")
    where = lexicon.predicate(draw, 2, both if is_correlated else own) if draw.coin() else None
    source = (ir.Join(relation.name, alias="s0"),)
    clean = [(c, a) for c, a in inner if a.clean]
    unit = draw.unit()
    if unit < 0.3 or not clean:
        exists: ir.Expr = ir.SubExpr("exists", (), ir.Select((ONE,), source, where))
        return ir.Op("not", (exists,)) if draw.coin(0.3) else exists
    if unit < 0.5 and lexicon.has("clause:row in") and (lexicon.is_loose or not is_correlated):
        picked = [draw.pick(clean), draw.pick(clean)]
        left = tuple(lexicon.leaf(draw, a.cls, scope) for _, a in picked)
        word = draw.pick(("in", "not in"))
        return ir.SubExpr(word, left, ir.Select(tuple(c for c, _ in picked), source, where))
    if unit < 0.75:
        column, attribute = draw.pick(clean)
        left = (lexicon.expr(draw, attribute.cls, 1, scope),)
        if lexicon.is_wide and attribute.cls in ORDERED and draw.coin(0.3) and lexicon.has("clause:any"):
            kind = f"{draw.pick(('=', '<>', '<', '>='))} {draw.pick(('any', 'all'))}"
            return ir.SubExpr(kind, left, ir.Select((column,), source, where))
        return ir.SubExpr(draw.pick(("in", "not in")), left, ir.Select((column,), source, where))
    column, attribute = draw.pick(clean)
    if attribute.exact and attribute.cls in ORDERED:
        value = ir.SubExpr("scalar", (), ir.Select((ir.Agg(draw.pick(EXTREMES), column),), source, where))
        return ir.Op(draw.pick(("=", "<", ">=")), (lexicon.leaf(draw, attribute.cls, scope), value))
    value = ir.SubExpr("scalar", (), ir.Select((ir.Agg("count"),), source, where))
    return ir.Op(draw.pick(("=", "<", ">=")), (lexicon.leaf(draw, "int", scope), value))


def items(draw: Draw, lexicon: Lexicon, found: Base) -> tuple[ir.Expr, ...]:
    """A select list whose values are determined, sometimes with an expression."""
    listed = found.listed or determined(found.columns)
    if not lexicon.mix.is_small and draw.unit() < 0.25:
        return (*listed, lexicon.expr(draw, draw.pick(lexicon.classes), 2, found.scope))
    return listed


def grouping(draw: Draw, lexicon: Lexicon, found: Base) -> list[tuple[ir.Expr, Attribute]]:
    """One or two columns to group by, of which the shown value is determined; now and then a condition."""
    exact: list[tuple[ir.Expr, Attribute]] = [(c, a) for c, a in found.columns if a.clean and a.exact]
    keys = draw.sample(exact, draw.between(1, 2))
    if lexicon.is_wide and draw.unit() < 0.1 and lexicon.has("op:is true") and lexicon.has("op:is true/bool"):
        test = ir.Op("is true", (lexicon.predicate(draw, 1, found.scope),))
        keys.append((test, Attribute("", "any" if lexicon.is_loose else "bool", True, True)))
    return keys


def aggregates(draw: Draw, lexicon: Lexicon, found: Base, has_extremes: bool) -> list[tuple[ir.Agg, Attribute]]:
    """One or two aggregates with a determined value."""
    made: list[tuple[ir.Agg, Attribute]] = []
    whole = Attribute("", "any" if lexicon.is_loose else "int", True, True)
    for _ in range(draw.between(1, 2)):
        clean = [(c, a) for c, a in found.columns if a.clean]
        if not clean or draw.unit() < 0.25:
            made.append((ir.Agg("count"), whole))
            continue
        column, a = draw.pick(clean)
        fn = draw.pick(lexicon.aggregates)
        row = lexicon.dialect.aggregates[fn]
        is_fit = lexicon.suits(row, a, not has_extremes) and lexicon.has(f"agg:{fn}")
        if row.is_joined:
            made.append(joining(draw, fn, column, a) if is_fit else (ir.Agg("count", column), whole))
            continue
        if not is_fit:
            fn, row = "count", lexicon.dialect.aggregates["count"]
        cls = "any" if lexicon.is_loose else row.result_of(a.cls)
        # DISTINCT over values that are equal but not identical still counts the same.
        is_distinct = row.is_distinct and (row.exact or (a.exact and lexicon.is_wide)) and draw.coin(0.3)
        made.append((ir.Agg(fn, column, is_distinct), Attribute("", cls, True, not row.is_sum)))
    return made


def joining(draw: Draw, fn: str, column: ir.Col, a: Attribute) -> tuple[ir.Agg, Attribute]:
    """The texts of a column, in their order."""
    order = (ir.Order(column, draw.coin(0.3)),)
    between = ir.Lit("text", draw.pick(("','", "''", "'a'")))
    return ir.Agg(fn, column, between=between, order=order), Attribute("", "any" if a.cls == "any" else "text")


def filtered(
    draw: Draw, lexicon: Lexicon, made: list[tuple[ir.Agg, Attribute]], scope: Scope
) -> list[tuple[ir.Agg, Attribute]]:
    """Aggregates, some of them of the rows that a FILTER keeps."""
    if not lexicon.is_wide or not lexicon.has("agg:filter"):
        return made
    return [
        (msgspec.structs.replace(e, where=lexicon.predicate(draw, 1, scope)) if draw.coin(0.2) else e, a)
        for e, a in made
    ]


def defined(
    draw: Draw, lexicon: Lexicon, relations: tuple[Relation, ...], joins: bool = True, has_extremes: bool = True
) -> tuple[ir.Query, tuple[Attribute, ...]]:
    """A query that defines a view or a CTE, and what its columns are."""
    found = base(draw, lexicon, relations if joins else (draw.pick(relations),))
    found = found._replace(ctes=())
    if any(j.rel == "w0" for j in found.source):
        found = alone(lexicon, relations[0])
    where = lexicon.predicate(draw, 2, found.scope) if draw.coin(0.35) else None
    unit = draw.unit()
    if unit < 0.22:
        keys = grouping(draw, lexicon, found) if draw.coin(0.7) else []
        totals = aggregates(draw, lexicon, found, has_extremes or any(j.kind for j in found.source))
        totals = filtered(draw, lexicon, totals, found.scope)
        listed = tuple([c for c, _ in keys] + [e for e, _ in totals])
        attributes = [a for _, a in keys] + [a for _, a in totals]
        scope = having_scope(keys, totals) if keys and lexicon.is_wide and draw.unit() < 0.2 else None
        having = lexicon.predicate(draw, 1, scope) if scope is not None else None
        query = ir.Select(listed, found.source, where, group=tuple(c for c, _ in keys), having=having)
        return query, named(attributes)
    clean = [(c, a) for c, a in found.columns if a.clean]
    chosen: list[tuple[ir.Expr, Attribute]] = []
    for _ in range(draw.between(1, 3)):
        if clean and draw.coin(0.65):
            column, a = draw.pick(clean)
            chosen.append((column, a))
        else:
            cls = draw.pick(lexicon.classes)
            chosen.append((lexicon.expr(draw, cls, 2, found.scope), Attribute("", cls)))
    is_distinct = unit < 0.42
    if not is_distinct and draw.unit() < 0.12:
        over = window(draw, lexicon, found.columns, found.scope, False)
        chosen += [over] if over is not None else []
    attributes = [msgspec.structs.replace(a, clean=a.exact) if is_distinct else a for _, a in chosen]
    query = ir.Select(tuple(e for e, _ in chosen), found.source, where, is_distinct)
    if lexicon.is_wide and draw.unit() < 0.12 and lexicon.has("clause:limit"):
        is_cut = all(a.clean and a.exact for _, a in chosen) and not any(isinstance(e, ir.Over) for e, _ in chosen)
        query = ordering.by_all(draw, lexicon, query, None, is_cut and draw.coin(0.7))
    return query, named(attributes)


def named(attributes: list[Attribute]) -> tuple[Attribute, ...]:
    return tuple(msgspec.structs.replace(a, name=f"c{i}") for i, a in enumerate(attributes))


def order(draw: Draw, lexicon: Lexicon, found: Base) -> tuple[ir.Order, ...]:
    columns = [c for c, a in found.columns if a.clean]
    return tuple(ordering.sort_key(draw, lexicon, c) for c in draw.sample(columns, draw.between(1, 2)))


def with_rows(draw: Draw, lexicon: Lexicon, scene: ir.Scene, relations: tuple[Relation, ...]) -> Question:
    """A query on a scene. One without rows, as far as we know, is most often drawn anew."""
    has_extremes = lexicon.has_extremes(scene)
    found = query(draw, lexicon, relations, has_extremes)
    for _ in range(REDRAWN if lexicon.has_meaning and draw.unit() >= AS_DRAWN else 0):
        rows = lexicon.rows(found)
        if rows is None:
            return ordering.sparing(found)
        if rows:
            break
        found = query(draw, lexicon, relations, has_extremes)
    return found


def query(draw: Draw, lexicon: Lexicon, relations: tuple[Relation, ...], has_extremes: bool) -> Question:
    """A query of any form, whose answer is determined as a bag of rows."""
    found = read(draw, lexicon, relations)
    where = condition(draw, lexicon, relations, found) if draw.coin(0.85) else None
    unit = draw.unit()
    if unit < 0.18:
        return grouped(draw, lexicon, found, where, has_extremes)
    exact = tuple(c for c, a in found.columns if a.clean and a.exact)[:4]
    if unit < 0.3 and exact:
        return distinct(draw, lexicon, exact, ir.Select(exact, found.source, where, ctes=found.ctes))
    if unit < 0.4 and lexicon.has("clause:union all"):
        return compound(
            draw, lexicon, relations, ir.Select(items(draw, lexicon, found), found.source, where), found.ctes
        )
    if lexicon.is_wide and unit < 0.58:
        return wide(draw, lexicon, found, where, exact, has_extremes)
    sort = order(draw, lexicon, found) if draw.coin(0.15) else ()
    is_all = lexicon.is_wide and draw.unit() < ALL and lexicon.has("clause:all")
    listed = items(draw, lexicon, found)
    return ir.Select(listed, found.source, where, order=sort, ctes=found.ctes, is_all=is_all)


def distinct(draw: Draw, lexicon: Lexicon, exact: tuple[ir.Col, ...], plain: ir.Select) -> ir.Select:
    """A query without doubles, perhaps cut; or the first row of each key."""
    if lexicon.has_distinct_on and draw.coin(0.3):
        return distinct_on(draw, exact, plain)
    found = msgspec.structs.replace(plain, distinct=True)
    return ordering.by_all(draw, lexicon, found, None, True) if lexicon.is_wide and draw.coin(0.3) else found


def wide(
    draw: Draw, lexicon: Lexicon, found: Base, where: ir.Expr | None, exact: tuple[ir.Col, ...], has_extremes: bool
) -> ir.Select:
    """A query with a window function, or one in an order that leaves no choice, perhaps cut."""
    over = window(draw, lexicon, found.columns, found.scope, not has_extremes) if draw.coin() else None
    plain = ir.Select(items(draw, lexicon, found), found.source, where, ctes=found.ctes)
    if over is not None:
        more = window(draw, lexicon, found.columns, found.scope, not has_extremes) if draw.coin(0.3) else None
        windows = [over[0], *([more[0]] if more is not None else [])]
        return msgspec.structs.replace(plain, items=(*plain.items[: draw.between(0, 2)], *windows))
    if exact and draw.coin(0.75):
        return ordering.by_all(draw, lexicon, msgspec.structs.replace(plain, items=exact), found.scope, True)
    return ordering.by_all(draw, lexicon, plain, found.scope, False)


def grouped(draw: Draw, lexicon: Lexicon, found: Base, where: ir.Expr | None, has_extremes: bool) -> ir.Select:
    """A query with groups and aggregates, perhaps by several sets of keys, perhaps cut."""
    keys = grouping(draw, lexicon, found)
    totals = filtered(draw, lexicon, aggregates(draw, lexicon, found, has_extremes), found.scope)
    having = lexicon.predicate(draw, 2, having_scope(keys, totals)) if draw.coin(0.4) else None
    made = ir.Select(
        tuple([c for c, _ in keys] + [e for e, _ in totals]),
        found.source,
        where,
        group=tuple(c for c, _ in keys),
        having=having if keys else None,
        ctes=found.ctes,
        grouping=draw.pick(lexicon.groupings)
        if keys and all(isinstance(c, ir.Col) for c, _ in keys) and lexicon.groupings and draw.coin(0.2)
        else "",
    )
    if made.having is not None and found.witness is not None and lexicon.rows(made) is None:
        having = found.witness.guarded(draw, made.having, True, keys)  # the witness is in a group: that is shown
        made = msgspec.structs.replace(made, having=having)
    is_exact = all(a.exact for _, a in totals)
    if keys and lexicon.is_wide and is_exact and not made.grouping and draw.coin(0.15):
        return ordering.by_all(draw, lexicon, made, None, True)
    return made


def distinct_on(draw: Draw, columns: tuple[ir.Col, ...], query: ir.Select) -> ir.Select:
    """The first row for each value of some columns; which one that is, the order of all that is shown decides."""
    listed = draw.sample(columns, len(columns))
    keys = tuple(listed[: draw.between(1, len(listed))])
    order = tuple(ir.Order(c, draw.coin()) for c in listed)
    return msgspec.structs.replace(query, items=tuple(listed), distinct_on=keys, order=order)


def having_scope(keys: list[tuple[ir.Expr, Attribute]], totals: list[tuple[ir.Agg, Attribute]]) -> Scope:
    return Scope.of([(c, a.cls, True) for c, a in keys] + [(e, a.cls, True) for e, a in totals])


def compound(
    draw: Draw, lexicon: Lexicon, relations: tuple[Relation, ...], first: ir.Select, ctes: tuple[ir.Cte, ...]
) -> Question:
    """UNION ALL of two selects with as many columns; the other set operators only where equal rows are identical."""
    found = read(draw, lexicon, relations)
    exact = [(c, a) for c, a in found.columns if a.clean and a.exact]
    if exact and draw.coin(0.6):
        column, _ = draw.pick(exact)
        op = draw.pick(("UNION", "INTERSECT", "EXCEPT", "UNION ALL"))
        again = ir.Select((column,), found.source, condition(draw, lexicon, relations, found, op != "EXCEPT"))
        before = ir.Select((column,), found.source, condition(draw, lexicon, relations, found))
        made = ir.Compound(op, (before, again), found.ctes)
        return ordering.of_compound(draw, lexicon, made, True)
    second = msgspec.structs.replace(first, where=lexicon.predicate(draw, 2, first_scope(first)))
    return ordering.of_compound(draw, lexicon, ir.Compound("UNION ALL", (first, second), ctes), False)


def first_scope(query: ir.Select) -> Scope:
    return Scope.of((i, "any", True) for i in query.items if isinstance(i, ir.Col))


# --- what only our own semantics can tell of --------------------------------------------------------------------------


def beside_extreme(draw: Draw, query: Question) -> Question:
    """A query with one MIN or MAX, and a column beside it that is not grouped: of the row that has it."""
    if not isinstance(query, ir.Select) or query.grouping or query.limit is not None:
        return query
    extremes = [i for i in query.items if isinstance(i, ir.Agg) and i.fn in EXTREMES and i.where is None]
    names = {j.alias or j.rel for j in query.source}
    read = (query.where, *(j.on for j in query.source), *(i.arg for i in query.items if isinstance(i, ir.Agg)))
    columns = [n for _, n in walk(tuple(p for p in read if p)) if isinstance(n, ir.Col) and n.rel in names]
    if len(extremes) != 1 or not columns:
        return query
    return msgspec.structs.replace(query, items=(*query.items, draw.pick(columns)))


def by_number(draw: Draw, query: Question, numbered: Mapping[str, str]) -> Question:
    """A query that calls the rows' number by one of its other names. `numbered`: which column of a table that is."""
    word = draw.pick(ROWIDS)
    if not numbered:
        return query
    joins = [n for _, n in walk(query) if isinstance(n, ir.Join) and n.rel in numbered]
    known = {(j.alias or j.rel, numbered[j.rel]) for j in joins}
    changed: Question = transform(
        query, lambda n: ir.Col(n.rel, word) if isinstance(n, ir.Col) and (n.rel, n.name) in known else n
    )
    return changed
