// All operations of arith on integers that the program has.
// why: signs, truth values, and conversions of both
// run: 7 3
// expect: 21
// run: -5 100
// expect: -42524672
// run: 2147483647 -2
// expect: 4294967293
"builtin.module"() ({
  "func.func"() <{function_type = (i32, i32) -> i64, sym_name = "mixed"}> ({
  ^bb0(%arg0: i32, %arg1: i32):
    %0 = "arith.constant"() <{value = 31 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %2 = "arith.andi"(%arg1, %0) : (i32, i32) -> i32
    %3 = "arith.ori"(%arg1, %1) : (i32, i32) -> i32
    %4 = "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
    %5 = "arith.subi"(%4, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %6 = "arith.muli"(%5, %arg0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %7 = "arith.divui"(%6, %3) : (i32, i32) -> i32
    %8 = "arith.remui"(%arg0, %3) : (i32, i32) -> i32
    %9 = "arith.xori"(%7, %8) : (i32, i32) -> i32
    %10 = "arith.shli"(%9, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %11 = "arith.shrsi"(%arg0, %2) : (i32, i32) -> i32
    %12 = "arith.shrui"(%arg0, %2) : (i32, i32) -> i32
    %13 = "arith.minsi"(%10, %11) : (i32, i32) -> i32
    %14 = "arith.maxui"(%13, %12) : (i32, i32) -> i32
    %15 = "arith.minui"(%14, %arg0) : (i32, i32) -> i32
    %16 = "arith.maxsi"(%15, %arg1) : (i32, i32) -> i32
    %17 = "arith.cmpi"(%arg0, %arg1) <{predicate = 6 : i64}> : (i32, i32) -> i1
    %18 = "arith.cmpi"(%arg0, %arg1) <{predicate = 2 : i64}> : (i32, i32) -> i1
    %19 = "arith.cmpi"(%16, %9) <{predicate = 9 : i64}> : (i32, i32) -> i1
    %20 = "arith.select"(%17, %16, %9) : (i1, i32, i32) -> i32
    %21 = "arith.extui"(%20) : (i32) -> i64
    %22 = "arith.extsi"(%16) : (i32) -> i64
    %23 = "arith.addi"(%21, %22) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
    %24 = "arith.extui"(%18) : (i1) -> i64
    %25 = "arith.extsi"(%19) : (i1) -> i64
    %26 = "arith.addi"(%24, %25) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
    %27 = "arith.muli"(%23, %26) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
    %28 = "arith.trunci"(%27) <{overflowFlags = #arith.overflow<none>}> : (i64) -> i8
    %29 = "arith.extsi"(%28) : (i8) -> i64
    %30 = "arith.xori"(%23, %29) : (i64, i64) -> i64
    %31 = "arith.trunci"(%16) <{overflowFlags = #arith.overflow<none>}> : (i32) -> i1
    %32 = "arith.cmpi"(%31, %18) <{predicate = 2 : i64}> : (i1, i1) -> i1
    %33 = "arith.extui"(%32) : (i1) -> i64
    %34 = "arith.addi"(%30, %33) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
    "func.return"(%34) : (i64) -> ()
  }) : () -> ()
}) : () -> ()

