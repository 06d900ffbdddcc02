"""A PostgreSQL server of the tests' own: an unprivileged user, a free port, gone when they end."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WHERE_DEBIAN_KEEPS_IT = Path("/usr/lib/postgresql")


def binaries() -> Path | None:
    """Folder with initdb and postgres, the newest; None where PostgreSQL is not installed."""
    for folder in (
        *sorted(WHERE_DEBIAN_KEEPS_IT.glob("*/bin"), key=lambda p: -float(p.parent.name)),
        *map(Path, os.environ["PATH"].split(":")),
    ):
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


def why_not() -> str:
    """Why a server cannot be started here; empty where it can."""
    if binaries() is None:
        return "PostgreSQL is not installed; apt-get install postgresql"
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        return "PostgreSQL refuses to run as root, and setpriv (util-linux) is missing"
    return ""


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """URL of a fresh server whose data lies under ``folder``, which an unprivileged user must be able to reach."""
    where = binaries()
    assert where is not None
    prefix: list[str] = []
    if os.geteuid() == 0:
        user = pwd.getpwnam("nobody")
        os.chown(folder, user.pw_uid, user.pw_gid)
        prefix = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    data = folder / "data"
    subprocess.run(
        [*prefix, where / "initdb", "-D", data, "-U", "switchman", "-A", "trust", "-E", "UTF8", "--locale=C"],
        check=True,
        capture_output=True,
        cwd=folder,
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["-p", str(port), "-k", str(folder), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [*prefix, where / "postgres", "-D", data, *options], stdout=log, stderr=log, cwd=folder
        )
        try:
            ready = [where / "pg_isready", "-h", "127.0.0.1", "-p", str(port), "-t", "1"]
            for _ in range(60):
                if subprocess.run(ready, capture_output=True, check=False).returncode == 0:
                    break
                if process.poll() is not None:
                    break
            else:
                raise RuntimeError(f"PostgreSQL did not come up; see {folder / 'log'}")
            if process.poll() is not None:
                raise RuntimeError((folder / "log").read_text("utf-8", "replace"))
            yield f"postgres://switchman@127.0.0.1:{port}/postgres"
        finally:
            process.terminate()
            process.wait(30)
