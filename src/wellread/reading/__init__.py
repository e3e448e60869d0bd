"""Reads a page: lookup, fetch, extraction, render fallback, store, slice; and many pages for one question."""
