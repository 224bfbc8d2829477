"""What nvcc refuses and the host's compiler does not see: who may be launched, who may call whom.

Only what can be told reliably from tokens is said; the words are nvcc's where it has some.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scanlab import launch_pass, tokens
from scanlab.cpp_shapes import Function, Shapes
from scanlab.launch_pass import Launch
from scanlab.refuse import Refusal
from scanlab.tokens import Kind, Token


def violations(code: Sequence[Token], shapes: Shapes) -> list[Refusal]:
    """Everything nvcc would refuse, in the order of lines."""
    launched = list(launch_pass.launches(code))
    found = [
        *_not_kernels(code, shapes, launched),
        *_called_kernels(code, shapes, launched),
        *_results(shapes),
        *_launches_from_the_device(code, shapes, launched),
        *_across(code, shapes),
        *_initialised_shared(code),
    ]
    return sorted(found, key=lambda violation: violation.line)


def missing_kernels(shapes: Shapes, required: Sequence[str]) -> list[Refusal]:
    """Required kernels that are there, but as ordinary functions."""
    found = []
    for name in required:
        group = shapes.named(name)
        if group and not any(function.is_kernel for function in group):
            found.append(
                Refusal(
                    group[0].line,
                    name,
                    f"{name} is not a kernel: __global__ is missing before its return type",
                    f"Write `__global__ void {name}(...)`: only such a function can be launched with <<<...>>>.",
                    "build.contract",
                )
            )
    return found


def launched_names(code: Sequence[Token]) -> list[str]:
    """Names of the functions launched in this code, each once."""
    names = dict.fromkeys(_callee_name(code, launch) for launch in launch_pass.launches(code))
    return [name for name in names if name]


def _error(line: int, words: str, message: str, help_: str) -> Refusal:
    return Refusal(line, words, message, help_, "build.error")


def _callee_name(code: Sequence[Token], launch: Launch) -> str:
    at = launch.callee[1] - 1
    if code[at].text == ">":
        angle = tokens.angle_opening(code, at)
        at = angle - 1 if angle else at
    return code[at].text if code[at].kind is Kind.WORD else ""


def _not_kernels(code: Sequence[Token], shapes: Shapes, launched: Sequence[Launch]) -> Iterator[Refusal]:
    for launch in launched:
        name = _callee_name(code, launch)
        group = shapes.named(name)
        if group and not any(function.is_kernel for function in group):
            kind = "device" if group[0].on_device else "host"
            yield _error(
                code[launch.callee[0]].line,
                name,
                f"a {kind} function call cannot be configured: {name} is launched with <<<...>>> but is no kernel",
                f"Write __global__ before {name} (line {group[0].line}), or call it without <<<...>>>.",
            )


def _called_kernels(code: Sequence[Token], shapes: Shapes, launched: Sequence[Launch]) -> Iterator[Refusal]:
    kernels = {function.name for function in shapes.functions if function.is_kernel and not function.scope}
    callees = {index for launch in launched for index in range(*launch.callee)}
    for caller, index in _calls(code, shapes, kernels):
        group = shapes.named(code[index].text)
        if index not in callees and all(function.is_kernel for function in group):
            del caller
            yield _error(
                code[index].line,
                code[index].text,
                f"a __global__ function call must be configured: {code[index].text} is a kernel and is called "
                "like an ordinary function",
                "Launch it: kernel<<<blocks, threads>>>(arguments). To share code between kernels, write a "
                "__device__ function.",
            )


def _calls(code: Sequence[Token], shapes: Shapes, names: set[str]) -> Iterator[tuple[Function, int]]:
    """Calls by plain name of one of `names`: (the function that calls, index of the name)."""
    for function in shapes.functions:
        if function.body is None:
            continue
        own = _declared_in(code, function)
        for index in range(function.body[0] + 1, function.body[1]):
            token = code[index]
            if token.kind is Kind.WORD and token.text in names - own and _is_called(code, index):
                yield function, index


def _is_called(code: Sequence[Token], index: int) -> bool:
    before = code[index - 1].text
    if before in (".", "->"):
        return False
    if code[index - 1].kind is Kind.WORD and before not in ("return", "else", "do", "case"):
        return False
    if before == "::" and index >= 2 and code[index - 2].kind is Kind.WORD:
        return False
    after = index + 1
    if after < len(code) and code[after].text == "<":
        closed = tokens.angle_closing(code, after)
        after = len(code) if closed is None else closed + 1
    return after < len(code) and code[after].text == "("


def _declared_in(code: Sequence[Token], function: Function) -> set[str]:
    """Names that the function may have given to something of its own."""
    names = {token.text for part in function.parameters for token in part}
    assert function.body is not None
    for index in range(function.body[0], function.body[1]):
        if code[index].kind is Kind.WORD and code[index + 1].text in ("=", "{", ";", ","):
            names.add(code[index].text)
    return names


def _results(shapes: Shapes) -> Iterator[Refusal]:
    for function in shapes.functions:
        head = {token.text for token in function.head}
        if function.is_kernel and "void" not in head:
            yield _error(
                function.line,
                function.name,
                f"a __global__ function must have a void return type: {function.name} gives something back",
                "A kernel gives its results through a pointer parameter.",
            )


def _launches_from_the_device(code: Sequence[Token], shapes: Shapes, launched: Sequence[Launch]) -> Iterator[Refusal]:
    on_device = [one.body for one in shapes.functions if one.body and one.on_device and not one.on_host]
    for launch in launched:
        index = launch.callee[0]
        if any(body[0] < index < body[1] for body in on_device):
            yield _error(
                code[index].line,
                code[index].text,
                "a kernel launch from a __device__ or __global__ function requires separate compilation mode",
                "Launch kernels from the host function.",
            )


def _across(code: Sequence[Token], shapes: Shapes) -> Iterator[Refusal]:
    """Host functions called from device code, and the other way round."""
    free = [function for function in shapes.functions if not function.scope and not function.is_kernel]
    for caller, index in _calls(code, shapes, {function.name for function in free}):
        group = [function for function in free if function.name == code[index].text]
        if any("constexpr" in function.qualifiers for function in (*group, caller)) or caller.scope:
            continue
        name, line = code[index].text, code[index].line
        from_ = "__global__" if caller.is_kernel else "__device__" if caller.on_device else "__host__"
        if caller.on_device and not caller.on_host and not any(function.on_device for function in group):
            yield _error(
                line,
                name,
                f'calling a __host__ function("{name}") from a {from_} function("{caller.name}") is not allowed',
                f"Write __device__ before {name} (line {group[0].line}).",
            )
        elif not caller.on_device and not any(function.on_host for function in group):
            yield _error(
                line,
                name,
                f'calling a __device__ function("{name}") from a __host__ function("{caller.name}") is not allowed',
                f"Launch a kernel that calls it, or write __host__ __device__ before {name} "
                f"(line {group[0].line}) where it needs no thread index.",
            )


def _initialised_shared(code: Sequence[Token]) -> Iterator[Refusal]:
    for index, token in enumerate(code):
        if token.text != "__shared__" or token.kind is not Kind.WORD:
            continue
        at = index
        type_body = False  # `__shared__ struct { unsigned section; } drawn;` defines its type on the way
        while at < len(code) and code[at].text not in (";", "="):
            type_body = type_body or code[at].text in ("struct", "union", "class", "enum")
            if code[at].text == "{" and not type_body:
                break
            if code[at].text in ("(", "[", "{"):
                type_body = type_body and code[at].text != "{"
                at = tokens.closing_index(code, at) or len(code)
            at += 1
        if at < len(code) and code[at].text != ";":
            yield _error(
                token.line,
                "__shared__",
                "an initializer is not allowed for a __shared__ variable",
                "Let a thread store the value, then __syncthreads() before others read it.",
            )
