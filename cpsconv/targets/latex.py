r"""The CPS text for LaTeX, in the style of Figure 8(c) of the paper. It requires no package.

A line is ``\cpsline{level}{text}``, and each token is marked with its kind: ``\cpskeyword{let}``. The text starts with
default definitions of these commands, which a document can define differently beforehand. Non-ASCII characters are
written unchanged: pdfLaTeX supports the letters of European languages, XeLaTeX and LuaLaTeX all characters of the font.
Subscripts, the numbers of values, are set as such.
"""

from __future__ import annotations

from cpsconv.core.ir import Program
from cpsconv.core.text.layout import INDENTATION
from cpsconv.core.text.printer import Layout, pretty
from cpsconv.targets.highlighting import Kind, printable, tokens
from cpsconv.targets.numbering import SUBSCRIPTS, Names, numbered_text

COMMANDS = r"""% CPS text, made by cpsconv. It needs LaTeX of 2020 or later, and no package.
\providecommand\cpskeyword[1]{\textbf{#1}}
\providecommand\cpsname[1]{\textit{#1}}
\providecommand\cpstype[1]{\textsf{#1}}
\providecommand\cpsliteral[1]{\texttt{#1}}
\providecommand\cpsindent{1.2em}
\providecommand\cpsline[2]{{\parskip0pt\raggedright\frenchspacing\noindent
  \hangindent\dimexpr#1\dimexpr\cpsindent\relax+3em\relax\hspace*{#1\dimexpr\cpsindent\relax}#2\par}}
\providecommand\cpsgap{\par\medskip}
\par
"""
"""The default definitions of the commands."""

_MARKED = ("keyword", "type", "literal", "name")
_SYMBOLS = {
    "→": r"$\to$",
    "⊥": r"$\bot$",
    "…": r"\dots{}",
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
    "`": r"\textasciigrave{}",  # "`" itself would become an opening quote
    "'": "{'}",  # braces, here and below, prevent a ligature of two characters
    "-": "{-}",
    '"': r"\symbol{34}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    " ": r"\ ",
    **{char: f"\\{char}" for char in "{}$&#%_"},
    **{subscript: f"$_{digit}$" for digit, subscript in enumerate(SUBSCRIPTS)},
}


def latex(program: Program, *, names: Names = "source", layout: Layout = "nested", width: int = 80) -> str:
    """The program as LaTeX paragraphs, for a page, a slide or a minipage."""
    if names == "source":
        text = pretty(program, layout=layout, width=width)
    else:
        text = numbered_text(program, names=names, layout=layout, ascii=False, width=width)
    return COMMANDS + "".join(f"{latex_line(line)}\n" for line in text.split("\n")[:-1])


def latex_line(line: str, command: str = "cpsline") -> str:
    r"""A line of CPS text as ``\cpsline{level}{text}``, or with another command in its place."""
    text = line.lstrip(" ")
    if not text:
        return r"\cpsgap"
    level = (len(line) - len(text)) // INDENTATION
    return f"\\{command}{{{level}}}{{{_code(text)}}}"


def latex_prose(text: str) -> str:
    """A sentence with CPS text in backquotes."""
    pieces = text.split("`")
    return "".join(_code(piece) if index % 2 else _prose(piece) for index, piece in enumerate(pieces))


def _prose(text: str) -> str:
    return " ".join(map(_escaped, text.split(" ")))  # an escaped space breaks no line


def _code(text: str) -> str:
    return "".join(_marked(*token) for token in tokens(text))


def _marked(kind: Kind, text: str) -> str:
    """A token, marked with its kind."""
    if kind == "space" or (kind == "symbol" and text in _SYMBOLS):
        return _SYMBOLS.get(text, text)
    escaped = _escaped(text)
    return rf"\cps{kind}{{{escaped}}}" if kind in _MARKED else escaped


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(char, char) for char in printable(text))
