"""docs/encoder.md says of each encoder of the plugin how it was tried."""

from __future__ import annotations

import re

import encoder_table


def test_the_page_has_the_encoders_of_the_plugin() -> None:
    page = encoder_table.PAGE.read_text(encoding="utf-8")
    assert page == encoder_table.page(page), "run tests/encoder_table.py"


def test_every_row_of_the_plugin_is_read() -> None:
    text = encoder_table.TYPES.read_text(encoding="utf-8")
    table = text[text.index("encoder_types[] = {") : text.index("\n};")]
    factories = [row[0] for row in encoder_table.rows()]
    assert len(factories) == len(set(factories)) == len(re.findall(r'[({] ?"', table)) >= 70


def test_an_encoder_that_is_installed_everywhere_was_tried_itself() -> None:
    tried = {row[0]: row[-1] for row in encoder_table.rows()}
    assert tried["vp8enc"] == "itself"
    assert tried["v4l2h264enc"] == "a stub"
    assert tried["qsvh264enc"] == "documentation only"
