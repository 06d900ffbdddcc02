"""Where a run comes from: revision of the source, digests of everything it read."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterable
from pathlib import Path

from features.rows import RECIPE
from router.route_selector import GUARD_REVISION


def git_revision(source: Path) -> dict[str, str]:
    """``git_revision`` and whether files differ from it (``git_dirty``); both ``unknown`` outside a repository."""

    def git(*arguments: str) -> str | None:
        try:
            done = subprocess.run(["git", "-C", str(source), *arguments], capture_output=True, text=True, check=False)  # noqa: S603, S607  # our own arguments; git as the user has it
        except OSError:
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    revision, changed = git("rev-parse", "HEAD"), git("status", "--porcelain", "--untracked-files=no")
    return {
        "git_revision": revision or "unknown",
        "git_dirty": "unknown" if changed is None else str(bool(changed)).lower(),
    }


def code_revisions() -> dict[str, str]:
    """Recipe of rows and revision of guards of this release."""
    return {"recipe": RECIPE, "guard_revision": GUARD_REVISION}


def file_digest(paths: Iterable[Path]) -> str:
    """SHA-256 over the contents of files in the given order."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()
