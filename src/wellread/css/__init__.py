"""Reads style sheets: what they say of the elements of a page, and nothing of what the page is about."""
