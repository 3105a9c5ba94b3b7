// A flexible array member may begin within the unit of a bit-field before it.
// why: such a field is laid out as bytes, and the padding before the array has no negative size.
// expect: 16 9 hello 5 9
#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct text { size_t length; unsigned references : 4; char data[]; };
int main(void) {
    struct text *text = malloc(sizeof *text + 6);
    text->length = 5;
    text->references = 1;
    memcpy(text->data, "hello", 6);
    text->references += 8;
    printf("%d %d %s %d %d\n", (int)sizeof *text, (int)offsetof(struct text, data), text->data, (int)text->length,
           text->references);
    free(text);
    return 0;
}
