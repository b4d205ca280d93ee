"""A file that somebody has named, read whole; each error is one line. Standard library only."""

from __future__ import annotations

import gzip
import io
import os
import stat
import zlib
from pathlib import Path

from gcc_testbed.support.errors import TestbedError

MOST_MB = 64


def read_text(file: Path) -> str:
    """The text of a file, also gzip, or a TestbedError with the reason alone."""
    try:
        # A pipe that has no writer is opened, too, in place of waiting for one.
        with os.fdopen(os.open(file, os.O_RDONLY | os.O_NONBLOCK), "rb") as content:
            if not stat.S_ISREG(os.fstat(content.fileno()).st_mode):
                raise TestbedError("it is a device or a pipe, not a file")
            data = _unpacked(content.read((MOST_MB << 20) + 1))
        text = data.decode()
    except (gzip.BadGzipFile, zlib.error, EOFError) as problem:
        raise TestbedError(f"it is no whole gzip file: {problem}") from None
    except OSError as problem:
        raise TestbedError(problem.strerror or str(problem)) from None
    except UnicodeDecodeError:
        raise TestbedError("it is not text") from None
    except ValueError:
        raise TestbedError("no file has such a name") from None
    if len(data) > MOST_MB << 20:
        raise TestbedError(f"it is larger than {MOST_MB} MB")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _unpacked(data: bytes) -> bytes:
    """The content of a gzip file, as far as it may be long; of any other file, what it is."""
    if data[:2] != b"\x1f\x8b":
        return data
    with gzip.open(io.BytesIO(data)) as packed:
        return packed.read((MOST_MB << 20) + 1)
