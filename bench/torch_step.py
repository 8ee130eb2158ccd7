#!/usr/bin/env python3
"""One training step of BSCA in plain PyTorch, as the published codes of this field are written:
what our own step is measured against (bench/gpu_step shows both).

  torch_step.py [--shape NAME] [--attention NAME]
                                     one JSON line a row: shape, attention, mode, ms, peak_bytes
  torch_step.py --check GOLDEN.json  compares losses, gradients and Adagrad with the golden file

Without PyTorch, or without a CUDA device to measure on, it says so and exits with 3.
"""

import argparse
import gc
import json
import math
import statistics
import sys

try:
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError as absent:
    print(f"torch_step: {absent}: nothing to measure", file=sys.stderr)
    sys.exit(3)

# (entities, relation rows, times), as in gpu_step_bench.cpp
SHAPES = {
    "icews14": (7_128, 460, 365),
    "icews05-15": (10_488, 502, 4_017),
    "gdelt": (500, 40, 366),
}
DIM, BATCH, LAMBDA_N3, LAMBDA_TIME = 4_000, 6_000, 0.008, 0.01
EXAMPLES, TURNS, STEPS_A_TURN, WARM_UP_STEPS = 120_000, 5, 10, 10
# Compiling costs far more than measuring: these rows keep the whole run under two minutes.
ROWS = [
    ("icews14", "split", "eager fp32"),
    ("icews14", "split", "eager tf32"),
    ("icews14", "split", "compiled tf32"),
    ("icews14", "split", "compiled bf16"),
    ("icews14", "none", "eager fp32"),
    ("icews14", "none", "compiled tf32"),
    ("icews14", "none", "compiled bf16"),
    ("icews05-15", "split", "eager fp32"),
    ("icews05-15", "split", "compiled bf16"),
    ("gdelt", "split", "eager fp32"),
    ("gdelt", "split", "compiled bf16"),
]


def complex_parts(rows):
    """A row holds w.re w.im x.re x.im y.re y.im z.re z.im, each of `lanes` reals."""
    return rows.unflatten(-1, (4, 2, -1))


def quaternion_product(p, q):
    (a, b, c, d), (e, f, g, h) = p, q
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


def hamilton_product(p, q):
    p, q = p.chunk(8, dim=-1), q.chunk(8, dim=-1)
    p_real, p_imag, q_real, q_imag = p[0::2], p[1::2], q[0::2], q[1::2]
    rr, ii = quaternion_product(p_real, q_real), quaternion_product(p_imag, q_imag)
    ri, ir = quaternion_product(p_real, q_imag), quaternion_product(p_imag, q_real)
    return torch.cat([part for k in range(4) for part in (rr[k] - ii[k], ri[k] + ir[k])], dim=-1)


def cubed_moduli(rows):
    return complex_parts(rows).square().sum(-2).pow(1.5).sum()


def attend(reading, a, u, v):
    if reading == "none":
        return (u + v) / 2
    scale = math.sqrt(u.shape[-1] / 2)
    if reading == "real":
        weights = torch.stack([(a * u).sum(-1), (a * v).sum(-1)]).div(scale).softmax(0)
        return weights[0, :, None] * u + weights[1, :, None] * v
    assert reading == "split", reading
    a, u, v = complex_parts(a), complex_parts(u), complex_parts(v)
    a_real, a_imag = a[:, :, 0], a[:, :, 1]

    def logit(x):
        real, imag = x[:, :, 0], x[:, :, 1]
        z_real = (a_real * real - a_imag * imag).sum((1, 2))
        z_imag = (a_real * imag + a_imag * real).sum((1, 2))
        return torch.stack([z_real, z_imag], dim=-1)

    weights = torch.stack([logit(u), logit(v)]).div(scale).softmax(0)  # view × example × part
    return (weights[0, :, None, :, None] * u + weights[1, :, None, :, None] * v).flatten(1)


class Bsca(nn.Module):
    def __init__(self, attention, entities, relation_rows, times, dim):
        super().__init__()
        self.reading = attention
        self.entity = nn.Embedding(entities, dim)
        self.relation_mul = nn.Embedding(relation_rows, dim)
        self.relation_add = nn.Embedding(relation_rows, dim)
        self.attention = nn.Embedding(relation_rows, dim) if attention != "none" else None
        self.time_mul = nn.Embedding(times, dim)
        self.time_add = nn.Embedding(times, dim)
        self.time_joint = nn.Embedding(times, dim)
        for table in self.parameters():
            nn.init.normal_(table, std=0.01)

    def forward(self, subject, relation, object_, time, lambda_n3, lambda_time):
        """Cross entropy over all entities, N3 of the factors, smoothness over time."""
        relation_add, time_add = self.relation_add(relation), self.time_add(time)
        attention = None if self.attention is None else self.attention(relation)

        def fuse(entity):
            rows = self.entity(entity)
            return attend(self.reading, attention, rows + time_add, rows + relation_add)

        fused = fuse(subject)
        transform = self.relation_mul(relation) + self.time_joint(time)
        transform = hamilton_product(transform, self.time_mul(time))
        scores = hamilton_product(fused, transform) @ self.entity.weight.T
        cross_entropy = functional.cross_entropy(scores, object_)
        n3 = cubed_moduli(fused) + cubed_moduli(transform) + cubed_moduli(fuse(object_))
        tables = [table.weight for table in (self.time_mul, self.time_add, self.time_joint)]
        smoothness = sum(cubed_moduli(rows[1:] - rows[:-1]) for rows in tables)
        return (
            cross_entropy,
            lambda_n3 / len(subject) * n3,
            lambda_time / (len(tables[0]) - 1) * smoothness,
        )


class Training:
    """Batches of random examples, and the step that is measured."""

    def __init__(self, shape, attention, mode):
        torch.manual_seed(1)
        how, precision = mode.split()
        entities, relation_rows, times = SHAPES[shape]
        torch.backends.cuda.matmul.allow_tf32 = precision != "fp32"
        self.low_precision = precision == "bf16"
        model = Bsca(attention, entities, relation_rows, times, DIM).cuda()
        self.optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
        self.losses = torch.compile(model, dynamic=False) if how == "compiled" else model
        # Names are used as unevenly as real ones, as in random_examples.h.
        bounds = torch.tensor([entities, relation_rows, entities, times], device="cuda")
        uniform = torch.rand(4, EXAMPLES, device="cuda")
        uniform[:3] **= 3
        self.examples = (uniform * bounds[:, None]).long()
        self.next = EXAMPLES

    def step(self):
        if self.next + BATCH > EXAMPLES:
            self.order, self.next = torch.randperm(EXAMPLES, device="cuda"), 0
        batch = self.examples[:, self.order[self.next : self.next + BATCH]]
        self.next += BATCH
        self.optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=self.low_precision):
            loss = sum(self.losses(*batch, LAMBDA_N3, LAMBDA_TIME))
        loss.backward()
        self.optimizer.step()


def measure(shape, attention, mode):
    training = Training(shape, attention, mode)
    for _ in range(WARM_UP_STEPS):
        training.step()
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    turns = []
    for _ in range(TURNS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(STEPS_A_TURN):
            training.step()
        end.record()
        end.synchronize()
        turns.append(begin.elapsed_time(end) / STEPS_A_TURN)
    return {
        "bench": "torch_step",
        "shape": shape,
        "attention": attention,
        "mode": mode,
        "ms": round(statistics.median(turns), 4),
        "peak_bytes": torch.cuda.max_memory_allocated(),
    }


def rows_of(options):
    wanted = (options.shape, options.attention)
    return [row for row in ROWS if all(w in (None, part) for w, part in zip(wanted, row))]


def measure_all(rows):
    if not torch.cuda.is_available():
        print("torch_step: PyTorch sees no CUDA device: nothing to measure", file=sys.stderr)
        return 3
    failures = 0
    for row in rows:
        try:
            print(json.dumps(measure(*row)), flush=True)
        except Exception as error:  # a row that fails must not take the others along
            failures += 1
            print(f"torch_step: {', '.join(row)}: {error}", file=sys.stderr)
        torch._dynamo.reset()
        gc.collect()
        torch.cuda.empty_cache()
    return 1 if failures else 0


def largest_difference(found, wanted):
    wanted = torch.tensor(wanted, dtype=torch.float64).reshape(found.shape)
    return ((found - wanted).abs() / (1 + wanted.abs())).max().item()


def check_case(golden, case):
    """The largest relative difference of a case, in float64."""
    sizes = (golden["entities"], 2 * golden["relations"], golden["timestamps"], 8 * golden["lanes"])
    model = Bsca(case["attention"], *sizes).double()
    rows = {name.removesuffix(".weight"): table for name, table in model.named_parameters()}
    with torch.no_grad():
        for name, table in rows.items():
            table.copy_(torch.tensor(case["parameters"][name], dtype=torch.float64).flatten(1))
    batch = torch.tensor(golden["batch"]).T
    adagrad = case["adagrad"]
    rules = {"lr": adagrad["learning_rate"], "eps": adagrad["epsilon"]}
    optimizer = torch.optim.Adagrad(model.parameters(), **rules)
    differences = []
    for step, wanted_loss in enumerate(adagrad["losses_before_each_step"]):
        optimizer.zero_grad()
        losses = model(*batch, golden["lambda_n3"], golden["lambda_time"])
        sum(losses).backward()
        differences.append(largest_difference(sum(losses).detach(), wanted_loss))
        if step == 0:
            for found, name in zip(losses, ("cross_entropy", "n3", "time")):
                differences.append(largest_difference(found.detach(), case["loss"][name]))
            for name, table in rows.items():
                differences.append(largest_difference(table.grad, case["gradients"][name]))
        optimizer.step()
    for name, table in rows.items():
        differences.append(largest_difference(table.detach(), adagrad["parameters_after"][name]))
    return torch.tensor(differences).max().item()  # unlike max(), it lets no NaN slip through


def check(path):
    with open(path, encoding="utf-8") as file:
        golden = json.load(file)
    agreed = True
    for case in golden["cases"]:
        if case["attention"] not in ("none", "real", "split") or case["norm"] != "complex":
            continue
        difference = check_case(golden, case)
        agreed = agreed and difference <= 1e-8
        name = case["attention"]
        print(f"{name}: losses, gradients and Adagrad within {difference:.1e} (at most 1e-8)")
    return 0 if agreed else 1


def main():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--check", metavar="GOLDEN.json")
    parser.add_argument("--shape", choices=sorted(SHAPES), help="only its rows")
    parser.add_argument("--attention", choices=["none", "split"], help="only its rows")
    options = parser.parse_args()
    sys.exit(check(options.check) if options.check else measure_all(rows_of(options)))


if __name__ == "__main__":
    main()
