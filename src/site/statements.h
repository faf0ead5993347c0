/* The call site: what users write */
#pragma once
#include "../api/language.h"
#include "../api/functions.h"
#include "hit.h"
#include "lists.h"
#include "values.h"
#include "items.h"
#include "loops.h"

/* AUTOTUNE(space, blocks, call, .option = value, ...)              one statement. `call` is an expression.
   AUTOTUNE_BLOCK(space, .option = value, ...) { ... }              the same with a block as the body.
   AUTOTUNE_SELECT((.option = value, ...), call_1, call_2, ...)     alternatives; () for no option. 64 at most.

   In scope of call and body: the axes' names, `blocks` (AUTOTUNE only), and `autotune_trial`, true while trying and
   false for real: f(autotune_trial ? scratch : out).

   AUTOTUNE(SPACE(AXIS(tile, 1, 2), WHERE(tile < n)), 1, f(tile), .key = KEY(n)) becomes, in C,

       for (run CLEANUP = ({ static site s = {...}; options o = {.key = ...}; autotune__hit(&s, o.mode, ...); }),
            *this = run.slot ? &run : (begin(&run, &(options){.key = ...}), ({ describe the axes; &run; }));
            run.slot; run.slot = step(&run))
       for (int live = 1; live; live = 0)
       for (int tile = FETCH(this->slot[live++ - 1]); live; live = 0)
       for (; live && (!this->tuning || !this->tuning->filtering || ({ bool ok = tile < n; admit(ok); false; })); live =
       0, this->done = 1) for (const autotune_grid blocks = GRID_OF(1); live; live = 0)
           verdict(f(tile));

   The first loop turns once per launch, and on a miss once per point of the space before; its cleanup attribute sees
   return, goto and exceptions. Below it one loop binds each axis, and `live` counts on to the next axis' value. `break`
   in a body skips this->done. */
#define AUTOTUNE(...) \
    AUTOTUNE__CAT(AUTOTUNE__CALL_, AUTOTUNE__FORM(__VA_ARGS__, AUTOTUNE__ABSENT, AUTOTUNE__ABSENT, AUTOTUNE__ABSENT)) \
        (AUTOTUNE__NEW_RUN, #__VA_ARGS__, __VA_ARGS__, )
#define AUTOTUNE_BLOCK(...) \
    AUTOTUNE__CAT(AUTOTUNE__BLOCK_, AUTOTUNE__IS_SPACE(AUTOTUNE__HEAD(__VA_ARGS__)))(AUTOTUNE__NEW_RUN, #__VA_ARGS__, \
                                                                                     __VA_ARGS__, )
#define AUTOTUNE_SELECT(options, ...) \
    AUTOTUNE__CAT(AUTOTUNE__SELECT_, AUTOTUNE__IS_PAREN(options))(AUTOTUNE__NEW_RUN, #__VA_ARGS__, options, __VA_ARGS__)

/* SPACE(item, ...): the product of the axes, filtered. Items in any order, 64 at most; at least one and at most 16
   names.
   A macro of the program may stand for one item or several. If the program has a macro with the name of an item, such
   as RANGE, that macro is meant, and the item is written AUTOTUNE_RANGE(...).

   AXIS(name, v1, v2, ...)            integers, enums, doubles, strings or functions. The name's type is that of the
                                      first value, decayed and unqualified. Values may be run-time expressions. A value
                                      that occurs twice counts once. A name must not hide a variable that a later item
                                      reads. No warning tells of a variable that an axis hides (-Wshadow is off there),
                                      nor of an axis that is not used.
   RANGE(name, first, last, step)     first, first + step, ... up to and including last; integers, the type of first;
                                      step may be negative.
   POW2(name, first, last)            first, 2 first, 4 first, ... up to last; first > 0.
   AXIS_OF(name, pointer, count)      the elements of an array.
   CONFIGS((a, b), (16, 1), ...)      a fixed list: the names, 12 at most, then one tuple per configuration, 64 at most.
   WHERE(expression)                  keep only configurations for which it is true. Several: all must be true.
   PRIORITY(group), PRIORITY(group, intra)   the highest is raced first; lower ones only if nothing higher worked;
                                             negative: never.
                                      In a SELECT, calls without one are raced together with the highest.
   MODEL(expression)                  the predicted cost. The cheapest are tried first, and with .top_k no others. */
#define AUTOTUNE_SPACE(...) AUTOTUNE__SPACE_OF(AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__)
#define AUTOTUNE_AXIS(...) AUTOTUNE__AXIS_ITEM(__VA_ARGS__, )
#define AUTOTUNE_RANGE(name, first, last, step) (AUTOTUNE__NAMED, name, first, AUTOTUNE__RANGE, first, last, step)
#define AUTOTUNE_POW2(name, first, last) (AUTOTUNE__NAMED, name, first, AUTOTUNE__POW2, first, last)
#define AUTOTUNE_AXIS_OF(name, pointer, count) (AUTOTUNE__NAMED, name, *(pointer), AUTOTUNE__AXIS_OF, pointer, count)
#define AUTOTUNE_CONFIGS(...) \
    AUTOTUNE__CAT(AUTOTUNE__CONFIGS_, AUTOTUNE__IS_PAREN(AUTOTUNE__HEAD(__VA_ARGS__)))(AUTOTUNE__TEXT(__VA_ARGS__), \
                                                                                       __VA_ARGS__)
#define AUTOTUNE_WHERE(...) (AUTOTUNE__FILTER, __VA_ARGS__)
#define AUTOTUNE_PRIORITY(...) (AUTOTUNE__RANK, autotune__priority, AUTOTUNE__GROUP(__VA_ARGS__, 0, ~))
#define AUTOTUNE_MODEL(...) (AUTOTUNE__RANK, autotune__model, AUTOTUNE__AS(double, __VA_ARGS__))

/* CASE(call, item, ...) in a SELECT: items are WHERE, PRIORITY, MODEL and NAME("what logs call it"). */
#define AUTOTUNE_CASE(...) AUTOTUNE__CASE_OF(AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__, AUTOTUNE__NO_ITEM)
#define AUTOTUNE_NAME(name) (AUTOTUNE__CALL_NAME, name)

/* KEY(v, ...)         up to 8 integers, enums, bools, floats or strings (by content). Logs and files show an enumerator
                       as its number, since C knows no more of it; a string part, such as "row major", shows a name.
                       Other pointers are refused: an address is no key.
   ANCHOR(x), ANCHOR(x, base, min, max)    a number bucketed upwards to a power of base (2), clamped: see
                                           autotune_anchor().
   BUFFERS({pointer, bytes}, {pointer, bytes, AUTOTUNE_F32, 1e-4}, ...)    up to 8, copied.
   GRID(x), GRID(x, y), GRID(x, y, z)      blocks; missing ones are 1.
   AUTOTUNE_REJECT("why %d", x)            this configuration does not work here: an expression of type autotune_status
                                           that fails the innermost trial running in this thread. In a block follow it
                                           with `continue`. On a hit a block has no trial to fail: the reason is in
                                           autotune_last_error(), and the status stays as it is. */
#define AUTOTUNE_KEY(...) AUTOTUNE__KEY(#__VA_ARGS__, __VA_ARGS__)
#define AUTOTUNE_ANCHOR(...) AUTOTUNE__ANCHOR(AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__, 2, 0, 0, ~)
#define AUTOTUNE_BUFFERS(...) AUTOTUNE__BUFFERS(__VA_ARGS__)
#define AUTOTUNE_GRID(...) AUTOTUNE__GRID(AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__, 1, 1, ~)
#define AUTOTUNE_REJECT(...) autotune_reject(__VA_ARGS__)

/* With arguments, so that a variable called SPACE stays one. SPACE and CASE know the short names of their items, which
   are no macros. */
#ifndef AUTOTUNE_NO_SHORT_NAMES
#define SPACE(...) AUTOTUNE_SPACE(__VA_ARGS__)
#define CASE(...) AUTOTUNE_CASE(__VA_ARGS__)
#define KEY(...) AUTOTUNE__KEY(#__VA_ARGS__, __VA_ARGS__)       /* not through AUTOTUNE_KEY: the text before expansion
                                                                   is the label */
#define ANCHOR(...) AUTOTUNE_ANCHOR(__VA_ARGS__)
#define BUFFERS(...) AUTOTUNE_BUFFERS(__VA_ARGS__)
#define GRID(...) AUTOTUNE_GRID(__VA_ARGS__)
#endif

/* cppcheck can neither expand the lists nor parse the loops. It is shown plain code that reads what a statement reads
   and makes the call; the axes are names that it does not know, so that it concludes nothing from their values. It
   cannot take the options of a SELECT out of their parentheses, nor see that .result is written: initialise the
   variable that .result names. */
#ifdef __cppcheck__
#undef AUTOTUNE
#undef AUTOTUNE_BLOCK
#undef AUTOTUNE_SELECT
#undef AUTOTUNE_SPACE
#undef AUTOTUNE_AXIS
#undef AUTOTUNE_RANGE
#undef AUTOTUNE_POW2
#undef AUTOTUNE_AXIS_OF
#undef AUTOTUNE_CONFIGS
#undef AUTOTUNE_WHERE
#undef AUTOTUNE_PRIORITY
#undef AUTOTUNE_MODEL
#undef AUTOTUNE_CASE
#undef AUTOTUNE_NAME
#undef AUTOTUNE_ANCHOR
#undef AUTOTUNE_BUFFERS
#undef AUTOTUNE_GRID
#undef AUTOTUNE__KEY
bool autotune__reads(int64_t value, ...);
autotune_key autotune__key_of(const char *text, ...);
autotune_grid autotune__grid_of(int64_t x, ...);
uint64_t autotune__anchor_of(uint64_t x, ...);
#define AUTOTUNE(space, grid, call, ...) \
    while (autotune__reads(space, grid, (autotune_options){ __VA_ARGS__ })) (void)(call)
#define AUTOTUNE_BLOCK(space, ...) while (autotune__reads(space, (autotune_options){ __VA_ARGS__ }))
#define AUTOTUNE_SELECT(options, ...) while (autotune__reads(0)) (void)(__VA_ARGS__)
#define AUTOTUNE_SPACE(...) __VA_ARGS__
#define AUTOTUNE_AXIS(name, ...) __VA_ARGS__
#define AUTOTUNE_RANGE(name, ...) __VA_ARGS__
#define AUTOTUNE_POW2(name, ...) __VA_ARGS__
#define AUTOTUNE_AXIS_OF(name, ...) __VA_ARGS__
#define AUTOTUNE_CONFIGS(names, ...) __VA_ARGS__
#define AUTOTUNE_WHERE(...) (__VA_ARGS__)
#define AUTOTUNE_PRIORITY(...) __VA_ARGS__
#define AUTOTUNE_MODEL(...) (__VA_ARGS__)
#define AUTOTUNE_CASE(call, ...) call
#define AUTOTUNE_NAME(name) name
#define AUTOTUNE_ANCHOR(...) autotune__anchor_of(__VA_ARGS__)
#define AUTOTUNE_BUFFERS(...) { { __VA_ARGS__ }, 1 }
#define AUTOTUNE_GRID(...) autotune__grid_of(__VA_ARGS__)
#define AUTOTUNE__KEY(...) autotune__key_of(__VA_ARGS__)
#endif
