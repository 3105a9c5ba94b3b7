"""Memory: the text of its operations, their types, and their checked evaluation."""

from __future__ import annotations

import io
import json

from cpsconv import evaluate
from cpsconv.engines.machine.trace import TraceRecord
from cpsconv.engines.machine.trace_json import trace_as_json
from cpsconv.engines.machine.trace_text import TextTrace
from tests.core.test_memory import main_of, program_of

# ----------------------------------------------------------------------------------------------------------- traces


def test_traces_show_pointers_and_changes_of_memory() -> None:
    body = """
        a := allocate point[3];
        heap := malloc(8ul);
        int[point.y(point.at(a, 2))] := 5;
        int[heap, 1] := 6;
        point[a] := point[a, 2];
        char[heap] := 'x';
        again(point.y(point.at(a, 2)), heap, int.at(heap, 1), char.at(a, 3), null)
        """
    again = "again(p : ptr, q : ptr, r : ptr, s : ptr, t : ptr, ret : int → ⊥) → ⊥ {\n  ret(0)\n}\n"
    text = main_of(body.replace("null)", "null, ret)"), "struct point { x : int, y : int }\n") + again
    records: list[TraceRecord] = []
    evaluate(program_of(text), "main", output=io.BytesIO(), errors=io.BytesIO(), trace=records.append)
    lines = TextTrace(program_of(text)).lines(records[0])
    shown = [line.partition("main")[2].strip() or line.strip() for line in lines]
    assert shown == [
        "stores a[2].y = 5, #2[1] = 6, a[0].x = undef, a[0].y = 5, #2[0] = 'x'",
        "again(p = &a[2].y, q = #2, r = #2 + 4 bytes, s = a + 3 bytes, t = null, ret = end)",
    ]
    written = json.loads(trace_as_json(records[0]))
    assert written["changes"][0] == {"name": "a[2].y", "type": "int", "value": 5}
    assert written["arguments"][0] == {"name": "p", "type": "ptr", "value": {"pointer": "&a[2].y"}}
