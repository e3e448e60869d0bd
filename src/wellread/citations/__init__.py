"""Proves what was quoted: cursors and pieces of a page, citations and their verification, evidence for a prompt."""
