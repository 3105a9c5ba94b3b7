struct body {
  x : double,
  y : double,
  z : double,
  vx : double,
  vy : double,
  vz : double,
  mass : double
}

advance(bodies : ptr, count : int, dt : double, ret : () → ⊥) → ⊥ {
  let
    for := (i : int) → ⊥
      let
        outer := () → ⊥
          a := body.at(bodies, long(i));
          let
            for1 := (j : int) → ⊥
              let
                inner := () → ⊥
                  b := body.at(bodies, long(j));
                  ax := double[body.x(a)];
                  bx := double[body.x(b)];
                  dx := ax - bx;
                  ay := double[body.y(a)];
                  by := double[body.y(b)];
                  dy := ay - by;
                  az := double[body.z(a)];
                  bz := double[body.z(b)];
                  dz := az - bz;
                  square := dx * dx + dy * dy + dz * dz;
                  force := dt / (square * square);
                  v1 := double[body.vx(a)];
                  m1 := double[body.mass(b)];
                  double[body.vx(a)] := v1 - dx * m1 * force;
                  v2 := double[body.vy(a)];
                  m2 := double[body.mass(b)];
                  double[body.vy(a)] := v2 - dy * m2 * force;
                  v3 := double[body.vz(a)];
                  m3 := double[body.mass(b)];
                  double[body.vz(a)] := v3 - dz * m3 * force;
                  v4 := double[body.vx(b)];
                  m4 := double[body.mass(a)];
                  double[body.vx(b)] := v4 + dx * m4 * force;
                  v5 := double[body.vy(b)];
                  m5 := double[body.mass(a)];
                  double[body.vy(b)] := v5 + dy * m5 * force;
                  v6 := double[body.vz(b)];
                  m6 := double[body.mass(a)];
                  double[body.vz(b)] := v6 + dz * m6 * force;
                  for1(j + 1)
                next := () → ⊥
                  for(i + 1)
              in
              branch(j < count, inner, next)
          in
          for1(i + 1)
        moved := () → ⊥
          let
            for2 := (i1 : int) → ⊥
              let
                move := () → ⊥
                  x := double[body.x(body.at(bodies, long(i1)))];
                  vx := double[body.vx(body.at(bodies, long(i1)))];
                  double[body.x(body.at(bodies, long(i1)))] := x + dt * vx;
                  y := double[body.y(body.at(bodies, long(i1)))];
                  vy := double[body.vy(body.at(bodies, long(i1)))];
                  double[body.y(body.at(bodies, long(i1)))] := y + dt * vy;
                  z := double[body.z(body.at(bodies, long(i1)))];
                  vz := double[body.vz(body.at(bodies, long(i1)))];
                  double[body.z(body.at(bodies, long(i1)))] := z + dt * vz;
                  for2(i1 + 1)
                exit := () → ⊥
                  ret()
              in
              branch(i1 < count, move, exit)
          in
          for2(0)
      in
      branch(i < count, outer, moved)
  in
  for(0)
}

work(n : int, ret : int → ⊥) → ⊥ {
  bodies := allocate body[5];
  let
    for := (i : int) → ⊥
      let
        fill := () → ⊥
          double[body.x(body.at(bodies, long(i)))] := double(i);
          double[body.y(body.at(bodies, long(i)))] := double(i * i);
          double[body.z(body.at(bodies, long(i)))] := double(5 - i);
          double[body.vz(body.at(bodies, long(i)))] := 0.0;
          double[body.vy(body.at(bodies, long(i)))] := 0.0;
          double[body.vx(body.at(bodies, long(i)))] := 0.0;
          double[body.mass(body.at(bodies, long(i)))] := double(1 + i);
          for(i + 1)
        filled := () → ⊥
          let
            for1 := (i1 : int) → ⊥
              let
                step := () → ⊥
                  advance(bodies, 5, 0.001, λ().
                  for1(i1 + 1))
                exit := () → ⊥
                  x := double[body.x(bodies)];
                  deallocate(bodies);
                  ret(int(x * 1000000.0))
              in
              branch(i1 < n, step, exit)
          in
          for1(0)
      in
      branch(i < 5, fill, filled)
  in
  for(0)
}
