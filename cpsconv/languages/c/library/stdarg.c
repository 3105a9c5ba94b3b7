// The next argument of a `va_list`, as the System V ABI for x86-64 (section 3.5.7) determines: `va_arg` calls these functions.
// A register save area has 6 general registers of 8 bytes, then 8 vector registers of 16 bytes.

typedef unsigned long size_t;
typedef __builtin_va_list va_list;

void *memcpy(void *, const void *, size_t);

enum { GENERAL_END = 6 * 8, VECTOR_END = GENERAL_END + 8 * 16 };
enum kind { INTEGER = 1, FLOATING, POINTER };

// The kinds of the arguments, two bits for each, if `list` describes them (`described` in abi/argument_passing.py), else 0.
static size_t kinds_in(va_list list)
{
    size_t described = (size_t)list->reg_save_area;
    return described & 1 ? described >> 1 : 0;
}

// Erase the next argument if it is described, and of none of the two kinds: its use is a runtime error.
void __va_expect(va_list list, enum kind kind, enum kind other)
{
    unsigned given = kinds_in(list) & 3;
    long undefined;
    if (given != 0 && given != kind && given != other)
        memcpy(list->overflow_arg_area, &undefined, sizeof undefined);
}

// An argument that is passed in memory.
void *__va_memory(va_list list, size_t size, size_t alignment)
{
    char *place = list->overflow_arg_area;
    if ((size_t)list->reg_save_area & 1)
        list->reg_save_area = (void *)((size_t)list->reg_save_area >> 2 | 1);
    if (alignment > 8)
        place += -(size_t)place & (alignment - 1);
    list->overflow_arg_area = place + ((size + 7) & -8);
    return place;
}

// An argument in `count` general registers.
void *__va_general(va_list list, int count)
{
    unsigned at = list->gp_offset;
    if (at + 8 * count > GENERAL_END) {
        __va_expect(list, INTEGER, POINTER);
        return __va_memory(list, 8 * count, 8);
    }
    list->gp_offset = at + 8 * count;
    return (char *)list->reg_save_area + at;
}

// An argument in a vector register.
void *__va_vector(va_list list)
{
    unsigned at = list->fp_offset;
    if (at + 16 > VECTOR_END) {
        __va_expect(list, FLOATING, FLOATING);
        return __va_memory(list, 8, 8);
    }
    list->fp_offset = at + 16;
    return (char *)list->reg_save_area + at;
}

// A struct, or an integer of 128 bits, in one or two registers: bit n of `vectors` is set if the eightbyte n is in a vector register. It is
// composed at `place`, unless it is in memory.
void *__va_struct(va_list list, void *place, size_t size, int vectors, size_t alignment)
{
    int count = size > 8 ? 2 : 1, number = (vectors & 1) + (vectors >> 1);
    if (list->gp_offset + 8 * (count - number) > GENERAL_END || list->fp_offset + 16 * number > VECTOR_END)
        return __va_memory(list, size, alignment);
    for (int i = 0; i < count; i++) {
        size_t rest = size - 8 * i;
        void *part = vectors >> i & 1 ? __va_vector(list) : __va_general(list, 1);
        memcpy((char *)place + 8 * i, part, rest < 8 ? rest : 8);
    }
    return place;
}

// The next functions are for calls that pass on arguments, which `list` describes. `general` and `vector` registers are
// left for them. The result is the `number`-th word in general registers (`kind` is 0), in vector registers (1) or on the
// stack (2), or 0 if there are fewer.
long __va_word(va_list list, int general, int vector, int kind, int number)
{
    if (((size_t)list->reg_save_area & 1) == 0)
        __builtin_trap();
    size_t kinds = kinds_in(list);
    for (int i = 0; kinds != 0; i++, kinds >>= 2) {
        int is_vector = (kinds & 3) == FLOATING, left = is_vector ? vector-- : general--;
        if ((left > 0 ? is_vector : 2) == kind && number-- == 0)
            return ((long *)list->overflow_arg_area)[i];
    }
    return 0;
}

double __va_double(va_list list, int general, int vector, int kind, int number)
{
    long word = __va_word(list, general, vector, kind, number);
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}
