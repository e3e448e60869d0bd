"""The assistant's memory of conversations: facts with confidence, and turns found by full text."""
