"""Random programs in JavaScript whose effects are logged: iterators, generators, classes, accessors and `await`.

They extend those of `javascript_programs`. Iterators log when they are opened, advanced and closed, and may throw then;
operands log when they are evaluated. Generators are driven by ``next``, ``throw`` and ``return``.
"""

from __future__ import annotations

from collections.abc import Callable

from testing.javascript_programs import NAMES, Program

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


class EffectProgram(Program):
    """Writes one random program. `can_yield` and `can_await` say what the open function permits."""

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
        calls = ", ".join(
            f"['{self.random.choice(['next', 'next', 'next', 'return', 'throw'])}', {self.atom()}]"
            for _ in range(self.random.randrange(2, 6))
        )
        start = f"f{number}({', '.join(self.expression(3) for _ in range(3))})"
        driver = "await driven" if "async" in kind else "drive"
        names = "let a = 1, b = 'x', c = [2], d, e = null, f = true;"
        return (
            f"fuel = 300; {{ {names} try {{ {driver}({start}, [{calls}]); }} catch (error) {{ log(shown(error)); }} }}"
        )

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
        writers: list[Callable[[], str]] = [self._iteration, self._object, self._class, self._order]
        writers += [self._yield] * 4 * self.can_yield + [self._await] * 3 * self.can_await
        text = self.random.choice(writers)()
        self.depth -= 1
        return text

    def _iterator(self) -> str:
        return f"it({self.random.randrange(4)}, {self.random.randrange(8)})"

    def _iteration(self) -> str:
        one, two = self.random.sample(NAMES, 2)
        if self.random.random() < 0.5:
            label, source = self._label(), self._iterator()
            body = f"if (fuel-- < 0) break; {two} = x{self.counter}; {self._inside(label, True)}"
            return f"{label}: for (const x{self.counter} of {source}) {{ {body} }}"
        value = self._iterator()
        return self.random.choice(
            [
                f"[{one}, {two} = {self.expression(2)}] = {value};",
                f"[{one}, , ...{two}] = {value};",
                f"{one} = [...{value}, {self.expression(2)}];",
                f"{one} = Math.max({self.expression(3)}, ...{value});",
                f"{{ const [own = {self.expression(2)}, [{two}] = {value}] = {self._iterator()}; {one} = own; }}",
                f"for (const [own, {two}2 = {two}] of [{value}]) {{ {one} = [own, {two}2]; {self.block(1)} }}",
            ]
        )

    def _object(self) -> str:
        one, two = self.random.sample(NAMES, 2)
        members = [
            f"get p() {{ return t('get', {self.expression(3)}); }}",
            f"set p(v) {{ log('set', v); {one} = v; }}",
            f"m(x) {{ {two} = x; return this === o; }}",
            f"[t('key', 'q')]: {self.expression(2)}",
            f"...{{ r: {self.expression(2)} }}",
            f"s: () => {one}",
            "__proto__: { u: 1, get w() { return this.q; } }",
        ]
        chosen = self.random.sample(members, self.random.randrange(2, 6))
        if chosen[0].startswith("..."):  # V8 would put accessors after all properties, against the standard
            chosen.append(chosen.pop(0))
        uses = [
            f"o.p += {self.expression(2)};",
            f"{two} = o.p++;",
            f"{two} = o.m?.({self.expression(2)});",
            f"{one} = o?.s?.();",
            f"{one} = delete o[t('k', 'q')];",
            f"o[t('k', 'p')] ??= {self.expression(2)};",
            f"({{ q: {one}, ...{two} }} = o);",
            f"for (const k in o) {{ {one} = k; {self.block(1)} }}",
            f"{two} = [o.u, o.w, 'q' in o, Object.keys(o)];",
        ]
        return f"{{ const o = {{ {', '.join(chosen)} }}; {' '.join(self.random.sample(uses, 3))} }}"

    def _class(self) -> str:
        self.counter += 1
        one, two = self.random.sample(NAMES, 2)
        name, base = f"C{self.counter}", f"B{self.counter}"
        members = [
            f"#own = {self.expression(3)}; get own() {{ return this.#own; }} set own(v) {{ this.#own = v; }}",
            f"static s = t('static', {self.expression(3)});",
            f"x = t('field', {self.expression(3)});",
            f"static {{ {one} = this.name; }}",
            f"m(x) {{ return [super.m?.(x), {two}]; }}",
            f"[t('name', 'n')]() {{ {two} = {name}; return new.target; }}",
            f"static make() {{ return new this({self.expression(3)}); }}",
            f"constructor(x) {{ if (t('before', x)) {two} = x; super(x); this.y = x; }}",
            "constructor(...xs) { super(...xs); return xs.length > 1 ? { z: 1 } : undefined; }",
        ]
        chosen = self.random.sample(members, self.random.randrange(2, 6))
        if sum(each.startswith("constructor") for each in chosen) == 2:
            chosen = [each for each in chosen if "..." not in each]
        uses = [
            f"{one} = new {name}({self.expression(2)});",
            f"{two} = [new {name}().x, {name}.s, {name}.name, {name}.length];",
            f"{one} = {name}.make?.()?.m?.({two});",
            f"{{ const o = new {name}(2, 3); o.own = o.own + 1; {two} = [o.own, o.y, o.n?.() === undefined]; }}",
            f"try {{ {name}(); }} catch (error) {{ {one} = error.name; }}",
        ]
        start = f"class {base} {{ constructor(b) {{ this.b = b; }} m(x) {{ return [x, this.b]; }} }}"
        body = " ".join(self.random.sample(uses, 2))
        return f"{{ {start} class {name} extends {base} {{ {' '.join(chosen)} }} {body} }}"

    def _order(self) -> str:
        one, two = self.random.sample(NAMES, 2)
        operands = [f"t('o{number}', {self.expression(3)})" for number in range(3)]
        return self.random.choice(
            [
                f"{one} = [{operands[0]}, {two} = {operands[1]}, {two}, {operands[2]}];",
                f"{one} = {{ p: {two}, q: {two} = {operands[0]}, [{operands[1]}]: {two} }};",
                f"{one} = ((x, y) => [x, y, {two}])({two}, ({two} = {operands[0]}), {operands[1]});",
                f"{one} = {two} + ({two} = {operands[0]}) + {two};",
                f"{one} = `${{typeof {two}}}${{String({two} = {operands[0]})}}${{typeof {two}}}`;",
                f"try {{ ({operands[0]}).p.q = {operands[1]}; }} catch (error) {{ {one} = shown(error); }}",
                f"try {{ {one} = {operands[0]}.m({operands[1]}); }} catch (error) {{ {one} = shown(error); }}",
                f"try {{ {one} = [{operands[0]}, {two} = {operands[1]}, t.x.y]; }} finally {{ {one} = [{two}]; }}",
            ]
        )

    def _yield(self) -> str:
        one, two = self.random.sample(NAMES, 2)
        return self.random.choice(
            [
                f"{one} = yield {self.expression(2)};",
                f"{one} = [{two}, yield {self.expression(3)}, {two}, yield];",
                f"{one} = yield* {self._iterator()};",
                f"[{one} = yield 'default', {two}] = {self._iterator()};",
                f"try {{ {one} = yield {two}; }} finally {{ {self.block(1)} {two} = yield 'finally'; }}",
                f"try {{ yield {one}; }} catch (error) {{ {two} = shown(error); yield {two}; }}",
                f"for (const x of {self._iterator()}) {{ if (fuel-- < 0) break; {one} = yield x; {self.block(1)} }}",
            ]
        )

    def _await(self) -> str:
        one, two = self.random.sample(NAMES, 2)
        return self.random.choice(
            [
                f"{one} = await {self.expression(2)};",
                f"{one} = [{two}, await {self.expression(3)}, {two}, await null];",
                f"try {{ await Promise.reject({self.expression(2)}); }} catch (error) {{ {one} = shown(error); }}",
                f"try {{ {one} = await {two}; {self.block(1)} }} finally {{ {two} = await {one}; }}",
                f"for (const x of {self._iterator()}) {{ if (fuel-- < 0) break; {one} = await x; {self.block(1)} }}",
                f"{one} = (async () => {{ await 1; log('later', {two}); }})().then(() => 5);",
            ]
        )
