// The members of `FILE` have glibc's names, places and meaning.
// input: ab\n
#include <stddef.h>
#include <stdio.h>

static int at_end(FILE *stream)
{
#ifdef _IO_EOF_SEEN
    return (stream->_flags & _IO_EOF_SEEN) != 0;
#else
    return -1;
#endif
}

int main(void)
{
    printf("%zu %zu %d %d\n", sizeof(FILE), offsetof(FILE, _offset), stdout->_fileno, at_end(stdin));
    while (getchar() != EOF)
        ;
    printf("%d %d ", (stdin->_flags & _IO_ERR_SEEN) != 0, at_end(stdin));
    printf("%d ", stdin->_IO_read_ptr == stdin->_IO_read_end);
    printf("%zu\n", sizeof stdin->_chain->_fileno);
    return 0;
}
