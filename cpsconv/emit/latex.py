r"""The CPS text for LaTeX, in the look of Figure 8(c) of the paper. No package is needed.

A line is ``\cpsline{level}{text}``, and words are marked for what they are: ``\cpskeyword{let}``. The commands are
provided at the top: a document that defines them beforehand has them its own way. Characters beyond ASCII are written
as they are; pdfLaTeX knows the letters of European languages, XeLaTeX and LuaLaTeX what the font has.
"""

from __future__ import annotations

import re

from cpsconv.emit.characters import printable
from cpsconv.ir import SCALARS, Program
from cpsconv.text.pieces import INDENTATION
from cpsconv.text.printer import Layout, pretty_lines
from cpsconv.text.words import RESERVED

_COMMANDS = r"""% CPS text, made by cpsconv. It needs LaTeX of 2018 or later, and no package.
\providecommand\cpskeyword[1]{\textbf{#1}}
\providecommand\cpsname[1]{\textit{#1}}
\providecommand\cpstype[1]{\textsf{#1}}
\providecommand\cpsliteral[1]{\texttt{#1}}
\providecommand\cpsindent{1.2em}
\providecommand\cpsline[2]{{\parskip0pt\raggedright\frenchspacing\noindent
  \hangindent\dimexpr#1\dimexpr\cpsindent\relax+3em\relax\hspace*{#1\dimexpr\cpsindent\relax}#2\par}}
\providecommand\cpsgap{\par\medskip}
"""

_TOKEN = re.compile(
    r"""(?P<quoted>`[^`]+`)
    | (?P<literal>"(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*')
    | (?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\w*)
    | (?P<word>[^\W\dλ]\w*)
    | (?P<symbol>:=|<<|>>|<=|>=|==|!=|\S)
    | (?P<space>\ +)
    """,
    re.VERBOSE,
)
_TYPES = frozenset(word for name in SCALARS for word in name.split())
_SYMBOLS = {
    "→": r"$\to$",
    "⊥": r"$\bot$",
    "λ": r"$\lambda$",
    "⇒": r"$\Rightarrow$",
    "<<": r"$\ll$",
    ">>": r"$\gg$",
    "<=": r"$\leq$",
    ">=": r"$\geq$",
    "!=": r"$\neq$",
    **{symbol: f"${symbol}$" for symbol in (":=", "==", "<", ">", "+", "-", "*", "|")},
}
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "`": "{`}",  # alone, as also what follows: two of them would become one character
    "'": "{'}",
    "-": "{-}",
    '"': r"\symbol{34}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    " ": r"\ ",
    **{char: f"\\{char}" for char in "{}$&#%_"},
}


def latex(program: Program, *, layout: Layout = "nested", width: int = 80) -> str:
    """The program as lines for LaTeX, which may stand wherever paragraphs may: on a page, a slide, in a minipage."""
    return _COMMANDS + "".join(f"{_line(line)}\n" for line in pretty_lines(program, layout=layout, width=width))


def _line(line: str) -> str:
    text = line.lstrip(" ")
    if not text:
        return r"\cpsgap"
    level = (len(line) - len(text)) // INDENTATION
    return f"\\cpsline{{{level}}}{{{''.join(map(_set, _TOKEN.finditer(text)))}}}"


def _set(token: re.Match[str]) -> str:
    """A token, set for what it is."""
    kind, text = token.lastgroup, token[0]
    if kind == "literal":
        return rf"\cpsliteral{{{_escaped(text)}}}"
    if kind == "quoted" or (kind == "word" and text not in RESERVED):
        return rf"\cpsname{{{_escaped(text)}}}"
    if text in ("let", "in"):
        return rf"\cpskeyword{{{text}}}"
    if text in _TYPES:
        return rf"\cpstype{{{text}}}"
    if kind == "symbol" and text in _SYMBOLS:
        return _SYMBOLS[text]
    return text if kind == "space" else _escaped(text)


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(char, char) for char in printable(text))
