"""`python -m gcc_testbed`."""

import sys

from gcc_testbed.cli import main

if __name__ == "__main__":
    sys.exit(main())
