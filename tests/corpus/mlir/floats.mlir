// All operations of arith on floating numbers that the program has.
// why: ordered and unordered comparisons, and conversions
// run: 1.5 2.5 -3
// expect: 1.5
// run: 2.0 1.0 7
// expect: 1.0
"builtin.module"() ({
  "func.func"() <{function_type = (f64, f32, i32) -> f64, sym_name = "mixed"}> ({
  ^bb0(%arg0: f64, %arg1: f32, %arg2: i32):
    %0 = "arith.constant"() <{value = 5.000000e-01 : f64}> : () -> f64
    %1 = "arith.constant"() <{value = 0x7FF0000000000000 : f64}> : () -> f64
    %2 = "arith.extf"(%arg1) : (f32) -> f64
    %3 = "arith.addf"(%arg0, %2) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
    %4 = "arith.mulf"(%3, %0) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
    %5 = "arith.negf"(%4) <{fastmath = #arith.fastmath<none>}> : (f64) -> f64
    %6 = "arith.uitofp"(%arg2) : (i32) -> f64
    %7 = "arith.sitofp"(%arg2) : (i32) -> f64
    %8 = "arith.subf"(%6, %7) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
    %9 = "arith.divf"(%8, %5) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
    %10 = "arith.remf"(%9, %arg0) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
    %11 = "arith.cmpf"(%10, %10) <{fastmath = #arith.fastmath<none>, predicate = 8 : i64}> : (f64, f64) -> i1
    %12 = "arith.cmpf"(%10, %1) <{fastmath = #arith.fastmath<none>, predicate = 6 : i64}> : (f64, f64) -> i1
    %13 = "arith.cmpf"(%10, %arg0) <{fastmath = #arith.fastmath<none>, predicate = 14 : i64}> : (f64, f64) -> i1
    %14 = "arith.cmpf"(%3, %4) <{fastmath = #arith.fastmath<none>, predicate = 9 : i64}> : (f64, f64) -> i1
    %15 = "arith.andi"(%11, %12) : (i1, i1) -> i1
    %16 = "arith.ori"(%13, %14) : (i1, i1) -> i1
    %17 = "arith.uitofp"(%15) : (i1) -> f64
    %18 = "arith.sitofp"(%16) : (i1) -> f64
    %19 = "arith.fptosi"(%4) : (f64) -> i32
    %20 = "arith.sitofp"(%19) : (i32) -> f64
    %21 = "arith.truncf"(%10) : (f64) -> f32
    %22 = "arith.extf"(%21) : (f32) -> f64
    %23 = "arith.addf"(%17, %18) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
    %24 = "arith.addf"(%20, %22) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
    %25 = "arith.addf"(%23, %24) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
    "func.return"(%25) : (f64) -> ()
  }) : () -> ()
}) : () -> ()

