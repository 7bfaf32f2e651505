"""What a scene's statements leave behind: the tables with their rows, and the relations that queries read.

An engine took every statement of a scene. Where one should have failed by its constraints, or what it does is not
determined, the tables that it touches are not known (`Undetermined`), and no query about them is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from gainsay.families.sql.language import ir
from gainsay.families.sql.language.dialect import SqlDialect
from gainsay.families.sql.meaning import changes, foreign_keys, triggers, virtual, writes
from gainsay.families.sql.meaning import storage as s
from gainsay.families.sql.meaning.rows import Relation, once
from gainsay.families.sql.meaning.scope import NOWHERE, Scope
from gainsay.families.sql.meaning.semantics import Compiler, named
from gainsay.families.sql.meaning.storage import TooBig, Undetermined
from gainsay.families.sql.meaning.system import UNKNOWN, Attribute, TypeSystem, Violated
from gainsay.families.sql.meaning.term import Row, Term, Value
from gainsay.families.sql.meaning.writes import REPLACE


class Unique:
    """Columns or expressions of which no two rows may have the same values; NULLs differ."""

    def __init__(self, system: TypeSystem, terms: Sequence[Term], where: Value | None = None, policy: str = "") -> None:
        self._system = system
        self._terms = terms
        self._where = where
        self.policy = policy  # what is done with a row that meets another one

    def key(self, row: Row) -> Any:
        """What must be unique; None where the row is not concerned."""
        if self._where is not None and not self._system.truth(self._where(row)):
            return None
        values = [t.of(row) for t in self._terms]
        if None in values:
            return None
        return tuple([self._system.key(value, term) for value, term in zip(values, self._terms, strict=True)])


class Table:
    """A table's columns, constraints and rows."""

    def __init__(self, node: ir.CreateTable, compiler: Compiler) -> None:
        self.node = node
        self.name = node.name
        self.names = [c.name for c in node.columns]
        self.system = system = compiler.system
        self.columns = tuple(map(system.attribute, node.columns))
        self.rows: list[Row] = []
        self.is_known = True  # whether it can be told what it holds
        self.triggers: list[ir.CreateTrigger] = []
        self.virtual: ir.CreateVirtual | None = None
        self.look()
        self._compiler = compiler
        terms = [(i, compiler.term(c.generated, self.scope)) for i, c in enumerate(node.columns) if c.generated]
        self.computed = [(place, term.of) for place, term in terms]
        made = {place: system.generated(self.columns[place], term) for place, term in terms}
        self.columns = tuple(made.get(place, column) for place, column in enumerate(self.columns))
        self.look()
        tests = [*(c.check for c in node.columns if c.check is not None), *node.checks]
        self.checks = [compiler.term(test, self.scope).of for test in tests]
        self.defaults = [
            None if c.default is None or a.type == UNKNOWN else compiler.term(c.default, NOWHERE).of(())
            for c, a in zip(node.columns, self.columns, strict=True)
        ]
        self.stored = [system.storing(c) for c in node.columns]
        keys: list[tuple[tuple[str, ...], str]]
        keys = [((c.name,), c.on_conflict) for c in node.columns if c.primary or c.unique]
        keys += [(key, node.on_conflict) for key in node.keys]
        self.uniques = [Unique(system, [self.scope.find("", n) for n in key], None, policy) for key, policy in keys]
        # Those that a conflict can be told by
        self.targets = {frozenset(key): u for (key, _), u in zip(keys, self.uniques, strict=True)}
        if node.primary:
            self.uniques.append(Unique(system, [self.keyed(k) for k in node.primary], None, node.on_conflict))
            self.targets[frozenset(k.expr.name for k in node.primary if isinstance(k.expr, ir.Col))] = self.uniques[-1]
        self.number = system.numbered(node)
        # The greatest number that a row ever had, where none is given twice
        self.counted = 0 if any(c.is_counted for c in node.columns) else None

    def look(self) -> None:
        """See the columns as they are called now."""
        self.scope = Scope()
        self.scope.add("", self.columns)

    def keyed(self, key: ir.IndexKey) -> Term:
        """A column of a key, by the collating sequence that the key says."""
        term = self._compiler.term(key.expr, self.scope)
        return Term(term.of, term.affinity, "", key.collate or term.explicit or term.collation)

    def place(self, name: str) -> int:
        """The place of a column."""
        if name not in self.names:
            raise Undetermined(f"the column {name}")
        return self.names.index(name)

    def seen(self) -> list[Attribute]:
        """The columns as a trigger or RETURNING sees them."""
        return [self.system.in_trigger(column) for column in self.columns]

    def read(self) -> list[Row]:
        """The rows, for a query."""
        if not self.is_known:
            raise Undetermined("what a table holds")
        return self.rows

    @property
    def has_policies(self) -> bool:
        """Whether a constraint says what is done with a row that breaks it."""
        return any(unique.policy for unique in self.uniques) or any(c.on_null for c in self.node.columns)

    def policy(self, row: Row, others: Iterable[Row]) -> str:
        """What the keys by which a row meets others say of that, where it is the same of all."""
        keys = [(unique, unique.key(row)) for unique in self.uniques]
        found = {u.policy for u, key in keys if key is not None and any(u.key(other) == key for other in others)}
        if len(found) > 1:
            raise Undetermined("which of two constraints is asked first")
        return found.pop() if found else ""

    def made(self, values: list[Any], policy: str = "") -> Row:
        """A row as it is stored. By the policy REPLACE, NULL becomes the default where it must not be."""
        if self.number is not None and values[self.number] is None:
            values[self.number] = self._next_number()
        for place, column in enumerate(self.node.columns):
            if (
                values[place] is None
                and self.system.is_needed(self.node, column)
                and (policy or column.on_null) == REPLACE
            ):
                values[place] = self.defaults[place]
        values = [store(value) for store, value in zip(self.stored, values, strict=True)]
        for place, of in self.computed:
            values[place] = self.stored[place](of(tuple(values)))
        row = tuple(values)
        self.system.check(self.node, row)
        if self.virtual is not None:
            virtual.check(self.virtual, row)
        for place, column in enumerate(self.node.columns):
            if row[place] is None and self.system.is_needed(self.node, column):
                raise Violated("NOT NULL", column.on_null)
        if any(self.system.truth(check(row)) is False for check in self.checks):
            raise Violated("CHECK")
        return row

    def _next_number(self) -> int:
        assert self.number is not None
        greatest = max((row[self.number] for row in self.rows), default=0)
        if self.counted is not None:  # else one less than none is none: the number after -1 is 0
            greatest = max(greatest, self.counted)
        if greatest >= s.GREATEST:
            raise Undetermined("a row's number that is chosen at random")
        return int(greatest) + 1

    def count(self, row: Row) -> None:
        """Keep the greatest number in mind."""
        if self.counted is not None and self.number is not None:
            self.counted = max(self.counted, row[self.number])

    def conflicts(self, row: Row, others: Iterable[Row]) -> list[Row]:
        """The rows with which a row may not be together."""
        keys = [(unique, key) for unique in self.uniques if (key := unique.key(row)) is not None]
        return [other for other in others if any(unique.key(other) == key for unique, key in keys)]


class Database:
    """The tables after a scene's statements. `dialect`: what its statements are rows of."""

    def __init__(self, scene: ir.Scene, dialect: SqlDialect, system: TypeSystem) -> None:
        self._statements = scene.statements
        self.system = system
        self.dialect = dialect
        self.relations: dict[str, Relation] = {}
        self.tables: dict[str, Table] = {}
        self.compiler = Compiler(self.system, self.relations)
        # What every table held where a part of a transaction began, by its name
        self.marks: list[tuple[str, int, dict[str, tuple[list[Row], bool, int | None]]]] = []
        self.alterations = 0  # how often a table was altered
        self.has_foreign_keys = False
        self.are_keys_checked = system.checks_foreign_keys
        self.lost: set[str] = set()  # tables that are there, and that we could not make
        self.firing: list[str] = []  # tables whose triggers run
        self.is_altered = False  # whether a name in a trigger may mean something else by now
        self.around: tuple[Scope, Row] = (NOWHERE, ())  # the row that a trigger is about
        for statement in scene.statements:
            self._run(statement)
        for name, relation in self.relations.items():
            if name not in self.tables:  # a view, of which nothing changes any more
                self.relations[name] = relation._replace(fetch=once(relation.fetch))

    def change(self, node: ir.Statement) -> None:
        """Do what a statement of a trigger says."""
        RULES[type(node)](self, node)

    def _run(self, node: ir.Statement) -> None:
        rule = RULES.get(type(node))
        if rule is not None:
            try:
                rule(self, node)
            except (Undetermined, Violated, TooBig):
                self.forget(getattr(node, "table", ""))
                self.lost |= {node.name} if isinstance(node, ir.CreateTable) else set()
        elif isinstance(node, ir.RawStatement):
            raise Undetermined("a statement that is text")
        elif isinstance(node, ir.Setting):
            self.system.check_setting(node.text)
            foreign_keys.check_setting(self, node.text)
        elif isinstance(node, ir.Extra) and self.dialect.extras[node.row].is_change and node.table in self.tables:
            self.tables[node.table].is_known = False

    def forget(self, name: str) -> None:
        """It can't be told any more what a table holds, nor those that change with it."""
        for each in self.reached(name):
            if each in self.tables:
                self.tables[each].is_known = False

    def guessed(self, name: str) -> list[Row]:
        """What a table may hold of which that can't be told: what was put there last, or what was there when it was
        last known."""
        table = self.tables.get(name)
        if table is None:
            return []
        plain = [s for s in self._statements if isinstance(s, ir.Insert) and s.table == name and s.query is None]
        return (writes.given(self, table, plain[-1]) if plain else []) or table.rows

    def is_circular(self, table: Table) -> bool:
        """Whether foreign keys lead from a table back to itself."""
        around = self.reached(table.name, is_by_key=True)
        return any(key.to.table in around for key in table.node.foreign)

    def reached(self, name: str, is_by_key: bool = False) -> set[str]:
        """The tables that a change of one may change: by foreign keys, and by triggers."""
        found, left = {name}, [name]
        while left:
            table = self.tables.get(first := left.pop())
            fresh = {n for n, t in self.tables.items() if any(k.to.table == first for k in t.node.foreign)}
            if table is not None and not is_by_key:
                fresh |= set().union(*map(triggers.targets, table.triggers))
            left += sorted(fresh - found)
            found |= fresh
        return found

    def create_table(self, node: ir.CreateTable) -> None:
        table = Table(node, self.compiler)
        # What a table holds that we could not make may take rows of this one with it
        table.is_known = not any(key.to.table in self.lost for key in node.foreign)
        self.put(node.name, table)
        self.has_foreign_keys |= bool(node.foreign)

    def put(self, name: str, table: Table) -> None:
        """Make a table known by a name."""
        self.tables[name] = table
        self.relations[name] = Relation(table.columns, lambda row: table.read(), number=table.number)

    def create_index(self, node: ir.CreateIndex) -> None:
        """CREATE INDEX: one that is unique is a constraint."""
        table = self.tables.get(node.table)
        if table is None or not node.unique:
            return
        terms = [table.keyed(key) for key in node.keys]
        where = self.compiler.term(node.where, table.scope).of if node.where is not None else None
        unique = Unique(self.system, terms, where)
        keys = [key for key in map(unique.key, table.rows) if key is not None]
        if len(set(keys)) < len(keys):
            raise Violated("UNIQUE")
        table.uniques.append(unique)

    def create_view(self, node: ir.CreateView) -> None:
        plan = self.compiler.plan(node.query)
        relation = named(plan, [c.name for c in node.columns], self.system.unsaid)
        # A view shows what is there when it is read; a stored one, what was there when it was made.
        fetch = fetched(plan.run) if node.is_stored else lambda row: plan.run(())
        self.relations[node.name] = Relation(relation.columns, fetch)


def fetched(run: Callable[[Row], list[Row]]) -> Callable[[Row], list[Row]]:
    """What is there now, whenever it is asked for."""
    try:
        rows = run(())
    except (Undetermined, TooBig):

        def unknown(row: Row) -> list[Row]:
            raise Undetermined("what a stored view holds")

        return unknown
    return lambda row: rows


RULES: dict[type, Callable[[Database, Any], object]] = {
    ir.CreateTable: Database.create_table,
    ir.CreateVirtual: virtual.create,
    ir.CreateIndex: Database.create_index,
    ir.CreateView: Database.create_view,
    ir.Insert: writes.insert,
    ir.Update: writes.update,
    ir.Delete: writes.delete,
    ir.RenameTable: changes.rename_table,
    ir.RenameColumn: changes.rename_column,
    ir.AddColumn: changes.add_column,
    ir.DropColumn: changes.drop_column,
    ir.Mark: changes.mark,
    ir.CreateTrigger: triggers.create,
}
