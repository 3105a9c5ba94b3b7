"""Pages of the memory of this process: fewer, larger and kept, since each one costs time when it is first written.

After a fork, each page that is written costs that time again, and the table of pages was copied.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import sys
from pathlib import Path

_SIZE = 1 << 21  # bytes of a large page
_COLLAPSE = 25  # MADV_COLLAPSE of Linux 6.1
_FORKS = 8  # after which the large pages that were divided are worth a copy
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # options of glibc's mallopt
_KEPT = 32 << 20  # bytes of an allocation, the most that glibc allows


def save_page_faults() -> None:
    """On Linux, keep memory that C code frees, and keep memory in large pages, which writes after a fork divide."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        libc.mallopt(_TRIM_THRESHOLD, -1)
        libc.mallopt(_MMAP_THRESHOLD, _KEPT)
    _use_large_pages(libc)
    forks = itertools.count(1)

    def before_fork() -> None:
        if next(forks) % _FORKS == 0:
            _use_large_pages(libc)

    os.register_at_fork(before=before_fork)


def _use_large_pages(libc: ctypes.CDLL) -> None:
    """Put the memory that has been allocated into large pages, where the system has them."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        places, permissions, _, _, _, *file = line.split()
        start, end = (int(place, 16) for place in places.split("-"))
        start, end = -(-start // _SIZE) * _SIZE, end // _SIZE * _SIZE
        if permissions == "rw-p" and file in ([], ["[heap]"]) and start < end:
            libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _COLLAPSE)
