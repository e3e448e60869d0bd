"""Linear's issues as tools."""
