"""Trains the reader: five-fold cross-validation by registered domain, or the final weights on everything.

    python benchmarks/reader/train.py --pages pages.pickle --out FOLDER [--folds 01234] [--final reader.npz]

FOLDER gets `fold-N.npz`, the weights that never saw the domains of fold N; `extraction.py --folds FOLDER` reports with
them. A fold takes about five minutes on one core, for all four of its networks.
"""

from __future__ import annotations

import argparse
import copy
import json
import pickle
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from addresses import Known, learned
from examples import FOLDS, Example, fold_of
from loss import loss, targets
from network import CONVENTIONS, Reader, Shape, batch
from scoring import REPORTED, Told, report
from thinning import thinned

from wellread.web.extract.address import Addresses
from wellread.web.extract.reader import TASTES, likeliest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray


class Recipe(NamedTuple):
    """How the weights in the package were trained."""

    epochs: int = 10
    leaves: int = 5_000
    """In one batch."""
    rate: float = 3e-3
    decay: float = 0.01
    table_decay: float = 0.05
    thin: float = 0.8
    """The share of pages that come thinned."""
    unaddressed: float = 0.25
    """The share of pages that come without their address: not all that are read have one."""
    seeds: tuple[int, ...] = (1, 2, 3, 4)
    """One network begins from each, and the reader goes by the mean of what they say."""


def sampled(pages: Sequence[Example], dice: random.Random) -> list[Example]:
    """Return the pages of one epoch; those whose truth is a few marks come every other time: they tell little."""
    return [page for page in pages if page.source != "trafeval" or dice.random() < 0.5]


def batches(pages: Sequence[Example], most: int, dice: random.Random) -> Iterator[list[Example]]:
    order = sampled(pages, dice)
    dice.shuffle(order)
    group: list[Example] = []
    size = 0
    for page in order:
        if group and size + len(page.sizes) > most:
            yield group
            group, size = [], 0
        group.append(page)
        size += len(page.sizes)
    if group:
        yield group


def convention(page: Example, dice: random.Random) -> list[float]:
    """Return under which convention a page is learned, as a row of weights; marks hold under each of them."""
    which = dice.randrange(len(CONVENTIONS)) if page.source == "trafeval" else int(page.source not in {"wcxb", "made"})
    return [float(which == number) for number in range(len(CONVENTIONS))]


def trained(pages: Sequence[Example], shape: Shape, recipe: Recipe) -> list[Reader]:
    """Return a network for each seed."""
    return [_trained(pages, shape, recipe, seed) for seed in recipe.seeds]


def _trained(pages: Sequence[Example], shape: Shape, recipe: Recipe, seed: int) -> Reader:
    """Return the running mean of the weights, which reads better than the last ones."""
    torch.manual_seed(seed)
    dice = random.Random(seed)
    known = addressed(pages)
    model = Reader(shape)
    slow = copy.deepcopy(model)
    optimizer = torch.optim.AdamW(_groups(model, recipe), lr=recipe.rate, betas=(0.9, 0.98))
    steps = recipe.epochs * sum(1 for _ in batches(pages, recipe.leaves, random.Random(0)))
    plan = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, recipe.rate, total_steps=int(steps * 1.05) + 20, pct_start=0.15
    )
    began, step = time.time(), 0
    for epoch in range(recipe.epochs):
        model.train()
        losses = []
        for whole in batches(pages, recipe.leaves, dice):
            group = [thinned(page, dice) if dice.random() < recipe.thin else page for page in whole]
            named = [known[page.url] if dice.random() >= recipe.unaddressed else known[""] for page in group]
            at = batch(group, [convention(page, dice) for page in group], named)
            odds, kinds = model(at)
            lost = loss(odds, kinds, targets(group), at.page)
            optimizer.zero_grad()
            lost.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            plan.step()
            step += 1
            _follow(slow, model, min(0.995, step / (step + 10)))
            losses.append(float(lost.detach()))
        print(f"  epoch {epoch} loss {np.mean(losses):.4f}, {time.time() - began:.0f} s", flush=True)
    slow.eval()
    return slow


def _groups(model: Reader, recipe: Recipe) -> list[dict[str, object]]:
    tables = [value for name, value in model.named_parameters() if name.startswith(("names", "words"))]
    rest = [value for name, value in model.named_parameters() if not name.startswith(("names", "words"))]
    return [{"params": rest, "weight_decay": recipe.decay}, {"params": tables, "weight_decay": recipe.table_decay}]


@torch.no_grad()  # type: ignore[untyped-decorator]  # PyTorch is no dependency
def _follow(slow: Reader, model: Reader, keep: float) -> None:
    for mean, value in zip(slow.parameters(), model.parameters(), strict=True):
        mean.lerp_(value, 1 - keep)


@torch.no_grad()  # type: ignore[untyped-decorator]  # PyTorch is no dependency
def told(models: Sequence[Reader], known: Known, pages: Sequence[Example]) -> list[Told]:
    """Return what the models say of each page in each mode that scores are reported in, on average."""
    found = []
    addresses = Addresses(*known)
    for page in pages:
        address = addresses.evidence(page.url)
        at = {mode: batch([page], [TASTES[mode].conventions], [address]) for mode in REPORTED}
        said = {mode: [model(one) for model in models] for mode, one in at.items()}
        odds = {mode: torch.stack([odds for odds, _ in one]).mean(0).numpy() for mode, one in said.items()}
        kinds = torch.stack([torch.softmax(kinds, -1) for _, kinds in said["balanced"]]).mean(0)
        found.append(Told(page, odds, likeliest(kinds.numpy(), address)))
    return found


def addressed(pages: Sequence[Example]) -> dict[str, NDArray[np.float32]]:
    """Return what each address says of its page's kind, by what the addresses of other folds teach; the empty one, too.

    No page may be known by its own address: what is learned of those the reader will meet is as unsure.
    """
    found: dict[str, NDArray[np.float32]] = {}
    for fold in range(FOLDS):
        addresses = Addresses(*kinds_of([page for page in pages if fold_of(page.domain) != fold]))
        found |= {page.url: addresses.evidence(page.url) for page in pages if fold_of(page.domain) == fold}
        found[""] = addresses.evidence(None)
    return found


def kinds_of(pages: Sequence[Example]) -> Known:
    """Return what the addresses of the pages teach of their kinds."""
    return learned((page.url, page.domain, page.kind) for page in pages if page.source == "wcxb")


def export(models: Sequence[Reader], data: Mapping[str, Sequence[str]], known: Known, path: Path) -> None:
    """Write the weights as the package reads them: half precision, those of all networks along a first axis."""
    weights = [_weights(model) for model in models]
    packed = {name: np.stack([one[name] for one in weights]).astype(np.float16) for name in weights[0]}
    packed |= {f"vocabulary.{name}": np.array(" ".join(data[name])) for name in ("names", "words")}
    packed |= {"address.clues": np.array("\n".join(known.clues)), "address.odds": known.odds}
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **packed)


def _weights(model: Reader) -> dict[str, np.ndarray]:
    """Return the weights of one network, its matrices ready to multiply from the right."""
    state = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    weights = {name: state[f"{name}.weight"] for name in ("names", "words")}
    weights |= {"convention": state["convention"], "address": state["address"]}
    for name in ("enter", "leave", "kind"):
        weights[f"{name}.weight"] = state[f"{name}.weight"].T
        weights[f"{name}.bias"] = state[f"{name}.bias"]
    weights["leave.weight"] = weights["leave.weight"][:, 0]
    for number in range(len(model.rounds)):
        for part in ("say", "hear", "page"):
            weights[f"{part}.weight.{number}"] = state[f"rounds.{number}.{part}.weight"].T
            if part != "page":
                weights[f"{part}.bias.{number}"] = state[f"rounds.{number}.{part}.bias"]
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=Path, required=True, help="what dataset.py wrote")
    parser.add_argument("--out", type=Path, help="folder for the weights of the folds")
    parser.add_argument("--folds", default="01234")
    parser.add_argument("--final", type=Path, help="train on everything and write the weights here")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    with options.pages.open("rb") as file:
        data = pickle.load(file)
    pages: list[Example] = data["examples"]
    shape = Shape(pages[0].features.numbers.shape[1], len(data["names"]), len(data["words"]))
    if options.final:
        export(trained(pages, shape, Recipe()), data, kinds_of(pages), options.final)
    results: list[Told] = []
    for fold in map(int, options.folds if options.out else ""):
        others = [page for page in pages if fold_of(page.domain) != fold]
        model, known = trained(others, shape, Recipe()), kinds_of(others)
        results += told(model, known, [page for page in pages if fold_of(page.domain) == fold])
        options.out.mkdir(exist_ok=True)
        export(model, data, known, options.out / f"fold-{fold}.npz")
    if results:
        folds = {f"{page.source}/{page.name}": fold_of(page.domain) for page in pages if page.name}
        (options.out / "folds.json").write_text(json.dumps(folds), encoding="utf-8")
        report(results)


if __name__ == "__main__":
    main()
