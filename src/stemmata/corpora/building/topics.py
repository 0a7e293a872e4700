"""Topics: documents clustered by their words, by bisecting k-means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from scipy.sparse import csr_array

from stemmata.model.spans import Ints
from stemmata.text.languages import languages
from stemmata.text.words import find_words

Floats = npt.NDArray[np.float64]
SAMPLE = 12_000
"""Characters of a document by which its topic is judged."""
RAREST = 2
"""Words of fewer documents tell nothing of topics."""
COMMONEST = 0.5
"""Nor do words of a greater share of the documents."""
ROUNDS = 12


def topics_of(texts: Iterable[str], clusters: int, rng: Generator, language: str = "en") -> Ints:
    """Return the number of the cluster of each text."""
    vectors = document_vectors(texts, language)
    return bisect(vectors, clusters, rng)


def document_vectors(texts: Iterable[str], language: str) -> csr_array:
    """Return the unit vectors of tf · idf weights of texts, one per row; stop words are left out."""
    stop = languages[language].stop_words if language in languages else frozenset()
    numbers: dict[str, int] = {}
    columns: list[int] = []
    counts: list[int] = []
    borders = [0]
    for text in texts:
        counted = Counter(find_words(text[:SAMPLE]).forms)
        for word, count in counted.items():
            if word not in stop and not word.isdigit():
                columns.append(numbers.setdefault(word, len(numbers)))
                counts.append(count)
        borders.append(len(columns))
    n = len(borders) - 1
    matrix = csr_array((np.array(counts, dtype=float), columns, borders), (n, len(numbers)))
    frequency = np.bincount(matrix.indices, minlength=matrix.shape[1])
    telling = (frequency >= min(RAREST, n)) & (frequency <= max(1, COMMONEST * n))
    idf = np.where(telling, np.log((1 + n) / (1 + frequency)), 0.0)
    matrix.data = (1 + np.log(matrix.data)) * idf[matrix.indices]
    norm = np.sqrt(matrix.multiply(matrix).sum(axis=1))
    matrix.data /= np.repeat(np.where(norm > 0, norm, 1), np.diff(matrix.indptr))
    matrix.eliminate_zeros()
    return matrix


def bisect(vectors: csr_array, clusters: int, rng: Generator) -> Ints:
    """Split the largest cluster in two until there are enough (Steinbach, Karypis and Kumar, 2000)."""
    labels = np.zeros(vectors.shape[0], dtype=np.int64)
    for new in range(1, clusters):
        sizes = np.bincount(labels, minlength=new)
        largest = int(sizes.argmax())
        members = np.flatnonzero(labels == largest)
        if len(members) < 2:
            break
        second = _two_means(vectors[members], rng)
        if second.all() or not second.any():
            # Texts that are all alike cannot be parted; one half is as good as the other.
            second = np.arange(len(members)) % 2 == 1
        labels[members[second]] = new
    return labels


def _two_means(vectors: csr_array, rng: Generator) -> npt.NDArray[np.bool_]:
    """Return which of unit vectors belong to the second of two clusters, by cosine."""
    first = int(rng.integers(vectors.shape[0]))
    nearness = np.asarray(vectors @ vectors[[first]].toarray()[0])
    # The seed, and the vector least like it.
    centres = vectors[[first, int(nearness.argmin())]].toarray()
    second = np.zeros(vectors.shape[0], dtype=bool)
    for _ in range(ROUNDS):
        near = vectors @ centres.T
        now = near[:, 1] > near[:, 0]
        if (now == second).all() or now.all() or not now.any():
            break
        second = now
        centres = np.stack([_centre(vectors, ~second), _centre(vectors, second)])
    return second


def _centre(vectors: csr_array, members: npt.NDArray[np.bool_]) -> Floats:
    total = np.asarray(vectors.T @ members.astype(float))
    norm = np.sqrt(total @ total)
    return total / norm if norm else total


def of_cluster(labels: Ints, wanted: Sequence[int]) -> dict[int, list[int]]:
    """Return the documents among `wanted` of each cluster."""
    found: dict[int, list[int]] = {}
    for one in wanted:
        found.setdefault(int(labels[one]), []).append(one)
    return found
