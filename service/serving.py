"""The command ``switchman serve``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(serve)


def serve(
    bundle: Annotated[
        Path | None, typer.Option("--bundle", help="Folder of the bundle, as 'switchman bundle pull' wrote it.")
    ] = None,
    digest: Annotated[
        str | None, typer.Option("--digest", help="The bundle's digest, kept elsewhere: any other is refused.")
    ] = None,
    intent_bundle: Annotated[
        Path | None, typer.Option("--intent-bundle", help="Folder of the CODE + DOCS bundle.")
    ] = None,
    stores: Annotated[
        Path | None,
        typer.Option("--stores", help="Folder of store versions. Default: $SWITCHMAN_STORES, else var/stores."),
    ] = None,
    store_metadata: Annotated[
        Path | None,
        typer.Option(
            "--store-metadata", help="What the stores hold. Default: the published stores, else the reference store."
        ),
    ] = None,
    host: Annotated[str, typer.Option("--host", help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535)] = 8000,
    max_body: Annotated[int, typer.Option("--max-body", min=1024, help="Bytes of a request's body.")] = 1 << 20,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, help="Time for one answer of /v1/ask, and to receive a body.")
    ] = 30.0,
) -> None:
    """Answer POST /v1/route, /v1/intent and /v1/ask, and GET /healthz; the pages at /docs describe them."""
    from service.cli import CommandError

    try:
        import uvicorn

        from service.http import Limits, create_app
    except ImportError as error:
        raise CommandError(
            f"serving needs the extra 'serve' ({error.name} is missing): pip install 'switchman[serve]'"
        ) from error
    from service.capabilities import open_capabilities

    able = open_capabilities(bundle, digest, intent_bundle, stores, store_metadata)
    try:
        uvicorn.run(
            create_app(able, Limits(max_body, seconds)), host=host, port=port, access_log=False, timeout_keep_alive=5
        )
    finally:
        able.close()
