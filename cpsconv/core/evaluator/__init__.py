"""The meaning of CPS programs: a small evaluator, which defines what every engine does.

**An essay before the code.** A CPS program runs without a stack. No continuation returns, so all that a run needs to
know is which continuation it enters next, and with which arguments. `evaluation` is a loop over this pair. It executes
the statements of the continuation, and its transfer gives the next pair.

*Values.* A number is a number of Python, in the range of its type. `cpsconv.core.operations.semantics` has the function
that computes each operation; that of an effect on memory is in `memory`, that of an output operation in
`cpsconv.core.operations.printing`. An undefined value can be passed on; each operation on it is a runtime error.

*Scopes.* Entering a continuation creates a `Scope`: the values of its parameters, then those of its statements, one
after the other. The scope is inside another one, that of its immediate dominator. So scopes nest as the text nests
continuations, and a name means the value in the innermost scope that defines it. In ::

    f(n : int, ret : int → ⊥) → ⊥ {
      let
        loop := (i : int) → ⊥
          let
            body := () → ⊥
              loop(i + 1)
          in
          branch(i < n, body, λ(). ret(i))
      in
      loop(0)
    }

each iteration has a scope with an `i` of its own, inside the scope of the call of `f`, which has `n` and `ret`. The
transfer of `body` finds `loop` by leaving two scopes: that of `body` and that of the current iteration.

*Closures.* A continuation as a value, such as the return continuation that a call passes, is a `Closure`: the
continuation with the scope in which it is bound. When a continuation has made its transfer, its scope does not change
any more. So a closure may be entered any number of times, and one time does not disturb the next. The scopes of the
callers are reachable through return continuations; this chain is what other languages call the stack. A call in tail
position passes the return continuation of its caller, and so the chain does not grow.

*The environment.* A run starts with a function, and an external closure as the return continuation. It ends when the
program enters a continuation of the environment: this one, or another external. `End` has its name and its arguments.
An external function is a function in Python, which the caller of `evaluate` supplies.

*Memory.* An object is an array of bytes with a record of those that were written, and a pointer is the number of an
object and an offset. `cpsconv.core.operations.objects` checks each access.

*Foreign operations.* The dialect of a language computes them (`cpsconv.core.operations.dialects`). It may call
functions of the program: such a call is a run inside the run.

*Errors.* What has no meaning, such as a division by zero or an access outside of its object, ends the run with a
`ProgramError`. It is located at the last statement or transfer that has a location.

*Erasure.* Programs with explicit memory or nested functions have the meaning of the programs to
which `cpsconv.core.erasure` converts them.
"""

from cpsconv.core.evaluator.evaluation import End, evaluate

__all__ = ["End", "evaluate"]
