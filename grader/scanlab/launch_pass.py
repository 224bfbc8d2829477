"""Makes C++ of preprocessed CUDA: launches, `extern __shared__` arrays and CUDA's own qualifiers.

Nothing else is rewritten, and every line stays where it was: the pass removes or adds no line break.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scanlab import tokens
from scanlab.tokens import Kind, Token

MACHINE = "::scanlab::machine::"

_BLANKED = frozenset(
    "__global__ __device__ __host__ __constant__ __managed__ __grid_constant__ __forceinline__ __noinline__".split()
)
_BLANKED_WITH_ARGUMENTS = frozenset({"__launch_bounds__", "__cluster_dims__"})


@dataclass(frozen=True)
class Edit:
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Launch:
    """One `callee<<<...>>>(...)`, as token indices; ends are past the last token."""

    callee: tuple[int, int]
    config: tuple[int, int]
    arguments: tuple[int, int]
    end: int


class UnreadableLaunchError(ValueError):
    """A `<<<` that is no launch; the line is the student's."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def rewrite(text: str) -> str:
    """The same text as C++."""
    text = _apply(text, list(_word_edits(text, tokens.preprocessed_tokens(text))))
    code = code_tokens(text)
    text = _apply(text, list(_dynamic_shared_edits(text, code)))
    for _ in range(_DEEPEST):
        code = code_tokens(text)
        edits = list(_outer_edits(text, code))
        if not edits:
            return text
        text = _apply(text, edits)
    raise UnreadableLaunchError(1, "launches stand in the arguments of launches, too deep")


def _outer_edits(text: str, code: Sequence[Token]) -> Iterator[Edit]:
    """Every launch that is not inside another one's parentheses."""
    end = 0
    for launch in launches(code):
        if launch.callee[0] >= end:
            end = launch.end
            yield _launch_edit(text, code, launch)


_DEEPEST = 16  # launches in the arguments of launches
_RENAMED = "scanlab_student_main"
_PROGRAM = 'extern "C" int scanlab_program_main(int argc, char** argv) {{ return {call}; }}\n'


def rename_main(text: str) -> tuple[str, str]:
    """(the text with its `main` under another name, what calls it), both empty of `main` where there is none."""
    code = code_tokens(text)
    depth = 0
    for index, token in enumerate(code):
        if token.text in ("{", "}") and token.kind is Kind.SIGN:
            depth += 1 if token.text == "{" else -1
        if depth == 0 and token.text == "main" and token.kind is Kind.WORD and _opens(code, index + 1):
            closed = tokens.closing_index(code, index + 1)
            ends = list(_body_ends(code, closed + 1)) if closed is not None else []
            if closed is None or not ends:
                continue
            # Only main may end without a return; under another name it needs one.
            edits = [Edit(token.start, token.end, _RENAMED)]
            edits += [Edit(code[end].start, code[end].start, "return 0; ") for end in ends]
            return _apply(text, edits), _PROGRAM.format(call=_main_call(code[index + 2 : closed]))
    return text, ""


def _body_ends(code: Sequence[Token], at: int) -> Iterator[int]:
    """The closing braces of a function's body; of each part, where it is `try { } catch (...) { }`."""
    if at < len(code) and code[at].text == "try":
        at += 1
    while at < len(code) and code[at].text == "{":
        end = tokens.closing_index(code, at)
        if end is None:
            return
        yield end
        at = end + 1
        if at + 1 < len(code) and code[at].text == "catch":
            at = (tokens.closing_index(code, at + 1) or len(code)) + 1
        else:
            return


def _main_call(parameters: Sequence[Token]) -> str:
    words = [token.text for token in parameters]
    if not words or words == ["void"]:
        return f"{_RENAMED}()"
    argv = "(const char**)argv" if "const" in words else "argv"
    further = ", nullptr" if words.count(",") == 2 else ""
    return f"{_RENAMED}(argc, {argv}{further})"


def code_tokens(text: str) -> tokens.Code:
    """Tokens of preprocessed text without its `#` lines."""
    return tokens.Code(token for token in tokens.preprocessed_tokens(text) if token.kind is not Kind.DIRECTIVE)


def _apply(text: str, edits: Sequence[Edit]) -> str:
    parts, position = [], 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        parts.append(text[position : edit.start])
        parts.append(edit.text)
        position = edit.end
    parts.append(text[position:])
    return "".join(parts)


def _breaks(text: str) -> str:
    """Only the line breaks of a text that is taken out."""
    return "\n" * text.count("\n")


def _on_one_line(text: str) -> str:
    """The text without line breaks and linemarkers, which come back as breaks elsewhere."""
    return " ".join(line for line in text.split("\n") if not line.lstrip().startswith("#"))


# --- qualifiers ----------------------------------------------------------------------------------


def _word_edits(text: str, all_tokens: Sequence[Token]) -> Iterator[Edit]:
    for token in all_tokens:
        if token.kind is Kind.DIRECTIVE and tokens.marker_of(token.text) is None:
            yield Edit(token.start, token.end, "")
    code = tokens.Code(token for token in all_tokens if token.kind is not Kind.DIRECTIVE)
    for index, token in enumerate(code):
        if token.kind is not Kind.WORD:
            continue
        if token.text in _BLANKED:
            yield Edit(token.start, token.end, " ")
        elif token.text == "__shared__":
            yield Edit(token.start, token.end, "thread_local")
        elif token.text in _BLANKED_WITH_ARGUMENTS:
            end = tokens.closing_index(code, index + 1) if _opens(code, index + 1) else None
            stop = token.end if end is None else code[end].end
            yield Edit(token.start, stop, _breaks(text[token.start : stop]) or " ")


def _opens(code: Sequence[Token], index: int) -> bool:
    return index < len(code) and code[index].text == "("


# --- extern __shared__ ---------------------------------------------------------------------------


def _dynamic_shared_edits(text: str, code: Sequence[Token]) -> Iterator[Edit]:
    scopes: list[bool] = []  # for each open brace: does it belong to a function?
    start = 0  # of the current statement
    for index, token in enumerate(code):
        if token.text == "{" and token.kind is Kind.SIGN:
            scopes.append(_opens_function(code, start, index) or any(scopes))
            start = index + 1
        elif token.text == "}" and token.kind is Kind.SIGN:
            if scopes:
                scopes.pop()
            start = index + 1
        elif token.text == ";":
            edit = _dynamic_shared(text, code[start : index + 1], any(scopes))
            if edit is not None:
                yield edit
            start = index + 1


def _opens_function(code: Sequence[Token], start: int, brace: int) -> bool:
    words = {token.text for token in code[start:brace] if token.kind is Kind.WORD}
    return "namespace" not in words and not (
        words & {"struct", "class", "union", "enum"} and code[brace - 1].text != ")"
    )


def _dynamic_shared(text: str, statement: Sequence[Token], in_function: bool) -> Edit | None:
    """`extern __shared__ TYPE name[];` as a pointer to the block's dynamic shared memory."""
    words = [token.text for token in statement]
    if "extern" not in words or "thread_local" not in words or "[" not in words:
        return None
    bracket = words.index("[")
    if words[bracket + 1] != "]" or statement[bracket - 1].kind is not Kind.WORD:
        return None
    name = words[bracket - 1]
    kind = _element_type(statement[: bracket - 1])
    further = " ".join(words[bracket + 2 : -1])  # the other dimensions of `name[][32]`
    first, last = statement[0].start, statement[-1].end
    pointer = f"{kind} (*{{}}){further}" if further else f"{kind}* {{}}"
    if in_function:
        cast = pointer.format("").strip()
        new = f"{pointer.format(name)} = static_cast<{cast}>({MACHINE}dynamic_shared());"
    else:
        inner = f"{kind}{further}"
        new = f"static {MACHINE}DynamicShared<{inner}> {name};"
    return Edit(first, last, new + _breaks(text[first:last]))


def _element_type(before_name: Sequence[Token]) -> str:
    """The type's tokens without storage classes and alignment."""
    kept, index = [], 0
    while index < len(before_name):
        text = before_name[index].text
        if text in ("alignas", "__attribute__", "__align__", "__builtin_align__"):
            end = tokens.closing_index(before_name, index + 1)
            index = len(before_name) if end is None else end + 1
            continue
        if text not in ("extern", "thread_local", "static"):
            kept.append(text)
        index += 1
    return " ".join(kept)


# --- launches ------------------------------------------------------------------------------------


def launches(code: Sequence[Token]) -> Iterator[Launch]:
    """Every launch, from the first on."""
    for index in range(len(code) - 2):
        # The brackets may be parted by a macro's expansion: `<` after `<<` never stands in C++.
        if code[index].text == "<" and code[index + 1].text == "<" and code[index + 2].text == "<":
            if index and code[index - 1].text == "<":
                continue
            yield _launch(code, index)


def _launch(code: Sequence[Token], opened: int) -> Launch:
    line = code[opened].line
    closed = _config_end(code, opened + 3)
    if closed is None:
        raise UnreadableLaunchError(line, "a launch begins with <<< here, but no >>> closes it")
    if not _opens(code, closed + 3):
        raise UnreadableLaunchError(line, "after the >>> of a launch come the kernel's arguments in parentheses")
    end = tokens.closing_index(code, closed + 3)
    if end is None:
        raise UnreadableLaunchError(line, "the parenthesis after the >>> of this launch is never closed")
    start = _callee_start(code, opened)
    if start is None:
        raise UnreadableLaunchError(line, "before the <<< of a launch comes the name of a kernel")
    return Launch((start, opened), (opened + 3, closed), (closed + 4, end), end + 1)


def _config_end(code: Sequence[Token], start: int) -> int | None:
    at = start
    while at < len(code):
        text = code[at].text
        if text in tokens.OPENING and code[at].kind is Kind.SIGN:
            closed = tokens.closing_index(code, at)
            if closed is None:
                return None
            at = closed
        elif text in (";", "}", ")"):
            return None
        elif text == ">" and at + 2 < len(code) and code[at + 1].text == ">" and code[at + 2].text == ">":
            # `f<g<h<1>>>>>>` ends with the last three before the arguments.
            while at + 3 < len(code) and code[at + 3].text == ">":
                at += 1
            return at
        at += 1
    return None


def _callee_start(code: Sequence[Token], opened: int) -> int | None:
    """Where the expression before `<<<` begins."""
    at = _primary_start(code, opened - 1) if opened else None
    while at is not None and at > 0 and code[at - 1].text in ("::", ".", "->", "template"):
        before = at - 1
        if code[before].text == "template":
            at = before
            continue
        inner = _primary_start(code, before - 1) if before else None
        if inner is None or code[before - 1].text in ("return", "else", "do"):
            return before  # `::name`
        at = inner
    return at


def _primary_start(code: Sequence[Token], at: int) -> int | None:
    """Where one name (with its template list), parenthesis or subscript ends at `at` begins."""
    token = code[at]
    if token.text == ">":
        angle = tokens.angle_opening(code, at)
        return angle - 1 if angle and code[angle - 1].kind is Kind.WORD else None
    if token.text in (")", "]"):
        opening = tokens.opening_index(code, at)
        if opening is None:
            return None
        named = opening and (code[opening - 1].kind is Kind.WORD or code[opening - 1].text in (")", "]"))
        return _primary_start(code, opening - 1) if named and token.text == "]" else opening
    return at if token.kind is Kind.WORD else None


def _launch_edit(text: str, code: Sequence[Token], launch: Launch) -> Edit:
    callee = _between(text, code, launch.callee)
    config = _between(text, code, launch.config)
    arguments = _with_nullptr(text, code, launch.arguments)
    separator = ", " if launch.arguments[0] < launch.arguments[1] else ""
    plain = _on_one_line(callee)
    name = " ".join(plain.split()).replace("\\", "\\\\").replace('"', '\\"')
    start, end = code[launch.callee[0]].start, code[launch.end - 1].end
    new = (
        f"{_breaks(callee)}{MACHINE}launch({MACHINE}LaunchConfig({config}), "
        f'"{name}", [&](auto... scanlab_a) __attribute__((no_sanitize_thread)) '
        f"{{ {plain}(scanlab_a...); }}{separator}{arguments})"
    )
    missing = text.count("\n", start, end) - new.count("\n")
    return Edit(start, end, new + "\n" * max(missing, 0))


def _between(text: str, code: Sequence[Token], span: tuple[int, int]) -> str:
    return text[code[span[0]].start : code[span[1] - 1].end] if span[0] < span[1] else ""


def _with_nullptr(text: str, code: Sequence[Token], span: tuple[int, int]) -> str:
    """NULL is a number to the host's compiler; as an argument that travels it must be a pointer."""
    if span[0] >= span[1]:
        return ""
    start = code[span[0]].start
    edits = [
        Edit(token.start - start, token.end - start, "nullptr")
        for token in code[span[0] : span[1]]
        if token.text == "__null"
    ]
    return _apply(_between(text, code, span), edits)
