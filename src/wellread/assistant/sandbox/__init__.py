"""Runs commands in a sandbox: one folder, no network, no other file, and limits on all resources."""
