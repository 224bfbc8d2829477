"""The coarse shape of a C++ file, read from its tokens: functions with their qualifiers, template
parameters, specialisations. Enough to say what a submission defines; never a parser of the language.

What cannot be made sense of is left out: the compiler has the last word on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from scanlab.tokens import Kind, Token, angle_closing, angle_opening, closing_index

CUDA_QUALIFIERS = frozenset({"__global__", "__device__", "__host__"})
_WITH_ARGUMENTS = frozenset(
    "__launch_bounds__ __align__ __builtin_align__ __cluster_dims__ __attribute__ __attribute alignas decltype "
    "noexcept explicit throw sizeof static_assert".split()
)
_TYPE_WORDS = frozenset(
    "void bool char short int long float double signed unsigned const volatile auto wchar_t char8_t char16_t "
    "char32_t size_t ptrdiff_t struct class enum typename uint dim3 __half half __int128".split()
)
_NOT_NAMES = frozenset("if for while switch return sizeof alignof new delete catch operator else do".split())


@dataclass(frozen=True)
class Function:
    """A function at namespace or class scope."""

    name: str
    line: int
    qualifiers: frozenset[str]
    type_parameters: frozenset[str]  # its own and those of the classes around it
    parameters: tuple[tuple[Token, ...], ...]
    head: tuple[Token, ...]  # what stands before the name
    body: tuple[int, int] | None  # indices of its braces
    scope: str  # "" or the classes around it

    @property
    def is_kernel(self) -> bool:
        return "__global__" in self.qualifiers

    @property
    def on_device(self) -> bool:
        return bool(self.qualifiers & {"__global__", "__device__"})

    @property
    def on_host(self) -> bool:
        return "__host__" in self.qualifiers or not self.on_device


@dataclass(frozen=True)
class Specialisation:
    """`template <>` or a partial one; `on_type` where an argument says a type rather than a value."""

    line: int
    words: str
    on_type: bool


@dataclass(frozen=True)
class Shapes:
    """All that was read."""

    functions: tuple[Function, ...]
    specialisations: tuple[Specialisation, ...]
    type_parameters: frozenset[str]
    defined: frozenset[str]  # functions with a body, and names given a lambda
    template_list_indices: frozenset[int]
    overloads_on_type: tuple[tuple[int, str], ...]

    def named(self, name: str) -> tuple[Function, ...]:
        return tuple(function for function in self.functions if function.name == name)


def read(code: Sequence[Token]) -> Shapes:
    """Reads the whole file."""
    reader = _Reader(code)
    reader.scope(0, len(code), "", frozenset())
    parameters = frozenset(_type_parameters(code, reader.header_indices))
    lambdas = {
        code[at].text
        for at in range(len(code) - 2)
        if code[at].kind is Kind.WORD and code[at + 1].text == "=" and code[at + 2].text == "["
    }
    with_body = {function.name for function in reader.functions if function.body}
    return Shapes(
        functions=tuple(reader.functions),
        specialisations=tuple(reader.specialisations),
        type_parameters=parameters,
        defined=frozenset(with_body | lambdas),
        template_list_indices=frozenset(reader.header_indices),
        overloads_on_type=tuple(_overloads(reader.functions)),
    )


class _Reader:
    """Walks declarations scope by scope; function bodies are stepped over."""

    def __init__(self, code: Sequence[Token]) -> None:
        self.code = code
        self.functions: list[Function] = []
        self.specialisations: list[Specialisation] = []
        self.header_indices: set[int] = set(_all_template_lists(code))

    def scope(self, start: int, stop: int, name: str, parameters: frozenset[str]) -> None:
        at = start
        while at < stop:
            following = self._declaration(at, stop, name, parameters)
            at = following if following > at else at + 1

    def _declaration(self, at: int, stop: int, scope: str, outer: frozenset[str]) -> int:
        code, first = self.code, self.code[at].text
        if first in (";", "}", "public", "private", "protected", ":"):
            return at + 1
        if first == "namespace" or (first == "extern" and at + 1 < stop and code[at + 1].kind is Kind.STRING):
            return self._namespace(at, stop, scope, outer)
        if first == "template" and at + 1 < stop and code[at + 1].text != "<":
            return _after_semicolon(code, at, stop)  # an explicit instantiation
        headers: list[tuple[int, int]] = []
        begin = at
        while at + 1 < stop and code[at].text == "template" and code[at + 1].text == "<":
            closed = angle_closing(code, at + 1)
            if closed is None:
                return stop
            headers.append((at + 1, closed))
            at = closed + 1
        own = {word for opened, closed in headers for word in _declared_types(code, opened, closed)}
        return self._entity(begin, at, stop, scope, outer | own, headers)

    def _namespace(self, at: int, stop: int, scope: str, outer: frozenset[str]) -> int:
        code = self.code
        for opened in range(at, stop):
            if code[opened].text in (";", "="):
                return _after_semicolon(code, opened, stop)
            if code[opened].text == "{":
                closed = closing_index(code, opened)
                closed = stop if closed is None else min(closed, stop)
                self.scope(opened + 1, closed, scope, outer)
                return closed + 1
        # extern "C" in front of one declaration
        return at + 2

    def _entity(
        self,
        begin: int,
        at: int,
        stop: int,
        scope: str,
        parameters: frozenset[str],
        headers: list[tuple[int, int]],
    ) -> int:
        """One class, function, variable or alias; gives the index after it."""
        code = self.code
        keyword = self._class_keyword(at, stop)
        if keyword is not None:
            return self._class(begin, keyword, stop, scope, parameters, headers)
        opened = self._parameter_list(at, stop)
        if opened is None:
            end = _after_semicolon(code, at, stop)
            if headers:
                self._note_variable(begin, at, end, headers)
            return end
        closed = closing_index(code, opened)
        if closed is None:
            return stop
        body = self._body(closed + 1, stop)
        end = body[1] + 1 if body else _after_semicolon(code, closed, stop)
        self._add_function(begin, at, opened, closed, body, scope, parameters, headers)
        return end

    def _class_keyword(self, at: int, stop: int) -> int | None:
        """Where `struct`, `class`, `union` or `enum` opens a definition or declaration."""
        code = self.code
        for index in range(at, stop):
            text = code[index].text
            if text in ("(", ";", "=", "{", "}"):
                return None
            if text in ("struct", "class", "union", "enum"):
                # `struct S f()` names a type in front of something else.
                for ahead in range(index + 1, stop):
                    if code[ahead].text in ("{", ";"):
                        return index
                    if code[ahead].text in ("(", "=", "*", "&"):
                        if code[ahead - 1].text in _WITH_ARGUMENTS:
                            continue
                        return index if code[ahead - 1].text == ")" else None
                return None
        return None

    def _class(
        self,
        begin: int,
        keyword: int,
        stop: int,
        scope: str,
        parameters: frozenset[str],
        headers: list[tuple[int, int]],
    ) -> int:
        code = self.code
        at = keyword + 1
        while at < stop and code[at].text in _WITH_ARGUMENTS | {"class", "struct"}:
            if at + 1 < stop and code[at + 1].text == "(":
                at = (closing_index(code, at + 1) or stop) + 1
            else:
                at += 1
        name = code[at].text if at < stop and code[at].kind is Kind.WORD else ""
        if headers and at + 1 < stop and code[at + 1].text == "<":
            self._specialised(begin, at + 1, code[keyword].line, headers)
        while at < stop and code[at].text not in ("{", ";"):
            at += 1
        if at < stop and code[at].text == "{":
            closed = closing_index(code, at)
            closed = stop if closed is None else min(closed, stop)
            if code[keyword].text != "enum":
                self.scope(at + 1, closed, f"{scope}{name}::", parameters)
            at = closed
            # `struct S { ... } a, b;`
            return _after_semicolon(code, at, stop) if at + 1 < stop and code[at + 1].text != "}" else at + 1
        return at + 1

    def _parameter_list(self, at: int, stop: int) -> int | None:
        """The `(` of a function's parameters; None for a variable, an alias and the like."""
        code, index = self.code, at
        while index < stop:
            text = code[index].text
            if text in (";", "{", "}", "=") and not (index and code[index - 1].text == "operator"):
                return None
            if text == "(":
                before = code[index - 1]
                if before.text in _WITH_ARGUMENTS:
                    index = (closing_index(code, index) or stop) + 1
                    continue
                if before.text == "operator":  # operator()
                    index += 2
                    continue
                named = before.kind is Kind.WORD and before.text not in _NOT_NAMES
                if named or before.text == ">" or (index >= 2 and "operator" in _texts(code, index - 3, index)):
                    return index
                index = (closing_index(code, index) or stop) + 1
                continue
            index += 1
        return None

    def _body(self, at: int, stop: int) -> tuple[int, int] | None:
        """The braces of a function whose parameter list ended before `at`; None for a declaration."""
        code = self.code
        while at < stop:
            text = code[at].text
            if text in (";", "=", "}"):
                return None
            if text == ":":
                at = self._after_initialisers(at + 1, stop)
                continue
            if text == "{":
                closed = closing_index(code, at)
                return (at, stop - 1 if closed is None else closed)
            if text == "(":
                at = closing_index(code, at) or stop
            at += 1
        return None

    def _after_initialisers(self, at: int, stop: int) -> int:
        code = self.code
        while at < stop:
            while at < stop and code[at].text not in ("(", "{"):
                at += 1
            closed = closing_index(code, at) if at < stop else None
            if closed is None:
                return stop
            at = closed + 1
            if at >= stop or code[at].text != ",":
                return at
        return at

    def _add_function(
        self,
        begin: int,
        at: int,
        opened: int,
        closed: int,
        body: tuple[int, int] | None,
        scope: str,
        parameters: frozenset[str],
        headers: list[tuple[int, int]],
    ) -> None:
        code = self.code
        name_at = opened - 1
        if code[name_at].text == ">":
            angle = angle_opening(code, name_at)
            if angle is None or angle == 0:
                return
            name_at = angle - 1
        name = code[name_at].text
        for back in (1, 2, 3):
            if name_at - back >= at and code[name_at - back].text == "operator":
                name_at -= back
                name = "operator" + "".join(_texts(code, name_at + 1, opened))
                break
        if any(closing == start + 1 for start, closing in headers):
            self._specialised(begin, name_at + 1, code[name_at].line, headers)
        head = tuple(code[at:name_at])
        words = {token.text for token in head}
        self.functions.append(
            Function(
                name=name,
                line=code[name_at].line,
                qualifiers=frozenset(words & (CUDA_QUALIFIERS | {"constexpr", "friend", "static"})),
                type_parameters=parameters,
                parameters=tuple(_split(code, opened + 1, closed)),
                head=head,
                body=body,
                scope=scope,
            )
        )

    def _note_variable(self, begin: int, at: int, end: int, headers: list[tuple[int, int]]) -> None:
        """`template <> constexpr bool knows<int> = true;`"""
        code = self.code
        if code[at].text == "using":
            return
        for index in range(at, end):
            if code[index].text in ("=", ";", "{"):
                if code[index - 1].text == ">" and (angle := angle_opening(code, index - 1)) is not None:
                    self._specialised(begin, angle, code[angle].line, headers)
                return

    def _specialised(self, begin: int, angle: int, line: int, headers: list[tuple[int, int]]) -> None:
        code = self.code
        closed = angle_closing(code, angle) if code[angle].text == "<" else None
        if closed is None:
            # `template <> void f(int)`: what it is for stands in the parameters, so it is a type.
            stop = min(angle + 12, len(code))
            self.specialisations.append(Specialisation(line, " ".join(_texts(code, begin, stop)), True))
            return
        parameters = {word for opened, end in headers for word in _declared_types(code, opened, end)}
        arguments = list(_split(code, angle + 1, closed))
        on_type = any(_says_type(argument, parameters) for argument in arguments)
        words = " ".join(_texts(code, begin, closed + 1))
        self.specialisations.append(Specialisation(line, words, on_type))


# --- small readers ---------------------------------------------------------------------------------


def _texts(code: Sequence[Token], start: int, stop: int) -> list[str]:
    return [token.text for token in code[max(start, 0) : stop]]


def _after_semicolon(code: Sequence[Token], at: int, stop: int) -> int:
    while at < stop:
        text = code[at].text
        if text == ";":
            return at + 1
        if text in ("(", "[", "{"):
            closed = closing_index(code, at)
            if closed is None:
                return stop
            at = closed
        at += 1
    return stop


def _split(code: Sequence[Token], start: int, stop: int) -> Iterator[tuple[Token, ...]]:
    """The parts of a list between commas, brackets of every kind respected."""
    part: list[Token] = []
    at = start
    while at < stop:
        text = code[at].text
        end: int | None = at
        if text in ("(", "[", "{"):
            end = closing_index(code, at)
        elif text == "<":
            end = angle_closing(code, at)
        if end is None or end >= stop:
            end = at
        if text == ",":
            yield tuple(part)
            part = []
        else:
            part.extend(code[at : end + 1])
        at = end + 1
    if part:
        yield tuple(part)


def _all_template_lists(code: Sequence[Token]) -> Iterator[int]:
    for index in range(len(code) - 1):
        if code[index].text == "template" and code[index + 1].text == "<":
            closed = angle_closing(code, index + 1)
            if closed is not None:
                yield from range(index + 1, closed + 1)


def _declared_types(code: Sequence[Token], opened: int, closed: int) -> Iterator[str]:
    """Names of the type parameters of one `template <...>` list."""
    for part in _split(code, opened + 1, closed):
        words = [token.text for token in part if token.text != "..."]
        if words and words[0] in ("typename", "class") and len(words) > 1:
            yield words[1]
        elif words and words[0] == "template":
            names = [word for word in words if word.isidentifier()]
            yield names[-1]


def _type_parameters(code: Sequence[Token], header_indices: set[int]) -> Iterator[str]:
    for index in header_indices:
        if code[index].text in ("typename", "class") and index + 1 < len(code):
            name = code[index + 1]
            if name.text == "..." and index + 2 < len(code):
                name = code[index + 2]
            if name.kind is Kind.WORD and code[index - 1].text in ("<", ","):
                yield name.text


def _says_type(argument: Sequence[Token], parameters: set[str]) -> bool:
    """True where a template argument names a particular type rather than a value or a parameter as it is."""
    words = [token.text for token in argument]
    if len(words) == 1 and words[0] in parameters:
        return False
    if len(words) == 2 and words[1] == "..." and words[0] in parameters:
        return False
    if any(word in _TYPE_WORDS or word.endswith("_t") for word in words):
        return True
    if any(word in parameters for word in words):
        return True  # T*, Box<T>: a pattern on the type
    # A lone name may be a constant or a class; constants are written kName, NAME or in small letters here.
    lone = len(words) == 1 and argument[0].kind is Kind.WORD and words[0] not in ("true", "false")
    return lone and words[0][:1].isupper() and not words[0].isupper()


_MOST_OVERLOADS = 40  # of one name that are compared with each other


# --- overloads -------------------------------------------------------------------------------------


def _overloads(functions: Sequence[Function]) -> Iterator[tuple[int, str]]:
    by_name: dict[tuple[str, str], list[Function]] = {}
    for function in functions:
        by_name.setdefault((function.scope, function.name), []).append(function)
    for (_, name), group in by_name.items():
        for first, second in combinations(group[:_MOST_OVERLOADS], 2):
            for general, special in ((first, second), (second, first)):
                if _chooses_by_type(general, special):
                    yield special.line, name
                    break


def _chooses_by_type(general: Function, special: Function) -> bool:
    """The same parameters, but where one has any T the other has one type (or `...`)."""
    if any(_texts(part, 0, len(part)) == ["..."] for part in (*special.parameters, *general.parameters)):
        return True
    if len(general.parameters) != len(special.parameters):
        return False
    narrower = False
    for wide, narrow in zip(general.parameters, special.parameters, strict=True):
        wide_open = _mentions(wide, general.type_parameters)
        narrow_open = _mentions(narrow, special.type_parameters)
        if narrow_open and not wide_open:
            return False
        if wide_open and narrow_open and _stars(wide) != _stars(narrow):
            return False
        narrower = narrower or (wide_open and not narrow_open)
    return narrower


def _mentions(part: Sequence[Token], names: frozenset[str]) -> bool:
    return any(token.text in names for token in part)


def _stars(part: Sequence[Token]) -> int:
    return sum(token.text == "*" for token in part)
