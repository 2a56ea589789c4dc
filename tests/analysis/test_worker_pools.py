"""Processes that compute for a sweep or a simulation: unreachable from outside, and never a second
copy of the command."""

from __future__ import annotations

import socket
import subprocess
import sys
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
    volition.simulate(VACUUM, "Pmin=? [ F tidied ]", error=0.2, num_schedulers=2, jobs=2)
    assert bound.read_text() == ""
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
    assert bound.read_text() == "127.0.0.1\n", "an address would have been noticed"


def test_a_client_of_a_cluster_listens_on_no_address(bound: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        bound.write_text("")
        volition.simulate(
            VACUUM,
            "Pmin=? [ F tidied ]",
            error=0.2,
            num_schedulers=2,
            cluster=cluster.scheduler_address,
        )
        assert bound.read_text() == ""


def test_the_hint_starts_a_scheduler_on_this_machine_only() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match="loopback"):
        volition.sweep(VACUUM, ["charge=1"], ["Pmax=? [ F tidied ]"], cluster="localhost")


DISTURBED = """
import os, signal, sys
from volition.analysis.worker_pools import process_pool
from volition.diagnostics import InputError
from volition.subprocesses import Terminated, raise_on_sigterm

fork = os.fork


def disturbed():
    if (process := fork()) == 0:
        os.kill(os.getpid(), signal.Signals[sys.argv[1]])
    return process


os.fork = disturbed
try:
    with raise_on_sigterm(), process_pool(lambda shared, portion: shared * portion, 2, 2) as compute:
        found = sorted(compute([1, 2, 3]))
except InputError as error:
    found = error.diagnostics[0].code
except (KeyboardInterrupt, Terminated) as error:
    found = type(error).__name__
print(found, flush=True)
"""  # noqa: E501


@pytest.mark.parametrize(("name", "found"), [("SIGTERM", "CHK074"), ("SIGINT", "[2, 4, 6]")])
def test_a_signal_to_a_worker_at_its_start_makes_no_copy_of_the_caller(
    name: str, found: str
) -> None:
    """SIGTERM ends a worker, Ctrl-C is for the caller; the rest of the program runs once."""
    done = subprocess.run(
        [sys.executable, "-c", DISTURBED, name], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == (f"{found}\n", "")


FORKED = """
import os, signal
from volition.subprocesses import raise_on_sigterm

with raise_on_sigterm():
    process = os.fork()
    if process == 0:
        signal.raise_signal(signal.SIGTERM)
print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
"""


def test_sigterm_ends_a_forked_process() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORKED], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("-15\n", "")
