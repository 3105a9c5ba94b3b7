// Functions of each kind: the φ functions that the React compiler 1.0.0 places (`EnterSSA`), and keeps
// (`EliminateRedundantPhi`), those for values of operators included; then those of `countdown` here, where they differ.

// ---- if without else: 1→1
function f(a) {
  let x = 0;
  if (a) {
    x = 1;
  }
  return x;
}

// ---- if and else: 1→1
function f(a) {
  let x;
  if (a) {
    x = 1;
  } else {
    x = 2;
  }
  return x;
}

// ---- two sibling joins without an outer one: 2→2
function f(a, b) {
  let x = 0;
  if (a) {
    if (b) {
      x = 1;
    }
    return x;
  } else {
    if (b) {
      x = 2;
    }
    return x;
  }
}

// ---- inner join with an early return: 1→1
function f(a, b) {
  let x = 0;
  if (a) {
    if (b) {
      x = 1;
    }
    return x;
  }
  return x;
}

// ---- two cascading ifs: 3→2
function f(a, b) {
  let x = 0;
  if (a) {
    x = 1;
  }
  if (b) {
    x = 2;
  }
  return x;
}

// ---- while: 1→1
function f(n) {
  let x = 0;
  while (g()) {
    x = x + 1;
  }
  return x;
}

// ---- invariant in a while: 2→0
function f(a) {
  const x = g();
  while (a) {
    g(x);
  }
}

// ---- invariant in three nested whiles: 6→0
function f(a) {
  const x = g();
  while (a) {
    while (a) {
      while (a) {
        g(x);
      }
    }
  }
}

// ---- for with an update: 2→2
function f(n) {
  let sum = 0;
  for (let i = 0; i < 9; i = i + 1) {
    sum = sum + i;
  }
  return sum;
}

// ---- for…of with an inner variable only: 7→1, here 5→1
function f(items, a, b) {
  for (const item of items) {
    let x = item;
    if (a) {
      x = b;
    }
    g(x);
  }
}

// ---- switch with fall-through, default in the middle: 2→2
function f(a) {
  let x = 0;
  switch (a) {
    case 1:
      x = 1;
    default:
      x = x + 2;
      break;
    case 3:
      x = 4;
  }
  return x;
}

// ---- an arm that throws: 0→0
function f(a, b) {
  let x = b;
  if (a) {
    x = 1;
    throw x;
  }
  return x;
}

// ---- labelled break and continue: 5→3
function f(a) {
  let x = 0;
  outer: while (g(a)) {
    while (h(a)) {
      if (i()) {
        x = x + 1;
        continue outer;
      }
      if (j()) {
        break outer;
      }
      x = x + 2;
    }
  }
  return x;
}

// ---- shadowing: 1→0
function f(a) {
  let x = 0;
  if (a) {
    let x = 1;
    g(x);
  }
  return x;
}

// ---- destructuring assignment in an arm: 2→2
function f(a, b) {
  let x = 0;
  let y = 1;
  if (a) {
    [x, y] = b;
  }
  return x + y;
}

// ---- ternary value: 1→1
function f(a, b) {
  const x = a ? b : 1;
  return x;
}

// ---- assignment in both arms of a ternary: 1→1, here 2→2
function f(a) {
  let x = 0;
  a ? (x = 1) : (x = 2);
  return x;
}

// ---- const captured after a join: 1→1
function f(a) {
  let x = 0;
  if (a) {
    x = 1;
  }
  const y = x;
  return () => y;
}

// ---- captured and reassigned: 6→0
function f(a) {
  let x = 0;
  const g = () => x;
  while (a) {
    if (a) {
      x = 1;
    }
  }
  return g;
}

// ---- catch reached by three values: 1→1
function f() {
  let x = 0;
  try {
    g();
    x = 1;
    g();
    x = 2;
    g();
  } catch {
    return x;
  }
  return 3;
}

// ---- swap in a loop: 3→2
function f(n) {
  let a = 1;
  let b = 2;
  while (n) {
    const t = a;
    a = b;
    b = t;
  }
  return [a, b];
}

// ---- unread variable at a join: 2→0
function f(a) {
  let x = 0;
  if (a) {
    x = 1;
  }
  if (g()) {
    g(a);
  }
  return a;
}

// ---- condition with &&: 3→2, here 2→1
function f(a, b) {
  let x = 0;
  if (a && b) {
    x = 1;
  }
  return x;
}

// ---- optional chaining: 3→1, here 4→2
function f(a, b) {
  const x = a?.b?.c;
  return [x, b];
}

// ---- captured after the last assignment: 1→0, here 1→1
function f(a) {
  let x = 0;
  if (a) {
    x = 1;
  }
  return () => x;
}

// ---- do-while with a copy: 2→1
function f(n) {
  let x = 1;
  let y = 0;
  do {
    y = x;
    x = x + 1;
  } while (x < n);
  return y;
}
