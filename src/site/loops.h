/* The loops that AUTOTUNE, AUTOTUNE_BLOCK and AUTOTUNE_SELECT expand to. statements.h shows an example. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "hit.h"
#include "lists.h"
#include "diagnostics.h"
#include "values.h"
#include "items.h"

/* The outermost loop counts AUTOTUNE__PASS(run). Its first iteration has the number 2. If WHERE or the call refused the
   configuration of a hit, a second iteration with the number 1 launches another configuration. If the text of the
   statement shows that neither can refuse, there is no second iteration. Then the compiler need not keep variables that
   only the call reads. */
#define AUTOTUNE__PASS(run) AUTOTUNE__CAT(run, _pass)
#define AUTOTUNE__OPEN(run, text, describe, ...) \
    for (int AUTOTUNE__PASS(run) = 2; AUTOTUNE__PASS(run) > 0; \
         AUTOTUNE__PASS(run) = AUTOTUNE__MAY_REFUSE(text) ? AUTOTUNE__PASS(run) - 2 : 0) \
    for (autotune__run run __attribute__((__cleanup__(autotune__leave))) = AUTOTUNE__HIT(text, __VA_ARGS__), \
             *const autotune__this = AUTOTUNE__PASS(run) == 2 && AUTOTUNE__LIKELY(run.slot != AUTOTUNE__NULL) ? &run \
             : (AUTOTUNE__BEGIN((AUTOTUNE__PASS(run) == 2 ? autotune__begin : autotune__begin_again), run, \
                                __VA_ARGS__), AUTOTUNE__APPLY describe); \
         run.slot; run.slot = autotune__go_on(&run), \
             AUTOTUNE__PASS(run) |= AUTOTUNE__MAY_REFUSE(text) && autotune__is_refused(&run)) \
    for (int autotune__live = 1; autotune__live; autotune__live = 0)
#define AUTOTUNE__FOR_READY(last, text, admit, test) \
    for (const bool autotune_trial AUTOTUNE__UNUSED = autotune__this->tuning && \
         autotune__this->tuning->phase == AUTOTUNE__TRYING; \
         last(autotune__live) && AUTOTUNE__READY(text, admit, test); autotune__live = 0, autotune__this->done = true)
#define AUTOTUNE__FOR_SPACE(last, text, ...) \
    AUTOTUNE__EACH_OF(AUTOTUNE__ITEM, _bind, __VA_ARGS__) \
    AUTOTUNE__FOR_READY(last, text, AUTOTUNE__ADMIT_SPACE(__VA_ARGS__), AUTOTUNE__TEST_SPACE(__VA_ARGS__))
#define AUTOTUNE__DESCRIBE_SPACE(run, ...) __extension__({ \
    enum { autotune__axes = 0 AUTOTUNE__EACH_OF(AUTOTUNE__ITEM, _count, __VA_ARGS__) }; \
    AUTOTUNE__ASSERT(autotune__axes >= 1, "SPACE: at least one axis"); \
    AUTOTUNE__ASSERT(autotune__axes <= 16, "SPACE: at most 16 axes"); \
    autotune__tuning *const autotune__new = run.slot ? AUTOTUNE__NULL : run.tuning; /* NULL: describe no axes */ \
    if (autotune__new) { \
        AUTOTUNE__EACH_OF(AUTOTUNE__ITEM, _describe, __VA_ARGS__) \
        run.slot = autotune__next(autotune__new, false); \
    } \
    &run; })
#define AUTOTUNE__ADMIT_SPACE(...) __extension__({ \
    autotune__tuning *const autotune__new = autotune__this->tuning; \
    const char *autotune__why = AUTOTUNE__NULL; \
    AUTOTUNE__EACH_OF(AUTOTUNE__ITEM, _test, __VA_ARGS__) \
    if (!autotune__why) { AUTOTUNE__EACH_OF(AUTOTUNE__ITEM, _score, __VA_ARGS__) autotune__admit(autotune__new); } \
    else autotune__refuse_point(autotune__new, autotune__why); \
    false; })
#define AUTOTUNE__TEST_SPACE(...) __extension__({ \
    const char *autotune__why = AUTOTUNE__NULL; AUTOTUNE__EACH_OF(AUTOTUNE__ITEM, _test, __VA_ARGS__) !autotune__why; })
#define AUTOTUNE__TEST_CALLS(...) __extension__({ \
    const char *autotune__why = AUTOTUNE__NULL; \
    switch (*autotune__this->slot) { AUTOTUNE__CALLS(_test, __VA_ARGS__) default: break; } !autotune__why; })
/* True if a hit evaluates WHERE: with AUTOTUNE_CHECKS, or if the statement has an ANCHOR, so that several numbers share
   a key. The condition is constant, so it costs nothing in other statements. */
#ifdef AUTOTUNE_CHECKS
#define AUTOTUNE__HIT_ASKS_WHERE(text) true
#else
#define AUTOTUNE__HIT_ASKS_WHERE(text) (AUTOTUNE__HAS(text, "ANCHOR(") || AUTOTUNE__HAS(text, "autotune_anchor"))
#endif
#define AUTOTUNE__MAY_REFUSE(text) (AUTOTUNE__HIT_ASKS_WHERE(text) || AUTOTUNE__HAS(text, "REJECT"))
#define AUTOTUNE__READY(text, admit, test) \
    (AUTOTUNE__HIT_ASKS_WHERE(text) && autotune__is_unjudged(autotune__this->tuning) && !(test) \
         ? (autotune__this->refused = true, autotune__report_refused(autotune__this->site)) \
     : AUTOTUNE__LIKELY(!autotune__this->tuning) || !autotune__judges(autotune__this->tuning) || admit)

/* AUTOTUNE */
#define AUTOTUNE__CALL_2(...) \
    do AUTOTUNE__MISUSED("AUTOTUNE(space, blocks, call, .option = ..., ...): three arguments at least") while (0)
#define AUTOTUNE__CALL_0(...) \
    do AUTOTUNE__MISUSED("AUTOTUNE: the first argument is SPACE(AXIS(name, value, ...), ...)") while (0)
#define AUTOTUNE__CALL_1(run, text, space, grid, call, ...) \
    AUTOTUNE__VOID_BEGIN \
    AUTOTUNE__OPEN(run, text, (AUTOTUNE__DESCRIBE_CALL, #call, run, AUTOTUNE__ITEMS space), __VA_ARGS__) \
    AUTOTUNE__FOR_SPACE(AUTOTUNE__UNWRAP, text, AUTOTUNE__ITEMS space) \
    for (const autotune_grid blocks AUTOTUNE__UNUSED = AUTOTUNE__GRID_OF(grid); \
         AUTOTUNE__SHADOWS_ON_WITHIN(autotune__live); autotune__live = 0) \
        AUTOTUNE__SHADOWS_ON_BEHIND AUTOTUNE__VOID_END(AUTOTUNE__LAUNCH, call)
#define AUTOTUNE__DESCRIBE_CALL(text, ...) (AUTOTUNE__IS_CALL(text), AUTOTUNE__DESCRIBE_SPACE(__VA_ARGS__))
#define AUTOTUNE__IS_CALL(text) __extension__({ \
    AUTOTUNE__DEMAND(!AUTOTUNE__IS_OPTION(text), "AUTOTUNE(space, blocks, call, .option = ..., ...): " \
                     "an option stands in the place of the call; were the blocks left out? On the CPU write 1"); \
    { AUTOTUNE__DEMAND(!AUTOTUNE__IS_LAMBDA(text), AUTOTUNE__UNCALLED); } \
    AUTOTUNE__REFUSE_STATEMENT(text) (void)0; })
/* AUTOTUNE__IS_OPTION is true if the text is an option, such as .key, and not a number, such as .5. See
   AUTOTUNE__IS_NAME for the difference between C and C++. AUTOTUNE__IS_LAMBDA is true if the text is a lambda that is
   not called. */
#ifdef __cplusplus
#define AUTOTUNE__IS_LAMBDA(text) ((text)[0] == '[' && (text)[sizeof(text) - 2] == '}')
#define AUTOTUNE__IS_OPTION(text) ((text)[0] == '.' && ((text)[1] < '0' || (text)[1] > '9'))
#else
#define AUTOTUNE__IS_LAMBDA(text) false
#define AUTOTUNE__IS_OPTION(text) \
    (__builtin_strncmp(text, ".", 1) == 0 && \
     (__builtin_strncmp(text, ".0", 2) < 0 || __builtin_strncmp(text, ".:", 2) >= 0))
#endif
/* Chooses AUTOTUNE__CALL_1 if the arguments of AUTOTUNE are right, _0 if the first argument is no space, and _2 if the
   third argument is missing. */
#define AUTOTUNE__FORM(space, grid, call, ...) AUTOTUNE__CAT(AUTOTUNE__FORM_, AUTOTUNE__SECOND(call))(space)
#define AUTOTUNE__ABSENT ~, 1
#define AUTOTUNE__FORM_0(space) AUTOTUNE__IS_SPACE(space)
#define AUTOTUNE__FORM_1(space) 2
#define AUTOTUNE__IS_SPACE(x) AUTOTUNE__SECOND(AUTOTUNE__IF_SPACE x)
#define AUTOTUNE__IF_SPACE(tag, ...) AUTOTUNE__TAG_##tag
#define AUTOTUNE__TAG_AUTOTUNE__SPACE ~, 1,

/* AUTOTUNE_BLOCK: the block of the program is the body of the last loop. The head of this loop restores the caller's
   warnings. */
#define AUTOTUNE__BLOCK_0(...) \
    if (__extension__({ \
            AUTOTUNE__MISUSED("AUTOTUNE_BLOCK: the first argument is SPACE(AXIS(name, value, ...), ...)") true; }))
#define AUTOTUNE__BLOCK_1(run, text, space, ...) \
    AUTOTUNE__OPEN(run, text, (AUTOTUNE__DESCRIBE_SPACE, run, AUTOTUNE__ITEMS space), __VA_ARGS__) \
    AUTOTUNE__FOR_SPACE(AUTOTUNE__SHADOWS_ON_WITHIN, text, AUTOTUNE__ITEMS space) AUTOTUNE__SHADOWS_ON_BEHIND

/* AUTOTUNE_SELECT: its space has one axis, "call", whose values are the numbers of the calls. */
#define AUTOTUNE__SELECT_0(run, text, options, ...) \
    do AUTOTUNE__MISUSED("AUTOTUNE_SELECT((.option = ...), call, ...): the options stand in parentheses, () for none") \
    while (0)
#define AUTOTUNE__SELECT_1(run, text, options, ...) \
    AUTOTUNE__VOID_BEGIN \
    AUTOTUNE__OPEN(run, text, (AUTOTUNE__DESCRIBE_CALLS, run, text, __VA_ARGS__), AUTOTUNE__UNWRAP options) \
    AUTOTUNE__FOR_READY(AUTOTUNE__SHADOWS_ON_WITHIN, text, AUTOTUNE__ADMIT_CALLS(__VA_ARGS__), \
                        AUTOTUNE__TEST_CALLS(__VA_ARGS__)) \
        AUTOTUNE__SHADOWS_ON_BEHIND AUTOTUNE__VOID_END(AUTOTUNE__LAUNCH_CALLS, __VA_ARGS__)
#define AUTOTUNE__LAUNCH_CALLS(...) __extension__({ \
    switch (*autotune__this->slot) { AUTOTUNE__CALLS(_launch, __VA_ARGS__) default: break; } (void)0; })
#define AUTOTUNE__DESCRIBE_CALLS(run, text, ...) __extension__({ \
    autotune__tuning *const autotune__new = run.slot ? AUTOTUNE__NULL : run.tuning; \
    if (autotune__new) { \
        autotune__calls(autotune__new, text, AUTOTUNE__TEXT(__VA_ARGS__), AUTOTUNE__COUNT(__VA_ARGS__)); \
        AUTOTUNE__CALLS(_describe, __VA_ARGS__) \
        run.slot = autotune__next(autotune__new, false); \
    } \
    &run; })
#define AUTOTUNE__ADMIT_CALLS(...) __extension__({ \
    autotune__tuning *const autotune__new = autotune__this->tuning; \
    const char *autotune__why = AUTOTUNE__NULL; \
    switch (*autotune__this->slot) { AUTOTUNE__CALLS(_admit, __VA_ARGS__) default: break; } \
    if (autotune__why) autotune__refuse_point(autotune__new, autotune__why); \
    else autotune__admit(autotune__new); \
    false; })
/* AUTOTUNE__CALLS(pass, calls): a plain call becomes PLAIN_pass. A CASE becomes CASE_pass, with AUTOTUNE__NO_ITEM for
   each missing item up to the eighth. */
#define AUTOTUNE__CALLS(pass, ...) AUTOTUNE__EACH(AUTOTUNE__CALL, (pass, AUTOTUNE__COUNT(__VA_ARGS__)), __VA_ARGS__)
#define AUTOTUNE__CALL(c, left, call) AUTOTUNE__CALL_OF(AUTOTUNE__IS_CASE(call), AUTOTUNE__UNWRAP c, left, call)
#define AUTOTUNE__CALL_OF(...) AUTOTUNE__CALL_OF_(__VA_ARGS__)
#define AUTOTUNE__CALL_OF_(is_case, pass, n, left, call) \
    AUTOTUNE__CAT(AUTOTUNE__CALL_OF_, is_case)(pass, (n) - (left), call)
#define AUTOTUNE__CALL_OF_0(pass, k, call) AUTOTUNE__PLAIN##pass(k, call)
#define AUTOTUNE__CALL_OF_1(pass, k, call) AUTOTUNE__CALL_OF_2(pass, k, AUTOTUNE__ITEMS call)
#define AUTOTUNE__CALL_OF_2(...) AUTOTUNE__CALL_OF_3(__VA_ARGS__, AUTOTUNE__NO_ITEMS)
#define AUTOTUNE__CALL_OF_3(pass, k, call, ...) AUTOTUNE__CASE##pass(k, call, __VA_ARGS__)
#define AUTOTUNE__NO_ITEMS AUTOTUNE__NO_ITEM, AUTOTUNE__NO_ITEM, AUTOTUNE__NO_ITEM, AUTOTUNE__NO_ITEM, \
    AUTOTUNE__NO_ITEM, AUTOTUNE__NO_ITEM, AUTOTUNE__NO_ITEM, AUTOTUNE__NO_ITEM, ~
#define AUTOTUNE__IS_CASE(x) AUTOTUNE__CAT(AUTOTUNE__IS_CASE_, AUTOTUNE__IS_PAREN(x))(x)
#define AUTOTUNE__IS_CASE_0(x) 0
#define AUTOTUNE__IS_CASE_1(x) AUTOTUNE__IS_UNIT(AUTOTUNE__HEAD x)
#define AUTOTUNE__PLAIN_describe(k, call) \
    { AUTOTUNE__DEMAND(!AUTOTUNE__BEGINS_WITH(#call, "."), \
                       "AUTOTUNE_SELECT((.option = ...), call, ...): the options stand before the calls"); } \
    { AUTOTUNE__DEMAND(!AUTOTUNE__IS_CUT(#call), \
                       "AUTOTUNE_SELECT: put a call with a comma into parentheses, as (f<int, 4>(a))"); }
/* Returns true if the text of a call has a < without its >. The preprocessor divides the call f<int, 4>(a) into two
   arguments, f<int and 4>(a). */
#ifdef __cplusplus
#define AUTOTUNE__IS_CUT(text) autotune__is_cut(text)
constexpr bool autotune__is_cut(const char *text) {
    int open = 0;
    for (; *text && *text != '('; text++) open += (text[0] == '<' && text[1] != ' ') - (text[0] == '>');
    return open == 1;
}
#else
#define AUTOTUNE__IS_CUT(text) 0
#endif
#define AUTOTUNE__PLAIN_admit(k, call)
#define AUTOTUNE__PLAIN_test(k, call)
#define AUTOTUNE__PLAIN_launch(k, call) case k: AUTOTUNE__LAUNCH(call); break;
#define AUTOTUNE__CASE_describe(k, call, ...) { const size_t autotune__k = k; (void)autotune__k; \
    { AUTOTUNE__DEMAND(AUTOTUNE__COUNT(__VA_ARGS__) <= 18, "CASE: at most 8 items"); } \
    { AUTOTUNE__DEMAND(!AUTOTUNE__IS_CASE_ITEM(#call), \
                       "CASE(call, item, ...): the call stands before WHERE, PRIORITY, MODEL and NAME"); } \
    AUTOTUNE__EIGHT(AUTOTUNE__ITEM, _case, __VA_ARGS__) }
#define AUTOTUNE__IS_CASE_ITEM(text) \
    (AUTOTUNE__BEGINS_WITH(text, "WHERE(") || AUTOTUNE__BEGINS_WITH(text, "PRIORITY(") || \
     AUTOTUNE__BEGINS_WITH(text, "MODEL(") || AUTOTUNE__BEGINS_WITH(text, "NAME("))
#define AUTOTUNE__CASE_admit(k, call, ...) case k: { AUTOTUNE__EIGHT(AUTOTUNE__ITEM, _test, __VA_ARGS__) \
    if (!autotune__why) { AUTOTUNE__EIGHT(AUTOTUNE__ITEM, _score, __VA_ARGS__) } break; }
#define AUTOTUNE__CASE_test(k, call, ...) case k: { AUTOTUNE__EIGHT(AUTOTUNE__ITEM, _test, __VA_ARGS__) break; }
#define AUTOTUNE__CASE_launch(k, call, ...) case k: AUTOTUNE__LAUNCH(call); break;
