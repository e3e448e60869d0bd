"""The knowledge base: the user's documents in chunks that can be searched and cited."""
