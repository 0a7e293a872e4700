"""What a damaged file of arrays makes NumPy raise."""

from __future__ import annotations

import zlib
from tokenize import TokenError
from zipfile import BadZipFile

NOT_ARRAYS = (
    OSError,
    ValueError,
    EOFError,
    SyntaxError,
    TokenError,
    TypeError,
    KeyError,
    IndexError,
    OverflowError,
    MemoryError,
    RuntimeError,
    BadZipFile,
    zlib.error,
)
"""Of a ``.npy`` or ``.npz`` file whose bytes are not those that were written."""
