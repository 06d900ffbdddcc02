"""A bundle is used whole and as it was written, or refused with a sentence that says what to do."""

from __future__ import annotations

import hashlib
import json
import pickle
import shutil
import threading
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save as save_arrays

from features.rows import RECIPE
from models.bundle import (
    FORMAT_VERSION,
    Bundle,
    BundleCorrupt,
    BundleError,
    BundleMissing,
    BundleUnsupported,
    default_bundle_path,
    load_bundle,
    save_bundle,
)

FILES = ("manifest.json", "weights.safetensors", "vocabulary.json", "lemmas.json")
OTHER_FILES = FILES[1:]


@pytest.fixture
def saved(small_bundle: Bundle, tmp_path: Path) -> Path:
    """The folder of a sound bundle."""
    save_bundle(small_bundle, tmp_path / "bundle")
    return tmp_path / "bundle"


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def manifest_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_bytes())
    return found


def write_manifest(folder: Path, manifest: dict[str, Any], *, sign: bool) -> None:
    """Write ``manifest``; ``sign`` gives it the digest that its new content has."""
    if sign:
        unsigned = {k: v for k, v in manifest.items() if k != "digest"}
        plain = json.dumps(unsigned, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        manifest = {**unsigned, "digest": sha256(plain.encode())}
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")


def rewrite_signed(folder: Path, name: str, data: bytes) -> None:
    """Other content for ``name``, with every digest made right: what a hand that knows the format can do."""
    (folder / name).write_bytes(data)
    manifest = manifest_of(folder)
    write_manifest(folder, {**manifest, "files": {**manifest["files"], name: sha256(data)}}, sign=True)


def test_a_bundle_comes_back_as_it_was_saved(small_bundle: Bundle, tmp_path: Path) -> None:
    digest = save_bundle(small_bundle, tmp_path / "bundle")
    loaded = load_bundle(tmp_path / "bundle")
    for field in fields(Bundle):
        expected, actual = getattr(small_bundle, field.name), getattr(loaded, field.name)
        if isinstance(expected, np.ndarray):
            assert expected.dtype == actual.dtype
            np.testing.assert_array_equal(expected, actual)
        elif field.name != "digest":
            assert expected == actual
    assert digest == loaded.digest


def test_the_same_bundle_saved_twice_is_the_same_bytes(small_bundle: Bundle, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert save_bundle(small_bundle, first) == save_bundle(small_bundle, second)
    assert {n: (first / n).read_bytes() for n in FILES} == {n: (second / n).read_bytes() for n in FILES}


@pytest.mark.parametrize(
    "changed",
    [
        {"thresholds": {"scope": 0.5, "needs_ranking": 0.36}},
        {"lemmas": {"остатки": "остаток", "рейтинга": "рейтинги"}},
        {"bias": np.array([0.25, -0.25, -1.0, 0.5], dtype=np.float32)},
        {"dataset_digest": "d2"},
        {"metrics": {}},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_any_other_content_has_another_digest(small_bundle: Bundle, tmp_path: Path, changed: dict[str, Any]) -> None:
    plain = save_bundle(small_bundle, tmp_path / "plain")
    assert plain != save_bundle(replace(small_bundle, **changed), tmp_path / "changed")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kept", [0, 0.5, -1], ids=["to nothing", "to half", "by one byte"])
def test_a_truncated_file_is_corrupt_and_named(saved: Path, name: str, kept: float) -> None:
    data = (saved / name).read_bytes()
    (saved / name).write_bytes(data[: int(kept * len(data)) if kept >= 0 else -1])
    with pytest.raises(BundleCorrupt, match=name):
        load_bundle(saved)


@pytest.mark.parametrize("name", FILES)
def test_one_flipped_bit_anywhere_is_refused_and_the_file_named(saved: Path, name: str) -> None:
    data = (saved / name).read_bytes()
    for position in range(len(data)):
        flipped = bytearray(data)
        flipped[position] ^= 1 << position % 8
        (saved / name).write_bytes(flipped)
        with pytest.raises(BundleError, match=name):
            load_bundle(saved)
    (saved / name).write_bytes(data)
    load_bundle(saved)


@pytest.mark.parametrize(
    ("name", "edited"),
    [
        ("weights.safetensors", save_arrays({"weights": np.zeros((5, 5), dtype=np.float32)})),
        ("vocabulary.json", '{"words":["остаток","долг"],"chars":["ос","ре"],"cues":["rank"]}'.encode()),
        ("lemmas.json", '{"остатки":"остаток"}'.encode()),
    ],
)
def test_an_edited_file_is_corrupt_and_both_digests_are_named(saved: Path, name: str, edited: bytes) -> None:
    stated = manifest_of(saved)["files"][name]
    (saved / name).write_bytes(edited)
    with pytest.raises(BundleCorrupt, match=name) as caught:
        load_bundle(saved)
    assert sha256(edited) in str(caught.value)
    assert stated in str(caught.value)


@pytest.mark.parametrize("name", OTHER_FILES)
def test_a_missing_file_is_corrupt_and_named_with_the_digest_it_should_have(saved: Path, name: str) -> None:
    stated = manifest_of(saved)["files"][name]
    (saved / name).unlink()
    with pytest.raises(BundleCorrupt, match=f"{name}: missing.*{stated}"):
        load_bundle(saved)


@pytest.mark.parametrize("lacking", ["the folder", "the manifest"])
def test_no_bundle_names_the_path_and_the_command_that_makes_one(saved: Path, lacking: str) -> None:
    if lacking == "the folder":
        shutil.rmtree(saved)
    else:
        (saved / "manifest.json").unlink()
    with pytest.raises(BundleMissing, match="switchman train") as caught:
        load_bundle(saved)
    assert str(saved) in str(caught.value)


def test_a_threshold_edited_by_hand_is_corrupt_and_both_digests_are_named(saved: Path) -> None:
    manifest = manifest_of(saved)
    manifest["thresholds"]["needs_ranking"] = 0.9
    write_manifest(saved, manifest, sign=False)
    with pytest.raises(BundleCorrupt, match=r"manifest\.json: edited") as caught:
        load_bundle(saved)
    write_manifest(saved, manifest, sign=True)
    assert manifest["digest"] in str(caught.value)
    assert manifest_of(saved)["digest"] in str(caught.value)
    assert load_bundle(saved).thresholds["needs_ranking"] == 0.9


def test_a_newer_format_is_unsupported_and_names_format_digest_and_remedy(saved: Path) -> None:
    write_manifest(saved, {**manifest_of(saved), "format": FORMAT_VERSION + 1}, sign=True)
    with pytest.raises(BundleUnsupported, match=rf"manifest\.json: format {FORMAT_VERSION + 1} is newer") as caught:
        load_bundle(saved)
    assert manifest_of(saved)["digest"] in str(caught.value)
    assert "upgrade" in str(caught.value)


def test_another_recipe_is_unsupported_and_both_recipes_are_named(saved: Path) -> None:
    write_manifest(saved, {**manifest_of(saved), "recipe": "row/0"}, sign=True)
    with pytest.raises(BundleUnsupported, match=r"manifest\.json.*switchman train") as caught:
        load_bundle(saved)
    assert "'row/0'" in str(caught.value)
    assert repr(RECIPE) in str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"not JSON", b"[]", b"null", b'{"format": "1"}', b"{}", b"\xff\xfe{}"], ids=repr
)
def test_a_manifest_that_is_none_is_corrupt(saved: Path, content: bytes) -> None:
    (saved / "manifest.json").write_bytes(content)
    with pytest.raises(BundleCorrupt, match=r"manifest\.json"):
        load_bundle(saved)


@pytest.mark.parametrize(
    "part",
    ["domain", "recipe", "heads", "thresholds", "limits", "dataset_digest", "metrics", "training", "files"],
)
def test_a_manifest_that_lacks_a_part_is_corrupt_though_its_digest_is_right(saved: Path, part: str) -> None:
    write_manifest(saved, {k: v for k, v in manifest_of(saved).items() if k != part}, sign=True)
    with pytest.raises(BundleCorrupt, match=rf"manifest\.json: lacks {part}"):
        load_bundle(saved)


@pytest.mark.parametrize(
    ("array", "wrong"),
    [
        ("weights", np.zeros((4, 5), dtype=np.float32)),
        ("weights", np.zeros((5, 4), dtype=np.float32)),
        ("weights", np.zeros((5, 5), dtype=np.float64)),
        ("weights", np.zeros(25, dtype=np.float32)),
        ("bias", np.zeros(5, dtype=np.float32)),
        ("class_rates", np.zeros((2, 3), dtype=np.float32)),
    ],
    ids=["a feature less", "a head less", "float64", "flat", "a head more", "a class more"],
)
def test_arrays_of_another_shape_are_corrupt_though_every_digest_is_right(
    small_bundle: Bundle, tmp_path: Path, array: str, wrong: np.ndarray[Any, Any]
) -> None:
    changes: dict[str, Any] = {array: wrong}
    save_bundle(replace(small_bundle, **changes), tmp_path / "bundle")
    with pytest.raises(BundleCorrupt, match=rf"weights\.safetensors: array '{array}' is not float32"):
        load_bundle(tmp_path / "bundle")


def test_a_missing_array_is_corrupt_though_every_digest_is_right(saved: Path, small_bundle: Bundle) -> None:
    rewrite_signed(
        saved, "weights.safetensors", save_arrays({"weights": small_bundle.weights, "bias": small_bundle.bias})
    )
    with pytest.raises(BundleCorrupt, match="array 'class_rates'"):
        load_bundle(saved)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("weights.safetensors", b"weights"),
        ("vocabulary.json", b"words"),
        ("vocabulary.json", b"[]"),
        ("vocabulary.json", b'{"words":["a","b","c","d","e"]}'),
        ("lemmas.json", b"[]"),
    ],
)
def test_content_of_another_kind_is_corrupt_though_every_digest_is_right(saved: Path, name: str, data: bytes) -> None:
    rewrite_signed(saved, name, data)
    with pytest.raises(BundleCorrupt, match=name):
        load_bundle(saved)


def test_who_knows_the_digest_gets_that_bundle_or_none(small_bundle: Bundle, saved: Path) -> None:
    """A bundle that is sound in itself is refused where its digest is not the one kept elsewhere."""
    known = load_bundle(saved).digest
    assert known == load_bundle(saved, expected_digest=known).digest
    other = save_bundle(replace(small_bundle, thresholds={"scope": 0.9, "needs_ranking": 0.35}), saved)
    with pytest.raises(BundleCorrupt, match=r"manifest\.json") as caught:
        load_bundle(saved, expected_digest=known)
    assert known in str(caught.value)
    assert other in str(caught.value)


def names_in(folder: Path) -> set[str]:
    return {p.name for p in folder.iterdir()}


def test_a_saved_bundle_replaces_the_old_one_and_leaves_nothing_else(small_bundle: Bundle, saved: Path) -> None:
    (saved / "old-notes.txt").write_text("of the old bundle", "utf-8")
    digest = save_bundle(replace(small_bundle, dataset_digest="d2"), saved)
    assert digest == load_bundle(saved).digest
    assert {"bundle"} == names_in(saved.parent)
    assert set(FILES) == names_in(saved)


def fails_at(method: str, call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the ``call``-th use of ``Path.method`` fail as a full disk does."""
    real: Callable[..., Any] = getattr(Path, method)
    calls = 0

    def failing(self: Path, *args: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call:
            raise OSError(28, "No space left on device")
        return real(self, *args)

    monkeypatch.setattr(Path, method, failing)


@pytest.mark.parametrize(
    ("method", "call"),
    [*(("write_bytes", n) for n in range(1, 5)), ("rename", 1), ("rename", 2)],
    ids=["first file", "second file", "third file", "manifest", "old one aside", "new one in"],
)
def test_a_save_that_fails_leaves_the_old_bundle_in_place(
    small_bundle: Bundle, saved: Path, monkeypatch: pytest.MonkeyPatch, method: str, call: int
) -> None:
    before = load_bundle(saved).digest
    with monkeypatch.context() as broken:
        fails_at(method, call, broken)
        with pytest.raises(OSError, match="No space left"):
            save_bundle(replace(small_bundle, dataset_digest="d2"), saved)
    assert before == load_bundle(saved).digest
    assert {"bundle"} == names_in(saved.parent)


def test_a_reader_never_gets_a_mix_of_old_and_new(small_bundle: Bundle, saved: Path) -> None:
    """While bundles replace each other, what is read is one of them whole, or refused."""
    by_digest = {}
    versions = [
        replace(small_bundle, dataset_digest=f"d{n}", bias=np.full(4, n, dtype=np.float32), lemmas={"слово": str(n)})
        for n in range(2)
    ]
    for n, version in enumerate(versions):
        by_digest[save_bundle(version, saved)] = n
    stop = threading.Event()

    def replace_for_ever() -> None:
        while not stop.is_set():
            for version in versions:
                save_bundle(version, saved)

    writer = threading.Thread(target=replace_for_ever)
    writer.start()
    seen: list[int] = []
    try:
        while len(seen) < 200 or len(set(seen)) < 2:
            try:
                found = load_bundle(saved)
            except BundleError:
                continue
            n = by_digest[found.digest]
            assert (f"d{n}", {"слово": str(n)}, [n] * 4) == (found.dataset_digest, found.lemmas, found.bias.tolist())
            seen.append(n)
    finally:
        stop.set()
        writer.join()


class Payload:
    """Pickled, it creates a file when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Path.touch, (self.marker,)


@pytest.mark.parametrize("name", OTHER_FILES)
def test_a_pickle_in_a_bundle_is_refused_and_never_run(saved: Path, tmp_path: Path, name: str) -> None:
    marker = tmp_path / "ran"
    rewrite_signed(saved, name, pickle.dumps(Payload(marker)))
    with pytest.raises(BundleCorrupt, match=name):
        load_bundle(saved)
    assert not marker.exists()


def test_a_bundle_is_json_and_plain_arrays_only(saved: Path) -> None:
    assert set(FILES) == names_in(saved)
    for name in ("manifest.json", "vocabulary.json", "lemmas.json"):
        assert isinstance(json.loads((saved / name).read_bytes()), dict)
    weights = (saved / "weights.safetensors").read_bytes()
    header_size = int.from_bytes(weights[:8], "little")
    header = json.loads(weights[8 : 8 + header_size])
    assert {"weights": "F32", "bias": "F32", "class_rates": "F32"} == {k: v["dtype"] for k, v in header.items()}
    numbers = 5 * 5 + 4 + 2 * 2
    assert 4 * numbers == len(weights) - 8 - header_size


@pytest.mark.parametrize(
    ("named", "expected"), [("/srv/bundles/today", Path("/srv/bundles/today")), ("", None)], ids=["named", "not named"]
)
def test_the_default_bundle_is_the_named_one_else_the_one_of_the_source_tree(
    monkeypatch: pytest.MonkeyPatch, named: str, expected: Path | None
) -> None:
    monkeypatch.setenv("SWITCHMAN_BUNDLE", named)
    root = Path(__file__).resolve().parents[2]
    assert (expected or root / "var" / "bundle") == default_bundle_path()
