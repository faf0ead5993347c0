/* The macros of a call site for functions that are compiled for each configuration. */
#pragma once
#include "../api/floor.h"
#include "../site/floor.h"
#include "../kernels/site.h"

/* CC_PROGRAM(text, option, ...)              a program as source in C
   CC_PROGRAM_FILE(path, option, ...)         source in a file. Its name tells the compiler the language: C, C++ or
                                              Fortran.
   Each macro initialises a static autotune_cc_program. Up to 12 options of the compiler follow; each is one word of the
   command line. $NAME in an option is replaced by the value of the axis NAME, so an axis may have flags. An option that
   is only "$FLAGS" is divided at blanks. --cc=COMPILER names the compiler of this program, as one word or several.

   CC_CALL(&program, function, argument, ...)  an expression of type autotune_status, in the call or block of a
                                               statement on the CPU. It calls a function of the program, compiled for
                                               this configuration: each axis is a macro, as by -D.
   program     the address of a static program. The call site keeps the address.
   function    is declared in this file, and defined in the program alone. The declaration checks the arguments. The
               function returns void or an autotune_status. C++ declares it extern "C".
   CC_CALL_WITH(config, &program, function, argument, ...)     the same, in launch() of a created tuner.
   config      the pointer that launch() received; a copy of the configuration does not work. Call it in the thread of
               launch().
   A configuration fails if its code cannot be compiled or loaded. The reason is the compiler's first error line.
   Without a compiler the status is AUTOTUNE_ERR_ENVIRONMENT, unless machine code of an earlier run is on disk. */
#define AUTOTUNE_CC_PROGRAM(...) AUTOTUNE__PROGRAM_TEXT(__VA_ARGS__, AUTOTUNE__NULL)
#define AUTOTUNE_CC_PROGRAM_FILE(...) AUTOTUNE__PROGRAM_FILE(__VA_ARGS__, AUTOTUNE__NULL)
#define AUTOTUNE_CC_CALL(program, ...) \
    autotune__launched(autotune__this, \
                       AUTOTUNE__CC_CALL(autotune__cc_function_of, autotune__this, program, __VA_ARGS__))
#define AUTOTUNE_CC_CALL_WITH(config, program, ...) \
    AUTOTUNE__CC_CALL(autotune__cc_function_with, config, program, __VA_ARGS__)

#ifndef AUTOTUNE_NO_SHORT_NAMES
#define CC_PROGRAM(...) AUTOTUNE_CC_PROGRAM(__VA_ARGS__)
#define CC_PROGRAM_FILE(...) AUTOTUNE_CC_PROGRAM_FILE(__VA_ARGS__)
#define CC_CALL(program, ...) AUTOTUNE_CC_CALL(program, __VA_ARGS__)
#define CC_CALL_WITH(config, program, ...) AUTOTUNE_CC_CALL_WITH(config, program, __VA_ARGS__)
#endif

AUTOTUNE__BEGIN_C

typedef autotune_program_source autotune_cc_program;

/* CC_CALL calls this if the list of the configuration does not begin with the function. tuning: NULL on a hit. Returns
   NULL if there is no such function; autotune__cc_failure() is then the status. The name is a message, which the linker
   shows if no file has the implementation. */
#define AUTOTUNE__CC_FIND autotune__define_AUTOTUNE_CC_IMPLEMENTATION_in_one_file
typedef void autotune__cc_function(void);
AUTOTUNE__COLD autotune__cc_function *AUTOTUNE__CC_FIND(autotune__tuning *tuning, const uint64_t *values,
                                                        const void *key, autotune_cc_program *program,
                                                        const char *name);
AUTOTUNE__COLD autotune_status autotune__cc_failure(void);
/* CC_CALL_WITH calls this. */
AUTOTUNE__API autotune__cc_function *autotune__cc_function_with(const autotune_config *config, const void *key,
                                                                autotune_cc_program *program, const char *name);

/* key: an address that identifies the program and the function of this call. */
AUTOTUNE__INLINE autotune__cc_function *autotune__cc_function_of(const autotune__run *run, const void *key,
                                                                 autotune_cc_program *program, const char *name) {
    const autotune__shared_word *const word =
        AUTOTUNE__AS(const autotune__shared_word *, AUTOTUNE__AS(const void *, run->slot + AUTOTUNE_MAX_AXES));
    const uintptr_t address = AUTOTUNE__AS(uintptr_t, __atomic_load_n(word, __ATOMIC_ACQUIRE));
    const autotune__listed_function *list = AUTOTUNE__NULL;
    memcpy(&list, &address, sizeof address);
    return AUTOTUNE__LIKELY(list && list->key == key)
               ? list->address : AUTOTUNE__CC_FIND(run->tuning, run->slot, key, program, name);
}

AUTOTUNE__END_C

/* find(given, key, program, name) finds the function. given: the run of the statement, or the configuration that
   launch() received. */
#define AUTOTUNE__CC_CALL(find, given, program, ...) \
    AUTOTUNE__CAT(AUTOTUNE__CC_CALL_, AUTOTUNE__CC_HAS_ARGUMENTS(__VA_ARGS__))(find, given, program, __VA_ARGS__)
#define AUTOTUNE__CC_CALL_0(find, given, program, function) \
    AUTOTUNE__CC_CALL_OF(find, given, program, function, #function, ())
#define AUTOTUNE__CC_CALL_1(find, given, program, function, ...) \
    AUTOTUNE__CC_CALL_OF(find, given, program, function, #function, (__VA_ARGS__))
/* 1 if a second argument follows the first one, else 0. */
#define AUTOTUNE__CC_HAS_ARGUMENTS(...) AUTOTUNE__SEVENTIETH(__VA_ARGS__, \
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, \
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0)
#define AUTOTUNE__CC_RETURNS "CC_CALL(&program, function, ...): the function returns void or an autotune_status"
#ifdef __cplusplus
/* (take(&status), call) writes the status of the call, unless the call returns void. */
struct autotune__cc_taker { autotune_status *status; };
AUTOTUNE__INLINE autotune__cc_taker autotune__cc_take(autotune_status *status) { return autotune__cc_taker{ status }; }
AUTOTUNE__INLINE void operator,(autotune__cc_taker taker, autotune_status status) { *taker.status = status; }
template <class T> struct autotune__cc_returns
    : std::integral_constant<bool, std::is_same<T, void>::value || std::is_same<T, autotune_status>::value> {};
template <class T> AUTOTUNE__INLINE T autotune__cc_as(autotune__cc_function *function) {
    return reinterpret_cast<T>(function);
}
#define AUTOTUNE__CC_CALL_OF(find, given, program, function, name, arguments) __extension__({ \
    AUTOTUNE__DEMAND(autotune__cc_returns<decltype(function arguments)>::value, AUTOTUNE__CC_RETURNS); \
    static constexpr autotune_cc_program *autotune__cc_key = program; \
    const auto autotune__cc_here = autotune__cc_as<decltype(&function)>( \
        find(given, &autotune__cc_key, autotune__cc_key, name)); \
    autotune_status autotune__cc_value = AUTOTUNE_OK; \
    if (AUTOTUNE__LIKELY(autotune__cc_here != nullptr)) \
        autotune__cc_take(&autotune__cc_value), autotune__cc_here arguments; \
    else autotune__cc_value = autotune__cc_failure(); \
    autotune__cc_value; })
#else
#define AUTOTUNE__CC_CALL_OF(find, given, program, function, name, arguments) __extension__({ \
    enum { autotune__cc_void = __builtin_types_compatible_p(__typeof__(function arguments), void) }; \
    { AUTOTUNE__DEMAND(autotune__cc_void || \
                       __builtin_types_compatible_p(__typeof__(function arguments), autotune_status), \
                       AUTOTUNE__CC_RETURNS); } \
    static autotune_cc_program *autotune__cc_key = program; \
    __typeof__(&function) const autotune__cc_here = (__typeof__(&function)) \
        find(given, &autotune__cc_key, autotune__cc_key, name); \
    (autotune_status)(AUTOTUNE__LIKELY(autotune__cc_here != NULL) /* ?: makes an enum unsigned */ \
        ? __builtin_choose_expr(autotune__cc_void, (autotune__cc_here arguments, (autotune_status)AUTOTUNE_OK), \
                                autotune__cc_here arguments) \
        : autotune__cc_failure()); })
#endif
