"""What a script is made of, for the page of a hunt."""

from gainsay.core.registry import family

SCRIPT = """(set-logic QF_BV)
(declare-fun bvadd2 ((_ BitVec 8)) Bool)
(push 1)
(assert (= ((_ extract 3 0) (bvadd #x01 #x02)) (concat #b00 #b11)))
(check-sat)
(pop 1)"""


def test_a_script_tells_its_logic_operators_and_commands():
    assert set(family("smt").uses(None, SCRIPT)) >= {
        "logic:QF_BV", "op:=", "op:extract", "op:bvadd", "op:concat", "command:push", "command:pop"
    }  # fmt: skip
    assert not {f for f in family("smt").uses(None, SCRIPT) if "bvadd2" in f or "BitVec" in f or "assert" in f}


def test_a_probed_operator_has_a_row():
    assert family("smt").row_of("op:bvadd") == "op:bvadd"
    assert family("smt").row_of("mode:core") == ""
