"""Handouts: Markdown in `handouts/` to one self-contained HTML page each, and an index.

Beside Markdown a handout may hold, each alone on its line:

    <!-- listing: solutions/01_kogge_stone/kogge_stone.cu#inclusive -->
    <!-- figure: datasets/worked/kogge_stone_8.json -->
    <!-- states: datasets/worked/kogge_stone_8.json -->
    <!-- network: kogge_stone The network of Kogge-Stone -->
    <!-- points: kogge_stone -->
    <!-- traps: solutions/01_kogge_stone/wrong no_temporary naive -->
    <!-- quiz: kogge_stone -->
    <!-- measured: labs float32 -->
    <!-- plot: float32 -->

and anywhere a computed number, `{{ work.kogge_stone(512) }}`. What cannot be resolved (a file, a
region, a link to another handout, a function) fails the build: a handout never shows a hole.
handouts/README.md is for authors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from scanlab import costs, measured, paths, performance, quiz
from scanlab.handout_tables import points_table, traps_table
from scanlab.render.figures import network_svg, worked_svg
from scanlab.render.highlight import highlight, line_html
from scanlab.render.page import captioned, write_page
from scanlab.solution_network import solution_network

_DIRECTIVE = re.compile(r"<!--\s*(listing|figure|states|network|quiz|points|traps|measured|plot):\s*(.*?)\s*-->")
_NUMBER = re.compile(r"(\\)?\{\{(.+?)\}\}")  # a backslash before it: as it stands
_MARKER = re.compile(r"^\s*//\s*\[(/?)region(?:\s+([\w.-]+))?\]\s*$")
_LETTERS = "abcdefgh"
_LANGUAGES = {
    ".cu": "cuda",
    ".cuh": "cuda",
    ".hpp": "cpp",
    ".cpp": "cpp",
    ".h": "cpp",
    ".py": "python",
    ".md": "markdown",
    ".json": "json",
    ".toml": "toml",
}


class HandoutError(ValueError):
    """Something in a handout does not resolve; the message names the handout."""


@dataclass(frozen=True)
class Section:
    anchor: str
    title: str


@dataclass(frozen=True)
class Handout:
    """One page. `path` is relative to the handouts folder, with / and the suffix .md."""

    path: PurePosixPath
    title: str
    lead: str
    html: Markup
    sections: tuple[Section, ...]
    links: tuple[str, ...]

    @property
    def page(self) -> str:
        return self.path.with_suffix("").as_posix() + ".html"

    @property
    def group(self) -> str:
        """Which part of the index lists it."""
        if self.path.parts[0] in ("findings", "quiz"):
            return self.path.parts[0]
        return "handouts"


@dataclass
class _Page:
    """What is collected while one handout is rendered."""

    where: str
    sections: list[Section] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


# --- building ----------------------------------------------------------------------------------


def build(out: Path | None = None) -> int:
    """Writes all pages; gives the exit status, and says where they are."""
    folder = out or paths.ROOT / "build" / "handouts"
    try:
        pages = build_pages(folder)
    except HandoutError as problem:
        print(f"scanlab: {problem}")
        return 1
    print(f"{len(pages)} handouts: {folder / 'index.html'}")
    return 0


def build_pages(out: Path) -> list[Handout]:
    handouts = load_handouts()
    _check_links(handouts)
    for handout in handouts:
        root = "../" * (len(handout.path.parts) - 1)
        before, after = _neighbours(handouts, handout)
        write_page(
            "handout.html.j2",
            out / handout.page,
            handout=handout,
            root=root,
            before=before,
            after=after,
        )
    write_page("handouts.html.j2", out / "index.html", handouts=handouts)
    return handouts


def load_handouts() -> list[Handout]:
    """Handouts, then the kinds of finding, then the questions; each in order of its name."""
    folder = paths.ROOT / "handouts"
    files = sorted(folder.glob("[0-9]*.md")) + sorted((folder / "findings").glob("*.*.md"))
    files += sorted(path for path in (folder / "findings").glob("*.md") if path not in files)
    written = [render(path.read_text(encoding="utf-8"), PurePosixPath(path.relative_to(folder))) for path in files]
    return written + [_quiz_handout(chapter) for chapter in quiz.load_chapters(folder / "quiz")]


def _neighbours(handouts: Sequence[Handout], one: Handout) -> tuple[Handout | None, Handout | None]:
    """The pages before and after, within the same group."""
    group = [handout for handout in handouts if handout.group == one.group]
    at = group.index(one)
    return (group[at - 1] if at else None), (group[at + 1] if at + 1 < len(group) else None)


def _check_links(handouts: Sequence[Handout]) -> None:
    known = {handout.page for handout in handouts} | {"index.html"}
    for handout in handouts:
        for link in handout.links:
            target = _resolved(handout.path.parent, link)
            if target not in known:
                raise HandoutError(f"handouts/{handout.path}: the link {link} leads nowhere")


def _resolved(folder: PurePosixPath, link: str) -> str:
    parts: list[str] = list(folder.parts)
    for part in PurePosixPath(link.split("#")[0]).parts:
        if part == "..":
            parts = parts[:-1]
        else:
            parts.append(part)
    return "/".join(parts)


# --- one handout -------------------------------------------------------------------------------


def render(text: str, path: PurePosixPath) -> Handout:
    """Markdown to a handout. `path` is relative to the handouts folder."""
    page = _Page(f"handouts/{path}")
    markdown = _markdown(page)
    tokens = markdown.parse(_with_numbers(text, page.where))
    title, body = _split_title(tokens, page.where)
    html = Markup(markdown.renderer.render(body, markdown.options, {}))
    return Handout(path, title, _lead(body), html, tuple(page.sections), tuple(page.links))


def _with_numbers(text: str, where: str) -> str:
    def number(match: re.Match[str]) -> str:
        if match[1]:
            return match[0][1:]
        try:
            return costs.shown(match[2])
        except costs.CostError as problem:
            raise HandoutError(f"{where}: {problem}") from problem

    return _NUMBER.sub(number, text)


def _split_title(tokens: list[Token], where: str) -> tuple[str, list[Token]]:
    if len(tokens) < 3 or tokens[0].type != "heading_open" or tokens[0].tag != "h1":
        raise HandoutError(f"{where}: begins with no title (# Title)")
    return _plain(tokens[1]), tokens[3:]


def _lead(tokens: Sequence[Token]) -> str:
    """The first paragraph, for the index."""
    for before, token in pairwise(tokens):
        if before.type == "paragraph_open":
            return _plain(token)
    return ""


def _plain(token: Token) -> str:
    breaks = ("softbreak", "hardbreak")
    return "".join(" " if c.type in breaks else c.content for c in token.children or ())


def _markdown(page: _Page) -> MarkdownIt:
    """Our own text, so HTML is allowed (folded answers); what directives insert is escaped."""
    markdown = MarkdownIt("commonmark", {"html": True, "typographer": False}).enable("table")
    renderer: Any = markdown.renderer
    rules = renderer.rules
    plain_html = rules["html_block"]

    def html_block(tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        match = _DIRECTIVE.fullmatch(tokens[at].content.strip())
        return str(_directive(match[1], match[2], page)) if match else str(plain_html(tokens, at, options, env))

    def fence(tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return str(_code(tokens[at].content.rstrip("\n"), tokens[at].info.strip() or "text"))

    def heading(tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return _heading(tokens[at], tokens[at + 1], page)

    def link(tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return _link(tokens[at], page)

    def table(tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return '<div class="scroll"><table>' if tokens[at].nesting == 1 else "</table></div>"

    rules.update(
        html_block=html_block,
        fence=fence,
        heading_open=heading,
        link_open=link,
        table_open=table,
        table_close=table,
    )
    return markdown


def _heading(opening: Token, inline: Token, page: _Page) -> str:
    title = _plain(inline)
    anchor = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "part"
    taken = {section.anchor for section in page.sections}
    while anchor in taken:
        anchor += "-2"
    page.sections.append(Section(anchor, title if opening.tag == "h2" else ""))
    return str(Markup('<{} id="{}">').format(opening.tag, anchor))


def _link(token: Token, page: _Page) -> str:
    """Links between handouts lead from page to page; links into the checkout are not followed."""
    href = str(token.attrGet("href") or "")
    if not re.match(r"[a-z]+:|#", href):
        path, mark, anchor = href.partition("#")
        if path.endswith(".md"):
            path = path.removesuffix(".md") + ".html"
        page.links.append(path)
        href = path + mark + anchor
    return str(Markup('<a href="{}">').format(href))


# --- directives --------------------------------------------------------------------------------


def _directive(name: str, argument: str, page: _Page) -> Markup:
    makers: dict[str, Callable[[str], Markup]] = {
        "listing": _listing,
        "figure": _figure,
        "states": _states,
        "network": _network,
        "quiz": _quiz_chapter,
        "points": points_table,
        "measured": _measured,
        "plot": lambda kind: performance.plot(measured.bundled(), kind),
        "traps": lambda words: _traps(words, page),
    }
    try:
        return makers[name](argument)
    except (OSError, ValueError, KeyError, IndexError, TypeError) as problem:
        raise HandoutError(f"{page.where}: {name} {argument}: {problem}") from problem


def _listing(argument: str) -> Markup:
    name, _, region = argument.partition("#")
    path = _inside(name)
    lines = region_lines(path.read_text(encoding="utf-8"), region)
    code = _code("\n".join(lines), _LANGUAGES.get(path.suffix, "text"))
    caption = Markup("<figcaption><code>{}</code></figcaption>").format(name)
    return Markup("<figure>{}{}</figure>").format(code, caption)


def region_lines(text: str, region: str) -> list[str]:
    """The lines of `// [region NAME]` … `// [/region]`, without markers and common indent.

    Regions may lie within one another. Without a name: the whole file.
    """
    inside: list[str] = []
    found: list[list[str]] = []
    kept: list[str] = []
    for line in text.split("\n"):
        marker = _MARKER.match(line)
        if not marker:
            kept.append(line)
        elif not marker[1]:
            inside.append(marker[2] or "")
            found += [[]] if inside[-1] == region else []
        else:
            _close(inside, marker[2])
        if not marker and region in inside:
            found[-1].append(line)
    if inside or (region and len(found) != 1):
        raise HandoutError(f"region {(inside or [region])[0]!r} is missing, twice there or not closed")
    return _dedented(found[0] if region else kept)


def _close(inside: list[str], name: str | None) -> None:
    if not inside or (name and inside[-1] != name):
        raise HandoutError(f"a region is closed that is not open: {name or 'without a name'}")
    inside.pop()


def _dedented(lines: Sequence[str]) -> list[str]:
    import textwrap

    return textwrap.dedent("\n".join(lines)).strip("\n").split("\n")


def _code(text: str, language: str) -> Markup:
    lines = text.split("\n")
    rows = highlight(lines, language) if language not in ("text", "console", "sh") else None
    html = Markup("\n").join(line_html(row) for row in rows) if rows else Markup.escape(text)
    return Markup('<pre class="block" tabindex="0"><code>{}</code></pre>').format(html)


def _figure(argument: str) -> Markup:
    """`path`, or `path steps=0-2` for some of the states."""
    name, _, options = argument.partition(" ")
    example = _json(name)
    span = re.fullmatch(r"(?:steps=(\d+)-(\d+))?", options.strip())
    if not span:
        raise HandoutError("the only option is steps=FIRST-LAST")
    first, last = (int(span[1]), int(span[2])) if span[1] else (0, None)
    svg = worked_svg(example, first, last)
    return captioned(svg, str(example["title"]))


def _states(argument: str) -> Markup:
    """The states as a table: one row per step. `path order=NAME` for an example with a race."""
    path, _, order = argument.partition(" order=")
    example = _json(path)
    if order:
        rows = [("loaded", example["input"])]
        steps = example["orders"][order]["steps"]
        rows += [(f"stride {step['stride']}", step["values"]) for step in steps]
    else:
        name = str(example["arrays"][0]["name"])
        rows = [("loaded", example["loaded"])]
        rows += [(_step_words(step), step[name]) for step in example["steps"]]
    body = Markup("").join(
        Markup("<tr><th>{}</th>{}</tr>").format(
            words, Markup("").join(Markup('<td class="num">{}</td>').format(v) for v in values)
        )
        for words, values in rows
    )
    return Markup('<div class="scroll"><table class="states">{}</table></div>').format(body)


def _step_words(step: Mapping[str, Any]) -> str:
    return f"{step['phase']}, stride {step['stride']}" if step["stride"] else str(step["phase"])


def _network(argument: str) -> Markup:
    """`LAB title`: what a run of the lab's solution added."""
    name, _, title = argument.partition(" ")
    network = solution_network(paths.find_lab(name))
    title = title or f"The network of {name}"
    caption = f"{title}. From a run of the solution; time runs down, a dot is an addition."
    return captioned(network_svg(network, title), caption)


def _measured(name: str) -> Markup:
    """A table by its name, or what it was measured on."""
    if name == "device":
        return Markup("<p>{}.</p>").format(measured.device_words(measured.bundled()))
    return performance.table_html(name, measured.bundled())


def _traps(argument: str, page: _Page) -> Markup:
    folder, *names = argument.split()
    table, links = traps_table(_inside(folder), names)
    page.links += links
    return table


def _json(name: str) -> dict[str, Any]:
    data = json.loads(_inside(name).read_text(encoding="utf-8"))
    if not isinstance(data, dict):
        raise HandoutError("is no object")
    return data


def _inside(name: str) -> Path:
    """A file of the checkout."""
    path = (paths.ROOT / name).resolve()
    if not path.is_relative_to(paths.ROOT.resolve()):
        raise HandoutError("lies outside the checkout")
    return path


# --- questions ---------------------------------------------------------------------------------


def _quiz_handout(chapter: quiz.Chapter) -> Handout:
    path = PurePosixPath("quiz") / f"{chapter.number:02d}_{chapter.name}.md"
    lead = f"{len(chapter.questions)} questions with folded answers."
    return Handout(path, f"Questions: {chapter.title}", lead, _questions(chapter), (), ())


def _quiz_chapter(name: str) -> Markup:
    for chapter in quiz.load_chapters():
        if chapter.name == name:
            return _questions(chapter)
    raise HandoutError("there is no such chapter")


def _questions(chapter: quiz.Chapter) -> Markup:
    intro = Markup("<p>To type the answers and have them marked: <code>./scanlab quiz {}</code></p>")
    items = Markup("").join(Markup("<li>{}</li>").format(_question(q)) for q in chapter.questions)
    return intro.format(chapter.name) + Markup('<ol class="questions">{}</ol>').format(items)


def _question(question: quiz.Question) -> Markup:
    markdown = _markdown(_Page(question.id))
    parts = [markdown.render(question.ask)]
    if question.choices:
        parts.append(markdown.render("\n".join(_choices(question))))
    answer = f"`{question.answer_text}`" if question.kind != "choice" else f"**{question.answer_text}**"
    folded = markdown.render(f"{answer}\n\n{question.why}")
    details = Markup('<details class="answer"><summary>Answer</summary>{}</details>')
    return Markup("".join(parts)) + details.format(Markup(folded))


def _choices(question: quiz.Question) -> Iterator[str]:
    for letter, choice in zip(_LETTERS, question.choices, strict=False):
        yield f"- **{letter}** {choice}"
