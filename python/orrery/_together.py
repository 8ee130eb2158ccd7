"""Training shared by several processes, which talk by MPI."""

from __future__ import annotations

import signal
import sys
import threading
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
        if self._comm == self._mpi.COMM_NULL:
            raise Error("this process has no part in the communicator")
        self._own: list[Any] = []
        self._core: Any = None
        self._handled = False
        self.rank: int = self._comm.Get_rank()
        self.size: int = self._comm.Get_size()
        started = _engine.started_together()
        if comm is None and self.size < started:
            raise Error(f"{started} processes were started together, but by mpi4py there is "
                        f"{self.size}; start them with the mpirun of mpi4py's MPI library")

    @property
    def leads(self) -> bool:
        """Whether this is the process that writes runs and reports progress."""
        return self.rank == 0

    def __enter__(self) -> "Together":
        if self._core is not None:
            raise RuntimeError("this block is open already")
        try:
            # Messages of the program must not meet ours, nor a farewell an exchange that has not
            # ended.
            exchanges, farewells = self._comm.Dup(), self._comm.Dup()
            self._own = [exchanges, farewells]
            self._core = _engine.Together(exchanges, farewells, self._mpi.BYTE)
        except BaseException as fault:
            if not isinstance(fault, Error) or fault.kind == "broken":
                self._end_all("it was stopped where the block begins")
            raise
        self._handle_termination()
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        core, self._core = self._core, None
        try:
            must_end_others, reason = core.end(_words(kind, error))
        except Error as fault:  # another call in one of them, which may not be all that it is at
            must_end_others, reason = core.end(_words(Error, fault))
            if not must_end_others:
                raise
        except BaseException:
            must_end_others, reason = True, "it was stopped where the block ends"
        finally:
            self._leave_termination()
        if must_end_others:
            if kind is not None:
                traceback.print_exception(kind, error, trace)
            self._end_all(reason)
        for comm in self._own:
            comm.Free()

    def _end_all(self, reason: str) -> None:
        if self.size == 1:
            return
        sys.stdout.flush()
        name = f"rank {self.rank} of {self.size}"
        print(f"orrery: {name} ends all processes: {reason}", file=sys.stderr, flush=True)
        self._comm.Abort(1)

    def _handle_termination(self) -> None:
        """What mpirun makes of Ctrl-C: a run is saved, as for Ctrl-C itself."""
        here = threading.current_thread() is threading.main_thread()
        self._handled = here and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
        if self._handled:
            signal.signal(signal.SIGTERM, signal.default_int_handler)

    def _leave_termination(self) -> None:
        if self._handled:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        self._handled = False

    def __repr__(self) -> str:
        return f"Together(rank={self.rank}, size={self.size})"


def _words(kind: Optional[type[BaseException]], error: Optional[BaseException]) -> str:
    if kind is None:
        return ""
    try:
        text = f"{kind.__name__}: {error}"
    except Exception:
        text = kind.__name__
    return text[:1000].encode("utf-8", "replace").decode("utf-8")


def _mpi4py() -> Any:
    try:
        from mpi4py import MPI
    except ImportError as reason:
        raise ImportError(
            "orrery.together() needs mpi4py and an MPI library: pip install mpi4py"
        ) from reason
    return MPI
