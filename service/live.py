"""The reference live system as commands: the server, and re-posting a document in it."""

from __future__ import annotations

import socket
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from rich.console import Console


def _base(folder: Path, changes: Path | None) -> Any:
    from service.cli import CommandError

    try:
        from executors.live.embedded import changes_file
        from executors.live.reference_base import ReferenceBase
    except ImportError as error:
        raise CommandError(
            f"the live system needs the extras 'stores' and 'live' ({error.name} is missing): pip install 'switchman[stores,live]'"
        ) from error
    if not folder.is_dir():
        raise CommandError(f"--data {folder}: no such folder; name a folder of OData exports")
    return ReferenceBase(folder, changes or changes_file())


def serve(folder: Path, changes: Path | None, port: int, stdio: bool, console: Console) -> None:
    """Serve until stopped. Raises `CommandError` where the data or the port cannot be used."""
    from service.cli import CommandError
    from stores.odata_file import UnreadableFile

    base = _base(folder, changes)
    try:
        base.load()
    except (UnreadableFile, KeyError, OSError) as error:
        raise CommandError(f"{folder}: {error}; name a folder of whole OData exports") from error
    from executors.live.reference_server import reference_server

    server = reference_server(base)
    if stdio:
        server.run("stdio")
        return
    console.print(
        f"http://127.0.0.1:{port}/mcp  (SWITCHMAN_LIVE=http://127.0.0.1:{port}/mcp), changes: {base.changes}",
        soft_wrap=True,
    )
    try:
        import uvicorn
    except ImportError as error:
        raise CommandError(
            "serving over HTTP needs the extra 'serve': pip install 'switchman[serve]', or use --stdio"
        ) from error
    with socket.socket() as free:
        if free.connect_ex(("127.0.0.1", port)) == 0:
            raise CommandError(f"port {port} is taken; choose another with --port")
    uvicorn.run(server.streamable_http_app(), host="127.0.0.1", port=port, log_level="warning", access_log=False)


def repost(
    folder: Path, changes: Path | None, kind: str, number: str, amount: str | None, unpost: bool, day: str | None
) -> dict[str, Any]:
    """Re-post and say what changed. Raises `CommandError`."""
    from service.cli import CommandError

    base = _base(folder, changes)
    from executors.live.reference_base import NoSuchDocument

    kopecks = None
    if amount is not None:
        try:
            exact = Decimal(amount.replace(" ", "").replace(",", ".")) * 100
            kopecks = int(exact)
        except (InvalidOperation, ValueError, OverflowError) as error:
            raise CommandError(f"--amount {amount}: no sum; write it as 50000.00") from error
        if kopecks != exact or kopecks < 0:
            raise CommandError(f"--amount {amount}: a sum has at most two decimals and is not negative")
    try:
        when = date.fromisoformat(day) if day else None
    except ValueError as error:
        raise CommandError(f"--date {day}: no day; write YYYY-MM-DD") from error
    try:
        change: dict[str, Any] = base.repost(
            f"Document_{kind.removeprefix('Document_')}", number, amount=kopecks, unpost=unpost, day=when
        )
    except NoSuchDocument as error:
        raise CommandError(str(error)) from error
    rows = len(change["postings"])
    said = f"{kind} {number}: posted {change['document']['Posted']}, amount {change['document']['СуммаДокумента']:.2f}, {rows} postings; kept in {base.changes}"
    return {"said": said, **change}
