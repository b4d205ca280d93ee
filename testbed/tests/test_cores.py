"""Each world has a core to itself while there are enough."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

from gcc_testbed.run.cores import own_core


def test_worlds_at_the_same_time_have_different_cores(tmp_path: Path) -> None:
    there = os.sched_getaffinity(0)
    with ExitStack() as worlds:
        taken = [worlds.enter_context(own_core(tmp_path)) for _ in there]
        assert sorted(taken) == sorted(there)


def test_one_world_more_than_cores_shares(tmp_path: Path) -> None:
    there = os.sched_getaffinity(0)
    with ExitStack() as worlds:
        taken = [worlds.enter_context(own_core(tmp_path)) for _ in range(len(there) + 1)]
        assert taken[-1] in there


def test_a_core_is_free_again_when_its_world_ends(tmp_path: Path) -> None:
    with own_core(tmp_path) as first:
        pass
    with own_core(tmp_path) as second:
        assert second == first


def test_a_world_that_dies_gives_its_core_back(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        own_core(tmp_path).__enter__()
        os._exit(1)
    os.waitpid(child, 0)
    with own_core(tmp_path) as core:
        assert core == max(os.sched_getaffinity(0))
