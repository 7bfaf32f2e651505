"""What a dialect can say: from the tables, or as a dialect of somebody else's says itself."""

from gainsay.families.datalog.language.dialects import DIALECTS
from gainsay.families.datalog.language.writer import CORE, ORDER, Dialect

ALL = ("count", "sum", "min", "max")


def test_the_aggregates_of_a_dialect_are_those_whose_rows_name_it():
    found = {name: (d.folds, d.aggregates) for name, d in DIALECTS.items()}
    assert found == {
        "souffle": (ALL, ALL),
        "cozo": (ALL, ()),
        "clingo": (ALL, ALL),
        "nemo": (ALL, ()),
        "muz": ((), ()),
    }


def test_a_dialect_of_somebody_elses_names_its_own():
    class Mine(Dialect):
        name = "mine"
        folds = ("count",)

    assert Mine().folds == ("count",) and Mine().aggregates == ()


def test_comparisons_are_features_those_of_an_order_by_themselves():
    assert {f for f in CORE if f.startswith("compare:")} == {"compare:=", "compare:!="}
    assert sorted(ORDER) == ["compare:<", "compare:<=", "compare:>", "compare:>="]
