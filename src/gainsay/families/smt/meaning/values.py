"""What the exact evaluator shares: the one way in which a ground term has no value of its own."""

from __future__ import annotations


class Undetermined(Exception):
    """The standard leaves this value to the solver, or computing it would cost too much."""
