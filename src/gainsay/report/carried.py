"""The judge's own source, for scripts that must do without gainsay: `core/values` and `core/judge`, as they are."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Iterator

from gainsay.core import judge, values

MODULES = (values, judge)
TITLE = "# --- gainsay's judge, as it is in gainsay/core/values.py and gainsay/core/judge.py ---"


@functools.cache
def source(*wanted: str) -> str:
    """The definitions of these names and of all that they need, in their order, with their imports."""
    imports, definitions = parts()
    needed: set[str] = set()
    left = list(wanted)
    while left:
        name = left.pop()
        if name not in needed:
            needed.add(name)
            left += definitions.get(name, ("", ()))[1]
    texts = dict.fromkeys(text for name, (text, _) in definitions.items() if name in needed)
    return "\n".join(
        [TITLE, *sorted({imports[n] for n in needed if n in imports}), "", *texts, "# --- end of the judge ---", ""]
    )


@functools.cache
def parts() -> tuple[dict[str, str], dict[str, tuple[str, tuple[str, ...]]]]:
    """Of both modules: what each imported name comes from; and for each name that is defined its text, and the names in
    that."""
    imports: dict[str, str] = {}
    definitions: dict[str, tuple[str, tuple[str, ...]]] = {}
    for module in MODULES:
        text = inspect.getsource(module)
        for node in ast.parse(text).body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                is_ours = isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gainsay")
                imports |= {} if is_ours else {alias.asname or alias.name: ast.unparse(node) for alias in node.names}
            else:
                said = ast.get_source_segment(text, node) or ""
                definitions |= dict.fromkeys(
                    defined(node), (said + ("\n" if "\n" in said else ""), tuple(loaded(node)))
                )
    return imports, definitions


def defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]


def loaded(node: ast.AST) -> Iterator[str]:
    """The names that a definition needs when it runs: none of its annotations."""
    if isinstance(node, ast.Name):
        yield node.id
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from loaded(child)
