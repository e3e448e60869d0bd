"""Search: providers and the engine that asks them."""
