"""How names of cards compare: without case, accents and punctuation."""

from __future__ import annotations

import re
import unicodedata

_SPELLED = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "ß": "ss", "’": "'", "ʼ": "'"})
_APART = re.compile(r"[^a-z0-9]+")


def key_of(name: str) -> str:
    """The form under which a name is found: "Lim-Dûl's Vault" and "lim dul's vault" are "lim duls vault".

    The halves of a full name are kept apart by " // ". A name without a letter or number is its own key.
    """
    if "//" in name:
        return " // ".join(_plain(half) for half in name.split("//"))
    return _plain(name)


def _plain(name: str) -> str:
    text = unicodedata.normalize("NFKD", name.casefold().translate(_SPELLED)).replace("'", "")
    text = "".join(c for c in text if not unicodedata.combining(c))
    return _APART.sub(" ", text).strip() or name.strip()


def squeezed(key: str) -> str:
    """A key without its spaces: what is left when even word breaks are written otherwise."""
    return key.replace(" ", "")
