"""What the assistant remembers of conversations: facts with confidence, and turns found again by what is asked."""
