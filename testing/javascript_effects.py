"""Random programs in JavaScript whose effects are logged: iterators, generators, classes, accessors and `await`.

They extend those of `javascript_programs`. Iterators log when they are opened, advanced and closed, and may throw then;
operands log when they are evaluated. Generators are driven by ``next``, ``throw`` and ``return``.
"""

from __future__ import annotations

from typing import ClassVar

from testing.javascript_programs import Program, Rows

_START = """\
let fuel = 3000;
const t = (name, value) => (log(name), value);
const it = (n, kind) => ({
  [Symbol.iterator]() {
    log("open");
    let i = 0;
    const end = (value) => (log("close"), value);
    const own = { next: () => (log("next", i), kind === 2 && i === n ? t.x.y : { value: i, done: i++ >= n }) };
    if (kind !== 1) own.return = (value) => (kind === 3 ? t.x.y : kind === 4 ? end(1) : end({ value, done: true }));
    if (kind === 5) own.throw = (error) => (log("throw"), { value: error, done: true });
    return own;
  },
});
const shown = (error) => String(error?.name ?? error);
const drive = (g, calls) => {
  for (const [name, value] of calls) {
    try { log(name, g[name](value)); } catch (error) { log("thrown", shown(error)); }
  }
};
const driven = async (g, calls) => {
  for (const [name, value] of calls) {
    try { log(name, await g[name](value)); } catch (error) { log("thrown", shown(error)); }
  }
};
"""
_KINDS = ("function", "function*", "async function", "async function*")

_ROWS: Rows = {
    "iterator": ("it(<start>, <kind>)",),
    "start": "0123",
    "kind": "01234567",
    "iteration": (
        *["l<n>: for (const x<n> of <iterator>) { if (fuel-- < 0) break; <y> = x<n>; <repeated> }"] * 6,
        "[<x>, <y> = <2>] = <iterator>;",
        "[<x>, , ...<y>] = <iterator>;",
        "<x> = [...<iterator>, <2>];",
        "<x> = Math.max(<3>, ...<iterator>);",
        "{ const [own = <2>, [<y>] = <iterator>] = <iterator>; <x> = own; }",
        "for (const [own, <y>2 = <y>] of [<iterator>]) { <x> = [own, <y>2]; <statement> }",
    ),
    "object": ("{ const o = { <properties> }; <uses_of_object> }",),
    "properties": (
        "get p() { return t('get', <3>); }",
        "set p(v) { log('set', v); <x> = v; }",
        "m(x) { <y> = x; return this === o; }",
        "[t('key', 'q')]: <2>",
        "...{ r: <2> }",
        "s: () => <x>",
        "__proto__: { u: 1, get w() { return this.q; } }",
    ),
    "uses_of_object": (
        "o.p += <2>;",
        "<y> = o.p++;",
        "<y> = o.m?.(<2>);",
        "<x> = o?.s?.();",
        "<x> = delete o[t('k', 'q')];",
        "o[t('k', 'p')] ??= <2>;",
        "({ q: <x>, ...<y> } = o);",
        "for (const k in o) { <x> = k; <statement> }",
        "<y> = [o.u, o.w, 'q' in o, Object.keys(o)];",
    ),
    "members": (
        "#own = <3>; get own() { return this.#own; } set own(v) { this.#own = v; }",
        "static s = t('static', <3>);",
        "x = t('field', <3>);",
        "static { <x> = this.name; }",
        "m(x) { return [super.m?.(x), <y>]; }",
        "[t('name', 'n')]() { <y> = C<n>; return new.target; }",
        "static make() { return new this(<3>); }",
        "constructor(x) { if (t('before', x)) <y> = x; super(x); this.y = x; }",
        "constructor(...xs) { super(...xs); return xs.length > 1 ? { z: 1 } : undefined; }",
    ),
    "uses_of_class": (
        "<x> = new C<n>(<2>);",
        "<y> = [new C<n>().x, C<n>.s, C<n>.name, C<n>.length];",
        "<x> = C<n>.make?.()?.m?.(<y>);",
        "{ const o = new C<n>(2, 3); o.own = o.own + 1; <y> = [o.own, o.y, o.n?.() === undefined]; }",
        "try { C<n>(); } catch (error) { <x> = error.name; }",
    ),
    "class": (
        "{ class B<n> { constructor(b) { this.b = b; } m(x) { return [x, this.b]; } } "
        "class C<n> extends B<n> { <members> } <uses_of_class> }",
    ),
    "order": (
        "<x> = [<operand>, <y> = <operand>, <y>, <operand>];",
        "<x> = { p: <y>, q: <y> = <operand>, [<operand>]: <y> };",
        "<x> = ((x, y) => [x, y, <y>])(<y>, (<y> = <operand>), <operand>);",
        "<x> = <y> + (<y> = <operand>) + <y>;",
        "<x> = `${typeof <y>}${String(<y> = <operand>)}${typeof <y>}`;",
        "try { (<operand>).p.q = <operand>; } catch (error) { <x> = shown(error); }",
        "try { <x> = <operand>.m(<operand>); } catch (error) { <x> = shown(error); }",
        "try { <x> = [<operand>, <y> = <operand>, t.x.y]; } finally { <x> = [<y>]; }",
    ),
    "operand": ("t('o0', <3>)", "t('o1', <3>)", "t('o2', <3>)"),
    "yield": (
        "<x> = yield <2>;",
        "<x> = [<y>, yield <3>, <y>, yield];",
        "<x> = yield* <iterator>;",
        "[<x> = yield 'default', <y>] = <iterator>;",
        "try { <x> = yield <y>; } finally { <statement> <y> = yield 'finally'; }",
        "try { yield <x>; } catch (error) { <y> = shown(error); yield <y>; }",
        "for (const x of <iterator>) { if (fuel-- < 0) break; <x> = yield x; <statement> }",
    ),
    "await": (
        "<x> = await <2>;",
        "<x> = [<y>, await <3>, <y>, await null];",
        "try { await Promise.reject(<2>); } catch (error) { <x> = shown(error); }",
        "try { <x> = await <y>; <statement> } finally { <y> = await <x>; }",
        "for (const x of <iterator>) { if (fuel-- < 0) break; <x> = await x; <statement> }",
        "<x> = (async () => { await 1; log('later', <y>); })().then(() => 5);",
    ),
    "driven": ("['<method>', <atom>]",),
    "method": ("next", "next", "next", "return", "throw"),
}

_SEVERAL = {"members": (2, 5), "properties": (2, 5), "uses_of_class": (2, 2), "uses_of_object": (3, 3)}
"""The least and largest numbers of different rows for a word."""

_DRIVE = (
    "fuel = 300; { let a = 1, b = 'x', c = [2], d, e = null, f = true; "
    "try { <driver>(f<number>(<3>, <3>, <3>), [<calls>]); } catch (error) { log(shown(error)); } }"
)


class EffectProgram(Program):
    """Writes one random program. `can_yield` and `can_await` say what the open function permits."""

    rows: ClassVar[Rows] = {**Program.rows, **_ROWS}
    can_yield = False
    can_await = False

    def text(self) -> str:
        """The program."""
        kinds = [self.random.choice(_KINDS) for _ in range(self.random.randrange(1, 4))]
        functions = [self.suspending(kind, f"f{number}") for number, kind in enumerate(kinds)]
        calls = [self.use(kind, number) for number, kind in enumerate(kinds) for _ in range(2)]
        caught = "catch((error) => log('rejected', shown(error)))"
        return "\n".join([_START, *functions, "(async () => {", *calls, f"}})().{caught};", ""])

    def suspending(self, kind: str, name: str) -> str:
        """A function of a kind."""
        self.can_yield, self.can_await = "*" in kind, "async" in kind
        self.parameters = Program.parameters[:3] if "*" in kind else Program.parameters
        text = self.function(name)
        self.can_yield = self.can_await = False
        return f"{kind} {text.removeprefix('function ')}"

    def use(self, kind: str, number: int) -> str:
        """A call whose result or exception is logged; of a generator, several calls of its methods."""
        if "*" not in kind:
            call = self.call(number)
            return call.replace("log(f", "log(await f") if "async" in kind else call
        calls = ", ".join(self.row("driven") for _ in range(self.random.randrange(2, 6)))
        driver = "await driven" if "async" in kind else "drive"
        return self.filled(_DRIVE, driver=driver, number=str(number), calls=calls)

    def expression(self, depth: int) -> str:
        """An expression, perhaps one that is logged when it is evaluated."""
        text = super().expression(depth)
        self.counter += 1
        return f"t('t{self.counter}', {text})" if self.random.random() < 0.12 else text

    def statement(self) -> str:
        """A statement, perhaps one with further effects."""
        if self.random.random() > 0.3 or self.depth > 4:
            return super().statement()
        self.depth += 1
        kinds = ["iteration", "object", "class", "order"]
        kinds += ["yield"] * 4 * self.can_yield + ["await"] * 3 * self.can_await
        text = self.row(self.random.choice(kinds))
        self.depth -= 1
        return text

    def replacement(self, word: str, depth: int, words: dict[str, str]) -> str:
        """The text for a word in a row: of some words, several rows."""
        if word not in _SEVERAL:
            return super().replacement(word, depth, words)
        least, most = _SEVERAL[word]
        rows = self.random.sample(self.rows[word], self.random.randint(least, most))
        chosen = [self.filled(row, depth, **words) for row in rows]
        if sum(each.startswith("constructor") for each in chosen) == 2:
            chosen = [each for each in chosen if "..." not in each]
        if chosen[0].startswith("..."):  # V8 would put accessors after all properties, against the standard
            chosen.append(chosen.pop(0))
        return (", " if word == "properties" else " ").join(chosen)
