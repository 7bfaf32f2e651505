"""How each node of the IR is spelled: one rule for each class, which asks the dialect for what differs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gainsay.families.sql.language import ir

if TYPE_CHECKING:
    from gainsay.families.sql.language.dialect import SqlDialect

Rules = dict[type, Callable[["SqlDialect", Any], str]]


def lit(d: SqlDialect, n: ir.Lit) -> str:
    return n.text


def col(d: SqlDialect, n: ir.Col) -> str:
    return n.rel + "." + n.name if n.rel else n.name


def operator(d: SqlDialect, n: ir.Op) -> str:
    rules = d.rules
    args = n.args
    if len(args) == 1:
        only = args[0]
        known = d._known.get(id(only))
        return d.templates[n.op] % (rules[only.__class__](d, only) if known is None else known[1])
    return d.templates[n.op] % tuple([rules[a.__class__](d, a) for a in args])


def agg(d: SqlDialect, n: ir.Agg) -> str:
    text = "COUNT(*)"
    if n.arg is not None:
        between = "" if n.between is None else f", {d.text(n.between)}"
        order = " " + ordered(d, n.order) if n.order else ""
        text = f"{d.called(n.fn)}({'DISTINCT ' if n.distinct else ''}{d.text(n.arg)}{between}{order})"
    return text if n.where is None else f"{text} FILTER (WHERE {d.top(n.where)})"


def over(d: SqlDialect, n: ir.Over) -> str:
    """A window function with its window."""
    args = "*" if n.fn == "count" and not n.args else ", ".join([d.text(a) for a in n.args])
    text = f"{d.called(n.fn)}({args})" + ("" if n.where is None else f" FILTER (WHERE {d.top(n.where)})")
    parts = [f"PARTITION BY {', '.join([d.text(e) for e in n.partition])}"] if n.partition else []
    parts += [ordered(d, n.order)] if n.order else []
    if n.frame is not None:
        exclude = f" EXCLUDE {n.frame.exclude}" if n.frame.exclude else ""
        parts.append(f"{n.frame.unit} BETWEEN {n.frame.start} AND {n.frame.end}{exclude}")
    return f"{text} OVER ({' '.join(parts)})"


def ordered(d: SqlDialect, order: tuple[ir.Order, ...]) -> str:
    keys = [d.text(o.expr) + " DESC" * o.desc + (f" NULLS {o.nulls}" if o.nulls else "") for o in order]
    return "ORDER BY " + ", ".join(keys)


def cut(d: SqlDialect, n: ir.Select | ir.Compound) -> str:
    """ORDER BY, LIMIT and OFFSET."""
    text = " " + ordered(d, n.order) if n.order else ""
    if n.limit is not None:
        text += f" LIMIT {d.text(n.limit)}" + (f" OFFSET {d.text(n.offset)}" if n.offset is not None else "")
    return text


def sub_expr(d: SqlDialect, n: ir.SubExpr) -> str:
    query = d.text(n.query)
    if n.kind == "exists":
        return f"(EXISTS ({query}))"
    if n.kind == "scalar":
        return f"({query})"
    left = ", ".join(d.text(a) for a in n.args)
    word = n.kind.upper()
    return f"({f'({left})' if len(n.args) > 1 else left} {word} ({query}))"


def as_(d: SqlDialect, n: ir.As) -> str:
    return f"{d.text(n.expr)} AS {n.name}"


def source_of(d: SqlDialect, n: ir.Join) -> str:
    """What is joined: a relation, or a query or function whose columns are named here."""
    if not n.is_made:
        return f"{n.rel} AS {n.alias}" if n.alias else n.rel
    if n.sub is not None:
        text = f"{'LATERAL ' * n.is_lateral}({d.text(n.sub)})"
    else:
        assert n.call is not None
        text = d.table_functions[n.call.row].text % tuple(d.text(a) for a in n.call.args)
    named = f"({', '.join(c.name for c in n.columns)})" if n.columns else ""
    return f"{text} AS {n.alias}{named}"


def join(d: SqlDialect, n: ir.Join) -> str:
    name = source_of(d, n)
    if n.hint:
        name += f" {n.hint}"
    if not n.kind:
        return name
    text = f", {name}" if n.kind == "," else f" {n.kind} {name}"
    if n.using:
        return f"{text} USING ({', '.join(n.using)})"
    return text if n.on is None else f"{text} ON {d.top(n.on)}"


def joined(d: SqlDialect, source: tuple[ir.Join, ...]) -> str:
    return "".join([join(d, j) for j in source])


def select(d: SqlDialect, n: ir.Select) -> str:
    """A query. The text of its items is kept: the steps of a check mostly share them."""
    rules = d.rules
    text = "SELECT DISTINCT " if n.distinct else "SELECT ALL " if n.is_all else "SELECT "
    if n.distinct_on:
        text = f"SELECT DISTINCT ON ({', '.join([d.text(e) for e in n.distinct_on])}) "
    if n.hint:
        text = text.replace("SELECT ", f"SELECT /*+ {n.hint} */ ", 1)
    if n.ctes:
        text = with_(d, n.ctes) + text
    if n.items is not d._items:
        d._items_text = ", ".join([rules[i.__class__](d, i) for i in n.items])
        d._items = n.items
    text += d._items_text
    source = n.source
    if source:
        text += " FROM " + (
            joined(d, source) if len(source) > 1 or source[0].alias or source[0].hint else source[0].rel
        )
    if n.where is not None:
        text += " WHERE " + d.top(n.where)
    if n.group:
        text += " GROUP BY " + grouped(n.grouping, [d.text(g) for g in n.group])
    if n.having is not None:
        text += " HAVING " + d.top(n.having)
    return text + cut(d, n) if n.order or n.limit is not None else text


def grouped(grouping: str, keys: list[str]) -> str:
    """The keys of a GROUP BY, as they are or as several sets."""
    if grouping == "GROUPING SETS":
        keys = [*(f"({k})" for k in keys), "()"]
    text = ", ".join(keys)
    return f"{grouping}({text})" if grouping else text


def with_(d: SqlDialect, ctes: tuple[ir.Cte, ...]) -> str:
    word = "WITH RECURSIVE " if any(c.is_recursive for c in ctes) else "WITH "
    return word + ", ".join([cte(d, c) for c in ctes]) + " "


def row_list(d: SqlDialect, n: ir.RowList) -> str:
    return "VALUES " + ", ".join(["(" + ", ".join([d.text(v) for v in row.values]) + ")" for row in n.rows])


def cte(d: SqlDialect, n: ir.Cte) -> str:
    return f"{n.name}({', '.join(c.name for c in n.columns)}) AS ({d.text(n.query)})"


def compound(d: SqlDialect, n: ir.Compound) -> str:
    head = with_(d, n.ctes) if n.ctes else ""
    return head + f" {n.op} ".join(d.text(a) for a in n.arms) + cut(d, n)


def column(d: SqlDialect, n: ir.Column) -> str:
    """A column of a CREATE TABLE, with all that is said of it."""
    text = n.name + (f" {d.spell.get(n.type, n.type)}" if n.type else "")
    if n.collate:
        text += f" COLLATE {n.collate}"
    if n.primary:
        text += " PRIMARY KEY" + " DESC" * n.desc + conflict(n.on_conflict) + " AUTOINCREMENT" * n.is_counted
    if n.unique:
        text += " UNIQUE" + conflict(n.on_conflict)
    if n.not_null:
        text += " NOT NULL" + conflict(n.on_null)
    if n.default is not None:
        text += f" DEFAULT ({d.text(n.default)})"
    if n.check is not None:
        text += f" CHECK ({d.top(n.check)})"
    if n.generated is not None:
        text += f" GENERATED ALWAYS AS ({d.text(n.generated)})" + (" STORED" if n.stored else "")
    return text


def conflict(policy: str) -> str:
    """What is done with a row that breaks a constraint."""
    return f" ON CONFLICT {policy}" if policy else ""


def foreign_key(d: SqlDialect, n: ir.ForeignKey) -> str:
    text = f"FOREIGN KEY ({', '.join(n.columns)}) REFERENCES {n.to.table}({', '.join(n.to.columns)})"
    text += f" ON DELETE {n.on_delete}" if n.on_delete else ""
    text += f" ON UPDATE {n.on_update}" if n.on_update else ""
    return text + " DEFERRABLE INITIALLY DEFERRED" * n.is_deferred


def create_table(d: SqlDialect, n: ir.CreateTable) -> str:
    """CREATE TABLE, with its columns, constraints and options."""
    parts = [column(d, c) for c in n.columns] + [f"UNIQUE ({', '.join(k)}){conflict(n.on_conflict)}" for k in n.keys]
    keys = ", ".join(index_key(d, k) for k in n.primary)
    parts += [f"PRIMARY KEY ({keys}){conflict(n.on_conflict)}"] if n.primary else []
    parts += [f"CHECK ({d.top(c)})" for c in n.checks] + [foreign_key(d, k) for k in n.foreign]
    options = ["STRICT"] * n.strict + ["WITHOUT ROWID"] * n.without_rowid
    text = f"TABLE {n.name}({', '.join(parts)})" + (" " + ", ".join(options) if options else "")
    if not n.kind:
        return f"CREATE {text}"
    kind = d.table_kinds[n.kind]
    return f"CREATE {kind.before}{text}{kind.after.format(table=n.name, a=n.kind_column)}"


def create_virtual(d: SqlDialect, n: ir.CreateVirtual) -> str:
    before, after = ("+", "") if n.module.startswith("rtree") else ("", " UNINDEXED")
    listed = [f"{before}{c}{after}" if c in n.beside else c for c in n.columns]
    return f"CREATE VIRTUAL TABLE {n.name} USING {n.module}({', '.join((*listed, *n.options))})"


def index_key(d: SqlDialect, n: ir.IndexKey) -> str:
    text = d.text(n.expr) + n.prefix
    if d.spell.get("index key") == "parenthesised" and n.expr.__class__ is not ir.Col:
        text = f"({text})"
    return text + (f" COLLATE {n.collate}" if n.collate else "") + (" DESC" if n.desc else "")


def create_index(d: SqlDialect, n: ir.CreateIndex) -> str:
    where = "" if n.where is None else f" WHERE {d.top(n.where)}"
    keys = ", ".join(index_key(d, k) for k in n.keys)
    include = f" INCLUDE ({', '.join(n.include)})" if n.include else ""
    if n.kind:
        return d.index_kinds[n.kind].text.format(name=n.name, table=n.table, keys=keys) + include + where
    return f"CREATE {'UNIQUE ' * n.unique}INDEX {n.name} ON {n.table}({keys}){include}{where}"


def create_view(d: SqlDialect, n: ir.CreateView) -> str:
    columns = ", ".join(c.name for c in n.columns)
    return (
        f"CREATE {'TEMP ' * n.is_temporary}{'MATERIALIZED ' * n.is_stored}VIEW {n.name}({columns}) AS {d.text(n.query)}"
    )


def insert(d: SqlDialect, n: ir.Insert) -> str:
    text = row_list(d, ir.RowList(n.rows)) if n.query is None else d.text(n.query)
    verb, _, ending = d.spell.get(n.verb, n.verb).partition("...")
    ending = ending if n.upsert is None else upsert(d, n.upsert)
    if n.query is not None and n.upsert is not None and n.query.where is None:
        text += " WHERE TRUE"  # or SQLite takes ON for that of a join
    return f"{verb} INTO {n.table}({', '.join(n.columns)}) {text}{ending}"


def upsert(d: SqlDialect, n: ir.Upsert) -> str:
    """What is done instead of inserting a row that conflicts."""
    keys = f" ({', '.join(n.keys)})" if n.keys else ""
    if not n.sets:
        return f" ON CONFLICT{keys} DO NOTHING"
    where = "" if n.where is None else f" WHERE {d.top(n.where)}"
    return f" ON CONFLICT{keys} DO UPDATE SET {assigned(d, n.sets)}{where}"


def returning(d: SqlDialect, n: ir.Returning) -> str:
    return f"{d.text(n.statement)} RETURNING {', '.join(d.text(i) for i in n.items)}"


def create_trigger(d: SqlDialect, n: ir.CreateTrigger) -> str:
    of = f" OF {', '.join(n.of)}" if n.of else ""
    when = "" if n.when is None else f" WHEN {d.text(n.when)}"
    body = " ".join(d.text(s) + ";" for s in n.body)
    return f"CREATE TRIGGER {n.name} {n.timing} {n.event}{of} ON {n.table} FOR EACH ROW{when} BEGIN {body} END"


def rename_table(d: SqlDialect, n: ir.RenameTable) -> str:
    return f"ALTER TABLE {n.table} RENAME TO {n.name}"


def rename_column(d: SqlDialect, n: ir.RenameColumn) -> str:
    return f"ALTER TABLE {n.table} RENAME COLUMN {n.column} TO {n.name}"


def add_column(d: SqlDialect, n: ir.AddColumn) -> str:
    return f"ALTER TABLE {n.table} ADD COLUMN {column(d, n.column)}"


def drop_column(d: SqlDialect, n: ir.DropColumn) -> str:
    return f"ALTER TABLE {n.table} DROP COLUMN {n.column}"


def extra(d: SqlDialect, n: ir.Extra) -> str:
    return d.extras[n.row].text.format(name=n.name, table=n.table, **dict(zip("ab", n.columns, strict=False)))


def update(d: SqlDialect, n: ir.Update) -> str:
    where = "" if n.where is None else f" WHERE {d.top(n.where)}"
    source = f" FROM {joined(d, n.source)}" if n.source else ""
    return f"{n.verb} {n.table} SET {assigned(d, n.sets, n.is_row)}{source}{where}"


def assigned(d: SqlDialect, sets: tuple[ir.Assign, ...], is_row: bool = False) -> str:
    """What stands behind SET."""
    if not is_row:
        return ", ".join(f"{s.column} = {d.text(s.value)}" for s in sets)
    return f"({', '.join(s.column for s in sets)}) = ({', '.join(d.text(s.value) for s in sets)})"


def delete(d: SqlDialect, n: ir.Delete) -> str:
    return f"DELETE FROM {n.table}" + ("" if n.where is None else f" WHERE {d.top(n.where)}")


def raw(d: SqlDialect, n: Any) -> str:
    return str(n.text)


RULES: Rules = {
    ir.Lit: lit,
    ir.Col: col,
    ir.Op: operator,
    ir.Agg: agg,
    ir.Over: over,
    ir.SubExpr: sub_expr,
    ir.RawExpr: raw,
    ir.As: as_,
    ir.Select: select,
    ir.Compound: compound,
    ir.RowList: row_list,
    ir.RawQuery: raw,
    ir.CreateTable: create_table,
    ir.CreateVirtual: create_virtual,
    ir.CreateIndex: create_index,
    ir.CreateView: create_view,
    ir.Insert: insert,
    ir.Update: update,
    ir.Delete: delete,
    ir.RenameTable: rename_table,
    ir.RenameColumn: rename_column,
    ir.AddColumn: add_column,
    ir.DropColumn: drop_column,
    ir.Mark: raw,
    ir.CreateTrigger: create_trigger,
    ir.Returning: returning,
    ir.Extra: extra,
    ir.Setting: raw,
    ir.RawStatement: raw,
}
