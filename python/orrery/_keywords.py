"""The keyword arguments of training and of reading facts, with their types.

Written by python/tools/write_keywords from the engine's table of options.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Optional, TypedDict, Union


class ReadingKeywords(TypedDict, total=False):
    """How facts are read."""

    format: Optional[
        Literal[
            "auto",
            "csv",
            "tsv",
            "json",
            "wikidata",
            "nquads",
            "turtle",
            "trig",
            "sqlite",
        ]
    ]
    dates: Optional[
        Literal[
            "auto",
            "iso",
            "compact",
            "unix",
            "unix-ms",
            "dmy",
            "mdy",
            "year",
            "words",
            "excel",
        ]
    ]
    granularity: Optional[
        Literal[
            "auto",
            "second",
            "minute",
            "hour",
            "day",
            "week",
            "month",
            "quarter",
            "year",
            "decade",
        ]
    ]
    coarse_dates: Optional[Literal["refuse", "spread"]]
    undated: Optional[Literal["refuse", "always"]]
    as_of: Optional[str]
    min_facts: Optional[int]
    split: Optional[str]
    split_by: Optional[Literal["random", "time", "last"]]
    intervals: Optional[Literal["auto", "within", "ends"]]
    horizon: Optional[str]
    skip_bad: Optional[bool]


class TrainKeywords(TypedDict, total=False):
    """How a model is trained."""

    model: Optional[str]
    dim: Optional[int]
    attention: Optional[Literal["", "split", "none", "real", "product", "modulus"]]
    product: Optional[Literal["", "hamilton", "componentwise"]]
    space: Optional[Literal["", "complex", "quaternion"]]
    k: Optional[Literal["", "2", "3"]]
    distance: Optional[Literal["", "l1", "l2"]]
    without: Optional[Union[str, Sequence[str]]]
    init_scale: Optional[float]
    window: Optional[int]
    from_: Optional[str]
    epochs: Optional[int]
    algebra_warmup: Optional[int]
    batch: Optional[int]
    negatives: Optional[int]
    aux_relation: Optional[float]
    aux_time: Optional[float]
    optimizer: Optional[Literal["adagrad", "adam"]]
    lr: Optional[float]
    lambda_n3: Optional[float]
    lambda_time: Optional[float]
    norm: Optional[Literal["complex", "biquaternion"]]
    history: Optional[Literal["none", "relation", "gap", "near", "lifetime"]]
    history_from: Optional[Literal["valid", "train", "both"]]
    lambda_history: Optional[float]
    exponent: Optional[float]
    time_exponent: Optional[float]
    dropout: Optional[float]
    dropout_of: Optional[Literal["component", "lane"]]
    ema: Optional[float]
    self_distillation: Optional[float]
    self_distillation_from: Optional[int]
    seed: Optional[int]
    eval_every: Optional[int]
    patience: Optional[int]
    device: Optional[str]
    precision: Optional[Literal["auto", "fp32", "tf32", "bf16"]]
    threads: Optional[int]
    memory: Optional[str]
    exchange: Optional[Literal["host", "nccl"]]
