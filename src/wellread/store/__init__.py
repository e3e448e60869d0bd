"""Data on disk: snapshots and the local index, both in SQLite."""
