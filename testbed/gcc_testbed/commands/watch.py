"""`gcc-testbed watch`: a call while it runs, from the trace that one of its elements writes."""

from __future__ import annotations

import time
from pathlib import Path

from gcc_testbed.commands.arguments import Parser, whole_number
from gcc_testbed.measure.follow import Watch
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.python_packages import install, missing

_EVERY_S = 0.5
_PORT = 8642


def parser() -> Parser:
    """The options."""
    found = Parser(
        prog="gcc-testbed watch",
        description="Follows the trace of an element (property trace-location) while a pipeline "
        "writes it: values, the last 60 s, and why the rate has changed. Ctrl-C ends it.",
    )
    found.add_argument("trace", metavar="TRACE.csv", help="of gccsender or gccreceiver")
    found.add_argument(
        "--web",
        metavar="PORT",
        nargs="?",
        const=str(_PORT),
        help=f"on a page at 127.0.0.1 instead of the terminal (PORT: {_PORT}; 0: any that is free)",
    )
    return found


def main(arguments: list[str]) -> int:
    """Watches until Ctrl-C; the exit code."""
    options = parser().parse_args(arguments)
    file = Path(options.trace)
    if file.exists() and not file.is_file():
        raise TestbedError(f"{file}: expected the trace of an element, and this is no file")
    watch = Watch(file)
    try:
        return _terminal(watch) if options.web is None else _web(watch, options.web)
    except KeyboardInterrupt:
        return 0
    finally:
        watch.close()


def _terminal(watch: Watch) -> int:
    if lacking := missing("watch"):
        raise TestbedError(
            f"Python packages are missing: {', '.join(lacking)}; install them: "
            f"{install('watch')}, or use --web"
        )
    from rich.console import Console
    from rich.live import Live

    from gcc_testbed.report.terminal import render

    console = Console()
    if not console.is_terminal:
        raise TestbedError("watch needs a terminal; --web shows the same on a page")
    with Live(console=console, screen=True, auto_refresh=False) as live:
        while True:
            shown = watch.step(time.monotonic())
            live.update(render(shown, console.width, console.height), refresh=True)
            time.sleep(_EVERY_S)


def _web(watch: Watch, text: str) -> int:
    from gcc_testbed.commands.watch_server import server

    try:
        port = whole_number("--web", text, 0, 65535)
    except TestbedError:
        raise TestbedError(
            f"--web {text}: expected a port, 0 to 65535; the trace comes before --web"
        ) from None
    try:
        found = server(watch, port)
    except OSError as problem:
        raise TestbedError(f"--web {text}: {problem.strerror}") from None
    with found:
        print(f"http://127.0.0.1:{found.server_address[1]}/  (Ctrl-C ends it)", flush=True)
        found.serve_forever()
    return 0
