// Code without spaces, and with too many.
// why: tokens end by the longest match: `a+++b`, `a- -b`, `i---j`.
// expect: 1 2 3 4 0
// expect: 0
#include <stdio.h>
int main(void){int a=1,b=2;int c=a+++b;int d=a- -b;int e=a---b;printf("%d %d %d %d %d\n",a,b,c,d,e);
    int
    x
    =
    5
    ;for(;x>0
    ;)x
    --
    ;
    printf(

        "%d\n"  ,	x )   ;	if(a)return
    0;else return 1;}
