// The number of the last error.

static int number_of_last_error;

int *__errno_location(void) { return &number_of_last_error; }
