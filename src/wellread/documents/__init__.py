"""Extractors of all media types but HTML, one file per family, to the same tree of blocks."""
