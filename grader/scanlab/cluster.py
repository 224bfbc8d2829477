"""Spreads a class over many machines with dask.distributed (an extra: `pip install scanlab[cluster]`).

Slurm, Kubernetes and SSH clusters come with dask's own launchers: start a scheduler there, and give its address.
Every machine of the cluster needs this checkout, built, at the same place.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import cast


class ClusterError(RuntimeError):
    """The scheduler cannot be used."""


@contextmanager
def executor(address: str) -> Iterator[Executor]:
    """An executor whose tasks run on the cluster; a worker that dies is tried twice elsewhere."""
    try:
        from distributed import Client
    except ImportError as problem:
        raise ClusterError("--cluster needs dask: .venv/bin/pip install distributed") from problem
    try:
        client = Client(address, timeout="20s")
    except (OSError, TimeoutError, ValueError) as problem:
        raise ClusterError(f"no dask scheduler answers at {address}: {problem}") from problem
    try:
        yield cast(Executor, client.get_executor(retries=2, pure=False))
    finally:
        client.close()
