#include <getopt.h>
#include <stdio.h>
#include <string.h>

static int flagged;
static const struct option options[] = {
    {"verbose", no_argument, 0, 'v'},
    {"version", no_argument, 0, 1000},
    {"file", required_argument, NULL, 'f'},
    {"level", optional_argument, NULL, 'l'},
    {"flag", no_argument, &flagged, 7},
    {0, 0, 0, 0},
};

static void parsed(const char *line, const char *letters, int form)
{
    static char text[200];
    char *words[20];
    int count = 0, option, index = -1;
    strcpy(text, line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    words[count] = NULL;
    optind = 0;
    optopt = '?';
    printf("%s [%s] %d:", line, letters, form);
    do {
        option = form == 0   ? getopt(count, words, letters)
                 : form == 1 ? getopt_long(count, words, letters, options, &index)
                             : getopt_long_only(count, words, letters, options, &index);
        printf(" %d/%s/%d/%d/%d", option, optarg ? optarg : "-", optind, optopt, index);
    } while (option != -1);
    for (int i = 0; i < count; i++)
        printf(" %s", words[i]);
    printf(" %d\n", flagged);
}

int main(void)
{
    static const char *lines[] = {
        "p -a -b x -c",          "p -abx y -a",        "p x -a y -b z w -c",   "p x -a -- -b y",
        "p -z",                  "p -b",               "p - -a",               "p -c -cvalue -c value",
        "p --verbose x --file=n --file m y", "p --ver", "p --verb --fil q",    "p --level --level=3 --level 4",
        "p --flag --none -a",    "p --verbose=3",      "p --file",             "p",
        "p -verbose -file n",    "p -fname -v",        "p -a x -- y -b",       "p -v=3 -le",
        "p x y z",               "p x -a",             "p -:",                 "p -- x",
    };
    static const char *letters[] = {"ab:c::vf:", ":ab:c::vf:", "+ab:c::v", "-ab:c::v", "+:ab:"};
    opterr = 1;
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
        for (unsigned j = 0; j < sizeof letters / sizeof *letters; j++)
            for (int form = 0; form < 3; form++)
                parsed(lines[i], letters[j], form);
    return 0;
}
