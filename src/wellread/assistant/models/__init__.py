"""Language models: where they are, how they are asked, and what they may cost."""
