"""Logics: which theories each has, and what may be expected of a solver that takes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gainsay.families.smt.language.sorts import is_array, is_bv, is_fp


class Logic(NamedTuple):
    """A logic of SMT-LIB: its theories, and how often it is drawn."""

    theories: frozenset[str]
    weight: float
    # And solvers that take it are expected to decide small instances of it: `unknown` is then a finding
    is_decidable: bool = True
    is_linear: bool = True
    is_difference: bool = False


def logic(
    theories: str, weight: float, *, decidable: bool = True, linear: bool = True, difference: bool = False
) -> Logic:
    return Logic(frozenset(theories.split()), weight, decidable, linear, difference)


LOGICS: Mapping[str, Logic] = {
    "QF_BV": logic("bv", 6),
    "QF_UFBV": logic("bv uf", 1),
    "QF_ABV": logic("bv array", 2),
    "QF_AUFBV": logic("bv array uf", 1),
    "QF_UF": logic("uf sort", 1),
    "QF_AX": logic("array sort", 1),
    "QF_LIA": logic("int", 2),
    "QF_LRA": logic("real", 2),
    "QF_LIRA": logic("int real", 1),
    "QF_IDL": logic("int", 0.5, difference=True),
    "QF_RDL": logic("real", 0.5, difference=True),
    "QF_UFIDL": logic("int uf", 0.5, difference=True),
    "QF_UFLIA": logic("int uf", 1),
    "QF_UFLRA": logic("real uf", 1),
    "QF_ALIA": logic("int array", 1),
    "QF_AUFLIA": logic("int array uf", 1),
    "QF_NIA": logic("int", 2, decidable=False, linear=False),
    "QF_NRA": logic("real", 2, decidable=False, linear=False),
    "QF_NIRA": logic("int real", 0.5, decidable=False, linear=False),
    "QF_UFNIA": logic("int uf", 0.5, decidable=False, linear=False),
    "QF_UFNRA": logic("real uf", 0.5, decidable=False, linear=False),
    "QF_FP": logic("fp", 2),
    "QF_BVFP": logic("fp bv", 2),
    "QF_S": logic("str", 2, decidable=False),
    "QF_SLIA": logic("str int", 4, decidable=False),
    "QF_DT": logic("dt sort", 1),
    "BV": logic("bv quant", 3, decidable=False),
    "UFBV": logic("bv uf quant", 1, decidable=False),
    "UFDT": logic("dt sort quant", 1, decidable=False),
    "LIA": logic("int quant", 1, decidable=False),
    "ALL": logic("bv int real array uf dt str", 0.5, decidable=False, linear=False),
}


def theories(sorts: Iterable[str], has_functions: bool, has_datatypes: bool) -> frozenset[str]:
    """The theories that a vocabulary needs."""
    found = {"uf"} if has_functions else set()
    for sort in sorts:
        name = {"Int": "int", "Real": "real", "String": "str"}.get(sort)
        found.add(name or ("bv" if is_bv(sort) else "fp" if is_fp(sort) else "array" if is_array(sort) else "sort"))
    return frozenset(found | ({"dt"} if has_datatypes else set()))


def find(name: str, used: frozenset[str]) -> Logic:
    """A logic by name, with no more theories than the vocabulary at hand needs; one that is not in the table is taken
    from its name."""
    known = LOGICS.get(name)
    if known is not None:
        return known._replace(theories=known.theories & (used | {"quant"}))
    is_linear = re.search(r"N[IR]*A$", name) is None and name not in ("", "ALL")
    return Logic(used, 1.0, False, is_linear, name.endswith(("IDL", "RDL")))
