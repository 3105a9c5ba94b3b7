"""Operations on atomic objects, as statement expressions (see `expansions`): plain accesses, as there is one thread.

They are the functions of <stdatomic.h> and gcc's built-in functions ``__atomic_…`` and ``__sync_…``. ``A`` to ``C`` are
the first arguments. The order of memory, a further argument, has no meaning.
"""

from __future__ import annotations

from typing import NamedTuple


class Atomic(NamedTuple):
    """An operation with at least so many arguments. The first is a pointer, to an integer if it is `for_integers`."""

    text: str
    arity: int
    for_integers: bool = False


_OPERATIONS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}
_OLD = "({{ __auto_type __p = A; __typeof__(*__p) __old = *__p; *__p = {}; __old; }})"
_NEW = "({{ __auto_type __p = A; *__p = {}; }})"
_EXCHANGE = "({ __auto_type __p = A; __typeof__(*__p) __n = B, __old = *__p; *__p = __n; __old; })"
_COMPARE = """({{ __auto_type __p = A; __auto_type __e = B; __typeof__(*__p) __n = {}; _Bool __ok = *__p == *__e;
    if (__ok) *__p = __n; else *__e = *__p; __ok; }})"""
_SWAP = """({{ __auto_type __p = A; __typeof__(*__p) __o = B, __n = C, __old = *__p; if (__old == __o) *__p = __n;
    {}; }})"""
_TEST_AND_SET = "({ unsigned char *__p = (unsigned char *)A; _Bool __old = *__p; *__p = 1; __old; })"
_CLEAR = "({ *(unsigned char *)A = 0; (void)0; })"
_STORE = "({ *A = B; (void)0; })"


def _fetching() -> dict[str, Atomic]:
    found: dict[str, Atomic] = {}
    for name, symbol in _OPERATIONS.items():
        old = Atomic(_OLD.format(f"__old {symbol} B"), 2, True)
        new = Atomic(_NEW.format(f"*__p {symbol} B"), 2, True)
        found |= {f"__sync_fetch_and_{name}": old, f"__atomic_fetch_{name}": old, f"atomic_fetch_{name}": old}
        found |= {f"__sync_{name}_and_fetch": new, f"__atomic_{name}_fetch": new}
    old, new = Atomic(_OLD.format("~(__old & B)"), 2, True), Atomic(_NEW.format("~(*__p & B)"), 2, True)
    found |= {"__sync_fetch_and_nand": old, "__atomic_fetch_nand": old}
    return found | {"__sync_nand_and_fetch": new, "__atomic_nand_fetch": new}


ATOMICS: dict[str, Atomic] = {
    **_fetching(),
    **dict.fromkeys(["atomic_load", "__atomic_load_n"], Atomic("({ *A; })", 1)),
    **dict.fromkeys(["atomic_store", "atomic_init", "__atomic_store_n"], Atomic(_STORE, 2)),
    **dict.fromkeys(["atomic_exchange", "__atomic_exchange_n", "__sync_lock_test_and_set"], Atomic(_EXCHANGE, 2)),
    **dict.fromkeys(
        ["atomic_compare_exchange_strong", "atomic_compare_exchange_weak", "__atomic_compare_exchange_n"],
        Atomic(_COMPARE.format("C"), 3),
    ),
    "__atomic_load": Atomic("({ *B = *A; (void)0; })", 2),
    "__atomic_store": Atomic("({ *A = *B; (void)0; })", 2),
    "__atomic_exchange": Atomic("({ __auto_type __p = A; __auto_type __n = *B; *C = *__p; *__p = __n; (void)0; })", 3),
    "__atomic_compare_exchange": Atomic(_COMPARE.format("*C"), 3),
    "__sync_bool_compare_and_swap": Atomic(_SWAP.format("__old == __o"), 3),
    "__sync_val_compare_and_swap": Atomic(_SWAP.format("__old"), 3),
    "__sync_lock_release": Atomic("({ *A = 0; (void)0; })", 1),
    "__sync_synchronize": Atomic("(void)0", 0),
    "atomic_is_lock_free": Atomic("({ (void)(A); (_Bool)(sizeof *A <= 8); })", 1),
    **dict.fromkeys(
        ["__atomic_is_lock_free", "__atomic_always_lock_free"], Atomic("({ (void)(B); (_Bool)((A) <= 8); })", 2)
    ),
    **dict.fromkeys(["atomic_flag_test_and_set", "__atomic_test_and_set"], Atomic(_TEST_AND_SET, 1)),
    **dict.fromkeys(["atomic_flag_clear", "__atomic_clear"], Atomic(_CLEAR, 1)),
    **{
        f"{prefix}atomic_{which}_fence": Atomic("(void)(A)", 1)
        for prefix in ("", "__")
        for which in ("thread", "signal")
    },
}
"""The operations by name. Those of <stdatomic.h> have a form ``…_explicit``, too."""


def atomic(name: str, has_header: bool) -> Atomic | None:
    """The operation of that name, if there is one; those of <stdatomic.h> only with this header."""
    if name.startswith("__"):
        return ATOMICS.get(name)
    return ATOMICS.get(name.removesuffix("_explicit")) if has_header else None
