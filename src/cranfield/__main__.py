"""The program: ``cranfield``, or ``python -m cranfield``."""

import signal


def main() -> None:
    """Run it. Until the rest is loaded, Ctrl-C ends it without a trace of the loading."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cranfield.cli import main as run

    run()


if __name__ == "__main__":
    main()
