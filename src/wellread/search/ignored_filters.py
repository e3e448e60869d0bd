"""Tells which of a query's filters a provider ignores: a filter that makes no difference to its request."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wellread.ports import Access, Query, SearchProvider


def ignored_filters(provider: SearchProvider, query: Query, access: Access) -> frozenset[str]:
    """Return the names of the filters that were asked for and are not in the request.

    It is told from the request itself, so that it is right for values too: a country that a service does not know.

    Raises:
        Auth: the provider needs a key that `access` lacks.
    """
    request = provider.request(query, access)
    without = {
        "region": replace(query, region=None),
        "freshness": replace(query, freshness=None),
        "page": replace(query, page=1),
    }
    return frozenset(
        name for name, other in without.items() if other != query and provider.request(other, access) == request
    )
