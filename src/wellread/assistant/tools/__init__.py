"""Tools that the assistant has of itself; each module makes `Tool`s out of the parts that it is given."""
