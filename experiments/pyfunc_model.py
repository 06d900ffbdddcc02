"""The bundle as an MLflow model, from code: the registry can load and try it; production pulls the bundle and needs none of this.

MLflow runs this file when it logs and when it loads the model.
"""

from __future__ import annotations

import json
from typing import Any

from mlflow.models import set_model
from mlflow.pyfunc.model import PythonModel, PythonModelContext

from router import load_router
from router.question_router import QuestionRouter


class SwitchmanModel(PythonModel):
    """Columns ``text`` and optionally ``question_id`` in, one decision a row out. ``params``: ``store_metadata`` as JSON text."""

    router: QuestionRouter

    def load_context(self, context: PythonModelContext) -> None:
        """Read and verify the bundle. MLflow passes the argument by this very name."""
        self.router = load_router(context.artifacts["bundle"])

    def predict(
        self,
        context: PythonModelContext,  # noqa: ARG002  # MLflow's signature
        model_input: Any,
        params: dict[str, Any] | None = None,
    ) -> list[dict[str, Any]]:
        """Route, its probability and what decided, a row each."""
        stated = (params or {}).get("store_metadata")
        store_metadata = json.loads(stated) if stated else None
        decisions = [self.router.route(str(text), store_metadata) for text in model_input["text"]]
        return [
            {"route": d.route, "probability": d.route_probabilities[d.route], "decided_by": d.log.decided_by}
            for d in decisions
        ]


set_model(SwitchmanModel())
