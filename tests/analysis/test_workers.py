"""Processes that compute for a sweep or a simulation are not reachable from outside."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

import volition
from volition import InputError

VACUUM = Path(__file__).parents[2] / "examples" / "can" / "vacuum.can"


@pytest.fixture
def bound(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file with the network addresses that this process and its copies bind to."""
    log, bind = tmp_path / "bound", socket.socket.bind
    log.touch()

    def noticed(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            with log.open("a") as file:
                file.write(f"{address[0]}\n")
        bind(self, address)

    monkeypatch.setattr(socket.socket, "bind", noticed)
    return log


def test_local_workers_listen_on_no_address(bound: Path) -> None:
    volition.sweep(VACUUM, ["charge=1,2"], ["Pmax=? [ F tidied ]"], processes=2)
    volition.simulate(VACUUM, "Pmin=? [ F tidied ]", error=0.2, schedulers=2, jobs=2)
    assert bound.read_text() == ""
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
    assert bound.read_text() == "127.0.0.1\n", "an address would have been noticed"


def test_a_client_of_a_cluster_listens_on_no_address(bound: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        bound.write_text("")
        volition.simulate(VACUUM, "Pmin=? [ F tidied ]", error=0.2, schedulers=2, cluster=cluster.scheduler_address)
        assert bound.read_text() == ""


def test_the_hint_starts_a_scheduler_on_this_machine_only() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match="loopback"):
        volition.sweep(VACUUM, ["charge=1"], ["Pmax=? [ F tidied ]"], cluster="localhost")
