"""The program: ``cranfield``, or ``python -m cranfield``."""

import gc
import signal

SELDOM = 50_000
"""New containers after which Python looks for rings of objects that nobody holds any more; 700 if nobody says so."""


def main() -> None:
    """Run it. Until the rest is loaded, Ctrl-C ends it without a trace of the loading."""
    # What is imported stays to the end. To look through it for what could be freed, again and again, costs a tenth
    # of a short call.
    gc.set_threshold(SELDOM)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cranfield.cli import main as run

    try:
        run()
    finally:
        # Nor is it looked through at the end, when all memory goes back at once: that cost a sixth of a short call.
        gc.freeze()


if __name__ == "__main__":
    main()
