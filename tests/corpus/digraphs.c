// Braces in their other spelling, and operators of which some letters are the same.
// why: `<%` and `%>` are one token each; `<<` and `>` stay what they are.
// expect: 1 15
#include <stdio.h>

int f(int x) <%
    if (x<3) <% x <<= 2; %> else { x %=5; }
    return x;
%>

int main(void) <% printf("%d %d\n", f(1)<f(2)==1, f(3)+f(2)+f(9)<<0); return 0; %>
