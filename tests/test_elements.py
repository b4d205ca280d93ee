"""docs/reference/elements.md is what gst-inspect-1.0 says."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import elements
import inspected
import pytest

BUILD = Path(os.environ.get("GCC_BUILD_DIR", elements.ROOT / "build")).resolve()
# One of each kind, as GStreamer 1.22 writes them.
SAID = """Factory Details:
  Rank                     none (0)
  Description              Counts: by hand

Plugin Details:
  Name                     abacus
  Description              Beads

Pad Templates:
  SINK template: 'sink_%u'
    Availability: On request
    Capabilities:
      application/x-rtp
    Type: GstBeadPad
    Pad Properties:
      beads               : How many
                            flags: readable, writable
                            Integer. Range: -1 - 9 Default: -1 
  
  SRC template: 'src'
    Availability: Always
    Capabilities:
      application/x-rtp

Element has no clocking capabilities.

Element Properties:
  a-name-longer-than-20: Rows | columns, in ms
                        flags: readable, writable, changeable only in NULL or READY state
                        Double. Range:               0 -             2.5 Default:               1 
  mode                : How it counts
                        flags: readable, writable, changeable in NULL, READY, PAUSED or PLAYING state
                        Enum "GstCounting" Default: 1, "up"
                           (0): down             - Less - each time
                           (1): up               - More
  name                : The name of the object
                        flags: readable, writable
                        String. Default: "abacus0"
  rods                : This name is deprecated and goes after version 0.2: set mode
                        flags: readable, writable, deprecated, changeable only in NULL or READY state
                        Flags "GstRods" Default: 0x00000003, "tens+ones"
                           (0x00000001): ones             - The first
                           (0x00000002): tens             - The second
                           (0x00000003): all              - Both
  stats               : What it has
                        flags: readable
                        Boxed pointer of type "GstStructure"
                                               beads: 0

                                               rows: 0

  whole               : All
                        flags: readable
                        Boolean. Default: false

Element Signals:
  "pad-added" :  void user_function (GstElement* object,
                                     gpointer user_data);
  "counted" :  void user_function (GstElement* object,
                                   gpointer user_data);

Element Actions:
  "count" :  void user_function (GstElement* object,
                                 gpointer user_data);
"""  # noqa: E501


@pytest.fixture
def abacus() -> inspected.Element:
    return inspected.read("abacus", SAID, {"name"})


@pytest.fixture
def inspected_build() -> list[inspected.Element]:
    if not (BUILD / "dropin" / "libgstgccrtpgccbwe.so").is_file():
        pytest.skip(f"{BUILD} has no drop-in: meson setup {BUILD} -Drtpgccbwe=enabled")
    return elements.inspect(BUILD)


def test_the_page_says_what_gst_inspect_says(inspected_build: list[inspected.Element]) -> None:
    page = elements.PAGE.read_text(encoding="utf-8")
    assert page == elements.render(inspected_build), "run tests/elements.py build"


def test_gccsender_has_sixteen_properties_at_most(inspected_build: list[inspected.Element]) -> None:
    """A seventeenth takes the place of one, or is of a pad."""
    sender = next(each for each in inspected_build if each.name == "gccsender")
    assert sum(not each.is_deprecated for each in sender.properties) <= 16


def test_properties_are_read(abacus: inspected.Element) -> None:
    Property = inspected.Property
    assert abacus.properties == (
        Property(
            "a-name-longer-than-20",
            "Rows | columns, in ms",
            "Double",
            "0 to 2.5",
            "1",
            "NULL, READY",
        ),
        Property(
            "mode",
            "How it counts",
            "GstCounting",
            "",
            "up",
            "any state",
            (("down", "Less - each time"), ("up", "More")),
        ),
        Property(
            name="rods",
            meaning="This name is deprecated and goes after version 0.2: set mode",
            type="GstRods",
            span="",
            default="ones+tens",
            set_in="NULL, READY",
            values=(("ones", "The first"), ("tens", "The second"), ("all", "Both")),
            is_deprecated=True,
        ),
        Property("stats", "What it has", "GstStructure", "", "", ""),
        Property("whole", "All", "Boolean", "", "false", ""),
    )


def test_pads_are_read(abacus: inspected.Element) -> None:
    beads = inspected.Property("beads", "How many", "Integer", "-1 to 9", "-1", "any state")
    assert abacus.pads == (
        inspected.Pad("sink_%u", "sink", "on request", "application/x-rtp", (beads,)),
        inspected.Pad("src", "src", "always", "application/x-rtp", ()),
    )


def test_pads_are_read_as_gstreamer_1_26_has_them(abacus: inspected.Element) -> None:
    title = "    Pad Properties:\n"
    said = SAID.replace(title, f"{title}    \n").replace("-1 \n  \n", "-1 \n      \n  \n")
    assert said.count("    \n") == 2
    assert inspected.read("abacus", said, {"name"}).pads == abacus.pads


def test_actions_are_read_as_gstreamer_1_26_has_them(abacus: inspected.Element) -> None:
    said = SAID.replace('"count" :', '"count" -> void  :')
    assert said != SAID
    assert inspected.read("abacus", said, {"name"}).actions == abacus.actions == ("count",)


def test_signals_of_the_base_classes_are_left_out(abacus: inspected.Element) -> None:
    assert (abacus.signals, abacus.actions) == (("counted",), ("count",))
    assert inspected.names(SAID) >= {"mode", "whole", "counted", "count"}


def test_the_description_is_that_of_the_element(abacus: inspected.Element) -> None:
    assert (abacus.description, abacus.plugin) == ("Counts: by hand", "abacus")


def test_a_type_that_is_unknown_is_no_silent_gap() -> None:
    with pytest.raises(inspected.UnreadableError, match="Fraction"):
        inspected.read("abacus", SAID.replace("Boolean. Default: false", "Fraction. 1/2"), set())


def test_deprecated_properties_have_a_table_of_their_own(abacus: inspected.Element) -> None:
    page = elements.render([abacus, dataclasses.replace(abacus, properties=())])
    assert "| deprecated, goes after 0.2 | instead |\n|---|---|\n| `rods` | set mode |" in page
    assert page.count("`rods`") == 1


def test_what_two_elements_have_alike_is_told_once(abacus: inspected.Element) -> None:
    page = elements.render([abacus, abacus])
    assert page.count("| `mode` | [GstCounting](#gstcounting) |") == 1
    assert (
        "| `a-name-longer-than-20`* | gdouble, 0 to 2.5 | `1` | Rows &#124; columns, in ms |"
        in page
    )
    assert "| `whole` | gboolean, read only | `false` | All |" in page
    assert "Signals: `counted`. Action signals: `count`." in page
    assert "Pads: `sink_%u` (on request), `src`; caps: `application/x-rtp`." in page
