"""The installed extractors; a built-in one is loaded when the first source of its media types comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread import plugins
from wellread.extractor_types import MEDIA_TYPES

if TYPE_CHECKING:
    from wellread.ports import Extractor
    from wellread.types import Extraction, Source


class LazyExtractor:
    """An extractor whose module is loaded by its first source."""

    def __init__(self, name: str) -> None:
        """Take the name of a built-in extractor."""
        self.name = name
        self.media_types = MEDIA_TYPES[name]

    def extract(self, source: Source) -> Extraction:
        """Load the extractor and read `source`; see `Extractor.extract`.

        Raises:
            WellreadError: as the extractor; PluginError where it cannot be loaded.
        """
        return load_extractor(self.name).extract(source)


def load_extractor(name: str) -> Extractor:
    """Return a new extractor of this name.

    Raises:
        PluginError: there is none, or loading it failed.
    """
    extractor: Extractor = plugins.load("extractors", name)()
    return extractor


def installed_extractors() -> list[Extractor]:
    """Return one of each installed extractor, sorted by name.

    Raises:
        PluginError: two extractors have one name, or an extractor of another package cannot be loaded.
    """
    return [_installed(name) for name in plugins.names("extractors")]


def _installed(name: str) -> Extractor:
    if name in MEDIA_TYPES and plugins.is_built_in("extractors", name):
        return LazyExtractor(name)
    return load_extractor(name)
