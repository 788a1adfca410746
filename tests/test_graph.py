"""Graphs: what is drawn, that it can be read, and the page."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import lawmage
from lawmage.cli import run
from lawmage.drawing import Layout, to_svg
from lawmage.graphs import Graphs
from lawmage.solver.pictures import Box, Link, Picture, described


def graphs(query: dict[str, Any], *you: Any, opponent: tuple[Any, ...] = ()) -> Graphs:
    players = {"you": {"battlefield": list(you)}, "opponent": {"battlefield": list(opponent)}}
    return lawmage.graph({"situation": {"players": players}, "query": query})


def pay(cost: str) -> dict[str, Any]:
    return {"kind": "can_pay", "cost": cost}


MANY = (
    *(
        "6 Forest",
        "4 Island",
        {"card": "Island", "tapped": True},
        "2 Mystic Gate",
        "2 Fire-Lit Thicket",
        "Reflecting Pool",
    ),
    *("Command Tower", "Tundra", "Savannah", "Tropical Island", "Volcanic Island", "Underground Sea", "Llanowar Elves"),
    *("Birds of Paradise", "Sol Ring", "Mana Vault", "Arcane Signet", "Azorius Signet", "Gruul Signet", "Thran Dynamo"),
    *("Mana Reflection", "Cryptolith Rite", "20 Grizzly Bears", "Ashnod's Altar", "Chromatic Lantern", "Blood Moon"),
)


def test_the_net_shows_what_is_used() -> None:
    """The Forest, and the {C} of the Gate, can do nothing for the cost, so they are not drawn."""
    net = graphs(pay("{W}{W}"), "Island", "Mystic Gate", "Forest")["net"]
    assert sorted(str(net).splitlines()) == [
        "Island / used 1× -> {U} *",
        "Mystic Gate -> ability 2 / costs {W/U} / used 1× *",
        "ability 2 / costs {W/U} / used 1× -> {U}",
        "ability 2 / costs {W/U} / used 1× -> {W} *",
        "{U} -> ability 2 / costs {W/U} / used 1× *",
        "{W} -> ability 2 / costs {W/U} / used 1×",
        "{W} -> the cost / {W}{W} *",
    ]


def test_the_replacement_graph_shows_the_path_taken() -> None:
    found = graphs(pay("{C}"), "Forest", "Mana Reflection", "Damping Sphere")["replacement"]
    assert str(found).splitlines() == [
        "{G} / what it starts as -> {G}{G} [Mana Reflection] *",
        "{G}{G} -> {C} / final [Damping Sphere] *",
    ]


def test_the_effects_graph_marks_loops() -> None:
    found = graphs({"kind": "could_produce", "permanent": "Reflecting Pool"}, "2 Reflecting Pool", "Blood Moon")
    lines = str(found["effects"]).splitlines()
    assert "Blood Moon / land types (layer 4) -> Reflecting Pool ×2" in lines


def test_lands_that_look_at_each_other_are_a_loop() -> None:
    found = graphs({"kind": "could_produce", "permanent": "Reflecting Pool"}, "2 Reflecting Pool")
    assert str(found["effects"]) == "Reflecting Pool ×2 -> Reflecting Pool ×2 (loop)"


def test_many_permanents_stay_legible() -> None:
    found = graphs(pay("{20}{W}{U}"), *MANY)
    for name in found:
        picture = found[name].picture
        assert len(picture.boxes) <= 40
        _no_box_is_on_another(picture)


def test_equal_effects_are_a_path() -> None:
    found = graphs(pay("{100}"), "Forest", "5 Nyxbloom Ancient")["replacement"]
    assert len(found.picture.boxes) == 6
    assert all(link.used for link in found.picture.links)


def _no_box_is_on_another(picture: Picture) -> None:
    cells = Layout(picture).cells.values()
    for a, b in combinations(cells, 2):
        apart = a.x + a.width <= b.x or b.x + b.width <= a.x or abs(a.y - b.y) >= (a.height + b.height) / 2
        assert apart, (a.name, b.name)


def test_a_loop_of_arcs_can_be_laid_out() -> None:
    boxes = tuple(Box(name, (name,)) for name in "abcd")
    links = tuple(Link(a, b) for a, b in ("ab", "bc", "ca", "cd", "aa"))
    picture = Picture("loop", boxes, links)
    _no_box_is_on_another(picture)
    ElementTree.fromstring(to_svg(picture))


def test_nothing_at_all_can_be_drawn() -> None:
    ElementTree.fromstring(to_svg(Picture("empty", (), ())))


@pytest.mark.parametrize("cost", ["{W}{W}", "{R}"])
def test_every_format_can_be_written(cost: str) -> None:
    found = graphs(pay(cost), "Island", "Mystic Gate", "Mana Reflection", "Ashnod's Altar", "Grizzly Bears")
    for name in found:
        ElementTree.fromstring(found[name].to_svg())
        mermaid, dot = found[name].to_mermaid(), found[name].to_dot()
        assert mermaid.startswith("flowchart LR\n") and dot.startswith("digraph ") and dot.endswith("}\n")
        assert len(list(described(found[name].picture))) == dot.count(" -> ")


def test_the_page_has_all_and_loads_nothing() -> None:
    page = graphs(pay("{C}"), "Forest", "Mana Reflection", "Damping Sphere").to_html()
    assert page.count("<svg") == 3 and "Yes: {C} can be paid." in page and "616.2" in page
    assert "src=" not in page and "href=" not in page and "@import" not in page


def test_notebooks_show_answers_and_graphs() -> None:
    reply = lawmage.can_pay("{U}", you="Forest")
    assert "nothing here makes {U}" in reply._repr_html_()
    found = graphs(pay("{G}"), "Forest")
    assert found["net"]._repr_svg_().startswith("<svg") and "<svg" in found._repr_html_()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "board.yaml"
    file.write_text("situation: {players: {you: {battlefield: [Forest]}}}\nquery: {kind: can_pay, cost: '{G}'}\n")
    assert run(["graph", str(file), "--what", "net", "--as", "mermaid"]) == 0
    assert '"{G}"' in capsys.readouterr().out
    page = tmp_path / "board.html"
    assert run(["graph", str(file), "--out", str(page)]) == 0
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert run(["graph", str(file), "--what", "replacement"]) == 2
    assert "nothing to draw" in capsys.readouterr().err


def test_graphs_are_data_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = graphs(pay("{W}{W}"), "Island", "Mystic Gate")
    net = found["net"].to_networkx()
    assert net.number_of_nodes() == len(found["net"].picture.boxes)
    used = {(a, b) for a, b, link in net.edges(data=True) if link["used"]}
    assert len(used) == 5 and all(net.has_node(a) for a, _ in used)
    board = tmp_path / "board.json"
    board.write_text('{"situation": {"players": {"you": {"battlefield": ["Island", "Mystic Gate"]}, "they": {}}}, '
                     '"query": {"kind": "can_pay", "cost": "{W}{W}"}}')  # fmt: skip
    assert run(["graph", str(board), "--as", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["net"] == found["net"].wire()
    assert run(["graph", str(board), "--what", "net", "--out", str(tmp_path / "net.json")]) == 0
    assert list(json.loads((tmp_path / "net.json").read_text())) == ["net"]
