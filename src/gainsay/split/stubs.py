"""Signatures instead of code: what a Python file offers others, as a .pyi, so that an analyzer knows what lies beyond a
part's border.

before: def f(self, x: int) -> str: self.y = x; return str(x)
after:  y: Any; def f(self, x: int) -> str: ...
"""

from __future__ import annotations

import ast
import warnings

ANY = "_gainsay_Any"
UNKNOWN = "from typing import Any\ndef __getattr__(name: str) -> Any: ...\n"  # a module of which nothing is known
ALIASES: tuple[type[ast.stmt], ...] = tuple(filter(None, [getattr(ast, "TypeAlias", None)]))  # Python 3.12


def stub(text: bytes) -> str | None:
    """The stub of a file; None if it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            tree.body = signatures(tree.body)
            header = f"from typing import Any as {ANY}\n"
            future = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
            tree.body = [n for n in tree.body if n not in future]
            return header + ast.unparse(tree) + "\n"
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def signatures(body: list[ast.stmt]) -> list[ast.stmt]:
    """Statements that declare something, without the bodies of functions. What only does something is dropped."""
    found: list[ast.stmt] = []
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.append(signature(node))
        elif isinstance(node, ast.ClassDef):
            node.body = [*attributes(node), *signatures(node.body)] or [ast.Expr(ast.Constant(...))]
            found.append(node)
        elif isinstance(node, ast.If):
            node.body = signatures(node.body) or [ast.Pass()]
            node.orelse = signatures(node.orelse)
            found.append(node)
        elif isinstance(node, (ast.Try, ast.With)):
            found += signatures(node.body)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:  # in a stub, only `a as a` is there for others
                if (
                    alias.asname is None
                    and alias.name != "*"
                    and (isinstance(node, ast.ImportFrom) or "." not in alias.name)
                ):
                    alias.asname = alias.name
            found.append(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, *ALIASES)):
            found.append(node)
        elif isinstance(node, (ast.For, ast.While, ast.Match)):
            stored = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
            found += [declared(name) for name in dict.fromkeys(stored)]
    return found


def signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
    node.body = [ast.Expr(ast.Constant(...))]
    node.args.defaults = [ast.Constant(...) for _ in node.args.defaults]
    node.args.kw_defaults = [d and ast.Constant(...) for d in node.args.kw_defaults]
    return node


def attributes(node: ast.ClassDef) -> list[ast.stmt]:
    """Attributes that methods set on self, as declarations: their types are not known without the bodies."""
    own = {name for item in node.body for name in names_of(item)}
    found: dict[str, None] = {}
    for item in node.body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) and item.args.args:
            me = item.args.args[0].arg
            stored = (n for n in ast.walk(item) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store))
            found.update((n.attr, None) for n in stored if isinstance(n.value, ast.Name) and n.value.id == me)
    return [declared(name) for name in found if name not in own]


def declared(name: str) -> ast.stmt:
    return ast.AnnAssign(ast.Name(name, ast.Store()), ast.Name(ANY, ast.Load()), None, 1)


def names_of(node: ast.stmt) -> set[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}
