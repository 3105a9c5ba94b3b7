"""The evaluation of programs with memory on the page: it agrees with the evaluator, and draws boxes and arrows."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cpsconv import Program
from cpsconv.core.floating import LongDouble
from cpsconv.lab.page.data import program_data
from testing.browser import look
from testing.c_programs import random_program
from testing.effort import sample
from testing.functional_targets import LACKING
from testing.running import converted, programs_to_run
from tests.core.test_memory import SHIFT, main_of, program_of
from tests.test_emit_memory import FAULTS, PRINTING
from tests.test_memory_items import CALLS, ITEMS
from tests.test_page import page_of
from tests.test_page_browser import LAPTOP, PHONE, Shown, by_python, open_page

# --------------------------------------------------------------------------------------------------------- the machine

RUN = """
const [program, values] = arguments;
const definitions = new Definitions(program);
const start = definitions.functions.get("main");
const machine = new Machine(definitions, start, values.map((text, at) => readValue(start.parameters[at].type, text)));
const start500 = (bytes) => bytes.subarray(0, 500);
const stateOf = ({ end, bytes, size }) => [end, start500(bytes), start500(bytes.subarray(size))].join();
const state = () => machine.memory.objects.map(stateOf);
const states = [state()];
const trace = [];
while (!machine.outcome && machine.steps < 300) {
  const scope = machine.scope.filter((each) => each.shown).map((each) => each.shown);
  machine.step();
  if (machine.transfer) trace.push([machine.transfer, scope]);
  states.push(state());
}
const text = (errors) => machine.output.filter((each) => each.isError === errors).map((each) => each.text).join("");
const { kind, message, value, type } = machine.outcome;
const result = value === undefined ? null : shownValue(value, type);
const ended = [text(false), text(true), kind, message ?? null, result, trace];
let wrong = 0;
while (machine.steps) {
  machine.back();
  wrong += JSON.stringify(state()) !== JSON.stringify(states[machine.steps]);
}
return JSON.stringify([ended, wrong]);
"""


LIST = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
const char greeting[] = "list";
int buffer[100];
int list(int n) {
    struct node *head = 0;
    struct node last[1];
    for (int i = 0; i < n; i++) {
        struct node *p = malloc(sizeof *p);
        p->value = i;
        p->next = head;
        head = p;
    }
    buffer[50] = n;
    last[n > 9] = *head;
    puts(greeting);
    free(head);
    int greeting = head->value;
    return greeting;
}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of `LIST`."""
    source = tmp_path_factory.mktemp("pages") / "list.c"
    source.write_text(LIST, encoding="utf-8")
    written = source.with_suffix(".html")
    written.write_text(page_of(source), encoding="utf-8")
    return written


@pytest.fixture
def quiet(driver: Any) -> Iterator[None]:
    """At the end, the browser must have logged no message."""
    driver.get_log("browser")
    yield
    assert driver.get_log("browser") == []


@pytest.fixture
def shown(driver: Any, path: Path, quiet: None) -> Shown:
    """The page as new."""
    look(driver, *LAPTOP)
    return Shown(driver, path)


@pytest.fixture
def any_page(driver: Any, path: Path, quiet: None) -> Shown:
    """A page, for the functions of its script."""
    return Shown(driver, path, again=False)


def assert_same(shown: Shown, program: Program, words: list[str]) -> None:
    """The page's machine does what the evaluator does, and undoes all changes of memory on the way back."""
    found, wrong = json.loads(shown(RUN, program_data(program), words))
    expected = by_python(program, words)
    assert wrong == 0
    if found[2] == expected[2] == "fault":  # of several undefined operands, another one may be reported
        found[3], expected[3] = (_without_name(each) for each in (found[3], expected[3]))
        found[-1], expected[-1] = found[-1][: len(expected[-1])], expected[-1][: len(found[-1])]
    assert [str(each).replace("-nan", "nan") for each in found] == [
        str(each).replace("-nan", "nan") for each in expected
    ]


def _without_name(message: str) -> str:
    is_variable = message.startswith("`") and message.endswith("` is used uninitialised")
    return "a variable is used uninitialised" if is_variable else message


@pytest.mark.parametrize("text", [PRINTING, CALLS, ITEMS, SHIFT + main_of("shift(null, 0, ret)")])
def test_the_machine_of_the_page_runs_programs_with_memory(any_page: Shown, text: str) -> None:
    assert_same(any_page, program_of(text), [])


@pytest.mark.parametrize("text", FAULTS[::3])
def test_faults_have_the_messages_of_the_evaluator(any_page: Shown, text: str) -> None:
    program = program_of(text)
    assert by_python(program, [])[2] == "fault"
    assert_same(any_page, program, [])


def test_random_programs_with_memory_agree_with_the_evaluator(any_page: Shown) -> None:
    for program, words in programs_to_run(sample(range(1000, 1400), 20), with_memory=True, lacking=LACKING):
        assert_same(any_page, program, words)


LONG_DOUBLES = """
const view = (bytes) => new DataView(new Uint8Array(bytes).buffer);
return arguments[0].map((bytes) => shownNumber(new ObjectTypes([]).of("long double").read.call(view(bytes), 0)));
"""


def test_long_doubles_in_memory_are_shown(any_page: Shown) -> None:
    numbers = [1.5, -0.1, 0.0, 1e300, -1e-300, math.inf, -math.inf, math.nan]
    assert any_page(LONG_DOUBLES, [[*LongDouble.of(each).to_bytes()] for each in numbers]) == [*map(repr, numbers)]
    assert any_page(LONG_DOUBLES, [[*LongDouble.parse("1e4000").to_bytes()]]) == ["inf"]


def test_c_programs_with_memory_agree_with_the_evaluator(any_page: Shown) -> None:
    for number in sample(range(20), 7):
        program = converted(random_program(number, memory=True), "scc")
        found, wrong = json.loads(any_page(RUN.replace("< 300", "< 20_000"), program_data(program), []))
        assert (found, wrong) == (by_python(program, []), 0)


# --------------------------------------------------------------------------------------------------------- the picture


def run(shown: Shown, n: int) -> None:
    """Start the evaluation of the list of `n` nodes."""
    shown.click("[value=evaluation]")
    shown("document.querySelector('#arguments input').value = arguments[0]", str(n))
    shown.click("#input button")


BOXES = """
const texts = (cell) => [...cell.querySelectorAll(".cell, .cells .gap")].map((each) => {
  return each.matches(".gap") ? each.textContent : `${each.firstChild.textContent}:${each.lastChild.textContent}`;
});
const rowText = (row) => {
  const [title, value] = [row.cells[0], row.cells[1]];
  const depth = "  ".repeat(title.style.getPropertyValue("--depth"));
  const isChanged = value.matches(".changed") || value.querySelector(".changed");
  return `${isChanged ? "*" : ""}${depth}${title.textContent} ${texts(value).join(" ") || value.textContent}`.trimEnd();
};
return [...document.querySelectorAll(".boxes .object")].map((box) => [
  box.className,
  box.caption.textContent,
  [...box.rows].map(rowText),
]);
"""

ARROWS = "return [...document.querySelectorAll('.arrow')].map((each) => each.getAttribute('class'))"


def test_objects_are_boxes_and_pointers_are_arrows(shown: Shown) -> None:
    run(shown, 3)
    shown.slide(5)
    assert shown.text("#text") == "for(i = 2, head = #5)"
    assert shown(BOXES) == [
        ["object", "last node[1]", ["[0]", "  value undef", "  next undef"]],
        ["object", "#4 node, allocated on line 10", ["value 0", "next null"]],
        ["object new", "#5 node, allocated on line 10", ["*value 1", "*next #4"]],
        ["object", "greeting char[5], constant", [' "list"']],
        ["object", "buffer int[100]", [" 0:0 1:0 … 97 more 99:0"]],
    ]
    assert shown.texts(".variables td") == ["#5", "#5"]
    assert shown(ARROWS) == ["arrow", "arrow", "arrow changed"]
    assert shown.texts(".undefined") == ["undef", "undef"]
    assert not shown("return document.querySelector('#phi').checkVisibility()")


def test_arrows_end_at_the_elements_to_which_they_point(shown: Shown) -> None:
    run(shown, 3)
    shown.slide(5)
    ends = shown(ENDS)
    assert [(start, pointer, text) for start, _, pointer, text in ends] == [(True, "#5", "1")] * 2 + [(True, "#4", "0")]
    assert all(distance < 3 for _, distance, _, _ in ends[2:])


ENDS = """
const origin = document.querySelector(".boxes").getBoundingClientRect();
const { arrows } = page.boxes;
return arrows.arrows.filter(({ value }) => arrows.targetOf(value)).map(({ from, value }, index) => {
  const path = document.querySelectorAll(".arrow")[index];
  const [line] = path.getAttribute("d").split(" M ");
  const end = line.split(" ").slice(-2).map(Number);
  const target = arrows.targetOf(value);
  const [box, goal] = [from, target].map((each) => each.getBoundingClientRect());
  const start = path.getPointAtLength(0);
  const [x, y] = [box.right - origin.left, (box.top + box.bottom) / 2 - origin.top];
  const [ex, ey] = [end[0] + origin.left, end[1] + origin.top];
  const away = [Math.max(goal.left - ex, 0, ex - goal.right), Math.max(goal.top - ey, 0, ey - goal.bottom)];
  return [Math.hypot(start.x - x, start.y - y) < 1, Math.hypot(...away), from.textContent, target.textContent];
});
"""


def test_the_fault_marks_its_object_which_is_grey(shown: Shown) -> None:
    run(shown, 3)
    shown.press("END")
    assert shown.text("#text") == (
        "runtime error: the memory allocated on line 10 was freed on line 18, before this access"
    )
    boxes = {caption.split()[0]: (kind, rows) for kind, caption, rows in shown(BOXES)}
    assert boxes["#6"] == ("object ended fault", [])
    assert "#6 node, allocated on line 10, freed on line 18" in shown.texts(".boxes caption")
    assert boxes["last"] == ("object", ["[0]", "*  value 2", "*  next #5"])
    assert boxes["buffer"][1] == ["* 0:0 1:0 … 47 more 49:0 50:3 51:0 … 47 more 99:0"]
    assert "arrow dangling" in shown(ARROWS)
    assert shown.text("#source .now").strip() == "int greeting = head->value;"
    assert shown.text("#output") == "list\n"


def test_stepping_back_shows_the_same_picture(shown: Shown) -> None:
    run(shown, 2)
    picture = "return [...document.querySelectorAll('.boxes table')].map((each) => each.outerHTML)"
    forwards = [shown(picture)]
    for _ in range(shown.last):
        shown.press("ARROW_RIGHT")
        forwards.append(shown(picture))
    assert shown.step == shown.last == len(forwards) - 1
    for expected in reversed(forwards[:-1]):
        shown.press("ARROW_LEFT")
        assert shown(picture) == expected


def test_another_strategy_draws_the_same_objects(shown: Shown) -> None:
    run(shown, 2)
    shown.press("END")
    expected = shown(BOXES)
    shown.click("[value=paper]")
    assert shown(BOXES) == expected


def test_a_narrow_screen_has_a_pane_for_memory(shown: Shown, driver: Any) -> None:
    look(driver, *PHONE)
    run(shown, 2)
    assert shown("return document.querySelector('nav [data-pane=memory]').checkVisibility()")
    shown.click("nav [data-pane=memory]")
    shown.press("ARROW_RIGHT")
    assert shown("return document.querySelector('#memory .object').checkVisibility()")
    shown.click("[value=construction]")
    assert not shown("return document.querySelector('nav [data-pane=memory]').checkVisibility()")


def test_the_construction_shows_operations_on_memory(shown: Shown) -> None:
    texts = shown("return page.view.steps.map((each) => each.text)")
    for text in (
        "compute `last := allocate node[1]`",
        "read `p` in `body`: it is the result `p` of `malloc(16ul)`",
        "compute `ptr[node.next(p)] := head`",
        "compute `int[buffer, 50] := n`",
        "compute `node[last, int(n > 9)] := node[head]`",
        "compute `puts(greeting)`",
        "compute `value := int[node.value(head)]`",
    ):
        assert text in texts
    shown.slide(shown.last)
    assert "ptr[node.next(p)] := head" in shown.text("#cps pre") and shown.text("#phi pre").count("node.next(p)") == 1
    assert not shown("return document.querySelector('#memory').checkVisibility()")


def test_programs_without_memory_have_no_data_about_it() -> None:
    program = program_of("main(ret : int → ⊥) → ⊥ { ret(0) }")
    assert program_data(program)["memory"] is None
    assert program_data(converted(LIST, "scc"))["memory"]["structs"] == [
        {
            "name": "node",
            "size": 16,
            "fields": [{"name": "value", "type": "int", "offset": 0}, {"name": "next", "type": "ptr", "offset": 8}],
        }
    ]


# ---------------------------------------------------------------------------------------------------- C programs

BOX = """
void *malloc(unsigned long);
void free(void *);
struct point { int x, y; };
union word { int i; unsigned char bytes[4]; };
struct tail { int n; double values[]; };
struct letters { char letters[3]; int grid[6][6][6]; } large = { "\\"'\\n" };
struct box { char name[8]; struct point corner[2]; union word tag; struct box *next; int (*area)(struct box *); };
const char *const names[2] = { "left", 0 };
int matrix[2][3] = { { 1, 2, 3 }, { 4 } };
static int area(struct box *b) {
    int local = 3, *p = &local;
    return b->corner[1].x * b->corner[1].y + *p - 3;
}
int main(void) {
    struct box first = { "b\u00e4r", { { 0, 0 }, { 3, 4 } }, { 7 }, 0, area };
    struct box *second = malloc(sizeof *second);
    *second = first;
    second->next = &first;
    int *q = &second->corner[1].y, *middle = &matrix[0][1];
    *q += 1;
    *middle = area(second);
    int long_one[100];
    long_one[60] = *middle;
    area(second);
    struct tail *tail = malloc(sizeof *tail + 2 * sizeof(double));
    tail->values[1] = 2.5;
    area(second);
    free(second);
    return long_one[60] + *middle + *q;
}
"""


@pytest.fixture
def box(driver: Any, path: Path, quiet: None) -> Shown:
    """The evaluation of `BOX` from its start, in a page that the tests share."""
    source = path.with_name("box.c")
    source.write_text(BOX, encoding="utf-8")
    shown = open_page(driver, path.parent, source, (1600, 2400), again=False)
    shown.click("[value=evaluation]")
    shown.choose("entry", "main")
    shown.click("#input button")
    return shown


def test_a_box_has_nested_fields_rows_of_cells_and_text(box: Shown) -> None:
    box.slide(1)
    boxes = {caption.split(",")[0]: rows for _, caption, rows in box(BOXES)}
    assert boxes["first box"] == [
        '*name "bär"',
        "corner",
        "*  [0] x:0 y:0",
        "*  [1] x:3 y:4",
        "tag",
        "*  i 7",
        "*  bytes 0:7uc 1:0uc 2:0uc 3:0uc",
        "*next null",
        "*area area",
    ]
    assert boxes["names ptr[2]"] == ['[0] "left"', "[1] null"]
    assert boxes["matrix int[2][3]"] == ["[0] 0:1 1:2 2:3", "[1] 0:4 1:0 2:0"]
    assert boxes["large letters"][0] == "letters " + r""""\"'\n" """.strip()
    assert boxes['"left" char[5]'] == [' "left"']


def test_pointers_of_callers_are_shown_and_end_at_their_elements(box: Shown) -> None:
    box.slide(1)
    assert box.texts(".variables caption") == ["pointers of area", "pointers of main"]
    assert box.texts(".variables tr") == ["b#7", "second#7", "q&#7.corner[1].y", "middle&matrix[0][1]"]
    ends = {pointer: (distance, text) for _, distance, pointer, text in box(ENDS)}
    assert {pointer: text for pointer, (_, text) in ends.items()} == {
        "#7": '"bär"',
        "&#7.corner[1].y": "5",
        "&matrix[0][1]": "2",
        "first": '"bär"',
        '"left"': '"left"',
    }
    assert all(
        distance < 4 for pointer, (distance, _) in ends.items() if pointer.startswith("&") or pointer == '"left"'
    )


def test_a_variable_that_ended_is_shown_by_the_step_that_ended_it(box: Shown) -> None:
    ended = []
    for step in range(box.last + 1):
        box.slide(step)
        ended.append([caption.split()[0] for kind, caption, _ in box(BOXES) if "ended" in kind])
    assert [each for each in ended if "local" in each][:1] == [["local"]]
    assert "local" not in ended[ended.index(["local"]) + 1]
    assert "#7" in ended[-1]
    assert "… 3 ended objects" in box.texts(".boxes p.gap")


def test_a_long_array_shows_both_ends_and_what_the_step_uses(box: Shown) -> None:
    found = []
    for step in range(box.last + 1):
        box.slide(step)
        found += [rows for kind, caption, rows in box(BOXES) if kind.startswith("object new") and "long_one" in caption]
    assert found == [["* 0:undef 1:undef … 57 more 59:undef 60:15 61:undef … 37 more 99:undef"]]


def test_a_box_has_a_limited_number_of_rows(box: Shown) -> None:
    box.slide(1)
    (rows,) = [rows for _, caption, rows in box(BOXES) if caption.startswith("large")]
    assert rows[1:4] == ["grid", "  [0]", "    [0] 0:0 1:0 … 3 more 5:0"]
    assert len(rows) < 64


def test_the_last_array_of_a_struct_has_the_elements_that_were_allocated(box: Shown) -> None:
    box.slide(box.last - 2)
    (rows,) = [rows for _, caption, rows in box(BOXES) if "tail, allocated" in caption]
    assert [each.strip("* ") for each in rows] == ["n undef", "values 0:undef 1:2.5"]


def test_no_name_of_the_script_is_defined_twice(path: Path) -> None:
    script = path.read_text(encoding="utf-8").split("<script>")[1]
    names = re.findall(r"^(?:function\*?|const|let|class) (\w+)", script, re.MULTILINE)
    assert [name for name, count in Counter(names).items() if count > 1] == []
