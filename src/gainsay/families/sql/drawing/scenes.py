"""Random databases: few rows, values that collide, and every schema feature that changes how a query is planned."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from gainsay.core.draw import Draw
from gainsay.core.tree import walk
from gainsay.families.sql.drawing import links, virtual
from gainsay.families.sql.drawing.changes import alterations, changes, more
from gainsay.families.sql.drawing.lexicon import Lexicon
from gainsay.families.sql.drawing.queries import defined
from gainsay.families.sql.drawing.rows import rows, whole_row
from gainsay.families.sql.language import ir
from gainsay.families.sql.language.schema import Relation, Scope, relation_of

STRICT_TYPES = ("INT", "INTEGER", "REAL", "TEXT", "BLOB")
DEPTHS = (1, 1, 1, 2, 3)  # of expressions in constraints, generated columns and indexes
MANY = 40  # rows of a table that statistics are worth while for
POLICIES, POLICY = ("IGNORE", "REPLACE", "REPLACE", "ABORT"), 0.12  # of constraints, and their share of these
TRIES = 6  # rows that are tried for a database that has none
COLLATIONS = ("NOCASE", "NOCASE", "RTRIM", "BINARY")


def grow(draw: Draw, lexicon: Lexicon) -> ir.Scene:
    """Draw a database: settings, tables, then rows, indexes and views in any order, then changes and statistics."""
    mix = lexicon.mix
    has_extremes = draw.coin(0.2)
    head: list[ir.Statement] = []
    if not mix.is_small and draw.coin(0.2) and lexicon.dialect.settings:
        head += [
            ir.Setting(s)
            for s in [draw.pick(lexicon.dialect.settings)]
            if not lexicon.is_mixed and lexicon.has(f"setting:{s}")
        ]
    tables = [table(draw, lexicon, f"t{i}") for i in range(draw.between(1, mix.tables) if mix.tables > 1 else 1)]
    tables = links.with_foreign_keys(draw, lexicon, tables)
    head += made_types(lexicon, tables) + links.settings(lexicon, tables)
    body: list[ir.Statement] = []
    many = draw.between(9, MANY) if lexicon.is_wide and len(tables) < 3 and draw.unit() < 0.04 else 0
    for made in tables:
        body += links.referring(draw, made, rows(draw, lexicon, made, has_extremes, many), body)
        for i in range(draw.below(2 if mix.is_small else 3)):
            if lexicon.has("stmt:index"):
                body.append(index(draw, lexicon, made, f"i{made.name[1:]}{i}"))
        body += [] if mix.is_small else extras(draw, lexicon, made)
    made_first = tuple(tables)
    made_virtual = [] if mix.is_small else virtual.tables(draw, lexicon)
    has_keys = any(t.foreign for t in tables)
    if not mix.is_small and draw.coin(0.25) and not has_keys:
        # An index or a row may come first: the order of statements is part of what is tested.
        body = draw.sample(body, len(body))
    log: list[ir.Statement] = []
    if lexicon.is_wide:
        body += links.key_changes(draw, tables, body)
        log = links.triggers(draw, lexicon, tables, has_extremes)
        body += log
        body += more(draw, lexicon, tables, has_extremes)
        tables, altered = alterations(draw, lexicon, tables)
        body += altered
    tables += [s for s in log if isinstance(s, ir.CreateTable)]
    # A view that others see can't be on a table that they do not
    relations = tuple(r for r in map(relation_of, [t for t in tables if t.kind != "temporary"]) if r)
    tail = [] if mix.is_small else changes(draw, lexicon, tables, has_extremes)
    views: list[ir.CreateView] = []
    known = relations + tuple(r for r in map(relation_of, made_virtual) if r)
    for i in range(0 if mix.is_small else draw.between(0, 2)):
        if known and lexicon.has("stmt:view"):
            views.append(view(draw, lexicon, known, f"v{i}", has_extremes))
            known = (*known, *(r for r in (seen_by_all(views[-1]),) if r))
    if many and lexicon.has("stmt:ANALYZE"):
        tail.append(ir.Setting("ANALYZE"))
    scene = ir.Scene((*head, *made_first, *made_virtual, *body, *views, *tail))
    return scene if mix.is_small else with_a_row(draw, lexicon, scene, tables, has_extremes)


def with_a_row(
    draw: Draw, lexicon: Lexicon, scene: ir.Scene, tables: list[ir.CreateTable], has_extremes: bool
) -> ir.Scene:
    """The scene; where by our own semantics no relation is known to hold a row, with one more in each table that needs
    none of another: what was put there last most likely is there. Where that will not do, in a new table."""
    cache = lexicon.scene_cache(scene) if lexicon.has_meaning else None
    if cache is None or cache.database is None or cache.is_filled():
        return scene
    made: Sequence[ir.CreateTable] = [t for t in tables if not t.foreign]
    news: tuple[ir.CreateTable, ...] = ()
    for _ in range(TRIES):
        rows = [whole_row(draw, lexicon, t, has_extremes) for t in made]
        found = ir.Scene((*scene.statements, *news, *rows))
        if made and lexicon.scene_cache(found).may_hold():
            return found
        made = news = (table(draw, lexicon, f"t{len(tables)}"),)
    return scene


def seen_by_all(made: ir.CreateView) -> Relation | None:
    """A view, for those behind it: a view that others see can't read one that they do not."""
    return None if made.is_temporary else relation_of(made)


def table(draw: Draw, lexicon: Lexicon, name: str) -> ir.CreateTable:
    """Draw a table."""
    is_strict = draw.unit() < 0.08 and lexicon.has("table:strict") and lexicon.is_loose
    columns: list[ir.Column] = []
    for i in range(draw.between(1, lexicon.mix.columns)):
        columns.append(column(draw, lexicon, f"c{i}", columns, is_strict))
    has_key = any(c.primary for c in columns)
    keys: tuple[tuple[str, ...], ...] = ()
    plain = [
        c.name
        for c in columns
        if c.generated is None and c.cls not in lexicon.dialect.unordered and c.type not in lexicon.unkeyed
    ]
    if len(plain) > 1 and draw.unit() < 0.06:
        keys = (tuple(draw.sample(plain, 2)),)
    primary = () if has_key or len(plain) < 2 or not lexicon.is_wide else several(draw, lexicon, plain)
    without_rowid = (has_key or bool(primary)) and draw.unit() < 0.3 and lexicon.has("table:without rowid")
    on_conflict = policy(draw, lexicon, bool(keys or primary)) if lexicon.has("table:on conflict") else ""
    made = ir.CreateTable(
        name, tuple(columns), keys, is_strict, without_rowid, primary=primary, on_conflict=on_conflict
    )
    made = made if not lexicon.is_wide else with_more(draw, lexicon, made)
    return made if lexicon.mix.is_small else of_kind(draw, lexicon, made)


def with_more(draw: Draw, lexicon: Lexicon, made: ir.CreateTable) -> ir.CreateTable:
    """The same table, now and then with a CHECK of several columns, or with numbers that are never given twice."""
    plain = [c for c in made.columns if c.generated is None]
    checks: tuple[ir.Expr, ...] = ()
    if plain and draw.unit() < 0.05 and lexicon.has("table:check"):
        scope = Scope.of((ir.Col("", c.name), c.cls, True) for c in plain)
        checks = (ir.Op("or", (lexicon.predicate(draw, 2, scope), ir.Op("is not null", (ir.Col("", plain[0].name),)))),)
    columns = made.columns
    if lexicon.is_loose and not made.without_rowid and lexicon.has("column:counted") and draw.unit() < 0.4:
        columns = tuple(
            msgspec.structs.replace(c, is_counted=c.primary and c.type == "INTEGER" and not c.desc) for c in columns
        )
    return msgspec.structs.replace(made, columns=columns, checks=checks)


def several(draw: Draw, lexicon: Lexicon, names: list[str]) -> tuple[ir.IndexKey, ...]:
    """Now and then a primary key of two columns, ascending or not."""
    if draw.unit() >= 0.08 or not lexicon.has("table:primary"):
        return ()
    has_desc = lexicon.has("table:primary desc")
    return tuple(ir.IndexKey(ir.Col("", n), desc=has_desc and draw.coin(0.4)) for n in draw.sample(names, 2))


def of_kind(draw: Draw, lexicon: Lexicon, made: ir.CreateTable) -> ir.CreateTable:
    """The same table, now and then of another kind than usual: temporary, in another storage engine, partitioned."""
    for name, kind in lexicon.table_kinds.items():
        if draw.unit() >= kind.chance:
            continue
        fit = [c for c in made.columns if c.cls in kind.classes and c.generated is None]
        has_keys = bool(made.keys or made.primary) or any(c.primary or c.unique for c in made.columns)
        if (kind.classes and not fit) or (kind.is_partitioned and has_keys):
            continue
        column = draw.pick(fit).name if kind.classes else ""
        return msgspec.structs.replace(made, kind=name, kind_column=column)
    return made


def made_types(lexicon: Lexicon, tables: list[ir.CreateTable]) -> list[ir.Statement]:
    """What makes the types that are not built in."""
    setups = {t.text: t.setup for t in lexicon.types if t.setup}
    plain = {t.cls for t in lexicon.types if not t.setup}
    used = dict.fromkeys(c.type for t in tables for c in t.columns if c.type in setups)
    used |= dict.fromkeys(t.text for t in lexicon.types if t.setup and t.cls not in plain)  # of literals
    return [ir.Setting(setups[text]) for text in used]


def extras(draw: Draw, lexicon: Lexicon, made: ir.CreateTable) -> list[ir.Statement]:
    """What a dialect can make or do beside a table: statistics, a child that inherits, a rebuild."""
    found: list[ir.Statement] = []
    for row, extra in lexicon.extras.items():
        if draw.unit() < extra.chance:
            fit = [c.name for c in made.columns if not extra.classes or c.cls in extra.classes]
            if len(fit) >= extra.columns:
                name = f"x{made.name[1:]}{len(found)}"
                found.append(ir.Extra(row, name, made.name, tuple(draw.sample(fit, extra.columns))))
    return found


def column(draw: Draw, lexicon: Lexicon, name: str, earlier: list[ir.Column], is_strict: bool) -> ir.Column:
    """Draw a column: its type, collation, constraints, perhaps what it is computed from."""
    kind = draw.pick(lexicon.types)
    type_text = draw.pick(STRICT_TYPES) if is_strict else kind.text
    is_plain = kind.cls not in lexicon.dialect.unordered and kind.is_key
    collate = draw.pick(COLLATIONS) if draw.unit() < (0.22 if lexicon.is_loose else 0.0) else ""
    if (
        kind.cls == "text"
        and not lexicon.is_loose
        and not lexicon.is_mixed
        and lexicon.dialect.collations
        and draw.unit() < 0.1
        and lexicon.collations
    ):
        listed = lexicon.collations
        collate = draw.pick(listed) if len(listed) > 1 else listed[0]
    unit = draw.unit()
    if earlier and unit < 0.08 and not lexicon.mix.is_small and lexicon.has_generated:
        scope = Scope.of((ir.Col("", c.name), c.cls, True) for c in earlier if c.generated is None)
        value = lexicon.expr(draw, kind.cls, draw.pick(DEPTHS), scope)
        is_stored = draw.coin() and lexicon.has("column:stored")
        return ir.Column(
            name,
            type_text,
            kind.cls,
            collate,
            generated=value,
            stored=is_stored or not lexicon.has("column:generated"),
        )
    return ir.Column(
        name,
        type_text,
        kind.cls,
        collate,
        primary=is_plain
        and 0.08 < unit < 0.2
        and not any(c.primary for c in earlier)
        and lexicon.has("column:primary"),
        desc=0.08 < unit < 0.1 and is_plain and lexicon.is_wide and lexicon.has("column:primary desc"),
        on_conflict=policy(draw, lexicon, is_plain and 0.08 < unit < 0.34),
        on_null=policy(draw, lexicon, 0.34 < unit < 0.39),
        unique=is_plain and 0.2 < unit < 0.34 and (lexicon.is_loose or not collate) and lexicon.has("column:unique"),
        not_null=0.34 < unit < 0.39 and lexicon.has("column:not null"),
        default=lexicon.stored(draw, type_text, kind.cls, False)
        if 0.39 < unit < 0.46 and not is_strict and lexicon.has("column:default")
        else None,
        check=check(draw, lexicon, name, kind.cls) if 0.46 < unit < 0.5 and lexicon.has("column:check") else None,
        is_exact=kind.exact,
    )


def policy(draw: Draw, lexicon: Lexicon, is_key: bool) -> str:
    """Now and then, what is done with a row that breaks a constraint."""
    if not is_key or not lexicon.is_wide or draw.unit() >= POLICY or not lexicon.has("column:on conflict"):
        return ""
    return draw.pick(POLICIES)


def check(draw: Draw, lexicon: Lexicon, name: str, cls: str) -> ir.Expr:
    """A constraint that most rows meet."""
    scope = Scope.of([(ir.Col("", name), cls, True)])
    lenient: ir.Expr = ir.TRUE if draw.coin() else ir.Op("is not null", (ir.Col("", name),))
    return ir.Op("or", (lexicon.predicate(draw, draw.pick(DEPTHS), scope), lenient))


def index(draw: Draw, lexicon: Lexicon, made: ir.CreateTable, name: str) -> ir.CreateIndex:
    """Draw an index on a table."""
    kind = kind_of_index(draw, lexicon, made)
    if kind is not None:
        return ir.CreateIndex(name, made.name, kind[1], kind=kind[0])
    usable = [
        c for c in made.columns if c.cls not in lexicon.dialect.unordered and c.type not in lexicon.unkeyed
    ] or list(made.columns)
    scope = Scope.of((ir.Col("", c.name), c.cls, True) for c in usable)
    keys = []
    for _ in range(draw.pick((1, 1, 2, 3))):
        if draw.coin(0.65) or not lexicon.has("index:expression") or (not lexicon.is_loose and lexicon.mix.is_small):
            expr: ir.Expr = ir.Col("", draw.pick(usable).name)
        else:
            cls = draw.pick([c for c in lexicon.classes if c not in lexicon.dialect.unordered])
            expr = lexicon.expr(draw, cls, draw.pick(DEPTHS), scope)
            if not lexicon.is_loose and not any(isinstance(n, ir.Col) for _, n in walk(expr)):
                expr = ir.Col("", draw.pick(usable).name)
        collate = draw.pick(COLLATIONS) if draw.unit() < 0.15 and lexicon.has("index:collate") else ""
        keys.append(ir.IndexKey(expr, collate, draw.unit() < 0.25 and lexicon.has("index:desc")))
    where = lexicon.predicate(draw, 2, scope) if draw.unit() < 0.4 and lexicon.has("index:partial") else None
    is_unique = draw.unit() < 0.07
    include: tuple[str, ...] = ()
    if "index:include" in lexicon.dialect.probes and lexicon.has("index:include") and draw.unit() < 0.2:
        include = (draw.pick(made.columns).name,)
    return ir.CreateIndex(name, made.name, tuple(keys), is_unique, where, include=include)


def kind_of_index(draw: Draw, lexicon: Lexicon, made: ir.CreateTable) -> tuple[str, tuple[ir.IndexKey, ...]] | None:
    """Now and then another kind of index than usual, with its keys."""
    for name, kind in lexicon.index_kinds.items():
        if draw.unit() < kind.chance:
            fit = [c.name for c in made.columns if c.cls in kind.classes]
            if fit:
                chosen = draw.sample(fit, draw.between(1, min(kind.columns, len(fit))))
                return name, tuple(ir.IndexKey(ir.Col("", c), prefix=kind.prefix) for c in chosen)
    return None


def view(draw: Draw, lexicon: Lexicon, known: tuple[Relation, ...], name: str, has_extremes: bool) -> ir.CreateView:
    query, attributes = defined(draw, lexicon, known, True, has_extremes)
    columns = tuple(ir.ViewColumn(a.name, a.cls, a.clean, a.exact) for a in attributes)
    has_stored = "stmt:materialized view" in lexicon.dialect.probes and lexicon.has("stmt:materialized view")
    is_stored = has_stored and draw.coin(0.25)
    is_temporary = lexicon.is_wide and draw.unit() < 0.05 and lexicon.has("view:temporary") and not is_stored
    return ir.CreateView(name, columns, query, is_stored, is_temporary)
