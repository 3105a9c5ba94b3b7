"""The types, macros and alternative spellings that the standard headers define, as on x86-64 Linux.

The functions of the headers are in `cpsconv.languages.c.meaning.declarations`: the parser needs types and macros only.
"""

from __future__ import annotations

import math
import re

from cpsconv.core.floating import LongDouble, Real
from cpsconv.core.nodes import NodeType
from cpsconv.languages.c.complex_types import COMPLEX_TYPES
from cpsconv.languages.c.records import (
    DIV,
    FILE,
    FILE_POSITION,
    JUMP_BUFFER,
    LDIV,
    LLDIV,
    MAX_ALIGN,
    MULTIBYTE_STATE,
    SIGNAL_HANDLER,
    SIGNAL_SET,
    VA_LIST,
)
from cpsconv.languages.c.types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    INT128,
    INTEGER_TYPES,
    LONG,
    LONG_DOUBLE,
    LONG_LONG,
    QUAD,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_INT128,
    UNSIGNED_LONG,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    VOID,
    CType,
    limits,
    pointer_to,
    promoted,
    qualified,
)


class Definition(metaclass=NodeType):
    """What a name of a header, or a reserved word, denotes."""


class TypeName(Definition):
    """The name of a type, which is None if the source defines it."""

    type: CType | None


class ConstantMacro(Definition):
    """A macro for a number. If the type is complex, `value` is the imaginary part, and the real part is zero."""

    type: CType
    value: Real


class StringMacro(Definition):
    """A macro for a string literal, given as C text."""

    text: str


class AlternativeSpelling(Definition):
    """An alternative spelling of a keyword, operator or name. One without characters is ignored."""

    spelling: str


class AttributeWord(Definition):
    """``__attribute__``, with its operand."""


class ThreadWord(Definition):
    """``_Thread_local``, which is an attribute of the declared variables."""


class AtomicWord(Definition):
    """``_Atomic``: a qualifier without a meaning for one thread, or before ``(`` another spelling of ``typeof``."""


class SuffixMacro(Definition):
    """A macro that appends a suffix to its operand, an integer literal."""

    suffix: str


VALUE, TYPE = "CONSTANT", "TYPE"
"""The terminals of the grammar for a number and for a type that a header defines."""


class Unsupported(Definition):
    """A word of C that is not supported yet. `subject` begins the message and ends with its verb: ``files are``.

    The word stands for a `VALUE` or a `TYPE`, if `meaning` is given. If `operand` is true, the word takes an operand in
    parentheses, and has its meaning only together with the operand.
    """

    subject: str
    meaning: str | None = None
    operand: bool = False


# --------------------------------------------------------------------------------------------- reserved words

IGNORED = AlternativeSpelling("")
"""The meaning of a word without a meaning."""

ASSEMBLY = Unsupported("inline assembly is", operand=True)
"""The meaning of ``asm``."""

_MEMORY_ORDERS = "RELAXED", "CONSUME", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"
_ATOMIC_INTEGERS = "char", "schar", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "llong", "ullong"
_ATOMIC_TYPES: dict[str, CType] = {
    **dict.fromkeys(["flag", "bool"], BOOL),
    **dict(zip(_ATOMIC_INTEGERS, INTEGER_TYPES, strict=False)),
    **dict.fromkeys(["size_t", "uintptr_t", "uintmax_t"], UNSIGNED_LONG),
    **dict.fromkeys(["ptrdiff_t", "intptr_t", "intmax_t"], LONG),
    "char16_t": UNSIGNED_SHORT,
    "char32_t": UNSIGNED,
    "wchar_t": INT,
}
ATOMIC_KINDS = ("BOOL", "CHAR", "CHAR16_T", "CHAR32_T", "WCHAR_T", "SHORT", "INT", "LONG", "LLONG", "POINTER")
"""The kinds of types of which <stdatomic.h> has macros, ``ATOMIC_INT_LOCK_FREE``."""


def _constants(type: CType, **values: Real) -> dict[str, Definition]:
    return {name: ConstantMacro(type, value) for name, value in values.items()}


RESERVED_WORDS: dict[str, Definition] = {
    **dict.fromkeys(["__attribute__", "__attribute"], AttributeWord()),
    "__declspec": Unsupported("attributes are", operand=True),
    **dict.fromkeys(["asm", "__asm", "__asm__"], ASSEMBLY),
    **dict.fromkeys(["__typeof", "__typeof__"], AlternativeSpelling("typeof")),
    **dict.fromkeys(["__complex", "__complex__"], AlternativeSpelling("_Complex")),
    "__real": AlternativeSpelling("__real__"),
    "__imag": AlternativeSpelling("__imag__"),
    **dict.fromkeys(["_Thread_local", "__thread"], ThreadWord()),
    **dict.fromkeys(["__alignof", "__alignof__"], AlternativeSpelling("_Alignof")),
    "_Atomic": AtomicWord(),
    **_constants(INT, **{f"__ATOMIC_{name}": number for number, name in enumerate(_MEMORY_ORDERS)}),
    "__builtin_va_list": TypeName(VA_LIST),
    "_Float32": TypeName(FLOAT),
    **dict.fromkeys(["_Float32x", "_Float64"], TypeName(DOUBLE)),
    "_Float64x": TypeName(LONG_DOUBLE),
    **dict.fromkeys(["_Float128", "__float128"], TypeName(QUAD)),
    **dict.fromkeys(["__float80"], TypeName(LONG_DOUBLE)),
    "__int128_t": TypeName(INT128),
    "__uint128_t": TypeName(UNSIGNED_INT128),
    "__extension__": IGNORED,
    **dict.fromkeys(["__const", "__const__"], AlternativeSpelling("const")),
    **dict.fromkeys(["__inline", "__inline__"], AlternativeSpelling("inline")),
    **dict.fromkeys(["__restrict", "__restrict__"], AlternativeSpelling("restrict")),
    **dict.fromkeys(["__signed", "__signed__"], AlternativeSpelling("signed")),
    **dict.fromkeys(["__volatile", "__volatile__"], AlternativeSpelling("volatile")),
    **dict.fromkeys(["__FUNCTION__", "__PRETTY_FUNCTION__"], AlternativeSpelling("__func__")),
    "<%": AlternativeSpelling("{"),
    "%>": AlternativeSpelling("}"),
    "<:": AlternativeSpelling("["),
    ":>": AlternativeSpelling("]"),
}
"""The keywords and punctuators of C and gcc that are missing in the grammar."""

# ---------------------------------------------------------------------------------------------------- headers

_INTEGERS = {
    8: (SIGNED_CHAR, UNSIGNED_CHAR, ""),
    16: (SHORT, UNSIGNED_SHORT, ""),
    32: (INT, UNSIGNED, ""),
    64: (LONG, UNSIGNED_LONG, "l"),
}


def _limits(prefix: str, type: CType) -> dict[str, Definition]:
    """``<prefix>_MIN`` and ``_MAX``, or only ``U<prefix>_MAX``, with the promoted type."""
    lowest, highest = limits(type)
    maximum = ConstantMacro(promoted(type), highest)
    if not type.program.signed:
        return {f"U{prefix}_MAX": maximum}
    return {f"{prefix}_MIN": ConstantMacro(promoted(type), lowest), f"{prefix}_MAX": maximum}


def _both_limits(prefix: str, bits: int) -> dict[str, Definition]:
    """The limits of the signed and the unsigned type with that number of bits."""
    signed, unsigned, _ = _INTEGERS[bits]
    return _limits(prefix, signed) | _limits(prefix, unsigned)


def _integer_types() -> dict[str, Definition]:
    """The types of ``<stdint.h>`` and their limits."""
    known: dict[str, Definition] = {"intmax_t": TypeName(LONG), "uintmax_t": TypeName(UNSIGNED_LONG)}
    known |= {"intptr_t": TypeName(LONG), "uintptr_t": TypeName(UNSIGNED_LONG)}
    known |= _both_limits("INTMAX", 64) | _both_limits("INTPTR", 64)
    for kind in ("", "_least", "_fast"):
        for width in _INTEGERS:
            bits = 64 if kind == "_fast" and width > 8 else width
            signed, unsigned, _ = _INTEGERS[bits]
            name = f"int{kind}{width}"
            known |= {f"{name}_t": TypeName(signed), f"u{name}_t": TypeName(unsigned)}
            known |= _both_limits(name.upper(), bits)
    suffixes = {8: "", 16: "", 32: "u", 64: "ul"}
    for width, suffix in suffixes.items():
        known |= {f"UINT{width}_C": SuffixMacro(suffix), f"INT{width}_C": SuffixMacro(suffix.replace("u", ""))}
    return known | {"INTMAX_C": SuffixMacro("l"), "UINTMAX_C": SuffixMacro("ul")}


def _formats() -> dict[str, Definition]:
    """The conversion specifiers that ``<inttypes.h>`` defines for printf and scanf: ``PRId64``, ``SCNd64`` etc."""
    known: dict[str, Definition] = {}
    lengths = {8: "hh", 16: "h"}
    for letter in "dioxXu":
        for kind in ("", "LEAST", "FAST"):
            for width in _INTEGERS:
                bits = 64 if kind == "FAST" and width > 8 else width
                length = _INTEGERS[bits][2]
                known[f"PRI{letter}{kind}{width}"] = StringMacro(f'"{length}{letter}"')
                known[f"SCN{letter}{kind}{width}"] = StringMacro(f'"{lengths.get(bits, length)}{letter}"')
        known |= {
            f"{use}{letter}{kind}": StringMacro(f'"l{letter}"') for use in ("PRI", "SCN") for kind in ("MAX", "PTR")
        }
    return {name: macro for name, macro in known.items() if not name.startswith("SCNX")}


def _unsupported_types(subject: str, *names: str) -> dict[str, Definition]:
    return {name: Unsupported(subject, TYPE) for name in names}


_SIZE: dict[str, Definition] = {"size_t": TypeName(UNSIGNED_LONG)}
_NULL: dict[str, Definition] = {"NULL": ConstantMacro(pointer_to(VOID), 0)}
_COMMON = _SIZE | _NULL
_WIDE: dict[str, Definition] = {"wchar_t": TypeName(INT)}
_WIDE_OR_END: dict[str, Definition] = {"wint_t": TypeName(UNSIGNED), **_constants(UNSIGNED, WEOF=(1 << 32) - 1)}
_STDINT = (
    _integer_types()
    | _limits("PTRDIFF", LONG)
    | _limits("WCHAR", INT)
    | _limits("SIG_ATOMIC", INT)
    | _constants(UNSIGNED_LONG, SIZE_MAX=(1 << 64) - 1)
    | _constants(UNSIGNED, WINT_MIN=0, WINT_MAX=(1 << 32) - 1)
)
_MATH: dict[str, Definition] = {
    "float_t": TypeName(FLOAT),
    "double_t": TypeName(DOUBLE),
    **_constants(DOUBLE, M_E=2.7182818284590452354, M_PI=3.14159265358979323846, M_PI_2=1.57079632679489661923),
    **_constants(DOUBLE, M_PI_4=0.78539816339744830962, M_1_PI=0.31830988618379067154, M_2_PI=0.63661977236758134308),
    **_constants(DOUBLE, M_LOG2E=1.4426950408889634074, M_LOG10E=0.43429448190325182765, M_LN2=0.69314718055994530942),
    **_constants(DOUBLE, M_LN10=2.30258509299404568402, M_SQRT2=1.41421356237309504880),
    **_constants(DOUBLE, M_SQRT1_2=0.70710678118654752440, M_2_SQRTPI=1.12837916709551257390),
    **_constants(FLOAT, INFINITY=math.inf, HUGE_VALF=math.inf, NAN=math.nan),
    **_constants(DOUBLE, HUGE_VAL=math.inf),
    **_constants(LONG_DOUBLE, HUGE_VALL=LongDouble.of(math.inf)),
    **_constants(INT, FP_NAN=0, FP_INFINITE=1, FP_ZERO=2, FP_SUBNORMAL=3, FP_NORMAL=4),
    **_constants(INT, FP_ILOGB0=-(1 << 31), FP_ILOGBNAN=-(1 << 31), MATH_ERRNO=1, MATH_ERREXCEPT=2),
}
_COMPLEX: dict[str, Definition] = {
    "complex": AlternativeSpelling("_Complex"),
    **dict.fromkeys(["I", "_Complex_I"], ConstantMacro(COMPLEX_TYPES[FLOAT], 1.0)),
}
_ARGUMENTS: dict[str, Definition] = {"va_list": TypeName(VA_LIST)}
_FILES: dict[str, Definition] = {"FILE": TypeName(FILE)}
_FILE_FLAGS = _constants(INT, _IO_EOF_SEEN=0x10, _IO_ERR_SEEN=0x20, _IO_USER_LOCK=0x8000)
_SYSTEM_TYPES: dict[str, Definition] = {
    **{name: TypeName(LONG) for name in ("ssize_t", "off_t", "off64_t", "loff_t", "time_t", "clock_t", "suseconds_t")},
    **{name: TypeName(LONG) for name in ("blksize_t", "blkcnt_t", "quad_t", "register_t")},
    **{name: TypeName(INT) for name in ("pid_t", "key_t", "clockid_t", "daddr_t")},
    **{name: TypeName(UNSIGNED) for name in ("uid_t", "gid_t", "id_t", "mode_t", "useconds_t", "u_int", "uint")},
    **{name: TypeName(UNSIGNED_LONG) for name in ("ino_t", "ino64_t", "dev_t", "nlink_t", "u_long", "ulong")},
    **{name: TypeName(UNSIGNED_LONG) for name in ("fsblkcnt_t", "fsfilcnt_t", "u_quad_t")},
    "caddr_t": TypeName(pointer_to(CHAR)),
    "timer_t": TypeName(pointer_to(VOID)),
    "u_char": TypeName(UNSIGNED_CHAR),
    "u_short": TypeName(UNSIGNED_SHORT),
    "ushort": TypeName(UNSIGNED_SHORT),
    **{f"u_int{bits}_t": TypeName(unsigned) for bits, (_, unsigned, _) in _INTEGERS.items()},
    **{f"int{bits}_t": TypeName(signed) for bits, (signed, _, _) in _INTEGERS.items()},
    **_SIZE,
}
_TYPES_OF_GLIBC: dict[str, Definition] = {
    **{
        f"__{name}": definition
        for name, definition in _SYSTEM_TYPES.items()
        if name.endswith("_t") and not name.startswith(("u_int", "register", "size"))
    },
    **{f"__uint{bits}_t": TypeName(unsigned) for bits, (_, unsigned, _) in _INTEGERS.items()},
    "__intptr_t": TypeName(LONG),
    "__socklen_t": TypeName(UNSIGNED),
    **dict.fromkeys(["__rlim_t", "__rlim64_t"], TypeName(UNSIGNED_LONG)),
}
"""Types that glibc's <sys/types.h> defines for its other headers."""

_OPERATOR_NAMES = {"and": "&&", "and_eq": "&=", "bitand": "&", "bitor": "|", "compl": "~", "not": "!", "not_eq": "!="}
_OPERATOR_NAMES |= {"or": "||", "or_eq": "|=", "xor": "^", "xor_eq": "^="}
FLOATING_TYPES = {"FLT": (FLOAT, 24, 128), "DBL": (DOUBLE, 53, 1024), "LDBL": (LONG_DOUBLE, 64, 16384)}
"""The floating types by the prefixes of their macros, with the digits of the significand and the largest exponent."""


def floating_limits(prefix: str) -> tuple[dict[str, int], dict[str, tuple[int, int]]]:
    """The properties of a floating type: its sizes, and its extreme numbers, as significands and exponents."""
    _, digits, most = FLOATING_TYPES[prefix]
    least, ten = 3 - most, math.log10(2)
    sizes = {"MANT_DIG": digits, "DIG": int((digits - 1) * ten), "DECIMAL_DIG": math.ceil(1 + digits * ten)}
    sizes |= {"MIN_EXP": least, "MIN_10_EXP": math.ceil((least - 1) * ten)}
    sizes |= {"MAX_EXP": most, "MAX_10_EXP": int(most * ten)}
    extremes = {"MAX": ((1 << digits) - 1, most - digits), "MIN": (1, least - 1)}
    return sizes, extremes | {"EPSILON": (1, 1 - digits), "TRUE_MIN": (1, least - digits)}


def _float_macros(prefix: str) -> dict[str, Definition]:
    """The macros of <float.h> for a floating type."""
    type, (sizes, extremes) = FLOATING_TYPES[prefix][0], floating_limits(prefix)
    number = LongDouble.scaled if type is LONG_DOUBLE else math.ldexp
    found = _constants(INT, **{f"{prefix}_{name}": size for name, size in {**sizes, "HAS_SUBNORM": 1}.items()})
    return found | _constants(type, **{f"{prefix}_{name}": number(*parts) for name, parts in extremes.items()})


_ERRORS_IN_ORDER = """
    EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT ENOTBLK EBUSY EEXIST
    EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM
    ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP - ENOMSG EIDRM ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG
    EUNATCH ENOCSI EL2HLT EBADE EBADR EXFULL ENOANO EBADRQC EBADSLT - EBFONT ENOSTR ENODATA ETIME ENOSR ENONET
    ENOPKG EREMOTE ENOLINK EADV ESRMNT ECOMM EPROTO EMULTIHOP EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD EREMCHG
    ELIBACC ELIBBAD ELIBSCN ELIBMAX ELIBEXEC EILSEQ ERESTART ESTRPIPE EUSERS ENOTSOCK EDESTADDRREQ EMSGSIZE
    EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT ESOCKTNOSUPPORT EOPNOTSUPP EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE
    EADDRNOTAVAIL ENETDOWN ENETUNREACH ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ESHUTDOWN
    ETOOMANYREFS ETIMEDOUT ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL
    EISNAM EREMOTEIO EDQUOT ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY EKEYEXPIRED EKEYREVOKED EKEYREJECTED EOWNERDEAD
    ENOTRECOVERABLE ERFKILL -
"""
"""The errors of Linux from 1 on; ``-`` is none."""

_ERRORS = {name: number for number, name in enumerate(_ERRORS_IN_ORDER.split(), 1) if name != "-"}
_ERRORS |= {"EWOULDBLOCK": 11, "EDEADLOCK": 35, "ENOTSUP": 95}

_LOCALE = "CTYPE", "NUMERIC", "TIME", "COLLATE", "MONETARY", "MESSAGES", "ALL"
_SIGNALS = (  # by their numbers
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM",
    "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
    "WINCH", "IO", "PWR", "SYS",
)  # fmt: skip
_THREAD_TYPES = "attr", "barrier", "cond", "condattr", "mutex", "mutexattr", "once", "rwlock", "spinlock"
_PERMISSIONS = {
    f"S_I{right}{user}": bit << shift
    for user, shift in (("USR", 6), ("GRP", 3), ("OTH", 0))
    for right, bit in (("R", 4), ("W", 2), ("X", 1))
} | {"S_IRWXU": 0o700, "S_IRWXG": 0o70, "S_IRWXO": 0o7}

_VECTOR_INSTRUCTIONS = _unsupported_types(
    "vector instructions are", *("__m64", *(f"__m{bits}{kind}" for bits in (128, 256, 512) for kind in ("", "d", "i")))
)

HEADERS: dict[str, dict[str, Definition]] = {
    "assert.h": {"static_assert": AlternativeSpelling("_Static_assert")},
    "alloca.h": {},  # of glibc
    "complex.h": _COMPLEX,
    "ctype.h": {},
    "dlfcn.h": _constants(INT, RTLD_LAZY=1, RTLD_NOW=2, RTLD_LOCAL=0, RTLD_GLOBAL=256),
    **dict.fromkeys([*(f"{each}mmintrin.h" for each in ("", *"aeinpstwx")), "x86intrin.h"], _VECTOR_INSTRUCTIONS),
    **{f"bits/types/{name}.h": {} for name in ("struct_timespec", "struct_timeval", "struct_tm")},
    "bits/types/struct_FILE.h": _FILE_FLAGS,
    "bits/types/struct___jmp_buf_tag.h": {},
    **{
        f"bits/types/{names.split()[0]}.h": {name: TypeName(type) for name in names.split()}
        for names, type in {
            **dict.fromkeys(("FILE", "__FILE"), FILE),
            **dict.fromkeys(("__fpos_t", "__fpos64_t"), FILE_POSITION),
            **dict.fromkeys(("mbstate_t __mbstate_t", "__mbstate_t"), MULTIBYTE_STATE),
            **dict.fromkeys(("sigset_t __sigset_t", "__sigset_t"), SIGNAL_SET),
        }.items()
    },
    "errno.h": {**_constants(INT, **_ERRORS), "errno": AlternativeSpelling("errno")},
    "fcntl.h": {
        **_constants(INT, O_RDONLY=0, O_WRONLY=1, O_RDWR=2, O_CREAT=64, O_EXCL=128, O_TRUNC=512, O_APPEND=1024),
        **{name: _SYSTEM_TYPES[name] for name in ("off_t", "mode_t", "pid_t")},
    },
    "fenv.h": {
        **_unsupported_types("the floating-point environment is", "fenv_t", "fexcept_t"),
        **_constants(INT, FE_TONEAREST=0, FE_DOWNWARD=0x400, FE_UPWARD=0x800, FE_TOWARDZERO=0xC00),
        **_constants(INT, FE_INVALID=1, FE_DIVBYZERO=4, FE_OVERFLOW=8, FE_UNDERFLOW=16, FE_INEXACT=32),
        **_constants(INT, FE_ALL_EXCEPT=61),
    },
    "float.h": {
        **_constants(INT, FLT_RADIX=2, DECIMAL_DIG=21, FLT_EVAL_METHOD=0),
        **{name: value for prefix in FLOATING_TYPES for name, value in _float_macros(prefix).items()},
    },
    "getopt.h": _constants(INT, no_argument=0, required_argument=1, optional_argument=2),
    "inttypes.h": _STDINT | _formats() | {"imaxdiv_t": TypeName(LDIV)},
    "iso646.h": {name: AlternativeSpelling(spelling) for name, spelling in _OPERATOR_NAMES.items()},
    "limits.h": {
        **_limits("SCHAR", SIGNED_CHAR),
        **_both_limits("CHAR", 8),
        **_both_limits("SHRT", 16),
        **_both_limits("INT", 32),
        **_both_limits("LONG", 64),
        **_limits("LLONG", LONG_LONG),
        **_limits("LLONG", UNSIGNED_LONG_LONG),
        **_constants(INT, CHAR_BIT=8, MB_LEN_MAX=16),
    },
    "locale.h": {**_constants(INT, **{f"LC_{name}": number for number, name in enumerate(_LOCALE)}), **_NULL},
    "math.h": _MATH,
    "pthread.h": {
        "pthread_t": TypeName(UNSIGNED_LONG),
        "pthread_key_t": TypeName(UNSIGNED),
        **_unsupported_types("threads are", *(f"pthread_{name}_t" for name in _THREAD_TYPES)),
    },
    "setjmp.h": {
        **dict.fromkeys(["jmp_buf", "sigjmp_buf"], TypeName(JUMP_BUFFER)),
        "_setjmp": AlternativeSpelling("setjmp"),
        **dict.fromkeys(["_longjmp", "siglongjmp"], AlternativeSpelling("longjmp")),
    },
    "signal.h": {
        "sig_atomic_t": TypeName(INT),
        **{name: TypeName(SIGNAL_HANDLER) for name in ("sighandler_t", "__sighandler_t")},
        "sigset_t": TypeName(SIGNAL_SET),
        "pid_t": TypeName(INT),
        **_constants(INT, **{f"SIG{name}": number for number, name in enumerate(_SIGNALS, 1)}, NSIG=65),
        **_constants(SIGNAL_HANDLER, SIG_ERR=-1, SIG_DFL=0, SIG_IGN=1),
        **_constants(INT, SIG_BLOCK=0, SIG_UNBLOCK=1, SIG_SETMASK=2, SA_NOCLDSTOP=1, SA_NOCLDWAIT=2),
        **_constants(INT, SA_ONSTACK=0x08000000, SA_RESTART=0x10000000, SA_NODEFER=0x40000000),
        **_constants(UNSIGNED, SA_RESETHAND=0x80000000),
    },
    "stdalign.h": {"alignas": AlternativeSpelling("_Alignas"), "alignof": AlternativeSpelling("_Alignof")},
    "stdarg.h": {"__gnuc_va_list": TypeName(VA_LIST)}
    | _ARGUMENTS
    | {f"va_{name}": AlternativeSpelling(f"__builtin_va_{name}") for name in ("start", "arg", "copy", "end")},
    "stdatomic.h": {
        **{f"atomic_{name}": TypeName(type) for name, type in _ATOMIC_TYPES.items()},
        **{f"atomic_{name}": type for name, type in _integer_types().items() if re.search("_(least|fast)", name)},
        "memory_order": TypeName(UNSIGNED),
        **_constants(INT, **{f"memory_order_{name.lower()}": number for number, name in enumerate(_MEMORY_ORDERS)}),
        **_constants(INT, ATOMIC_FLAG_INIT=0),
        **_constants(INT, **{f"ATOMIC_{name}_LOCK_FREE": 2 for name in ATOMIC_KINDS}),
        **dict.fromkeys(["ATOMIC_VAR_INIT", "kill_dependency"], IGNORED),
    },
    "stdbool.h": {
        "bool": AlternativeSpelling("_Bool"),
        **_constants(INT, true=1, false=0, __bool_true_false_are_defined=1),
    },
    "stddef.h": {
        "ptrdiff_t": TypeName(LONG),
        "offsetof": AlternativeSpelling("__builtin_offsetof"),
        "max_align_t": TypeName(MAX_ALIGN),
        **_COMMON,
        **_WIDE,
    },
    "stdint.h": _STDINT,
    "stdio.h": {
        **_constants(INT, EOF=-1, BUFSIZ=8192, FILENAME_MAX=4096, FOPEN_MAX=16, TMP_MAX=238328, L_tmpnam=20),
        **_constants(INT, SEEK_SET=0, SEEK_CUR=1, SEEK_END=2, _IOFBF=0, _IOLBF=1, _IONBF=2),
        **_COMMON,
        "fpos_t": TypeName(FILE_POSITION),
        **{name: _SYSTEM_TYPES[name] for name in ("ssize_t", "off_t")},
        **_FILES,
        **_FILE_FLAGS,
        **_ARGUMENTS,
    },
    "stdlib.h": {
        **_constants(INT, EXIT_SUCCESS=0, EXIT_FAILURE=1, RAND_MAX=(1 << 31) - 1),
        **_constants(UNSIGNED_LONG, MB_CUR_MAX=1),
        "div_t": TypeName(DIV),
        "ldiv_t": TypeName(LDIV),
        "lldiv_t": TypeName(LLDIV),
        **_COMMON,
        **_WIDE,
    },
    "stdnoreturn.h": {"noreturn": AlternativeSpelling("_Noreturn")},
    "string.h": _COMMON,
    "strings.h": _SIZE,
    "sys/stat.h": {
        **{
            name: _SYSTEM_TYPES[name]
            for name in ("dev_t", "gid_t", "ino_t", "mode_t", "nlink_t", "off_t", "time_t", "uid_t")
        },
        **_constants(INT, **_PERMISSIONS),
    },
    "sys/time.h": {name: _SYSTEM_TYPES[name] for name in ("time_t", "suseconds_t")},
    "sys/types.h": _SYSTEM_TYPES | _TYPES_OF_GLIBC,
    "tgmath.h": _MATH | _COMPLEX,
    "threads.h": {"thread_local": RESERVED_WORDS["_Thread_local"]},
    "time.h": {
        "time_t": TypeName(LONG),
        "clock_t": TypeName(LONG),
        **_constants(LONG, CLOCKS_PER_SEC=1000000),
        "clockid_t": TypeName(INT),
        **_constants(INT, CLOCK_REALTIME=0, CLOCK_MONOTONIC=1, CLOCK_PROCESS_CPUTIME_ID=2, TIME_UTC=1),
        **_COMMON,
    },
    "uchar.h": {"char16_t": TypeName(UNSIGNED_SHORT), "char32_t": TypeName(UNSIGNED), **_SIZE},
    "unistd.h": {
        **_constants(INT, STDIN_FILENO=0, STDOUT_FILENO=1, STDERR_FILENO=2, SEEK_SET=0, SEEK_CUR=1, SEEK_END=2),
        **{name: _SYSTEM_TYPES[name] for name in ("ssize_t", "off_t", "pid_t", "uid_t", "gid_t")},
        "useconds_t": TypeName(UNSIGNED),
        "intptr_t": TypeName(LONG),
        **_COMMON,
    },
    "wchar.h": {
        "mbstate_t": TypeName(MULTIBYTE_STATE),
        **_limits("WCHAR", INT),
        **_FILES,
        **_COMMON,
        **_WIDE,
        **_WIDE_OR_END,
    },
    "wctype.h": {
        "wctype_t": TypeName(UNSIGNED_LONG),
        "wctrans_t": TypeName(pointer_to(qualified(INT, ["const"]))),
        **_WIDE_OR_END,
    },
}
"""The definitions of names by each standard header."""

_FROM_FILES = frozenset(["fcntl.h", "pthread.h", "sys/stat.h", "sys/time.h", "threads.h", "unistd.h"])
"""The headers of which the files of the system are preferred, if there are any."""

_WITH_FURTHER_NAMES = """ctype dlfcn errno inttypes limits locale math signal stdio stdlib string strings time wchar
    wctype"""
_EXTENDED = {f"{name}.h" for name in _WITH_FURTHER_NAMES.split()}
"""The headers of which the files of the system may declare further names."""

COMPLETE = {False: HEADERS.keys() - _FROM_FILES, True: HEADERS.keys() - _FROM_FILES - _EXTENDED}
"""The headers that are known completely, by whether further names of the system's files are needed."""

_FREQUENT = ("stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h")


def header_defining(name: str) -> str | None:
    """A standard header that defines `name`, preferably a frequent one; None if no header does."""
    return next(
        (each for each in (*_FREQUENT, *HEADERS) if name in HEADERS[each] and not each.startswith("bits/")), None
    )
