int f(int fuel, unsigned char v0) { return (int)((fuel) % -(((v0) & 7) + 2)) % 10; }
