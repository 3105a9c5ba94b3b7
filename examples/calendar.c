// The day of the week of a date, and the date of Easter, in the Gregorian calendar.
//
// why: integer arithmetic as people write it, with a `switch` whose cases share their bodies.
// expect: Sunday
// expect: Thursday
// expect: Saturday
// expect: 36524 days
// expect: 2000-04-23
// expect: 2024-03-31
#include <stdbool.h>
#include <stdio.h>

bool is_leap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int days_in(int month, int year) {
    switch (month) {
        case 2:
            return is_leap(year) ? 29 : 28;
        case 4:
        case 6:
        case 9:
        case 11:
            return 30;
        default:
            return 31;
    }
}

// Days since 1 January of the year 1, which was a Monday.
long day_number(int day, int month, int year) {
    long past = year - 1;
    long days = past * 365 + past / 4 - past / 100 + past / 400;
    for (int m = 1; m < month; m++) {
        days += days_in(m, year);
    }
    return days + day - 1;
}

void print_weekday(long number) {
    switch (number % 7) {
        case 0: printf("Monday\n"); break;
        case 1: printf("Tuesday\n"); break;
        case 2: printf("Wednesday\n"); break;
        case 3: printf("Thursday\n"); break;
        case 4: printf("Friday\n"); break;
        case 5: printf("Saturday\n"); break;
        case 6: printf("Sunday\n"); break;
    }
}

void print_easter(int year) {
    int a = year % 19, b = year / 100, c = year % 100;
    int h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30;
    int l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7;
    int m = (a + 11 * h + 22 * l) / 451;
    int sum = h + l - 7 * m + 114;
    printf("%d-%02d-%02d\n", year, sum / 31, sum % 31 + 1);
}

int main(void) {
    print_weekday(day_number(20, 7, 1969));
    print_weekday(day_number(9, 11, 1989));
    print_weekday(day_number(1, 1, 2000));
    printf("%ld days\n", day_number(1, 1, 2000) - day_number(1, 1, 1900));
    print_easter(2000);
    print_easter(2024);
    return 0;
}
