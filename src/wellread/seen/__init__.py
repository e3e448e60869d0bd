"""Knows what a person sees of a page that its styles alone do not tell: what is named for others, or shown later."""
