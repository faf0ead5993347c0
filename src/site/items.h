/* The expansion of the items of a space: axes, tables, filters, priorities, models. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../api/functions.h"
#include "hit.h"
#include "lists.h"
#include "diagnostics.h"
#include "values.h"

/* M(context, 0, argument) for the first eight arguments. The 0 stands for `left` in AUTOTUNE__EACH. */
#define AUTOTUNE__EIGHT(M, c, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    M(c, 0, a1) M(c, 0, a2) M(c, 0, a3) M(c, 0, a4) M(c, 0, a5) M(c, 0, a6) M(c, 0, a7) M(c, 0, a8)
#define AUTOTUNE__MISUSED(sentence) { AUTOTUNE__DEMAND(0, sentence); }

/* A statement becomes nested loops: see statements.h. On a hit autotune__live is constant, so the compiler removes the
   loops of the axes. The variable `run` is declared while -Wshadow is on, so its name differs in every statement. All
   other parts of a statement refer to `run` by autotune__this. */
#define AUTOTUNE__NEW_RUN AUTOTUNE__CAT(autotune__run_, __COUNTER__)
#define AUTOTUNE__APPLY(M, ...) M(__VA_ARGS__)
#define AUTOTUNE__FOR(declaration) for (declaration; autotune__live; autotune__live = 0)
#define AUTOTUNE__ITEMS(tag, ...) __VA_ARGS__

/* AUTOTUNE__ITEM(pass, left, (tag, ...)) becomes tag_pass(...). The passes are:
   - _count: adds up the axes;
   - _describe: tells the axes to the library;
   - _bind: makes a loop for each axis, which declares the axis as a variable;
   - _test: evaluates WHERE;
   - _score: tells PRIORITY and MODEL to the library;
   - _case: tells the NAME of a CASE to the library, and refuses items that a CASE cannot have.
   C reserves names that begin with an underscore, so no macro of the program has the name of a pass. */
#define AUTOTUNE__ITEM(pass, left, item) AUTOTUNE__ITEM##pass item
#define AUTOTUNE__ITEM_count(tag, ...) tag##_count(__VA_ARGS__)
#define AUTOTUNE__ITEM_describe(tag, ...) tag##_describe(__VA_ARGS__)
#define AUTOTUNE__ITEM_bind(tag, ...) tag##_bind(__VA_ARGS__)
#define AUTOTUNE__ITEM_test(tag, ...) tag##_test(__VA_ARGS__)
#define AUTOTUNE__ITEM_score(tag, ...) tag##_score(__VA_ARGS__)
#define AUTOTUNE__ITEM_case(tag, ...) tag##_case(__VA_ARGS__)
/* A space becomes (AUTOTUNE__SPACE, the SPLIT of its items, item, ...), and a CASE becomes ((), call, item, ...). Each
   item becomes a tuple (tag, ...):
   - The short names of items are no macros. AXIS(...) is pasted to AUTOTUNE__ITEM_NAMED_AXIS(...), which gives the full
     name, AUTOTUNE_AXIS, and the arguments.
   - An item that begins with a parenthesis is the expansion of a full name.
   - An item with text behind its closing parenthesis lacks a comma, and becomes (MISUSE, sentence).
   - Any other item becomes (MISUSE, sentences). If it begins with neither a name nor an integer, the preprocessor
     reports an error before.
   CONFIGS applies EACH_OF to its rows, within EACH_OF for the items. But no macro expands inside of itself. So
   AUTOTUNE__LATER delays the full names until EACH_OF for the items has ended. */
#define AUTOTUNE__SPACE_OF(split, ...) \
    AUTOTUNE__MADE(AUTOTUNE__SPACE, split AUTOTUNE__EACH_OF(AUTOTUNE__COMMA_TUPLE, ~, split, __VA_ARGS__))
#define AUTOTUNE__CASE_OF(call, ...) AUTOTUNE__MADE((), call AUTOTUNE__EACH(AUTOTUNE__COMMA_TUPLE, ~, __VA_ARGS__))
#define AUTOTUNE__MADE(...) (__VA_ARGS__)
#define AUTOTUNE__COMMA_TUPLE(c, left, item) , AUTOTUNE__CAT(AUTOTUNE__TUPLE_PROBE_, AUTOTUNE__IS_PAREN(item))(item)
#define AUTOTUNE__TUPLE_PROBE_0(item) \
    AUTOTUNE__TUPLE_OF(AUTOTUNE__ITEM_NAMED_##item, AUTOTUNE__UNKNOWN_ITEM, (item), , ~)
#define AUTOTUNE__TUPLE_PROBE_1(item) AUTOTUNE__TUPLE_OF(AUTOTUNE__IF_TUPLE item, ~)
#define AUTOTUNE__IF_TUPLE(...) ~, AUTOTUNE__TUPLE, (__VA_ARGS__),
#define AUTOTUNE__UNKNOWN_ITEM(item) \
    (AUTOTUNE__MISUSE, \
     "SPACE: every item is AXIS, RANGE, POW2, AXIS_OF, CONFIGS, WHERE, PRIORITY or MODEL, not '" #item "'", \
     "CASE(call, item, ...): items are PRIORITY, WHERE, MODEL or NAME, not '" #item "'")
#define AUTOTUNE__TUPLE(...) (__VA_ARGS__)
#define AUTOTUNE__TUPLE_OF(...) AUTOTUNE__TUPLE_OF_(__VA_ARGS__)
#define AUTOTUNE__TUPLE_OF_(probe, name, arguments, rest, ...) \
    AUTOTUNE__CAT(AUTOTUNE__TUPLE_, AUTOTUNE__IS_EMPTY(rest))(name, arguments)
#define AUTOTUNE__TUPLE_1(name, arguments) name AUTOTUNE__LATER() arguments
#define AUTOTUNE__LATER()
#define AUTOTUNE__TUPLE_0(name, arguments) \
    (AUTOTUNE__MISUSE, "SPACE(item, item, ...), CASE(call, item, ...): a comma is missing between two items")
#define AUTOTUNE__ITEM_NAMED_AXIS(...) ~, AUTOTUNE_AXIS, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_RANGE(...) ~, AUTOTUNE_RANGE, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_POW2(...) ~, AUTOTUNE_POW2, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_AXIS_OF(...) ~, AUTOTUNE_AXIS_OF, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_CONFIGS(...) ~, AUTOTUNE_CONFIGS, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_WHERE(...) ~, AUTOTUNE_WHERE, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_PRIORITY(...) ~, AUTOTUNE_PRIORITY, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_MODEL(...) ~, AUTOTUNE_MODEL, (__VA_ARGS__),
#define AUTOTUNE__ITEM_NAMED_NAME(...) ~, AUTOTUNE_NAME, (__VA_ARGS__),

/* The tag NAMED, for an axis. Its arguments are the name of the axis, an expression that has its type, the macro that
   describes it, and the arguments of this macro. All axes are described in one scope, so the compiler reports two axes
   with one name as a redeclaration. */
#define AUTOTUNE__NAMED_count(...) + 1
#define AUTOTUNE__NAMED_describe(name, sample, describe, ...) \
    enum { autotune__two_axes_named_##name = AUTOTUNE__IS_NAME(#name) }; \
    AUTOTUNE__ASSERT(autotune__two_axes_named_##name == 1, \
                     "SPACE: the name of an axis is an identifier, and no macro of the program has this name; " \
                     "here it is '" #name "'"); \
    { describe(name, sample, __VA_ARGS__) }
/* True if the text begins like a name. In ASCII digits, quotes, parentheses and most operators come before the letters.
   So a name that a macro of the program has replaced, for instance by a number, is found. In C++ the comparison of one
   character takes the compiler half as long as strncmp(). C needs strncmp(), since there an element of a string is no
   constant. */
#ifdef __cplusplus
#define AUTOTUNE__IS_NAME(text) ((text)[0] & 0xC0) != 0
#define AUTOTUNE__IS_BRACE(text) ((text)[0] == '{')
#else
#define AUTOTUNE__IS_NAME(text) __builtin_strncmp(text, "A", 1) >= 0
#define AUTOTUNE__IS_BRACE(text) (__builtin_strncmp(text, "{", 1) == 0)
#endif
#define AUTOTUNE__NAMED_bind(name, sample, ...) \
    AUTOTUNE__FOR(AUTOTUNE__TYPE(sample) name AUTOTUNE__UNUSED = AUTOTUNE__FETCH(name))
#define AUTOTUNE__NAMED_test(...)
#define AUTOTUNE__NAMED_score(...)
#define AUTOTUNE__NAMED_case(name, ...) \
    AUTOTUNE__MISUSED("CASE(call, item, ...): items are PRIORITY, WHERE, MODEL or NAME, not an axis '" #name "'")
#define AUTOTUNE__FETCH(name) \
    __extension__({ __typeof__(name) autotune__v; \
                    memcpy(&autotune__v, &autotune__this->slot[autotune__live++ - 1], sizeof autotune__v); \
                    autotune__v; })

#define AUTOTUNE__AXIS_ITEM(name, first, ...) \
    AUTOTUNE__CAT(AUTOTUNE__AXIS_ITEM_, AUTOTUNE__IS_EMPTY(first))(name, first, __VA_ARGS__)
#define AUTOTUNE__AXIS_ITEM_0(name, first, ...) \
    (AUTOTUNE__NAMED, name, first, AUTOTUNE__AXIS, AUTOTUNE__TEXT(first, __VA_ARGS__), first, __VA_ARGS__)
#define AUTOTUNE__AXIS_ITEM_1(name, ...) (AUTOTUNE__MISUSE, "AXIS(" #name ", value, ...): at least one value")
#define AUTOTUNE__AXIS(name, sample, text, ...) \
    AUTOTUNE__ASSERT(!AUTOTUNE__IS_BRACE(text), \
                     "AXIS(" #name ", value, ...): the values stand without braces"); \
    AUTOTUNE__DEMAND_WHOLE(text) \
    enum { autotune__kind_of_axis = AUTOTUNE__VALUE_KIND(sample) }; \
    AUTOTUNE__ASSERT(autotune__kind_of_axis != 0, "AXIS(" #name ", ...): values are numbers, strings or functions"); \
    AUTOTUNE__STRICT_ON const AUTOTUNE__TYPE(sample) autotune__v[] = { __VA_ARGS__ }; AUTOTUNE__STRICT_OFF \
    AUTOTUNE__ASSERT(AUTOTUNE__HAS_VALUES(text, sizeof autotune__v / sizeof autotune__v[0]), AUTOTUNE__CUT_VALUE); \
    autotune__tell_axis(autotune__new, #name, text, autotune__v, sizeof autotune__v / sizeof autotune__v[0], \
                   autotune__kind_of_axis);
#define AUTOTUNE__AXIS_OF(name, sample, pointer, count) \
    enum { autotune__kind_of_axis = AUTOTUNE__VALUE_KIND(sample) }; \
    AUTOTUNE__ASSERT(autotune__kind_of_axis != 0, \
                     "AXIS_OF(" #name ", ...): values are numbers, strings or functions"); \
    autotune__tell_axis(autotune__new, #name, AUTOTUNE__NULL, pointer, AUTOTUNE__AS(size_t, count), \
                   autotune__kind_of_axis);
#define AUTOTUNE__RANGE(name, sample, first, last, step) \
    AUTOTUNE__DEMAND(AUTOTUNE__IS_INTEGER_TYPE(AUTOTUNE__KIND(sample)), "RANGE(" #name ", ...): integers only"); \
    autotune__range(autotune__new, #name, AUTOTUNE__AS(int64_t, first), AUTOTUNE__AS(int64_t, last), \
                    AUTOTUNE__AS(int64_t, step), \
                    AUTOTUNE__KIND(sample));
#define AUTOTUNE__POW2(name, sample, first, last) \
    AUTOTUNE__DEMAND(AUTOTUNE__IS_INTEGER_TYPE(AUTOTUNE__KIND(sample)), "POW2(" #name ", ...): integers only"); \
    autotune__pow2(autotune__new, #name, AUTOTUNE__AS(int64_t, first), AUTOTUNE__AS(int64_t, last), \
                   AUTOTUNE__KIND(sample));

/* The tag TABLE: CONFIGS becomes a local array of structs, one for each row. Each column of the table expands as an
   axis does. */
#define AUTOTUNE__CONFIGS_0(text, ...) \
    (AUTOTUNE__MISUSE, "CONFIGS((a, b), (1, 2), ...): the names stand in parentheses")
#define AUTOTUNE__CONFIGS_1(text, names, ...) \
    AUTOTUNE__CAT(AUTOTUNE__CONFIGS_OF_, AUTOTUNE__OVER_TWELVE names)(text, names, __VA_ARGS__)
#define AUTOTUNE__CONFIGS_OF_1(...) (AUTOTUNE__MISUSE, "CONFIGS: at most 12 names")
#define AUTOTUNE__CONFIGS_OF_0(text, names, ...) \
    AUTOTUNE__CONFIGS_2(text, names, AUTOTUNE__HEAD(__VA_ARGS__), __VA_ARGS__)
#define AUTOTUNE__CONFIGS_2(text, names, first, ...) \
    (AUTOTUNE__TABLE, names, (AUTOTUNE__UNWRAP first, AUTOTUNE__ZEROS), text, \
     AUTOTUNE__COUNT(__VA_ARGS__), (1 AUTOTUNE__EACH(AUTOTUNE__ROW_OK, AUTOTUNE__COUNT names, __VA_ARGS__)), \
     AUTOTUNE__EACH(AUTOTUNE__ROW, ~, __VA_ARGS__))
#define AUTOTUNE__COLUMNS(M, names, first) AUTOTUNE__ZIP(AUTOTUNE__COUNT names, M, names, first)
#define AUTOTUNE__ZEROS 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define AUTOTUNE__ROW(c, left, row) AUTOTUNE__CAT(AUTOTUNE__ROW_, AUTOTUNE__IS_PAREN(row))(row)
#define AUTOTUNE__ROW_0(row) { 0 },
#define AUTOTUNE__ROW_1(row) { AUTOTUNE__UNWRAP row },
#define AUTOTUNE__ROW_OK(n, left, row) AUTOTUNE__CAT(AUTOTUNE__ROW_OK_, AUTOTUNE__IS_PAREN(row))(n, row)
#define AUTOTUNE__ROW_OK_0(n, row) && 0
#define AUTOTUNE__ROW_OK_1(n, row) && AUTOTUNE__COUNT row == n
#define AUTOTUNE__MEMBER(name, v) AUTOTUNE__TYPE(v) name;
#define AUTOTUNE__COLUMN_NAME(name, v) AUTOTUNE__NAMED_describe(name, v, AUTOTUNE__NOTHING, ~)
#define AUTOTUNE__COLUMN_BIND(name, v) AUTOTUNE__NAMED_bind(name, v, ~)
#define AUTOTUNE__COLUMN_OF(name, v) \
    { AUTOTUNE__DEMAND(AUTOTUNE__VALUE_KIND(v) != AUTOTUNE_BYTES, \
                       "CONFIGS: " #name ": values are numbers, strings or functions"); } \
    autotune__column(autotune__new, #name, __builtin_offsetof(__typeof__(autotune__v[0]), name), \
                     AUTOTUNE__VALUE_KIND(v));
#define AUTOTUNE__TABLE_count(names, ...) + AUTOTUNE__COUNT names
#define AUTOTUNE__TABLE_describe(names, first, text, rows, ok, ...) { \
    { AUTOTUNE__DEMAND((rows) <= 64, "CONFIGS: at most 64 configurations"); } \
    { AUTOTUNE__DEMAND(ok, "CONFIGS: every row is in parentheses and has one value for each name"); } \
    AUTOTUNE__STRICT_ON \
    const struct { AUTOTUNE__COLUMNS(AUTOTUNE__MEMBER, names, first) } autotune__v[] = { __VA_ARGS__ }; \
    AUTOTUNE__STRICT_OFF \
    autotune__table(autotune__new, text, autotune__v, sizeof autotune__v[0], \
                    sizeof autotune__v / sizeof autotune__v[0]); \
    AUTOTUNE__COLUMNS(AUTOTUNE__COLUMN_OF, names, first) } \
    AUTOTUNE__COLUMNS(AUTOTUNE__COLUMN_NAME, names, first)
#define AUTOTUNE__TABLE_bind(names, first, ...) AUTOTUNE__COLUMNS(AUTOTUNE__COLUMN_BIND, names, first)
#define AUTOTUNE__TABLE_test(...)
#define AUTOTUNE__TABLE_score(...)
#define AUTOTUNE__TABLE_case(...) \
    AUTOTUNE__MISUSED("CASE(call, item, ...): items are PRIORITY, WHERE, MODEL or NAME, not CONFIGS")

/* The tag CLAUSE, for an item that is no axis. Its four arguments are the code, in parentheses, that the item adds to
   the passes _describe, _test, _score and _case. */
#define AUTOTUNE__CLAUSE_count(...)
#define AUTOTUNE__CLAUSE_describe(described, ...) AUTOTUNE__UNWRAP described
#define AUTOTUNE__CLAUSE_bind(...)
#define AUTOTUNE__CLAUSE_test(described, test, ...) AUTOTUNE__UNWRAP test
#define AUTOTUNE__CLAUSE_score(described, test, score, ...) AUTOTUNE__UNWRAP score
#define AUTOTUNE__CLAUSE_case(described, test, score, of_case) AUTOTUNE__UNWRAP of_case
#define AUTOTUNE__FILTER(text, ...) \
    (AUTOTUNE__CLAUSE, (), \
     (if (!autotune__why) { if (__VA_ARGS__) {} else { autotune__why = text; } }), (), ())
#define AUTOTUNE__SCORE_ITEM(function, ...) (AUTOTUNE__CLAUSE, (), (), (function(autotune__new, __VA_ARGS__);), ())
#define AUTOTUNE__GROUP(group, intra, ...) AUTOTUNE__AS(int64_t, group), AUTOTUNE__AS(int64_t, intra)
#define AUTOTUNE__CALL_NAME(name) \
    (AUTOTUNE__CLAUSE, (AUTOTUNE__MISUSED("SPACE: NAME belongs into a CASE of AUTOTUNE_SELECT")), (), (), \
     (autotune__call_name(autotune__new, autotune__k, name);))
#define AUTOTUNE__NO_ITEM (AUTOTUNE__CLAUSE, (), (), (), ())

/* The tag MISUSE, for a mistake. Its arguments are the sentence for SPACE, and the sentence for a CASE if that
   differs. */
#define AUTOTUNE__MISUSE_count(...) + 1
#define AUTOTUNE__MISUSE_describe(sentence, ...) AUTOTUNE__MISUSED(sentence)
#define AUTOTUNE__MISUSE_bind(...)
#define AUTOTUNE__MISUSE_test(...)
#define AUTOTUNE__MISUSE_score(...)
#define AUTOTUNE__MISUSE_case(...) AUTOTUNE__MISUSED(AUTOTUNE__SECOND(__VA_ARGS__, __VA_ARGS__))

/* GRID and ANCHOR. AUTOTUNE_GRID and AUTOTUNE_ANCHOR append the default values of missing arguments. n: how many
   arguments the program wrote. */
#define AUTOTUNE__GRID(n, x, y, z, ...) \
    (__extension__({ AUTOTUNE__DEMAND((n) <= 3, "GRID: x, y and z, no more"); }), \
     autotune__grid3(AUTOTUNE__AS(int64_t, x), AUTOTUNE__AS(int64_t, y), AUTOTUNE__AS(int64_t, z)))
#define AUTOTUNE__ANCHOR(n, x, base, min, max, ...) \
    (__extension__({ AUTOTUNE__DEMAND((n) == 1 || (n) == 4, "ANCHOR(x) or ANCHOR(x, base, min, max)"); }), \
     autotune_anchor(AUTOTUNE__AS(uint64_t, x), AUTOTUNE__AS(uint64_t, base), AUTOTUNE__AS(uint64_t, min), \
                     AUTOTUNE__AS(uint64_t, max)))
