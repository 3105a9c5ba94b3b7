// The options of a command line, in the order of GNU: other arguments are moved behind the options.

typedef unsigned long size_t;

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

enum { no_argument, required_argument, optional_argument };

char *strchr(const char *, int);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
size_t strlen(const char *);
char *getenv(const char *);
typedef struct _IO_FILE FILE;
extern FILE *stderr;
int fprintf(FILE *, const char *, ...);

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

static int wrong_option;            // the last one, which each call stores in `optopt`
static char *next;                  // the further letters of a word such as -abc
static int skipped, end_of_skipped; // the arguments before `optind` that are no options and were not moved yet

// Where other arguments than options are: they are moved, they end the options, or each is the operand of an option 1.
enum order { MOVED, LAST, RETURNED };

static enum order order_of(const char *letters)
{
    return *letters == '-' ? RETURNED : *letters == '+' || getenv("POSIXLY_CORRECT") ? LAST : MOVED;
}

static void reverse(char **words, int start, int end)
{
    for (; start < --end; start++) {
        char *word = words[start];
        words[start] = words[end];
        words[end] = word;
    }
}

// Moves the skipped arguments behind the options that follow them.
static void move_skipped(char **words)
{
    if (skipped != end_of_skipped && end_of_skipped != optind) {
        reverse(words, skipped, end_of_skipped);
        reverse(words, end_of_skipped, optind);
        reverse(words, skipped, optind);
    }
    skipped += optind - end_of_skipped;
    end_of_skipped = optind;
}

static int is_option(const char *word) { return word[0] == '-' && word[1] != 0; }

// Finds the next word with options. Returns -1 at their end, 1 for another argument, or 0.
static int advance(int count, char **words, enum order order)
{
    if (order == MOVED) {
        move_skipped(words);
        while (optind < count && !is_option(words[optind]))
            optind++;
        end_of_skipped = optind;
    }
    if (optind < count && strcmp(words[optind], "--") == 0) {
        optind++;
        move_skipped(words);
        optind = end_of_skipped = count;
    }
    if (optind >= count) {
        if (skipped != end_of_skipped)
            optind = skipped;
        return -1;
    }
    if (is_option(words[optind]))
        return 0;
    if (order == LAST)
        return -1;
    optarg = words[optind++];
    return 1;
}

// The result for a wrong option, or for a missing operand if the letters begin with a colon.
static int wrong(int is_missing, const char *letters) { return is_missing && *letters == ':' ? ':' : '?'; }

// The option with a name of `length` characters, or the only one with a longer name; `count` is that of the candidates.
static const struct option *named(const struct option *options, const char *name, size_t length, int *count)
{
    const struct option *found = 0;
    *count = 0;
    for (; options->name; options++)
        if (strncmp(options->name, name, length) == 0) {
            if (strlen(options->name) == length) {
                *count = 1;
                return options;
            }
            if (!found)
                found = options;
            if (found == options || found->has_arg != options->has_arg || found->flag != options->flag ||
                found->val != options->val)
                ++*count;
        }
    return found;
}

static void report_candidates(const char *program, const char *dashes, const char *name, size_t length,
                              const struct option *options)
{
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", program, dashes, name);
    for (; options->name; options++)
        if (strncmp(options->name, name, length) == 0)
            fprintf(stderr, " '%s%s'", dashes, options->name);
    fprintf(stderr, "\n");
}

// The long option in the current word, whose name follows the dashes.
static int long_option(int count, char **words, const char *letters, const struct option *options, int *index,
                       const char *dashes, int is_reported)
{
    const char *name = next, *program = words[0];
    size_t length = 0;
    int candidates;
    while (name[length] != 0 && name[length] != '=')
        length++;
    const struct option *found = named(options, name, length, &candidates);
    next = 0;
    optind++;
    if (candidates != 1) {
        if (is_reported && candidates)
            report_candidates(program, dashes, name, length, options);
        else if (is_reported)
            fprintf(stderr, "%s: unrecognized option '%s%s'\n", program, dashes, name);
        wrong_option = 0;
        return '?';
    }
    if (name[length] == '=' && found->has_arg == no_argument) {
        if (is_reported)
            fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", program, dashes, found->name);
        wrong_option = found->val;
        return '?';
    }
    if (name[length] == '=')
        optarg = (char *)name + length + 1;
    else if (found->has_arg == required_argument && optind < count)
        optarg = words[optind++];
    else if (found->has_arg == required_argument) {
        if (is_reported)
            fprintf(stderr, "%s: option '%s%s' requires an argument\n", program, dashes, found->name);
        wrong_option = found->val;
        return wrong(1, letters);
    }
    if (index)
        *index = (int)(found - options);
    if (!found->flag)
        return found->val;
    *found->flag = found->val;
    return 0;
}

// The option that the next letter of the current word denotes.
static int short_option(int count, char **words, const char *letters, int is_reported)
{
    char letter = *next++;
    const char *found = strchr(letters, letter);
    if (*next == 0)
        optind++;
    if (!found || letter == ':' || letter == ';') {
        if (is_reported)
            fprintf(stderr, "%s: invalid option -- '%c'\n", words[0], letter);
        wrong_option = letter;
        return '?';
    }
    if (found[1] != ':')
        return letter;
    if (*next != 0) {
        optarg = next;
        optind++;
    } else if (found[2] != ':') {
        if (optind == count) {
            if (is_reported)
                fprintf(stderr, "%s: option requires an argument -- '%c'\n", words[0], letter);
            wrong_option = letter;
            next = 0;
            return wrong(1, letters);
        }
        optarg = words[optind++];
    }
    next = 0;
    return letter;
}

static int next_option(int count, char *const *arguments, const char *letters, const struct option *options, int *index,
                 int is_single)
{
    char **words = (char **)arguments;
    enum order order = order_of(letters);
    if (count < 1)
        return -1;
    optarg = 0;
    if (optind == 0 || end_of_skipped == 0) {
        if (optind == 0)
            optind = 1;
        skipped = end_of_skipped = optind;
        next = 0;
    }
    if (order != MOVED)
        letters++;
    if (order == LAST && letters[-1] != '+')
        letters--;
    int is_reported = opterr && *letters != ':';
    if (!next || *next == 0) {
        int kind = advance(count, words, order);
        if (kind != 0)
            return kind;
        const char *word = words[optind];
        next = words[optind] + 1;
        if (options && word[1] == '-') {
            next++;
            return long_option(count, words, letters, options, index, "--", is_reported);
        }
        if (options && is_single && (word[2] != 0 || !strchr(letters, word[1]))) {
            int candidates;
            size_t length = 0;
            while (next[length] != 0 && next[length] != '=')
                length++;
            named(options, next, length, &candidates);
            if (candidates || !strchr(letters, word[1]))
                return long_option(count, words, letters, options, index, "-", is_reported);
        }
    }
    return short_option(count, words, letters, is_reported);
}

static int parse(int count, char *const *words, const char *letters, const struct option *options, int *index,
                 int is_single)
{
    int found = next_option(count, words, letters, options, index, is_single);
    optopt = wrong_option;
    return found;
}

int getopt(int count, char *const *words, const char *letters) { return parse(count, words, letters, 0, 0, 0); }

int getopt_long(int count, char *const *words, const char *letters, const struct option *options, int *index)
{
    return parse(count, words, letters, options, index, 0);
}

int getopt_long_only(int count, char *const *words, const char *letters, const struct option *options, int *index)
{
    return parse(count, words, letters, options, index, 1);
}
