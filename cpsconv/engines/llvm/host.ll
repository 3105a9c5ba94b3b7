; The ends of a run, which are reported to the host.

;; fail
define internal void @cpsconv.fail(i8* %location, i8* %message) cold noinline noreturn {
  call void @cpsconv.host(i8* text"fault", i32 0, i8* %location, i8* %message)
  unreachable
}

;; exit
define internal void @cpsconv.exit(i32 %status) cold noinline noreturn {
  call void @cpsconv.host(i8* text"exit", i32 %status, i8* null, i8* null)
  unreachable
}

;; abort
define internal void @cpsconv.abort() cold noinline noreturn {
  call void @cpsconv.host(i8* text"abort", i32 0, i8* null, i8* null)
  unreachable
}

;; eprint
define internal void @cpsconv.eprint(i8* %text) {
  %flushed = call i32 @fflush(i8* null)
  %written = call i32 (i32, i8*, ...) @dprintf(i32 2, i8* text"%s", i8* %text)
  %is.lost = icmp slt i32 %written, 0
  br i1 %is.lost, label %lost, label %fine
lost:
  call void @cpsconv.host(i8* text"lost", i32 0, i8* null, i8* null)
  unreachable
fine:
  ret void
}

;; deeper
define internal i32 @cpsconv.deeper(i32 %left, i32 %function) alwaysinline {
  %is.exceeded = icmp eq i32 %left, 0
  br i1 %is.exceeded, label %exceeded, label %fine
exceeded:
  call void @cpsconv.host(i8* text"depth", i32 %function, i8* null, i8* null)
  unreachable
fine:
  %fewer = sub i32 %left, 1
  ret i32 %fewer
}

;; host
declare void @cpsconv.host(i8*, i32, i8*, i8*) noreturn
