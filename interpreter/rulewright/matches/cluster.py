"""Games on a Dask cluster, the extra `cluster`.

In: the address of a scheduler.  Out: a `Pool`.  Workers need rulewright, and the files that the
plan names at the same paths.
"""

from __future__ import annotations

from concurrent.futures import Executor, Future
from typing import Any

from attrs import define, field

from rulewright.errors import RulewrightError
from rulewright.matches import arena
from rulewright.matches.arena import Task
from rulewright.matches.executors import Answer


@define(eq=False)
class Cluster:
    """A Dask cluster: its scheduler gives the task of a lost worker to another one."""

    address: str
    patience: float = 10.0
    """Seconds in which the scheduler must answer."""
    _client: Any = field(init=False)
    _executor: Executor = field(init=False)

    def __attrs_post_init__(self) -> None:
        try:
            from distributed import Client  # an extra
        except ImportError:
            message = "--cluster needs the package distributed: pip install 'rulewright[cluster]'"
            raise RulewrightError(message) from None
        try:
            self._client = Client(  # type: ignore[no-untyped-call]
                self.address, timeout=self.patience, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise RulewrightError(f"no cluster answers at {self.address}: {error}") from None
        self._executor = self._client.get_executor(retries=3)

    @property
    def width(self) -> int:
        """The threads of all workers, which may come and go."""
        threads: int = sum(self._client.ncores().values())
        return max(1, threads)

    def submit(self, task: Task) -> Future[Answer]:
        """Hand a task to the scheduler."""
        return self._executor.submit(arena.play, task)

    def renew(self) -> None:
        """The scheduler mends what it can by itself."""
        raise RulewrightError(
            f"the cluster at {self.address} broke down; what was recorded is kept"
        )

    def close(self) -> None:
        """Leave the cluster as it was."""
        self._executor.shutdown(wait=False)
        self._client.close()
