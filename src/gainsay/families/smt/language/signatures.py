"""What an operator makes of the sorts of its arguments: by a signature as text, or by a rule of its own.

In a signature + stands for one or more. One letter stands for any sort of a kind, the same one wherever it is: B
bit-vectors, F floats, N numbers, A all. A rule gives the sort of the result, and nothing where the arguments don't
fit."""

from __future__ import annotations

from collections.abc import Callable

from gainsay.families.smt.language import sorts as s

KINDS: dict[str, Callable[[str], bool]] = {
    "A": lambda sort: True,
    "B": s.is_bv,
    "F": s.is_fp,
    "N": lambda sort: sort in ("Int", "Real"),
}
ABBREVIATIONS = {"Bit": "(_ BitVec 1)"}
Rule = Callable[[tuple[str, ...]], str]
Indexed = Callable[[list[int], tuple[str, ...]], str]


def rule(signature: str) -> Rule:
    """What a signature says of sorts: `B B+ -> B` takes two words or more of one width, and gives such a word."""
    args_text, _, result = signature.partition(" -> ")
    wanted, result = args_text.split(), ABBREVIATIONS.get(result, result)
    is_long = wanted[-1].endswith("+")
    sorts = [w.rstrip("+") for w in wanted]

    def found(args: tuple[str, ...]) -> str:
        if len(args) < len(sorts) or (len(args) > len(sorts) and not is_long):
            return ""
        chosen: dict[str, str] = {}
        for i, arg in enumerate(args):
            want = sorts[min(i, len(sorts) - 1)]
            if want in KINDS:
                if not KINDS[want](arg) or chosen.setdefault(want, arg) != arg:
                    return ""
            elif want != arg:
                return ""
        return chosen.get(result, result)

    return found


def concat(args: tuple[str, ...]) -> str:
    return s.bv(sum(map(s.width, args))) if all(map(s.is_bv, args)) else ""


def triple(args: tuple[str, ...]) -> str:
    if len(args) != 3 or not all(map(s.is_bv, args)) or s.width(args[0]) != 1:
        return ""
    return s.fp(s.width(args[1]), s.width(args[2]) + 1)


def to_ieee_bv(args: tuple[str, ...]) -> str:
    return s.bv(sum(s.float_of(args[0]))) if len(args) == 1 and s.is_fp(args[0]) else ""


def select(args: tuple[str, ...]) -> str:
    if len(args) != 2 or not s.is_array(args[0]):
        return ""
    index, element = s.array_of(args[0])
    return element if args[1] == index else ""


def store(args: tuple[str, ...]) -> str:
    return args[0] if len(args) == 3 and s.is_array(args[0]) and s.array_of(args[0]) == args[1:] else ""


def one_word(args: tuple[str, ...]) -> int:
    """The width of a single bit-vector argument; 0 if it is something else."""
    return s.width(args[0]) if len(args) == 1 and s.is_bv(args[0]) else 0


def extract(at: list[int], args: tuple[str, ...]) -> str:
    high, low = at
    return s.bv(high - low + 1) if low <= high < one_word(args) else ""


def longer(at: list[int], args: tuple[str, ...]) -> str:
    bits = one_word(args)
    return s.bv(bits + at[0]) if bits else ""


def rotated(at: list[int], args: tuple[str, ...]) -> str:
    return args[0] if one_word(args) else ""


def repeated(at: list[int], args: tuple[str, ...]) -> str:
    bits = one_word(args) * at[0]
    return s.bv(bits) if bits else ""


def to_fp(at: list[int], args: tuple[str, ...]) -> str:
    sort = s.fp(at[0], at[1])
    if len(args) == 1:
        return sort if one_word(args) == sum(at) else ""
    is_taken = (
        len(args) == 2 and args[0] == "RoundingMode" and (args[1] == "Real" or s.is_fp(args[1]) or s.is_bv(args[1]))
    )
    return sort if is_taken else ""


def to_fp_unsigned(at: list[int], args: tuple[str, ...]) -> str:
    return s.fp(at[0], at[1]) if len(args) == 2 and args[0] == "RoundingMode" and s.is_bv(args[1]) else ""


def from_fp(at: list[int], args: tuple[str, ...]) -> str:
    return s.bv(at[0]) if len(args) == 2 and args[0] == "RoundingMode" and s.is_fp(args[1]) and at[0] else ""


def from_int(at: list[int], args: tuple[str, ...]) -> str:
    return s.bv(at[0]) if args == ("Int",) and at[0] else ""


def divisible(at: list[int], args: tuple[str, ...]) -> str:
    return "Bool" if args == ("Int",) and at[0] else ""


def regex(at: list[int], args: tuple[str, ...]) -> str:
    return "RegLan" if args == ("RegLan",) else ""
