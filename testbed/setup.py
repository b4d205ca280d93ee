"""The wheel: the files that a checkout has beside the package are within it there."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
# gcc_testbed/support/paths.py finds them in either place.
BESIDE = ("data", "kernel", "peer")


class BuildWithFilesBeside(build_py):
    """The package's modules, and those files in it."""

    def run(self) -> None:
        super().run()
        # An editable package is the checkout itself.
        if not self.editable_mode:
            for name in BESIDE:
                target = Path(self.build_lib) / "gcc_testbed" / name
                shutil.copytree(HERE / name, target, dirs_exist_ok=True)


setup(cmdclass={"build_py": BuildWithFilesBeside})
