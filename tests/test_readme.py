"""Every example in the README does what the README says."""

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
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCKS if name == language]


def transcripts() -> list[tuple[str, str]]:
    """Every `$ command` of the console blocks, with the output that is printed below it."""
    parts = (part for block in blocks("console") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:])
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


@pytest.mark.parametrize(("command", "output"), transcripts(), ids=[command for command, _ in transcripts()])
def test_a_command_prints_what_stands_below_it(command: str, output: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "lawmage"
    run = subprocess.run(
        [sys.executable, "-m", "lawmage", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert (run.stdout.strip(), run.stderr) == (output.strip(), "")


def test_the_python_examples_do_what_they_show() -> None:
    text = "\n".join(blocks("pycon"))
    example = doctest.DocTestParser().get_doctest(text, {}, "README", "README.md", 0)
    printed: list[str] = []
    doctest.DocTestRunner().run(example, out=printed.append)
    assert example.examples
    assert not printed, "".join(printed)


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


@pytest.mark.parametrize("path", re.findall(r"\]\(([^)#:]+)\)", README))
def test_a_link_leads_somewhere(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.yaml")), ids=lambda path: path.name)
def test_an_example_can_be_asked(path: Path) -> None:
    document = yaml.safe_load(path.read_text("utf-8"))
    replies = lawmage.ask(path)
    assert len(replies if isinstance(replies, list) else [replies]) == len(document.get("queries", [1]))
