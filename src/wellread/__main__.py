"""`python -m wellread` is the command `wellread`."""

from wellread.apps.cli import main

main()
