"""The operations that every door offers: one registry of names, arguments, results and words."""
