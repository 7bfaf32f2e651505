"""What a program is made of, for the page of a hunt."""

from gainsay.core.registry import family
from gainsay.families.datalog.language import ir


def test_a_program_tells_its_functors_comparisons_and_kinds_of_rules():
    atom = ir.Atom("a", (ir.Var("x"), ir.Wild()))
    body = (atom, ir.Not(atom), ir.Compare("<", ir.Call("add:number", (ir.Var("x"), ir.Var("x"))), ir.Var("x")))
    rules = (ir.Rule(1, ir.Atom("out", (ir.Var("x"),)), body),)
    program = ir.Program((), (ir.Rel("a", ("number", "symbol"), ("btree",)),), (), rules, "out", ("p",))
    assert set(family("datalog").uses(program, "")) == {
        "functor:add:number", "compare:<", "rule:negation", "rule:wildcard", "type:number", "type:symbol", "mark:btree",
        "pragma:p",
    }  # fmt: skip


def test_a_probed_feature_has_the_row_of_its_name():
    datalog = family("datalog")
    assert datalog.row_of("functor:add:number") == "functor:add:number"
    assert datalog.row_of("recursion") == ""
