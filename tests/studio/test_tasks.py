"""What the studio computes, without pages: answers and their evidence as plain data, how formulas
go on, colours of texts."""

from __future__ import annotations

import asyncio
import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest

import volition
from tests.studio.server import EXAMPLES
from volition.diagnostics import InputError
from volition.languages import find_programs
from volition.studio.completion import suggestions
from volition.studio.highlighting import KINDS, tokens
from volition.studio.jobs import Stopped, WorkerProcess
from volition.studio.tasks import simulate
from volition.studio.tasks.check import check
from volition.studio.tasks.evidence import run_of
from volition.studio.tasks.load import lint_formula, open_program
from volition.studio.tasks.strategies import alternatives, strategy_behind
from volition.studio.view_data import AnswerData, ProgramData, ProgressData
from volition.studio.workbench import Workbench


def opened(path: Path) -> tuple[Workbench, ProgramData, list[Any]]:
    """A program on a bench, and the list that its news go to."""
    progress: list[Any] = []
    bench = Workbench(progress=progress.append)
    folder, program = (path, Path()) if path.is_dir() else (path.parent, Path(path.name))
    found = open_program(bench, folder, program, trust=False)
    assert isinstance(found, ProgramData)
    return bench, found, progress


# --- reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", find_programs(EXAMPLES), ids=lambda path: str(path.relative_to(EXAMPLES))
)
def test_every_example_opens_with_its_properties_in_order(path: Path) -> None:
    _, found, _ = opened(path)
    assert [each for each in found.remarks if each.severity == "error"] == []
    pickle.dumps(found)


def test_what_is_wrong_is_data_with_a_place_and_a_fix(tmp_path: Path) -> None:
    text = (EXAMPLES / "can" / "rover.can").read_text()
    (tmp_path / "rover.can").write_text(
        text.replace("return_to_base : at_base", "return_to_bse : at_base")
    )
    bench = Workbench(progress=lambda _: None)
    found = open_program(bench, tmp_path, Path("rover.can"), trust=False)
    assert isinstance(found, ProgramData)
    assert any(
        each.position is not None and each.position.file == "rover.can" for each in found.remarks
    )
    (tmp_path / "rover.can").write_text(
        text.replace("experiment_site1; return_to_base.", "experiment_site1; return_to_bse.")
    )
    (error,) = open_program(bench, tmp_path, Path("rover.can"), trust=False)  # type: ignore[misc]
    assert error.fix is not None
    assert error.fix.text == "return_to_base"
    assert [each.code for each in check(bench, ["E [ F done ]"])] == ["STU007"]


def test_two_formulas_in_the_place_of_one() -> None:
    bench, _, _ = opened(EXAMPLES / "can" / "courier.can")
    assert [each.code for each in check(bench, ["A [ F delivered ]\nA [ G !delivered ]"])] == [
        "STU014"
    ]


def test_a_stated_property_that_asks_for_nothing_is_told_where_it_stands(tmp_path: Path) -> None:
    text = (EXAMPLES / "can" / "rover.can").read_text()
    (tmp_path / "rover.can").write_text(
        text.replace("Pmax=? [ F (SS1 & SS2) ]", "Pmax=? [ F (SS1 & SITE2) ]")
    )
    _, found, _ = opened(tmp_path / "rover.can")
    (error,) = [each for each in found.remarks if each.severity == "error"]
    assert error.position is not None
    assert error.position.file == "rover.can"
    assert (
        text.splitlines()[error.position.line - 1]
        == '"both sites, careful": Pmax=? [ F (SS1 & SS2) ]'
    )


# --- answers and evidence -------------------------------------------------------------------------


def test_the_run_behind_a_violated_property() -> None:
    """The lasso of the vacuum cleaner of Trang et al., Sect. 4.3: it is data, and its last step
    leads into the loop."""
    bench, found, progress = opened(EXAMPLES / "dribble" / "vacuum.dribble")
    texts = [each.text for each in found.properties]
    assert check(bench, texts) == ()
    answers = [each for each in progress if isinstance(each, AnswerData)]
    assert [each.query for each in answers] == texts
    assert all(each.as_expected for each in answers)
    assert any(isinstance(each, ProgressData) for each in progress)
    run = next(filter(None, (run_of(bench, each.query) for each in answers)))
    assert run.steps
    assert run.trace["steps"]
    assert all(len(each.state.agents) == 1 for each in run.steps)
    pickle.dumps(run)


def test_an_answer_is_asked_again_where_it_is_not_known_any_more() -> None:
    bench, found, _ = opened(EXAMPLES / "can" / "rover.can")
    assert strategy_behind(bench, found.properties[1].text).decisions


@pytest.mark.parametrize(
    ("name", "query", "reduce"),
    [
        ("smart_manufacturing", "Pmax=? [ F (PS1 & PS2) ]", "off"),
        ("rover", "Pmax=? [ F (SS1 & SS2) ]", "static"),
    ],
)
def test_rows_are_used_where_they_decide_and_choices_are_worth_what_the_best_is(
    name: str, query: str, reduce: Literal["off", "static"]
) -> None:
    """Each occasion belongs to one row of each decision that it calls for, and what the strategy
    takes is worth the most.

    That is so whether the states of the answer were reduced or not.
    """
    bench, _, _ = opened(EXAMPLES / "can" / f"{name}.can")
    (bench.answers[query],) = volition.check(bench.program, query, reduce=reduce)
    assert (bench.answers[query].exploration.space.reduction is None) == (reduce == "off")
    strategy = strategy_behind(bench, query)
    for decision in strategy.decisions:
        numbers = [number for row in decision.rows for number in row.decision_points]
        assert len(numbers) == len(set(numbers))
    for point in strategy.points[:6]:
        options = alternatives(bench, query, point.state, point.choice)
        (taken,) = [each for each in options if each.is_taken]
        assert taken.is_best
        assert float(taken.value) == max(float(each.value) for each in options)


# --- formulas -------------------------------------------------------------------------------------


WORDS = {"beliefs": ["Bel(ag3, winner(_))", "Bel(ag1, auction(_))"], "labels": ["winner(_)"]}


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("", "A [ G "),
        ("A [ F Bel(ag3, win", "A [ F Bel(ag3, winner(_))"),
        ("A [ F win", "A [ F winner(_)"),
        ("A [ F auct", "A [ F Bel(ag1, auction(_))"),
        ("A [ F Be", "A [ F Bel(ag3, winner(_))"),
    ],
)
def test_a_formula_goes_on_with_words_of_the_program(text: str, first: str) -> None:
    assert suggestions(text, WORDS)[0].whole == first


@pytest.mark.parametrize("text", ["A [ F winner(_)", "A [ F 3", "A [ F xyz", "A [ F (winner(_) & "])
def test_what_nobody_begins_is_not_completed(text: str) -> None:
    assert suggestions(text, WORDS) == []


def test_formulas_are_examined_without_being_answered() -> None:
    bench, _, _ = opened(EXAMPLES / "can" / "rover.can")
    assert lint_formula(bench, "Pmax=? [ F (SS1 & SS2) ]") == ()
    (error,) = lint_formula(bench, "E [ F at_bas ]")
    assert error.fix is not None
    assert error.fix.text == "at_base"


# --- colours --------------------------------------------------------------------------------------


def test_every_language_has_colours() -> None:
    files = [each for each in EXAMPLES.rglob("*") if each.suffix in KINDS]
    assert {
        ".can",
        ".dribble",
        ".sej",
        ".sep",
        ".asl",
        ".mas",
        ".gwen",
        ".eass",
        ".world",
        ".props",
    } <= {each.suffix for each in files}
    for file in files:
        text = file.read_text()
        found = list(tokens(file.suffix, text))
        assert found, file
        assert all(0 <= start < end <= len(text) for start, end, _ in found)
        assert all(before[1] <= after[0] for before, after in pairwise(found)), (
            "they do not overlap"
        )


@pytest.mark.parametrize(
    "piece", ["/*", "[", "^[", " ", "\n", '"', "A ", "1", ":", "beliefs ", "a:"]
)
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_no_text_keeps_the_page_waiting(kind: str, piece: str) -> None:
    """Each of these would take hours with a pattern that tries every place from every place."""
    text = piece * (2**17 // len(piece))
    assert sum(1 for _ in tokens(kind, text + "!")) <= 5_000


# --- processes ------------------------------------------------------------------------------------


def working(bench: Workbench) -> None:
    """Goes on until it is interrupted."""
    bench.report_progress("begun")
    while True:
        pass


def counted(bench: Workbench, number: int) -> int:
    """Remembers what it was asked before."""
    bench.cache["count"] = bench.cache.get("count", 0) + number
    return int(bench.cache["count"])


def test_work_is_interrupted_and_what_is_on_the_bench_stays() -> None:
    async def scenario() -> tuple[int, int]:
        job = WorkerProcess()
        try:
            first = await job.call(counted, 1)
            begun = asyncio.Event()
            with pytest.raises(Stopped):
                await asyncio.gather(
                    job.call(working, on_progress=lambda _: begun.set()), _stopped(job, begun)
                )
            return first, await job.call(counted, 1)
        finally:
            job.close()

    async def _stopped(job: WorkerProcess, begun: asyncio.Event) -> None:
        await begun.wait()
        await job.stop()

    assert asyncio.run(scenario()) == (1, 2)


def echoed(bench: Workbench, number: int) -> list[int]:
    """A long message, which takes a while to be sent."""
    del bench
    return [number] * 200_000


def test_an_interrupt_at_any_moment_leaves_no_answer_for_the_next_request() -> None:
    async def scenario() -> int:
        job, stopped = WorkerProcess(), 0
        try:
            for number in range(40):
                query = asyncio.ensure_future(job.call(echoed, number))
                await asyncio.sleep(number * 0.0005)
                stopping = asyncio.ensure_future(job.stop())
                try:
                    assert (await query)[0] == number
                except Stopped:
                    stopped += 1
                await stopping
            assert (await job.call(echoed, 77))[0] == 77
        finally:
            job.close()
        return stopped

    assert asyncio.run(scenario()) > 0


def test_work_is_stopped_before_it_began_and_a_closed_process_does_not_come_back() -> None:
    async def scenario() -> None:
        job = WorkerProcess()
        query = asyncio.ensure_future(job.call(working))
        waiting = asyncio.ensure_future(job.call(counted, 1))
        await asyncio.sleep(0)
        assert job.busy
        await job.stop()
        with pytest.raises(Stopped):
            await query
        assert await waiting == 1, "only what was going on is stopped"
        assert not job.busy
        job.close()
        with pytest.raises(Stopped):
            await job.call(counted, 1)

    asyncio.run(scenario())


# --- walks ----------------------------------------------------------------------------------------


def test_who_clicks_twice_walks_once() -> None:
    bench, _, _ = opened(EXAMPLES / "can" / "rover.can")
    simulate.begin(bench)
    assert simulate.take(bench, 0, 0, 0).steps == 1
    assert simulate.take(bench, 0, 0, 0).steps == 1
    simulate.random_step(bench, 5)
    assert simulate.back_to(bench, 4).steps == 4
    assert simulate.back_to(bench, 4).steps == 4


def test_a_map_of_other_states_leads_nowhere() -> None:
    """To know a value everything is explored, and states get other numbers."""
    bench, _, _ = opened(EXAMPLES / "can" / "rover.can")
    drawn = simulate.draw_map(bench, 3, "")
    simulate.value(bench, "Pmax=? [ F (SS1 & SS2) ]")
    with pytest.raises(InputError) as refused:
        simulate.go_to(bench, drawn.nodes[-1].state)
    assert [each.code for each in refused.value.diagnostics] == ["STU011"]
