"""A bundle is made of its data and of nothing else, and scores in production as it was fitted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from joblib import parallel_config
from rich.console import Console
from sklearn.linear_model import LogisticRegression

from features.analysis import Analyser
from features.lemmas import Lemmatiser
from features.vectoriser import Vectoriser
from models.bundle import Bundle, load_bundle, save_bundle
from models.heads import ACCOUNTING_HEADS, LEARNED_FLAGS, QUESTION_CLASSES, ROUTES
from models.scorer import Scorer
from router.offline import ReferenceJudge
from router.query_classifier import DECIDING_FLAGS
from router.route_probability import calibrate_routes
from service.settings import Settings
from service.training import TrainingRefused, train_and_save
from training.dataset import Example, dataset_digest, default_dataset, read_dataset
from training.fit import (
    BASE,
    FitSettings,
    OutOfFold,
    apply_layer,
    class_rates,
    fit_base,
    fit_layer,
    fit_route_scaling,
    out_of_fold_logits,
    scale_routes,
    targets,
    train_bundle,
)
from training.folds import author_folds
from training.matrix import TrainingMatrix, build_matrix

ROOT = Path(__file__).resolve().parents[2]
LABELS = ("question_class", "flags", "other_period", "ready_summary", "route")
Bools = npt.NDArray[np.bool_]


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    """Every twelfth question of the accounting data."""
    return read_dataset(default_dataset())[::12]


def train(examples: Sequence[Example], jobs: int = 1) -> tuple[Bundle, OutOfFold]:
    judge = ReferenceJudge(json.loads((ROOT / "data" / "reference_store.json").read_bytes()))
    with parallel_config(backend="loky", n_jobs=jobs, inner_max_num_threads=1):
        return train_bundle(examples, judge, DECIDING_FLAGS)


@pytest.fixture(scope="module")
def trained(examples: list[Example]) -> tuple[Bundle, OutOfFold]:
    return train(examples)


@pytest.fixture(scope="module")
def matrix(examples: list[Example]) -> TrainingMatrix:
    return build_matrix([e.text for e in examples])


def test_the_same_questions_give_the_same_digest_on_one_core_and_on_two(
    examples: list[Example], trained: tuple[Bundle, OutOfFold], tmp_path: Path
) -> None:
    again, _ = train(examples, jobs=2)
    assert save_bundle(trained[0], tmp_path / "one") == save_bundle(again, tmp_path / "two")


def test_the_bundle_says_what_it_was_trained_on(examples: list[Example], trained: tuple[Bundle, OutOfFold]) -> None:
    bundle, _ = trained
    assert ("accounting", ACCOUNTING_HEADS) == (bundle.domain, bundle.heads)
    assert dataset_digest(examples) == bundle.dataset_digest
    assert (len(examples), len({e.author for e in examples})) == (
        bundle.training["questions"],
        bundle.training["authors"],
    )
    assert set(ACCOUNTING_HEADS.binary) == set(bundle.thresholds)


def right(examples: Sequence[Example], found: OutOfFold) -> float:
    return sum(e.route == r for e, r in zip(examples, found.routes, strict=True)) / len(examples)


def test_shuffled_labels_fall_to_the_base_rate_and_true_ones_stand_far_above(
    examples: list[Example], trained: tuple[Bundle, OutOfFold]
) -> None:
    """Nothing leaks from a question's labels to its own score: with labels that belong to other questions, routes are right as often as
    the same routes dealt out at random would be, and no more often than the commonest route alone.
    """
    order = np.random.default_rng(0).permutation(len(examples))
    shuffled = [
        e.model_copy(update={name: getattr(examples[i], name) for name in LABELS})
        for e, i in zip(examples, order, strict=True)
    ]
    _, found = train(shuffled)
    needed, chosen = Counter(e.route for e in examples), Counter(found.routes)
    majority = max(needed.values()) / len(examples)
    by_chance = sum(needed[route] * chosen[route] for route in needed) / len(examples) ** 2
    assert pytest.approx(by_chance, abs=0.06) == right(shuffled, found)
    assert right(shuffled, found) < majority + 0.03
    assert right(examples, trained[1]) > majority + 0.3


def test_a_training_question_scores_in_production_as_by_scikit_learn(
    examples: list[Example], matrix: TrainingMatrix, trained: tuple[Bundle, OutOfFold], tmp_path: Path
) -> None:
    """Saved, loaded and asked word by word, the folded bundle gives the log-odds of the base heads, each under its own calibration."""
    settings, truth = FitSettings(), targets(examples)
    folds = author_folds(examples, (), settings.folds)
    unseen = out_of_fold_logits(matrix, truth, folds, settings)

    def log_odds(train_on: Any, ask: Any, target: npt.NDArray[Any], **how: Any) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = LogisticRegression(**how).fit(train_on, target).decision_function(ask)
        return found

    base_way = {"C": settings.strength, "solver": "liblinear", "tol": 1e-2, "max_iter": 400, "random_state": 0}
    base = np.column_stack([log_odds(matrix.matrix, matrix.matrix, truth[:, h], **base_way) for h in range(len(BASE))])
    layer_way = {"C": settings.layer_strength, "solver": "newton-cholesky"}
    binary = [BASE.index("out_of_scope"), *(BASE.index(f) for f in LEARNED_FLAGS)]
    labels = truth[:, : len(QUESTION_CLASSES)].argmax(axis=1)
    expected = np.column_stack(
        [
            log_odds(unseen[:, : len(QUESTION_CLASSES)], base[:, : len(QUESTION_CLASSES)], labels, **layer_way),
            *(log_odds(unseen[:, [h]], base[:, [h]], truth[:, h], **layer_way) for h in binary),
        ]
    )

    save_bundle(trained[0], tmp_path / "bundle")
    bundle = load_bundle(tmp_path / "bundle")
    analyser, vectoriser = Analyser(Lemmatiser(bundle.lemmas)), Vectoriser(bundle.vocabulary)
    scorer = Scorer(bundle)
    actual = np.array([scorer.logits(vectoriser.row(analyser.analyse(e.text))) for e in examples])
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-3)
    assert np.abs(expected).max() > 3


def test_labels_of_a_fold_do_not_reach_its_own_scores(examples: list[Example]) -> None:
    few = examples[::4]
    data, truth, settings = build_matrix([e.text for e in few]), targets(few), FitSettings(folds=2)
    folds = author_folds(few, (), 2)
    turned = np.where((folds == 0)[:, None], ~truth, truth)
    before, after = (out_of_fold_logits(data, t, folds, settings) for t in (truth, turned))
    np.testing.assert_array_equal(before[folds == 0], after[folds == 0])
    assert (before[folds == 1] != after[folds == 1]).mean() > 0.9


ERRONEOUS = {
    "an unreadable line": "{",
    "a broken rule": {"question_class": "trend_anomaly", "flags": []},
    "a wrong route": {"route": "store_feature_risk"},
    "a held-out question": {"text": "Рейтинг покупателей по выручке"},
}


@pytest.mark.parametrize("fault", ERRONEOUS.values(), ids=ERRONEOUS)
def test_nothing_is_written_when_data_has_errors(tmp_path: Path, fault: str | dict[str, Any]) -> None:
    sound = {
        "id": "1",
        "text": "Остаток по кассе",
        "question_class": "simple_factual",
        "flags": [],
        "route": "store_canonical",
        "author": "a",
    }
    bad = fault if isinstance(fault, str) else json.dumps(sound | {"id": "2", "text": "Сколько сахара"} | fault)
    data, out = tmp_path / "data.jsonl", tmp_path / "out"
    data.write_text(f"{json.dumps(sound)}\n{bad}\n", "utf-8")
    benchmark = tmp_path / "benchmark.jsonl"
    benchmark.write_text(json.dumps({"text": "По выручке рейтинг покупателя"}), "utf-8")
    out.mkdir()
    settings = Settings(bundle=out / "bundle", var=out, dataset=data, benchmark=benchmark, exam=tmp_path / "exam")
    with pytest.raises(TrainingRefused) as caught:
        train_and_save(data, settings.bundle, settings, 1, Console(quiet=True))
    assert [f"{data}:2"] * len(caught.value.report.errors) == [f.where for f in caught.value.report.errors]
    assert [] == list(out.iterdir())
    assert {data, out, benchmark} == set(tmp_path.iterdir())


def question(question_class: str, *flags: str) -> Example:
    fields: dict[str, Any] = {"question_class": question_class, "flags": flags}
    return Example(id="q", text="?", route="no_route", author="a", **fields)


def test_targets_are_the_class_then_the_flags() -> None:
    expected = np.zeros((2, 17), dtype=bool)
    expected[0, QUESTION_CLASSES.index("out_of_scope")] = True
    expected[1, QUESTION_CLASSES.index("heavy_analytical")] = True
    expected[1, 7 + LEARNED_FLAGS.index("needs_ranking")] = True
    expected[1, 7 + LEARNED_FLAGS.index("parsed_as_trend_or_risk")] = True
    found = targets(
        [question("out_of_scope"), question("heavy_analytical", "parsed_as_trend_or_risk", "needs_ranking")]
    )
    np.testing.assert_array_equal(expected, found)


@pytest.mark.parametrize(("value", "odds"), [(True, 4.5 / 0.5), (False, 0.5 / 4.5)], ids=["always", "never"])
def test_a_head_that_is_always_the_same_has_no_weights_and_the_smoothed_base_rate(value: bool, odds: float) -> None:
    weights, bias = fit_base(np.eye(4), np.full(4, value), strength=30.0, seed=0)
    assert [0.0] * 4 == weights.tolist()
    assert pytest.approx(np.log(odds)) == bias


def test_class_rates_are_smoothed_shares() -> None:
    """Of three trends two are fresh: 2.5 / 4; of no drilldown none: 0.5 / 1; the one outsider is out of scope: 1.5 / 2."""
    trend, fresh = QUESTION_CLASSES.index("trend_anomaly"), 1 + LEARNED_FLAGS.index("freshness_sensitive")
    outside, drilldown = QUESTION_CLASSES.index("out_of_scope"), QUESTION_CLASSES.index("drilldown_explain")
    rates = class_rates(
        targets(
            [
                question("trend_anomaly", "freshness_sensitive"),
                question("trend_anomaly", "freshness_sensitive"),
                question("trend_anomaly"),
                question("out_of_scope"),
            ]
        )
    )
    assert rates.shape == (11, 7)
    assert rates.dtype == np.float32
    assert (2.5 / 4, 0.5 / 1, 0.5 / 2) == (rates[fresh, trend], rates[fresh, drilldown], rates[fresh, outside])
    assert (1.5 / 2, 0.5 / 4) == (rates[0, outside], rates[0, trend])


def drawn(seed: int, classes: Sequence[int]) -> tuple[npt.NDArray[np.float64], Bools]:
    """Logits that tell the truth but for noise, and the truth: 300 questions of ``classes`` only, flags by coin."""
    random = np.random.default_rng(seed)
    truth = np.zeros((300, len(BASE)), dtype=bool)
    truth[np.arange(300), random.choice(classes, 300)] = True
    truth[:, len(QUESTION_CLASSES) :] = random.random((300, len(LEARNED_FLAGS))) < 0.5
    return np.where(truth, 1.0, -1.0) + random.normal(0, 1, truth.shape), truth


@pytest.mark.parametrize("stacked", [True, False], ids=["stacked", "each on its own"])
def test_the_layer_is_true_on_average_and_its_classes_sum_to_one(stacked: bool) -> None:
    logits, truth = drawn(1, range(7))
    classes, binary = apply_layer(logits, *fit_layer(logits, truth, FitSettings(stacked=stacked)))
    np.testing.assert_allclose(classes.sum(axis=1), 1.0)
    np.testing.assert_allclose(classes.mean(axis=0), truth[:, :7].mean(axis=0), atol=1e-3)
    np.testing.assert_allclose(binary.mean(axis=0), truth[:, [6, *range(7, 17)]].mean(axis=0), atol=1e-3)
    assert (classes.argmax(axis=1) == truth[:, :7].argmax(axis=1)).mean() > 0.7


def test_on_its_own_a_flag_is_calibrated_by_its_logit_alone() -> None:
    logits, truth = drawn(2, range(7))
    mixing, _ = fit_layer(logits, truth, FitSettings(stacked=False))
    column = 7 + 1 + LEARNED_FLAGS.index("needs_ranking")
    assert [BASE.index("needs_ranking")] == np.flatnonzero(mixing[:, column]).tolist()


def test_classes_and_flags_that_the_data_lacks_are_all_but_impossible() -> None:
    logits, truth = drawn(3, (0, 1, 2))
    truth[:, 7], truth[:, 8] = False, True
    classes, binary = apply_layer(logits, *fit_layer(logits, truth, FitSettings()))
    assert classes[:, 3:].max() < 1e-6
    assert binary[:, [0, 1]].max() < 1e-6
    assert binary[:, 2].min() > 1 - 1e-6


ROUTE_ROWS = [
    (0.1, 0.2, 0.3, 0.1, 0.2, 0.1),
    (0.5, 0.0, 0.5, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
    (0.9, 0.04, 0.03, 0.02, 0.009, 0.001),
]


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_training_scales_routes_as_production_does(temperature: float) -> None:
    biases = [0.3, -0.2, 0.0, 1.0, -1.0, 0.5]
    scaled = scale_routes(np.array(ROUTE_ROWS), temperature, biases)
    expected = [calibrate_routes(dict(zip(ROUTES, row, strict=True)), temperature, biases) for row in ROUTE_ROWS]
    assert [pytest.approx([row[r] for r in ROUTES]) for row in expected] == scaled.tolist()


@pytest.mark.parametrize(
    ("stated", "true_share", "cooler"), [(0.9, 0.7, True), (0.7, 0.9, False)], ids=["too sure", "not sure enough"]
)
def test_route_scaling_makes_stated_probabilities_true(stated: float, true_share: float, cooler: bool) -> None:
    """Each of two routes is stated for half of the questions, and right in ``true_share`` of them."""
    a, b = ROUTES[:2]
    rest = [0.0] * (len(ROUTES) - 2)
    for_a, for_b = [stated, 1 - stated, *rest], [1 - stated, stated, *rest]
    times = round(true_share * 100)
    raw = np.array([for_a] * 100 + [for_b] * 100)
    needed = [a] * times + [b] * (100 - times) + [b] * times + [a] * (100 - times)
    temperature, biases = fit_route_scaling(raw, needed)
    assert cooler == (temperature < 1)
    scaled = scale_routes(raw, temperature, biases)
    assert pytest.approx([true_share, 1 - true_share], abs=0.02) == scaled[0, :2].tolist()


def test_fewer_blocks_leave_the_others_empty() -> None:
    texts = ["Остаток по кассе", "Остаток по складу", "Остаток по счёту"]
    assert {"words": True, "chars": False, "cues": False} == {
        block: bool(names) for block, names in build_matrix(texts, ("words",)).vocabulary.items()
    }


def test_thresholds_of_one_half_are_kept_where_cost_does_not_choose(examples: list[Example]) -> None:
    few = examples[::8]
    judge = ReferenceJudge(json.loads((ROOT / "data" / "reference_store.json").read_bytes()))
    settings = replace(FitSettings(), folds=2, cost_thresholds=False)
    bundle, found = train_bundle(few, judge, DECIDING_FLAGS, settings=settings)
    assert dict.fromkeys(ACCOUNTING_HEADS.binary, 0.5) == bundle.thresholds
    assert ({}, 0.0) == (bundle.limits["uncertain_bands"], bundle.limits["route_probability"])
    assert {0, 1} == set(found.folds.tolist())
