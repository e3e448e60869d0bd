"""How many tokens a text costs a model, near enough for budgets, with no model's own tokeniser."""

BYTES_PER_TOKEN = 4
"""Of UTF-8: a Latin letter is a quarter of a token, a Cyrillic one half, an ideograph three quarters."""


def count_tokens(text: str) -> int:
    """The tokens of a text, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)
