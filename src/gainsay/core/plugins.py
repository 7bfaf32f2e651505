"""Whether a class is what a port wants, and how a plugin is found by its name. Standard library only: hosts use it.

A port is a base class. What it annotates without a value, or has as an abstract method, a plugin must have; everything
else public in it is a hook with a default. So a misspelt hook would be silently unused: such a class is refused.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import inspect
import sys
from collections.abc import Iterator, Mapping
from typing import Any

ALIKE = 0.83  # a name so near to a hook's is taken for a slip; `prooves` beside `prove` is one, `options_of` is not


def loaded(value: str) -> Any:
    """What 'module' or 'module:attribute' names."""
    module, _, attribute = value.partition(":")
    made = importlib.import_module(module)
    return functools.reduce(getattr, attribute.split("."), made) if attribute else made


def among(ours: Mapping[str, Any], name: str) -> Any:
    """One of ours by name, or anybody's as module:attribute."""
    return loaded(name) if ":" in name else ours[name]


def file_of(plugin: type) -> str:
    """The file in which a class is defined; empty where there is none."""
    return getattr(sys.modules[plugin.__module__], "__file__", None) or ""


def complaints(port: type, plugin: Any) -> list[str]:
    """What is wrong with a plugin for a port, each as words that follow 'it'; nothing if all is well."""
    place = f"{port.__module__}.{port.__name__}"
    if not (isinstance(plugin, type) and issubclass(plugin, port)):
        return [f"is no class derived from {place}"]
    missing = lacking(port, plugin)
    found = [f"has no {', '.join(missing)} ({place} says what each is)"] if missing else []
    return [*found, *misfits(port, plugin), *slips(port, plugin)]


def hooks(port: type) -> dict[str, Any]:
    """The public names of a port: what each is there, or None where it has no value."""
    found: dict[str, Any] = {}
    for base in reversed(port.__mro__[:-1]):
        found |= dict.fromkeys(inspect.get_annotations(base)) | vars(base)
    return {name: member for name, member in found.items() if not name.startswith("_")}


def lacking(port: type, plugin: Any) -> list[str]:
    """The hooks without a default that a plugin does not have: a class, or where it fills them itself, an object."""
    abstract: frozenset[str] = getattr(plugin, "__abstractmethods__", frozenset())
    return [name for name in hooks(port) if name in abstract or not hasattr(plugin, name)]


def misfits(port: type, plugin: type) -> Iterator[str]:
    """Hooks that a plugin has, but not as the port calls them."""
    for name, member in hooks(port).items():
        own = inspect.getattr_static(plugin, name, None)
        if own is None or own is member:
            continue
        if not inspect.isfunction(member):
            if inspect.isfunction(own) or isinstance(own, (staticmethod, classmethod)):
                yield f"has {name} as a method, which must be a value"
        elif not callable(getattr(plugin, name)):
            yield f"has {name} as a value, which must be a method"
        elif parameters(own) != parameters(member):
            yield f"has {name}({', '.join(parameters(own))}), which must be {name}({', '.join(parameters(member))})"


def parameters(method: Any) -> list[str]:
    """The names of what a method is called with, without `self`."""
    is_bound = not isinstance(method, staticmethod)
    function = method.__func__ if isinstance(method, (staticmethod, classmethod)) else method
    return list(inspect.signature(function).parameters)[is_bound:]


def slips(port: type, plugin: type) -> Iterator[str]:
    """Public names that are no hooks, and look like one: of the port, or of a class that several plugins build on."""
    told: set[str] = set()
    for base in (base for base in plugin.__mro__ if base not in port.__mro__):
        known = {name for above in base.__mro__[1:] if issubclass(above, port) for name in own_names(above)}
        meant = {bare(hook): hook for hook in [*sorted(known), *hooks(port)]}
        for name in sorted({*own_names(base)} - known - hooks(port).keys() - told):
            close = difflib.get_close_matches(bare(name), meant, n=1, cutoff=ALIKE)
            if close:
                told.add(name)
                remedy = f"Did you mean {meant[close[0]]}? If not, give it another name or begin it with _"
                yield f"has {name}, which is no hook. {remedy}"


def bare(name: str) -> str:
    """A name without the word by which a truth begins: `strict` is meant where `is_strict` is wanted."""
    return name.lower().removeprefix("is_").removeprefix("has_")


def own_names(base: type) -> Iterator[str]:
    """The public names that a class itself defines."""
    names = (*vars(base), *inspect.get_annotations(base))
    return (name for name in names if not name.startswith("_"))
