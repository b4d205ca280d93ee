"""A call of the scorecard, made for a picture or a table of the documentation."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measure_profiles import testbed

from gcc_testbed.measure.metrics import Record, read_record
from gcc_testbed.scenario.run_files import METRICS
from gcc_testbed.scenario.scenario_file import from_data
from gcc_testbed.studies.scorecard.card import Column, Row
from gcc_testbed.studies.sweeps import sweep_file
from gcc_testbed.support.output import MARK


@dataclass(frozen=True)
class Made:
    """A call of the card, with what is changed in it."""

    row: Row
    column: Column
    seed: int
    directory: Path
    changes: tuple[tuple[str, Any], ...] = ()

    @property
    def metrics(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.directory / METRICS).read_text(encoding="utf-8"))
        return found

    def record(self) -> Record:
        call = json.loads((self.directory / MARK).read_text(encoding="utf-8"))
        return read_record(self.directory, from_data(call["scenario"], MARK, directory=None))

    def make(self) -> None:
        if (self.directory / METRICS).is_file():
            return
        settings = {**self.row.with_column(self.column), "quality": False, **dict(self.changes)}
        words = ["--seed", str(self.seed)]
        for key, value in settings.items():
            words += ["--set", sweep_file.option(key, value)]
        testbed("run", str(self.row.scenario), *words, out=self.directory)
