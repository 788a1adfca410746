"""Pictures drawn: SVG with a small layout of its own, Mermaid, DOT, and one HTML page with an answer beside them.

Layout, left to right, in the usual steps: loops are cut, boxes get columns by longest path, long arcs get bends in the
columns they pass, columns are ordered by the mean place of their neighbours, and rows are relaxed towards them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from statistics import mean

from .solver.pictures import Box, Link, Picture

LETTER, LINE, PAD, GAP_X, GAP_Y = 7.3, 17, 10, 64, 16
MOST_LETTERS = 34


class _Cell:
    """A box, or a bend of a long arc, in its column."""

    def __init__(self, name: str, width: float = 0, height: float = 4) -> None:
        self.name = name
        self.width, self.height = width, height
        self.x = self.y = 0.0
        self.before: list[_Cell] = []
        self.after: list[_Cell] = []


class Layout:
    """Where everything is. `cells` by the id of a box, `routes` by the number of a link."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.cells = {box.id: _Cell(box.id, *_size(box)) for box in picture.boxes}
        self.routes: dict[int, list[_Cell]] = {}
        column = self._columns()
        self.columns: list[list[_Cell]] = [[] for _ in range(max(column.values(), default=-1) + 1)]
        for box in picture.boxes:
            self.columns[column[box.id]].append(self.cells[box.id])
        self._bend(column)
        for sweep in range(8):
            self._sort(forward=sweep % 2 == 0)
        self.width = self._place_columns()
        self.height = self._place_rows()

    def _columns(self) -> dict[str, int]:
        """Longest path from the left, over the arcs without those that close a loop."""
        following: dict[str, list[str]] = {box.id: [] for box in self.picture.boxes}
        for link in self.picture.links:
            if link.start != link.end and link.kind != "feeds":  # what feeds goes back as often as on
                following[link.start].append(link.end)
        state: dict[str, int] = {}
        order: list[str] = []
        self.backward: set[tuple[str, str]] = set()

        def visit(first: str) -> None:
            stack = [(first, iter(following[first]))]
            state[first] = 1
            while stack:
                node, rest = stack[-1]
                for after in rest:
                    if state.get(after) == 1:
                        self.backward.add((node, after))
                    elif after not in state:
                        state[after] = 1
                        stack.append((after, iter(following[after])))
                        break
                else:
                    state[node] = 2
                    order.append(node)
                    stack.pop()

        ends = {end for ends in following.values() for end in ends}
        for node in sorted(following, key=lambda n: n in ends):
            if node not in state:
                visit(node)
        column = dict.fromkeys(following, 0)
        for node in reversed(order):
            for after in following[node]:
                if (node, after) not in self.backward:
                    column[after] = max(column[after], column[node] + 1)
        return column

    def _bend(self, column: Mapping[str, int]) -> None:
        for number, link in enumerate(self.picture.links):
            start, end = column[link.start], column[link.end]
            cells = [self.cells[link.start]]
            step = 1 if end > start else -1
            for at in range(start + step, end, step) if start != end else ():
                bend = _Cell(f"{number}.{at}")
                self.columns[at].append(bend)
                cells.append(bend)
            cells.append(self.cells[link.end])
            self.routes[number] = cells
            if start != end:
                for left, right in pairwise(cells if step > 0 else cells[::-1]):
                    left.after.append(right)
                    right.before.append(left)

    def _sort(self, forward: bool) -> None:
        place = {cell.name: i for column in self.columns for i, cell in enumerate(column)}
        for column in self.columns if forward else reversed(self.columns):
            old = {cell.name: i for i, cell in enumerate(column)}

            def middle(cell: _Cell, old: dict[str, int] = old) -> tuple[float, int]:
                near = cell.before if forward else cell.after
                return (mean(place[n.name] for n in near) if near else old[cell.name], old[cell.name])

            column.sort(key=middle)
            place.update({cell.name: i for i, cell in enumerate(column)})

    def _place_columns(self) -> float:
        x = 12.0
        labels = {}
        for number, link in enumerate(self.picture.links):
            for cell in self.routes[number][:-1]:
                labels[cell.name] = max(labels.get(cell.name, 0), len(link.label))
        for column in self.columns:
            wide = max((cell.width for cell in column), default=0)
            for cell in column:
                cell.x = x + (wide - cell.width) / 2 if cell.width else x + wide / 2
            longest = max((labels.get(cell.name, 0) for cell in column), default=0)
            x += wide + max(GAP_X, longest * LETTER * 0.85 + 30)
        loops = any(link.start == link.end for link in self.picture.links)
        return x - GAP_X + (44 if loops else 12)

    def _place_rows(self) -> float:
        """The tallest column is packed; the others come as near to their neighbours as their order lets them."""
        heights = [sum(c.height + GAP_Y for c in column) for column in self.columns]
        fixed = heights.index(max(heights)) if heights else 0
        for column in self.columns:
            y = 12.0
            for cell in column:
                cell.y = y + cell.height / 2
                y += cell.height + GAP_Y
        outwards = sorted(range(len(self.columns)), key=lambda i: abs(i - fixed))
        for _ in range(6):
            for i in outwards[1:]:
                _settle(self.columns[i])
        top = min((c.y - c.height / 2 for column in self.columns for c in column), default=0)
        for column in self.columns:
            for cell in column:
                cell.y += 12 - top
        return max((c.y + c.height / 2 for column in self.columns for c in column), default=0) + 12


def _settle(column: Sequence[_Cell]) -> None:
    """Cells at the mean of their neighbours, pushed apart where they would overlap, as little as possible (isotonic
    regression by pooling)."""
    offsets = [0.0]
    for above, below in pairwise(column):
        gap = GAP_Y * (1 if above.width and below.width else 0.5)
        offsets.append(offsets[-1] + (above.height + below.height) / 2 + gap)
    pools: list[tuple[float, int]] = []  # (mean, how many)
    for cell, offset in zip(column, offsets, strict=False):
        near = [n.y for n in (*cell.before, *cell.after)]
        value, many = (mean(near) if near else cell.y) - offset, 1
        while pools and pools[-1][0] > value:
            before, count = pools.pop()
            value, many = (before * count + value * many) / (count + many), count + many
        pools.append((value, many))
    places = [value for value, many in pools for _ in range(many)]
    for cell, place, offset in zip(column, places, offsets, strict=False):
        cell.y = place + offset


def _lines(box: Box) -> list[str]:
    lines = [f"{line[: MOST_LETTERS - 1]}…" if len(line) > MOST_LETTERS else line for line in box.lines]
    if box.many > 1:
        lines[0] = f"{box.many} × {lines[0]}"
    return lines


def _size(box: Box) -> tuple[float, float]:
    lines = _lines(box)
    return max(len(line) for line in lines) * LETTER + 2 * PAD, len(lines) * LINE + PAD


# --- SVG --------------------------------------------------------------------------------------------------------------

STYLE = """
.lm{font:13px/1.3 ui-sans-serif,system-ui,sans-serif}
.lm .box{fill:#fff;stroke:#8a8f98;stroke-width:1.2}.lm .effect .box{fill:#f1ecfb;stroke:#8667c4}
.lm .mana .box{fill:#fff7dd;stroke:#c79a1b}.lm .transition .box{fill:#eef3f8;stroke:#6b8cae}
.lm .cost .box,.lm .final .box{fill:#e6f4ea;stroke:#3d8b57}.lm .unpaid .box{fill:#fbeaea;stroke:#b5443c}
.lm .used .box{stroke-width:2.6}
.lm text{fill:#1d2127}.lm .more{fill:#5b626c;font-size:12px}.lm .label{fill:#4a515b;font-size:11.5px}
.lm .label{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}
.lm .arc{fill:none;stroke:#a3a9b2;stroke-width:1.3}.lm .used.arc{stroke:#2f6fb2;stroke-width:2.6}
.lm .feeds.arc,.lm .depends.arc{stroke-dasharray:5 4}.lm .loop.arc{stroke:#c0392b;stroke-width:2}
""".strip()


def to_svg(picture: Picture) -> str:
    """The picture as a self-contained SVG document."""
    layout = Layout(picture)
    key = "".join(c for c in picture.title if c.isalnum())
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lm" viewBox="0 0 {layout.width:.0f} {layout.height:.0f}" '
        f'width="{layout.width:.0f}" height="{layout.height:.0f}" role="img" aria-label="{escape(picture.title)}">',
        f"<style>{STYLE}</style>",
        f"<defs>{_marker(key, '', '#a3a9b2')}{_marker(key, 'used', '#2f6fb2')}{_marker(key, 'loop', '#c0392b')}</defs>",
    ]
    plain_first = sorted(enumerate(picture.links), key=lambda pair: (pair[1].used, pair[1].loop))
    parts += [_arc(link, layout.routes[number], key) for number, link in plain_first]
    parts += [_box(box, layout.cells[box.id]) for box in picture.boxes]
    parts += _labels(picture, layout)
    return "\n".join([*parts, "</svg>"])


def _marker(key: str, kind: str, color: str) -> str:
    return (
        f'<marker id="{key}{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="{color}"/></marker>'
    )


def _box(box: Box, cell: _Cell) -> str:
    lines = _lines(box)
    top = cell.y - cell.height / 2
    radius = cell.height / 2 if box.kind == "mana" else 5
    middle = cell.x + cell.width / 2
    texts = "".join(
        f'<text class="{"more" if n else "name"}" x="{middle:.1f}" y="{top + PAD / 2 + 13 + n * LINE:.1f}" '
        f'text-anchor="middle">{escape(line)}</text>'
        for n, line in enumerate(lines)
    )
    return (
        f'<g class="{box.kind}{" used" if box.used else ""}"><title>{escape(" / ".join(box.lines))}</title>'
        f'<rect class="box" x="{cell.x:.1f}" y="{top:.1f}" width="{cell.width:.1f}" height="{cell.height:.1f}" '
        f'rx="{radius:.1f}"/>{texts}</g>'
    )


def _arc(link: Link, route: Sequence[_Cell], key: str) -> str:
    kind = "loop" if link.loop else "used" if link.used else ""
    classes = " ".join(["arc", *([kind] if kind else []), *link.kind.split()[:1]])
    line = _path(route, 6 if link.kind == "feeds" else 0)
    return f'<path class="{classes}" d="{line}" marker-end="url(#{key}{kind})"/>'


def _path(route: Sequence[_Cell], lower: float) -> str:
    """A smooth line through the bends; `lower`: so much below the middle, beside an arc the other way."""
    start, end = route[0], route[-1]
    if start is end:
        x, y = start.x + start.width, start.y
        return f"M{x:.1f} {y - 6:.1f}C{x + 34:.1f} {y - 22:.1f} {x + 34:.1f} {y + 22:.1f} {x:.1f} {y + 6:.1f}"
    if abs(start.x + start.width / 2 - end.x - end.width / 2) < 1 and len(route) == 2:  # one column
        right = max(start.x + start.width, end.x + end.width)
        return (
            f"M{start.x + start.width:.1f} {start.y:.1f}C{right + 40:.1f} {start.y:.1f} "
            f"{right + 40:.1f} {end.y:.1f} {end.x + end.width:.1f} {end.y:.1f}"
        )
    forward = end.x > start.x
    points = [(start.x + start.width if forward else start.x, start.y + lower)]
    points += [(cell.x, cell.y + lower) for cell in route[1:-1]]
    points.append((end.x if forward else end.x + end.width, end.y + lower))
    text = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x0, y0), (x1, y1) in pairwise(points):
        bend = (x1 - x0) * 0.45
        text += f"C{x0 + bend:.1f} {y0:.1f} {x1 - bend:.1f} {y1:.1f} {x1:.1f} {y1:.1f}"
    return text


def _labels(picture: Picture, layout: Layout) -> Iterable[str]:
    """Words beside arcs, each where nothing else stands."""
    taken: list[tuple[float, float, float]] = []
    for number, link in enumerate(picture.links):
        if not link.label:
            continue
        route = layout.routes[number]
        a, b = route[0], route[1]
        forward = b.x > a.x
        x0, x1 = (a.x + a.width, b.x) if forward else (a.x, b.x + b.width)
        half = len(link.label) * LETTER * 0.42
        for share in (0.5, 0.35, 0.65, 0.25, 0.75):
            x = x0 + (x1 - x0) * share
            y = a.y + (b.y - a.y) * (3 * share**2 - 2 * share**3) - 3
            if a is b:
                x, y = a.x + a.width / 2, a.y - a.height / 2 - 22
            if all(abs(y - ty) > 12 or abs(x - tx) > half + th for tx, ty, th in taken):
                break
        taken.append((x, y, half))
        yield f'<text class="label" x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape(link.label)}</text>'


# --- Mermaid and DOT --------------------------------------------------------------------------------------------------


def to_mermaid(picture: Picture) -> str:
    """A Mermaid flowchart; symbols such as {G} are quoted."""
    names = {box.id: f"n{i}" for i, box in enumerate(picture.boxes)}
    out = ["flowchart LR"]
    for box in picture.boxes:
        text = "<br/>".join(map(_plain, _lines(box)))
        left, right = {"mana": ("([", "])"), "effect": ("{{", "}}")}.get(box.kind, ("[", "]"))
        out.append(f'  {names[box.id]}{left}"{text}"{right}')
    for link in picture.links:
        arrow = "==>" if link.used else "-.->" if link.loop or link.kind in ("feeds", "depends on") else "-->"
        label = f'|"{_plain(link.label)}"|' if link.label else ""
        out.append(f"  {names[link.start]} {arrow}{label} {names[link.end]}")
    used = [names[box.id] for box in picture.boxes if box.used]
    if used:
        out += ["  classDef used stroke-width:3px", f"  class {','.join(used)} used"]
    loops = [str(i) for i, link in enumerate(picture.links) if link.loop]
    if loops:
        out.append(f"  linkStyle {','.join(loops)} stroke:#c0392b")
    return "\n".join(out) + "\n"


def _plain(text: str) -> str:
    """Text inside quotes, as Mermaid reads it: it has its own way to write what would end them."""
    return escape(text, quote=False).replace('"', "#quot;")


_SHAPES = {"mana": "ellipse", "effect": "hexagon", "transition": "box", "cost": "doubleoctagon"}


def to_dot(picture: Picture) -> str:
    """A Graphviz digraph."""
    out = [
        f"digraph {_quoted(picture.title)} {{",
        "  rankdir=LR; node [shape=box, fontname=sans]; edge [fontname=sans];",
    ]
    for box in picture.boxes:
        more = ", penwidth=2.5" if box.used else ""
        shape = _SHAPES.get(box.kind, "box")
        out.append(f"  {_quoted(box.id)} [label={_quoted(chr(10).join(_lines(box)))}, shape={shape}{more}];")
    for link in picture.links:
        style = ["color=red"] if link.loop else ["penwidth=2.5"] if link.used else []
        style += [f"label={_quoted(link.label)}"] if link.label else []
        style += ["style=dashed"] if link.kind in ("feeds", "depends on") else []
        attributes = f" [{', '.join(style)}]" if style else ""
        out.append(f"  {_quoted(link.start)} -> {_quoted(link.end)}{attributes};")
    return "\n".join([*out, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


# --- a page -----------------------------------------------------------------------------------------------------------

PAGE = """
:root{color-scheme:light}
body{font:15px/1.5 ui-sans-serif,system-ui,sans-serif;margin:0;color:#1d2127;background:#f6f7f9}
main{display:grid;grid-template-columns:minmax(18rem,26rem) minmax(0,1fr);gap:1.5rem;padding:1.5rem;align-items:start}
aside{position:sticky;top:1.5rem}section,aside>div{background:#fff;border:1px solid #dfe3e8;
border-radius:8px;padding:1rem}
section{margin-bottom:1.5rem;overflow-x:auto}h1{font-size:1.15rem;margin:0 0 .6rem}h2{font-size:1rem;margin:0 0 .6rem}
ol{padding-left:1.3rem}ul{padding-left:1.1rem}.rule{color:#5b626c;font-size:.85em;white-space:nowrap}
pre{white-space:pre-wrap;margin:0;font:inherit}.note{color:#5b626c;font-size:.9em}.verdict{font-size:1.05rem;font-weight:600}svg{max-width:max(100%,56rem);height:auto}
@media(max-width:60rem){main{grid-template-columns:minmax(0,1fr)}aside{position:static}}
""".strip()


def to_page(title: str, answer: str, pictures: Iterable[Picture]) -> str:
    """One HTML page, with nothing to load: the answer (HTML) and the pictures beside it."""
    sections = "\n".join(
        f"<section><h2>{escape(picture.title)}</h2>{to_svg(picture)}"
        + (f'<p class="note">{escape(picture.note)}</p>' if picture.note else "")
        + "</section>"
        for picture in pictures
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{PAGE}</style></head>\n'
        f"<body><main><aside><div>{answer}</div></aside><div>\n{sections}\n</div></main></body></html>\n"
    )
