"""`python -m steelyard`: the same as the command `steelyard`."""

from steelyard.cli.app import main

main()
