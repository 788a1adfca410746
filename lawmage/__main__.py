"""`python -m lawmage` is the command `lawmage`."""

from .cli import main

if __name__ == "__main__":
    main()
