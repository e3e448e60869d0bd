"""Adapters that read pages inside engines for many machines: datatrove and Ray Data (docs/bulk.md)."""
