"""What can go wrong with a live server.

LiveError
├── LiveDown         nothing answers, or the connection broke twice
├── LiveSlow         no answer within the time allowed
├── LiveTooBig       an answer over the size allowed; it was thrown away
├── LiveRefused      the server refused the call; its own words are kept
└── ToolNotAllowed   a tool that is not on the read-only list; nothing was sent
"""

from __future__ import annotations


class LiveError(Exception):
    """Says which server, what happened, and what to do."""


class LiveDown(LiveError):
    """No connection."""


class LiveSlow(LiveError):
    """Out of time."""


class LiveTooBig(LiveError):
    """Out of size."""


class LiveRefused(LiveError):
    """A tool's own error."""


class ToolNotAllowed(LiveError):
    """Not on the allow-list."""
