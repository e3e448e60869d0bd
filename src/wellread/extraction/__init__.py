"""HTML to the main content as a tree of blocks: one parse, one walk."""
