"""What a research costs, by the prices of the settings; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wellread.config import Settings
    from wellread.types import ProviderOutcome, ResearchFinding, ResearchPlan

MILLION: Final = 1_000_000
ANY_MODEL: Final = "*"
"""Stands for models without a price of their own."""


class Spending(NamedTuple):
    """What a part of a research took of the budget."""

    pages: int = 0
    """Pages that were requested."""
    tokens: int = 0
    elapsed_s: float = 0.0
    cost_usd: float = 0.0

    def plus(self, part: Spending | ResearchFinding) -> Spending:
        """Return the sum with the spending of another part, or with that of a finished query."""
        return Spending(
            pages=self.pages + part.pages,
            tokens=self.tokens + part.tokens,
            elapsed_s=self.elapsed_s + part.elapsed_s,
            cost_usd=self.cost_usd + part.cost_usd,
        )

    def plus_plan(self, plan: ResearchPlan) -> Spending:
        """Return the sum with the spending of a plan, which requests no page."""
        return self.plus(Spending(tokens=plan.tokens, elapsed_s=plan.elapsed_s, cost_usd=plan.cost_usd))


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


def research_prices(settings: Settings, *, has_model: bool, is_budgeted: bool) -> ResearchPrices | None:
    """Return the prices of the settings; None where those of a research without a budget in dollars are not complete.

    Of `models.chat` and its fallbacks, the highest prices hold.

    Raises:
        ConfigError: `is_budgeted`, and there are no prices, or a model has none beside others that have one.
    """
    models = settings.models
    names: tuple[str, ...] = ()
    if has_model:
        names = (models.chat or ANY_MODEL, *models.fallback)
    tables = [models.input_usd, models.output_usd]
    unpriced = [name for name in names if any(_price(table, name) is None for table in tables)]
    searches = dict(settings.search.usd)
    has_none = len(unpriced) == len(names) and not searches
    if not is_budgeted and (has_none or unpriced):
        return None
    if has_none:
        raise ConfigError(
            "a budget in dollars needs prices", hint="set models.input_usd and models.output_usd, or search.usd"
        )
    if unpriced:
        hint = "set models.input_usd and models.output_usd for it"
        raise ConfigError(f"the price of the model {unpriced[0]} is not set", hint=hint)
    input_usd, output_usd = (max((_price(table, name) or 0.0 for name in names), default=0.0) for table in tables)
    return ResearchPrices(input_usd, output_usd, searches)


def _price(table: Mapping[str, float], name: str) -> float | None:
    return table.get(name, table.get(ANY_MODEL))
