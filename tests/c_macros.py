"""Programs for the preprocessor: examples of the standard, cases of C's rules, generated definitions and calls."""

from __future__ import annotations

from hypothesis import strategies as st

PROGRAMS: dict[str, str] = {
    "6.10.3.3 example: hash_hash": """
        #define hash_hash # ## #
        #define mkstr(a) # a
        #define in_between(a) mkstr(a)
        #define join(c, d) in_between(c hash_hash d)
        char p[] = join(x, y);
        """,
    "optional tokens of C23": """
        #define F(a, ...) f(0 __VA_OPT__(,) __VA_ARGS__)
        #define G(X, ...) f(0, X __VA_OPT__(,) __VA_ARGS__)
        #define EMPTY
        #define TEXT(X, ...) #__VA_OPT__(X##X X##X)
        #define JOINED(X, ...) __VA_OPT__(a X ## X) ## b
        #define BETWEEN(...) p ## __VA_OPT__(q r) ## s
        #define NOTHING(...) __VA_OPT__()/**/__VA_OPT__()
        #define PASTED(X) a ## X ## b
        #define OUTER(X) PASTED(X)
        #define NESTED(x, ...) __VA_OPT__(G(x, __VA_ARGS__)) end
        #define COUNT(...) __VA_OPT__((__VA_ARGS__)+1)
        F(a, b, c) F() F(EMPTY) F(a, EMPTY) G(a, b, c) G(a, ) G(a)
        TEXT(, 0) TEXT(x, 0) TEXT(x) JOINED(, 1) JOINED(q, 1) BETWEEN() BETWEEN(1)
        OUTER(NOTHING()) NESTED(1) NESTED(2, 3) COUNT() COUNT(COUNT(1)) COUNT(EMPTY EMPTY)
        """,
    "6.10.3.5 example 1: constants": """
        #define TABSIZE 100
        int table[TABSIZE];
        """,
    "6.10.3.5 example 2: max": """
        #define max(a, b) ((a) > (b) ? (a) : (b))
        int x = max(1 + 2, max(3, 4));
        """,
    "6.10.3.5 example 3: redefinition and re-examination": """
        #define x 3
        #define f(a) f(x * (a))
        #undef x
        #define x 2
        #define g f
        #define z z[0]
        #define h g(~
        #define m(a) a(w)
        #define w 0,1
        #define t(a) a
        #define p() int
        #define q(x) x
        #define r(x,y) x ## y
        #define str(x) # x
        f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
        g(x+(3,4)-w) | h 5) & m
        (f)^m(m);
        p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
        char c[2][6] = { str(hello), str() };
        """,
    "6.10.3.5 example 4: strings and pasting": r"""
        #define str(s) # s
        #define xstr(s) str(s)
        #define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \
            x ## s, x ## t)
        #define INCFILE(n) vers ## n
        #define glue(a, b) a ## b
        #define xglue(a, b) glue(a, b)
        #define HIGHLOW "hello"
        #define LOW LOW ", world"
        debug(1, 2);
        fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
            == 0) str(: @\n), s);
        xstr(INCFILE(2).h)
        glue(HIGH, LOW);
        xglue(HIGH, LOW)
        """,
    "6.10.3.5 example 5: placemarkers": """
        #define t(x,y,z) x ## y ## z
        int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };
        """,
    "6.10.3.5 example 7: variable arguments": """
        #define debug(...) fprintf(stderr, __VA_ARGS__)
        #define showlist(...) puts(#__VA_ARGS__)
        #define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))
        debug("Flag");
        debug("X = %d\\n", x);
        showlist(The first, second, and third items.);
        report(x>y, "x is %d but y is %d", x, y);
        """,
    "the variable arguments of gcc": """
        #define a(f, ...) p(f, ##__VA_ARGS__)
        #define b(f, rest...) p(f, ##rest)
        #define c(rest...) p(x, ##rest)
        a(1) a(1,) a(1, 2, 3) b(1) b(1, 2, 3) c() c(1) c(1, (2, 3))
        """,
    "macros that contain each other": """
        #define a b
        #define b c a
        #define c b c
        a b c
        #define f(x) x g
        #define g(x) f(x)
        f(1)(2)(3) g(f)(2)
        #define NIL(xxx) xxx
        #define G_0(arg) NIL(G_1)(arg)
        #define G_1(arg) NIL(arg)
        G_0(42)
        #define foo() bar
        foo()() foo
        ()
        """,
    "calls over several lines, with comments": """
        #define f(a, b) [a|b]
        f(1, /* one, */
          2 // two,
        ) f
        /* nothing between */ (3,
        4) f
        5
        """,
    "white space in strings": r"""
        #define s(x) #x
        #define e
        #define id(x) x
        s( a   b ) s(a/**/b) s("a\n" 'x' '"') s(+ +) s(++) s(a e b) s(id(a)b) s()
        s(L"a\\") s(
          a
          b )
        #define NONE
        #define NOTHING()
        #define TEXT(...) #__VA_ARGS__
        #define STRING(...) TEXT(__VA_ARGS__)
        #define LIST(a, b, c) (a, b, c) [b c] [ b] a## b ,b c
        STRING(LIST(x,,)) STRING(LIST(NONE, NONE NONE , NOTHING())) STRING(LIST(x, ,-)) STRING(LIST(,,y))
        """,
    "tokens that must stay apart": """
        #define m -
        #define p +
        #define e
        #define l <
        #define d .
        -m m- +p p+ l< l= l: d. d.. 1 d 1d a m b -m- e-m e 1p 1 x##y
        #define id(x) x
        id(-)- id(a)b id(1)2 id(/)/ id(%): id(L)"a" id(u)'a' id(.)1 id(x).y
        """,
    "conditions": """
        #if 1 + 2 * 3 == 7 && (1 ? 2 : 3) == 2 && -1 < 0 && -1 > 0u && !0 && ~0 == -1
        a
        #endif
        #if 0 && 1 / 0
        b
        #elif 1 || 1 / 0
        c
        #elif 1 / 0
        #else
        d
        #endif
        #if defined X || defined(Y)
        e
        #elif !defined X && UNKNOWN == 0 && 'a' == 97 && '\\0' == 0 && '\\377' < 0
        f
        #endif
        #if (2 || 3) != 1 || (0 ? 1 : 0 ? 2 : 3) != 3 || 0xFFFFFFFF != 4294967295 || 1 << 2 + 1 != 8
        g
        #endif
        #if -7 / 2 == -3 && -7 % 2 == -1 && -7 >> 1 == -4 && 0x8000000000000000 > 0 && 0xFFFFFFFFFFFFFFFF == -1
        h
        #endif
        #if (-1 ? 1 : 0u) > -2
        i
        #else
        j
        #endif
        #if 0 // don't stop
        it's "unbalanced
        #if nested ( garbage
        #else
        k
        #endif
        #else /* comment */
        l
        #endif
        #ifdef a
        # ifndef b
        # else
        # endif
        #else
        #ifndef __LINE__
        m
        #endif
        n
        #endif
        """,
    "conditions with macros": """
        #define V(a, b) ((a) * 100 + (b))
        #define CURRENT V(3, 4)
        #define HAS defined(CURRENT)
        #if CURRENT >= V(3, 2) && CURRENT < V(3, 10) && HAS
        new
        #else
        old
        #endif
        #if V (1, 2) == 102 && !V(0,0)
        yes
        #endif
        """,
    "directives within arguments": """
        #define f(x) <x>
        f(1
        #if 0
        2
        #else
        3
        #endif
        )
        f(
        #define y 5
        y)
        """,
    "lines": """
        #define line __LINE__
        __LINE__ line
        #define id(x) x __LINE__ x
        id(__LINE__) id(line)
        #line 100
        __LINE__
        #line 200 "other.c"
        __FILE__ __LINE__
        #define N 300
        #line N
        line
        """,
    "counters": """
        #define u(x) x ## __COUNTER__
        #define v(x, y) x ## y
        #define w(x, y) v(x, y)
        __COUNTER__ __COUNTER__ w(a, __COUNTER__) u(a) w(a, __COUNTER__) __INCLUDE_LEVEL__
        """,
    "spliced names and directives": """
        #de\\
fine ab\\
c 1
        a\\
bc ab\\
\\
c 'a\\
b' "c\\
d"
        """,
    "digraphs and comments before directives": """
        /* comment */ #define a 1
        %:define b(x) %:x
        /* two
        lines */ a # define a 2
        a b(a) b(<:)
        %: undef a
        a
        """,
    "pragmas": """
        #define p(x) _Pragma(#x) after
        before p(omp parallel for) x
        _Pragma("message a \\"time\\"") y
        #pragma pack(1)
        z
        """,
    "numbers are not names": """
        #define e 1
        #define x 2
        #define p 3
        1e 0x 1.e+x 0xe+x 1.x .5p-x x.e e1
        """,
    "literals contain no names": r"""
        #define a b
        "a" 'a' "\"a" L"a" u8"a" a"a" '\'' a 'a\\' a
        """,
    "predefined macros": """
        __STDC__ __STDC_VERSION__ __STDC_HOSTED__ __x86_64__ __linux__ __GNUC__ __INT_MAX__ __LONG_MAX__ __SIZE_TYPE__
        __SIZEOF_POINTER__ __CHAR_BIT__ __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__ __UINT64_TYPE__ __INT_FAST16_MAX__
        """,
    "lists of names (X macros)": """
        #define COLORS X(red) X(green) X(blue)
        #define X(c) c,
        enum { COLORS };
        #undef X
        #define X(c) #c,
        char *names[] = { COLORS };
        """,
    "deferred expansion": """
        #define EMPTY()
        #define DEFER(id) id EMPTY()
        #define EXPAND(...) __VA_ARGS__
        #define A() 123
        DEFER(A)() EXPAND(DEFER(A)())
        #define CAT(a, ...) a ## __VA_ARGS__
        #define IIF(c) CAT(IIF_, c)
        #define IIF_0(t, ...) __VA_ARGS__
        #define IIF_1(t, ...) t
        IIF(1)(a, b) IIF(0)(a, b, c)
        #define EVAL(...) EVAL1(EVAL1(EVAL1(__VA_ARGS__)))
        #define EVAL1(...) EVAL2(EVAL2(EVAL2(__VA_ARGS__)))
        #define EVAL2(...) __VA_ARGS__
        #define REPEAT(c) c DEFER(REPEAT_)()(c)
        #define REPEAT_() REPEAT
        EVAL(REPEAT(x))
        """,
}
"""Preprocessor programs; gcc says what they expand to."""

NAMES = ["a", "b", "c", "f", "g", "h"]
_TOKENS = [*NAMES, *NAMES, "x", "1", "2", "+", "-", ",", "(", ")", "()", "(x)", "(a,b)", '"s"', ".", "##x", "#"]


@st.composite
def definitions_and_calls(draw: st.DrawFn) -> str:
    """Definitions of macros that use each other, and text that uses them."""
    lines = []
    for name in NAMES:
        parameters = draw(st.sampled_from([None, [], ["x"], ["x", "y"], ["x", "..."], ["x", "r..."]]))
        words = [draw(st.sampled_from([*_TOKENS, "x", "y"])) for _ in range(draw(st.integers(0, 7)))]
        if parameters:
            used = [each.replace("r...", "r").replace("...", "__VA_ARGS__") for each in parameters]
            extra = [draw(st.sampled_from(used)) for _ in range(draw(st.integers(0, 3)))]
            words = [word for word in words if word not in ("#", "##x")]
            for each in extra:
                words.insert(
                    draw(st.integers(0, len(words))),
                    draw(st.sampled_from([each, each, f"#{each}", f"z##{each}", f"{each}##{each}"])),
                )
        else:
            words = [word for word in words if word not in ("#", "##x")]
        shown = "" if parameters is None else f"({','.join(parameters)})"
        lines.append(f"#define {name}{shown} {' '.join(words)}")
    for _ in range(draw(st.integers(1, 5))):
        words = [draw(st.sampled_from(_TOKENS[:-2])) for _ in range(draw(st.integers(1, 8)))]
        lines.append(draw(st.sampled_from(["", " "])).join(words) + ";")
    return "\n".join(lines) + "\n"
