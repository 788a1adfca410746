"""Graphs of a question, and answers as HTML: what `lawmage graph` and notebooks show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .wire import to_json

if TYPE_CHECKING:
    import networkx as nx

    from .api import Reply
    from .model.situation import Document
    from .solver.pictures import Link, Picture

FORMATS = ("html", "svg", "mermaid", "dot", "json")
NAMES = ("effects", "replacement", "net")


class Graphs:
    """The pictures of one question: `graphs["net"]`, and `to_html()` for the page with all of them and the answer."""

    def __init__(self, reply: Reply, pictures: Mapping[str, Picture]) -> None:
        self.reply = reply
        self.pictures = dict(pictures)

    def __getitem__(self, name: str) -> Graph:
        return Graph(self.pictures[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.pictures)

    def __len__(self) -> int:
        return len(self.pictures)

    def to_html(self) -> str:
        from .drawing import to_page

        title = str(self.reply).partition("\n")[0]
        return to_page(title, answer_html(self.reply), self.pictures.values())

    def _repr_html_(self) -> str:
        from .drawing import to_svg

        shown = (f"<h4>{escape(p.title)}</h4>{to_svg(p)}" for p in self.pictures.values())
        return answer_html(self.reply) + "".join(shown)

    def __repr__(self) -> str:
        return f"<graphs: {', '.join(self) or 'none'}>"


class Graph:
    """One picture: it shows itself in notebooks, and prints as the list of its arcs."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    def to_svg(self) -> str:
        from .drawing import to_svg

        return to_svg(self.picture)

    def to_mermaid(self) -> str:
        from .drawing import to_mermaid

        return to_mermaid(self.picture)

    def to_dot(self) -> str:
        from .drawing import to_dot

        return to_dot(self.picture)

    def wire(self) -> dict[str, Any]:
        """Boxes and arcs as plain data, in the shape that `networkx.node_link_graph(…, edges="links")` reads."""
        nodes = [{**box._asdict(), "lines": list(box.lines)} for box in self.picture.boxes]
        links = [_arc(number, link) for number, link in enumerate(self.picture.links)]
        about = {"title": self.picture.title, "note": self.picture.note}
        return {"directed": True, "multigraph": True, "graph": about, "nodes": nodes, "links": links}

    def to_networkx(self) -> nx.MultiDiGraph:
        import networkx as nx

        return nx.node_link_graph(self.wire(), edges="links")

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def __str__(self) -> str:
        from .solver.pictures import described

        return "\n".join(described(self.picture))

    def __repr__(self) -> str:
        return f"<{self.picture.title}: {len(self.picture.boxes)} boxes, {len(self.picture.links)} arcs>"


def _arc(key: int, link: Link) -> dict[str, Any]:
    said = {"label": link.label, "kind": link.kind, "used": link.used, "loop": link.loop}
    return {"source": link.start, "target": link.end, "key": key, **said}


def answer_html(reply: Reply) -> str:
    """The answer for a page or a notebook: the verdict, the line of play, and the reasons with their rules."""
    from .solver.telling import line_in_words
    from .wire import headline, to_text

    if reply.verdict == "known":
        return f"<pre>{escape(to_text(reply.answer, reply.query))}</pre>"
    parts = [f'<p class="verdict">{escape(headline(reply.answer, reply.query))}</p>']
    plan = reply.answer.values.get("plan") or ()
    if plan:
        parts.append("<ol>" + "".join(f"<li>{escape(step)}</li>" for step in line_in_words(plan)) + "</ol>")
    reasons = [reason for reason in reply.because if reason.code != "step" and reason.text]
    if reasons:
        rows = (
            f"<li>{escape(reason.text)}"
            + (f' <span class="rule">CR {reason.rule}</span>' if reason.rule else "")
            + "</li>"
            for reason in reasons
        )
        parts.append("<p>because</p><ul>" + "".join(rows) + "</ul>")
    for line in reply.unread:
        parts.append(f'<p class="note">not understood: {escape(line.card)}, line {line.line}</p>')
    return "".join(parts)


def graph(document: Mapping[str, Any] | Path | str, question: int = 1) -> Graphs:
    """The graphs of one question of a document (the first, if not told otherwise)."""
    from .document import read

    return graphs_of(read(document), question)


def graphs_of(document: Document, number: int) -> Graphs:
    from itertools import islice

    from .api import answers
    from .model.cards import default_library
    from .model.situation import FormatError, apply_edits, resolve_question
    from .solver.pictures import pictures

    if not 1 <= number <= len(document.queries):
        raise FormatError(f"there is no question {number}; the document has {len(document.queries)}", document.where)
    reply = next(islice(answers(document), number - 1, None))
    library = default_library()
    asked = document.queries[number - 1]
    game = apply_edits(document.game(library), asked.what_if, library)
    return Graphs(reply, pictures(game, resolve_question(asked, game, library), reply.answer))


# --- the command ------------------------------------------------------------------------------------------------------


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A situation with its questions; - for standard input.")],
    what: Annotated[str, typer.Option("--what", metavar="|".join(NAMES), help="Just one of the pictures.")] = "",
    as_: Annotated[
        str, typer.Option("--as", metavar="|".join(FORMATS), help="The format (html: all and the answer).")
    ] = "",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write to a file; its suffix is a format.")
    ] = None,
    question: Annotated[int, typer.Option("--question", metavar="N", help="Which question of the file (1).")] = 1,
) -> None:
    """Draw the effects, the replacement effects and the mana net of a question."""
    from .document import read_file
    from .model.situation import FormatError

    form = as_ or (_SUFFIXES.get(out.suffix, "") if out is not None else "") or ("svg" if what else "html")
    if form not in FORMATS:
        raise FormatError(f"unknown format {form!r}; the formats are {', '.join(FORMATS)}")
    if what and what not in NAMES:
        raise FormatError(f"unknown picture {what!r}; the pictures are {', '.join(NAMES)}")
    found = graphs_of(read_file(file), question)
    if what and what not in found.pictures:
        raise FormatError(f"there is nothing to draw for {what}; there is: {', '.join(found) or 'nothing'}")
    text = _written(found, what, form)
    if out is None:
        print(text, end="")
    else:
        out.write_text(text, "utf-8")
        print(f"{out}: {', '.join([what] if what else found) or 'nothing to draw'}")


_SUFFIXES = {f".{form}": form for form in FORMATS} | {".mmd": "mermaid", ".gv": "dot"}


def _written(found: Graphs, what: str, form: str) -> str:
    if form == "html":
        chosen = {what: found.pictures[what]} if what else found.pictures
        return Graphs(found.reply, chosen).to_html()
    names = [what] if what else list(found)
    if form == "json":
        return to_json({name: found[name].wire() for name in names}) + "\n"
    return "\n".join(getattr(found[name], f"to_{form}")() for name in names)
