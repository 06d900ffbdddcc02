"""The commands ``switchman intent`` and ``switchman chat``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from rich.console import Console

from router.intent import IntentRouter, load_intent_router
from router.intent.dictionary import DictionaryError

BundleOption = Annotated[
    Path | None,
    typer.Option("--bundle", help="Folder of the bundle. Default: $SWITCHMAN_INTENT_BUNDLE, else var/bundle-intent."),
]
DictionaryOption = Annotated[
    Path | None, typer.Option("--dictionary", help="JSON file whose words are added to the Russian-English dictionary.")
]
RepoOption = Annotated[
    Path | None,
    typer.Option("--repo", help="JSON file with languages, structure and available_layers of the repository."),
]


def register(app: typer.Typer, out: Console, err: Console) -> None:
    """Add both commands to ``app``."""

    @app.command()
    def intent(
        query: Annotated[str | None, typer.Argument(help="A developer's query, in Russian or English.")] = None,
        state: Annotated[
            Path | None,
            typer.Option("--state", help="JSON file with the conversation's state, as an earlier call returned it."),
        ] = None,
        repo: RepoOption = None,
        source: Annotated[
            Path | None,
            typer.Option(
                "--input", help="JSON lines with question_id and text, maybe conversation_state and repo_context."
            ),
        ] = None,
        conversations: Annotated[
            Path | None,
            typer.Option("--conversations", help="JSON lines with conversation_id, turns of text, maybe repo_context."),
        ] = None,
        target: Annotated[
            Path | None, typer.Option("--output", help="Where the contracts go, a JSON line each, in the same order.")
        ] = None,
        bundle: BundleOption = None,
        dictionary: DictionaryOption = None,
        as_json: Annotated[
            bool, typer.Option("--json", help="Print JSON: the contract as 'output', everything else as 'details'.")
        ] = False,
    ) -> None:
        """Route one developer's query, a file of them, or a file of conversations, to the version 1.1 contract.

        A line that cannot be read gives an error record with its number; the rest goes on, and the exit code stays 0.
        """
        given = [x for x in (query, source, conversations) if x is not None]
        if len(given) != 1 or (query is not None and target is not None):
            raise _command_error(
                "give one query in quotes, or --input FILE, or --conversations FILE (both with --output FILE)"
            )
        router = _router(bundle, dictionary)
        if query is None:
            _many(router, source, conversations, target, err, as_json)
            return
        decision = router.decide(query, _object(state, "--state"), _object(repo, "--repo"))
        if as_json:
            from service.intent_bulk import json_bytes

            record = json_bytes({"output": decision.output, "details": decision.details})
            sys.stdout.write(record.decode() + "\n")
            return
        from service.intent_screen import intent_panel

        out.print(intent_panel(decision))

    @app.command()
    def chat(repo: RepoOption = None, bundle: BundleOption = None, dictionary: DictionaryOption = None) -> None:
        """Talk, and see mode, intent and anchors of every turn. An empty line ends; /new begins a new conversation."""
        from service.intent_screen import turn_lines
        from service.intent_words import intent_word

        router = _router(bundle, dictionary)
        context = _object(repo, "--repo")
        state: dict[str, Any] | None = None
        out.print(intent_word("chat_hint", "ru") + " · " + intent_word("chat_hint", "en"), style="dim")
        while True:
            try:
                line = out.input("[bold]>[/bold] ")
            except (EOFError, KeyboardInterrupt):
                out.print()
                return
            if not line.strip():
                return
            if line.strip() == "/new":
                state = None
                continue
            decision = router.decide(line, state, context)
            state = decision.next_state
            for text in turn_lines(decision):
                out.print(text, soft_wrap=True)


def _many(
    router: IntentRouter,
    source: Path | None,
    conversations: Path | None,
    target: Path | None,
    err: Console,
    as_json: bool,
) -> None:
    from service.intent_bulk import answer_conversation, answer_file, answer_query

    lines = source or conversations
    if lines is None or target is None:
        raise _command_error("--output FILE is missing: where the contracts go")
    answer, name = (answer_query, "question_id") if source is not None else (answer_conversation, "conversation_id")
    try:
        good, bad = answer_file(router, lines, target, answer, name)
    except OSError as error:
        raise _command_error(f"{error.filename}: {error.strerror}; nothing was written") from error
    if as_json:
        sys.stdout.write(orjson.dumps({"routed": good, "refused": bad, "output": str(target)}).decode() + "\n")
    else:
        err.print(f"{good} routed, {bad} lines refused, written to {target}", soft_wrap=True)


def _router(bundle: Path | None, dictionary: Path | None) -> IntentRouter:
    try:
        return load_intent_router(bundle, dictionary=dictionary)
    except DictionaryError as error:
        raise _command_error(f"--dictionary {error}") from error


def _object(path: Path | None, option: str) -> dict[str, Any] | None:
    if path is None:
        return None
    try:
        found = orjson.loads(path.read_bytes())
    except OSError as error:
        raise _command_error(f"{option} {path}: {error.strerror}; name a readable JSON file") from error
    except orjson.JSONDecodeError as error:
        raise _command_error(f"{option} {path}: not JSON ({error})") from error
    if isinstance(found, dict) and option == "--state":
        found = found.get("details", found)
        found = found.get("next_state", found)
    if not isinstance(found, dict):
        raise _command_error(f"{option} {path}: a {type(found).__name__}, not an object")
    return found


def _command_error(message: str) -> Exception:
    from service.cli import CommandError

    return CommandError(message)
