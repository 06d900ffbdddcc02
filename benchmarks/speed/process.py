"""A fresh process that loads the bundle and answers: seconds, memory, and what it imported. Writes process.json beside this file.

.venv/bin/python benchmarks/speed/process.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path

import orjson

HERE = Path(__file__).resolve().parent
STORE = HERE.parent.parent / "data" / "reference_store.json"
ROUNDS = 9
CODE = """
import time
start = time.perf_counter()
import json, resource, sys
from router import load_router
router = load_router()
store = json.load(open(sys.argv[1]))
route = router.route("Какие акты подписаны 9 июня?", store).route
known = time.perf_counter() - start
router.route("Какие бесконтактометры оприходованы 9 июня?", store)
unknown = time.perf_counter() - start
heavy = sorted({m.split(".")[0] for m in sys.modules} & {"sklearn", "scipy", "mlflow", "pandas"})
print(json.dumps([known, unknown, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, heavy]))
"""


def main() -> None:
    """Medians over some processes, after one that warms the disk."""
    runs = [
        orjson.loads(subprocess.run([sys.executable, "-c", CODE, str(STORE)], capture_output=True, check=True).stdout)
        for _ in range(ROUNDS + 1)
    ][1:]  # our own interpreter
    found = {
        "first_answer_s": round(statistics.median(r[0] for r in runs), 3),
        "with_an_unknown_word_s": round(statistics.median(r[1] for r in runs), 3),
        "peak_memory_mb": round(max(r[2] for r in runs), 1),
        "training_packages_imported": runs[0][3],
    }
    (HERE / "process.json").write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    print(found)


if __name__ == "__main__":
    main()
