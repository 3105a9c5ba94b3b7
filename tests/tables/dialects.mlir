// Modules of many dialects, separated, without regions other than those of functions. The tests read and write them.

#map = affine_map<(d0, d1)[s0] -> (d0 floordiv 4 + s0, d1 mod 8 - d0 * 2)>
#set = affine_set<(d0)[s0] : (d0 - 5 >= 0, s0 - d0 >= 0)>
module @named attributes {some.set = #set, some.map = #map, dlti.dl_spec = #dlti.dl_spec<i64 = dense<[32, 64]> : vector<2xi64>>} {
  memref.global "private" constant @table : memref<2x2xi7> = dense<[[1, 2], [3, -4]]>
  llvm.mlir.global internal constant @text("a\00\22{\\\09é") {addr_space = 0 : i32}
  llvm.mlir.global external @made() : !llvm.struct<(i8, ptr)> {
    %0 = llvm.mlir.undef : !llvm.struct<(i8, ptr)>
    llvm.return %0 : !llvm.struct<(i8, ptr)>
  }
  func.func private @external(i7 {my.argument}, f32) -> (i7 {my.result = unit}, f32) attributes {my.text = "{(<[\22"}
  func.func @affine(%m: memref<?x?xf32, affine_map<(d0, d1) -> (d1, d0)>, 3>, %i: index, %n: index) -> f32 {
    %0 = affine.apply affine_map<(d0, d1)[s0] -> (d0 floordiv 4 + s0 - d1 * 2)>(%i, %n)[%n]
    %1 = affine.load %m[%i + 3, symbol(%n) floordiv 2] : memref<?x?xf32, affine_map<(d0, d1) -> (d1, d0)>, 3>
    affine.store %1, %m[%0, %n] : memref<?x?xf32, affine_map<(d0, d1) -> (d1, d0)>, 3>
    %2 = affine.max affine_map<(d0) -> (d0, 16)>(%i)
    return %1 : f32
  }
  func.func @widths(%a: i7, %b: i1) -> i7 {
    %c = arith.constant -5 : i7
    %d = arith.addi %a, %c overflow<nsw, nuw> : i7
    %e = arith.divui %d, %a : i7
    cf.cond_br %b weights([3, 4]), ^next(%d : i7), ^other
  ^next(%f: i7):
    cf.switch %f : i7, [default: ^end(%f, %a : i7, i7), 3: ^next(%e : i7), -1: ^other] {my.switch = [1, "a", @table]}
  ^other:
    cf.br ^end(%e, %c : i7, i7) {my.jump}
  ^end(%g: i7, %h: i7):
    %i = arith.trunci %g : i7 to i3
    %j = arith.extsi %i : i3 to i7
    %k = arith.muli %j, %h {my.mark = #my.opaque<"x[">} : i7
    return %k : i7
  }
}

// -----

func.func @several(%a: i7, %t: tensor<?x4xf32>) -> (i7, tensor<?x4xf32>) {
  %r:2 = call @several(%a, %t) : (i7, tensor<?x4xf32>) -> (i7, tensor<?x4xf32>)
  return %r#0, %r#1 : i7, tensor<?x4xf32>
}
func.func @functions(%f: (i7) -> i7, %a: i7) -> ((i7) -> i7) {
  %g = "unknown.function"(%f) : ((i7) -> i7) -> ((i7) -> i7)
  %b = func.call_indirect %g(%a) : (i7) -> i7
  return %g : (i7) -> i7
}
func.func @tensors(%t: tensor<?x4xf32>, %i: index, %v: vector<4xf32>) -> vector<4xf32> {
  %0 = tensor.extract %t[%i, %i] : tensor<?x4xf32>
  %1 = tensor.insert %0 into %t[%i, %i] : tensor<?x4xf32>
  %2 = tensor.extract_slice %1[%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
  %3 = vector.broadcast %0 : f32 to vector<4xf32>
  %4 = vector.fma %3, %v, %v : vector<4xf32>
  %5 = vector.shuffle %4, %v [0, 5, 2, 7] : vector<4xf32>, vector<4xf32>
  %6 = arith.constant dense<[1.0, -0.0, 0x7F800000, 2.5e-3]> : vector<4xf32>
  %7 = arith.addf %5, %6 fastmath<fast, nnan> : vector<4xf32>
  %8 = arith.constant dense_resource<blob> : tensor<2xi32>
  %9 = arith.constant sparse<[[0, 1], [3, 2]], [1.0, 2.0]> : tensor<4x4xf64>
  return %7 : vector<4xf32>
}
func.func @numbers(%x: f16, %b: bf16, %i: index, %q: f128) -> complex<f16> {
  %0 = math.powf %x, %x fastmath<contract> : f16
  %1 = complex.create %x, %0 : complex<f16>
  %2 = complex.mul %1, %1 : complex<f16>
  %3 = index.add %i, %i
  %4 = index.cmp slt(%3, %i)
  %5 = arith.select %4, %3, %i : index
  %6 = index.casts %5 : index to i64
  %7 = ub.poison : i7
  %8 = arith.cmpf ult, %q, %q : f128
  %9 = arith.truncf %q to_nearest_even : f128 to bf16
  return %2 : complex<f16>
}
{-# dialect_resources: { builtin: { blob: "0x040000000100000002000000" } } #-}

// -----

func.func @machines(%a: i32, %m: memref<4xf32>) attributes {gpu.kernel, spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [32]>} {
  %x = gpu.thread_id x
  gpu.barrier
  %0 = spirv.IAdd %a, %a : i32
  %1 = spirv.CompositeConstruct %0, %a : (i32, i32) -> !spirv.struct<(i32 [0], i32 [4])>
  %2 = async.runtime.create : !async.token
  async.runtime.set_available %2 : !async.token
  %3 = memref.reinterpret_cast %m to offset: [1], sizes: [3], strides: [1] : memref<4xf32> to memref<3xf32, strided<[1], offset: 1>>
  %4 = "unknown.operation"(%a, %m) {a = dense<> : tensor<0xi1>, "b c" = loc("x":1:2), d = affine_map<() -> ()>} : (i32, memref<4xf32>) -> !unknown.type<[<"}>", {x = 1}>]>
  %5:2 = "unknown.fork"(%4)[^a, ^b] : (!unknown.type<[<"}>", {x = 1}>]>) -> (i32, f32)
^a:
  %6 = "unknown.more"(%5#1, %5#0)[^c] : (f32, i32) -> memref<4xf32>
^c:
  "unknown.end"(%5#0, %6) : (i32, memref<4xf32>) -> ()
^b:
  %7 = arith.addf %5#1, %5#1 : f32
  return
}

// -----

#di_file = #llvm.di_file<"a.c" in "/tmp">
#di_unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #di_file, isOptimized = false, emissionKind = Full>
#scope = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #di_unit, scope = #di_file, name = "through", file = #di_file>
llvm.func internal @through(%p: !llvm.ptr {llvm.noalias}, %x: i64, ...) -> i32 attributes {passthrough = ["nounwind", ["a", "b"]]} {
  %c = llvm.trunc %x : i64 to i1 loc("name")
  llvm.cond_br %c weights([1, 2]), ^one, ^two loc("name"("a.c":1:2 to :3))
^one:
  %v = llvm.load volatile %p {alignment = 1 : i64} : !llvm.ptr -> i32 loc(callsite("f" at "b.c":2:3))
  llvm.br ^three(%v : i32) {loop_annotation = #llvm.loop_annotation<mustProgress = true>} loc(fused<"pass">["a.c":3:4, unknown])
^two:
  %w = llvm.add %x, %x overflow<nsw> : i64 loc(unknown)
  %z = llvm.trunc %w : i64 to i32 loc(fused["a", "b \22(\22"("c":1:1)])
  llvm.br ^three(%z : i32) loc(fused<#scope>["a.c":5:6])
^three(%r: i32 loc(fused[unknown, "r"])):
  llvm.return %r : i32 loc("a.c":9:8)
} loc(fused<#scope>["a.c":1:1])
llvm.func @wide(%v: vector<4xi1>, %q: f80, %g: !llvm.ptr<3>) -> !llvm.struct<packed (i8, array<2 x i64>)> {
  %0 = llvm.mlir.constant(1 : i80) : i80
  llvm.unreachable
}
llvm.func @personality(...) -> i32
llvm.func @invokes(%p: !llvm.ptr, %x: i32) -> i32 attributes {personality = @personality} {
  %0 = llvm.invoke %p(%x) to ^one unwind ^pad : !llvm.ptr, (i32) -> i32
^one:
  %1 = llvm.invoke @invokes(%p, %0) to ^two unwind ^pad : (!llvm.ptr, i32) -> i32
^two:
  %2 = llvm.add %x, %1 : i32
  %3 = llvm.add %2, %0 : i32
  llvm.return %3 : i32
^pad:
  %l = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.resume %l : !llvm.struct<(ptr, i32)>
}
