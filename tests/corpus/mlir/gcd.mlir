// The greatest common divisor.
// why: a loop whose header has block arguments
// run: 48 36
// expect: 12
// run: 17 5
// expect: 1
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i32) -> i32, sym_name = "gcd"}> ({
  ^bb0(%arg0: i32, %arg1: i32):
    "cf.br"(%arg0, %arg1)[^bb1] : (i32, i32) -> ()
  ^bb1(%0: i32, %1: i32):  // 2 preds: ^bb0, ^bb2
    %2 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %3 = "arith.cmpi"(%1, %2) <{predicate = 0 : i64}> : (i32, i32) -> i1
    "cf.cond_br"(%3)[^bb3, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb2:  // pred: ^bb1
    %4 = "arith.remsi"(%0, %1) : (i32, i32) -> i32
    "cf.br"(%1, %4)[^bb1] : (i32, i32) -> ()
  ^bb3:  // pred: ^bb1
    "func.return"(%0) : (i32) -> ()
  }) : () -> ()
}) : () -> ()

