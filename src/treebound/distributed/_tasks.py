"""Tasks under way on a cluster: waiting for them, and submitting again what was lost.

Dask itself gives the tasks of a worker that died to others. What it cannot make again is data that was sent
from here and was only on workers that died; then the tasks that need it are cancelled, and are submitted
again here, with the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from treebound.distributed._client import ClusterError

if TYPE_CHECKING:
    from distributed import Client, Future

_Item = TypeVar("_Item")
_TICK_SECONDS = 0.2
_MOST_LOSSES = 10
_MOST_SENDINGS = 3


class ClusterLost(ClusterError):
    """The scheduler is gone."""


class OutOfTime(Exception):
    """Raised while waiting, when the seconds are used up."""


class Shared:
    """Data that tasks need, sent to the workers once, and again if it is lost."""

    def __init__(self, client: Client, value: Any) -> None:
        self._client, self._value = client, value
        self._future: Future | None = None

    @property
    def future(self) -> Future:
        """Stands for the data in the arguments of a task."""
        if self._future is None:
            self._future = self._sent()
        return self._future

    def renew(self) -> None:
        """Send it again for the tasks to come: the workers that had it are gone."""
        self._future = None

    def _sent(self) -> Future:
        """Send it to all workers; to some, from which others get it, if workers die meanwhile."""
        one = [self._value]  # a value that is a list would be taken for several
        for _ in range(_MOST_SENDINGS):
            with suppress(OSError, TimeoutError):
                return self._client.scatter(one, broadcast=True, hash=False)[0]
            check_alive(self._client)
        return self._client.scatter(one, hash=False)[0]


class Tasks(Generic[_Item]):
    """Items that are being worked on; ``submit`` makes a task of one. ``shared`` is what the tasks need."""

    def __init__(
        self,
        client: Client,
        submit: Callable[[_Item], Future],
        shared: Callable[[], Iterable[Shared]] = tuple,
    ) -> None:
        self._client, self._submit, self._shared = client, submit, shared
        self._under_way: dict[Future, tuple[_Item, int]] = {}
        self._losses = 0  # of shared data

    def __len__(self) -> int:
        return len(self._under_way)

    def add(self, item: _Item) -> None:
        """Begin to work on an item."""
        check_alive(self._client)
        self._under_way[self._submit(item)] = item, self._losses

    def next(self, on_tick: Callable[[], None] | None = None) -> tuple[_Item, Any]:
        """Wait for an item that is done."""
        while True:
            done = self._wait(on_tick)
            item, losses_before = self._under_way.pop(done)
            try:
                return item, self._result(done)
            except CancelledError:  # before it was done, or with the worker that had the result
                self._submit_again(item, losses_before)

    def finished(self, seconds: float) -> list[tuple[_Item, Any]]:
        """What gets done in so many seconds; all else is given up."""
        import distributed

        if self._under_way:
            with suppress(TimeoutError, distributed.TimeoutError):
                distributed.wait(list(self._under_way), timeout=seconds)
        done = [
            (item, future) for future, (item, _) in self._under_way.items() if future.status == "finished"
        ]
        results = []
        for item, future in done:
            with suppress(CancelledError, TimeoutError, distributed.TimeoutError):
                results.append((item, future.result(timeout=seconds)))
        self.give_up()
        return results

    def give_up(self) -> None:
        """Cancel what is under way."""
        futures = list(self._under_way)
        self._under_way.clear()
        if futures and self._client.status == "running":
            self._client.cancel(futures, force=True)

    def _wait(self, on_tick: Callable[[], None] | None) -> Future:
        import distributed

        while True:
            for future in self._under_way:
                if future.status != "pending":
                    return future
            if on_tick is not None:
                on_tick()
            check_alive(self._client)
            try:
                distributed.wait(list(self._under_way), timeout=_TICK_SECONDS, return_when="FIRST_COMPLETED")
            except (TimeoutError, distributed.TimeoutError) as error:
                # Dask keeps it in a frame that it refers to, a cycle that would hold our frames, too.
                error.__traceback__ = None
            except CancelledError:
                check_alive(self._client)

    def _submit_again(self, item: _Item, losses_before: int) -> None:
        check_alive(self._client)
        if losses_before == self._losses:  # else the data has been sent again since
            self._losses += 1
            for data in self._shared():
                data.renew()
        if self._losses > _MOST_LOSSES:
            raise ClusterError(f"Workers were lost {self._losses} times with the data they held; giving up.")
        self.add(item)

    def _result(self, future: Future) -> Any:
        from distributed.scheduler import KilledWorker

        try:
            return future.result()
        except KilledWorker as error:
            raise ClusterError(
                f"Every worker that was given one of the parts of this job ended ({error.last_worker}); they "
                "may have too little memory for it. Give them more, or use fewer of them per machine."
            ) from error


def result_of(client: Client, submit: Callable[[], Future]) -> Any:
    """Wait for one task; it is submitted again if what it needs is lost."""
    tasks: Tasks[None] = Tasks(client, lambda _: submit())
    tasks.add(None)
    try:
        return tasks.next()[1]
    finally:
        tasks.give_up()


def check_alive(client: Client) -> None:
    """Notice that the scheduler is gone."""
    if client.status != "running":
        raise ClusterLost("The connection to the scheduler of the cluster is lost.")
