// Programs, each with what it tests. They log values; a conversion to CPS and back logs the same.

// ---- loops, and variables that they assign
function gcd(a, b) { while (b) { const t = a % b; a = b; b = t; } return a; }
log(gcd(48, 36), gcd(17, 5));
function sum(n) { let s = 0; for (let i = 0; i < n; i++) { if (i === 2) continue; if (i > 6) break; s += i; } return s; }
log(sum(5), sum(100));
let i = 0; do { i += 3; } while (i < 10); log(i);
outer: for (let a = 0; a < 5; a++) { for (let b = 0; b < 5; b++) { if (b === 3) continue outer; if (a === 3) break outer; log(a * 10 + b); } }
block: { log("in"); if (i) break block; log("not"); } log("out");
var fib = function (n) { var a = 0, b = 1, t; while (n-- > 0) { t = a + b; a = b; b = t; } return a; }; log(fib(30));
for (var x = 0, y = 9; x < y; x++, y--); log(x, y);
for (;;) { if (i-- < 5) break; } log(i);
while (true) { while (true) { if (i > 20) break; i++; } if (i > 20) break; } log(i);

// ---- swaps, lost copies and parallel assignments
function swap(n) { let a = 1, b = 2, c = 3; for (let i = 0; i < n; i++) { [a, b, c] = [b, c, a]; } return [a, b, c]; }
log(swap(1), swap(2), swap(3));
function lost(n) { let x = 1, y = 0; do { y = x; x = x + 1; } while (x < n); return y; }
log(lost(10));
function rotate(n) { let a = 1, b = 2; while (n--) { const t = a; a = b; b = t; } return a * 10 + b; }
log(rotate(3));

// ---- switch: fall through, default in the middle, breaks in loops, lexical variables
function kind(x) { let r = ""; switch (x) { case 1: r += "one "; case 2: r += "two "; break; default: r += "other "; case 3: r += "three "; } return r; }
log(kind(1), kind(2), kind(3), kind("1"), kind());
function states(s) { let n = 0; for (const c of s) { switch (c) { case "a": n++; continue; case "b": { n += 10; break; } case "c": return n; default: n += 100; } n += 1000; } return n; }
log(states("aab"), states("abxc"), states(""));
function lexical(x) { switch (x) { case 0: let y = 1; return () => y; case 1: try { y; } catch (e) { return e.name; } default: y = 2; return y; } }
log(lexical(0)(), lexical(1)); try { lexical(2); } catch (e) { log(e.name); }
switch (log("value"), 3) { case log("first"): case (log("second"), 3): log("body"); case log("not evaluated"): }
switch (1) { }
switch (2) { default: log("only default"); }

// ---- short circuits and conditional expressions
const t = (x) => (log("t" + x), x);
log(t(0) && t(1), t(1) && t(2), t(0) || t(3), t(4) || t(5), t(null) ?? t(6), t(0) ?? t(7));
if (t(1) && (t(0) || !t(0))) log("yes"); else log("no");
if (!(t(1) || t(2)) || t(3) && !t(0)) log("both");
log(t(0) ? t(1) : t(2) ? t(3) : t(4));
let a = null, b = 0, c = 1; a ??= t(8); b ||= t(9); c &&= t(10); a ??= t(11); b ||= t(12); log(a, b, c);
const o = { p: null, q: 1 }; o.p ??= t(13); o.q ??= t(14); o["q"] &&= t(15); log(o.p, o.q);
while (t(b--) > 7 && t(1)); log(b);

// ---- operators, conversions and updates
log(1 + "2", "3" * "4", [] + {}, [1, 2] + 3, null + 1, undefined + 1, true + true, "b" + "a" + +"a" + "a");
log(1 < 2 < 3, 3 > 2 > 1, "10" < "9", 10 < "9", null >= 0, undefined == null, NaN == NaN, "1" == 1, [1] == 1);
log(7 / 2, -7 % 3, 2 ** 10, 2 ** -1, (-2) ** 2, 1 << 33, -1 >>> 28, -9 >> 1, 5 & 3, 5 | 3, 5 ^ 3, ~5, !5, -"5", +true);
log(typeof 1, typeof "s", typeof undefined, typeof null, typeof {}, typeof log, typeof 1n, typeof Symbol(), typeof undeclared);
log(10n ** 20n, 7n / 2n, -(3n), typeof (1n + 2n), 0x1F, 0b101, 0o17, 1_000, 1e21, .5, 0.1 + 0.2, 1e400, -0);
let n = "5"; log(n++, n, --n, n--); let big = 1n; big++; log(big); let f = 0.1; log(f++, f);
log("a" in { a: 1 }, [] instanceof Array, void 0, (1, 2, 3), delete { a: 1 }.a);
let s = "x"; s += 1; s += null; log(s); let m = 17; m %= 5; m **= 3; m <<= 2; m >>>= 1; m ^= 5; m |= 8; m &= 13; m -= 1; m *= 3; m /= 2; log(m);
log([, 1, , 2, ,].length, 1 in [, 1], 0 in [, 1], [...[1, 2], 3, ...["x", "y"]]);
log('quo"te', "it's", "\x41\u0042\u{43}\u{1F600}\n\t\\\0", "line \
continued", `a${1}b${"c"}${`nested ${2}`}\n`, "\u2028");

// ---- order of evaluation
const trace = (name, value) => (log(name), value);
const obj = { get p() { return trace("get p", 1); }, set p(v) { log("set p", v); }, m(...xs) { log("call m", ...xs); return this === obj; } };
log(trace("obj", obj)[trace("key", "m")](trace("a1", 1), trace("a2", 2)));
trace("target", obj)[trace("key", "p")] = trace("value", 3);
trace("target", obj).p += trace("right", 4); trace("t2", obj).p++; --trace("t3", obj).p;
log(trace("l", 1) + trace("m", 2) * trace("r", 3)); log(trace("l", 1) < trace("r", 2));
let v = 1; log(v + (v = 5) + v, [v, v = 2, v++, v], v);
function order(x) { const before = x; const r = before + (x = 10) + x; return [before, x, r]; } log(order(1));
const conv = { valueOf() { log("valueOf"); return 3; }, toString() { log("toString"); return "s"; } };
log(conv * trace("other", 2), `${conv}${trace("hole", 1)}`, conv + "", { [conv]: 1 }, conv > 2);
log(new (trace("class", class { constructor(...a) { this.a = a; } }))(trace("arg", 1), ...trace("spread", [2, 3]), trace("last", 4)).a);
try { null[trace("key", 1)]; } catch (e) { log(e.name); } try { undefined.x = trace("rhs", 1); } catch (e) { log(e.name); }
const counted = (() => { let n = 0; return () => ++n; })(); log([counted(), counted(), { a: counted(), b: counted() }, counted()]);
let w = 0; const ww = [w++, w++, w]; log(ww, (w = 4, w) * w, w-- - w--);

// ---- optional chains
const deep = { a: { b: (x) => x + 1, c: null }, f() { return this.a; } };
log(deep?.a?.b?.(1), deep.x?.y.z.w, deep.a.c?.[log("not evaluated")], deep?.["a"].b(2), deep.f?.().b(3), deep.g?.(log("no")));
log((deep?.x)?.y, null?.x, (() => null)()?.(1), delete deep?.a.c, delete deep.q?.z, "c" in deep.a);
try { deep.x?.y; deep.x.y; } catch (e) { log(e.name); }
const chain = (o) => o?.p.q?.r ?? "none"; log(chain(), chain({ p: {} }), chain({ p: { q: { r: 5 } } }));

// ---- destructuring
const { a, b: { c = 5, ...d } = {}, ...rest } = { a: 1, b: { e: 2, f: 3 }, g: 4, h: 5 }; log(a, c, d, rest);
const [x, , y = 7, [z] = [8], ...others] = [1, 2, undefined, undefined, 5, 6]; log(x, y, z, others);
let p, q; [p, q] = [1, 2]; [p, q] = [q, p]; ({ p, q: q = 9, ["p" + "p"]: p = 3 } = { p: 4 }); log(p, q);
const target = {}; [target.x, target["y"], ...target.z] = "abcd"; ({ k: target.k, ...target.r } = { k: 1, l: 2 }); log(target);
function params({ a = 1, b } = {}, [c, d = a] = [], e = c ?? d, ...more) { return [a, b, c, d, e, more]; }
log(params(), params({ b: 2 }, [3]), params({ a: 5 }, [], undefined, 6, 7), params.length);
const closing = { [Symbol.iterator]() { let n = 0; return { next() { log("next", n); return { value: n++, done: n > 3 }; }, return() { log("return"); return {}; } }; } };
{ const [one] = closing; const [] = closing; const [...all] = closing; log(one, all); }
try { let q2; [q2 = (() => { throw "default"; })()] = { [Symbol.iterator]() { return { next() { return { done: false }; }, return() { log("closed"); } }; } }; } catch (e) { log(e); }
try { const { x } = null; } catch (e) { log(e.name); } try { const [x] = {}; } catch (e) { log(e.name); }
for (const { a, b = a } of [{ a: 1 }, { a: 2, b: 3 }]) log(a, b); for (const [k, v] of Object.entries({ x: 1, y: 2 })) log(k, v);
for ([target.i] of [[1], [2]]) log(target.i); for (target.key in { m: 1, n: 2 }) log(target.key);

// ---- lists that are taken apart at once: order, names, numbers of elements, and values of assignments
{ const t = (n, v) => (log(n), v), o = {}; [t(1, o).x, [t(2, o).y] = [], o[t(3, "z")] = t(4, 5)] = [t(5, 6), [t(7, 8)], t(6)]; log(o, o.w = [o.x] = [3, 4], o.x); }
{ let a = 1, b = 2, c, f; [a, b, c] = [b, a]; log(a, b, c); [f] = [() => 1, log("further")]; log(f.name); const [g, { h } = { h: 2 }] = [function () {}]; log(g.name, h); try { [a, null.x, b] = [7, 8, 9]; } catch (e) { log(e.name, a, b); } }

// ---- closures: values, cells, and new cells in each iteration
function counter(start = 0) { let n = start; return { inc: () => ++n, dec() { return --n; }, get: () => n }; }
const c1 = counter(), c2 = counter(10); c1.inc(); c1.inc(); c2.dec(); log(c1.get(), c2.get());
const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); log(fs.map((f) => f()));
const gs = []; for (let i = 0; i < 3; i++) { gs.push(() => i++); i += 0; } log(gs.map((g) => g() + g()));
const hs = []; for (var j = 0; j < 3; j++) hs.push(() => j); log(hs.map((h) => h()));
const ks = []; for (const k of [1, 2, 3]) { let sq = k * k; ks.push(() => [k, sq]); if (k === 2) sq = 0; } log(ks.map((k) => k()));
const ls = []; let outerValue = 0; while (outerValue < 3) { const own = outerValue; let later = own; ls.push(() => own * 10 + later); later++; outerValue++; } log(ls.map((l) => l()));
function after(x) { const f = () => x; x = 2; return f(); } function before(x) { x = 2; const f = () => x; return f(); } log(after(1), before(1));
function nested() { let a = 1; const f = () => { const g = () => a++; return g; }; f()(); return a; } log(nested());
function loopHead(n) { let acc = [], x = 0; while (x < n) { x = x + 1; acc.push(() => x); } return acc.map((f) => f()); } log(loopHead(3));
function frozen(n) { const fs = []; let x = 0; for (let i = 0; i < n; i++) { const y = x; fs.push(() => y + i); x += 10; } return fs.map((f) => f()); } log(frozen(3));
const compose = (...fs) => (x) => fs.reduceRight((a, f) => f(a), x); log(compose((x) => x + 1, (x) => x * 2)(5));
const Y = (f) => ((x) => x(x))((x) => f((y) => x(x)(y))); log(Y((f) => (n) => (n ? n * f(n - 1) : 1))(6));
const fact = (n) => (n < 2 ? 1 : n * fact(n - 1)); log(fact(5)); const even = (n) => n === 0 || odd(n - 1), odd = (n) => n !== 0 && even(n - 1); log(even(10), odd(7));
log((function self(n) { return n ? self(n - 1) + n : typeof self; })(2)); const anon = function () { return 1; }; log(anon.name, (() => 1).name, fact.name, (function named() {}).name, { m() {} }.m.name, { f: () => 1 }.f.name, ({ ["c" + 1]: () => 2 }).c1.name);

// ---- hoisting and the temporal dead zone
log(hoisted(), typeof v1, v1); var v1 = 1; function hoisted() { return typeof inner; var inner = 2; }
try { early; } catch (e) { log(e.name); } let early = 1; log(early);
try { useLater(); } catch (e) { log(e.name); } let later = 3; function useLater() { return later; } log(useLater());
{ try { (() => inBlock)(); } catch (e) { log(e.name); } const inBlock = 1; log(inBlock); }
{ try { x = 1; } catch (e) { log(e.name); } let x; log(x); } try { let self = self + 1; } catch (e) { log(e.name); }
function shadow(a) { var a; { let a = 2; { let a = 3; log(a); } log(a); } return a; } log(shadow(1));
function both() { return f(); function f() { return 1; } function f() { return 2; } } log(both());
try { (function (a = b, b) {})(); } catch (e) { log(e.name); } (function (a, b = a, c = () => b) { b = 5; log(a, b, c()); })(1);
const constant = 1; try { constant = 2; } catch (e) { log(e.name, constant); } for (const k of [1]) { try { k++; } catch (e) { log(e.name); } }
if (true) { function inIf() { return "in if"; } } log(inIf()); log(typeof notYet); { function notYet() {} } log(typeof notYet);
function mutual(n) { return isEven(n); function isEven(n) { return n === 0 || isOdd(n - 1); } function isOdd(n) { return n !== 0 && isEven(n - 1); } } log(mutual(7));
(function (x, f = () => x) { var x; log(x); x = 2; log(x, f()); })(1); function dup(a, a) { return a; } log(dup(1, 2));
var g1 = 1; { let g1 = 2; (() => log(g1))(); } log(g1); try { undeclared1 = 1; log(undeclared1); delete globalThis.undeclared1; } catch (e) { log(e.name); }

// ---- exceptions: catch, finally, and values at the point of the throw
function point(f) { let x = 1; try { x = 2; f(x); x = 3; f(x); x = 4; } catch (e) { return [x, e]; } return x; }
log(point(() => 0), point((x) => { if (x === 3) throw "three"; }), point((x) => { if (x === 2) throw "two"; }));
function fin(f) { const l = []; try { l.push("try"); f(); return l; } catch (e) { l.push(e); return l; } finally { l.push("finally"); } }
log(fin(() => 0), fin(() => { throw "thrown"; }));
function override() { try { return "try"; } finally { return "finally"; } } log(override());
function swallow() { for (;;) { try { throw 1; } finally { break; } } return "swallowed"; } log(swallow());
function continued() { let s = ""; for (let i = 0; i < 4; i++) { try { if (i === 1) continue; if (i === 3) break; s += i; } finally { s += "f"; } } return s; } log(continued());
function nestedFinally() { const l = []; a: try { try { l.push(1); break a; } finally { l.push(2); } } finally { l.push(3); } try { try { throw 1; } finally { l.push(4); } } catch (e) { l.push("c" + e); } return l; } log(nestedFinally());
function kept() { let x = 1; try { return x; } finally { x = 2; } } log(kept()); function late() { let x = 1; try { x = 2; throw x; } catch { x += 10; } finally { x += 100; } return x; } log(late());
try { try { throw new Error("inner"); } catch ({ message }) { throw new TypeError(message + "!"); } finally { log("between"); } } catch (e) { log(e instanceof TypeError, e.message); }
function rethrow(v) { try { if (v) throw v; return "none"; } catch (e) { if (e !== 1) throw e; return "one"; } } log(rethrow(0), rethrow(1)); try { rethrow(2); } catch (e) { log(e); }
const risky = { get p() { throw "getter"; } }; let state = 0; try { state = 1; state = risky.p; state = 2; } catch (e) { log(e, state); }
function loopThrow(xs) { let n = 0, last; for (const x of xs) { try { n += x(); last = n; } catch (e) { last = e; continue; } } return [n, last]; } log(loopThrow([() => 1, () => { throw "E"; }, () => 5]));
try { undefinedFunction(); } catch (e) { log(e.name); } function catchParam(e) { try { throw 1; } catch (e) { var e = 2; } return e; } log(catchParam(0));
function deepThrow(n) { if (n === 0) throw "deep"; try { return deepThrow(n - 1); } finally { state++; } } try { deepThrow(3); } catch (e) { log(e, state); }
label: try { log("in"); break label; } finally { log("fin"); } function returnInLoop() { while (true) { try { return "r"; } finally { log("leaving"); } } } log(returnInLoop());

// ---- iterators are closed, and keys enumerated
const iterable = (n, l = []) => ({ l, [Symbol.iterator]() { let i = 0; return { next() { return { value: i++, done: i > n }; }, return() { l.push("closed at " + i); return {}; } }; } });
const it1 = iterable(5); for (const x of it1) if (x === 2) break; log(it1.l); const it2 = iterable(2); for (const x of it2); log(it2.l);
const it3 = iterable(5); try { for (const x of it3) if (x === 1) throw "out"; } catch (e) { log(e, it3.l); }
const it4 = iterable(5); log((() => { for (const x of it4) if (x === 3) return x; })(), it4.l);
const it5 = iterable(3), it6 = iterable(3); a: for (const x of it5) for (const y of it6) if (x + y > 2) break a; else if (y > 0) continue a; log(it5.l, it6.l);
try { for (const x of 5); } catch (e) { log(e.name); } for (const c of "h\u{1F600}i") log(c); for (const x of new Set([1, 2])) log(x);
for (const k in { b: 1, a: 2, 1: 3 }) log(k); for (const k in "ab") log(k); for (const k in null) log(k); for (const k in Object.create({ inherited: 1 })) log(k);
const shrinking = { a: 1, b: 2, c: 3 }; for (const k in shrinking) { log(k); delete shrinking.b; } let key = "none"; for (key in { z: 1 }); log(key);

// ---- this, arguments, new and calls
log(new.target, (() => new.target)(), typeof this); if (this.b) log("no"); for (const x of [1, 2]) log(this === globalThis, x);
function sloppy() { return this === globalThis; } log(sloppy(), (0, sloppy)()); function strict() { "use strict"; return this; } log(strict(), strict.call(5));
const o = { f() { return this; }, g: () => typeof this, h() { return (() => this)(); } }; log(o.f() === o, (0, o.f)() === globalThis, (o.f)() === o, o.h() === o);
function args() { return [arguments.length, ...arguments]; } log(args(1, 2, 3), args()); function arrowArgs() { return (() => arguments[0])(9); } log(arrowArgs("outer"));
function mapped(a) { arguments[0] = 5; const r = [a]; a = 6; return [...r, arguments[0]]; } log(mapped(1)); function strictArgs(a) { "use strict"; arguments[0] = 5; return a; } log(strictArgs(1));
function Point(x, y) { if (!new.target) return new Point(x, y); this.x = x; this.y = y; } Point.prototype.sum = function () { return this.x + this.y; }; log(Point(1, 2).sum(), new Point(3, 4).sum(), Point(1, 2) instanceof Point);
function Other() { return { own: 1 }; } log(new Other().own, new Date(0).getTime(), new (class { get q() { return 2; } })().q); log(Math.max(...[1, 5, 3]), log.call.name, [1, 2, 3].map(String));
log(parseInt("12px"), [3, 1, 2].sort((a, b) => a - b), JSON.stringify({ a: [1, { b: 2 }] })); const { max } = Math; log(max(1, 2)); (function () { this.inner = 1; }).call(o); log(o.inner);
function defaults(a, b = a + 1, c = this === undefined) { return [a, b, c, arguments.length]; } log(defaults(1), defaults.length); Function.prototype.twice = 1; log(args.twice); delete Function.prototype.twice;

// ---- classes
class A { static count = 0; #secret = 42; x = this.constructor.name; constructor(n) { this.n = n; A.count++; } get secret() { return this.#secret; } set secret(v) { this.#secret = v; } static make(...a) { return new this(...a); } m() { return "A.m " + this.n; } ["computed" + 1]() { return 1; } static { this.ready = true; } static isA(o) { return #secret in o; } #private() { return "private"; } callPrivate() { return this.#private(); } }
class B extends A { y = super.m ? "has m" : "none"; constructor(n) { super(n); this.extra = () => super.m() + "!"; } m() { return "B." + super.m(); } get secret() { return super.secret + 1; } static make(n) { return super.make(n * 2); } }
const a = new A(1), b = B.make(5); log(a.m(), b.m(), b.extra(), a.secret, b.secret, A.count, b.x, b.y, A.ready, A.isA(b), A.isA({}), a.callPrivate(), a.computed1());
a.secret = 7; log(a.secret, b instanceof A, B.name, A.name, (class {}).name, typeof A, Object.getOwnPropertyNames(A.prototype)); const C = class { static who() { return C.name; } }; log(C.who(), new (class extends C {})() instanceof C);
try { new (class extends A { constructor() { this.x = 1; super(); } })(); } catch (e) { log(e.name); } try { A(); } catch (e) { log(e.name); } class D extends Array { last() { return this[this.length - 1]; } } log(D.from([1, 2, 3]).last(), new D().length); try { class E2 extends E2 {} } catch (e) { log(e.name); }
function make(base, captured) { return class extends base { value() { return captured++; } again() { return captured; } }; } const M = make(Object, 5), mm = new M(); mm.value(); log(mm.again()); class Z { static a = 1; static b = Z.a + 1; field = () => this; } log(Z.b, new Z().field() instanceof Z);

// ---- `super` is called in arrow functions, names and calls are deleted
class Base { constructor(v) { this.v = v; log("base", v); } get who() { return "base " + this.v; } } class Sub extends Base { f = "field"; constructor(k) { const s = (v) => super(v); if (k === 0) log(s(1).v); else if (k === 1) (() => () => super(...[2]))()(); const g = () => this; log(s.length, g().v, this.f, (() => super.who)()); if (k === 2) s(3); } }
for (const k of [0, 1, 2]) try { log(new Sub(k).v, k); } catch (e) { log(e.name, k); } class Late extends Base { constructor(x = () => this, y = super("default")) { log(x().v, y.v); [0].forEach(() => log(this.v)); } } new Late();
class Retry extends Base { constructor() { try { this.x; } catch (e) { log(e.name); (() => { super("retried"); })(); } } } log(new Retry().who); class Own extends Base { constructor() { const s = () => super("own"); return (() => (s(), { other: this.v }))(); } } log(new Own().other);
function deleting(p) { var v = 1; const r = [delete v, delete p, delete arguments, delete deleting, delete (() => 1)(), delete this, delete 5, delete (v, p)]; return [...r, v, p]; } log(deleting(7)); globalThis.gone = 1; log(delete gone, typeof gone, delete neverDeclared); try { delete missing().x; } catch (e) { log(e.name); }

// ---- objects
const spaced = { "a b": class { static s = 1; m() { return this; } }, "c'd": class {} }; log(spaced["a b"].name, spaced["c'd"].name, new spaced["a b"]().m().constructor.name);
const proto = { greet() { return "hi " + this.name; } }; const ob = { __proto__: proto, name: "n", ["k" + 1]: 1, 2: "two", "with space": 3, ...{ s: 1, t: 2 }, get double() { return this.s * 2; }, set double(v) { this.s = v; }, *gen() { yield this.name; }, async am() { return 1; }, nested: { deep: [1, { x: 2 }] } };
ob.double = 10; log(ob.greet(), ob, ob.double, [...ob.gen()], Object.keys(ob), Object.getPrototypeOf(ob) === proto); const sup = { __proto__: proto, greet() { return super.greet() + "!"; }, name: "s" }; log(sup.greet());
const e = { a: 1, a: 2, ...null, ...[7] }; log(e, { e }.e === e, { "x-y": 1 }["x-y"]); const tagged = (s, ...v) => [s.raw.join("|"), s.join("|"), v, Object.isFrozen(s)]; log(tagged`a${1}\n${2}c`, tagged`\u{41}`); const site = () => ((s) => s)`x`; log(site() === site());
log(/a(b+)c/gi.exec("xABBc")[1], /[/]\/(?<n>x)/.source, "a-b-c".replace(/-/g, (m, i) => i)); log([..."ab"].entries().next().value, Object.entries({ a: 1 }).flat()); try { Object.freeze(ob).name = 1; log("silent", ob.name); } catch (e) { log(e.name); } (function () { "use strict"; try { ob.name = 1; } catch (e) { log(e.name); } })(); log(delete ob.name);

// ---- generators
function* count(n) { for (let i = 0; i < n; i++) { const sent = yield i; if (sent) log("sent", sent); } return "end"; } const g = count(3); log(g.next(), g.next("a"), g.next(), g.next(), g.next());
function* delegate() { const r = yield* count(2); log(r); yield* [7, 8]; } log([...delegate()]); const infinite = function* () { let [a, b] = [0, 1]; while (true) { yield a; [a, b] = [b, a + b]; } }; const firsts = []; for (const x of infinite()) { if (x > 20) break; firsts.push(x); } log(firsts);
function* caught() { while (true) { try { yield 1; } catch (e) { log("caught", e); yield 2; } } } const cg = caught(); cg.next(); log(cg.throw("E"), cg.next(), cg.return(9), cg.next()); const og = { *[Symbol.iterator]() { yield 1; yield this === og; } }; log([...og]);

// ---- await before parentheses, which is no call
const waiting = async (f, x) => [await (0, f)(x), await (x), (await (f)(2)).constructor.name, await f(3)]; log(typeof waiting(String, 1).then, waiting.constructor.name); (async () => { const await_ = 1; log(await_); })();

// ---- asynchronous iterators are awaited, and closed
const later = (n, name, end) => ({ [Symbol.asyncIterator]() { let i = 0; return { next: () => (log(name, "next"), Promise.resolve({ value: i++, done: i > n })), return: end && (() => (log(name, "closed at " + i), end())) }; } });
const done = async () => ({}), each = async (xs, f) => { try { for await (const x of xs) { const r = f(x); if (r === "stop") break; if (r) return r; } return "end"; } catch (e) { return e; } };
(async () => { log(await each(later(2, "a", done), () => 0), await each(later(3, "b", done), (x) => x && "stop"), await each(later(3, "c"), (x) => x && "r" + x), await each(later(3, "d", done), () => { throw "E"; })); log((await each(later(3, "e", async () => 1), () => "stop")).name, await each(later(3, "f", () => { throw "F"; }), () => { throw "G"; }), (await each(5, log)).name); })();
(async () => { log(await each([1, Promise.resolve(2)], log), await each([3, Promise.reject("R")], log), (await each({ [Symbol.asyncIterator]: () => ({ next: () => 1 }) }, log)).name); const t = [], k = {}; for await (k.x of "ab") t.push(k.x, () => t.length); log(t.length, t[1]()); outer: for (const x of [1, 2]) for await (const y of later(3, "g", done)) { log(x, y); if (y) continue outer; } })();
(async () => { for await (const x of later(2, "slow", done)) log("turn", x); })(); (async () => { for (let i = 0; i < 12; i++) { await 0; log("tick", i); } })(); (async () => { const s = { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), return: () => (log("freed"), {}) }) }; for await (const x of s) { log(x); break; } })();

// ---- objects and arrays that closures capture, each created once
const counter1 = () => { const c = { n: 0 }; return () => ++c.n; }; const c1 = counter1(); c1(); log(c1(), counter1()()); const pushed = () => { const c = []; return (x) => { c.push(x); return c; }; }; const pu = pushed(); pu(1); log(pu(2), pu(3) === pu(4));
const memo = (f) => { const c = {}; return (x) => (c[x] ??= f(x)); }; let calls = 0; const square = memo((x) => (calls++, x * x)); log(square(3), square(3), calls); const made = {}; for (const i of [1, 2]) { const p = {}; made[i] = () => p; } log(made[1]() === made[1](), made[1]() === made[2]());
const kept = () => { const c = [1]; return { m() { return c; }, get g() { return c; }, f: function () { return c; } }; }; const k = kept(); log(k.m() === k.m(), k.g === k.m(), k.f() === k.g); const inClass = () => { const c = {}; return class { static s = c; f = c; m() { return c; } }; }; const K = inClass(); log(new K().f === new K().f, K.s === new K().m(), new K().m() === new K().m());
const awaiting = () => { const c = {}; return async () => c; }; const w = awaiting(); (async () => log((await w()) === (await w())))(); const nested = () => { const c = []; return () => () => c; }; const n2 = nested(); log(n2()() === n2()()); const generating = () => { const c = []; return function* () { yield c; yield c; }; }; const [y1, y2] = generating()(); log(y1 === y2);
const extended = () => { try { const c = [1, ...[2]], o = { ...{ a: 1 } }; return class { static c = c; static o = () => o; }; } catch {} }; const X = extended(); log(X.o() === X.o(), X.c); let pl = 1; const late = () => { const c = [pl++]; const f = () => c; pl = 10; return [f() === f(), c]; }; log(late());
try { const c = [], ob = { m() { return [c, super.toString === Object.prototype.toString]; }, get g() { return c; }, async *[c.length + "k"]() { yield c; } }; log(ob.m()[0] === ob.g, ob.m()); log(Object.keys(ob)); } catch (e) { log("no", e); }

// ---- names: escapes, words of other contexts, and `undefined`
var \u0061bc = 1; abc++; log(abc, \u{61}bc, { \u0061: 2 }.a, ({ a: 3 }).\u0061); \u0061bel: for (;;) { break abel; } { var yield = 5, let = 6, static = 7, await = 8; log(yield, let, static, await); }
function words(a, b) { var yield = a, await = b, static = (await) + (yield), get = 1, of = 2, async = 3; return [static, get, of, async, (let) => let]; } log(words(1, 2)); undefined = 1; log(undefined); (function () { "use strict"; try { undefined = 1; } catch (e) { log(e.name); } })(); function shadow(undefined) { const f = () => undefined; undefined++; return [undefined, f(), typeof undefined]; } log(shadow(5)); { let undefined = 3; log(undefined, [undefined]); }
{ let
html = 1; log(html <!--html
  , html --> 0); { html: for (;;) break html } }

// ---- `this` and `arguments` in closures
function outer() { "use strict"; const self = this, args = arguments, made = new.target; return [function () { return [self, args[0], made]; }, { m() { return self; } }, class { m() { return args.length; } f = self; }, () => [self, args[1]]]; }
const [f1, o1, C1, a1] = outer.call("s", 1, 2); log(f1.call("t", 3), o1.m(), new C1().m(4, 5, 6), new C1().f, a1(7));

// ---- names of classes inside them
{ const K = (x) => "outer" + x, L = K; { class K { static make() { return [new K().m(), L(1)]; } m() { return L(2); } } log(K.make(), K.name, L.name); } }
{ class A { n() { return 1; } } const B = A; { class A extends B { n() { return super.n() + 1; } static again() { return new A().n(); } } log(A.again(), new B().n()); } }

// ---- names of classes that functions in their heads use, and that are other words elsewhere
(() => {
  for (let i = 0; i < 2; i++) {
    const fs = [];
    class undefined { m() { return undefined; } static t = undefined.name; }
    const c = class await { m() { return await.name; } };
    const d = class A { [(fs.push(() => A), i)] = 2; static s = A; };
    class E extends (fs.push(() => E), c) { e() { return E.k + super.m(); } static k = E.name; }
    log(fs.map((f) => f().name), new undefined().m() === undefined, undefined.t, c.name, new c().m(), d.s === d, new E().e());
  }
  try { class B { static [(() => B)()] = 1; } } catch (e) { log(String(e)); }
})();

// ---- methods whose objects or arguments are computed before
function methods(f, xs) { const set = new Set(), found = []; let i = 0; while (i < xs.length) { const x = xs[i], y = f(x); if (set.add(y).size > i) found.push(x); i++; } return found; }
log(methods((x) => -x, [1, 2]), [3, 1, 2].map((x) => x + 1).filter((x) => x > 2).join("-"), ((o) => { const m = o.m, a = i--; return [o.m(a), m === o.m]; })({ m(x) { return [x, this.n]; }, n: 2 }));
var i = 5;

// ---- operations before `try`, and operands of logical operators
function before(f, g) { const a = f(); try { return g(a); } catch (e) { log("caught", e); } return 2; }
const fails = () => { throw "f"; };
try { log(before(fails, log)); } catch (e) { log("outside", e); } log(before(() => 1, fails));
function operands(a) { let b = 0; for (let i = 0; i < 2; i++) { const f = () => b; b = "12" ?? a; b = (b || a) && (a ?? i); log(f()); } return b; }
log(operands(null), operands(3)); do { const again = before(() => 3, (x) => x); if (again > 3) continue; i = again; } while (i < 3);
for (;;) { if (i++ < 6) continue; log(i); break; } function last(n) { for (;;) { if (n > 3) return n; n++; if (n === 2) break; } return "end"; } log(last(1), last(2));
var i;

// ---- generators that end early: in `finally`, in loops and in patterns
const it = (n, r) => ({ i: 0, [Symbol.iterator]() { return this; }, next() { return { value: this.i, done: this.i++ >= n }; }, return(v) { log("closed", v); return r ?? { value: v, done: true }; }, throw(e) { log("thrown into", e); return { value: 5, done: true }; } });
function* g1(xs) { for (const x of xs) { const s = yield x; log("sent", s); } return 7; }
let g = g1(it(3)); log(g.next(1), g.next(2), g.return(9), g.next());
g = g1(it(3)); log(g.next()); try { g.throw(4) } catch (e) { log(e) } log(g.next());
log([...g1(it(3))]);
function* g2() { try { yield 1; yield 2; } finally { log("finally"); yield 3; log("after"); } }
g = g2(); log(g.next(), g.return(5), g.next(), g.next());
g = g2(); log(g.next()); log(g.throw(6)); try { log(g.next()) } catch (e) { log("c", e) }
function* g3() { try { yield 1; } finally { return 4; } }
g = g3(); log(g.next(), g.return(5), g.next());
function* g4() { for (;;) { try { yield 1; } catch (e) { log("catch", e); } finally { log("fin"); if (k++ > 1) break; continue; } } return "out" }
let k = 0; g = g4(); log(g.next(), g.return(1), g.return(2), g.return(3), g.return(4));
function* g5(x) { try { const r = yield* x; log("r", r); return r; } finally { log("f5"); } }
g = g5(it(2)); log(g.next(), g.next(), g.next());
g = g5(it(2)); log(g.next(), g.return(3), g.next());
g = g5(it(2, { done: false, value: "no" })); log(g.next(), g.return(3), g.next());
g = g5(it(2)); log(g.next(), g.throw(3), g.next());
g = g5([1,2]); log(g.next(), g.return(3)); 
g = g5([1,2]); log(g.next()); try { g.throw(3) } catch (e) { log(String(e)) }
function* g6() { const [a, b = yield "d", ...c] = it(5); log(a, b, c); const [x = yield 1] = [undefined]; log(x); }
g = g6(); log(g.next(), g.next(2), g.next(3));
function* g7() { const [a, { p = yield "d" }] = [1, {}]; log(a, p); }
g = g7(); log(g.next(), g.return(2), g.next(3));
function* g8(o) { outer: for (const x of it(3)) { for (const y of it(2)) { if (y) continue outer; try { yield [x, y]; } finally { log("inner", x, y); } } } }
log([...g8()]); g = g8(); log(g.next(), g.next(), g.return("z"));
for (const x of g8()) { log(x); break; }
async function* h(xs) { try { for (const x of xs) { const s = yield x; log("s", s); } } finally { log("afin"); } }
(async () => { const a = h([1, Promise.resolve(2)]); log(await a.next()); log(await a.next("q")); log(await a.return(Promise.resolve(8))); log(await a.next());
 const b = h([1]); log(await b.next()); try { await b.throw(3) } catch (e) { log("E", e) } 
 const c = h([1]); log(await c.next()); try { await c.return(Promise.reject(3)) } catch (e) { log("R", e) } 
 async function* d(x) { try { return yield* x; } finally { log("dfin") } }
 const e = d(h([1,2])); log(await e.next(), await e.next(), await e.return(4), await e.next());
 const f = d([1,2]); log(await f.next(), await f.next(), await f.next());
})().catch(e => log("failed", e));

// ---- variables and functions that are named like the globals and functions of helpers
function Object(x) { return [x]; } const { a, ...others } = { a: 1, b: 2 }; log(a, others, Object(3));
var Promise = 7, Boolean = 8, Symbol = 9, Map = 10, String = 11, TypeError = 12; log(Promise, Boolean, Symbol, Map, String, TypeError);
(async () => { for await (const each of [1, [2]]) log(each); try { for await (const each of 1) log(each); } catch (error) { log(error.name); } })();
const twice = (n, f) => f.call(n, 2); const apply = function Reflect(f, ...xs) { return xs.length > 3 ? Reflect(f) : f(...xs, ...xs); };
log(apply((...xs) => xs, 1, 2), twice(1, function () { return this + 1; }), ((tag) => tag`a${1}`)((parts) => parts.raw));
const numeric = function $increment(n) { return n > 9 ? n : $increment(n++ + n++ - ++n + 9); }, Kept = (() => class $without { static of(n) { const { a, ...b } = n; return [b, $without.name]; } })();
log(numeric(1), Kept.of({ a: 1, b: 2 })); try { log(early); } catch (error) { log(error.name); } let early = 1, ReferenceError = 5; log(early, ReferenceError);
log((() => { class Map { static of(n) { const { a, ...b } = n; return [new Map(), Map.name, b, ((tag) => tag`c`)((parts) => parts)]; } } return Map.of({ a: 1, b: 2 }); })());
