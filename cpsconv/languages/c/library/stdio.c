// Streams: a stream has a descriptor of the system and a buffer for input. Output is written at once.

typedef unsigned long size_t;
typedef int wchar_t;
typedef __builtin_va_list va_list;
typedef struct _IO_FILE FILE;

#define va_start __builtin_va_start
#define va_arg __builtin_va_arg
#define va_copy __builtin_va_copy
#define va_end __builtin_va_end
#define errno (*__errno_location())
#define EOF (-1)

enum { EBADF = 9, ECHILD = 10, EINVAL = 22, ENOSYS = 38, EOVERFLOW = 75, EILSEQ = 84 };
enum { SEEK_SET, SEEK_CUR, SEEK_END };
enum { INTEGER = 1, POINTER = 3 }; // kinds of arguments, as in stdarg.c
enum { O_RDONLY = 0, O_WRONLY = 1, O_RDWR = 2, O_CREAT = 64, O_EXCL = 128, O_TRUNC = 512, O_APPEND = 1024 };

long __read(int, void *, size_t);
long __write(int, const void *, size_t);
int __open(const char *, int);
int __close(int);
int __redirect(int);
long __seek(int, long, int);
int __unlink(const char *);
int __rename(const char *, const char *);

int *__errno_location(void);
void __va_expect(va_list, unsigned, unsigned);
void *__va_general(va_list, int);
void *__va_memory(va_list, size_t, size_t);
void *__va_vector(va_list);
void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
size_t strlen(const char *);
char *strchr(const char *, int);
char *strerror(int);
char *strcpy(char *, const char *);
int mkstemp(char *);
int vsnprintf(char *, size_t, const char *, va_list);
int vfscanf(FILE *, const char *, va_list);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
double strtod(const char *, char **);
float strtof(const char *, char **);
void __strtold(const char *, char **, unsigned long *);

enum { NO_READS = 4, NO_WRITES = 8, CLOSED = 12, ENDED = 16, FAILED = 32 };
enum { ROOM = 8, SIZE = 1024 };

// The members of glibc, which programs may use. The bytes from `_IO_read_ptr` to `_IO_read_end` are read next. The first
// `ROOM` bytes from `_IO_buf_base` are for characters that are pushed back. `_old_offset` and `_IO_read_ptr` together
// grow by the number of bytes that are read. The other members remain 0.
struct _IO_FILE {
    int _flags;
    unsigned char *_IO_read_ptr, *_IO_read_end, *_IO_read_base, *_IO_write_base, *_IO_write_ptr, *_IO_write_end;
    unsigned char *_IO_buf_base, *_IO_buf_end, *_IO_save_base, *_IO_backup_base, *_IO_save_end;
    void *_markers, *_chain;
    int _fileno, _flags2;
    long _old_offset;
    unsigned short _cur_column;
    signed char _vtable_offset;
    char _shortbuf[1];
    void *_lock;
    long _offset;
    void *_codecvt, *_wide_data, *_freeres_list, *_freeres_buf;
    size_t __pad5;
    int _mode;
    char _unused2[20];
};

static unsigned char input_data[ROOM + SIZE];
static FILE standard_input = { NO_WRITES, input_data + ROOM, input_data + ROOM, input_data + ROOM, ._IO_buf_base = input_data };
static FILE standard_output = { NO_READS, ._fileno = 1 };
static FILE standard_error = { NO_READS, ._fileno = 2 };

FILE *stdin = &standard_input;
FILE *stdout = &standard_output;
FILE *stderr = &standard_error;

// The result of a system call; a negative one is the number of an error.
static long checked(long result)
{
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}

static int fail(FILE *stream, long error)
{
    stream->_flags |= FAILED;
    checked(error);
    return EOF;
}

// ------------------------------------------------------------------------------------------------------------ files

// The flags of the system for a mode such as "r+"; -1 if there is no such mode.
static int flags_of(const char *mode)
{
    int flags = *mode == 'r' ? O_RDONLY : *mode == 'w' ? O_WRONLY | O_CREAT | O_TRUNC : O_WRONLY | O_CREAT | O_APPEND;
    if (*mode != 'r' && *mode != 'w' && *mode != 'a')
        return -1;
    for (mode++; *mode != 0; mode++) {
        if (*mode == '+')
            flags = (flags & ~O_WRONLY) | O_RDWR;
        if (*mode == 'x')
            flags |= O_EXCL;
    }
    return flags;
}

static long opened(const char *path, int flags) { return checked(flags < 0 ? -EINVAL : __open(path, flags)); }

static void begin(FILE *stream, long descriptor, int flags, unsigned char *data)
{
    *stream = (FILE){
        (flags & O_WRONLY ? NO_READS : 0) | (flags & (O_WRONLY | O_RDWR) ? 0 : NO_WRITES),
        data + ROOM, data + ROOM, data + ROOM,
        ._IO_buf_base = data,
        ._fileno = (int)descriptor,
    };
}

// A stream for a descriptor; null for -1.
static FILE *stream_of(long descriptor, int flags)
{
    if (descriptor < 0)
        return 0;
    FILE *stream = malloc(sizeof *stream + ROOM + SIZE);
    begin(stream, descriptor, flags, (unsigned char *)(stream + 1));
    return stream;
}

FILE *fopen(const char *path, const char *mode)
{
    int flags = flags_of(mode);
    return stream_of(opened(path, flags), flags);
}

FILE *fdopen(int descriptor, const char *mode)
{
    int flags = flags_of(mode);
    return stream_of(flags < 0 ? checked(-EINVAL) : descriptor, flags);
}

// A temporary file is in the current folder.
FILE *tmpfile(void)
{
    char name[] = "tmpXXXXXX";
    FILE *stream = stream_of(mkstemp(name), O_RDWR);
    if (stream != 0)
        __unlink(name);
    return stream;
}

char *tmpnam(char *name)
{
    static char own[] = "tmpXXXXXX";
    char *found = name != 0 ? strcpy(name, "tmpXXXXXX") : strcpy(own, "tmpXXXXXX");
    int descriptor = mkstemp(found);
    if (descriptor < 0)
        return 0;
    __close(descriptor);
    __unlink(found);
    return found;
}

// No command is run.
FILE *popen(const char *command, const char *mode)
{
    errno = ENOSYS;
    return 0;
}

int pclose(FILE *stream) { return (int)checked(-ECHILD); }

int fclose(FILE *stream)
{
    long result = checked(__close(stream->_fileno));
    if (stream == &standard_input || stream == &standard_output || stream == &standard_error)
        stream->_flags = CLOSED;
    else
        free(stream);
    return result < 0 ? EOF : 0;
}

// `printf` and others write to the standard output of the process, so that stream remains open.
FILE *freopen(const char *path, const char *mode, FILE *stream)
{
    int flags = flags_of(mode);
    if (stream == &standard_output) {
        long file = opened(path, flags);
        return file < 0 || checked(__redirect((int)file)) < 0 ? 0 : stream;
    }
    __close(stream->_fileno);
    long descriptor = opened(path, flags);
    if (descriptor < 0) {
        stream->_flags = CLOSED;
        return 0;
    }
    begin(stream, descriptor, flags, stream->_IO_buf_base ? stream->_IO_buf_base : malloc(ROOM + SIZE));
    return stream;
}

int fflush(FILE *stream)
{
    if (stream != 0 && (stream->_flags & CLOSED) == CLOSED)
        return fail(stream, -EBADF);
    return 0;
}

int ferror(FILE *stream) { return (stream->_flags & FAILED) != 0; }
int setvbuf(FILE *stream, char *buffer, int mode, size_t size) { return ferror(stream) & 0; }
void setbuf(FILE *stream, char *buffer) { setvbuf(stream, buffer, 0, 0); }
void setbuffer(FILE *stream, char *buffer, size_t size) { setvbuf(stream, buffer, 0, size); }
void setlinebuf(FILE *stream) { setvbuf(stream, 0, 1, 0); }
int fileno(FILE *stream) { return stream->_fileno; }
int feof(FILE *stream) { return (stream->_flags & ENDED) != 0; }
void clearerr(FILE *stream) { stream->_flags &= ~(ENDED | FAILED); }
int remove(const char *path) { return (int)checked(__unlink(path)); }
int rename(const char *old, const char *new) { return (int)checked(__rename(old, new)); }

long ftell(FILE *stream)
{
    long position = checked(__seek(stream->_fileno, 0, SEEK_CUR));
    return position < 0 ? -1 : position - (stream->_IO_read_end - stream->_IO_read_ptr);
}

int fseek(FILE *stream, long offset, int whence)
{
    if (whence == SEEK_CUR)
        offset -= (stream->_IO_read_end - stream->_IO_read_ptr);
    if (checked(__seek(stream->_fileno, offset, whence)) < 0)
        return -1;
    stream->_IO_read_ptr = stream->_IO_read_end = stream->_IO_read_base;
    stream->_flags &= ~ENDED;
    return 0;
}

int fseeko(FILE *stream, long offset, int whence) { return fseek(stream, offset, whence); }
long ftello(FILE *stream) { return ftell(stream); }

// There is one thread.
void flockfile(FILE *stream) { ferror(stream); }
void funlockfile(FILE *stream) { ferror(stream); }

void rewind(FILE *stream)
{
    fseek(stream, 0, SEEK_SET);
    clearerr(stream);
}

typedef struct { long position, state; } fpos_t;

int fgetpos(FILE *stream, fpos_t *position)
{
    position->position = ftell(stream);
    position->state = 0;
    return position->position < 0 ? -1 : 0;
}

int fsetpos(FILE *stream, const fpos_t *position) { return fseek(stream, position->position, SEEK_SET); }

// ------------------------------------------------------------------------------------------------------------ input

// The next byte, which remains to be read; EOF at the end of the input.
static int peek(FILE *stream)
{
    if (stream->_IO_read_ptr != stream->_IO_read_end)
        return *stream->_IO_read_ptr;
    if (stream->_flags & ENDED)
        return EOF;
    if (stream->_flags & NO_READS)
        return fail(stream, -EBADF);
    long count = stream->_fileno < 0 ? 0 : __read(stream->_fileno, stream->_IO_read_base, SIZE);
    if (count < 0)
        return fail(stream, count);
    stream->_old_offset += stream->_IO_read_ptr - stream->_IO_read_base;
    stream->_IO_read_ptr = stream->_IO_read_base;
    stream->_IO_read_end = stream->_IO_read_base + count;
    if (count > 0)
        return *stream->_IO_read_ptr;
    stream->_flags |= ENDED;
    return EOF;
}

int fgetc(FILE *stream)
{
    int c = peek(stream);
    if (c != EOF)
        stream->_IO_read_ptr++;
    return c;
}

int getc(FILE *stream) { return fgetc(stream); }
int getchar(void) { return fgetc(stdin); }
int getc_unlocked(FILE *stream) { return fgetc(stream); }
int getchar_unlocked(void) { return fgetc(stdin); }

int ungetc(int c, FILE *stream)
{
    if (c == EOF || stream->_IO_read_ptr == stream->_IO_buf_base)
        return EOF;
    *--stream->_IO_read_ptr = (unsigned char)c;
    stream->_flags &= ~ENDED;
    return (unsigned char)c;
}

char *fgets(char *line, int size, FILE *stream)
{
    int length = 0;
    while (length < size - 1) {
        int c = fgetc(stream);
        if (c == EOF && (length == 0 || stream->_flags & FAILED))
            return 0;
        if (c == EOF)
            break;
        line[length++] = (char)c;
        if (c == '\n')
            break;
    }
    if (size > 0)
        line[length] = 0;
    return size > 0 ? line : 0;
}

char *gets(char *line)
{
    char *end = line;
    int c;
    while ((c = fgetc(stdin)) != EOF && c != '\n')
        *end++ = (char)c;
    if (c == EOF && (end == line || stdin->_flags & FAILED))
        return 0;
    *end = 0;
    return line;
}

long getdelim(char **line, size_t *size, int end, FILE *stream)
{
    size_t length = 0;
    if (*line == 0)
        *size = 0;
    for (int c = 0; c != end || length == 0;) {
        c = fgetc(stream);
        if (c == EOF)
            break;
        if (length + 2 > *size) {
            *size = *size < 60 ? 120 : *size * 2;
            *line = realloc(*line, *size);
        }
        (*line)[length++] = (char)c;
        if (c == end)
            break;
    }
    if (length == 0)
        return -1;
    (*line)[length] = 0;
    return (long)length;
}

long getline(char **line, size_t *size, FILE *stream) { return getdelim(line, size, '\n', stream); }

size_t fread(void *target, size_t size, size_t count, FILE *stream)
{
    unsigned char *bytes = target;
    size_t total = size * count, done = 0;
    while (done < total && peek(stream) != EOF) {
        size_t available = (size_t)(stream->_IO_read_end - stream->_IO_read_ptr);
        size_t part = available < total - done ? available : total - done;
        memcpy(bytes + done, stream->_IO_read_ptr, part);
        stream->_IO_read_ptr += part;
        done += part;
    }
    return size == 0 ? 0 : done / size;
}

// ----------------------------------------------------------------------------------------------------------- output

size_t fwrite(const void *source, size_t size, size_t count, FILE *stream)
{
    if (stream->_flags & NO_WRITES) {
        fail(stream, -EBADF);
        return 0;
    }
    if (stream->_IO_read_ptr != stream->_IO_read_end) {
        __seek(stream->_fileno, -(stream->_IO_read_end - stream->_IO_read_ptr), SEEK_CUR);
        stream->_IO_read_ptr = stream->_IO_read_end;
    }
    if (size * count == 0)
        return 0;
    long written = __write(stream->_fileno, source, size * count);
    if (written < 0) {
        fail(stream, written);
        return 0;
    }
    return (size_t)written / size;
}

int fputc(int c, FILE *stream)
{
    if (stream->_fileno == 1)
        return __builtin_putchar(c);
    char byte = (char)c;
    return fwrite(&byte, 1, 1, stream) == 1 ? (unsigned char)c : EOF;
}

int putc(int c, FILE *stream) { return fputc(c, stream); }
int putc_unlocked(int c, FILE *stream) { return fputc(c, stream); }
int putchar_unlocked(int c) { return fputc(c, stdout); }

// One thread needs no locks.

void clearerr_unlocked(FILE *stream) { clearerr(stream); }
int feof_unlocked(FILE *stream) { return feof(stream); }
int ferror_unlocked(FILE *stream) { return ferror(stream); }
int fflush_unlocked(FILE *stream) { return fflush(stream); }
int fgetc_unlocked(FILE *stream) { return fgetc(stream); }
char *fgets_unlocked(char *line, int size, FILE *stream) { return fgets(line, size, stream); }
int fileno_unlocked(FILE *stream) { return fileno(stream); }
int fputc_unlocked(int c, FILE *stream) { return fputc(c, stream); }
int fputs_unlocked(const char *text, FILE *stream) { return fputs(text, stream); }

size_t fread_unlocked(void *target, size_t size, size_t count, FILE *stream)
{
    return fread(target, size, count, stream);
}

size_t fwrite_unlocked(const void *source, size_t size, size_t count, FILE *stream)
{
    return fwrite(source, size, count, stream);
}

// Pointers to the operations.

int putchar(int c) { return __builtin_putchar(c); }
int puts(const char *text) { return __builtin_puts(text); }

int fputs(const char *text, FILE *stream)
{
    size_t length = strlen(text);
    return fwrite(text, 1, length, stream) == length ? 1 : EOF;
}

void perror(const char *prefix)
{
    int number = errno;
    if (prefix != 0 && *prefix != 0) {
        fputs(prefix, stderr);
        fputs(": ", stderr);
    }
    fputs(strerror(number), stderr);
    fputc('\n', stderr);
}

// --------------------------------------------------------------------------------------------------- formatted output

enum { MINUS = 1, PLUS = 2, SPACE = 4, ALTERNATIVE = 8, ZERO = 16, UPPER = 32 };

// A text, and a directive: its flags, width and precision. At most `size` - 1 characters are written to `text`, unless
// there is a stream, to which it is written whenever it is full: `done` characters up to now.
struct output {
    char *text;
    size_t size;
    FILE *stream;
    size_t length, done;
    int flags, width, precision, error;
};

static void write_out(struct output *out, const char *text, size_t size)
{
    if (size > 0 && fwrite(text, 1, size, out->stream) != size)
        out->error = errno;
    out->done += size;
}

static void put(struct output *out, char c)
{
    if (out->stream != 0 && out->length - out->done == out->size)
        write_out(out, out->text, out->size);
    if (out->stream != 0 || out->length + 1 < out->size)
        out->text[out->length - out->done] = c;
    out->length++;
}

enum { PADDING = 1 << 16 };

static void repeat(struct output *out, char c, long count)
{
    if (out->stream != 0 && count > SIZE) {
        size_t size = count < PADDING ? (size_t)count : PADDING;
        char padding[size];
        memset(padding, c, size);
        write_out(out, out->text, out->length - out->done);
        out->length += count;
        for (size_t part; out->done < out->length; write_out(out, padding, part))
            part = out->length - out->done < size ? out->length - out->done : size;
        return;
    }
    for (; count > 0 && (out->stream != 0 || out->length + 1 < out->size); count--)
        put(out, c);
    if (count > 0)
        out->length += count;
}

// The start of a field for `length` characters: spaces, the prefix, and zeros if the flags ask for them.
static void begin_field(struct output *out, const char *prefix, long length, int is_number)
{
    long spaces = out->width - length - (long)strlen(prefix), zeros = 0;
    if (out->flags & MINUS)
        spaces = 0;
    else if (is_number && out->flags & ZERO) {
        zeros = spaces;
        spaces = 0;
    }
    repeat(out, ' ', spaces);
    while (*prefix != 0)
        put(out, *prefix++);
    repeat(out, '0', zeros);
}

// The end of a field that started when the text had a length.
static void end_field(struct output *out, size_t start)
{
    if (out->flags & MINUS)
        repeat(out, ' ', out->width - (long)(out->length - start));
}

static const char *sign_of(struct output *out, int is_negative)
{
    return is_negative ? "-" : out->flags & PLUS ? "+" : out->flags & SPACE ? " " : "";
}

static void put_integer(struct output *out, unsigned long value, unsigned base, const char *prefix)
{
    char digits[64];
    const char *shapes = out->flags & UPPER ? "0123456789ABCDEF" : "0123456789abcdef";
    int count = 0, is_zero = value == 0;
    size_t start = out->length;
    for (; value != 0; value /= base)
        digits[count++] = shapes[value % base];
    if (is_zero && out->precision != 0)
        digits[count++] = '0';
    int zeros = out->precision - count;
    if (base == 8 && out->flags & ALTERNATIVE && zeros <= 0 && (count == 0 || digits[count - 1] != '0'))
        zeros = 1;
    if (zeros < 0)
        zeros = 0;
    if (out->precision >= 0)
        out->flags &= ~ZERO;
    begin_field(out, prefix, (long)count + zeros, 1);
    repeat(out, '0', zeros);
    while (count > 0)
        put(out, digits[--count]);
    end_field(out, start);
}

static void put_text(struct output *out, const char *text, int length)
{
    size_t start = out->length;
    begin_field(out, "", length, 0);
    for (int i = 0; i < length; i++)
        put(out, text[i]);
    end_field(out, start);
}

// The exact decimal digits of a positive number: 0.ddd times 10 to the power of `point`.
struct decimal {
    int count, point;
    char *digits;
};

enum { LIMB = 1000000000 };

// Find the digits with the help of `limbs`, which has space for them, nine in each.
static void find_digits(struct decimal *found, unsigned *limbs, unsigned long mantissa, int exponent)
{
    int used = 0;
    while ((mantissa & 1) == 0) {
        mantissa >>= 1;
        exponent++;
    }
    for (unsigned long rest = mantissa; rest != 0; rest /= LIMB)
        limbs[used++] = (unsigned)(rest % LIMB);
    // 2 to the power of -n is 5 to the power of n, with n digits after the point.
    int steps = exponent < 0 ? -exponent : exponent, most = exponent < 0 ? 13 : 31;
    while (steps > 0) {
        int step = steps < most ? steps : most;
        unsigned long factor = 1, carry = 0;
        steps -= step;
        for (; step > 0; step--)
            factor *= exponent < 0 ? 5 : 2;
        for (int i = 0; i < used; i++) {
            carry += limbs[i] * factor;
            limbs[i] = (unsigned)(carry % LIMB);
            carry /= LIMB;
        }
        for (; carry != 0; carry /= LIMB)
            limbs[used++] = (unsigned)(carry % LIMB);
    }
    int at = used * 9;
    for (int i = 0; i < used; i++)
        for (int digit = 0; digit < 9; digit++) {
            found->digits[--at] = (char)('0' + limbs[i] % 10);
            limbs[i] /= 10;
        }
    int zeros = 0;
    while (found->digits[zeros] == '0')
        zeros++;
    found->count = used * 9 - zeros;
    for (int i = 0; i < found->count; i++)
        found->digits[i] = found->digits[i + zeros];
    found->point = found->count + (exponent < 0 ? exponent : 0);
}

// Round to so many digits, halves to even.
static void round_digits(struct decimal *number, long most)
{
    int kept = (int)most;
    if (most >= number->count)
        return;
    int is_up = 0;
    if (kept >= 0) {
        is_up = number->digits[kept] > '5';
        if (number->digits[kept] == '5') {
            is_up = kept > 0 && (number->digits[kept - 1] - '0') % 2 == 1;
            for (int i = kept + 1; i < number->count; i++)
                if (number->digits[i] != '0')
                    is_up = 1;
        }
    }
    number->count = kept < 0 ? 0 : kept;
    if (!is_up)
        return;
    int at = kept - 1;
    while (at >= 0 && number->digits[at] == '9')
        number->digits[at--] = '0';
    if (at >= 0) {
        number->digits[at]++;
        return;
    }
    number->digits[0] = '1';
    for (int i = 1; i <= kept; i++)
        number->digits[i] = '0';
    number->point++;
    number->count = kept == 0 ? 1 : kept;
}

static char digit_at(struct decimal *number, int index)
{
    return index >= 0 && index < number->count ? number->digits[index] : '0';
}

static void put_digits(struct output *out, struct decimal *number, int start, int count)
{
    for (; count > 0 && start < number->count; count--)
        put(out, digit_at(number, start++));
    repeat(out, '0', count);
}

static void put_fixed(struct output *out, struct decimal *number, const char *sign, int precision)
{
    int before = number->point > 0 ? number->point : 1, has_point = precision > 0 || out->flags & ALTERNATIVE;
    begin_field(out, sign, (long)before + has_point + precision, 1);
    if (number->point <= 0)
        put(out, '0');
    put_digits(out, number, 0, number->point);
    if (has_point)
        put(out, '.');
    put_digits(out, number, number->point, precision);
}

static void put_exponent(struct output *out, int exponent, int least)
{
    put(out, exponent < 0 ? '-' : '+');
    unsigned rest = (unsigned)(exponent < 0 ? -exponent : exponent);
    char digits[6];
    int count = 0;
    for (; rest != 0 || count < least; rest /= 10)
        digits[count++] = (char)('0' + rest % 10);
    while (count > 0)
        put(out, digits[--count]);
}

static void put_scientific(struct output *out, struct decimal *number, const char *sign, int precision)
{
    int exponent = number->count == 0 ? 0 : number->point - 1, has_point = precision > 0 || out->flags & ALTERNATIVE;
    int size = exponent <= -1000 || exponent >= 1000 ? 6 : exponent <= -100 || exponent >= 100 ? 5 : 4;
    begin_field(out, sign, 1L + has_point + precision + size, 1);
    put(out, digit_at(number, 0));
    if (has_point)
        put(out, '.');
    put_digits(out, number, 1, precision);
    put(out, out->flags & UPPER ? 'E' : 'e');
    put_exponent(out, exponent, 2);
}

// The bits of the mantissa after the first digit are `places` hexadecimal digits.
static void put_hexadecimal(struct output *out, unsigned long mantissa, int exponent, int places, const char *sign)
{
    const char *shapes = out->flags & UPPER ? "0123456789ABCDEF" : "0123456789abcdef";
    char prefix[4] = { 0 };
    int count = places, at = 0;
    if (*sign != 0)
        prefix[at++] = *sign;
    prefix[at++] = '0';
    prefix[at] = out->flags & UPPER ? 'X' : 'x';
    if (out->precision >= 0 && out->precision < places) {
        int cut = 4 * (places - out->precision);
        unsigned long half = 1UL << (cut - 1), rest = mantissa & ((half << 1) - 1);
        mantissa >>= cut;
        if (rest > half || (rest == half && mantissa & 1))
            mantissa++;
        count = out->precision;
        if (mantissa >> (4 * count) == 16) {
            mantissa >>= 4;
            exponent += 4;
        }
    } else if (out->precision < 0) {
        for (; count > 0 && (mantissa & 15) == 0; count--)
            mantissa >>= 4;
    }
    int zeros = out->precision > places ? out->precision - places : 0, has_point = count + zeros > 0 || out->flags & ALTERNATIVE;
    int size = 2, limit = 10;
    for (int rest = exponent < 0 ? -exponent : exponent; rest >= limit; limit *= 10)
        size++;
    begin_field(out, prefix, 1L + has_point + count + zeros + 1 + size, 1);
    put(out, shapes[mantissa >> (4 * count)]);
    if (has_point)
        put(out, '.');
    for (int i = count - 1; i >= 0; i--)
        put(out, shapes[mantissa >> (4 * i) & 15]);
    repeat(out, '0', zeros);
    put(out, out->flags & UPPER ? 'P' : 'p');
    put_exponent(out, exponent, 1);
}

static void put_number(struct output *out, struct decimal *number, char conversion, const char *sign)
{
    int precision = out->precision < 0 ? 6 : out->precision;
    if (conversion == 'f') {
        round_digits(number, (long)number->point + precision);
        put_fixed(out, number, sign, precision);
    } else if (conversion == 'e') {
        round_digits(number, precision + 1L);
        put_scientific(out, number, sign, precision);
    } else {
        precision = precision == 0 ? 1 : precision;
        round_digits(number, precision);
        int exponent = number->count == 0 ? 0 : number->point - 1, is_fixed = exponent >= -4 && exponent < precision;
        if (!(out->flags & ALTERNATIVE)) {
            while (number->count > 0 && number->digits[number->count - 1] == '0')
                number->count--;
            precision = number->count > 0 ? number->count : 1;
            if (is_fixed && precision < exponent + 1)
                precision = exponent + 1;
        }
        if (is_fixed)
            put_fixed(out, number, sign, precision - 1 - exponent);
        else
            put_scientific(out, number, sign, precision - 1);
    }
}

// A number, the mantissa times 2 to the power of the exponent, or the name of another value.
struct binary {
    int is_negative;
    const char *name;
    unsigned long mantissa;
    int exponent, places;
};

static void put_binary(struct output *out, struct binary value, char conversion, char *digits, unsigned *limbs)
{
    const char *sign = sign_of(out, value.is_negative);
    size_t start = out->length;
    if (value.name != 0) {
        out->flags &= ~ZERO;
        begin_field(out, sign, 3, 0);
        for (; *value.name != 0; value.name++)
            put(out, out->flags & UPPER ? (char)(*value.name - 32) : *value.name);
    } else if (conversion == 'a') {
        int exponent = value.mantissa == 0 ? 0 : value.exponent + 4 * value.places;
        put_hexadecimal(out, value.mantissa, exponent, value.places, sign);
    } else {
        struct decimal number = { 0, conversion == 'f' ? 0 : 1, digits };
        if (value.mantissa != 0)
            find_digits(&number, limbs, value.mantissa, value.exponent);
        put_number(out, &number, conversion, sign);
    }
    end_field(out, start);
}

static void put_floating(struct output *out, double value, char conversion)
{
    union { double value; unsigned long bits; } both = { value };
    unsigned long fraction = both.bits & 0xfffffffffffffUL;
    int exponent = (int)(both.bits >> 52 & 2047);
    const char *name = exponent < 2047 ? 0 : fraction != 0 ? "nan" : "inf";
    struct binary number = { both.bits >> 63 != 0, name, fraction, -1074, 13 };
    char digits[800];
    unsigned limbs[90];
    if (exponent != 0) {
        number.mantissa |= 1UL << 52;
        number.exponent += exponent - 1;
    }
    put_binary(out, number, conversion, digits, limbs);
}

// A `long double` in memory. Targets without the type print it, too.
struct extended {
    unsigned long mantissa, head;
};

static void put_extended(struct output *out, struct extended value, char conversion)
{
    int exponent = value.head & 0x7fff;
    const char *name = exponent < 0x7fff ? 0 : value.mantissa << 1 != 0 ? "nan" : "inf";
    struct binary number = { (value.head & 0x8000) != 0, name, value.mantissa, -16445, 15 };
    char digits[11600];
    unsigned limbs[1300];
    if (exponent != 0)
        number.exponent += exponent - 1;
    put_binary(out, number, conversion, digits, limbs);
}

// The number at the start of the format; -1 if it is larger than an `int`.
static int digits_at(const char **format)
{
    long value = 0;
    for (; **format >= '0' && **format <= '9'; ++*format)
        if (value <= 2147483647)
            value = value * 10 + (**format - '0');
    return value <= 2147483647 ? (int)value : -1;
}

// The size of an argument in bytes, after the letters of a directive that state it.
static int size_at(const char **format)
{
    int size = 4;
    for (;; ++*format) {
        if (**format == 'h')
            size /= 2;
        else if (**format == 'l' || **format == 'j' || **format == 'z' || **format == 't' || **format == 'L' || **format == 'q' || **format == 'Z')
            size = 8;
        else
            return size;
    }
}

static unsigned long narrowed(unsigned long value, int size)
{
    return size == 8 ? value : value & ((1UL << (8 * size)) - 1);
}

static void put_signed(struct output *out, long value)
{
    put_integer(out, value < 0 ? -(unsigned long)value : (unsigned long)value, 10, sign_of(out, value < 0));
}

static void put_unsigned(struct output *out, unsigned long value, char conversion)
{
    unsigned base = conversion == 'o' ? 8 : conversion == 'u' ? 10 : conversion == 'b' ? 2 : 16;
    char prefix[] = { '0', (char)(out->flags & UPPER ? conversion - 32 : conversion), 0 };
    int has_prefix = (base == 16 || base == 2) && value != 0 && out->flags & ALTERNATIVE;
    put_integer(out, value, base, has_prefix ? prefix : "");
}

static void put_pointer(struct output *out, void *pointer)
{
    out->flags |= ALTERNATIVE;
    if (pointer == 0)
        put_text(out, "(nil)", 5);
    else
        put_integer(out, (unsigned long)pointer, 16, out->flags & PLUS ? "+0x" : out->flags & SPACE ? " 0x" : "0x");
}

static void put_string(struct output *out, const char *text)
{
    int length = 0;
    if (text == 0)
        text = out->precision < 0 || out->precision >= 6 ? "(null)" : "";
    while (length != out->precision && text[length] != 0)
        length++;
    put_text(out, text, length);
}

// In the locale "C", a wide character is one byte of ASCII; another one makes the call fail.
static void put_wide_string(struct output *out, const wchar_t *text)
{
    int length = 0;
    size_t start = out->length;
    if (text == 0) {
        put_string(out, 0);
        return;
    }
    for (; length != out->precision && text[length] != 0; length++)
        if (text[length] < 0 || text[length] > 127) {
            out->error = EILSEQ;
            return;
        }
    begin_field(out, "", length, 0);
    for (int i = 0; i < length; i++)
        put(out, (char)text[i]);
    end_field(out, start);
}

static void put_decimal(struct output *out, int number)
{
    if (number > 9)
        put_decimal(out, number / 10);
    put(out, (char)('0' + number % 10));
}

// Put a directive without a meaning, as glibc does.
static void put_directive(struct output *out, char conversion)
{
    put(out, '%');
    if (out->flags & ALTERNATIVE)
        put(out, '#');
    if (out->flags & (PLUS | SPACE))
        put(out, out->flags & PLUS ? '+' : ' ');
    if (out->flags & (MINUS | ZERO))
        put(out, out->flags & MINUS ? '-' : '0');
    if (out->width > 0)
        put_decimal(out, out->width);
    if (out->precision >= 0) {
        put(out, '.');
        put_decimal(out, out->precision);
    }
    put(out, conversion);
}

// ---------------------------------------------------------------------------------------------- arguments at positions

// A format with positions, such as ``%2$*1$d``, is replaced by one without them and by a list of its arguments in order.

enum { MOST_ARGUMENTS = 4096, IN_GENERAL = 0, IN_VECTOR, IN_MEMORY };

// The use of an argument: its position, which is 0 if the directive states none, how its type is passed, and its size.
struct use {
    int position, kind, size;
};

// Pass the position at the start of a directive, or after `*`. Returns 0 if there is none.
static int position_at(const char **format)
{
    const char *at = *format;
    int position = digits_at(&at);
    if (at == *format || *at != '$')
        return 0;
    *format = at + 1;
    return position;
}

// Pass a directive after its `%`, and write it without positions. Returns the number of its uses of arguments.
static int without_positions(const char **format, char **plain, struct use *uses, int is_input)
{
    int position = position_at(format), count = 0, size = 4, is_long = 0, is_suppressed = 0;
    while (**format != 0 && strchr("-+ #0'I123456789.*hlLqjztZ", **format) != 0) {
        int c = *(*plain)++ = *(*format)++;
        is_long |= c == 'L';
        if (strchr("lLqjztZ", c) != 0)
            size = 8;
        is_suppressed |= c == '*' && is_input;
        if (c == '*' && !is_input)
            uses[count++] = (struct use){ position_at(format), IN_GENERAL, 4 };
    }
    if (**format == 0)
        return count;
    int is_floating = !is_input && strchr("aAeEfFgG", **format) != 0;
    if (is_input || is_floating || strchr("sSpn", **format) != 0)
        size = 8;
    else if (**format == 'c' || **format == 'C')
        size = 4;
    if (!is_suppressed && strchr("aAbBeEfFgGdiouxXcCsSpn[", **format) != 0)
        uses[count++] = (struct use){ position, !is_floating ? IN_GENERAL : is_long ? IN_MEMORY : IN_VECTOR, size };
    *(*plain)++ = *(*format)++;
    return count;
}

// Whether a directive states a position.
static int has_positions(const char *format)
{
    for (; (format = strchr(format, '%')) != 0; format += *format == '%') {
        format++;
        if (position_at(&format) != 0)
            return 1;
        while (*format != 0 && strchr("-+ #0'I123456789.*", *format) != 0)
            if (*format++ == '*' && position_at(&format) != 0)
                return 1;
    }
    return 0;
}

// Write the format without positions. Returns the number of uses of arguments, or -1 if a position is too large. As in
// glibc, the uses without a position are those of the first arguments.
static int in_order(const char *format, char *plain, struct use *uses, int is_input)
{
    int count = 0, next = 0, is_wrong = 0;
    while (*format != 0) {
        int is_directive = *format == '%', first = count;
        *plain++ = *format++;
        if (is_directive)
            count += without_positions(&format, &plain, uses + count, is_input);
        for (; first < count; first++) {
            if (uses[first].position == 0)
                uses[first].position = ++next;
            is_wrong |= uses[first].position < 0 || uses[first].position > MOST_ARGUMENTS;
        }
    }
    *plain = 0;
    return is_wrong ? -1 : count;
}

// An argument of 4 or 8 bytes. It is compared, as a copy of bytes that were not written is no error.
static long word_at(const void *place, int size)
{
    long word = size == 4 ? *(const int *)place : *(const long *)place;
    return word != 0 ? word : 0;
}

// Make `ordered` a list of the arguments in the order of their uses, in slots. An unused argument is one like `int`.
static void reorder(va_list list, const struct use *uses, int count, long *slots, va_list ordered)
{
    int last = 0, at = 0;
    for (int i = 0; i < count; i++)
        last = uses[i].position > last ? uses[i].position : last;
    char kinds[last + 1];
    void *places[last + 1];
    for (int i = 0; i <= last; i++)
        kinds[i] = IN_GENERAL;
    for (int i = 0; i < count; i++)
        kinds[uses[i].position] = (char)uses[i].kind;
    for (int i = 1; i <= last; i++)
        places[i] = kinds[i] == IN_GENERAL ? __va_general(list, 1) : kinds[i] == IN_VECTOR ? __va_vector(list)
                                                                                           : __va_memory(list, 16, 16);
    for (int i = 0; i < count; i++) {
        int length = uses[i].kind == IN_MEMORY ? 2 : 1;
        void *place = places[uses[i].position];
        at += length == 2 && (size_t)(slots + at) % 16 != 0;
        if (length == 2)
            memcpy(slots + at, place, 16);
        else
            slots[at] = word_at(place, uses[i].size);
        at += length;
    }
    ordered->gp_offset = 48;
    ordered->fp_offset = 176;
    ordered->overflow_arg_area = slots;
    ordered->reg_save_area = 0;
}

static int print(struct output *out, const char *format, va_list list);

static int print_in_order(struct output *out, const char *format, va_list list)
{
    size_t length = strlen(format);
    char plain[length + 1];
    struct use uses[length];
    long slots[3 * length];
    va_list ordered;
    int count = in_order(format, plain, uses, 0);
    if (count < 0)
        return (int)checked(-EINVAL);
    reorder(list, uses, count, slots, ordered);
    return print(out, plain, ordered);
}

// Print, and return the number of characters, or -1. A number that is no `int` ends the text.
static int print(struct output *out, const char *format, va_list list)
{
    if (has_positions(format))
        return print_in_order(out, format, list);
    int number = errno;
    for (; *format != 0 && out->error == 0; format++) {
        if (*format != '%') {
            put(out, *format);
            continue;
        }
        out->flags = 0;
        out->precision = -1;
        for (format++;; format++) {
            int flag = *format == '-' ? MINUS : *format == '+' ? PLUS : *format == ' ' ? SPACE
                     : *format == '#' ? ALTERNATIVE : *format == '0' ? ZERO : 0;
            if (flag == 0 && *format != '\'' && *format != 'I') // the locale "C" has no groups and no other digits
                break;
            out->flags |= flag;
        }
        if (*format == '*') {
            format++;
            __va_expect(list, INTEGER, INTEGER);
            out->width = va_arg(list, int);
            if (out->width < 0) {
                out->flags |= MINUS;
                out->width = -out->width;
            }
        } else {
            out->width = digits_at(&format);
        }
        if (*format == '.') {
            format++;
            if (*format == '*') {
                format++;
                __va_expect(list, INTEGER, INTEGER);
                int precision = va_arg(list, int);
                out->precision = precision < 0 ? -1 : precision;
            } else if ((out->precision = digits_at(&format)) < 0) {
                out->width = -1;
            }
        }
        if (out->width < 0)
            return (int)checked(-EOVERFLOW);
        int length = *format == 'C' || *format == 'S' ? 8 : size_at(&format);
        char conversion = *format;
        int c;
        if (conversion != 0 && strchr("ABEFGXCS", conversion) != 0) {
            out->flags |= UPPER;
            conversion = (char)(conversion + 32);
        }
        if (conversion != 0 && strchr("dibouxcspn", conversion) != 0) {
            int kind = strchr("spn", conversion) != 0 ? POINTER : INTEGER;
            __va_expect(list, kind, kind);
        }
        switch (conversion) {
        case 'd':
        case 'i':
            put_signed(out, length == 8 ? va_arg(list, long) : length == 4 ? va_arg(list, int)
                           : length == 2 ? (short)va_arg(list, int) : (signed char)va_arg(list, int));
            break;
        case 'b':
        case 'o':
        case 'u':
        case 'x':
            put_unsigned(out, narrowed(length == 8 ? va_arg(list, unsigned long) : va_arg(list, unsigned), length),
                         conversion);
            break;
        case 'c':
            c = va_arg(list, int);
            if (length == 8 && (c < 0 || c > 127))
                out->error = EILSEQ;
            else
                put_text(out, (char[]){ (char)c }, 1);
            break;
        case 's':
            if (length == 8)
                put_wide_string(out, va_arg(list, wchar_t *));
            else
                put_string(out, va_arg(list, char *));
            break;
        case 'm':
            put_string(out, strerror(number));
            break;
        case 'p':
            put_pointer(out, va_arg(list, void *));
            break;
        case 'n':
            if (length == 8)
                *va_arg(list, long *) = (long)out->length;
            else if (length == 4)
                *va_arg(list, int *) = (int)out->length;
            else if (length == 2)
                *va_arg(list, short *) = (short)out->length;
            else
                *va_arg(list, signed char *) = (signed char)out->length;
            break;
        case 'e':
        case 'f':
        case 'g':
        case 'a':
            if (format[-1] == 'L')
                put_extended(out, *(struct extended *)__va_memory(list, 16, 16), conversion);
            else
                put_floating(out, va_arg(list, double), conversion);
            break;
        case '%':
            put(out, '%');
            break;
        default:
            if (*format == 0)
                format--;
            else
                put_directive(out, *format);
        }
    }
    if (out->error == 0 && out->length > 2147483647)
        out->error = EOVERFLOW;
    return (int)(out->error != 0 ? checked(-out->error) : (long)out->length);
}

int vsnprintf(char *text, size_t size, const char *format, va_list list)
{
    struct output out = { text, size };
    int length = print(&out, format, list);
    if (size > 0)
        text[out.length < size ? out.length : size - 1] = 0;
    return length;
}

int vsprintf(char *text, const char *format, va_list list) { return vsnprintf(text, ~0UL, format, list); }

int vfprintf(FILE *stream, const char *format, va_list list)
{
    char text[SIZE];
    struct output out = { text, sizeof text, stream };
    int length = print(&out, format, list);
    write_out(&out, text, out.length - out.done);
    return out.error != 0 ? -1 : length;
}

int vprintf(const char *format, va_list list) { return vfprintf(stdout, format, list); }

int vdprintf(int descriptor, const char *format, va_list list)
{
    FILE stream = { NO_READS, ._fileno = descriptor };
    return vfprintf(&stream, format, list);
}

int dprintf(int descriptor, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vdprintf(descriptor, format, list);
    va_end(list);
    return length;
}

int snprintf(char *text, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, size, format, list);
    va_end(list);
    return length;
}

int sprintf(char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, ~0UL, format, list);
    va_end(list);
    return length;
}

int fprintf(FILE *stream, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vfprintf(stream, format, list);
    va_end(list);
    return length;
}

int vasprintf(char **text, const char *format, va_list list)
{
    va_list copy;
    va_copy(copy, list);
    int length = vsnprintf(0, 0, format, copy);
    va_end(copy);
    if (length < 0)
        return -1;
    char *printed = malloc((size_t)length + 1);
    if (printed == 0)
        return -1;
    *text = printed;
    return vsnprintf(printed, (size_t)length + 1, format, list);
}

int asprintf(char **text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vasprintf(text, format, list);
    va_end(list);
    return length;
}

int printf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vfprintf(stdout, format, list);
    va_end(list);
    return length;
}

// --------------------------------------------------------------------------------------------------- formatted input

static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static int is_digit(int c) { return c >= '0' && c <= '9'; }

static void skip_spaces(FILE *stream)
{
    while (is_space(peek(stream)))
        stream->_IO_read_ptr++;
}

// A number is collected as text, of at most `width` characters.
struct field {
    FILE *stream;
    int width, length;
    char text[512];
};

// Append the next character if it is one of `set`. Returns whether it is.
static int take(struct field *field, const char *set)
{
    int c = field->length < field->width && field->length < 511 ? peek(field->stream) : EOF;
    for (; *set != 0; set++)
        if (c == *set) {
            field->text[field->length++] = (char)c;
            field->stream->_IO_read_ptr++;
            return 1;
        }
    return 0;
}

static int take_all(struct field *field, const char *set)
{
    int count = 0;
    while (take(field, set))
        count++;
    return count;
}

static const char *const decimal_digits = "0123456789";
static const char *const hexadecimal_digits = "0123456789abcdefABCDEF";

// Collect an integer. Returns its base, or -1 if there is none. As with glibc, "0x" is one.
static int take_integer(struct field *field, int base)
{
    int count = 0;
    take(field, "+-");
    if (take(field, "0")) {
        count = 1;
        if ((base == 0 || base == 16) && take(field, "xX")) {
            base = 16;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    count += take_all(field, base == 8 ? "01234567" : base == 10 ? decimal_digits : hexadecimal_digits);
    field->text[field->length] = 0;
    return count > 0 ? base : -1;
}

static int take_word(struct field *field, const char *lower, const char *upper)
{
    for (; *lower != 0; lower++, upper++) {
        char set[3] = { *lower, *upper, 0 };
        if (!take(field, set))
            return 0;
    }
    return 1;
}

// Collect a floating number. Returns whether there is one. As with glibc, "1e" and "0x." are numbers.
static int take_floating(struct field *field)
{
    const char *digits = decimal_digits;
    int count = 0, is_hexadecimal = 0, has_point = 0;
    take(field, "+-");
    if (take(field, "iI")) {
        count = take_word(field, "nf", "NF");
        if (count && take(field, "iI"))
            count = take_word(field, "nity", "NITY");
    } else if (take(field, "nN")) {
        count = take_word(field, "an", "AN");
    } else {
        if (take(field, "0")) {
            is_hexadecimal = field->width - field->length > 1 && take(field, "xX");
            count = !is_hexadecimal;
            if (is_hexadecimal)
                digits = hexadecimal_digits;
        }
        count += take_all(field, digits);
        has_point = take(field, ".");
        if (has_point)
            count += take_all(field, digits);
        if (count > 0 && take(field, is_hexadecimal ? "pP" : "eE")) {
            take(field, "+-");
            take_all(field, decimal_digits);
        }
    }
    field->text[field->length] = 0;
    return count > 0 || (is_hexadecimal && has_point);
}

static void store_integer(void *target, int size, unsigned long value)
{
    if (size == 8)
        *(unsigned long *)target = value;
    else if (size == 4)
        *(unsigned *)target = (unsigned)value;
    else if (size == 2)
        *(unsigned short *)target = (unsigned short)value;
    else
        *(unsigned char *)target = (unsigned char)value;
}

// Whether a byte is in a set such as ``[^a-z]``, which starts after the bracket. `end` is its closing bracket.
// As in glibc, a range may start where another one ends, and '-' between other bytes is a byte of the set.
static int is_in_set(int c, const char *set, const char *end)
{
    int is_inverted = *set == '^', is_found = 0;
    const unsigned char *first = (const unsigned char *)set + is_inverted, *last = (const unsigned char *)end - 1;
    for (const unsigned char *at = first; at <= last; at++)
        if (*at == '-' && at > first && at < last && at[-1] <= at[1])
            is_found |= c > at[-1] && c < at[1];
        else
            is_found |= c == *at;
    return is_found != is_inverted;
}

static void store_character(void *target, int index, int c, int is_wide)
{
    if (target != 0 && is_wide)
        ((wchar_t *)target)[index] = c;
    else if (target != 0)
        ((char *)target)[index] = (char)c;
}

// Read characters into `target`, which may be null, or into new memory, if `allocated` is a place for its address. Returns
// their number.
static int take_characters(FILE *stream, void *target, void **allocated, int width, int is_wide, char conversion,
                           const char *set, const char *end)
{
    int count = 0, room = 0;
    while (count < width) {
        int c = peek(stream);
        if (c == EOF || (conversion == 's' && is_space(c)) || (conversion == '[' && !is_in_set(c, set, end)))
            break;
        if (allocated != 0 && count + 1 >= room) {
            room = 2 * room + 32;
            *allocated = target = realloc(target, is_wide ? room * sizeof(wchar_t) : (size_t)room);
        }
        store_character(target, count, c, is_wide);
        count++;
        stream->_IO_read_ptr++;
    }
    if (conversion != 'c' && count > 0)
        store_character(target, count, 0, is_wide);
    return count;
}

// Read a number into `target`, which may be null. Returns whether there is one.
static int take_number(FILE *stream, void *target, int width, int size, int is_long, char conversion)
{
    struct field field = { stream, width, 0 };
    if (conversion == 'e' || conversion == 'f' || conversion == 'g' || conversion == 'a') {
        if (!take_floating(&field))
            return 0;
        if (target != 0 && is_long == 2)
            __strtold(field.text, 0, target);
        else if (target != 0 && is_long)
            *(double *)target = strtod(field.text, 0);
        else if (target != 0)
            *(float *)target = strtof(field.text, 0);
        return 1;
    }
    int is_signed = conversion == 'd' || conversion == 'i';
    int wanted = conversion == 'i' ? 0 : conversion == 'o' ? 8 : conversion == 'x' || conversion == 'p' ? 16 : 10;
    int base = take_integer(&field, wanted);
    if (base < 0)
        return 0;
    unsigned long value = is_signed ? (unsigned long)strtol(field.text, 0, base) : strtoul(field.text, 0, base);
    if (target != 0)
        store_integer(target, conversion == 'p' ? 8 : size, value);
    return 1;
}

static long position_in(FILE *stream) { return stream->_old_offset + (stream->_IO_read_ptr - stream->_IO_read_base); }

static int scan_in_order(FILE *stream, const char *format, va_list list)
{
    size_t length = strlen(format);
    char plain[length + 1];
    struct use uses[length];
    long slots[length];
    va_list ordered;
    int count = in_order(format, plain, uses, 1);
    if (count < 0) {
        checked(-EINVAL);
        return EOF;
    }
    reorder(list, uses, count, slots, ordered);
    return vfscanf(stream, plain, ordered);
}

int vfscanf(FILE *stream, const char *format, va_list list)
{
    if (has_positions(format))
        return scan_in_order(stream, format, list);
    int assigned = 0;
    long start = position_in(stream);
    for (; *format != 0; format++) {
        if (is_space(*format)) {
            skip_spaces(stream);
            continue;
        }
        if (*format != '%') {
            if (peek(stream) != (unsigned char)*format)
                return assigned == 0 && peek(stream) == EOF ? EOF : assigned;
            stream->_IO_read_ptr++;
            continue;
        }
        format++;
        int is_suppressed = *format == '*';
        format += is_suppressed;
        int width = digits_at(&format), is_allocating = *format == 'm';
        format += is_allocating;
        int size = size_at(&format);
        int is_long = format[-1] == 'L' ? 2 : format[-1] == 'l' || *format == 'C' || *format == 'S';
        char conversion = *format >= 'A' && *format <= 'Z' ? (char)(*format + 32) : *format;
        const char *set = format + 1, *end = set;
        if (conversion == '[') {
            end += *end == '^';
            end += *end == ']';
            while (*end != ']')
                end++;
            format = end;
        }
        if (conversion == 0 || strchr("diouxpefgacsn[%", conversion) == 0)
            return assigned;
        if (conversion != 'c' && conversion != '[' && conversion != 'n')
            skip_spaces(stream);
        if (conversion == 'n') {
            if (!is_suppressed)
                store_integer(va_arg(list, void *), size, (unsigned long)(position_in(stream) - start));
            continue;
        }
        if (peek(stream) == EOF)
            return assigned == 0 ? EOF : assigned;
        if (conversion == '%') {
            if (peek(stream) != '%')
                return assigned;
            stream->_IO_read_ptr++;
            continue;
        }
        void *target = is_suppressed ? 0 : va_arg(list, void *);
        int is_found;
        if (conversion == 's' || conversion == 'c' || conversion == '[') {
            int most = width > 0 ? width : conversion == 'c' ? 1 : 2147483647;
            void **allocated = is_allocating ? target : 0;
            int count = take_characters(stream, is_allocating ? 0 : target, allocated, most, is_long, conversion, set, end);
            is_found = count > 0;
        } else {
            is_found = take_number(stream, target, width > 0 ? width : 2147483647, size, is_long, conversion);
        }
        if (!is_found)
            return assigned;
        assigned += !is_suppressed;
    }
    return assigned;
}

int vscanf(const char *format, va_list list) { return vfscanf(stdin, format, list); }

int vsscanf(const char *text, const char *format, va_list list)
{
    unsigned char *start = (unsigned char *)text;
    FILE source = { NO_WRITES, start, start + strlen(text), start, ._IO_buf_base = start, ._fileno = -1 };
    return vfscanf(&source, format, list);
}

int fscanf(FILE *stream, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vfscanf(stream, format, list);
    va_end(list);
    return count;
}

int scanf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vfscanf(stdin, format, list);
    va_end(list);
    return count;
}

int sscanf(const char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vsscanf(text, format, list);
    va_end(list);
    return count;
}
