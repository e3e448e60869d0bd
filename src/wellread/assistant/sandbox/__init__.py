"""Runs commands where they reach one folder and nothing else: no network, no other file, and limits on all they use."""
