// A sum of ten terms, chosen by a switch.
// why: edges of a transfer that pass different values to one block, and calls
// status: 58
"builtin.module"() ({
  "func.func"() <{function_type = () -> i32, sym_name = "main"}> ({
    %1 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    "cf.br"(%1, %1)[^bb1] : (i32, i32) -> ()
  ^bb1(%2: i32, %3: i32):  // 2 preds: ^bb0, ^bb2
    %4 = "arith.constant"() <{value = 10 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %7 = "arith.remsi"(%2, %6) : (i32, i32) -> i32
    "cf.switch"(%7, %5, %4, %2)[^bb2, ^bb2, ^bb2] <{case_operand_segments = array<i32: 1, 1>, case_values = dense<[0, 2]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 1, 2>}> : (i32, i32, i32, i32) -> ()
  ^bb2(%8: i32):  // 3 preds: ^bb1, ^bb1, ^bb1
    %9 = "func.call"(%3, %8) <{callee = @add}> : (i32, i32) -> i32
    %10 = "arith.addi"(%2, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %11 = "arith.cmpi"(%10, %4) <{predicate = 2 : i64}> : (i32, i32) -> i1
    "cf.cond_br"(%11, %10, %9)[^bb1, ^bb3] <{operandSegmentSizes = array<i32: 1, 2, 0>}> : (i1, i32, i32) -> ()
  ^bb3:  // pred: ^bb2
    "func.return"(%9) : (i32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i32, i32) -> i32, sym_name = "add", sym_visibility = "private"}> ({
  ^bb0(%arg0: i32, %arg1: i32):
    %0 = "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "func.return"(%0) : (i32) -> ()
  }) : () -> ()
}) : () -> ()

