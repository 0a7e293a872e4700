"""Signals for processes that tests start: as usual, whatever the one who runs the tests ignores."""

import signal


def _as_usual() -> None:
    """Let signals end a process again; what nohup ignores, for one, its children ignore too."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


AS_USUAL = {"preexec_fn": _as_usual}
"""For `subprocess.Popen`."""
