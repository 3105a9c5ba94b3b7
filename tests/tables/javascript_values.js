// Programs without objects, which engines run; Node prints the same.
function gcd(a, b) { while (b) { const t = a % b; a = b; b = t; } return a; }
const fact = (n) => (n < 2n ? 1n : n * fact(n - 1n));
function even(n) { return n === 0 ? true : odd(n - 1); }
function odd(n) { return n === 0 ? false : even(n - 1); }
console.log(gcd(48, 36), fact(30n), even(101), odd(7), typeof gcd, gcd, fact, () => 1);
outer: for (let a = 0; a < 5; a++) for (let b = 0; b < 5; b++) { if (b === 3) continue outer; if (a === 3) break outer; console.log(a * 10 + b); }
let text = ""; for (let i = 1; i <= 15; i++) text += i % 15 === 0 ? "FizzBuzz " : i % 5 ? i % 3 ? i + " " : "Fizz " : "Buzz "; console.log(text);
// ----
console.log(0.1 + 0.2, 1e21, 123456789012345680000, 1e-7, 0.000001, 5e-324, 2 ** 53 + 1, 1.7976931348623157e308, -0, 0, -1.5e-9);
console.log("10" < "9", 10 < "9", null >= 0, null > 0, undefined == null, undefined >= 0, NaN == NaN, NaN === NaN, 0 === -0, "1" === 1, "1" + 1, "3" * "4", +" 12 ", +"0x1f", +"1_0", +"Infinity", +"", +"-0");
console.log(1n + 2n, 1n < 1.5, 2n == 2, 2n === 2, "2" == 2n, -7n / 2n, -7n % 2n, 2n ** 64n, -1n >> 3n, 5n & -2n, BigInt(2 ** 53), Number(2n ** 70n), BigInt("0xff"));
console.log(typeof 1, typeof "s", typeof undefined, typeof null, typeof true, typeof 1n, typeof console.log, typeof console, typeof undeclared);
console.log(7 / 0, -7 / 0, 0 / 0, -7 % 3, 7 % -3, -0 % 5, 5 % Infinity, 5 % 0, (-8) ** (1 / 3), 1 ** Infinity, 0 ** -1, (-0) ** -3, 2 ** -1074);
console.log(1 << 33, -1 >>> 28, -9 >> 1, 1e12 | 0, 2 ** 31 | 0, ~5.9, 5 & 3, 5 | 3, 5 ^ -3, NaN >>> 0, -1 >>> 0);
const lone = "\ud800"; console.log(lone.length, lone < "\uffff", "\u{1F600}" < "\uffff", "a\u{1F600}b".length, "abc"[1], "abc"[3], "abc"["1"], "a" + lone + "b");
// ----
for (const make of "1234567") {
  try {
    if (make === "1") 1n + 1; if (make === "2") +1n; if (make === "3") 1n / 0n; if (make === "4") 2n ** (10n ** 20n); if (make === "5") 1n >>> 0n;
    if (make === "6") undefined.x; if (make === "7") BigInt(1.5);
  } catch (error) { console.log(error.name, error.message, error instanceof TypeError, error instanceof Error, `${error}`); }
}
const f = () => { try { throw "first" } catch (e) { try { return e } finally { console.log("inner") } } finally { console.log("outer") } };
console.log(f());
function g(n) { try { if (n > 2) throw n; return "no " + n } catch (e) { if (e > 4) throw e * 2; return "caught " + e } finally { if (n === 6) return "replaced" } }
for (let i = 1; i < 7; i++) { let r; try { r = g(i) } catch (e) { r = "out " + e } console.log(r) }
try { undeclared } catch (e) { console.log(e.message) } try { later } catch (e) { console.log(e.message) } let later = 1;
const constant = 1; try { constant = 2 } catch (e) { console.log(e.message, constant) }
try { (function deep() { deep(); })() } catch (e) { console.log(e.message) }
try { null.x = 1 } catch (e) { console.log(e.message) } try { throw new RangeError("own") } catch ({ name, message }) { console.log(name, message) }
throw new TypeError("at the end");
// ----
function counter(step) { let count = 0; return () => (count += step); }
const one = counter(1), ten = counter(10); one(); one(); console.log(one(), ten(), ten());
let all = 0; const add = (n) => { all += n; return add; }; add(1)(2)(3); console.log(all);
let late; for (let i = 0; i < 3; i++) if (i === 1) late = () => i++; late(); console.log(late());
function outer(a, b) { const inner = (c) => a + b + (c ?? "none"); return inner; } console.log(outer(1)(2), outer("x", "y")(), outer(1, 2)(null));
const compose = (f, g) => (x) => f(g(x)); console.log(compose((x) => x + 1, (x) => x * 2)(5));
const recursive = function self(n) { return n ? n + self(n - 1) : 0 }; console.log(recursive(100), recursive, recursive());
function* generator() {} console.log(typeof generator, (() => 1)(), (function () {}), void one());
var hoisted = typeof declared; function declared() {} console.log(hoisted, typeof declared);
implicit = 5; console.log(implicit + 1, typeof implicit);
// ----
switch (3) { case "3": console.log("no"); default: console.log("default"); case 4: console.log("four"); break; case 5: console.log("no"); }
let i = 0, s = ""; do { s += i++; if (i === 3) continue; s += "," } while (i < 5); console.log(s);
let a = null, b = 0, c = 1; a ??= "a"; b ||= "b"; c &&= "c"; console.log(a, b, c, a?.length, null?.x, undefined?.x.y.z);
let n = "5"; console.log(n++, n, --n, n--); let big = 1n; big++; console.log(big, -big); n = undefined; n++; console.log(n);
let reversed = ""; for (const each of "a\u{1F600}\ud800b") reversed = each + reversed; console.log(reversed, reversed.length);
console.log(`${1}${"x"}${null}${-0}${1n}`, "" + -0, String(-0), "a" && 0 || "z", !"" + !NaN, (1, 2));
// ----
if (false) this; function sloppy() { if (false) console.log(this); return 1; } console.log(sloppy());
console.log(new.target, (() => new.target)()); if (0) throw this;
// ----
try { 2n ** -1n } catch (e) { console.log(e.name) } try { undefined() } catch (e) { console.log(e.name) }
// ----
const missing = undefined; console.log("before"); throw -0;
// ----
function swaps(a, b) { let i = 0, s; for (; a.length < 5; [a, b] = [b + "x", a], i++); [a, b] = [b, a]; var [p, q = "d"] = [i]; [s = 1] = [undefined]; return a + b + p + q + s; }
let [x, y, z] = [1, () => y()]; console.log(swaps("p", "q"), x, z); { try { const [m, n] = [n, 1]; } catch (e) { console.log(e.message); } }
