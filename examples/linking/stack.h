// A stack of numbers.

extern int depth;

void push(int number);
int pop(void);
