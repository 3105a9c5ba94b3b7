"""JavaScript as a source and as a target: what programs do, which variables are cells, and what is refused."""

from __future__ import annotations

import random
import re
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from cpsconv import Program, Source, convert, parse, pretty
from cpsconv.core.check import check
from cpsconv.core.source import Diagnostic, DiagnosticError
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.targets import TARGETS, Style
from cpsconv.targets.javascript.helpers import GLOBALS
from testing.effort import beyond_the_stack, examples, is_full, size
from testing.expectations import ROOT
from testing.isomorphism import same_program
from testing.javascript import NODE, logged, needs_node, programs
from testing.javascript_effects import EffectProgram
from testing.javascript_programs import Program as RandomProgram
from testing.running import STRATEGIES, reread
from tests.conftest import Run

pytest.importorskip("tree_sitter_javascript")


@cache
def read(text: str, name: str = "a.js", strategy: str = "scc", optimise: bool = False) -> Program:
    """The certified program of a source."""
    optimised = OPTIMISATIONS if optimise else ()
    return convert(Source(name, text), strategy=strategy, certify=not optimise, optimise=optimised)


def emitted(program: Program, functional: bool = False) -> str:
    """The program in JavaScript."""
    return TARGETS["javascript"](program, Style(functional=functional))


def errors(text: str, name: str = "a.js") -> list[str]:
    """The errors, each with its line and column."""
    with pytest.raises(DiagnosticError) as raised:
        read(text, name)
    return [f"{each.span}: {each.message}" for each in raised.value.diagnostics]


@needs_node
def test_a_program_does_what_it_did_before() -> None:
    """So do the result itself, read again, and the program with another strategy or `-O`, half of them as CPS text."""
    texts, converted = programs(), []
    for number, text in enumerate(texts.values()):
        program = read(text, strategy=STRATEGIES[number % len(STRATEGIES)], optimise=number % 2 == 1)
        assert check(program) == []
        again = reread(program) if is_full() or number % 4 < 2 else program
        converted += [emitted(read(text)), emitted(again), emitted(program, functional=True)]
        converted.append(emitted(read(converted[-3])))
    expected = logged([*texts.values(), *converted])
    found = expected[len(texts) :]
    for number, name in enumerate(texts):
        assert expected[number] and "thrown" not in expected[number][-1], name
        assert found[4 * number : 4 * number + 4] == [expected[number]] * 4, name


def test_helpers_use_no_other_globals_than_those_that_are_kept() -> None:
    def globals_of(text: str) -> set[str]:
        return set(re.findall(r'"js\.(?:global|typeof_variable) (.*?)"', pretty(read(text))))

    helpers = ROOT / "cpsconv" / "targets" / "javascript" / "helpers.js"
    assert globals_of(helpers.read_text(encoding="utf-8")) == {f"${name}" for name in GLOBALS}
    for name, text in programs().items():
        assert globals_of(emitted(read(text))) <= {*globals_of(text), *GLOBALS, "globalThis"}, name


@needs_node
def test_random_programs_do_what_they_did_before() -> None:
    """Half of the programs have logged effects; half of them are written without loops."""
    kinds = [(RandomProgram, False), (EffectProgram, False), (RandomProgram, True), (EffectProgram, True)]
    written = [(kinds[seed % 4], random.Random(seed)) for seed in range(examples(60))]
    texts = [kind(numbers).text() for (kind, _), numbers in written]
    converted = [emitted(read(text), functional) for text, ((_, functional), _) in zip(texts, written, strict=True)]
    logs = logged([*texts, *converted])
    assert logs[len(texts) :] == logs[: len(texts)]


@needs_node
def test_the_text_of_an_array_with_many_inner_arrays_ends() -> None:
    program = "let a = ['x']; for (let n = 0; n < {}; n++) a = [a, a]; log(String(a).length)"
    assert logged([program.format(n) for n in (3, 60)]) == [["15"], ["1001"]]


@needs_node
def test_an_object_that_is_built_in_steps_has_the_order_of_the_standard() -> None:
    """V8 puts accessors of a literal that begins with a spread after its other properties."""
    program = read("let f = (x) => log(Object.keys({ ...{ r: 1 }, get p() { return 1; }, s: x ? f(0) : 2 })); f(1)")
    assert logged([emitted(program)]) == [["[ 'r', 'p', 's' ]"] * 2]


@needs_node
def test_a_program_that_ends_with_an_exception_throws_it() -> None:
    texts = [
        "log(1); throw new TypeError('t');",
        "const f = () => { throw { a: 1 } }; f(); log(2)",
        "null.x",
        "let x = x",
    ]
    assert logged([emitted(read(text)) for text in texts]) == logged(texts)


TYPED = """\
interface I { a: number } type T = string; declare const dd: number;
function f<T>(this: any, a: number, b?: string, c: T = 1 as any, ...d: any[]): string { return a!.toFixed(1); }
function g(a: string): void;
function g(a: any) { return a satisfies unknown; }
abstract class A<T> extends Object implements I {
  private readonly x: number = 1; declare y: string; static z?: T; a = 2;
  constructor(q: number) { super(); log(q); }
  abstract m(): void; get w(): number { return 1 } [k: string]: any; m2?<U>(a: U): void {}
}
let h = <T,>(x: T): T => x, i: string; const { j, k }: { j: number, k: string } = { j: 1, k: "k" };
for (const x of [1, 2] as number[]) log(x);
try { throw 1 } catch (e: unknown) { log(e) }
let u = new Map<string, number>(); (i as any) = 1; (i!) += 2;
log(f.call(0, 1), f.length, g(3), h<number>(1), i, j, k, u.size, Object.keys(new (A as any)(6)));
"""


@needs_node
def test_a_module_exports_its_default(tmp_path: Path) -> None:
    texts = [
        "export default function () { return 1 }",
        "export default class { m() { return 2 } }",
        "export default class A { m() { return A } }",
        "export default async () => 1",
        "const _default = 3; export default [_default, 4]",
        "log(named()); export default function named() { return 5 }",
    ]
    names = []
    for number, text in enumerate(texts):
        for kind, each in (("a", text), ("b", emitted(read(text, "a.mjs"))), ("c", emitted(read(emitted(read(text)))))):
            (tmp_path / f"{kind}{number}.mjs").write_text(f"const log = console.log; {each}", encoding="utf-8")
        names.append(f"'./a{number}.mjs', './b{number}.mjs', './c{number}.mjs'")
    script = f"for (const name of [{', '.join(names)}]) {{ const d = (await import(name)).default; console.log("
    script += "d.name ?? d, typeof d, d.length, d.prototype && Object.getOwnPropertyNames(d.prototype)); }"
    (tmp_path / "all.mjs").write_text(script, encoding="utf-8")
    assert NODE
    done = subprocess.run([NODE, "all.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True)
    lines = [line for line in done.stdout.splitlines() if line != "5"]
    assert len(lines) == 3 * len(texts) and lines[::3] == lines[1::3] == lines[2::3]


@pytest.mark.parametrize("export", ["export * from 'n'", "export { x } from 'n'", "export {}", "export default 1"])
def test_an_import_after_an_export_declares_its_name(export: str) -> None:
    assert "var" not in emitted(read(f"{export}; import a, {{ b as c }} from 'm'; a(c);", "a.mjs"))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("const React = require('react'); module.exports = () => <a/>", "let React = require("),
        ("/** @jsx h */ const h = require('react'); module.exports = <a/>", "let h = require("),
        ("module.exports = () => { const React = require('react'); return () => <></>; }", "  let React = require("),
        ("module.exports = (React) => <a><b/></a>", "(React) => <a>"),
        ("import React from 'react'; g(<a/>)", "import React from"),
    ],
)
def test_an_element_uses_its_factory(text: str, kept: str) -> None:
    warnings: list[Diagnostic] = []
    program = convert(Source("a.jsx", text), warnings=warnings, warn=["all", "extra"], optimise=OPTIMISATIONS)
    assert kept in emitted(program) and warnings == []


def test_an_attribute_after_a_spread_is_no_property_of_it() -> None:
    """React's transformations distinguish ``{...rest} key={n}`` from a spread object with the key."""
    text = "module.exports = (rest, n, b) => <a {...rest} key={n} {...b} c>{b ? <p/> : n}</a>"
    assert "<a {...value} key={n} {...value1} c>" in emitted(convert(Source("a.jsx", text)))


@needs_node
def test_types_are_erased() -> None:
    expected = ["1", "2", "1", "6", "\"1.0\" 2 3 1 3 1 \"k\" 0 [ 'x', 'a' ]"]
    assert logged([emitted(read(TYPED, "a.ts"))]) == [expected]


# ------------------------------------------------------------------------------------------------- variables and cells


def cells(text: str) -> dict[str, str]:
    """The variables that are cells, with the reasons."""
    program = read(f"function f(a, b) {{ {text} }}")
    return {each.name: each.reason for variables in program.variables.values() for each in variables.in_memory}


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("const x = a; return () => x", {}),
        ("let x = 1; x = a; return () => x", {}),  # a context variable in React's compiler
        ("if (a) b = 1; return () => b", {}),
        ("return () => x; var x", {}),
        ("return () => x; var x = 1", {"x": "a closure captures it, and an assignment may follow"}),
        (
            "let x = 1; const g = () => x; x = 2; return g",
            {"x": "the closure `g` captures it, and an assignment may follow"},
        ),
        ("let x = 1; return { up: () => x++ }", {"x": "the closure `up` assigns it"}),
        ("let x = 1; return () => () => x = 2", {"x": "a closure assigns it"}),
        ("let x = 0; while (a()) { x++; b(() => x); }", {"x": "a closure captures it, and an assignment may follow"}),
        ("while (a()) { let x = 0; x++; b(() => x); }", {}),
        ("for (let i = 0; i < a; i++) b(() => i)", {}),  # each iteration has its own variable
        ("for (var i = 0; i < a; i++) b(() => i)", {"i": "a closure captures it, and an assignment may follow"}),
        (
            "for (let i = 0; i < a; i++) { b(() => i); i++ }",
            {"i": "a closure captures it, and an assignment may follow"},
        ),
        ("for (const x of a) b(() => x)", {}),
        ("const g = (n) => n ? g(n - 1) : 0; return g", {}),  # a function refers to itself without a capture
        ("function g(n) { return n ? g(n - 1) : 0 } return g", {}),
        (
            "function g() { return h() } function h() { return g() }",
            {"h": "the closure `g` captures it, and an assignment may follow"},
        ),
        (
            "arguments[0] = 1; return a",
            dict.fromkeys("ab", "`arguments` of its function, which is not strict, shares it"),
        ),
        ("'use strict'; arguments[0] = 1; return a", {}),
    ],
)
def test_a_variable_is_a_cell_if_an_assignment_may_follow_its_capture(text: str, reasons: dict[str, str]) -> None:
    assert cells(text) == reasons


def test_the_value_of_a_captured_constant_is_passed_to_the_closure() -> None:
    text = pretty(read("function f(a) { const x = a + 1; return (y) => x + y; }"))
    assert '"js.closure"(ptr(arrow), x) : $js.value' in text
    assert "@js.function(\"arrow captures=1 name=''\") arrow(\n  x : $js.value,\n  y : $js.value," in text


def test_only_what_a_loop_assigns_needs_a_proxy() -> None:
    text = """function f(a, b) {
      let cell = 0;
      const closure = () => cell++;
      for (let i = 0, n = a.length; i < n; i++) g(i, n);
      while (a) { if (b) continue; cell = g(a); }
      for (const x of a) { if (b) { a = x; continue; } cell = g(a, x); }
      return closure;
    }"""
    counts = convert(Source("f.js", text), strategy="scc").counts
    (loops,) = (each for function, each in counts.items() if function.name == "f")
    assert (loops.placed, loops.removed) == (2, 0)


def test_an_operation_in_try_has_an_edge_to_the_handler_with_the_values_at_the_throw() -> None:
    text = pretty(read("function f(o) { let x = 1; try { x = o.a; x = o.b; } catch { return x; } return 0; }"))
    assert text.count("[after_get") == 2 and text.count("λ(). catch(x") == 2
    assert "catch := (x" in text


# ------------------------------------------------------------------------------------------------------------ errors


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("with (a) b;", ["a.js:1:1: `with` is not read: which variables a name denotes is known at run time only"]),
        ("a;\n  eval('x')", ["a.js:2:3: a direct call of `eval` is not read: it can assign to any variable"]),
        ("const a = <b>{...c}</b>", ["a.jsx:1:15: a spread child is not read"]),
        ("function f() { await 1 }", ["a.js:1:16: this `await` is not in an asynchronous function"]),
        ("yield 1", ["a.js:1:1: this `yield` is not in a generator"]),
        ("\n@d class A {}", ["a.js:2:1: a decorator is not read: it is not a part of JavaScript"]),
        ("class A { a() { delete super.b } }", ["a.js:1:24: `delete` of a property of `super` is not read"]),
        ("const a;", ["a.js:1:7: this constant has no initial value"]),
        ("let [a];", ["a.js:1:5: this pattern has no initial value"]),
        ("while (a); break;", ["a.js:1:12: this `break` is not in a loop or `switch`"]),
        ("f(a, ;\n}", ["a.js:1:6: unexpected `;`"]),
        ("let x = 1;\nlet y = (1", ["a.js:2:9: this `(` is not closed"]),
    ],
)
def test_what_is_not_read_is_refused_at_its_position(text: str, expected: list[str]) -> None:
    assert errors(text, expected[0].partition(":")[0])[:1] == expected


def test_a_yield_in_a_loop_that_closes_an_iterator_has_an_edge_for_return() -> None:
    program = read("function* g(xs) { for (const x of xs) yield x; }")
    assert '"js.yield"(x) [after_yield, ' in pretty(program)
    assert re.search(r"yield\* new \$Yield\(x\);\n.*\n.* instanceof \$Returned\) \{", emitted(program))


def test_a_generator_whose_call_evaluates_patterns_is_not_written() -> None:
    emitted(read("function* f(a, b = 1, ...c) { yield a }"))
    for parameters in ("[a]", "a, b = a", "...{ length }"):
        with pytest.raises(DiagnosticError, match=r"a\.js:1:1: error: .* a generator with patterns or defaults"):
            emitted(read(f"function* f({parameters}) {{ yield 1 }}"))


@needs_node
def test_functions_replace_loops_and_joins() -> None:
    text = "function f(n) { let s = 0; for (let i = 0; i < n; i++) { if (i % 3) s += i; } return s; } log(f(100_000));"
    program = read(f"{text} function* g() {{ for (;;) yield 1; }}")
    found = emitted(program, functional=True)
    assert logged([found]) == logged([text])  # the stack is shallow
    assert found.count("while (") == 1 and "for (;;) {\n    yield 1;" in found  # those of `$loop`, and of `g`
    chain = "".join(f"if (a > {number}) b += a;" for number in range(110))
    assert "return" not in emitted(read(f"function f(a, b) {{ {chain} c(b); }}"), functional=True)


_TOKEN = re.compile(r"[\w$]+|\s+|[^\w\s]")


def test_mutated_programs_are_refused_or_certified() -> None:
    lines = [line for text in programs().values() for line in text.splitlines()]
    tokens = [_TOKEN.findall(line) for line in lines if line]
    for seed in range(examples(1_000)):
        numbers = random.Random(seed)
        mutant = [*numbers.choice(tokens)]
        for _ in range(numbers.randrange(1, 3)):
            other = numbers.choice([mutant, numbers.choice(tokens), [""]])
            mutant[numbers.randrange(len(mutant))] = numbers.choice(other)
        with suppress(DiagnosticError):
            program = read("".join(mutant))
            assert check(program) == []
            emitted(program)


def test_deep_nesting_needs_no_recursion() -> None:
    with beyond_the_stack() as deep:
        for text in ("(" * deep + "a" + ")" * deep, "+".join("a" * deep), "a" + ".b()" * deep, "if (a) " * deep + "b"):
            read(text)


@needs_node
def test_unusual_texts_are_read_or_refused() -> None:
    """Ends of lines, marks of byte order, escapes, and numbers are read as by Node; the rest has an error."""
    deep = size(10_000)
    texts = [
        "\ufefflog(1);\r\nlet a = 2\r\n++a\rlog(a, `\r\n`, '\\\r\n')\u2028log(3)\u2029",
        f"log({'9' * 5_000}n % 7n, 0x{'f' * 5_000}n % 7n, {'9' * 400}, 5e-324, 0.1e-6, 1_0.0_1, 0b11, 0o17, 017, 089)",
        "var \\u{61}\\u0062 = 1, ｘ = 2; log(ab, \\uff58, '\\u{1F600}'.length, '\u2028'.length, '\\0\\x41\\101')",
        "/* a\n */ log(1) /* b\n */\nlog(2) // c\u2028log(3)",
    ]
    assert logged([emitted(read(text)) for text in texts]) == logged(texts)
    for text in ("", "//", "#!/usr/bin/env node", "(" * deep + "a" + ")" * deep, "x = " + "<a>" * 500 + "</a>" * 500):
        assert check(read(text)) == []
    whole = "".join(programs().values())
    broken = [whole[: 997 * n] for n in range(1, examples(60))]
    for text in ("(" * deep, "\0", "\ud800", "a\x1b", "`", "/", "/*", "<a", "'\n'", "}", "\\", "@", *broken):
        with suppress(DiagnosticError):
            assert check(read(text)) == []


def test_functions_that_are_nested_too_deeply_are_refused_by_the_emitter() -> None:
    emitted(read("x = " + "() => " * 60 + "1"))
    program = read("x = " + "() => " * 300 + "1")
    with pytest.raises(DiagnosticError, match="nested too deeply"):
        emitted(program)


TWO_ENTRIES = """\
@js.module("script");
@js.function("program name=''") main(ret : $js.value → ⊥) → ⊥ {
  v5 := "js.global e"() : $js.value;
  v6 := pure "js.truthy"(v5) : bool;
  let
    one := () → ⊥
      v := "js.global c"() : $js.value;
      v1 := pure "js.truthy"(v) : bool;
      branch(v1, two, exit)
    two := () → ⊥
      v2 := "js.global d"() : $js.value;
      v3 := pure "js.truthy"(v2) : bool;
      branch(v3, one, exit)
    exit := () → ⊥
      v4 := pure "js.undefined"() : $js.value;
      ret(v4)
  in
  branch(v6, one, two)
}
"""


@pytest.mark.parametrize("functional", [False, True])
def test_loops_with_several_entries_are_refused_by_the_emitter(functional: bool) -> None:
    with pytest.raises(DiagnosticError, match="loops with several entries"):
        emitted(parse(Source("a.cps", TWO_ENTRIES)), functional)


def test_a_chain_of_else_if_is_not_nested() -> None:
    with beyond_the_stack() as deep:
        chain = "".join(f"if (a === {number}) b({number}); else " for number in range(deep))
        assert max(len(line) - len(line.lstrip()) for line in emitted(read(f"{chain}b(0);")).splitlines()) == 2


def test_the_memory_of_a_program_with_effects_cannot_be_explicit() -> None:
    for form in ("one", "objects"):
        with pytest.raises(DiagnosticError, match="the memory of a program with foreign effects cannot be explicit"):
            convert(Source("a.js", "function f(a) { return () => a }"), explicit_memory=form)


WARNED = """\
import { a as A, b, c } from "m"; const n = 1, _ignored = 2; let m;
export function f(a, { p, ...q }) { let u = 1, set; set = 2; const c = 2; return (c = 3) + c++; }
(() => { x = 1; log(y, typeof y); let y = y, x; function inner() { inner(late); } class K {} let late = () => K; })();
() => { if (b) { throw 1; log(3); log(4); } else for (;;) { continue; f(); }
log(2); log(3); };
switch (n) { case 1: break; n; case 2: f(); break; case 3: throw n; here: { break; } }
(function h() { "use strict"; h = 1; return; function hoisted() {} var v; hoisted(v); })();
for (const i = 0; A; i++); ({ c: [n] } = f); for (const k of c) k.l = 0; (function g() { g = 1; })();
(undefined) => { class B extends B {} new B(); try {} catch (e) {} return undefined; }
export default () => {};
"""

EXPECTED = """\
1:66 m unused-variable, 2:19 a unused-parameter, 2:24 p unused-parameter, 2:30 q unused-parameter
2:41 u unused-variable, 2:48 set unused-but-set-variable, 2:83 c const-assign, 2:92 c const-assign
3:10 x uninitialized, 3:21 y uninitialized, 3:31 y uninitialized, 3:43 y uninitialized
3:46 x unused-but-set-variable, 3:58 inner unused-function, 4:27 log(3); unreachable-code
4:71 f(); unreachable-code, 5:1 log(2); unreachable-code, 6:29 n; unreachable-code
6:69 here: { break; } unreachable-code, 7:31 h const-assign, 7:75 hoisted(v); unreachable-code
8:22 i const-assign, 8:35 n const-assign, 8:90 g const-assign, 9:34 B uninitialized
"""


def test_mistakes_with_declarations_and_unreachable_statements_are_reported() -> None:
    """A statement is reported if control reaches the one before it. Global names and those with `_` may be unused."""
    warnings: list[Diagnostic] = []
    convert(Source("a.mjs", WARNED), warnings=warnings, warn=["all", "extra"])
    shown = []
    for each in warnings:
        assert each.span
        shown.append(f"{str(each.span).partition(':')[2]} {WARNED[each.span.start : each.span.end]} {each.rule}")
    assert shown == EXPECTED.replace("\n", ", ").split(", ")[:-1]
    convert(Source("a.js", "let unused; function f() {}"), warnings=warnings, warn=["error", "all"])


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("const { a, b = a, [a]: c, d = () => a } = {}; f(b, c, d);", 0),
        ("const [p, { q, r = p + q } = {}] = []; f(r); let s, { t, u = t + s } = {}; f(u);", 0),
        ("(({ a, b = a }, c = b) => c)(); for (const { a, b = a } of []) f(b);", 0),
        ("try {} catch ({ a, b = a }) { f(b); }", 0),
        ("const { a = b, b } = {}; f(a); let [c = c] = []; (([{ d }, e] = d) => e)(); const { x: [y] = y } = {};", 4),
        ("for (const { a, b = a } of a) f(b); const { c, d = c } = c; f(d);", 2),
    ],
)
def test_a_default_follows_the_names_before_it_in_its_pattern(text: str, uses: int) -> None:
    warnings: list[Diagnostic] = []
    checks = pretty(convert(Source("a.js", f"(() => {{ {text} }})()"), warnings=warnings)).count('"js.check ')
    assert ([each.rule for each in warnings], checks) == (["uninitialized"] * uses, uses)


# ---------------------------------------------------------------------------------------------------------- commands

COUNTER = """\
function counter(n) {
  let count = 0;
  let step = 1;
  if (n) step = n;
  return () => (count += step);
}
"""

COMMANDS = {
    ("check", "c.js"): "c.js: ok, certified: 3 continuations, 1 parameter\n",
    ("check", "-j", "2", "c.js", "d.mjs"): "d.mjs: ok",
    ("compare", "c.js:counter"): "countdown",
    ("why", "c.js:counter", "count"): "a closure assigns it on line 5",
    ("why", "c.js:counter", "endif.step"): "line 4",
    ("why", "c.js:counter", "step"): "line 4",
    ("explain", "c.js:counter"): "step",
    ("explain", "--html", "page.html", "c.js"): "",
    ("graph", "--format", "dot", "c.js"): "js.closure",
    ("convert", "--emit", "json", "c.js"): '"foreign": "js.closure"',
    ("convert", "--emit", "ssa", "c.js"): "φ",
    ("convert", "--emit", "javascript", "c.js"): "function counter(n) {",
    ("stats", "c.js"): "1 of 1 file certified",
}


@pytest.mark.parametrize(("arguments", "expected"), COMMANDS.items())
def test_commands_treat_javascript_like_other_languages(
    cpsconv: Run, tmp_path: Path, arguments: tuple[str, ...], expected: str
) -> None:
    (tmp_path / "c.js").write_text(COUNTER, encoding="utf-8")
    (tmp_path / "d.mjs").write_text("import { a } from 'b';\nexport const c = a();\n", encoding="utf-8")
    done = cpsconv(*arguments)
    assert (done.status, done.err) == (0, "") and expected in done.out


def test_a_run_an_empty_file_and_a_control_character(cpsconv: Run, tmp_path: Path) -> None:
    (tmp_path / "c.js").write_text(COUNTER, encoding="utf-8")
    assert cpsconv("run", "c.js") == (0, "", "")
    assert cpsconv("run", "c.js:counter", "3") == (0, "[Function (anonymous)]\n", "")
    (tmp_path / "empty.js").touch()
    assert cpsconv("convert", "--emit", "javascript", "empty.js") == cpsconv("run", "empty.js") == (0, "", "")
    (tmp_path / "nul.js").write_bytes(b"f(\0);")
    assert "\0" not in cpsconv("check", "nul.js").err


def test_one_function_of_a_program_is_not_written_as_javascript(cpsconv: Run) -> None:
    Path("two.js").write_text("function one(a) { return a }\nfunction two(b) { return b * 2 }\n")
    assert cpsconv("convert", "--emit", "cps", "two.js:one").status == 0
    done = cpsconv("convert", "--emit", "javascript", "two.js:one")
    assert (done.status, done.out) == (2, "")
    assert "writes whole JavaScript programs, but two.js:one names a function" in done.err


def test_cps_text_of_a_program_is_formatted_and_read_back() -> None:
    program = read(COUNTER)
    assert same_program(reread(program, "flat"), program)
