"""Reads pages in Ray Data: `read_pages(dataset)` maps rows with the bytes of pages to rows of text and metadata.

Needs `pip install 'wellread[ray]'`. Ray's usage reports are switched off; import this module before `ray.init()`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellread.bulk.bulk_page_reader import BulkPageReader, BulkRow
from wellread.config import disable_usage_reports

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ray.data import Dataset

disable_usage_reports()


class ReadPages(BulkPageReader):
    """The callable of `map_batches`: one reader for each actor.

    The columns of a batch are `source`, `body` (bytes), and optionally `url` and `content_type`; those of the result
    are the fields of `BulkRow`. A row whose body is null is an error row.
    """

    def __call__(self, batch: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:  # Any: columns of Ray
        """Return a row for each row of the batch."""
        count = len(batch["source"])
        urls = batch.get("url", [""] * count)
        content_types = batch.get("content_type", [""] * count)
        rows = [
            self.row(str(source), _body(body), url=url or None, content_type=content_type or "")
            for source, body, url, content_type in zip(batch["source"], batch["body"], urls, content_types, strict=True)
        ]
        return {name: [getattr(row, name) for row in rows] for name in BulkRow._fields}


def _body(cell: object) -> bytes | None:
    """Return the bytes of a cell; None for a null, which is NaN in a column of nulls alone."""
    return bytes(cell) if isinstance(cell, bytes | bytearray | memoryview) else None


def read_pages(
    dataset: Dataset,
    *,
    concurrency: int | tuple[int, int] = 1,
    batch_size: int = 32,
    options: Mapping[str, Any] | None = None,  # Any: arguments of several types
) -> Dataset:
    """Return `dataset` with a row for each page, read by `concurrency` actors of one CPU each.

    `options` are the arguments of `ReadPages`. A page that crashes its reader twice is an error row; an actor that
    dies, with its machine for example, is replaced by Ray, and its batch is read again.
    """
    return dataset.map_batches(
        ReadPages,
        fn_constructor_kwargs=dict(options or {}),
        concurrency=concurrency,
        batch_size=batch_size,
        num_cpus=1,
    )
