"""The commands `lawmage cards …`: look cards up, build, check and update the library."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A card; the beginning of its name is enough.")],
    as_json: Json = False,
) -> None:
    """Print how a card was understood, line by line."""
    from .model.cards import default_library
    from .model.cards.show import show_card

    card = default_library().find_beginning(name).card
    if as_json:
        from .wire import to_json

        print(to_json(card))
        return
    for line in show_card(card):
        print(line)
