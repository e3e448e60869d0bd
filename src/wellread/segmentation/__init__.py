"""Cuts a parsed page into leaves of visible text and the boxes around them; what of it is content it does not know."""
