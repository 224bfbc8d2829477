"""`python -m scanlab`."""

from scanlab.cli import main

main()
