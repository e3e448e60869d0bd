"""Trains the reader: five-fold cross-validation by registered domain, or the final weights on everything.

    python benchmarks/reader/train.py --pages pages.pickle --out FOLDER [--folds 01234] [--seeds 1234]
    python benchmarks/reader/train.py --pages pages.pickle --out FOLDER --final reader.npz

FOLDER gets `fold-N.npz`, the weights that never saw the domains of fold N; `extraction.py --folds FOLDER` reports with
them. A network takes about four minutes on one core, and each set of weights has four. FOLDER keeps each network as
soon as it is trained (`fold-N.seed-S.pt`): a run that was cut off goes on with the networks that are missing, and two
processes may train the `--seeds` of one fold side by side; who finds all of them there writes the weights.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import pickle
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from addresses import Known, learned
from blanking import blanked, tags
from examples import FOLDS, Example, fold_of
from loss import loss, targets
from network import CONVENTIONS, Reader, Shape, batch
from scoring import REPORTED, Told, report
from thinning import thinned

from wellread.extraction.learned_selector import MODE_SETTINGS, UrlEvidence, likeliest_kind

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
    blank: float = 0.2
    """The share of pages that come without words and names."""
    seeds: tuple[int, ...] = (1, 2, 3, 4)
    """One network begins from each, and the reader goes by the mean of what they say."""


def sampled(pages: Sequence[Example], dice: random.Random) -> list[Example]:
    """Return the pages of one epoch; those whose truth is a few marks come every other time: they tell little.

    Those of `news` come twice, for they are few, and each time thinned otherwise.
    """
    once = [page for page in pages if page.source != "trafeval" or dice.random() < 0.5]
    return [*once, *(page for page in pages if page.source == "news")]


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


_CONVENTION_OF = {"wcxb": 0, "made": 0, "aeb": 1, "made-body": 1, "news": 3, "made-news": 3}


def convention(page: Example, dice: random.Random) -> list[float]:
    """Return under which convention a page is learned, as a row of weights; marks hold under each of them."""
    which = dice.randrange(len(CONVENTIONS)) if page.source == "trafeval" else _CONVENTION_OF[page.source]
    return [float(which == number) for number in range(len(CONVENTIONS))]


class Task(NamedTuple):
    """What a network is trained from."""

    pages: Sequence[Example]
    shape: Shape
    recipe: Recipe
    tags: NDArray[np.bool_]
    """Which of the ids of names are those of tags."""

    def key(self) -> str:
        """Return what tells this task from others: its recipe, and the pages and columns that it learns from."""
        labelled = hashlib.sha256(repr((self.recipe._replace(seeds=()), self.shape)).encode())
        for page in self.pages:
            labelled.update(f"{page.source} {page.name} {len(page.sizes)} ".encode())
            labelled.update(page.features.numbers.tobytes())
        return labelled.hexdigest()


def trained(task: Task, seeds: Sequence[int], part: Path) -> list[Reader] | None:
    """Return a network for each seed of the recipe, or nothing where some are missing.

    Those of `seeds` are trained unless `part` keeps them: `part` is the file of a set of weights without its suffix.
    """
    key = task.key()
    paths = {seed: part.with_name(f"{part.name}.seed-{seed}.pt") for seed in task.recipe.seeds}
    for seed in seeds:
        if _kept(paths[seed], key) is None:
            print(f"{part.name}, network {seed}", flush=True)
            model = _trained(task, seed)
            partial = paths[seed].with_suffix(".part")
            torch.save({"key": key, "state": model.state_dict()}, partial)
            partial.rename(paths[seed])
    states = [_kept(path, key) for path in paths.values()]
    readers = []
    for state in states:
        if state is None:
            return None
        reader = Reader(task.shape)
        reader.load_state_dict(state)
        readers.append(reader.eval())
    return readers


def _kept(path: Path, key: str) -> dict[str, torch.Tensor] | None:
    """Return the weights that were trained in an earlier run of the same task."""
    if not path.exists():
        return None
    found = torch.load(path, weights_only=True)
    return found["state"] if found["key"] == key else None


def _trained(task: Task, seed: int) -> Reader:
    """Return the running mean of the weights, which reads better than the last ones."""
    pages, recipe = task.pages, task.recipe
    torch.manual_seed(seed)
    dice = random.Random(seed)
    known = addressed(pages)
    model = Reader(task.shape)
    slow = copy.deepcopy(model)
    optimizer = torch.optim.AdamW(_groups(model, recipe), lr=recipe.rate, betas=(0.9, 0.98))
    steps = recipe.epochs * sum(1 for _ in batches(pages, recipe.leaves, random.Random(0)))
    plan = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, recipe.rate, total_steps=int(steps * 1.05) + 20, pct_start=0.15
    )
    began, step = time.process_time(), 0
    for epoch in range(recipe.epochs):
        model.train()
        losses = []
        for whole in batches(pages, recipe.leaves, dice):
            group = [_varied(page, task, dice) for page in whole]
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
        print(f"  epoch {epoch} loss {np.mean(losses):.4f}, {time.process_time() - began:.0f} s of CPU", flush=True)
    slow.eval()
    return slow


def _varied(page: Example, task: Task, dice: random.Random) -> Example:
    """Return a page as it is seen this time: without some of its boxes, or without all words and names."""
    if dice.random() < task.recipe.thin:
        page = thinned(page, dice)
    return blanked(page, task.tags) if dice.random() < task.recipe.blank else page


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
    addresses = UrlEvidence(*known)
    for page in pages:
        address = addresses.evidence(page.url)
        at = {mode: batch([page], [MODE_SETTINGS[mode].conventions], [address]) for mode in REPORTED}
        said = {mode: [model(one) for model in models] for mode, one in at.items()}
        odds = {mode: torch.stack([odds for odds, _ in one]).mean(0).numpy() for mode, one in said.items()}
        kinds = torch.stack([torch.softmax(kinds, -1) for _, kinds in said["balanced"]]).mean(0)
        found.append(Told(page, odds, likeliest_kind(kinds.numpy(), address)))
    return found


def addressed(pages: Sequence[Example]) -> dict[str, NDArray[np.float32]]:
    """Return what each address says of its page's kind, by what the addresses of other folds teach; the empty one, too.

    No page may be known by its own address: what is learned of those the reader will meet is as unsure.
    """
    found: dict[str, NDArray[np.float32]] = {}
    for fold in range(FOLDS):
        addresses = UrlEvidence(*kinds_of([page for page in pages if fold_of(page.domain) != fold]))
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
        np.savez(file, allow_pickle=False, **packed)  # compressed, it is a sixth smaller, and loads in twice the time


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
    parser.add_argument("--out", type=Path, required=True, help="folder for the weights of the folds, and of networks")
    parser.add_argument("--folds", default="01234")
    parser.add_argument("--seeds", default="1234", help="the networks of each set of weights to train in this process")
    parser.add_argument("--final", type=Path, help="train on everything and write the weights here")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    options.out.mkdir(exist_ok=True)
    with options.pages.open("rb") as file:
        data = pickle.load(file)
    pages: list[Example] = data["examples"]
    shape = Shape(pages[0].features.numbers.shape[1], len(data["names"]), len(data["words"]))
    whole = Task(pages, shape, Recipe(), tags(data["names"]))
    seeds = [int(seed) for seed in options.seeds]
    if options.final:
        models = trained(whole, seeds, options.out / "final")
        if models is not None:
            export(models, data, kinds_of(pages), options.final)
        return
    folds = {f"{page.source}/{page.name}": fold_of(page.domain) for page in pages if page.name}
    (options.out / "folds.json").write_text(json.dumps(folds), encoding="utf-8")
    results: list[Told] = []
    for fold in map(int, options.folds):
        others = [page for page in pages if fold_of(page.domain) != fold]
        models = trained(whole._replace(pages=others), seeds, options.out / f"fold-{fold}")
        if models is not None:
            known = kinds_of(others)
            export(models, data, known, options.out / f"fold-{fold}.npz")
            results += told(models, known, [page for page in pages if fold_of(page.domain) == fold])
    if results:
        report(results)


if __name__ == "__main__":
    main()
