"""TypeScript and JSX as sources: TypeScript's compiler accepts and refuses the same programs, which do the same."""

from __future__ import annotations

import pytest

from cpsconv import Source, convert
from cpsconv.targets import TARGETS, Style
from testing.javascript import logged, needs_node
from testing.typescript import compiled

pytest.importorskip("tree_sitter_typescript")
pytestmark = needs_node


def emitted(text: str, name: str) -> str:
    """The program in JavaScript, perhaps with JSX."""
    return TARGETS["javascript"](convert(Source(name, text)), Style())


FACTORY = """
const React = { Fragment: "fragment", createElement(t, p, ...c) { log("create", t, p, ...c); return { t, p, c }; } };
const A = (p) => p, o = { B: A, C: { D: "d" }, get E() { log("E"); return "e"; } }, x = 1, t = () => log("t");
const props = { get a() { log("a read"); return 1; }, b: 2 }, f = (v) => (log("f", v), v);
"""

ELEMENTS = [
    "<div/>; <></>; <a-b/>; <a:b c:d='e' f-g={1}/>; <A/>; <o.B/>; <o.C.D x/>; <o.E>{f(1)}</o.E>;",
    "<a b='1 &amp; &quot;2&quot; &#65;&#x42;&nbsp;&bad; \\n' c=\"it's\" d={'x'} e={x} f/>",
    "<a>  one {x}   two\n   three\n\n   four {x} {x}\n </a>; <a> </a>; <a>\n</a>; <a>&nbsp; {' '}b{'c'}{'d'}e &lt;</a>",
    "<a {...props} b={f(3)} {...f({ c: 4 })} d={5}>{f(6)}</a>; <a b={f(1)} {...props}/>; <A {...{ ...props }}/>",
    "<a>{/* no */}{x ? <b/> : <i>n</i>}{[1, 2].map((k) => <li key={k}>{k}</li>)}</a>; <a b=<i/> c={<u>{x}</u>}/>",
    "const T = x ? o.B : A; <T a={() => 1} b={function () {}}/>; const g = (C) => <C/>; g(1)",
    "try { <A>{f(1)}{t.u.v}</A>; } catch (e) { log(e.name, (<b>caught</b>).t); }",
    "let C = A; const h = () => <C>{x && <b/>}</C>; C = 'changed'; h(); <div onClick={() => C}/>; f(<i/>)",
    'log((<a b={() => 1} c-d={class {}}/>).p.b.name); <a>\'"`$</a>; <a>it\'s "q" \u00e9\U0001f600 \\n // text</a>',
    "<a b={(f(1), f(2))}>{f(3), f(4)}</a>; (async () => <a b={await f(1)}>{await f(2)}</a>)();",
    '<ul class="a long name of a class" title="and a long title">text {x} <li>an item</li>{\' \'}\n end </ul>',
]


def test_elements_are_created_in_the_same_order_with_the_same_attributes_and_children() -> None:
    programs = [("a.jsx", f"{FACTORY}{text}") for text in ELEMENTS]
    programs += [("a.tsx", text.replace("<T a", "<T<number> a")) for _, text in programs]
    again = [("a.jsx", emitted(text, name)) for name, text in programs]
    again += [("a.jsx", emitted(text, name)) for name, text in again]
    sources = compiled([*programs, *again])
    assert [each.errors for each in sources] == [""] * len(sources)
    logs = logged([each.text for each in sources])
    expected = logs[: len(programs)]
    assert all(expected) and logs == expected * 3
