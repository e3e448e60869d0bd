"""Trains the reader with five-fold cross-validation by domain."""

from __future__ import annotations

import argparse
import copy
import pickle
import random
import time
from collections import defaultdict
from pathlib import Path
from zlib import crc32

import numpy as np
import torch
from dataset import KINDS, Example  # noqa: F401
from network import Reader, batch
from thinning import thinned
from torch.nn import functional

FOLDS = 5
_SHARES = {"aeb": 3.0, "trafeval": 0.3, "made": 0.3, "made-body": 0.15}
"""What a page of a set counts; one of WCXB counts 1."""


def fold_of(domain: str) -> int:
    return crc32(domain.encode()) % FOLDS


def batches(examples, limit, rng):
    order = list(examples)
    rng.shuffle(order)
    group, size = [], 0
    for one in order:
        count = len(one.sizes)
        if group and size + count > limit:
            yield group
            group, size = [], 0
        group.append(one)
        size += count
    if group:
        yield group


def loss_of(logits, kinds, group, at, args):
    pages = len(group)
    total = logits.new_zeros(())
    prob = torch.sigmoid(logits)
    sizes = torch.from_numpy(np.concatenate([np.array(one.sizes, np.float32) for one in group]))
    kept, matched, mask = [], [], []
    truth = []
    for one in group:
        if one.labels is not None:
            kept.append(np.array(one.labels.kept, np.float32))
            matched.append(np.array(one.labels.matched, np.float32))
            mask.append(np.ones(len(one.sizes), np.float32))
            truth.append(float(one.labels.truth))
        else:
            marks = np.array(one.marks)
            kept.append((marks == 1).astype(np.float32))
            matched.append(np.zeros(len(marks), np.float32))
            mask.append((marks >= 0).astype(np.float32))
            truth.append(0.0)
    kept, matched, mask = (torch.from_numpy(np.concatenate(v)) for v in (kept, matched, mask))
    truth = torch.tensor(truth)
    whole = torch.tensor([one.labels is not None and one.labels.truth > 0 for one in group]).float()
    weight = torch.sqrt(sizes) * mask
    per_page = torch.zeros(pages).index_add(0, at.page, weight).clamp(min=1e-6)
    bce = functional.binary_cross_entropy_with_logits(logits, kept, reduction="none")
    bce = torch.zeros(pages).index_add(0, at.page, bce * weight) / per_page
    has = torch.zeros(pages).index_add(0, at.page, weight) > 0
    share = torch.tensor([_SHARES.get(one.source, 1.0) for one in group]) * args.bce
    total = (bce * has * share).sum() / pages
    shared = torch.zeros(pages).index_add(0, at.page, prob * matched)
    found = torch.zeros(pages).index_add(0, at.page, prob * sizes)
    soft = 2 * shared / (found + truth + 1e-6)
    total = total + args.soft * ((1 - soft) * whole).sum() / pages
    known = torch.tensor([KINDS.index(one.kind) if one.source == "wcxb" else -1 for one in group])
    if (known >= 0).any():
        total = total + args.kind * functional.cross_entropy(kinds, known, ignore_index=-1)
    return total


def train(examples, sizes, args, rng, held=()):
    torch.manual_seed(args.seed)
    model = Reader(
        examples[0].features.numbers.shape[1],
        *sizes,
        width=args.width,
        told=args.told,
        embed=args.embed,
        rounds=args.rounds,
        dropout=args.dropout,
        forget=args.forget,
        gossip=args.gossip,
    )
    mean = np.concatenate([one.features.numbers for one in examples[::3]])
    model.register_buffer("shift", torch.from_numpy(mean.mean(0)))
    tables = [p for n, p in model.named_parameters() if n.startswith(("names", "words"))]
    rest = [p for n, p in model.named_parameters() if not n.startswith(("names", "words"))]
    optim = torch.optim.AdamW(
        [{"params": rest, "weight_decay": args.decay}, {"params": tables, "weight_decay": args.table_decay}],
        lr=args.lr,
        betas=(0.9, 0.98),
    )
    steps = args.epochs * sum(1 for _ in batches(sampled(examples, random.Random(0)), args.leaves, random.Random(0)))
    plan = torch.optim.lr_scheduler.OneCycleLR(optim, args.lr, total_steps=int(steps * 1.05) + 20, pct_start=0.15)
    slow = copy.deepcopy(model)
    began = time.time()
    step = 0
    for epoch in range(args.epochs):
        losses = []
        model.train()
        for group in batches(sampled(examples, rng), args.leaves, rng):
            group = [thinned(one, rng) if rng.random() < args.thin else one for one in group]
            conventions = [convention_of(one, rng) for one in group]
            at = batch(group, conventions)
            logits, kinds = model(at)
            loss = loss_of(logits, kinds, group, at, args)
            optim.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optim.step()
            plan.step()
            step += 1
            rate = min(0.995, step / (step + 10))
            with torch.no_grad():
                for a, b in zip(slow.parameters(), model.parameters(), strict=True):
                    a.lerp_(b, 1 - rate)
            losses.append(float(loss.detach()))
        if held and epoch % 2:
            some = [one for one in held if one.source == "wcxb"]
            print(f"  epoch {epoch} loss {np.mean(losses):.4f}", end=" ")
            report(
                [(one, {c: told for c in (0, 1, 2)}) for one, told in zip(some, predict(slow, some, 0), strict=True)],
                brief=True,
            )
        if args.verbose:
            print(f"  epoch {epoch} loss {np.mean(losses):.4f} {time.time() - began:.0f} s", flush=True)
    return slow


def sampled(examples, rng):
    """Pages whose truth is a few marks come every other time: they cost as much and tell little."""
    return [one for one in examples if one.source != "trafeval" or rng.random() < 0.5]


def convention_of(one, rng):
    if one.source == "trafeval":
        return rng.choice((0, 1, 2))
    return 0 if one.source in {"wcxb", "made"} else 1


def f1(one, keep):
    keep = np.repeat(np.asarray(keep, bool), one.sizes)
    found = one.tokens[keep]
    values, spots = np.unique(np.concatenate([found, one.truth]), return_inverse=True)
    a = np.bincount(spots[: len(found)], minlength=len(values))
    b = np.bincount(spots[len(found) :], minlength=len(values))
    shared = np.minimum(a, b).sum()
    return 2 * shared / max(1, len(found) + len(one.truth)) if len(found) + len(one.truth) else 1.0


def shingles(one, keep):
    """AEB: 4-gram precision and recall."""
    keep = np.repeat(np.asarray(keep, bool), one.sizes)

    def grams(t):
        from collections import Counter

        n = min(4, len(t))
        return Counter(tuple(t[i : i + n]) for i in range(len(t) - n + 1)) if n else Counter()

    a, b = grams(one.tokens[keep].tolist()), grams(one.truth.tolist())
    both = sum((a & b).values())
    return both / max(1, sum(a.values())), both / max(1, sum(b.values()))


def chosen(prob, sizes):
    """The prefix of leaves, the likeliest first, with the best expected F1."""
    sizes = np.asarray(sizes, float)
    order = np.argsort(-prob, kind="stable")
    mass = np.cumsum((prob * sizes)[order])
    total = np.cumsum(sizes[order])
    if not mass[-1]:
        return prob > 0.5
    score = 2 * mass / (total + mass[-1])
    best = int(np.argmax(score))
    keep = np.zeros(len(prob), bool)
    keep[order[: best + 1]] = True
    return keep


@torch.no_grad()
def predict(model, examples, convention):
    model.eval()
    out = []
    for one in examples:
        logits, kinds = model(batch([one], [convention]))
        out.append((torch.sigmoid(logits).numpy(), kinds[0].numpy()))
    return out


def report(results, brief=False):
    """results: list of (example, {convention: (prob, kinds)})."""
    rows = defaultdict(lambda: defaultdict(list))
    for one, told in results:
        if one.source == "wcxb":
            prob, kinds = told[0]
            for name, keep in (("half", prob > 0.5), ("expected", chosen(prob, one.sizes))):
                rows[name][one.kind].append(f1(one, keep))
            if one.labels.truth:
                rows["bce"][one.kind].append(
                    float(-np.mean(np.log(np.maximum(1e-6, np.where(one.labels.kept, prob, 1 - prob)))))
                )
            rows["kind"][one.kind].append(float(KINDS[int(kinds.argmax())] == one.kind))
    for name, kinds in rows.items():
        if brief and name != "expected":
            continue
        every = [v for k in KINDS for v in kinds[k]]
        macro = np.mean([np.mean(kinds[k]) for k in KINDS if kinds[k]])
        print(
            f"{name:9} all {np.mean(every):.4f} macro {macro:.4f} "
            + " ".join(f"{k[:4]} {np.mean(kinds[k]):.3f}" for k in KINDS if kinds[k])
        )
        if brief and name == "expected" and KINDS:
            bce = np.mean([v for k in KINDS for v in rows["bce"][k]])
            print(f"    bce {bce:.4f}", flush=True)
            return
    for convention in (0, 1, 2):
        told = [shingles(one, chosen(t[convention][0], one.sizes)) for one, t in results if one.source == "aeb"]
        if told:
            p, r = np.mean(told, axis=0)
            line = f"aeb[{convention}] P {p:.3f} R {r:.3f} F1 {2 * p * r / (p + r):.4f}"
        tp = fp = fn = 0
        for one, t in results:
            if one.source == "trafeval":
                keep = chosen(t[convention][0], one.sizes)
                marks = np.array(one.marks)
                tp += int((keep & (marks == 1)).sum())
                fn += int((~keep & (marks == 1)).sum())
                fp += int((keep & (marks == 0)).sum())
        print(line, f"trafeval[{convention}] leaf F1 {2 * tp / max(1, 2 * tp + fp + fn):.4f} (tp {tp} fp {fp} fn {fn})")


def export(model, data, path):
    """Write the weights as the package reads them: half precision, matrices ready to multiply from the right."""
    told = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    weights = {"names": told["names.weight"], "words": told["words.weight"], "convention": told["convention.weight"]}
    for name in ("enter", "leave", "kind"):
        weights[f"{name}.weight"] = told[f"{name}.weight"].T
        weights[f"{name}.bias"] = told[f"{name}.bias"]
    weights["leave.weight"] = weights["leave.weight"][:, 0]
    for number in range(len(model.rounds)):
        for part in ("say", "hear", "page"):
            weights[f"{part}.weight.{number}"] = told[f"rounds.{number}.{part}.weight"].T
            if part != "page":
                weights[f"{part}.bias.{number}"] = told[f"rounds.{number}.{part}.bias"]
    packed = {name: value.astype(np.float16) for name, value in weights.items()}
    packed["vocabulary.names"] = np.array(" ".join(data["names"]))
    packed["vocabulary.words"] = np.array(" ".join(data["words"]))
    np.savez_compressed(path, **packed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--folds", default="01234")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--leaves", type=int, default=5000)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--table-decay", type=float, default=0.05)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--told", type=int, default=32)
    parser.add_argument("--embed", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--dropout", type=float, default=0.15)
    parser.add_argument("--forget", type=float, default=0.1)
    parser.add_argument("--gossip", type=float, default=0.0)
    parser.add_argument("--bce", type=float, default=0.5)
    parser.add_argument("--soft", type=float, default=1.0)
    parser.add_argument("--kind", type=float, default=0.05)
    parser.add_argument("--trafeval", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--thin", type=float, default=0.0)
    parser.add_argument("--final", type=Path)
    parser.add_argument("--watch", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    with args.pages.open("rb") as file:
        data = pickle.load(file)
    sizes = len(data["names"]), len(data["words"])
    everything = data["examples"]
    results = []
    if args.final:
        export(train(everything, sizes, args, random.Random(args.seed)), data, args.final)
        return
    for fold in map(int, args.folds):
        began = time.time()
        learn = [one for one in everything if fold_of(one.domain) != fold]
        held = [one for one in everything if fold_of(one.domain) == fold]
        model = train(learn, sizes, args, random.Random(args.seed), held if args.watch else ())
        told = [predict(model, held, c) for c in (0, 1, 2)]
        results += [(one, {c: told[c][i] for c in (0, 1, 2)}) for i, one in enumerate(held)]
        print(f"fold {fold}: {len(learn)} learnt, {len(held)} held out, {time.time() - began:.0f} s", flush=True)
        if args.out:
            export(model, data, f"{args.out}.{fold}.npz")
            with open(f"{args.out}.{fold}.results", "wb") as file:
                pickle.dump(
                    [(one.source, one.name, {c: told[c][i] for c in (0, 1, 2)}) for i, one in enumerate(held)], file
                )
    report(results)


if __name__ == "__main__":
    main()
