// The time, in UTC: without an environment, there is no other time zone.

typedef unsigned long size_t;
typedef long time_t;

long __time(void);
long __clock(void);
int *__errno_location(void);
size_t strlen(const char *);
char *strchr(const char *, int);
char *strcpy(char *, const char *);

struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

time_t time(time_t *place)
{
    long now = __time();
    if (now < 0) {
        *__errno_location() = (int)-now;
        now = -1;
    }
    if (place != 0)
        *place = now;
    return now;
}

long clock(void)
{
    long now = __clock();
    return now < 0 ? -1 : now;
}

double difftime(time_t end, time_t start) { return (double)(end - start); }

static int is_leap(long year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

// The days from 1970 to the start of a year.
static long days_before(long year)
{
    long last = year - 1;
    long leaps = last / 4 - last / 100 + last / 400;
    if (last < 0)
        leaps = (last - 3) / 4 - (last - 99) / 100 + (last - 399) / 400;
    return 365 * (year - 1970) + leaps - 477;
}

static const short days_before_month[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 };

static int day_of_month(long year, int month) { return days_before_month[month] + (month > 1 && is_leap(year)); }

struct tm *gmtime_r(const time_t *time, struct tm *found)
{
    long days = *time / 86400, rest = *time % 86400;
    if (rest < 0) {
        rest += 86400;
        days--;
    }
    long year = 1970 + days / 366;
    while (days_before(year + 1) <= days)
        year++;
    while (days_before(year) > days)
        year--;
    int day = (int)(days - days_before(year)), month = 11;
    while (day_of_month(year, month) > day)
        month--;
    found->tm_sec = (int)(rest % 60);
    found->tm_min = (int)(rest / 60 % 60);
    found->tm_hour = (int)(rest / 3600);
    found->tm_mday = day - day_of_month(year, month) + 1;
    found->tm_mon = month;
    found->tm_year = (int)(year - 1900);
    found->tm_wday = (int)(((days + 4) % 7 + 7) % 7);
    found->tm_yday = day;
    found->tm_isdst = 0;
    found->tm_gmtoff = 0;
    found->tm_zone = "GMT";
    return found;
}

struct tm *localtime_r(const time_t *time, struct tm *found)
{
    gmtime_r(time, found);
    found->tm_zone = "UTC";
    return found;
}

static struct tm last_time;

struct tm *gmtime(const time_t *time) { return gmtime_r(time, &last_time); }
struct tm *localtime(const time_t *time) { return localtime_r(time, &last_time); }

time_t timegm(struct tm *given)
{
    long months = given->tm_year * 12L + given->tm_mon, year = 1900 + months / 12;
    int month = (int)(months % 12);
    if (month < 0) {
        month += 12;
        year--;
    }
    long days = days_before(year) + day_of_month(year, month) + given->tm_mday - 1;
    time_t time = days * 86400 + given->tm_hour * 3600L + given->tm_min * 60L + given->tm_sec;
    gmtime_r(&time, given);
    return time;
}

static time_t seconds_of(struct tm time) { return timegm(&time); }

time_t mktime(struct tm *given)
{
    time_t time = timegm(given);
    given->tm_zone = "UTC";
    return time;
}

static const char *const day_names[] = { "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday" };
static const char *const month_names[] = { "January", "February", "March", "April", "May", "June", "July",
                                           "August", "September", "October", "November", "December" };

// A text of at most `size` - 1 characters, and a directive: its padding, `'_'`, `'-'`, `'0'` or 0 for the default, its
// width, and the case of its letters.
struct output {
    char *text;
    size_t size, length;
    int width;
    char padding, is_upper, is_lower;
};

static void put_byte(struct output *out, char c)
{
    if (out->length + 1 < out->size)
        out->text[out->length] = c;
    out->length++;
}

// Put at most `most` characters of the text, padded to the width.
static void put(struct output *out, const char *text, int most)
{
    int length = 0;
    while (length != most && text[length] != 0)
        length++;
    for (int spaces = out->width - length; spaces > 0; spaces--)
        put_byte(out, out->padding == '0' ? '0' : ' ');
    for (; length > 0; text++, length--)
        put_byte(out, out->is_lower && *text >= 'A' && *text <= 'Z' ? (char)(*text + 32)
                      : out->is_upper && !out->is_lower && *text >= 'a' && *text <= 'z' ? (char)(*text - 32) : *text);
}

// Put a number, padded to `width` digits with `fill` unless the directive states another one.
static void put_number(struct output *out, long value, int width, char fill)
{
    char digits[24];
    int at = 23, is_negative = value < 0;
    unsigned long rest = is_negative ? -(unsigned long)value : (unsigned long)value;
    digits[at] = 0;
    for (; rest != 0 || at == 23; rest /= 10)
        digits[--at] = (char)('0' + rest % 10);
    if (out->padding != 0)
        fill = out->padding;
    int zeros = (out->width > width ? out->width : width) - is_negative - (23 - at);
    if (fill == '0') {
        out->width = 0;
        if (is_negative)
            put_byte(out, '-');
        for (; zeros > 0; zeros--)
            put_byte(out, '0');
    } else {
        if (is_negative)
            digits[--at] = '-';
        if (fill == '_' && out->width < width)
            out->width = width;
    }
    put(out, digits + at, -1);
}

// The week of the year. Each week starts on the day `weekday` days ago.
static int week_of(const struct tm *time, int weekday) { return (time->tm_yday - weekday + 7) / 7; }

// The number of weeks in ISO 8601 in a year that starts on a weekday.
static int iso_week(const struct tm *time, long *year)
{
    int weekday = (time->tm_wday + 6) % 7, week = (time->tm_yday - weekday + 10) / 7;
    *year = time->tm_year + 1900L;
    if (week < 1) {
        --*year;
        int days = 365 + is_leap(*year), yesterday = time->tm_yday + days;
        return (yesterday - weekday + 10) / 7;
    }
    if (week == 53 && time->tm_yday - weekday + 3 >= 365 + is_leap(*year)) {
        ++*year;
        return 1;
    }
    return week;
}

static void put_time(struct output *out, const char *format, const struct tm *time);

// Put a time in that format, padded to the width.
static void put_format(struct output *out, const char *format, const struct tm *time)
{
    char text[128];
    struct output part = { text, sizeof text };
    put_time(&part, format, time);
    text[part.length] = 0;
    put(out, text, -1);
}

static const char *name_of(const char *const *names, int index, int count)
{
    return index >= 0 && index < count ? names[index] : "?";
}

// Put one directive with a modifier, or 0. Returns whether glibc defines it.
static int put_directive(struct output *out, char conversion, char modifier, const struct tm *time)
{
    int hour = time->tm_hour > 12 ? time->tm_hour - 12 : time->tm_hour == 0 ? 12 : time->tm_hour;
    long year = time->tm_year + 1900L;
    if (modifier != 0 && conversion != 0 && strchr(modifier == 'E' ? "aAbBdDeFgGhHIjklmMSUVwW" : "aAcDFxXY", conversion) != 0)
        return 0;
    switch (conversion) {
    case 'a': put(out, name_of(day_names, time->tm_wday, 7), 3); break;
    case 'A': put(out, name_of(day_names, time->tm_wday, 7), -1); break;
    case 'b':
    case 'h': put(out, name_of(month_names, time->tm_mon, 12), 3); break;
    case 'B': put(out, name_of(month_names, time->tm_mon, 12), -1); break;
    case 'c': put_format(out, "%a %b %e %H:%M:%S %Y", time); break;
    case 'C': put_number(out, year / 100 - (year % 100 < 0), 1, '0'); break;
    case 'd': put_number(out, time->tm_mday, 2, '0'); break;
    case 'D':
    case 'x': put_format(out, "%m/%d/%y", time); break;
    case 'e': put_number(out, time->tm_mday, 2, '_'); break;
    case 'F': put_format(out, "%Y-%m-%d", time); break;
    case 'g': iso_week(time, &year); put_number(out, (year % 100 + 100) % 100, 2, '0'); break;
    case 'G': iso_week(time, &year); put_number(out, year, 1, '0'); break;
    case 'H': put_number(out, time->tm_hour, 2, '0'); break;
    case 'I': put_number(out, hour, 2, '0'); break;
    case 'j': put_number(out, time->tm_yday + 1, 3, '0'); break;
    case 'k': put_number(out, time->tm_hour, 2, '_'); break;
    case 'l': put_number(out, hour, 2, '_'); break;
    case 'm': put_number(out, time->tm_mon + 1, 2, '0'); break;
    case 'M': put_number(out, time->tm_min, 2, '0'); break;
    case 'n': put(out, "\n", 1); break;
    case 'p': put(out, time->tm_hour < 12 ? "AM" : "PM", -1); break;
    case 'P':
        out->is_lower = 1;
        put(out, time->tm_hour < 12 ? "AM" : "PM", -1);
        break;
    case 'r': put_format(out, "%I:%M:%S %p", time); break;
    case 'R': put_format(out, "%H:%M", time); break;
    case 's': put_number(out, seconds_of(*time), 1, '_'); break;
    case 'S': put_number(out, time->tm_sec, 2, '0'); break;
    case 't': put(out, "\t", 1); break;
    case 'T':
    case 'X': put_format(out, "%H:%M:%S", time); break;
    case 'u': put_number(out, (time->tm_wday + 6) % 7 + 1, 1, '0'); break;
    case 'U': put_number(out, week_of(time, time->tm_wday), 2, '0'); break;
    case 'V': put_number(out, iso_week(time, &year), 2, '0'); break;
    case 'w': put_number(out, time->tm_wday, 1, '0'); break;
    case 'W': put_number(out, week_of(time, (time->tm_wday + 6) % 7), 2, '0'); break;
    case 'y': put_number(out, (year % 100 + 100) % 100, 2, '0'); break;
    case 'Y': put_number(out, year, 1, '0'); break;
    case 'z':
        put(out, "+", 1);
        put_number(out, 0, 4, '0');
        break;
    case 'Z': put(out, time->tm_zone, -1); break;
    case '%': put(out, "%", 1); break;
    default: return 0;
    }
    return 1;
}

static void put_time(struct output *out, const char *format, const struct tm *time)
{
    for (; *format != 0; format++) {
        const char *start = format;
        int has_other_case = 0;
        char modifier = 0;
        out->width = out->padding = out->is_upper = out->is_lower = 0;
        if (*format != '%') {
            put(out, format, 1);
            continue;
        }
        for (format++; *format == '_' || *format == '-' || *format == '0' || *format == '^' || *format == '#'; format++)
            if (*format == '^')
                out->is_upper = 1;
            else if (*format == '#')
                has_other_case = 1;
            else
                out->padding = *format;
        for (; *format >= '0' && *format <= '9'; format++)
            out->width = out->width * 10 + (*format - '0');
        if (*format == 'E' || *format == 'O')
            modifier = *format++;
        if (has_other_case && (*format == 'p' || *format == 'Z'))
            out->is_lower = 1;
        else if (has_other_case && *format != 0 && strchr(modifier == 0 ? "aAbBh" : "bBh", *format) != 0)
            out->is_upper = 1;
        if (!put_directive(out, *format, modifier, time)) { // put it as it is
            if (*format == 0)
                format--;
            put(out, start, (int)(format - start) + 1);
        }
    }
}

size_t strftime(char *text, size_t size, const char *format, const struct tm *time)
{
    struct output out = { text, size };
    put_time(&out, format, time);
    if (out.length >= size)
        return 0;
    text[out.length] = 0;
    return out.length;
}

char *asctime(const struct tm *time)
{
    static char text[32];
    strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y\n", time);
    return text;
}

char *ctime(const time_t *time) { return asctime(localtime(time)); }

enum { REAL_TIME, MONOTONIC_TIME, PROCESSOR_TIME };

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

static int failed(int error)
{
    *__errno_location() = error;
    return -1;
}

// The time in seconds, as the system states it. The other clocks are those of the processor.
int clock_gettime(int clock, struct timespec *found)
{
    long now = clock == REAL_TIME ? __time() : __clock();
    if (clock < REAL_TIME || clock > PROCESSOR_TIME)
        return failed(22);
    if (now < 0)
        return failed((int)-now);
    found->tv_sec = clock == REAL_TIME ? now : now / 1000000;
    found->tv_nsec = clock == REAL_TIME ? 0 : now % 1000000 * 1000;
    return 0;
}

int clock_getres(int clock, struct timespec *found)
{
    if (clock < REAL_TIME || clock > PROCESSOR_TIME)
        return failed(22);
    if (found != 0) {
        found->tv_sec = clock == REAL_TIME;
        found->tv_nsec = clock == REAL_TIME ? 0 : 1000;
    }
    return 0;
}

int timespec_get(struct timespec *found, int base)
{
    return base == 1 && clock_gettime(REAL_TIME, found) == 0 ? base : 0;
}

int sched_yield(void);

// Waiting only lets another thread run.
int nanosleep(const struct timespec *time, struct timespec *rest)
{
    if (time->tv_nsec < 0 || time->tv_nsec >= 1000000000)
        return failed(22);
    return sched_yield();
}
