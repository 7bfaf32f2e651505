"""cvc5, by its Python binding in a process of its own (`shell`); every release since 1.1.0, the first whose binding reads SMT-LIB."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from gainsay.engines import shell, solver

NAME = "cvc5"
FAMILY = "smt"
DIALECT = "smtlib"
PACKAGE = "cvc5"
OPTIONS: Mapping[str, str] = solver.TIME
PRELUDE: Sequence[str] = ()
STRINGS = "(set-option :strings-exp true)"  # without it most operators on strings are refused; it makes every logic a quantified one
CONFIGS: Mapping[str, Sequence[str]] = {
    "default": (),
    "finite-model-find": ("(set-option :finite-model-find true)",),
    "nl-cov": ("(set-option :nl-cov true)",),
    "no-nl-ext": ("(set-option :nl-ext none)",),
    "nl-ext-light": ("(set-option :nl-ext light)",),
    "nl-ext-tplanes": ("(set-option :nl-ext-tplanes true)",),
    "nl-icp": ("(set-option :nl-icp true)",),
    "bitblast-internal": ("(set-option :bv-solver bitblast-internal)",),
    "bv-as-int": ("(set-option :solve-bv-as-int sum)",),
    "bv-to-bool": ("(set-option :bv-to-bool true)",),
    "bool-to-bv": ("(set-option :bool-to-bv ite)",),
    "bv-gauss-elim": ("(set-option :bv-gauss-elim true)",),
    "decision-internal": ("(set-option :decision internal)",),
    "decision-justification": ("(set-option :decision justification)",),
    "decision-stoponly": ("(set-option :decision stoponly)",),
    "no-simplification": ("(set-option :simplification none)",),
    "unconstrained-simp": ("(set-option :unconstrained-simp true)",),
    "ackermann": ("(set-option :ackermann true)",),
    "sort-inference": ("(set-option :sort-inference true)",),
    "ext-rew-prep": ("(set-option :ext-rew-prep agg)",),
    "learned-rewrite": ("(set-option :learned-rewrite true)",),
    "static-learning": ("(set-option :static-learning false)",),
    "ite-simp": ("(set-option :ite-simp true)",),
    "repeat-simp": ("(set-option :repeat-simp true)",),
    "global-negate": ("(set-option :global-negate true)",),
    "macros-quant": ("(set-option :macros-quant true)",),
    "pre-skolem-quant": ("(set-option :pre-skolem-quant on)",),
    "enum-inst": ("(set-option :enum-inst true)",),
    "mbqi": ("(set-option :mbqi true)",),
    "cegqi-all": ("(set-option :cegqi-all true)",),
    "no-cegqi": ("(set-option :cegqi false)",),
    "strings-fmf": ("(set-option :strings-fmf true)",),
    "no-strings-lazy-pp": ("(set-option :strings-lazy-pp false)",),
    "no-strings-eager-solver": ("(set-option :strings-eager-solver false)",),
    "re-elim": ("(set-option :re-elim agg)",),
    "arrays-weak-equiv": ("(set-option :arrays-weak-equiv true)",),
    "arrays-eager-index": ("(set-option :arrays-eager-index false)",),
    "arith-rewrite-equalities": ("(set-option :arith-rewrite-equalities true)",),
    "arith-eq-solver": ("(set-option :arith-eq-solver true)",),
    "soi": ("(set-option :use-soi true)",),
    "fc-simplex": ("(set-option :use-fcsimplex true)",),
    "minisat-simplification-none": ("(set-option :minisat-simplification none)",),
    "central-equality-engine": ("(set-option :ee-mode central)",),
    "care-graph": ("(set-option :tc-mode care-graph)",),
    "dt-share-sel": ("(set-option :dt-share-sel false)",),
    "fp-exp": ("(set-option :fp-exp true)",),
}
REPRO = '''
import cvc5
from importlib import metadata
VERSION = "cvc5 " + metadata.version("cvc5")
PRELUDE = {prelude!r}
def ask(text):
    """All that the solver prints for a whole script."""
    text = text.removeprefix("(reset)")
    has_terms = hasattr(cvc5, "TermManager")
    terms = cvc5.TermManager() if has_terms else None
    solver = cvc5.Solver(terms) if has_terms else cvc5.Solver()
    solver.setOption("incremental", "true" if "(push" in text or text.count("(check-sat") > 1 else "false")
    if "(get-model" in text or "(get-value" in text:
        solver.setOption("produce-models", "true")
    if "(get-unsat-core" in text:
        solver.setOption("produce-unsat-cores", "true")
    if "str." in text or "String" in text:
        solver.setOption("strings-exp", "true")
    parser = cvc5.InputParser(solver)
    symbols = parser.getSymbolManager()
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, PRELUDE + text, "script")
    printed = ""
    try:
        while not (command := parser.nextCommand()).isNull():
            said = command.invoke(solver, symbols)
            printed += said if isinstance(said, str) else said.decode()
    except RuntimeError as error:
        printed += f'(error "{{error}}")\\n'
    return printed
'''


def version() -> str:
    from importlib import metadata, util

    if util.find_spec("cvc5") is None:
        raise ModuleNotFoundError("No module named 'cvc5'", name="cvc5")
    return metadata.version("cvc5")


def build() -> Sequence[str]:
    return ()


def open_session(configs: Sequence[str], options: Mapping[str, str]) -> solver.Session:
    command = [sys.executable, "-P", shell.__file__, "cvc5"]
    once, resident = ([*command, kind, str(solver.own_ms(options))] for kind in ("once", "resident"))
    return solver.Session(solver.Plan(once, resident, once, solver.prelude(PRELUDE, CONFIGS, configs), STRINGS, limit_s=solver.limit(options)))


def facts(version: str, build: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    return {}


PROOFS: Mapping[str, tuple[str, Mapping[str, str]]] = {}


def requirements(version: str) -> Sequence[str]:
    return [f"cvc5=={version}"]


def available() -> Mapping[str, str]:
    return {"cvc5": r"^((?:1\.[1-9]\d*|[2-9]\d*\.\d+)\.\d+)$"}


def environment(version: str, options: Mapping[str, str]) -> Mapping[str, str]:
    return {}


def prove(options: Mapping[str, str]) -> None:
    solver.limit(options)
    found = version()
    if tuple(int(n) for n in found.split(".")[:2] if n.isdigit()) < (1, 1):
        raise RuntimeError(f"the Python binding of cvc5 {found} reads no SMT-LIB. Use cvc5 1.1.0 or later, such as cvc5@1.1.0.")


def repro(version: str, options: Mapping[str, str], configs: Sequence[str] = ()) -> str:
    return REPRO.format(prelude="".join(f"{line}\n" for line in solver.prelude(PRELUDE, CONFIGS, configs)))
