// Calls the function DRIVER of one file of the ITC benchmarks, which then calls the function of the given number.
#include <stdlib.h>

volatile int vflag, vflag_copy, vflag_file;
int idx, sink;
double dsink;
void *psink;

void DRIVER(void);

int main(int argc, char **argv) {
    vflag = atoi(argv[1]);
    DRIVER();
}
