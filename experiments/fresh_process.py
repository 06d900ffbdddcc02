"""A bundle and its MLflow model tried in new processes, as production and the registry will load them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

HEAVY = frozenset(("mlflow", "sklearn", "scipy", "pandas", "joblib", "matplotlib", "optuna", "duckdb", "mcp", "dbos"))
"""What a process that only routes must not import."""
_SECONDS = 180

_ROUTE = """
import sys, orjson
given = orjson.loads(open(sys.argv[1], "rb").read())
from router import load_router
router = load_router(given["bundle"], expected_digest=given["digest"])
routes = [router.route(q["text"], given["store_metadata"], q.get("parsed_intent")).route for q in given["questions"]]
loaded = sorted({m.split(".")[0] for m in sys.modules})
sys.stdout.buffer.write(orjson.dumps({"routes": routes, "modules": loaded}))
"""
_TIME = """
import sys, orjson
from pathlib import Path
given = orjson.loads(open(sys.argv[1], "rb").read())
from experiments.speed import decision_times
from models.bundle import load_bundle
bundles = [load_bundle(Path(b)) for b in given["bundles"]]
sys.stdout.buffer.write(orjson.dumps(decision_times(bundles, given["texts"], given["store_metadata"], rounds=1)))
"""
_PREDICT = """
import sys, json, logging, warnings
logging.disable(logging.CRITICAL); warnings.simplefilter("ignore")
given = json.loads(open(sys.argv[1], encoding="utf-8").read())
import mlflow, pandas
mlflow.set_tracking_uri(given["tracking"]); mlflow.set_registry_uri(given["tracking"])
model = mlflow.pyfunc.load_model(given["model"])
frame = pandas.DataFrame({"text": [q["text"] for q in given["questions"]]})
found = model.predict(frame, params={"store_metadata": json.dumps(given["store_metadata"])})
print(json.dumps({"routes": [row["route"] for row in found]}))
"""


class FreshProcessFailed(Exception):
    """The new process did not answer; the message is its last line."""


def route_afresh(
    bundle: Path, digest: str, questions: Sequence[Mapping[str, Any]], store_metadata: Mapping[str, Any]
) -> tuple[list[str], list[str]]:
    """(routes, heavy modules imported) of a process that loads the bundle and routes. Raises `FreshProcessFailed`."""
    found = _ask(
        _ROUTE,
        {"bundle": str(bundle), "digest": digest, "questions": list(questions), "store_metadata": dict(store_metadata)},
    )
    return found["routes"], sorted(HEAVY & set(found["modules"]))


def predict_afresh(
    model: str, tracking: str, questions: Sequence[Mapping[str, Any]], store_metadata: Mapping[str, Any]
) -> list[str]:
    """Routes of a process that loads the MLflow ``model``. Raises `FreshProcessFailed`."""
    given = {"model": model, "tracking": tracking, "questions": list(questions), "store_metadata": dict(store_metadata)}
    routes: list[str] = _ask(_PREDICT, given)["routes"]
    return routes


def time_afresh(
    bundles: Sequence[Path], texts: Sequence[str], store_metadata: Mapping[str, Any]
) -> list[dict[str, float]]:
    """`experiments.speed.decision_times` in a process that has seen no word yet, one pass. Raises `FreshProcessFailed`."""
    given = {"bundles": [str(b) for b in bundles], "texts": list(texts), "store_metadata": dict(store_metadata)}
    times: list[dict[str, float]] = _ask(_TIME, given)
    return times


def _ask(code: str, given: Mapping[str, Any]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "given.json"
        file.write_bytes(orjson.dumps(given))
        try:
            done = subprocess.run(  # noqa: S603  # our own interpreter and code
                [sys.executable, "-c", code, str(file)],
                capture_output=True,
                check=False,
                timeout=_SECONDS,
                env={**os.environ, "MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false"},
            )
        except subprocess.TimeoutExpired as error:
            raise FreshProcessFailed(f"no answer in {_SECONDS} s") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise FreshProcessFailed(said[-1][:300] if said else f"exit code {done.returncode}")
    return orjson.loads(done.stdout.strip().splitlines()[-1])
