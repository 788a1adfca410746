"""`python -m benchmarks [--quick] [--suite NAME …] [--out FOLDER] [--compare FILE]`."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from .measure import Figure, Meter, settle, spread
from .page import page
from .report import Run, compared, load, save, table, wrong

SUITES = ("counts", "stages", "freezes", "scaling", "peers", "xmage", "karsten", "bulk", "audits")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller sizes and fewer runs: less than 45 seconds")
    parser.add_argument("--suite", action="append", choices=SUITES, help="only this suite (may be repeated)")
    parser.add_argument("--out", type=Path, default=Path("build/benchmarks"), help="folder for the JSON and the page")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="compare with the JSON of an earlier run")
    options = parser.parse_args(arguments)
    run = measure(options.suite or SUITES, options.quick, say=lambda text: print(text, file=sys.stderr, flush=True))
    options.out.mkdir(parents=True, exist_ok=True)
    before = load(options.compare) if options.compare else None  # read first: it may be the file that is written
    save(run, options.out / "benchmarks.json")
    (options.out / "benchmarks.html").write_text(page(run), "utf-8")
    print(table(run))
    if before is not None:
        print("\n" + compared(run, before))
    print(f"\nwritten: {options.out / 'benchmarks.json'}, {options.out / 'benchmarks.html'}")
    return 1 if wrong(run) else 0


def measure(
    suites: Sequence[str], quick: bool, say: Callable[[str], None] = lambda text: None, meter: Meter | None = None
) -> Run:
    meter = meter or (Meter(least=3, runs=5, most=0.12) if quick else Meter())
    figures: list[Figure] = []
    for name in suites:
        settle()
        start = perf_counter(), process_time()
        suite: Callable[[Meter, bool], Iterator[Figure]] = import_module(f".{name}", __package__).suite
        figures += suite(meter, quick)
        say(f"{name}: {perf_counter() - start[0]:.1f} s, of which {process_time() - start[1]:.1f} s on a processor")
    order = {suite: place for place, suite in enumerate(dict.fromkeys(f.suite for f in figures))}
    return Run(
        version=version("lawmage"),
        quick=quick,
        unit_seconds=median(meter.units) if meter.units else 0.0,
        figures=tuple(sorted(figures, key=lambda f: order[f.suite])),
        python=platform.python_version(),
        ortools=version("ortools"),
        machine=f"{platform.machine()}, {os.cpu_count()} processors",
        unit_spread=spread(meter.units) if meter.units else (0.0, 0.0),
    )


if __name__ == "__main__":
    sys.exit(main())
