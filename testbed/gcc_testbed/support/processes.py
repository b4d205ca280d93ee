"""Runs long commands in process groups, and leaves no process running."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from gcc_testbed.support.errors import TestbedError

# In a session of its own, waits for its stdin to close, which happens when this process ends in any
# way, SIGKILL included, then kills the process group given as its argument.
_WATCHDOG = 'read -r _; kill -s KILL -- "-$1" 2>/dev/null'


def run(
    command: list[str],
    *,
    log: Path,
    timeout_s: float,
    environment: Mapping[str, str] | None = None,
    on_line: Callable[[str], None] = lambda line: None,
) -> int:
    """Runs a command, its output to `log` and line by line to `on_line`; returns its exit code.

    However this function is left, no process of the command's group remains.
    """
    with log.open("wb") as copy, process_group(command, environment) as child:
        deadline = time.monotonic() + timeout_s
        for line in lines_of(child, copy, lambda: max(0.0, min(deadline - time.monotonic(), 1.0))):
            if line is not None:
                on_line(line.rstrip("\r"))
            elif time.monotonic() >= deadline:
                raise TestbedError(
                    f"the run was stopped: it took longer than {timeout_s:.0f} s of real time"
                )
        try:
            return child.wait(timeout=10)
        except subprocess.TimeoutExpired:
            return -signal.SIGKILL


def lines_of(
    child: subprocess.Popen[bytes], copy: BinaryIO, wait_s: Callable[[], float]
) -> Iterator[str | None]:
    """The output of a command, line by line until it ends; also written to `copy`.

    None before each wait for more, which takes `wait_s()` at most.
    """
    assert child.stdout is not None
    pending = b""
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while True:
            yield None
            if not selector.select(wait_s()):
                if child.poll() is not None:
                    return
                continue
            block = os.read(child.stdout.fileno(), 65536)
            if not block:
                return
            copy.write(block)
            copy.flush()
            *lines, pending = (pending + block).split(b"\n")
            for line in lines:
                yield line.decode(errors="replace")


class process_group:  # noqa: N801 - reads as a statement
    """A command in a session of its own, killed as a whole at the end."""

    def __init__(self, command: list[str], environment: Mapping[str, str] | None) -> None:
        self._command = command
        self._environment = environment

    def __enter__(self) -> subprocess.Popen[bytes]:
        self._child = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=None if self._environment is None else dict(self._environment),
            start_new_session=True,
        )
        self._watchdog = subprocess.Popen(
            ["/bin/sh", "-c", _WATCHDOG, "watchdog", str(self._child.pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        return self._child

    def __exit__(self, *_: object) -> None:
        # The group may outlive its leader; its id is not reused while a member lives.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        if self._child.stdout is not None:
            self._child.stdout.close()
        # The watchdog must go without acting: the group's id is free from here on.
        self._watchdog.kill()
        self._watchdog.communicate()


def interruptible() -> None:
    """Makes SIGTERM and SIGHUP unwind like Ctrl-C, so that everything is cleaned up."""

    def stop(number: int, _frame: object) -> None:
        raise KeyboardInterrupt(signal.Signals(number).name)

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, stop)
