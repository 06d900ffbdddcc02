"""A fresh process that only routes: what it imports, and that it answers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

CODE = """
import json, sys
from router import load_router
router = load_router(sys.argv[1])
store = json.load(open(sys.argv[2]))
decision = router.route("Какие акты подписаны 9 июня?", store)
heavy = sorted({m.split(".")[0] for m in sys.modules} & {"sklearn", "scipy", "joblib", "mlflow", "pandas", "matplotlib", "typer", "rich", "training", "service"})
print(json.dumps({"route": decision.route, "heavy": heavy}))
"""


def test_a_routing_process_imports_neither_training_nor_edge(bundle_path: Path) -> None:
    store = Path(__file__).resolve().parent.parent / "data" / "reference_store.json"
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(bundle_path), str(store)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == {"route": "store_canonical", "heavy": []}


INTENT_CODE = """
import json, sys
from router.intent import load_intent_router
decision = load_intent_router(sys.argv[1]).decide("где вызывается Cart.total?")
heavy = sorted({m.split(".")[0] for m in sys.modules} & {"sklearn", "scipy", "joblib", "mlflow", "pandas", "matplotlib", "typer", "rich", "training", "service"})
print(json.dumps({"intent": decision.output["intent"], "heavy": heavy}))
"""


def test_a_process_that_decides_intents_imports_neither_training_nor_edge(intent_bundle_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTENT_CODE, str(intent_bundle_path)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == {"intent": "CODE_QA", "heavy": []}
