"""Every example in the README and in docs/using.md does what it says there.

`python tests/test_readme.py` puts what the examples print now into them: read the difference before you keep it.
"""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import lawmage

ROOT = Path(__file__).resolve().parent.parent
FLAGS = re.MULTILINE | re.DOTALL
PAGES = ("README.md", "docs/using.md")


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def blocks(language: str, pages: tuple[str, ...] = PAGES) -> list[str]:
    """The texts of all blocks in this language."""
    return [text for page in pages for text in re.findall(rf"^```{language}\n(.*?)^```", text_of(page), FLAGS)]


def transcripts() -> list[tuple[str, str]]:
    """Every `$ command` of the console blocks, with the output that is printed below it."""
    parts = (part for block in blocks("console") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:])
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


def printed(command: str) -> tuple[str, str]:
    """Standard output and standard error of a command of the README."""
    program, *arguments = shlex.split(command)
    assert program == "lawmage"
    run = subprocess.run(
        [sys.executable, "-m", "lawmage", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    return run.stdout, run.stderr


@pytest.mark.parametrize(("command", "output"), transcripts(), ids=[command for command, _ in transcripts()])
def test_a_command_prints_what_stands_below_it(command: str, output: str) -> None:
    out, error = printed(command)
    assert (out.strip(), error) == (output.strip(), "")


@pytest.mark.parametrize("page", PAGES)
def test_the_python_examples_do_what_they_show(page: str) -> None:
    example = doctest.DocTestParser().get_doctest("\n".join(blocks("pycon", (page,))), {}, page, page, 0)
    failures: list[str] = []
    doctest.DocTestRunner().run(example, out=failures.append)
    assert example.examples
    assert not failures, "".join(failures)


@pytest.mark.parametrize("text", blocks("yaml"))
def test_a_document_can_be_asked(text: str) -> None:
    reply = lawmage.ask(text)
    assert isinstance(reply, lawmage.Reply)
    assert reply.verdict != "unknown"


def test_the_setup_commands_are_those_that_ci_runs() -> None:
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("python3 -m venv ")]
    assert len(lines) == 2
    assert lines[0].endswith("lawmage ask examples/filter-lands.yaml")
    assert lines[1].endswith("pytest -q")


def links() -> list[tuple[str, str]]:
    return [(page, path) for page in PAGES for path in re.findall(r"\]\(([^)#:]+)\)", text_of(page))]


@pytest.mark.parametrize(("page", "path"), links())
def test_a_link_leads_somewhere(page: str, path: str) -> None:
    assert (ROOT / page).parent.joinpath(path).exists()


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.yaml")), ids=lambda path: path.name)
def test_an_example_can_be_asked(path: Path) -> None:
    document = yaml.safe_load(path.read_text("utf-8"))
    replies = lawmage.ask(path)
    assert len(replies if isinstance(replies, list) else [replies]) == len(document.get("queries", [1]))


def rewritten(text: str) -> str:
    """A page with what its commands print now."""

    def block(match: re.Match[str]) -> str:
        commands = re.findall(r"^\$ (.*)$", match[0], re.MULTILINE)
        shown = [f"$ {command}\n{printed(command)[0].rstrip()}\n" for command in commands]
        return "```console\n" + "\n".join(shown) + "```"

    return re.sub(r"^```console\n.*?^```", block, text, flags=FLAGS)


if __name__ == "__main__":
    for page in PAGES:
        (ROOT / page).write_text(rewritten(text_of(page)), "utf-8")
