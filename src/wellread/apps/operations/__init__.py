"""The operations that every interface offers: one registry of names, arguments, results and descriptions."""
