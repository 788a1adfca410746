"""lawmage: the exact mana and legality oracle for Magic: The Gathering."""

__version__ = "0.1.0"
