"""Training shared by several processes, which talk by MPI."""

from __future__ import annotations

import sys
import traceback
from types import TracebackType
from typing import Any, Optional

from orrery import _engine
from orrery._errors import Error


def together(comm: Any = None) -> "Together":
    """Shares trainings between processes that mpirun has started, by way of mpi4py.

    All processes make the same calls in a ``with`` block: ``train`` in it shares the entities among
    them, and learns what one process would. ``comm`` is a communicator of mpi4py, by default
    ``MPI.COMM_WORLD``; of one process it shares nothing. At the end of the block the processes wait
    for each other. One that leaves it by an exception which the others do not have ends them all.

    >>> with orrery.together() as processes:  # doctest: +SKIP
    ...     model = orrery.train(facts, dim=512, progress=processes.leads)
    """
    return Together(comm)


class Together:
    """The processes of a ``with orrery.together()`` block, by ``rank`` and ``size``."""

    def __init__(self, comm: Any = None) -> None:
        self._mpi = _mpi4py()
        self._comm = self._mpi.COMM_WORLD if comm is None else comm
        self._own: list[Any] = []
        self._core: Any = None
        self.rank: int = self._comm.Get_rank()
        self.size: int = self._comm.Get_size()

    @property
    def leads(self) -> bool:
        """Whether this is the process that writes runs and reports progress."""
        return self.rank == 0

    def __enter__(self) -> "Together":
        if self._core is not None:
            raise RuntimeError("this block is open already")
        # Messages of the program must not meet ours, nor a farewell an exchange that has not ended.
        self._own = [self._comm.Dup(), self._comm.Dup()]
        self._core = _engine.Together(*self._own, self._mpi.BYTE)
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        core, self._core = self._core, None
        words = "" if kind is None else f"{kind.__name__}: {error}"[:1000]
        must_end_others, failure = core.end(words)
        if must_end_others:
            name = f"rank {self.rank} of {self.size}"
            sys.stdout.flush()
            if kind is not None:
                traceback.print_exception(kind, error, trace)
            print(f"orrery: {name} ends all processes: {failure}", file=sys.stderr, flush=True)
            self._comm.Abort(1)
        for comm in self._own:
            comm.Free()
        if kind is None and failure:
            raise Error(failure, kind="broken")

    def __repr__(self) -> str:
        return f"Together(rank={self.rank}, size={self.size})"


def _mpi4py() -> Any:
    try:
        from mpi4py import MPI
    except ImportError as reason:
        raise ImportError(
            "orrery.together() needs mpi4py and an MPI library: pip install mpi4py"
        ) from reason
    return MPI
