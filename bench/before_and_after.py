#!/usr/bin/env python3
"""before_and_after.py DATA: what an epoch of the same training costs, written in three ways.

DATA is a directory with train, valid and test (ICEWS14: data/icews14). On the CPU, with the same
batch, the same numbers an embedding and the same threads for all:

  Orrery, bsca          the package, in fp32, and in the precision that it takes by itself
  PyTorch, bsca         our plain script bench/torch_step.py: the same formula, loss and optimizer
  Orrery, complex       the package, static ComplEx in fp32
  PyKEEN, ComplEx       its own static ComplEx, trained by its LCWA loop with cross entropy

They take turns, and the second epoch of each turn counts, so that nobody pays for a start. What is not
installed is named and left out. A query is a (subject, relation, time) or its reverse, of which PyKEEN
sees each distinct (subject, relation) once: compare seconds with seconds and queries with queries.
"""
import argparse
import collections
import pathlib
import statistics
import sys
import time

Epoch = collections.namedtuple("Epoch", ["seconds", "queries"])


class Orrery:
    def __init__(self, options, model, precision):
        import orrery

        self.name = f"Orrery {orrery.__version__}, {model}, {precision}"
        self.train = orrery.train
        self.facts = orrery.Dataset(options.data)
        self.options = {"model": model, "dim": options.dim, "batch": options.batch, "epochs": 2,
                        "threads": options.threads, "eval_every": 0, "history": "none",
                        "precision": precision, "device": "cpu", "progress": False}

    def epoch(self):
        ends = []
        self.train(self.facts, callbacks=[lambda _: ends.append(time.perf_counter())],
                   **self.options)
        return Epoch(ends[1] - ends[0], 2 * len(self.facts.train))


class PlainPyTorch:
    """The training loop that goes with the model of torch_step.py."""

    def __init__(self, options):
        import torch

        sys.path.insert(0, str(pathlib.Path(__file__).parent))
        import torch_step

        torch.set_num_threads(options.threads)
        torch.manual_seed(1)
        self.torch, self.batch = torch, options.batch
        self.name = f"PyTorch {torch.__version__.partition('+')[0]}, bsca (bench/torch_step.py)"
        rows = [line.split("\t") for line in
                (pathlib.Path(options.data) / "train.txt").read_text().splitlines()]
        subjects, relations, objects, times = zip(*rows)
        entity = {name: i for i, name in enumerate(sorted({*subjects, *objects}))}
        relation = {name: i for i, name in enumerate(sorted(set(relations)))}
        date = {name: i for i, name in enumerate(sorted(set(times)))}
        ids = torch.tensor([[entity[s], relation[r], entity[o], date[t]] for s, r, o, t in rows])
        back = torch.stack([ids[:, 2], ids[:, 1] + len(relation), ids[:, 0], ids[:, 3]], dim=1)
        self.examples = torch.cat([ids, back])
        self.model = torch_step.Bsca("split", len(entity), 2 * len(relation), len(date),
                                     options.dim)
        self.optimizer = torch.optim.Adagrad(self.model.parameters(), lr=0.1)
        self.weights = torch_step.LAMBDA_N3, torch_step.LAMBDA_TIME
        self.warm = False

    def epoch(self):
        if not self.warm:
            self.pass_over_examples()
            self.warm = True
        begun = time.perf_counter()
        self.pass_over_examples()
        return Epoch(time.perf_counter() - begun, len(self.examples))

    def pass_over_examples(self):
        order = self.torch.randperm(len(self.examples))
        for rows in order.split(self.batch):
            self.optimizer.zero_grad()
            sum(self.model(*self.examples[rows].T, *self.weights)).backward()
            self.optimizer.step()


class PyKeen:
    def __init__(self, options):
        import pykeen.version
        import torch
        from pykeen.losses import CrossEntropyLoss
        from pykeen.models import ComplEx
        from pykeen.training import LCWATrainingLoop, TrainingCallback
        from pykeen.triples import TriplesFactory

        torch.set_num_threads(options.threads)
        self.name = f"PyKEEN {pykeen.version.get_version()}, static ComplEx"
        self.batch = options.batch
        train = pathlib.Path(options.data) / "train.txt"
        self.triples = TriplesFactory.from_path(train, usecols=[0, 1, 2],
                                                create_inverse_triples=True)
        model = ComplEx(triples_factory=self.triples, embedding_dim=options.dim // 2,
                        loss=CrossEntropyLoss(), random_seed=1)
        self.loop = LCWATrainingLoop(model=model, triples_factory=self.triples,
                                     optimizer=torch.optim.Adagrad(model.parameters(), lr=0.1))
        ends, self.trained = [], 0
        self.ends = ends

        class Clock(TrainingCallback):
            def post_epoch(self, *arguments, **more):
                ends.append(time.perf_counter())

        self.clock = Clock
        self.queries = len(set(map(tuple, self.triples.mapped_triples[:, :2].tolist())))
        self.queries += len(set(map(tuple, self.triples.mapped_triples[:, 1:].tolist())))

    def epoch(self):
        self.ends.clear()
        self.trained += 2  # its loop goes on from where it was, up to that epoch
        self.loop.train(triples_factory=self.triples, num_epochs=self.trained,
                        batch_size=self.batch, callbacks=self.clock(), use_tqdm=False,
                        use_tqdm_batch=False)
        return Epoch(self.ends[1] - self.ends[0], self.queries)


def contestants(options):
    wanted = [("Orrery", lambda: Orrery(options, "bsca", "fp32")),
              ("Orrery", lambda: Orrery(options, "bsca", "auto")),
              ("PyTorch", lambda: PlainPyTorch(options)),
              ("Orrery", lambda: Orrery(options, "complex", "fp32")),
              ("PyKEEN", lambda: PyKeen(options))]
    for name, make in wanted:
        try:
            yield make()
        except ImportError as absent:
            print(f"before_and_after: {name} is left out: {absent}", file=sys.stderr)


def main():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("data", metavar="DATA")
    parser.add_argument("--dim", type=int, default=128, help="real numbers of an embedding (128)")
    parser.add_argument("--batch", type=int, default=1000, help="queries of a step (1000)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    if not (pathlib.Path(options.data) / "train.txt").exists():
        sys.exit(f"before_and_after: there is no {options.data}/train.txt")
    made = list(contestants(options))
    if not made:
        return 3
    measured = {one.name: [] for one in made}
    for turn in range(1, options.turns + 1):
        for one in made:
            measured[one.name].append(one.epoch())
            taken = measured[one.name][-1].seconds
            print(f"turn {turn}: {one.name}: {taken:.1f} s", file=sys.stderr, flush=True)
    first = statistics.median(epoch.seconds for epoch in measured[made[0].name])
    print("| program | s an epoch | × the first | queries an epoch | queries a second |")
    print("|---|---:|---:|---:|---:|")
    for name, epochs in measured.items():
        taken, queries = statistics.median(epoch.seconds for epoch in epochs), epochs[0].queries
        print(f"| {name} | {taken:.1f} | {taken / first:.1f} | {queries:,} | {queries / taken:,.0f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
