"""A user's own library from the current card data: downloaded, checked, compiled, and put in place at the very end.

Nothing that goes wrong on the way touches the library that is there. A download that broke off goes on where it ended.
"""

from __future__ import annotations

import json
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from . import build as building
from .library import Library, LibraryError, library_path, user_path
from .records import RecordError, Source, read_source

CATALOG = "https://api.scryfall.com/bulk-data/oracle-cards"
CHUNK = 1 << 16
TRIES = 6
LONGEST_WAIT = 60
MOST_CATALOG = 10_000_000
MOST_BYTES = 2_000_000_000
# A file with fewer cards than this share of those that the library in use has is damaged or is something else.
LEAST_SHARE = 0.9

Progress = Callable[[str, int, int], None]  # what is being done, how much of how much (0: unknown)


class UpdateError(Exception):
    """The update failed, and the library is what it was; the message says why."""


class Updated(msgspec.Struct, frozen=True):
    """What an update put in place."""

    path: Path
    date: str
    cards: int
    failed: tuple[str, ...] = ()


class Download(msgspec.Struct, frozen=True):
    """What the catalog says about the file."""

    url: str
    date: str
    size: int = 0


def update(
    catalog: str | None = None,
    target: Path | None = None,
    progress: Progress | None = None,
    *,
    timeout: float = 60,
    pause: float = 2,
    least_cards: int | None = None,
) -> Updated:
    """Downloads the current card data, compiles it, and replaces the user's library. Raises UpdateError.

    `catalog` is the address that describes the file (default: Scryfall's, or LAWMAGE_CATALOG); `pause` grows with each
    failed try; `least_cards` is how many cards there have to be (default: nine in ten of the library in use).
    """
    catalog = catalog or os.environ.get("LAWMAGE_CATALOG") or CATALOG
    target = target or user_path()
    web = Web(timeout, pause)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        wanted = _described(web.read(catalog), catalog)
        file = target.with_name(_file_name(wanted))
        web.fetch(wanted, file, progress)
        try:
            return _compiled(file, target, wanted, _least(least_cards), progress)
        finally:
            file.unlink(missing_ok=True)
    except OSError as error:
        raise UpdateError(f"cannot write to {target.parent}: {error.strerror or error}") from None


def _described(data: bytes, catalog: str) -> Download:
    """The catalog's answer: one entry, or a list of which one is for Oracle cards."""
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise UpdateError(f"{catalog} did not answer with JSON") from None
    if isinstance(found, dict) and isinstance(found.get("data"), list):
        found = next((e for e in found["data"] if isinstance(e, dict) and e.get("type") == "oracle_cards"), None)
    if not isinstance(found, dict) or not str(found.get("download_uri", "")).startswith(("http://", "https://")):
        raise UpdateError(f"{catalog} names no file of Oracle cards to download")
    size = found.get("size")
    return Download(found["download_uri"], str(found.get("updated_at", ""))[:10], size if isinstance(size, int) else 0)


def _file_name(wanted: Download) -> str:
    """A name with the data's date, from which the date is read again."""
    date = wanted.date if re.fullmatch(r"\d{4}-\d\d-\d\d", wanted.date) else ""
    return f"oracle-cards-{date.replace('-', '') or 'current'}.json"


def _least(given: int | None) -> int:
    if given is not None:
        return given
    try:
        return int(len(Library.open(library_path())) * LEAST_SHARE)
    except LibraryError:
        return 20_000


def _compiled(file: Path, target: Path, wanted: Download, least: int, progress: Progress | None) -> Updated:
    source = _checked(file, least)

    def compiling(done: int, total: int) -> None:
        if progress:
            progress("compiling", done, total)

    built = building.build_sources([(source, file)], compiling)
    if Library(built.data).header.cards != len(built.cards):
        raise UpdateError("the new library does not read back")
    building.replace_file(target, built.data)
    return Updated(target, source.date, len(built.cards), tuple(built.failed))


def _checked(file: Path, least: int) -> Source:
    try:
        source = read_source(file)
    except (RecordError, KeyError, TypeError, AttributeError) as error:
        raise UpdateError(f"what was downloaded cannot be read: {error}") from None
    if len(source.records) < least:
        raise UpdateError(f"what was downloaded has {len(source.records)} cards; at least {least} were expected")
    return source


class Retry(Exception):
    """Worth another try."""


T = TypeVar("T")


class Web:
    """Reading from a server that may be slow, busy or break off."""

    def __init__(self, timeout: float, pause: float) -> None:
        self.timeout = timeout
        self.pause = pause

    def read(self, url: str) -> bytes:
        """A short answer as a whole."""

        def once() -> bytes:
            with self._open(url, {}) as response:
                return response.read(MOST_CATALOG)

        return self._again(url, once)

    def fetch(self, wanted: Download, file: Path, progress: Progress | None) -> None:
        """Downloads to `file`; what is there of an earlier try is kept, and the download goes on from its end."""
        part = file.with_name(file.name + ".part")
        for other in file.parent.glob("oracle-cards-*.part"):
            if other != part:
                other.unlink(missing_ok=True)  # of older data: its end is not to be had any more
        self._again(wanted.url, lambda: self._go_on(wanted, part, progress))
        part.replace(file)

    def _go_on(self, wanted: Download, part: Path, progress: Progress | None) -> None:
        have = part.stat().st_size if part.exists() else 0
        if not wanted.size or have < wanted.size:
            self._receive(wanted, part, have, progress)
            have = part.stat().st_size
        if wanted.size and have > wanted.size:
            part.unlink()
            raise Retry(f"{have} bytes came where {wanted.size} were announced")
        if have < wanted.size:
            raise Retry(f"only {have} of {wanted.size} bytes came")

    def _receive(self, wanted: Download, part: Path, have: int, progress: Progress | None) -> None:
        try:
            response = self._open(wanted.url, {"Range": f"bytes={have}-"} if have else {})
        except urllib.error.HTTPError as error:
            if error.code == 416:  # there is nothing behind what we have: it is not the beginning of this file
                part.unlink(missing_ok=True)
                raise Retry("the server could not go on from there") from None
            raise
        with response:
            goes_on = have > 0 and _starts_at(response) == have
            done = have if goes_on else 0
            expected = _length(response)
            with part.open("ab" if goes_on else "wb") as out:
                while chunk := response.read(CHUNK):
                    out.write(chunk)
                    done += len(chunk)
                    if done > MOST_BYTES:
                        raise UpdateError(f"{wanted.url} is far larger than card data is")
                    if progress:
                        progress("downloading", done, wanted.size)
        if expected is not None and done < expected + (have if goes_on else 0):
            raise Retry("the connection broke off")

    def _open(self, url: str, headers: dict[str, str]) -> HTTPResponse:
        if not url.startswith(("http://", "https://")):
            raise UpdateError(f"{url!r} is no web address")
        request = urllib.request.Request(url, headers={**_HEADERS, **headers})
        return urllib.request.urlopen(request, timeout=self.timeout)

    def _again(self, url: str, action: Callable[[], T]) -> T:
        """Tries until it works; gives up at once where another try would not help."""
        problem = ""
        for number in range(TRIES):
            wait = self.pause * 2**number
            try:
                return action()
            except urllib.error.HTTPError as error:
                problem = f"the server answered {error.code} {error.reason}"
                if error.code not in _PASSING:
                    break
                wait = _asked_to_wait(error, wait)
            except urllib.error.URLError as error:
                problem = str(error.reason)
            except (HTTPException, TimeoutError, ConnectionError, Retry) as error:
                problem = str(error) or type(error).__name__
            except ValueError as error:
                raise UpdateError(f"cannot read from {url}: {error}") from None
            if number + 1 < TRIES:
                time.sleep(min(wait, LONGEST_WAIT))
        raise UpdateError(f"cannot read from {url}: {problem}")


_PASSING = (408, 425, 429, 500, 502, 503, 504)  # statuses that another try may change


def _asked_to_wait(error: urllib.error.HTTPError, otherwise: float) -> float:
    asked = error.headers.get("Retry-After", "") if error.headers else ""
    return float(asked) if asked.isdigit() else otherwise


_HEADERS = {
    "User-Agent": "lawmage/0.1 (card library update)",
    "Accept": "application/json;q=0.9,*/*;q=0.8",
}


def _starts_at(response: HTTPResponse) -> int:
    """Where in the file a partial answer starts; 0 when the server sends the whole."""
    found = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    return int(found.group(1)) if response.status == 206 and found else 0


def _length(response: HTTPResponse) -> int | None:
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isdigit() else None
