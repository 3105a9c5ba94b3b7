"""The environment of JavaScript in a run: the names of Node that have a meaning, and those that have none."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from cpsconv.abi.javascript.numbers import bigint_to_number, string_to_bigint
from cpsconv.abi.javascript.operators import to_boolean, to_numeric, to_primitive, to_string
from cpsconv.abi.javascript.values import NULL, Builtin, ErrorObject, Value, thrown


def _number(value: Any = 0.0) -> float:
    number = to_numeric(value)
    return bigint_to_number(number) if isinstance(number, int) else number


def _bigint(value: Any = None) -> int:
    """The BigInt of a value. Raises `Thrown` if there is none."""
    value = to_primitive(value)
    if isinstance(value, float):
        if not value.is_integer():
            reason = "because it is not an integer"
            raise thrown("RangeError", f"The number {to_string(value)} cannot be converted to a BigInt {reason}")
        return int(value)
    if value is None or value is NULL:
        raise thrown("TypeError", f"Cannot convert {to_string(value)} to a BigInt")
    number = string_to_bigint(value) if isinstance(value, str) else int(value)
    if number is None:
        raise thrown("SyntaxError", f"Cannot convert {value} to a BigInt")
    return number


def _error(name: str, message: Any = None, *_: Any) -> ErrorObject:
    return ErrorObject(name, "" if message is None else to_string(message))


ERRORS = ("Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError")

BUILTINS: Mapping[str, Value] = {
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "Boolean": Builtin("Boolean", lambda value=None, *_: to_boolean(value)),
    "Number": Builtin("Number", lambda *values: _number(*values[:1])),
    "BigInt": Builtin("BigInt", lambda *values: _bigint(*values[:1])),
    "String": Builtin("String", lambda value="", *_: to_string(value)),
    **{name: Builtin(name, partial(_error, name)) for name in ERRORS},
}
"""The names with a meaning, except `console`. The functions convert values, or create errors."""

_NAMES_OF_NODE = """
    AbortController AbortSignal AggregateError Array ArrayBuffer Atomics BigInt64Array BigUint64Array Blob
    BroadcastChannel Buffer ByteLengthQueuingStrategy CloseEvent CompressionStream CountQueuingStrategy Crypto
    CryptoKey CustomEvent DOMException DataView Date DecompressionStream Event EventSource EventTarget File
    FinalizationRegistry Float32Array Float64Array FormData Function Headers Int16Array Int32Array Int8Array Intl
    Iterator JSON Map Math MessageChannel MessageEvent MessagePort Navigator Object Performance PerformanceEntry
    PerformanceMark PerformanceMeasure PerformanceObserver PerformanceObserverEntryList PerformanceResourceTiming
    Promise Proxy ReadableByteStreamController ReadableStream ReadableStreamBYOBReader ReadableStreamBYOBRequest
    ReadableStreamDefaultController ReadableStreamDefaultReader Reflect RegExp Request Response Set
    SharedArrayBuffer Storage SubtleCrypto Symbol TextDecoder TextDecoderStream TextEncoder TextEncoderStream
    TransformStream TransformStreamDefaultController URL URLSearchParams Uint16Array Uint32Array Uint8Array
    Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly WebSocket WritableStream WritableStreamDefaultController
    WritableStreamDefaultWriter __dirname __filename atob btoa clearImmediate clearInterval clearTimeout crypto
    decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval exports fetch global globalThis isFinite
    isNaN localStorage module navigator parseFloat parseInt performance process queueMicrotask require
    sessionStorage setImmediate setInterval setTimeout structuredClone unescape
"""

_INHERITED = """
    __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ constructor hasOwnProperty
    isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf
"""
"""The properties of `Object.prototype`, which the global object inherits."""

MISSING = frozenset([*_NAMES_OF_NODE.split(), *_INHERITED.split()])
"""The names of Node's environment that have no meaning in a run. All others are not defined."""
