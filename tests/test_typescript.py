"""TypeScript and JSX as sources: TypeScript's compiler accepts and refuses the same programs, which do the same."""

from __future__ import annotations

import random

import pytest

from cpsconv import Source, convert
from cpsconv.core.source import Diagnostic, DiagnosticError
from cpsconv.targets import TARGETS, Style
from testing.effort import examples
from testing.javascript import logged, needs_node
from testing.javascript_mutants import TOKEN, mutant
from testing.typescript import compiled
from tests.tables import table

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
    "<a {...props} key={f(3)} {...f({ c: 4, key: 7 })} d>{x ? f(6) : t}</a>; <a key={f(1)} {...props}>{x && 2}</a>",
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


def rows(kind: str) -> list[tuple[str, str]]:
    """The programs of a table: names and texts. JSX without types is in a file for JavaScript, too."""
    return [
        (f"a.{suffix}", line.replace("⏎", "\n"))
        for goal, text in table(f"typescript_{kind}").items()
        for suffix in ([goal, "jsx"] if (goal, kind) == ("tsx", "invalid") else [goal])
        for line in text.splitlines()
    ]


def errors(name: str, text: str) -> list[Diagnostic]:
    """The errors of a program."""
    try:
        convert(Source(name, text))
    except DiagnosticError as raised:
        return list(raised.diagnostics)
    return []


def test_the_programs_of_the_tables_are_accepted_or_refused_as_by_typescript() -> None:
    valid, invalid = rows("valid"), rows("invalid")
    assert min(len(valid), len(invalid)) >= 100
    found = zip([*valid, *invalid], compiled([*valid, *invalid]), strict=True)
    assert [row for row, result in found if result.errors == ""] == valid
    assert [row for row in [*valid, *invalid] if errors(*row) == []] == valid


REFUSED = {
    "enum E { A }": "1:1: an enumeration",
    "export const enum E {}": "1:8: an enumeration",
    "namespace N { const a = 1 }": "1:1: a namespace",
    "module M.N { export const x = 1 }": "1:1: a namespace",
    "import x = require('y')": "1:1: `import … = require(…)`",
    "import x = a.b": "1:1: `import … = …`",
    "export = x": "1:1: this `export`",
    "export as namespace A": "1:1: this `export`",
    "class A { constructor(b, private c = 1) {} }": "1:26: a parameter that declares a property",
    "class A { constructor(readonly b) {} }": "1:23: a parameter that declares a property",
    "class A { constructor(override b) {} }": "1:23: a parameter that declares a property",
    "@a class A {}": "1:1: a decorator",
    "class A { b; @a() c() {} }": "1:14: a decorator",
    "class A { b(@a c) {} }": "1:13: a decorator",
    "class A { accessor b = 1 }": "1:11: a field with `accessor`",
    "using a = b": "1:1: `using`",
    "a<b>`c`": "1:1: a template after `>`",
    "a < b < c": "1:1: a comparison of a comparison",
}
"""What TypeScript accepts and we refuse."""


def test_what_has_a_meaning_at_run_time_is_refused_with_the_reason() -> None:
    assert [each.errors for each in compiled([("a.ts", text) for text in REFUSED])] == [""] * len(REFUSED)
    for text, expected in REFUSED.items():
        (found,) = errors("a.ts", text)
        assert f"{found.span}: {found.message}".startswith(f"a.ts:{expected} is not read: "), text


def test_names_that_are_types_or_not_used_are_not_imported() -> None:
    text = """\
    import { type A, b, c, d as D, /* comment */ type e as f } from "m"; // one
    import F, { G } from "n"; import * as ns from "o"; import "p"; import { H, } from 'q' with { type: "json" };
    import React, { useState } from "react"; import type { T } from "t"; import {} from "u";
    interface I {} type J = A; export { type K, I, J, b as B }; export * from "v"; export type * from "w";
    export { type L } from "l"; export { x as "a b", type y } from "z"; console.log(D, G as ns.T, H, <b/>);
    """
    items = [line for line in emitted(text, "a.tsx").splitlines() if line.startswith(("import", "export"))]
    assert items == [
        'import { b, d as D } from "m";',
        'import { G } from "n";',
        'import "p";',
        "import { H } from 'q' with { type : \"json\" };",
        'import React from "react";',
        "export { b as B };",
        'export * from "v";',
        'export { x as "a b" } from "z";',
    ]
    module = "import { T } from 'm'; export type U = T; f()"  # it is a module still
    assert emitted(module, "a.ts") == "export {};\nf();\n"
    assert [each.rule for each in errors("a.ts", f"{module}; delete x")] == ["strict-mode"]


def test_mutated_programs_are_erased_as_by_typescript() -> None:
    """What both accept is the same program, as emitted, after their erasures."""
    tokens = [(TOKEN.findall(text), False) for name, text in rows("valid") if name == "a.ts"]
    programs = [("a.ts", mutant(random.Random(seed), tokens)[0]) for seed in range(examples(2_000))]
    wrong, accepted = [], 0
    for (name, text), erased in zip(programs, compiled(programs), strict=True):
        if erased.errors == "" and errors(name, text) == []:
            accepted += 1
            if emitted(text, name).strip() != emitted(erased.text, "a.js").strip():
                wrong.append(text)
    assert wrong == [] and accepted > 25
