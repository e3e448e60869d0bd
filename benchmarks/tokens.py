"""Measures tokens: of pages by kind for each way to show links, and the estimate beside five vocabularies.

    python benchmarks/tokens.py --data DIR/wcxb --vocabularies DIR [--news DIR/news] [--every 10]

`--vocabularies` is the folder `litellm/litellm_core_utils/tokenizers` of an unpacked litellm wheel: those of
cl100k, o200k, Claude 2 and DeepSeek; mistral-common ships Tekken. It needs tiktoken, tokenizers and mistral-common.
Per group it prints the pages, the median of estimate / dearest vocabulary, the share of pages on which the estimate is
not below it, and o200k's tokens with links as references and as words alone, as shares of those with links inline.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import wellread
from wellread.errors import WellreadError
from wellread.reading.page_printing import estimated_tokens

if TYPE_CHECKING:
    from wellread.types import LinkStyle

Counter = Callable[[str], int]
_STYLES: tuple[LinkStyle, ...] = ("inline", "reference", "none")
_CHARS = 12_000


class Sample(NamedTuple):
    """One page: the ratio of the estimate, and its tokens in each style."""

    ratio: float
    tokens: dict[LinkStyle, int]


def counters(folder: Path) -> dict[str, Counter]:
    """Return a function that counts tokens for each vocabulary."""
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    import tiktoken
    from tokenizers import Tokenizer

    found: dict[str, Counter] = {}
    for name in ("cl100k_base", "o200k_base"):
        found[name] = _tiktoken_counter(tiktoken.get_encoding(name))
    for name in ("anthropic", "deepseek"):
        found[name] = _tokenizers_counter(Tokenizer.from_file(str(folder / f"{name}_tokenizer.json")))
    file = resources.files("mistral_common") / "data" / "tekken_240911.json"
    tekken = json.loads(file.read_text())
    size = tekken["config"]["default_vocab_size"] - tekken["config"]["default_num_special_tokens"]
    ranks = {base64.b64decode(entry["token_bytes"]): entry["rank"] for entry in tekken["vocab"][:size]}
    pattern = tekken["config"]["pattern"]
    encoding = tiktoken.Encoding("tekken", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    return found | {"tekken": _tiktoken_counter(encoding)}


def _tiktoken_counter(encoding: Any) -> Counter:  # Any: tiktoken is not installed where types are checked
    return lambda text: len(encoding.encode(text, disallowed_special=()))


def _tokenizers_counter(tokenizer: Any) -> Counter:  # Any: as above
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def pages(data: Path, news: Path | None, every: int) -> Iterator[tuple[str, bytes]]:
    """Yield the group and the HTML of each page."""
    for file in sorted((data / "html").glob("*.gz"))[::every]:
        yield "", gzip.decompress(file.read_bytes())
    if news is not None:
        for entry in json.loads((news / "truth.json").read_text()):
            yield f"news {entry['cc']}", gzip.decompress((news / "html" / f"{entry['id']}.html.gz").read_bytes())


def samples(arguments: argparse.Namespace) -> dict[str, list[Sample]]:
    """Return the samples by kind of page, or by country."""
    counts = counters(arguments.vocabularies)
    found: dict[str, list[Sample]] = defaultdict(list)
    for group, html in pages(arguments.data, arguments.news, arguments.every):
        texts: dict[LinkStyle, str] = {}
        page = None
        for style in _STYLES:
            try:
                page = wellread.extract(html, url="https://example.com/", links=style)
            except WellreadError:
                break
            texts[style] = page.text
        if page is None or len(texts) < len(_STYLES) or len(page.text) < 200:
            continue
        text = texts["inline"][:_CHARS]
        dearest = max(count(text) for count in counts.values())
        tokens = {style: counts["o200k_base"](texts[style]) for style in _STYLES}
        found[group or page.page_type].append(Sample(estimated_tokens(text) / dearest, tokens))
    return found


def main() -> None:
    """Print a line for each group, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--vocabularies", type=Path, required=True)
    parser.add_argument("--news", type=Path)
    parser.add_argument("--every", type=int, default=10)
    found = samples(parser.parse_args())
    print(f"{'group':16} pages  median  enough  reference  none")
    everything = [sample for group in found.values() for sample in group]
    for name, group in [*sorted(found.items()), ("all", everything)]:
        ratios = [sample.ratio for sample in group]
        enough = sum(ratio >= 1 for ratio in ratios) / len(ratios)
        total = {style: sum(sample.tokens[style] for sample in group) for style in _STYLES}
        shares = "  ".join(f"{total[style] / total['inline']:9.2f}" for style in _STYLES[1:])
        print(f"{name:16} {len(group):5}  {median(ratios):6.2f}  {enough:6.2f}  {shares}")


if __name__ == "__main__":
    main()
