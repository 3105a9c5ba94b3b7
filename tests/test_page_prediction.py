"""The prediction on the page: its questions agree with the events, and the browser hides what a question asks for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cpsconv.core.construction import STRATEGIES
from testing.browser import look
from testing.effort import sample
from tests.test_page import EXAMPLES, ROOT, views
from tests.test_page_browser import LAPTOP, NARROW, Shown, open_page

FIG5 = ROOT / "examples" / "fig5.c"


# ------------------------------------------------------------------------------------------------------ questions


def right(step: Any) -> str:
    question = step["question"]
    return str(question["choices"][question["right"]][0])


def home_of_question(step: Any) -> str:
    """The continuation of a question whether a variable gets a parameter."""
    (home,) = re.findall(r" get a parameter in (`.*`)\?", step["question"]["text"])
    return str(home)


def quoted(name: str) -> str:
    return name if name.startswith("`") else f"`{name}`"


@pytest.mark.parametrize("path", sample(EXAMPLES, 6), ids=lambda path: path.name)
def test_each_placed_parameter_is_asked_about_once_and_other_placements_are_not(path: Path) -> None:
    for strategy, function, view in views(path):
        announced: set[tuple[int, str]] = set()
        counted: Counter[int] = Counter()
        for step in view["steps"]:
            at, question, where = quoted(step["at"]), step.get("question"), (strategy, function, step["text"])
            if step["event"] in ("proxy", "place"):
                if question is None and (step["variable"], at) in announced:
                    announced.remove((step["variable"], at))
                elif question is None:
                    counted[step["variable"]] -= 1
                else:
                    assert (right(step), home_of_question(step)) == ("yes", at), where
            elif question and question["text"].startswith("In how many "):
                counted[step["variable"]] += int(right(step))
            elif question and question["text"].startswith("Where "):
                homes = re.findall("`[^`]*`", right(step))
                announced |= {(step["variable"], home) for home in homes}
            elif step["event"] == "component" and right(step) == "yes":
                announced.add((step["variable"], home_of_question(step)))
            elif question and question["text"].startswith("Does "):
                assert right(step) == "no", where
                assert step["event"] in ("walk", "agree", "inherit", "component"), where
        assert not announced and not any(counted.values()), (strategy, function)


@pytest.mark.parametrize("path", sample(EXAMPLES, 3), ids=lambda path: path.name)
def test_right_answers_are_in_the_sentences_of_their_steps(path: Path) -> None:
    for strategy, function, view in views(path):
        for step in view["steps"]:
            event, question, where = step["event"], step.get("question"), (strategy, function, step["text"])
            if event in ("keep", "remove"):
                assert right(step) == ("yes" if event == "remove" else "no"), where
                assert re.search("(trivial|no value): replaced|: kept", step["text"]), where
            elif event == "redundancycheck" and question:
                assert (right(step) == "yes") == ("its only outer argument" in step["text"]), where
            elif question and question["text"].startswith(("Which ", "What ")):
                (shown,) = re.findall("`.*?`|undefined", right(step))[:1]
                assert shown in step["text"].partition("; record")[0], where


@pytest.mark.parametrize("path", sample(EXAMPLES, 3), ids=lambda path: path.name)
def test_questions_have_different_choices_that_can_be_told_apart(path: Path) -> None:
    for _, _, view in views(path):
        for step in view["steps"]:
            if question := step.get("question"):
                choices = [text for text, _ in question["choices"]]
                assert 2 <= len({*choices}) == len(choices) <= 4 and 0 <= question["right"] < len(choices)
                assert question["choices"][question["right"]][1] == ""
        assert "question" not in view["steps"][0]


def test_each_strategy_has_questions_of_all_its_kinds() -> None:
    asked = {
        strategy: {step["question"]["text"].split()[0] for step in view["steps"] if "question" in step}
        for strategy, _, view in views(ROOT / "examples" / "fig2.c")
    }
    common = {"Does", "Which", "What", "Is"}
    assert asked == {
        **dict.fromkeys(STRATEGIES, common),
        "scc": {*common, "Where"},
        "cytron": {"Where", "Which", "What"},
    }


def test_every_edge_of_a_placed_parameter_is_asked_about_at_most_once() -> None:
    for strategy, _, view in views(FIG5):
        edges = [step["question"]["text"] for step in view["steps"] if "question" in step]
        edges = [text for text in edges if text.startswith("What does the edge")]
        assert len({*edges}) == len(edges) >= 2, strategy
        if strategy in ("basic", "paper"):
            assert len(edges) == 8, "four parameters with two edges each"


# -------------------------------------------------------------------------------------------------------- browser


@pytest.fixture(scope="module")
def loaded(driver: Any, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """The page of ``fig5.c``, loaded once."""
    return open_page(driver, tmp_path_factory.mktemp("page"), FIG5)


@pytest.fixture
def fig5(loaded: Shown) -> Iterator[Shown]:
    """A new prediction of ``fig5.c`` with `basic`. At the end, the browser must have logged no message."""
    loaded("page.visit({ function: 'f', strategy: 'basic', step: 0, isPredicting: true })")
    loaded.click("#reset")
    yield loaded
    look(loaded.driver, *LAPTOP)
    assert loaded.driver.get_log("browser") == []


PICTURE = """
const panes = ["#source pre", "#listing .scroll", "#cps pre", "#phi pre", "#text", "#line", "#count"];
const cards = [...document.querySelectorAll(".card:not([hidden])")].map((card) => card.className + card.innerHTML);
const labels = [...document.querySelectorAll(".label")].map((label) => label.textContent).sort();
return JSON.stringify([panes.map((each) => document.querySelector(each).innerHTML), cards, labels]);
"""

MARKED = "return [...document.querySelectorAll('#choices button')].map((each) => each.textContent[0]).join('')"


def before_first_question(fig5: Shown) -> int:
    """The step before the first question, at which the page is then."""
    fig5.click("#seek")
    step = fig5.step
    assert fig5("return [page.view.steps[page.step + 1].event, byId('prediction').className]") == ["proxy", "asking"]
    return step


def test_a_question_is_asked_before_its_step_is_shown(fig5: Shown) -> None:
    step = before_first_question(fig5)
    open_question = fig5(PICTURE)
    assert fig5.text("#question") == "Does n get a parameter in while?"
    assert fig5.texts("#choices button") == ["1yes", "2no"] and fig5.text("#verdict") == ""
    fig5.click("[value=construction]")
    assert fig5(PICTURE) == open_question, "all panes show the state before the step"
    assert not fig5("return byId('prediction').checkVisibility()")
    fig5.click("[value=prediction]")
    assert (fig5.step, fig5.text("#question")) == (step, "Does n get a parameter in while?")
    fig5.click("#choices [value='0']")
    assert (fig5.step, fig5(MARKED), fig5.text("#verdict")) == (step + 1, "✓2", "Right.")
    assert fig5.text("#text").startswith("while is not sealed: place a proxy")
    assert fig5("return document.activeElement.id") == "slider"


def test_a_wrong_answer_is_explained(fig5: Shown) -> None:
    before_first_question(fig5)
    fig5.press("1")
    fig5.click("#seek")
    assert fig5.text("#question") == "Which value does the read of n in body give?"
    choices = ["110", "2a new parameter of body", "3the parameter n1 of while", "4the parameter n of f"]
    assert fig5.texts("#choices button") == choices
    fig5.press("4")
    assert fig5(MARKED) == "12✓✗" and fig5.text("#text").startswith("go back from body to while: n is the parameter n1")
    assert fig5.text("#verdict") == "Wrong: n is the parameter n of f in f. The answer is: the parameter n1 of while."
    assert fig5.text("#score") == "1 of 2 right"
    fig5.press("3", "1")
    assert fig5.text("#score") == "1 of 2 right", "an answer stays"


def test_a_presenter_reveals_the_answer_then_goes_on(fig5: Shown) -> None:
    """A step with an answer, after which another question follows, is left with two presses."""
    step = fig5.steps_that_begin_with("place the parameter n2")[0] - 1
    fig5.slide(step)
    for key, shown in (("PAGE_DOWN", (step + 1, "✓2")), ("SPACE", (step + 1, "1234")), ("SPACE", (step + 2, "123✓"))):
        fig5.press(key)
        assert (fig5.step, fig5(MARKED)) == shown
    assert fig5.text("#verdict") == "The answer is: the parameter n of f." and fig5.text("#score") == "0 of 2 right"
    fig5.press("PAGE_UP")
    assert (fig5.step, fig5(MARKED)) == (step + 1, "✓2"), "what was asked is not asked again"
    fig5.press("ARROW_UP")
    assert (fig5.step, fig5(MARKED)) == (step + 2, "123✓")
    fig5.press("ARROW_UP")
    assert (fig5.step, fig5(MARKED)) == (step + 2, "1234"), "the slider hides the step, too"
    fig5.click("#reset")
    assert (fig5.step, fig5.text("#score")) == (0, "0 of 0 right")


ANSWERS = """
page.goTo(0);
return page.view.steps.filter(({ question }) => question).map(() => {
  document.querySelector("#seek:not([hidden]), #prediction.asking").click();
  const key = String(1 + page.view.steps[page.step + 1].question.right);
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  return byId("verdict").textContent;
});
"""
"""The verdicts about the right answers to all questions."""


def test_all_questions_are_answered_by_keys_with_each_strategy(fig5: Shown) -> None:
    """The right choices, then counted for each strategy.

    A script sends the keys, as that takes half of the time; the tests above and below press keys of the browser.
    """
    for strategy in ("paper", "marker", "scc", "cytron", "basic"):
        fig5.click(f"[value={strategy}]")
        verdicts = fig5(ANSWERS)
        count = len(verdicts)
        assert {*verdicts} == {"Right."} and fig5.text("#score") == f"{count} of {count} right"
        fig5.press("END")
        assert fig5("return byId('seek').hidden") and fig5.text("#question") == ""
    fig5.click("[value=scc]")
    assert not fig5.text("#score").startswith("0"), "the count of another strategy is kept"
    fig5.click("#reset")


def test_nothing_on_the_page_gives_the_answer_away(fig5: Shown) -> None:
    fig5.slide(fig5.steps_that_begin_with("go back from body to while")[0] - 1)
    assert fig5.text("#question").startswith("Which value does the read of n in body give?")
    hidden = ["#finds", "#stops", "#besides", "#strategies small", "#ask", "#why", "#beside"]
    assert fig5("return arguments[0].filter((each) => document.querySelector(each).checkVisibility())", hidden) == []
    assert not re.search("placed|kept", fig5("return document.querySelector('#strategies button').title"))
    point = "for (const each of document.querySelectorAll('#source [data-mention], main [data-name]')) {"
    point += "each.dispatchEvent(new PointerEvent('pointerover', { bubbles: true })); each.click(); }"
    fig5(point + "return null")
    assert fig5.texts(".highlighted, .related") == [] and fig5.text("#pointed") == ""
    assert not fig5("return byId('why').checkVisibility()")
    widths = "return new Set([...document.querySelectorAll('.card')].map((card) => card.style.width)).size"
    fig5.click("#flow .names")
    assert fig5(widths) == 1, "the room of a card does not show whether it gets a parameter"
    fig5.click("[value=construction]")
    assert fig5(widths) > 1
    fig5.click("#flow .names")
    assert "placed" in fig5("return document.querySelector('#strategies button').title")
    fig5("document.querySelector('#source [data-mention]').click()")
    assert fig5.texts(".highlighted") != []


def test_the_address_has_the_prediction(fig5: Shown) -> None:
    step = before_first_question(fig5)
    after = "const done = arguments[0]; setTimeout(() => done(location.hash), 600);"
    address = f"#fn=f&strategy=basic&step={step + 1}"
    assert fig5.driver.execute_async_script(after) == f"{address}&predict=1"
    fig5.driver.refresh()
    assert fig5.text("#question") == "Does n get a parameter in while?"
    assert fig5("return [page.mode, page.strategy, page.step]") == ["prediction", "basic", step]
    fig5("location.hash = arguments[0]", address)
    fig5.driver.execute_async_script(after)
    assert fig5("return [page.mode, page.step]") == ["construction", step]


def test_the_prediction_is_legible_on_all_screens(fig5: Shown) -> None:
    step = fig5.steps_that_begin_with("go back from body to while")[0] - 1
    for size in ((1024, 768), NARROW):
        for dark in (False, True):
            look(fig5.driver, *size, dark=dark)
            fig5("byId('settings').open = arguments[0]", size != NARROW)
            fig5.slide(step)
            heights = []
            for choose in (lambda: None, lambda: fig5.press("1")):
                choose()
                assert fig5("return document.documentElement.scrollWidth <= innerWidth")
                seen = "document.documentElement.scrollHeight <= innerHeight"
                assert fig5(f"return {seen if size != NARROW else 'byId(`flow`).offsetHeight > 200'}")
                heights.append(fig5("return byId('prediction').offsetHeight"))
            assert size == NARROW or heights[0] == heights[1], "the panes do not move"
            fig5.click("#reset")
    roles = "return ['prediction', 'choices', 'verdict'].map((each) => [byId(each).role, byId(each).ariaLabel])"
    assert fig5(roles) == [[None, "Prediction"], ["group", None], ["status", None]]
    assert fig5("return byId('question').ariaLive") == "polite"
