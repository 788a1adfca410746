"""Land faces of modal double-faced cards, for data that has just the names of second faces (712).

They all follow two templates: a land that enters tapped, or one that enters tapped unless 3 life is paid; and the
Pathways, which simply make their color. A source that has the faces is used in place of this.
"""

from __future__ import annotations

from collections.abc import Iterator

from .records import RawFace

_TAPPED = "This land enters tapped."
_LIFE = "As this land enters, you may pay 3 life. If you don't, it enters tapped."

# Face: the colors that it can make.
_PATHWAYS = {
    "Tidechannel Pathway": "U",
    "Searstep Pathway": "R",
    "Slitherbore Pathway": "G",
    "Mistgate Pathway": "U",
    "Boulderloft Pathway": "W",
    "Grimclimb Pathway": "B",
    "Murkwater Pathway": "B",
    "Timbercrown Pathway": "G",
    "Pillarverge Pathway": "W",
    "Lavaglide Pathway": "R",
}
_ENTER_TAPPED = {
    "Kabira Plateau": "W",
    "Makindi Mesas": "W",
    "Ondu Skyruins": "W",
    "Sejiri Glacier": "W",
    "Skyclave Basilica": "W",
    "Beyeen Coast": "U",
    "Glasspool Shore": "U",
    "Jwari Ruins": "U",
    "Silundi Isle": "U",
    "Umara Skyfalls": "U",
    "Blackbloom Bog": "B",
    "Hagra Broodpit": "B",
    "Malakir Mire": "B",
    "Pelakka Caverns": "B",
    "Zof Bloodbog": "B",
    "Akoum Teeth": "R",
    "Kazuul's Cliffs": "R",
    "Song-Mad Ruins": "R",
    "Spikefield Cave": "R",
    "Valakut Stoneforge": "R",
    "Bala Ged Sanctuary": "G",
    "Kazandu Valley": "G",
    "Khalni Territory": "G",
    "Tangled Vale": "G",
    "Vastwood Thicket": "G",
    "Age-Graced Chapel": "WB",
    "Burnwillow Clearing": "RG",
    "Crackling Falls": "UR",
    "Drowned Jungle": "GU",
    "Haven of the Harvest": "GW",
    "Inundated Archive": "UB",
    "Legion Stronghold": "RW",
    "Old-Growth Grove": "BG",
    "Orderly Plaza": "WU",
    "Sanguine Morass": "BR",
}
_PAY_LIFE = {
    "Emeria, Shattered Skyclave": "W",
    "Razorgrass Field": "W",
    "Witch-Blessed Meadow": "W",
    "Hydroelectric Laboratory": "U",
    "Sea Gate, Reborn": "U",
    "Soporific Springs": "U",
    "Agadeem, the Undercrypt": "B",
    "Boggart Bog": "B",
    "Fell Mire": "B",
    "Mystic Peak": "R",
    "Shatterskull, the Hammer Pass": "R",
    "Volcanic Fissure": "R",
    "Garden of Freyalise": "G",
    "Tanglespan Bridgeworks": "G",
    "Turntimber, Serpentine Wood": "G",
}


def land_faces() -> dict[str, RawFace]:
    """The faces by name."""
    return {face.name: face for face in _faces()}


def _faces() -> Iterator[RawFace]:
    for table, enters in ((_PATHWAYS, ""), (_ENTER_TAPPED, _TAPPED), (_PAY_LIFE, _LIFE)):
        for name, colors in table.items():
            adds = "{T}: Add " + " or ".join(f"{{{c}}}" for c in colors) + "."
            text = f"{enters}\n{adds}" if enters else adds
            yield RawFace(name, type_line="Land", text=text, colors="")
