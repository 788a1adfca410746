"""What an installation holds is what the folders hold."""

from __future__ import annotations

import importlib
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from importlib import metadata
from pathlib import Path

import pytest

import lawmage

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]
ROOMS = ("lawmage", "model", "solver")


def package_of(folder: Path) -> str:
    """The name under which a folder of the repository is installed."""
    name = ".".join(folder.relative_to(ROOT).parts)
    return name if name.split(".")[0] == "lawmage" else f"lawmage.{name}"


def own_files(room: str) -> list[Path]:
    """The files of a room, without caches; `rglob` does not go into linked folders."""
    found = [path for path in (ROOT / room).rglob("*") if path.is_file()]
    return [p for p in found if not any(f == "__pycache__" or f.startswith(".") for f in p.relative_to(ROOT).parts)]


def test_every_folder_of_code_is_a_package_that_is_installed() -> None:
    found = {package_of(path.parent) for room in ROOMS for path in own_files(room) if path.name == "__init__.py"}
    assert found == set(SETUPTOOLS["packages"])


def test_every_file_that_is_no_code_is_package_data() -> None:
    patterns = SETUPTOOLS["package-data"]
    others = [path for room in ROOMS for path in own_files(room) if path.suffix not in (".py", ".pyc")]
    missing = [
        str(path.relative_to(ROOT))
        for path in others
        if not any(fnmatch(path.name, pattern) for pattern in patterns.get(package_of(path.parent), ()))
    ]
    assert missing == []


@pytest.mark.parametrize("room", ["model", "solver"])
def test_the_links_lead_to_the_rooms(room: str) -> None:
    link = ROOT / "lawmage" / room
    assert link.is_symlink()
    assert link.resolve() == ROOT / room


def test_there_is_one_version() -> None:
    assert PROJECT["project"]["version"] == lawmage.__version__ == metadata.version("lawmage")


def test_every_public_name_is_there() -> None:
    for name in lawmage.__all__:
        assert getattr(lawmage, name).__name__ == name
    assert set(lawmage.__all__) <= set(dir(lawmage))
    with pytest.raises(AttributeError, match="no_such_name"):
        lawmage.no_such_name  # noqa: B018


@pytest.mark.parametrize("module", ["lawmage.model.game", "lawmage.solver.answer"])
def test_a_room_is_imported_once_under_its_installed_name(module: str) -> None:
    assert importlib.import_module(module).__name__ == module
    assert module.removeprefix("lawmage.") not in sys.modules


def test_the_rules_never_load_the_solver() -> None:
    code = """if True:
        import importlib, pkgutil, sys, lawmage.model
        for found in pkgutil.walk_packages(lawmage.model.__path__, "lawmage.model."):
            importlib.import_module(found.name)
        assert not {"ortools", "lawmage.solver"} & set(sys.modules), sorted(sys.modules)
    """
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
