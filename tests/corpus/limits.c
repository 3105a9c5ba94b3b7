// The limits that <limits.h> names.
// why: headers make known what they declare.
// expect: 8 -128 127
// expect: -128 127 255
// expect: -32768 32767 65535
// expect: -2147483648 2147483647 4294967295
// expect: -9223372036854775808 9223372036854775807 18446744073709551615
#include <limits.h>
#include <stdio.h>

int main(void) {
    printf("%d %d %d\n", CHAR_BIT, CHAR_MIN, CHAR_MAX);
    printf("%d %d %d\n", SCHAR_MIN, SCHAR_MAX, UCHAR_MAX);
    printf("%d %d %d\n", SHRT_MIN, SHRT_MAX, USHRT_MAX);
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    return 0;
}
