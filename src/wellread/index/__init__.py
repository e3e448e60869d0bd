"""The local full-text index: search terms of any language, pieces of text, and their relevance to a query."""
