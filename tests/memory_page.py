"""A page about a program with memory: a linked list, with an access after `free`, constructed with the Builder."""

from __future__ import annotations

from cpsconv import Program
from cpsconv.construction import STRATEGIES, Builder, Variable
from cpsconv.construction.events import combined
from cpsconv.construction.record import Recorder
from cpsconv.explain import Collector, narrate
from cpsconv.ir import CHAR, INT, PTR, UNSIGNED_LONG, Array, Constant
from cpsconv.page import Conversion, write_page
from cpsconv.pipeline import construct
from cpsconv.source import Diagnostic, Source, Span

TEXT = """\
struct node { int value; struct node *next; };
const char *greeting = "list";
int buffer[100];
int main(int n) {
    struct node *head = 0;
    struct node last[1];
    for (int i = 0; i < n; i++) {
        struct node *p = malloc(sizeof *p);
        p->value = i;
        p->next = head;
        head = p;
    }
    buffer[50] = n;
    *last = *head;
    puts(greeting);
    free(head);
    int greeting = head->value;
    return greeting;
}
"""
SOURCE = Source("list.c", TEXT)


def at(words: str) -> Span:
    """The location of words in the source."""
    start = TEXT.index(words)
    return Span(SOURCE, start, start + len(words))


def lowering(b: Builder, _: list[Diagnostic]) -> Program:
    """Construct the program."""
    node = b.struct("node", [("value", INT), ("next", PTR)])
    greeting = b.data("greeting", Array(CHAR, 5), b"list", is_constant=True, span=at('greeting = "list"'))
    buffer = b.data("buffer", Array(INT, 100), span=at("buffer[100]"))
    n, i = Variable("n", INT), Variable("i", INT)
    head, p = Variable("head", PTR), Variable("p", PTR)
    b.function("main", [n], INT, at("int main(int n)"))
    b.write_variable(head, Constant(PTR, 0), at("head = 0"))
    last = b.effect("allocate", Constant(INT, 1), of=node, name="last", span=at("last[1]"))
    b.write_variable(i, Constant(INT, 0), at("i = 0"))
    header, body, exit = b.continuation("for"), b.continuation("body"), b.continuation("exit")
    b.jump(header)
    b.enter(header)
    b.branch(b.primitive("<", b.read_variable(i), b.read_variable(n)), body, exit, at("i < n"))
    b.enter(body)
    b.seal(body)
    b.seal(exit)
    b.write_variable(p, b.effect("malloc", Constant(UNSIGNED_LONG, 16), span=at("malloc(sizeof *p)")), at("p = malloc"))
    value = b.primitive("field", b.read_variable(p), of=node.fields["value"])
    b.effect("store", b.read_variable(i), value, span=at("p->value = i"))
    place = b.primitive("field", b.read_variable(p), of=node.fields["next"])
    b.effect("store", b.read_variable(head), place, span=at("p->next = head"))
    b.write_variable(head, b.read_variable(p), at("head = p"))
    b.write_variable(i, b.primitive("+", b.read_variable(i), Constant(INT, 1)), at("i++"))
    b.jump(header)
    b.seal(header)
    b.enter(exit)
    middle = b.primitive("element", buffer, Constant(INT, 50), of=INT)
    b.effect("store", b.read_variable(n), middle, span=at("buffer[50] = n"))
    b.effect("copy", b.read_variable(head), last, of=node, span=at("*last = *head"))
    b.effect("puts", greeting, span=at("puts(greeting)"))
    b.effect("free", b.read_variable(head), span=at("free(head)"))
    value = b.primitive("field", b.read_variable(head), of=node.fields["value"])
    loaded = b.effect("load", value, type=INT, name="greeting", span=at("head->value"))
    b.ret(loaded, at("return greeting"))
    b.finish()
    return b.program(SOURCE)


def conversion(strategy: str) -> Conversion:
    """The conversion with a strategy, with its steps."""
    collector, recorder = Collector(None), Recorder()
    program = construct(lowering, Builder(strategy, (), combined(collector, recorder)), [])
    return Conversion(strategy, True, program, narrate(program, collector.events, strategy), recorder.record)


def memory_page() -> str:
    """The page."""
    return write_page(SOURCE, map(conversion, STRATEGIES), "scc")
