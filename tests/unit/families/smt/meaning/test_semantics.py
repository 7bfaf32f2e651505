"""The exact evaluator on corner cases of the theories' texts. What random formulas are worth is compared with solvers
in the laws."""

from fractions import Fraction

import pytest

from gainsay.families.smt.language import reader
from gainsay.families.smt.language.ir import Term
from gainsay.families.smt.meaning.semantics import MISSING, Evaluation, Function, array, select, term_of
from gainsay.families.smt.meaning.values import Undetermined

ENUM = (
    "(declare-datatypes ((E 0)) (((red) (green) (blue))))(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail "
    "L)))))"
)


def truths(text, model=None, chooses=True):
    """The truth of each assertion of a script."""
    found = reader.read("(set-logic ALL)" + text)
    evaluation = Evaluation(model or {}, found.datatypes, chooses)
    return [evaluation.is_true(t) for t in found.asserts]


def truth(formula, model=None, chooses=True, declarations=""):
    (found,) = truths(f"{declarations}(assert {formula})", model, chooses)
    return found


@pytest.mark.parametrize(
    "formula",
    [
        # integers: the remainder is from 0 to |b| - 1
        "(= (div 7 2) 3)", "(= (div (- 7) 2) (- 4))", "(= (div 7 (- 2)) (- 3))", "(= (div (- 7) (- 2)) 4)",
        "(= (mod 7 2) 1)", "(= (mod (- 7) 2) 1)", "(= (mod 7 (- 2)) 1)", "(= (mod (- 7) (- 2)) 1)",
        "(= (div 100 7 2) 7)", "(= (abs (- 5)) 5)", "((_ divisible 3) (- 6))", "(not ((_ divisible 3) 7))",
        # reals
        "(= (to_int (- 0.5)) (- 1))", "(= (to_int 1.5) 1)", "(is_int 2.0)", "(not (is_int 0.5))",
        "(= (/ 1.0 2.0 2.0) 0.25)", "(= (to_real 2) 2.0)",
        # chains
        "(< 1 2 3)", "(not (< 1 3 2))", "(not (= 1 1 2))", "(distinct 1 2 3)", "(not (distinct 1 2 1))",
        "(= (- 9 3 2) 4)",
        "(= (xor true true true) true)", "(=> true false true)", "(=> true true false true)",
        "(not (=> true true false))",
        # words by zero, and at the ends of their range
        "(= (bvudiv #b101 #b000) #b111)", "(= (bvurem #b101 #b000) #b101)",
        "(= (bvsdiv #b101 #b000) #b001)", "(= (bvsdiv #b011 #b000) #b111)", "(= (bvsrem #b101 #b000) #b101)",
        "(= (bvsmod #b101 #b000) #b101)",
        "(= (bvsdiv #b100 #b111) #b100)", "(= (bvsrem #b101 #b010) #b111)", "(= (bvsmod #b101 #b010) #b001)",
        "(= (bvsmod #b011 #b110) #b111)",
        "(= (bvshl #b011 #b011) #b000)", "(= (bvlshr #b100 #b111) #b000)", "(= (bvashr #b100 #b111) #b111)",
        "(= (bvashr #b010 #b111) #b000)",
        "(= (bvneg #b100) #b100)", "(= ((_ rotate_left 4) #b110) #b101)", "(= ((_ rotate_right 4) #b110) #b011)",
        "(= ((_ repeat 2) #b10) #b1010)",
        "(= ((_ sign_extend 2) #b10) #b1110)", "(= ((_ zero_extend 2) #b10) #b0010)",
        "(= ((_ extract 2 1) #b110) #b11)", "(= (concat #b1 #b00) #b100)",
        "(= (bvcomp #b10 #b10) #b1)", "(= (bvnand #b11 #b01) #b10)", "(= (bvnor #b00 #b01) #b10)",
        "(= (bvxnor #b10 #b11) #b10)",
        "(bvslt #b100 #b011)", "(bvugt #b100 #b011)", "(bvsaddo #b011 #b001)", "(bvuaddo #b111 #b001)",
        "(not (bvsaddo #b111 #b001))",
        "(bvsmulo #b100 #b111)", "(bvumulo #b100 #b010)", "(bvusubo #b000 #b001)", "(bvssubo #b100 #b001)",
        "(bvsdivo #b100 #b111)", "(bvnego #b100)",
        "(= (bv2nat #b111) 7)", "(= (sbv_to_int #b111) (- 1))", "(= ((_ int_to_bv 3) (- 1)) #b111)",
        "(= ((_ int2bv 3) 9) #b001)",
        # floats
        "(= (_ NaN 3 4) (_ NaN 3 4))", "(not (fp.eq (_ NaN 3 4) (_ NaN 3 4)))", "(fp.eq (_ +zero 3 4) (_ -zero 3 4))",
        "(distinct (_ +zero 3 4) (_ -zero 3 4))",
        "(= ((_ to_fp 3 4) #b1111001) (_ NaN 3 4))", "(fp.isNegative (_ -zero 3 4))",
        "(not (fp.isPositive (_ NaN 3 4)))",
        "(= (fp.add RTN (_ +zero 3 4) (_ -zero 3 4)) (_ -zero 3 4))",
        "(= ((_ fp.to_ubv 2) RTZ ((_ to_fp 3 4) RNE (- 0.5))) #b00)",
        # strings
        '(= (str.substr "abc" 1 9) "bc")', '(= (str.substr "abc" (- 1) 2) "")', '(= (str.at "abc" 3) "")',
        '(= (str.indexof "abc" "" 3) 3)',
        '(= (str.indexof "abc" "" 4) (- 1))', '(= (str.replace "abc" "" "x") "xabc")',
        '(= (str.replace_all "abc" "" "x") "abc")',
        '(= (str.to_int "007") 7)', '(= (str.to_int "") (- 1))', '(= (str.to_int "-1") (- 1))',
        '(= (str.from_int (- 1)) "")', '(= (str.to_code "ab") (- 1))',
        '(str.in_re "" (re.* re.none))', '(str.in_re "ab" ((_ re.loop 1 3) (re.range "a" "c")))',
        '(not (str.in_re "" ((_ re.loop 2 1) re.all)))',
        '(not (str.< "a" "a"))', '(str.<= "" "a")', '(str.prefixof "" "a")',
        '(= (str.replace_re "aab" (re.+ (str.to_re "a")) "x") "xab")',
    ],
)  # fmt: skip
def test_the_theories_say(formula):
    assert truth(formula) is True
    assert truth(f"(not {formula})") is False


# --- what the standard leaves open ---


@pytest.mark.parametrize(
    "formula", ["(= (div 1 0) 0)", "(= (mod 5 0) 0)", "(= (/ 1.0 0.0) 0.0)", "(= (head nil) 0)", "(= (tail nil) nil)"]
)
def test_what_is_left_open_is_ours_to_choose_for_our_model_and_unknown_for_a_solvers(formula):
    assert truth(formula, declarations=ENUM) is True
    assert truth(formula, chooses=False, declarations=ENUM) is None


@pytest.mark.parametrize(
    "formula",
    [
        "(= (fp.min (_ +zero 3 4) (_ -zero 3 4)) (_ +zero 3 4))",
        "(= ((_ fp.to_ubv 2) RNE (_ NaN 3 4)) #b00)",
        "(= ((_ fp.to_sbv 2) RNE (_ +oo 3 4)) #b00)",
    ],
)
def test_what_we_do_not_choose_has_no_value(formula):
    assert truth(formula) is None


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("(and false (= x 1))", False), ("(and (= x 1) true)", None), ("(or (= x 1) true)", True),
        ("(or (= x 1) false)", None),
        ("(=> (= x 1) true)", True), ("(=> false (= x 1))", True), ("(=> (= x 1) false)", None),
        ("(not (= x 1))", None),
        ("(ite true false (= x 1))", False), ("(ite false (= x 1) true)", True), ("(ite (= x 1) true true)", None),
        ("(= x x)", None),
        ("(exists ((b Bool)) (or b (= x 1)))", True), ("(forall ((b Bool)) (or b (= x 1)))", None),
        ("(forall ((b Bool)) (and b (= x 1)))", False),
    ],
)  # fmt: skip
def test_a_connective_is_decided_by_the_arguments_that_have_a_value(formula, value):
    assert truth(formula, {"x": MISSING}, declarations="(declare-fun x () Int)") is value


def test_a_term_without_value_raises():
    with pytest.raises(Undetermined):
        Evaluation({"x": MISSING}).value(Term("x", (), "Int"))


# --- quantifiers ---


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("(forall ((x (_ BitVec 3))) (bvule x #b111))", True),
        ("(exists ((x (_ BitVec 3)) (y (_ BitVec 3))) (and (bvult x y) (= (bvadd x y) #b000)))", True),
        ("(forall ((i Int)) (=> (and (<= 0 i) (<= i 3)) (< i 4)))", True),
        ("(forall ((i Int)) (=> (and (<= 0 i) (<= i 4)) (< i 4)))", False),
        ("(exists ((i Int)) (and (<= 2 i) (<= i 3) (= (* i i) 9)))", True),
        ("(exists ((i Int)) (and (<= 3 i) (<= i 2) true))", False),
        ("(forall ((i Int)) (and (<= 0 i) (<= i 3)))", None),
        ("(exists ((i Int)) (= i 3))", None),
        ("(exists ((i Int)) (=> (and (<= 0 i) (<= i 3)) false))", None),
        ("(forall ((c E)) (or (= c red) (= c green) (= c blue)))", True),
        ("(forall ((c L)) (= c c))", None),
        ("(forall ((x (_ BitVec 2))) (exists ((x (_ BitVec 2))) (= x #b00)))", True),
        ("(forall ((x (_ BitVec 12))) (= x x))", None),
    ],
)
def test_quantifiers_are_evaluated_where_their_domain_is_small(formula, value):
    assert truth(formula, declarations=ENUM) is value


# --- arrays, functions, datatypes ---


def test_arrays_are_equal_if_they_hold_the_same():
    sort = "(Array (_ BitVec 1) Bool)"
    assert truth(f"(= (store (store ((as const {sort}) false) #b0 true) #b1 true) ((as const {sort}) true))") is True
    assert truth(f"(= (store ((as const {sort}) false) #b0 true) (store ((as const {sort}) true) #b1 false))") is True
    assert truth(f"(= (store ((as const {sort}) false) #b0 true) (store ((as const {sort}) true) #b0 false))") is False
    assert truth("(= (store ((as const (Array Int Int)) 0) 1 0) ((as const (Array Int Int)) 0))") is True
    assert truth("(= ((as const (Array Int Int)) 0) ((as const (Array Int Int)) 1))") is False
    assert truth("(= (select (store ((as const (Array Int Int)) 0) 1 7) 1) 7)") is True


def test_a_function_is_a_table_with_a_default():
    model = {"f": Function({(1,): 5}, 9)}
    assert truth("(and (= (f 1) 5) (= (f 2) 9))", model, declarations="(declare-fun f (Int) Int)") is True


def test_datatypes_are_built_tested_and_taken_apart():
    assert (
        truth(
            "(and ((_ is cons) (cons 1 nil)) (= (head (cons 1 nil)) 1) (= (tail (cons 1 nil)) nil) (distinct nil "
            "(cons 1 nil)))",
            declarations=ENUM,
        )
        is True
    )


MANY = "(declare-datatypes ((E 0)) (((red) (green) (blue))))"


def test_arrays_over_an_enumeration_are_equal_if_they_hold_the_same():
    sort = "(Array E E)"
    every = f"(store (store (store ((as const {sort}) red) red green) green green) blue green)"
    assert truth(f"(= {every} ((as const {sort}) green))", declarations=MANY) in (True, None)


def test_a_quantifier_over_datatypes_that_contain_each_other_has_no_value():
    types = "(declare-datatypes ((A 0) (B 0)) (((a0) (a (x B))) ((b0) (b (y A)))))"
    assert truth("(forall ((q A)) (= q q))", declarations=types) is None


def test_a_selector_of_another_constructor_has_a_value_where_datatypes_contain_each_other():
    types = (
        "(declare-datatypes ((A 0) (B 0)) (((a1 (x B)) (a2 (i Int) (j Int))) ((b1 (y A)) (b2 (k Int) (l "
        "Int)))))(declare-fun z () A)"
    )
    assert truth("(= (x z) (x z))", {"z": ("a2", 1, 2)}, declarations=types) in (True, None)


def test_an_array_that_differs_in_one_place_has_one_entry():
    assert len(array("(_ BitVec 12)", 0, {0: 1}).entries) == 1


def test_one_array_is_one_value():
    for default in (0, 1):
        for entries in ({}, {0: 1}, {0: 0, 1: 1}, {0: 1, 1: 0}, {0: 1, 1: 1}):
            made = array("(_ BitVec 1)", default, entries)
            held = [entries.get(i, default) for i in (0, 1)]
            assert [select(made, i) for i in (0, 1)] == held
            assert made == array("(_ BitVec 1)", held[1], {0: held[0]})


# --- literals ---


@pytest.mark.parametrize(
    ("value", "sort", "text"),
    [
        (True, "Bool", "true"), (-3, "Int", "(- 3)"), (Fraction(-1, 3), "Real", "(- (/ 1.0 3.0))"),
        (Fraction(2), "Real", "2.0"),
        (5, "(_ BitVec 4)", "#b0101"), ('a"b', "String", '"a""b"'), ("RTZ", "RoundingMode", "RTZ"),
    ],
)  # fmt: skip
def test_a_value_is_written_as_a_term_that_has_it(value, sort, text):
    from gainsay.families.smt.language import writer

    term = term_of(value, sort)
    assert writer.text(term) == text
    assert Evaluation({}).value(term) == value
