"""What a research costs, by the prices of the settings; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wellread.config import Settings
    from wellread.types import ProviderOutcome

MILLION: Final = 1_000_000
ANY_MODEL: Final = "*"
"""Stands for models without a price of their own."""


class ResearchPrices(NamedTuple):
    """Dollars of a million tokens, in and out, and of one search by its provider."""

    input_usd: float
    output_usd: float
    searches: dict[str, float]

    def model_usd(self, input_tokens: int, output_tokens: int) -> float:
        """Return the cost of one answer of the language model."""
        return (input_tokens * self.input_usd + output_tokens * self.output_usd) / MILLION

    def search_usd(self, outcomes: Iterable[ProviderOutcome]) -> float:
        """Return the cost of a search: each provider that was asked counts once."""
        return sum(self.searches.get(outcome.provider, 0.0) for outcome in outcomes)

    @property
    def most_search_usd(self) -> float:
        """The most that one search costs: all providers with a price are asked."""
        return sum(self.searches.values())


def research_prices(settings: Settings, *, has_model: bool) -> ResearchPrices | None:
    """Return the prices of the settings; None where they have none that matters.

    Of `models.chat` and its fallbacks, the highest prices hold.

    Raises:
        ConfigError: one of several models has no price.
    """
    models = settings.models
    names: tuple[str, ...] = ()
    if has_model:
        names = (models.chat or ANY_MODEL, *models.fallback)
    tables = [models.input_usd, models.output_usd]
    unpriced = [name for name in names if any(_price(table, name) is None for table in tables)]
    searches = dict(settings.search.usd)
    if len(unpriced) == len(names) and not searches:
        return None
    if unpriced:
        hint = "set models.input_usd and models.output_usd for it"
        raise ConfigError(f"the price of the model {unpriced[0]} is not set", hint=hint)
    input_usd, output_usd = (max((_price(table, name) or 0.0 for name in names), default=0.0) for table in tables)
    return ResearchPrices(input_usd, output_usd, searches)


def _price(table: Mapping[str, float], name: str) -> float | None:
    return table.get(name, table.get(ANY_MODEL))
