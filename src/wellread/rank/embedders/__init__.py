"""Services that make vectors of texts, one file each."""
