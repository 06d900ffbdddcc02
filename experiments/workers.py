"""Where fits run: processes of this machine, or a Dask cluster. The code that fits does not know."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from experiments.errors import ExperimentError

LOCAL, DASK_HERE = "local", "dask"
SECONDS_TO_CONNECT = 20


@contextmanager
def workers(where: str, jobs: int) -> Iterator[str]:
    """joblib configured for ``local`` processes, ``dask`` (a cluster started here), or the address of a running scheduler such as ``tcp://host:8786``.

    Yields what is used, in words. Raises `ExperimentError` where the cluster does not answer.
    """
    from joblib import cpu_count, parallel_config

    if where == LOCAL:
        with parallel_config(backend="loky", n_jobs=jobs, inner_max_num_threads=1):
            yield f"{cpu_count() if jobs == -1 else jobs} processes"
        return
    if where != DASK_HERE and "://" not in where:
        raise ExperimentError(
            f"workers {where!r}: write local, dask, or the address of a Dask scheduler such as tcp://host:8786"
        )
    try:
        import distributed
    except ImportError as error:
        raise ExperimentError(
            f"a Dask cluster needs the extra 'dask' ({error.name} is missing): pip install 'switchman[dask]'"
        ) from error
    library: Any = distributed  # its classes carry no types
    count = cpu_count() if jobs == -1 else jobs
    cluster = (
        library.LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None)
        if where == DASK_HERE
        else None
    )
    try:
        try:
            client = library.Client(cluster or where, timeout=SECONDS_TO_CONNECT)
        except OSError as error:
            raise ExperimentError(
                f"Dask scheduler {where}: {error}; start one with 'dask scheduler' and workers with 'dask worker'"
            ) from error
        with client, parallel_config(backend="dask", wait_for_workers_timeout=30):
            yield f"Dask, {len(client.scheduler_info(n_workers=-1)['workers'])} workers at {client.scheduler.address}"
    finally:
        if cluster is not None:
            cluster.close()
