"""From pages to the passages that answer a question."""
