"""A bundle: all heads of one domain in one folder, as arrays and JSON, verified before anything is used.

Files: ``manifest.json`` (what it is, thresholds, metrics, the SHA-256 of every other file, and its own), ``weights.safetensors``
(``weights`` float32 [features, heads + 1], ``bias`` float32 [heads], ``class_rates`` float32 [binary heads, classes]), ``vocabulary.json``
(feature names a block), ``lemmas.json`` (word to lemma). Nothing in a bundle is executed: there is no pickle.

Errors: `BundleError` ← `BundleMissing`, `BundleCorrupt`, `BundleUnsupported`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
from safetensors import SafetensorError
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays

from features.code.rows import RECIPE as CODE_RECIPE
from features.rows import BLOCKS, RECIPE
from models.heads import Heads

FORMAT_VERSION = 1
"""Layout of the folder. Raise it when a reader of the old layout would misread the new one, keep reading the old, and add a test with a folder of the old."""

RECIPES = {"accounting": RECIPE, "code_docs": CODE_RECIPE}
"""How rows of each domain are made."""

MANIFEST = "manifest.json"
_FILES = ("weights.safetensors", "vocabulary.json", "lemmas.json")
_PARTS = frozenset(
    ("domain", "recipe", "heads", "thresholds", "limits", "dataset_digest", "metrics", "training", "files")
)
Array = npt.NDArray[np.float32]


class BundleError(Exception):
    """A bundle cannot be used; the message names the file and the next step."""


class BundleMissing(BundleError):
    """There is no bundle at the path."""


class BundleCorrupt(BundleError):
    """A file is truncated or edited: its digest or its shape is not what the manifest says."""


class BundleUnsupported(BundleError):
    """The bundle is of a newer format, or was trained by another recipe of rows."""


@dataclass(frozen=True)
class Bundle:
    """``weights[i, h]``: what feature ``i`` moves head ``h``, its inverse document frequency folded in; the last column is that frequency squared.

    ``class_rates[h, k]``: share of class ``k`` in the training data for which binary head ``h`` is true, for evidence on the class that comes beside the text.
    ``thresholds``: binary head to the probability from which it counts as true. ``limits``: other learned numbers, by name.
    """

    domain: str
    heads: Heads
    vocabulary: Mapping[str, list[str]]
    lemmas: Mapping[str, str]
    weights: Array
    bias: Array
    class_rates: Array
    thresholds: Mapping[str, float]
    limits: Mapping[str, Any]
    dataset_digest: str
    metrics: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""


def default_bundle_path() -> Path:
    """Where a bundle is looked for when none is named: $SWITCHMAN_BUNDLE, else var/bundle of the source tree, else the user's data folder."""
    named = os.environ.get("SWITCHMAN_BUNDLE")
    if named:
        return Path(named)
    source = Path(__file__).resolve().parent.parent
    if (source / "pyproject.toml").exists():
        return source / "var" / "bundle"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "switchman" / "bundle"


def default_intent_bundle_path() -> Path:
    """Where the bundle of CODE + DOCS is looked for when none is named: $SWITCHMAN_INTENT_BUNDLE, else beside the accounting one, ``bundle-intent``."""
    named = os.environ.get("SWITCHMAN_INTENT_BUNDLE")
    if named:
        return Path(named)
    beside = default_bundle_path()
    return beside.with_name(f"{beside.name}-intent")


def save_bundle(bundle: Bundle, path: Path) -> str:
    """Write ``bundle`` to the folder ``path``, all or nothing, and return its digest.

    An older bundle at ``path`` is replaced by renames; a reader gets the old or the new one, or, between them, a `BundleError`; never a mix.
    """
    contents = {
        "weights.safetensors": save_arrays(
            {"weights": bundle.weights, "bias": bundle.bias, "class_rates": bundle.class_rates}
        ),
        "vocabulary.json": orjson.dumps(dict(bundle.vocabulary)),
        "lemmas.json": orjson.dumps(dict(bundle.lemmas), option=orjson.OPT_SORT_KEYS),
    }
    manifest: dict[str, Any] = {
        "format": FORMAT_VERSION,
        "domain": bundle.domain,
        "recipe": RECIPES.get(bundle.domain, RECIPE),
        "heads": {"classes": list(bundle.heads.classes), "binary": list(bundle.heads.binary)},
        "thresholds": dict(bundle.thresholds),
        "limits": dict(bundle.limits),
        "dataset_digest": bundle.dataset_digest,
        "metrics": dict(bundle.metrics),
        "training": dict(bundle.training),
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in contents.items()},
    }
    manifest["digest"] = _digest(manifest)
    contents[MANIFEST] = orjson.dumps(manifest, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)
    path.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
    try:
        for name, data in contents.items():
            (building / name).write_bytes(data)
        building.chmod(0o755)
        _replace_folder(building, path)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return str(manifest["digest"])


def _replace_folder(new: Path, path: Path) -> None:
    retired = path.with_name(f".{path.name}-retired-{os.getpid()}")
    if path.exists():
        path.rename(retired)
    try:
        new.rename(path)
    except OSError:
        if retired.exists():
            retired.rename(path)
        raise
    shutil.rmtree(retired, ignore_errors=True)


def load_bundle(path: Path, expected_digest: str | None = None) -> Bundle:
    """Read and verify a bundle; every file's SHA-256 is checked before its content is parsed.

    ``expected_digest``: the digest kept elsewhere, for those who do not trust the folder. Raises `BundleMissing`, `BundleCorrupt`,
    `BundleUnsupported`.
    """
    manifest = _read_manifest(path)
    if expected_digest is not None and manifest["digest"] != expected_digest:
        raise BundleCorrupt(
            f"{path / MANIFEST}: digest {manifest['digest']}, expected {expected_digest}; fetch the bundle again"
        )
    recipe = RECIPES.get(manifest["domain"], RECIPE)
    if manifest["recipe"] != recipe:
        raise BundleUnsupported(
            f"{path / MANIFEST}: rows of recipe {manifest['recipe']!r}, this release makes {recipe!r}; train again with 'switchman train'"
        )
    raw = {name: _verified(path, name, manifest) for name in _FILES}
    heads = Heads(tuple(manifest["heads"]["classes"]), tuple(manifest["heads"]["binary"]))
    vocabulary, lemmas = (_object(path / name, raw[name]) for name in ("vocabulary.json", "lemmas.json"))
    try:
        arrays = load_arrays(raw["weights.safetensors"])
    except SafetensorError as error:
        raise BundleCorrupt(f"{path / 'weights.safetensors'}: {error}; fetch or train the bundle again") from error
    if vocabulary.keys() != set(BLOCKS):
        raise BundleCorrupt(
            f"{path / 'vocabulary.json'}: its blocks are not {', '.join(BLOCKS)}; fetch or train the bundle again"
        )
    features = sum(len(vocabulary[block]) for block in BLOCKS)
    wanted = {
        "weights": (features, heads.count + 1),
        "bias": (heads.count,),
        "class_rates": (len(heads.binary), len(heads.classes)),
    }
    for name, shape in wanted.items():
        if name not in arrays or arrays[name].shape != shape or arrays[name].dtype != np.float32:
            raise BundleCorrupt(
                f"{path / 'weights.safetensors'}: array {name!r} is not float32 of shape {shape}; train the bundle again"
            )
    return Bundle(
        domain=manifest["domain"],
        heads=heads,
        vocabulary=vocabulary,
        lemmas=lemmas,
        weights=arrays["weights"],
        bias=arrays["bias"],
        class_rates=arrays["class_rates"],
        thresholds=manifest["thresholds"],
        limits=manifest["limits"],
        dataset_digest=manifest["dataset_digest"],
        metrics=manifest["metrics"],
        training=manifest["training"],
        digest=manifest["digest"],
    )


def _read_manifest(path: Path) -> dict[str, Any]:
    file = path / MANIFEST
    data = _bytes_of(file)
    if data is None:
        raise BundleMissing(
            f"no bundle at {path}: train one with 'switchman train', or name another with $SWITCHMAN_BUNDLE"
        )
    manifest = _object(file, data)
    version = manifest.get("format")
    if not isinstance(version, int):
        raise BundleCorrupt(f"{file}: no integer 'format'; fetch or train the bundle again")
    if version > FORMAT_VERSION:
        raise BundleUnsupported(
            f"{file}: format {version} is newer than {FORMAT_VERSION}, which this release reads; digest {manifest.get('digest')}; upgrade switchman"
        )
    stated, actual = manifest.get("digest"), _digest({k: v for k, v in manifest.items() if k != "digest"})
    if stated != actual:
        raise BundleCorrupt(
            f"{file}: edited or truncated, digest is {actual}, stated {stated}; fetch or train the bundle again"
        )
    absent = _PARTS - manifest.keys()
    if absent:
        raise BundleCorrupt(f"{file}: lacks {', '.join(sorted(absent))}; fetch or train the bundle again")
    return manifest


def _bytes_of(file: Path) -> bytes | None:
    """Content, or None where there is no such file; it may go between a look and a read."""
    try:
        return file.read_bytes()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


def _object(file: Path, data: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise BundleCorrupt(f"{file}: not JSON ({error}); fetch or train the bundle again") from error
    if not isinstance(found, dict):
        raise BundleCorrupt(f"{file}: not a JSON object; fetch or train the bundle again")
    return found


def _verified(path: Path, name: str, manifest: Mapping[str, Any]) -> bytes:
    file = path / name
    stated = manifest["files"].get(name)
    data = _bytes_of(file)
    if data is None:
        raise BundleCorrupt(f"{file}: missing, its SHA-256 should be {stated}; fetch or train the bundle again")
    actual = hashlib.sha256(data).hexdigest()
    if actual != stated:
        raise BundleCorrupt(
            f"{file}: edited or truncated, SHA-256 is {actual}, stated {stated}; fetch or train the bundle again"
        )
    return data


def _digest(manifest: Mapping[str, Any]) -> str:
    return hashlib.sha256(orjson.dumps(dict(manifest), option=orjson.OPT_SORT_KEYS)).hexdigest()
