/* The complaint of the programs here about a failed expectation: the place, on stderr, and a count for main to
   return. */
#ifndef EXPECT_H
#define EXPECT_H
#include <stdio.h>

static int failures;
#define EXPECT(condition) \
    ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

#endif
