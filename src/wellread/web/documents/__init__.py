"""Every other media type to the same tree of blocks, one file per family."""
