"""Formulas as a learner types them: `N log2 N - (N-1)`, `2N - 2 - log₂N`, `T(C-1)`.

A small parser that only knows numbers, one-letter variables, + - * / ^, brackets and a few
functions. A product's sign may be left out. Two formulas are the same when they agree at several
values of their variables.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|(log2|log|lg|ld|ceil|floor)|([A-Za-z])|(\*\*|[-+*/^()]))")
_SAME_SIGN = {
    **dict.fromkeys("·\u00d7\u2217\u22c5", "*"),
    **dict.fromkeys("\u2212\u2013\u2010\u2011", "-"),
    "÷": "/",
    "₂": "2",
    "²": "^2",
    "[": "(",
    "]": ")",
}
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "log2": math.log2,
    "log": math.log2,
    "lg": math.log2,
    "ld": math.log2,
    "ceil": math.ceil,
    "floor": math.floor,
}
_SAMPLES = (4.0, 16.0, 64.0, 1024.0)
_FRACTIONS = (0.0001, 0.0002, 0.0005)
_LONGEST = 200
_DEEPEST = 30
_LARGEST_EXPONENT = 64


class FormulaError(ValueError):
    """What was typed is no formula; the message says what could not be read."""


def evaluate(text: str, variables: Mapping[str, float] | None = None) -> float:
    """The value of a formula. Variables may be typed in either case."""
    return _Parser(text, variables or {}).value()


def same(typed: str, reference: str, variables: Sequence[str]) -> bool:
    """True when the two agree wherever they are sampled; raises FormulaError for `typed` only."""
    for values in _sample_points(variables):
        wanted, got = evaluate(reference, values), evaluate(typed, values)
        if not math.isclose(wanted, got, rel_tol=1e-9, abs_tol=1e-9):
            return False
    return True


def _sample_points(variables: Sequence[str]) -> Iterator[dict[str, float]]:
    """A small letter `u` stands for a roundoff and so is sampled small; all others large."""
    choices = [_FRACTIONS if name == "u" else _SAMPLES for name in variables]
    for values in itertools.product(*choices):
        yield dict(zip(variables, values, strict=True))


class _Parser:
    """Recursive descent over the tokens; a value is computed as it is read."""

    def __init__(self, text: str, variables: Mapping[str, float]) -> None:
        self._tokens = _tokens(text)
        self._at = 0
        self._depth = 0
        self._variables = variables

    def value(self) -> float:
        try:
            result = self._sum()
        except (OverflowError, ZeroDivisionError, ArithmeticError) as problem:
            raise FormulaError("this has no value") from problem
        if self._at < len(self._tokens):
            raise FormulaError(f"not understood from {self._tokens[self._at]!r} on")
        if not math.isfinite(result):
            raise FormulaError("this has no finite value")
        return result

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _sum(self) -> float:
        result = self._product()
        while self._peek() in ("+", "-"):
            sign = self._take()
            term = self._product()
            result = result + term if sign == "+" else result - term
        return result

    def _product(self) -> float:
        result = self._signed()
        while (token := self._peek()) and token not in ("+", "-", ")", "^"):
            if token == "/":
                self._take()
                result /= self._signed()
            else:
                if token == "*":
                    self._take()
                result *= self._signed()
        return result

    def _signed(self) -> float:
        if self._peek() in ("-", "+"):
            return -self._signed_after() if self._take() == "-" else self._signed_after()
        return self._power()

    def _signed_after(self) -> float:
        self._descend()
        result = self._signed()
        self._depth -= 1
        return result

    def _power(self) -> float:
        base = self._atom()
        if self._peek() != "^":
            return base
        self._take()
        exponent = self._signed_after()
        if abs(exponent) > _LARGEST_EXPONENT and base not in (0.0, 1.0, 2.0):
            raise FormulaError("the exponent is too large")
        result = base**exponent
        if isinstance(result, complex):
            raise FormulaError("this has no real value")
        return float(result)

    def _atom(self) -> float:
        token = self._take()
        if token == "(":
            return self._bracket()
        if token in _FUNCTIONS:
            return self._call(token)
        if token[:1].isdigit():
            return float(token)
        if token.isalpha():
            return self._variable(token)
        raise FormulaError(f"something is missing before {token!r}" if token else "something is missing at the end")

    def _bracket(self) -> float:
        self._descend()
        result = self._sum()
        self._depth -= 1
        if self._take() != ")":
            raise FormulaError("a bracket is not closed")
        return result

    def _call(self, name: str) -> float:
        argument = self._power()
        try:
            return float(_FUNCTIONS[name](argument))
        except ValueError as problem:
            raise FormulaError(f"{name} of {argument:g} has no value") from problem

    def _variable(self, name: str) -> float:
        for known in (name, name.upper(), name.lower()):
            if known in self._variables:
                return float(self._variables[known])
        known_names = ", ".join(self._variables) or "none"
        raise FormulaError(f"{name} is not known here (the variables: {known_names})")

    def _descend(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise FormulaError("too many brackets")


def _tokens(text: str) -> list[str]:
    if len(text) > _LONGEST:
        raise FormulaError("this is too long for a formula")
    plain = "".join(_SAME_SIGN.get(char, char) for char in text).strip()
    tokens: list[str] = []
    at = 0
    while at < len(plain):
        match = _TOKEN.match(plain, at)
        if not match:
            raise FormulaError(f"{plain[at:].strip()[:1]!r} is not understood")
        tokens.append("^" if match[0].strip() == "**" else match[0].strip())
        at = match.end()
    if not tokens:
        raise FormulaError("nothing was typed")
    return tokens
