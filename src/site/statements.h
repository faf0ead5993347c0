/* The macros that users write at a call site: statements, items of a space, keys, buffers, blocks. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../api/options.h"
#include "hit.h"
#include "lists.h"
#include "diagnostics.h"
#include "values.h"
#include "items.h"
#include "loops.h"

#ifndef __cppcheck__
/* AUTOTUNE(space, blocks, call, .option = value, ...)              a statement; `call` is an expression.
   AUTOTUNE_BLOCK(space, .option = value, ...) { ... }              a statement with a block instead of a call.
   AUTOTUNE_SELECT((.option = value, ...), call_1, call_2, ...)     up to 64 alternatives; () means no options.

   The call or block can use the axes, `blocks` (only with AUTOTUNE), and `autotune_trial`. autotune_trial is true in a
   trial, and false in the call for real: f(autotune_trial ? scratch : out).

   AUTOTUNE(SPACE(AXIS(tile, 1, 2), WHERE(tile < n)), 1, f(tile), .key = KEY(n)) becomes, in C,

       for (run CLEANUP = ({ static site s = {...}; options o = {.key = ...}; autotune__hit(&s, o.mode, ...); }),
            *this = run.slot ? &run : (begin(&run, &(options){.key = ...}), ({ describe the axes; &run; }));
            run.slot; run.slot = step(&run))
       for (int live = 1; live; live = 0)
       for (int tile = FETCH(this->slot[live++ - 1]); live; live = 0)
       for (; live && (!this->tuning || !judges(this->tuning) || ({ bool ok = tile < n; admit(ok); false; }));
            live = 0, this->done = 1)
       for (const autotune_grid blocks = GRID_OF(1); live; live = 0)
           take_status(f(tile));

   - The first loop iterates once per launch. On a miss it first iterates once for each point that WHERE judges. The
     cleanup attribute of `run` notices return, goto and exceptions.
   - The loop of an axis iterates once. It declares the axis as a variable, with the value this->slot[live - 1]: `live`
     counts the axes.
   - The loop that sets this->done does not set it if the body is left by `break`.
   - Not shown is a loop around all of these, which iterates once more if WHERE or the call refuses the configuration of
     a hit. If neither can refuse, compilers drop this loop. */
#define AUTOTUNE(...) \
    AUTOTUNE__SHADOWS_OFF_BEFORE \
    AUTOTUNE__CAT(AUTOTUNE__CALL_, AUTOTUNE__FORM(__VA_ARGS__, AUTOTUNE__ABSENT, AUTOTUNE__ABSENT, AUTOTUNE__ABSENT)) \
        (AUTOTUNE__NEW_RUN, #__VA_ARGS__, __VA_ARGS__, )
#define AUTOTUNE_BLOCK(...) \
    AUTOTUNE__SHADOWS_OFF_BEFORE \
    AUTOTUNE__CAT(AUTOTUNE__BLOCK_, AUTOTUNE__IS_SPACE(AUTOTUNE__HEAD(__VA_ARGS__)))(AUTOTUNE__NEW_RUN, #__VA_ARGS__, \
                                                                                     __VA_ARGS__, )
#define AUTOTUNE_SELECT(options, ...) \
    AUTOTUNE__SHADOWS_OFF_BEFORE \
    AUTOTUNE__CAT(AUTOTUNE__SELECT_, AUTOTUNE__IS_PAREN(options))(AUTOTUNE__NEW_RUN, #__VA_ARGS__, options, __VA_ARGS__)

/* SPACE(item, ...): the product of the axes, without the points that WHERE refuses. It has up to 64 items in any order,
   and 1 to 16 axes. A macro of the program may stand for one or more items. If a macro of the program has the name of
   an item, such as RANGE, the compiler expands the program's macro. Then write AUTOTUNE_RANGE(...) for the item.

   AXIS(name, v1, v2, ...)            values: integers, enums, floats, strings or functions, also computed at run time.
                                      The name becomes a variable with the type of the first value, decayed and without
                                      qualifiers. A value that stands twice is tried twice. The name must not hide a
                                      variable that a later item reads. The compiler does not warn if an axis hides a
                                      variable, since -Wshadow is off there. It does not warn if an axis is not used.
   RANGE(name, first, last, step)     first, first + step, ... up to and including last: integers of the type of first.
                                      step may be negative.
   POW2(name, first, last)            first, 2 first, 4 first, ... up to and including last; first > 0.
   AXIS_OF(name, pointer, count)      the elements of an array.
   CONFIGS((a, b), (16, 1), ...)      a list of up to 64 configurations: up to 12 names, then the values of each row.
   WHERE(expression)                  admits only configurations for which the expressions of all WHERE are true.
   PRIORITY(group), PRIORITY(group, intra)   two integers, which order the configurations: by group, and within a group
                                      by intra. The configurations with the highest numbers are raced first. Those with
                                      lower numbers are raced only if none with higher numbers works. A configuration
                                      with a negative group or intra is never raced. In a SELECT, calls without PRIORITY
                                      are raced together with the calls of the highest PRIORITY.
   MODEL(expression)                  the predicted cost, in any unit. Configurations with a low cost are tried first;
                                      .top_k limits how many are tried. */
#define AUTOTUNE_SPACE(...) AUTOTUNE__SPACE_OF(AUTOTUNE__SPLIT(__VA_ARGS__), __VA_ARGS__)
#define AUTOTUNE_AXIS(...) AUTOTUNE__AXIS_ITEM(__VA_ARGS__, )
#define AUTOTUNE_RANGE(name, first, last, step) (AUTOTUNE__NAMED, name, first, AUTOTUNE__RANGE, first, last, step)
#define AUTOTUNE_POW2(name, first, last) (AUTOTUNE__NAMED, name, first, AUTOTUNE__POW2, first, last)
#define AUTOTUNE_AXIS_OF(name, pointer, count) (AUTOTUNE__NAMED, name, *(pointer), AUTOTUNE__AXIS_OF, pointer, count)
#define AUTOTUNE_CONFIGS(...) \
    AUTOTUNE__CAT(AUTOTUNE__CONFIGS_, AUTOTUNE__IS_PAREN(AUTOTUNE__HEAD(__VA_ARGS__)))(AUTOTUNE__TEXT(__VA_ARGS__), \
                                                                                       __VA_ARGS__)
#define AUTOTUNE_WHERE(...) AUTOTUNE__FILTER("WHERE(" #__VA_ARGS__ ")", __VA_ARGS__)
#define AUTOTUNE_PRIORITY(...) AUTOTUNE__SCORE_ITEM(autotune__priority, AUTOTUNE__GROUP(__VA_ARGS__, 0, ~))
#define AUTOTUNE_MODEL(...) AUTOTUNE__SCORE_ITEM(autotune__model, AUTOTUNE__AS(double, __VA_ARGS__))

/* CASE(call, item, ...) in a SELECT has up to 8 items: WHERE, PRIORITY, MODEL and NAME("what logs call it"). */
#define AUTOTUNE_CASE(...) AUTOTUNE__CASE_OF(__VA_ARGS__, AUTOTUNE__NO_ITEM)
#define AUTOTUNE_NAME(name) AUTOTUNE__CALL_NAME(name)

/* KEY(v, ...)         up to 8 integers, enums, bools, floats, or strings, which are compared by content. Other pointers
                       are refused: an address is no key. Logs and files show an enumerator as its number. To show
                       a name there, use a string, such as "row major".
   ANCHOR(x), ANCHOR(x, base, min, max)    the least power of base that is not less than x, between min and max: see
                                           autotune_anchor(). ANCHOR(x) has the base 2, and no bounds.
   BUFFERS({pointer, bytes}, {pointer, bytes, AUTOTUNE_F32, 1e-4}, ...)    up to 8 buffers; the list is copied.
   GRID(x), GRID(x, y), GRID(x, y, z)      the number of blocks in each dimension; a missing one is 1.
   AUTOTUNE_REJECT("why %d", x)            an expression of type autotune_status: see autotune_reject(). */
#define AUTOTUNE_KEY(...) AUTOTUNE__KEY(#__VA_ARGS__, __VA_ARGS__)
#define AUTOTUNE_ANCHOR(...) AUTOTUNE__ANCHOR(AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__, 2, 0, 0, ~)
#define AUTOTUNE_BUFFERS(...) AUTOTUNE__BUFFERS(__VA_ARGS__)
#define AUTOTUNE_GRID(...) AUTOTUNE__GRID(AUTOTUNE__COUNT(__VA_ARGS__), __VA_ARGS__, 1, 1, ~)

#else   /* __cppcheck__ */
/* cppcheck can neither expand the lists nor parse the loops. So cppcheck gets plain code, which reads the same
   variables and makes the call. Items, keys and grids are calls of functions without a body. cppcheck does not know the
   axes, and so concludes nothing from their values. It sees neither the options of a SELECT nor that .result is
   written: initialise the variable to which .result points. */
#undef AUTOTUNE__KEY
bool autotune__reads(int64_t value, ...);
#define AUTOTUNE(space, grid, call, ...) \
    while (autotune__reads(space, grid, (autotune_options){ __VA_ARGS__ })) (void)(call)
#define AUTOTUNE_BLOCK(space, ...) while (autotune__reads(space, (autotune_options){ __VA_ARGS__ }))
#define AUTOTUNE_SELECT(options, ...) while (autotune__reads(0)) (void)(__VA_ARGS__)
#define AUTOTUNE_CASE(call, ...) call
#define AUTOTUNE_BUFFERS(...) { { __VA_ARGS__ }, 1 }
#define AUTOTUNE__KEY(text, ...) AUTOTUNE_KEY(__VA_ARGS__)
#endif

/* These macros have arguments, so a variable of the program may be called SPACE. */
#ifndef AUTOTUNE_NO_SHORT_NAMES
#define SPACE(...) AUTOTUNE_SPACE(__VA_ARGS__)
#define CASE(...) AUTOTUNE_CASE(__VA_ARGS__)
#define KEY(...) AUTOTUNE__KEY(#__VA_ARGS__, __VA_ARGS__)       /* AUTOTUNE_KEY would expand the text first */
#define ANCHOR(...) AUTOTUNE_ANCHOR(__VA_ARGS__)
#define BUFFERS(...) AUTOTUNE_BUFFERS(__VA_ARGS__)
#define GRID(...) AUTOTUNE_GRID(__VA_ARGS__)
#endif
