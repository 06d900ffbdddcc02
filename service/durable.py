"""The batch route of ``switchman ask``: a durable job, waited for with a bar, or left in the queue."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING

from rich.console import Console

from service.settings import Settings

if TYPE_CHECKING:
    from executors.context import ExecutorContext
    from executors.contracts import UnifiedResult
    from orchestration.fragments import Fragment
    from orchestration.jobs import Jobs
    from router.question_router import RouteDecision


class DurableBatch:
    """Runs fragments of the batch route. The database of jobs is opened when the first one comes: other routes never need it. Threads may share it."""

    def __init__(self, settings: Settings, console: Console | None = None, wait: bool = True) -> None:
        """Without a ``console`` nothing is shown while a job runs."""
        self._settings, self._console, self._wait = settings, console, wait
        self._lock = threading.Lock()
        self._stack = ExitStack()
        self._jobs: Jobs | None = None
        self.queued: list[str] = []

    def __call__(self, fragment: Fragment, decision: RouteDecision, context: ExecutorContext) -> UnifiedResult:
        """Result of the fragment. Raises `CommandError` where jobs cannot be had."""
        from service.jobs import open_jobs

        with self._lock:
            if self._jobs is None:
                self._jobs = self._stack.enter_context(open_jobs(self._settings))
        from orchestration.batch_answer import answer_job, synthesise_job
        from orchestration.batch_handoff import run_fragment
        from service.jobs import bar_of

        with bar_of(self._console if self._wait else None) as watch:
            found = run_fragment(
                self._jobs, fragment, decision, context, answer=answer_job, synthesise=synthesise_job, snapshot=self._settings.snapshot,
                wait=self._wait, watch=watch,
            )  # fmt: skip
        if not self._wait:
            self.queued.append(str(found.summary["batch_job_id"]))
        return found

    def close(self) -> None:
        """Let the database go."""
        self._stack.close()
