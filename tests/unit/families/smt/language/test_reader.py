"""Scripts, terms and models of SMT-LIB: read, typed, and written again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainsay.families.smt.language import writer
from gainsay.families.smt.language.ir import Decl, Term
from gainsay.families.smt.language.reader import Names, read, read_model, read_term
from gainsay.families.smt.language.sexpr import SmtError
from gainsay.families.smt.meaning import types

LIST = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))"


def asserted(text):
    return [writer.text(term) for term in read(text).asserts]


def only(text):
    (found,) = asserted(text)
    return found


# --- scripts ---


def test_a_script_has_logic_declarations_assertions_and_status():
    script = read("""(set-info :status sat)(set-logic QF_UFLIA)(declare-sort U 0)(declare-fun f (U Int) Int)
        (declare-const |u| U)(assert (! (> (f u 1) 0) :named a))(assert (=> a a)) ; comment
        (check-sat)(get-model)(exit)""")
    assert (script.logic, script.status, script.is_incremental) == ("QF_UFLIA", "sat", False)
    assert script.decls == (Decl("f", "Int", ("U", "Int")), Decl("u", "U"))
    assert script.sort_decls == (("U", 0),)
    assert script.asserts[1].args[0] is script.asserts[0]
    assert script.commands == (
        "set-info",
        "set-logic",
        "declare-sort",
        "declare-fun",
        "declare-const",
        "assert",
        "check-sat",
        "get-model",
        "exit",
    )


def test_an_incremental_script_is_its_first_check_that_has_assertions():
    text = """(declare-fun x () Int)(check-sat)(push 1)(declare-fun y () Int)(assert (= y 1))(pop 1)
        (declare-fun y () Real)(assert (= y 2.0))(set-info :status sat)(check-sat)
        (assert (unheard of))(set-info :status unsat)(check-sat)"""
    script = read(text)
    assert script.is_incremental and script.status == "sat"
    assert [writer.text(a) for a in script.asserts] == ["(= y 2.0)"]
    assert [d.sort for d in script.decls] == ["Int", "Real"]


def test_assumptions_count_as_assertions_and_reset_forgets():
    assert asserted("(declare-fun p () Bool)(assert p)(check-sat-assuming ((not p)))") == ["p", "(not p)"]
    assert asserted("(declare-fun p () Bool)(assert p)(reset)(declare-fun p () Int)(assert (= p 1))(check-sat)") == [
        "(= p 1)"
    ]
    assert asserted("(declare-fun p () Bool)(assert p)(reset-assertions)(assert (not p))(check-sat-using smt)") == [
        "(not p)"
    ]


def test_definitions_are_expanded_and_sorts_spelled_out():
    text = """(define-sort W (T) (Array T Float16))(declare-fun a () (W Int))(define-const c Int 3)
        (define-fun f ((x Int) (y Int)) Int (+ x (* y y)))(assert (fp.isNaN (select a (f c 4))))"""
    assert read(text).decls[0].sort == "(Array Int (_ FloatingPoint 5 11))"
    assert only(text) == "(fp.isNaN (select a (+ 3 (* 4 4))))"


def test_datatypes_of_every_draft():
    for command in (
        LIST,
        "(declare-datatype L ((nil) (cons (head Int) (tail L))))",
        "(declare-datatypes () ((L nil (cons (head Int) (tail L)))))",
    ):
        script = read(
            command
            + "(declare-fun l () L)(assert (and ((_ is cons) l) (is-cons (tail l)) (= (as nil L) ((as cons L) 1 l))))"
        )
        assert script.datatypes == {"L": {"nil": (), "cons": (("head", "Int"), ("tail", "L"))}}
        assert script.datatype_commands == (LIST,)
        assert writer.text(script.asserts[0]) == "(and ((_ is cons) l) ((_ is cons) (tail l)) (= nil (cons 1 l)))"


def test_match_becomes_tests_and_selectors():
    text = (
        LIST
        + "(declare-fun l () L)(assert (match l (((cons h t) (> h 0)) (nil false))))(assert (match l ((nil true) (x "
        "(= x l)))))"
    )
    assert asserted(text) == ["(ite ((_ is cons) l) (> (head l) 0) false)", "(ite ((_ is nil) l) true (= l l))"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(assert x)", "unknown symbol x"),
        ("(assert (foo true))", "unknown operator or symbol foo"),
        ("(assert ((_ foo 1) true))", "unknown operator or symbol (_ foo 1)"),
        ("(assert (bvadd #b1 #b11))", "bvadd does not take ((_ BitVec 1) (_ BitVec 2))"),
        ("(assert 3)", "asserted, but of sort Int: 3"),
        ("(declare-fun f (Int) Bool)(assert (f true))", "f does not take (Bool)"),
        ("(declare-fun f (Int) Bool)(assert f)", "f needs arguments"),
        ("(declare-fun x () (Seq Int))", "unknown sort (Seq Int)"),
        ("(define-fun-rec f ((x Int)) Int (f x))", "command define-fun-rec is not read"),
        (
            "(declare-datatypes ((P 1)) ((par (T) ((p (q T))))))",
            "datatypes with parameters are not read: (declare-datatypes ((P 1)) ((par (T) ((p (q T))))))",
        ),
        ("(assert (lambda ((x Int)) x))", "not read here: (lambda ((x Int)) x)"),
        ("(assert (let ((x)) x))", "not read here: (let ((x)) x)"),
        ("(assert (match 1 (x)))", "not read here: (match 1 (x))"),
        ("(declare-fun f (Int) Bool)(declare-fun f (Bool) Bool)", "f is declared twice"),
        ("(assert ())", "() is no term"),
        ("(declare-fun x)", "malformed command: (declare-fun x)"),
        ("(push many)", "malformed command: (push many)"),
        ("(pop 1)", "pop without push"),
        ("(assert (forall () true))", "no list of variables: ()"),
    ],
)
def test_what_is_not_read_is_named(text, message):
    with pytest.raises(SmtError) as error:
        read(text)
    assert str(error.value) == message


# --- terms ---


def test_equal_subterms_are_the_same_object():
    (term,) = read("(declare-fun x () Int)(assert (let ((y (+ x 1))) (= (* y 2) (* (+ x 1) 2))))").asserts
    assert term.args[0] is term.args[1]


def test_let_binds_in_parallel():
    assert only("(declare-fun x () Int)(declare-fun y () Int)(assert (let ((x y) (y x)) (< x y)))") == "(< y x)"


def test_variables_are_renamed_where_names_would_clash():
    text = """(declare-fun x () Int)(define-fun f ((z Int)) Bool (exists ((y Int)) (> y z)))
        (assert (forall ((x Int)) (= x 1)))(assert (forall ((y Int)) (f y)))(assert (f x))
        (assert (forall ((y Int)) (let ((z y)) (exists ((y Int)) (= z y)))))"""
    assert asserted(text) == [
        "(forall ((x!1 Int)) (= x!1 1))",
        "(forall ((y Int)) (exists ((y!2 Int)) (> y!2 y)))",
        "(exists ((y Int)) (> y x))",
        "(forall ((y Int)) (exists ((y!3 Int)) (= y y!3)))",
    ]


@pytest.mark.parametrize(
    ("logic", "text", "written"),
    [
        ("QF_LRA", "(< (* 2 x) (/ 1 3) (- 5))", "(< (* 2.0 x) (/ 1.0 3.0) (- 5.0))"),
        ("ALL", "(< (* 2 x) (/ 1 3) (- 5) i)", "(< (* 2.0 x) (/ 1.0 3.0) (- 5.0) (to_real i))"),
        ("QF_UFLIRA", "(= (g 1) (g i))", "(= (g 1.0) (g (to_real i)))"),
        ("", "(= (ite true 1 x) (select (store a 1 2) 3))", "(= (ite true 1.0 x) (select (store a 1 2.0) 3))"),
        ("", "(= a ((as const (Array Int Real)) 1))", "(= a ((as const (Array Int Real)) 1.0))"),
        ("", "(= -5 i)", "(= (- 5) i)"),
        (
            "",
            "(= ((_ to_fp 8 24) RNE 1) ((_ to_fp 8 24) roundTowardZero (/ 1 3)))",
            "(= ((_ to_fp 8 24) RNE 1.0) ((_ to_fp 8 24) RTZ (/ 1.0 3.0)))",
        ),
        ("", "(= (_ bv5 8) #x05)", "(= (_ bv5 8) #x05)"),
        (
            "",
            '(str.in.re (int.to.str i) (re.loop (str.to.re "a") 1 3))',
            '(str.in_re (str.from_int i) ((_ re.loop 1 3) (str.to_re "a")))',
        ),
        ("", "(= (_ char #x41) (str.at (_ char #x42) 0))", '(= "\\u{41}" (str.at "\\u{42}" 0))'),
        ("", "(implies (iff true false) (if true false true))", "(=> (= true false) (ite true false true))"),
    ],
)
def test_numbers_and_old_names_are_mended(logic, text, written):
    decls = [Decl("x", "Real"), Decl("i", "Int"), Decl("g", "Real", ("Real",)), Decl("a", "(Array Int Real)")]
    assert writer.text(read_term(text, decls, logic=logic)) == written


BV8, F32 = "(_ BitVec 8)", "(_ FloatingPoint 8 24)"


@pytest.mark.parametrize(
    ("op", "args", "sort"),
    [
        ("=>", ("Bool",) * 3, "Bool"), ("distinct", ("Int",) * 3, "Bool"), ("ite", ("Bool", BV8, BV8), BV8),
        ("-", ("Real",), "Real"),
        ("mod", ("Int", "Int"), "Int"), ("(_ divisible 3)", ("Int",), "Bool"), ("is_int", ("Real",), "Bool"),
        ("concat", (BV8, BV8, "(_ BitVec 1)"), "(_ BitVec 17)"), ("(_ extract 6 2)", (BV8,), "(_ BitVec 5)"),
        ("(_ repeat 3)", (BV8,), "(_ BitVec 24)"),
        ("(_ sign_extend 0)", (BV8,), BV8), ("(_ rotate_left 9)", (BV8,), BV8), ("bvcomp", (BV8, BV8), "(_ BitVec 1)"),
        ("bvredor", (BV8,), "(_ BitVec 1)"),
        ("bvsmulo", (BV8, BV8), "Bool"), ("bvnego", (BV8,), "Bool"), ("ubv_to_int", (BV8,), "Int"),
        ("(_ int_to_bv 8)", ("Int",), BV8),
        ("bvadd", (BV8, BV8, BV8), BV8), ("bvuge", (BV8, BV8), "Bool"),
        ("fp", ("(_ BitVec 1)", BV8, "(_ BitVec 23)"), F32), ("fp.fma", ("RoundingMode", F32, F32, F32), F32),
        ("fp.leq", (F32, F32, F32), "Bool"),
        ("(_ to_fp 8 24)", ("(_ BitVec 32)",), F32), ("(_ to_fp 8 24)", ("RoundingMode", BV8), F32),
        ("(_ to_fp 8 24)", ("RoundingMode", F32), F32),
        ("(_ to_fp_unsigned 8 24)", ("RoundingMode", BV8), F32), ("(_ fp.to_sbv 8)", ("RoundingMode", F32), BV8),
        ("fp.to_ieee_bv", (F32,), "(_ BitVec 32)"),
        ("fp.to_real", (F32,), "Real"), ("(_ +oo 8 24)", (), F32), ("(_ NaN 8 24)", (), F32),
        ("RTZ", (), "RoundingMode"),
        ("select", ("(Array Int Bool)", "Int"), "Bool"),
        ("store", ("(Array Int Bool)", "Int", "Bool"), "(Array Int Bool)"),
        ("(as const (Array Int Bool))", ("Bool",), "(Array Int Bool)"),
        ("str.replace_re", ("String", "RegLan", "String"), "String"), ("(_ re.^ 3)", ("RegLan",), "RegLan"),
        ("re.all", (), "RegLan"),
        ("#xfF", (), BV8), ("#b0", (), "(_ BitVec 1)"), ("(_ bv300 8)", (), BV8), ("1.50", (), "Real"),
        ('"a"', (), "String"),
    ],
)  # fmt: skip
def test_the_sort_of_an_application(op, args, sort):
    assert types.result_sort(op, args) == sort


@pytest.mark.parametrize(
    ("op", "args"),
    [("(_ extract 8 0)", (BV8,)), ("(_ extract 0)", (BV8,)), ("bvnot", (BV8, BV8)), ("=", ("Int", "Real")),
     ("fp.add", (F32, F32)), ("(_ repeat 0)", (BV8,)),
      ("select", ("(Array Int Bool)", "Bool")), ("(_ to_fp 8 24)", (BV8,)), ("ite", ("Bool", "Int")), ("+", ()),
      ("str.len", ("String", "String"))],
)  # fmt: skip
def test_ill_typed_applications_are_refused(op, args):
    with pytest.raises(SmtError):
        types.result_sort(op, args)


# --- size and depth ---


def doubled(first, times):
    """Nested lets whose tree has 2 ** times nodes."""
    lets = "".join(
        f"(let ((v{i} (+ {f'v{i - 1}' if i else first} {f'v{i - 1}' if i else first}))) " for i in range(times)
    )
    return f"{lets}(= v{times - 1} 0){')' * times}"


def test_what_let_shares_stays_shared():
    script = read(f"(declare-fun x () Int)(assert {doubled('x', 60)})")
    definitions, texts = writer.define(script.asserts, "d")
    assert definitions[:2] == [("d0", "Int", "(+ x x)"), ("d1", "Int", "(+ d0 d0)")]
    assert len(definitions) == 59 and texts == ["(= (+ d58 d58) 0)"]


def test_what_is_shared_under_a_quantifier_goes_into_a_let():
    term = read(f"(assert (forall ((x Int)) {doubled('x', 60)}))").asserts[0]
    definitions, (text,) = writer.define([term], "d")
    assert not definitions and len(text) < 2000
    again = read(f"(assert {text})").asserts[0]
    assert writer.define([again], "d") == ([], [text])


def test_closed_parts_of_quantified_formulas_are_defined_outside():
    terms = read(
        "(declare-fun y () Int)(assert (forall ((x Int)) (< (+ y 1) x)))(assert (exists ((x Int)) (> (* x x) (+ y 1))))"
    ).asserts
    assert writer.define(terms, "d") == (
        [("d0", "Int", "(+ y 1)")],
        ["(forall ((x Int)) (< d0 x))", "(exists ((x Int)) (> (* x x) d0))"],
    )


def test_numbers_stay_where_they_are():
    terms = read(
        "(declare-fun x () Real)(assert (< (* (/ 1 3) x) (* (- 5) x)))(assert (> (* (/ 1 3) x) (+ (* (- 5) x) x)))"
    ).asserts
    assert [body for _, _, body in writer.define(terms, "d")[0]] == ["(* (/ 1.0 3.0) x)", "(* (- 5.0) x)"]


def test_values_that_must_be_literals_get_no_name():
    decls = [Decl("a", "(Array Int Int)"), Decl("x", F32)]
    texts = [
        "(= a ((as const (Array Int Int)) (- 5)))",
        "(= (store a 0 (- 5)) ((as const (Array Int Int)) (- 5)))",
        "(fp.lt x ((_ to_fp 8 24) RNE (/ 1.0 3.0)))",
    ]
    names = Names((), {d.name: d for d in decls})
    assert writer.define([names.term(text) for text in texts], "d") == ([], texts)


def test_a_let_is_not_moved_out_of_the_quantifier_that_binds_its_variables():
    big = "(+ x z 1 2 3 4 5 6 7)"
    term = read_term(
        f"(forall ((x Int)) (and (exists ((z Int)) (< (* {big} {big}) x)) (exists ((z Int)) (> {big} x))))"
    )
    text = (
        "(forall ((x Int)) (and (exists ((z Int)) (let ((d0 (+ x z 1 2 3 4 5 6 7))) (< (* d0 d0) x))) (exists ((z "
        "Int)) (> (+ x z 1 2 3 4 5 6 7) x))))"
    )
    assert writer.define([term], "d") == ([], [text])


@pytest.mark.parametrize("one", ["(and p ", "(not ", "(let ((p (not p))) ", "(! ", "(forall ((q Int)) "])
def test_depth_is_no_trouble(one):
    depth = 10_000 if "forall" not in one else 1000
    end = " :named n)" if one == "(! " else ")"
    names = "".join(f" :named n{i})" for i in range(depth)) if one == "(! " else end * depth
    script = read(f"(declare-fun p () Bool)(assert {one * depth}p{names})")
    assert len(writer.text(script.asserts[0])) >= 1
    assert writer.define(script.asserts, "d")[1]


def test_definitions_that_double_each_other_end():
    lines = "".join(f"(define-fun f{i} ((x Int)) Int (f{i - 1} (f{i - 1} x)))" for i in range(1, 12))
    assert read(f"(define-fun f0 ((x Int)) Int (+ x x)){lines}(assert (= (f11 1) 0))").asserts[0].args[0].sort == "Int"


# --- reading and writing are inverse ---

DECLS = (Decl("p", "Bool"), Decl("i", "Int"), Decl("b", BV8), Decl("f", "Int", ("Int", "Bool")), Decl("|a b|", "Bool"))
INTS = st.sampled_from([Term("i", (), "Int"), Term("7", (), "Int")])
BITS = st.sampled_from([Term("b", (), BV8), Term("#x0f", (), BV8), Term("(_ bv3 8)", (), BV8)])
BOOLS = st.sampled_from([Term("p"), Term("true"), Term("|a b|")])


def grown(inner):
    ints = st.one_of(INTS, st.builds(lambda p: Term("f", (Term("i", (), "Int"), p), "Int"), inner))
    bits = st.one_of(BITS, st.builds(lambda p, x, y: Term("ite", (p, x, y), BV8), inner, BITS, BITS))
    return st.one_of(
        st.builds(
            lambda op, a: Term(op, tuple(a)),
            st.sampled_from(["and", "or", "xor", "=", "=>"]),
            st.lists(inner, min_size=2, max_size=3),
        ),
        st.builds(lambda a: Term("not", (a,)), inner),
        st.builds(lambda a, b: Term("<", (a, Term("-", (b,), "Int"))), ints, ints),
        st.builds(lambda a, b: Term("bvult", (a, Term("(_ rotate_left 1)", (b,), BV8))), bits, bits),
        st.builds(
            lambda a: Term(
                "forall", (Term("=", (Term("n", (), "Int"), Term("i", (), "Int"))),), "Bool", (("n", "Int"), ("m", BV8))
            ),
            inner,
        ),
    )


TERMS = st.recursive(BOOLS, grown, max_leaves=20)


@given(TERMS)
def test_a_written_term_is_read_again(term):
    assert read_term(writer.text(term), DECLS) == term


@given(st.lists(TERMS, min_size=1, max_size=3))
def test_a_term_written_with_definitions_is_read_again(terms):
    definitions, texts = writer.define(terms, "d")
    declared = "".join(f"(declare-fun {d.name} ({' '.join(d.args)}) {d.sort})" for d in DECLS)
    defined = "".join(f"(define-fun {name} () {sort} {body})" for name, sort, body in definitions)
    assert read(declared + defined + "".join(f"(assert {text})" for text in texts)).asserts == tuple(terms)


# --- models ---

MODEL_DECLS = (
    Decl("u", "U"), Decl("v", "U"), Decl("f", "Int", ("Int",)), Decl("g", "U", ("U", "Int")),
    Decl("a", "(Array Int Int)"), Decl("x", "Int"),
    Decl("y", "Real"), Decl("b", BV8), Decl("p", "Bool"),
)  # fmt: skip

Z3_489 = """(model
  ;; universe for U:
  ;;   U!val!1 U!val!0 U!val!2
  ;; -----------
  ;; definitions for universe elements:
  (declare-fun U!val!1 () U)
  (declare-fun U!val!0 () U)
  (declare-fun U!val!2 () U)
  ;; cardinality constraint:
  (forall ((x U)) (or (= x U!val!1) (= x U!val!0) (= x U!val!2)))
  ;; -----------
  (define-fun v () U
    U!val!1)
  (define-fun u () U
    U!val!0)
  (define-fun a () (Array Int Int)
    (store ((as const (Array Int Int)) (- 6)) 3 4))
  (define-fun b () (_ BitVec 8)
    #x81)
  (define-fun p () Bool
    true)
  (define-fun y () Real
    (- (/ 1.0 3.0)))
  (define-fun x () Int
    (- 3))
  (define-fun g ((x!0 U) (x!1 Int)) U
    U!val!2)
  (define-fun f ((x!0 Int)) Int
    (ite (= x!0 2) 7
      (- 5)))
)"""
Z3_54 = Z3_489.replace("(model", "(")
YICES = """(model
  (define-fun u () U (as @const_9 U))
  (define-fun v () U (as @const_10 U))
  (define-fun f ((x!0 Int)) Int (ite (= x!0 1) (- 5) (ite (= x!0 2) 7 0)))
  (define-fun g ((x!0 U) (x!1 Int)) U (ite (and (= x!0 (as @const_9 U)) (= x!1 1)) (as @const_11 U) (as @const_21 U)))
  (define-fun a ((x!0 Int)) Int (ite (= x!0 3) 4 (ite (= x!0 5) (- 6) 6)))
  (define-fun x () Int (- 3))
  (define-fun y () Real (/ (- 1) 3))
  (define-fun b () (_ BitVec 8) #b11000000)
  (define-fun p () Bool true))"""
CVC4 = """(model
; cardinality of U is 3
(declare-sort U 0)
; rep: @uc_U_0
; rep: @uc_U_1
; rep: @uc_U_2
(define-fun u () U @uc_U_0)
(define-fun v () U @uc_U_1)
(define-fun f ((BOUND_VARIABLE_435 Int)) Int (ite (= BOUND_VARIABLE_435 1) (- 5) 7))
(define-fun g ((BOUND_VARIABLE_449 U) (BOUND_VARIABLE_450 Int)) U @uc_U_2)
(define-fun a () (Array Int Int) (store (store ((as const (Array Int Int)) 0) 5 (- 6)) 3 4))
(define-fun x () Int (- 3))
(define-fun y () Real (/ (- 1) 3))
(define-fun b () (_ BitVec 8) #b10000001)
(define-fun p () Bool true)
)"""
CVC5 = """(
; cardinality of U is 3
; rep: (as @U_0 U)
; rep: (as @U_1 U)
; rep: (as @U_2 U)
(define-fun u () U (as @U_0 U))
(define-fun v () U (as @U_1 U))
(define-fun f ((_arg_1 Int)) Int (ite (= _arg_1 1) (- 5) 7))
(define-fun g ((_arg_1 U) (_arg_2 Int)) U (as @U_2 U))
(define-fun a () (Array Int Int) (store (store ((as const (Array Int Int)) 0) 5 (- 6)) 3 4))
(define-fun x () Int (- 3))
(define-fun y () Real (/ (- 1) 3))
(define-fun b () (_ BitVec 8) #b10000001)
(define-fun p () Bool true)
)"""


@pytest.mark.parametrize("text", [Z3_489, Z3_54, YICES, CVC4, CVC5])
def test_the_models_of_five_solvers_are_read(text):
    model = read_model("sat\n" + text, MODEL_DECLS)
    assert set(model) == {d.name for d in MODEL_DECLS}
    for d in MODEL_DECLS:
        assert (model[d.name].sort, tuple(s for _, s in model[d.name].params)) == (d.sort, d.args)
        assert model[d.name].body.sort == d.sort
    assert writer.text(model["x"].body) == "(- 3)"
    assert writer.text(model["y"].body) in ("(- (/ 1.0 3.0))", "(/ (- 1.0) 3.0)")
    assert model["u"].body.sort == "U" and model["u"].body != model["v"].body


def test_an_array_that_is_printed_as_a_function_is_a_lambda():
    body = read_model(YICES, MODEL_DECLS)["a"].body
    assert (body.op, body.bound, body.sort) == ("lambda", (("x!0", "Int"),), "(Array Int Int)")


def test_bitwuzlas_functions_and_floats():
    text = """(
  (define-fun f ((@bzla.var_1061 (_ BitVec 8))  (@bzla.var_1062 Bool)) (_ BitVec 8) (ite (and (= @bzla.var_1061 \
#b00000000) (= @bzla.var_1062 true)) #b00000011 #b00000000))
  (define-fun n () (_ FloatingPoint 5 11) (fp #b0 #b11111 #b1000000000))
  (define-fun r () RoundingMode RTZ)
  (define-fun u () U (as @bzla.value_1 U))
)"""
    model = read_model(
        text,
        [Decl("f", BV8, (BV8, "Bool")), Decl("n", "(_ FloatingPoint 5 11)"), Decl("r", "RoundingMode"), Decl("u", "U")],
    )
    assert model["f"].params == (("@bzla.var_1061", BV8), ("@bzla.var_1062", "Bool"))
    assert writer.text(model["u"].body) == "(as @bzla.value_1 U)" and model["n"].body.op == "fp"


def test_strings_datatypes_and_rounding_modes_of_models():
    text = """((declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
  (define-fun s () String "\\u{9}\\u{9}") (define-fun l () L (cons (- 2) nil))
  (define-fun r () RoundingMode roundNearestTiesToAway)
  (define-fun fl () Float32 (_ NaN 8 24)))"""
    datatypes = {"L": {"nil": (), "cons": (("head", "Int"), ("tail", "L"))}}
    model = read_model(
        text, [Decl("s", "String"), Decl("l", "L"), Decl("r", "RoundingMode"), Decl("fl", F32)], datatypes
    )
    assert [writer.text(model[n].body) for n in ("s", "l", "r", "fl")] == [
        '"\\u{9}\\u{9}"',
        "(cons (- 2) nil)",
        "RNA",
        "(_ NaN 8 24)",
    ]


@pytest.mark.parametrize(
    "value",
    ["(root-obj (+ (^ x 2) (- 2)) 1)", "(_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>)", "-1.414214", "1.414214"],
)
def test_algebraic_numbers_are_kept_apart(value):
    body = read_model(f"((define-fun z () Real {value}))", [Decl("z", "Real")])["z"].body
    assert (body.op, body.sort) == ("root-obj", "Real")


def test_functions_that_a_solver_made_up_are_expanded_whatever_their_order():
    text = """((define-fun a () (Array Int Int) (_ as-array k!0)) (define-fun f ((x!0 Int)) Int (f!1 (k!0 x!0)))
        (define-fun f!1 ((x!0 Int)) Int (ite (= x!0 1) 2 3))
        (define-fun k!0 ((x!0 Int)) Int (let ((a!1 (* x!0 2))) (+ a!1 a!1)))
        (define-fun b () (Array Int Int) (lambda ((x Int)) (ite (= x 0) 1 2)))
        (define-fun-rec h ((n Int)) Int (ite (= n 0) 0 (h (- n 1)))))"""
    decls = [
        Decl("a", "(Array Int Int)"),
        Decl("b", "(Array Int Int)"),
        Decl("f", "Int", ("Int",)),
        Decl("h", "Int", ("Int",)),
    ]
    model = read_model(text, decls)
    assert list(model) == ["a", "f", "f!1", "k!0", "b", "h"]
    assert writer.text(model["a"].body) == "(lambda ((x!0 Int)) (+ (* x!0 2) (* x!0 2)))"
    assert writer.text(model["f"].body) == "(ite (= (+ (* x!0 2) (* x!0 2)) 1) 2 3)"
    assert writer.text(model["b"].body) == "(lambda ((x Int)) (ite (= x 0) 1 2))"
    assert writer.text(model["h"].body) == "(ite (= n 0) 0 (h (- n 1)))"


def test_cvc4_may_give_a_witness():
    text = "(model (define-fun z () Real (witness ((B Real)) (>= B (/ (- 7) 5)))))"
    body = read_model(text, [Decl("z", "Real")])["z"].body
    assert (body.op, body.sort) == ("witness", "Real")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sat",
        "((define-fun x () Int y))",
        "((define-fun x () Int",
        "((define-fun x () Int true))",
        '(error "no")(x)',
    ],
)
def test_what_is_no_model_is_refused(text):
    with pytest.raises(SmtError):
        read_model(text, [Decl("x", "Int")])
