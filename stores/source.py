"""What a folder of exports holds, as one digest: whether a store is of these files or of others."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path


def fingerprint(folder: Path) -> str:
    """Digest of every file's name and bytes below ``folder``, 32 hexadecimal digits. Raises OSError where one cannot be read.

    Bytes and not times: a copied folder is the same snapshot, and a file that was written anew with another content is another one.
    """
    whole = hashlib.blake2b(digest_size=16)
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        about = path.stat()
        whole.update(f"{path.relative_to(folder)}\x1f".encode("utf-8", "surrogateescape"))
        whole.update(_digest(path, about.st_size, about.st_mtime_ns))
    return whole.hexdigest()


@lru_cache(maxsize=4096)
def _digest(path: Path, _size: int, _modified: int) -> bytes:
    """Digest of a file, remembered while its size and time stay: fifty jobs look at one folder."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "blake2b").digest()
