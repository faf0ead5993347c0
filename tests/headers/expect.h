/* Checks for the programs in this folder. A failed check prints its place on stderr, and is counted; main() returns the
   count. */
#ifndef EXPECT_H
#define EXPECT_H
#include <stdio.h>

static int failures;
#define EXPECT(condition) \
    ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

#endif
