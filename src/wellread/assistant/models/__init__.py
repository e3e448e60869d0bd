"""Language models: their endpoints, the client that asks them, and the caps on their cost."""
