"""The commands, one file per family; `wellread.apps.cli` hangs them on one tree."""
