/* sanitized.h - tells with which sanitizer a test is compiled: by macros of gcc, or by features of clang. */
#ifndef AUTOTUNE_TESTS_SANITIZED_H
#define AUTOTUNE_TESTS_SANITIZED_H

#if defined __SANITIZE_ADDRESS__
#define ADDRESS_SANITIZED 1
#elif defined __SANITIZE_THREAD__
#define THREAD_SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZED 1
#elif __has_feature(thread_sanitizer)
#define THREAD_SANITIZED 1
#endif
#endif
#ifndef ADDRESS_SANITIZED
#define ADDRESS_SANITIZED 0
#endif
#ifndef THREAD_SANITIZED
#define THREAD_SANITIZED 0
#endif
#define SANITIZED (ADDRESS_SANITIZED || THREAD_SANITIZED)

/* Tests repeat a run, and let one allocation fail in each run: the first, the eighth and so on. The environment
   variable NEXT_FAILURE sets another step. Failures of neighbouring allocations have nearly the same consequences. */
#define NEXT_FAILURE (getenv("NEXT_FAILURE") ? atol(getenv("NEXT_FAILURE")) : 7)

#endif
