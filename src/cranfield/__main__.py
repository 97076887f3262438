"""The program: ``cranfield``, or ``python -m cranfield``."""

import signal


def main() -> None:
    """Run the program. Until its modules are imported, Ctrl-C ends it without a traceback of the import."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cranfield.cli import main as run

    run()


if __name__ == "__main__":
    main()
