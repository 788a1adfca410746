"""How fast the answers are, each figure a multiple of something measured in the same run. `python -m benchmarks`."""
