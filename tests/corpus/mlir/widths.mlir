// A product of integers of 24 bits.
// why: integers of other widths
// run: 123456
// expect: 987648
// run: -1
// expect: -1048584
"builtin.module"() ({
  "func.func"() <{function_type = (i32) -> i32, sym_name = "hash"}> ({
  ^bb0(%arg0: i32):
    %0 = "arith.constant"() <{value = 1048583 : i24}> : () -> i24
    %1 = "arith.trunci"(%arg0) <{overflowFlags = #arith.overflow<none>}> : (i32) -> i24
    %2 = "arith.muli"(%1, %0) <{overflowFlags = #arith.overflow<none>}> : (i24, i24) -> i24
    %3 = "arith.addi"(%2, %1) <{overflowFlags = #arith.overflow<none>}> : (i24, i24) -> i24
    %4 = "arith.extsi"(%3) : (i24) -> i32
    "func.return"(%4) : (i32) -> ()
  }) : () -> ()
}) : () -> ()

