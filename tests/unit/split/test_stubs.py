"""Stubs keep what a file offers and drop what it does."""

import ast

from gainsay.split.stubs import stub

TEXT = b'''
from __future__ import annotations
import os
if os.name == "posix":
    import fcntl as lock
else:
    lock = None
try:
    import json
except ImportError:
    json = None
X: int = 3
T = TypeVar("T")
print("a side effect")
class A(Base, metaclass=M):
    y = 1
    def __init__(self, a: int, b=os.getcwd(), *, c: str = "x") -> None:
        self.z = a
        self.y = 2
        def inner(): self.deep = 1
    @property
    def p(self) -> str:
        """A text."""
        return str(self.z)
    @staticmethod
    def s(): return 1
async def g[U](x: U) -> U:
    return x
'''


def test_a_stub_parses_and_has_every_name() -> None:
    made = stub(TEXT.replace(b"g[U](x: U) -> U", b"g(x)"))
    assert made is not None
    ast.parse(made)
    for wanted in (
        "import fcntl as lock",
        "import json as json",
        "X: int = 3",
        "T = TypeVar('T')",
        "class A(Base, metaclass=M)",
        "def p(self) -> str:",
    ):
        assert wanted in made
    for gone in ("side effect", "return", "getcwd", "__future__", "inner"):
        assert gone not in made


def test_attributes_that_methods_set_are_declared_unless_the_class_does() -> None:
    made = stub(TEXT.replace(b"g[U](x: U) -> U", b"g(x)")) or ""
    assert "z: _gainsay_Any" in made
    assert "deep: _gainsay_Any" in made
    assert "y: _gainsay_Any" not in made


def test_a_file_that_does_not_parse_has_no_stub() -> None:
    assert stub(b"def (\n") is None
    assert stub(b"\0") is None


def test_what_a_file_imports_is_there_for_others_as_before() -> None:
    made = stub(b"import os, a.b\nfrom .core import Foo, Bar as Baz\nfrom x import *\n") or ""
    for line in ("import os as os, a.b", "from .core import Foo as Foo, Bar as Baz", "from x import *"):
        assert line in made


def test_names_that_loops_bind_are_declared() -> None:
    made = stub(b"for name in names():\n    last = name\n") or ""
    assert "name: _gainsay_Any" in made
    assert "last: _gainsay_Any" in made
