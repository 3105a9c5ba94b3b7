// A loop with two entries.
// why: edges into the middle of a loop pass values
// run: 10
// expect: 3
// run: 9
// expect: 3
"builtin.module"() ({
  "func.func"() <{function_type = (i32) -> i32, sym_name = "steps"}> ({
  ^bb0(%arg0: i32):
    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %3 = "arith.andi"(%arg0, %1) : (i32, i32) -> i32
    %4 = "arith.cmpi"(%3, %0) <{predicate = 1 : i64}> : (i32, i32) -> i1
    "cf.cond_br"(%4, %arg0, %0, %arg0, %0)[^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 2, 2>}> : (i1, i32, i32, i32, i32) -> ()
  ^bb1(%5: i32, %6: i32):  // 2 preds: ^bb0, ^bb2
    %7 = "arith.subi"(%5, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %8 = "arith.addi"(%6, %1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "cf.br"(%7, %8)[^bb2] : (i32, i32) -> ()
  ^bb2(%9: i32, %10: i32):  // 2 preds: ^bb0, ^bb1
    %11 = "arith.subi"(%9, %1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %12 = "arith.cmpi"(%11, %0) <{predicate = 4 : i64}> : (i32, i32) -> i1
    "cf.cond_br"(%12, %11, %10, %10)[^bb1, ^bb3] <{operandSegmentSizes = array<i32: 1, 2, 1>}> : (i1, i32, i32, i32) -> ()
  ^bb3(%13: i32):  // pred: ^bb2
    "func.return"(%13) : (i32) -> ()
  }) : () -> ()
}) : () -> ()

