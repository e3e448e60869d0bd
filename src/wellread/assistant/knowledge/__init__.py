"""The knowledge base: documents that the user gave, in pieces that are found again and can be cited."""
