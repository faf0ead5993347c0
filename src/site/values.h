/* The types of axes, of parts of keys, and of calls, first for C and then for C++. The options at a call site. */
#pragma once
#include "../api/language.h"
#include "../api/types.h"
#include "../api/backend.h"
#include "../api/options.h"
#include "../api/ranks.h"
#include "hit.h"
#include "lists.h"
#include "diagnostics.h"
#include "build.h"

#define AUTOTUNE__BEGINS_WITH(text, beginning) (__builtin_strncmp(text, beginning, sizeof beginning - 1) == 0)
/* True if each argument after the call begins with a dot, as an option does. The preprocessor divides a call or a value
   at its comma, and the second part does not begin with a dot. A call without options has one empty argument. The test
   appends a dot to each argument, so the empty argument passes, too. */
#define AUTOTUNE__ARE_OPTIONS(...) (true AUTOTUNE__EACH(AUTOTUNE__AND_OPTION, ~, __VA_ARGS__))
#define AUTOTUNE__AND_OPTION(c, left, option) && AUTOTUNE__BEGINS_WITH(#option ".", ".")
#define AUTOTUNE__STRAY "an argument is not an option (.name = value): put a call or a value with a comma into " \
    "parentheses, as (f(a), f(b)) or (f<int, 4>(a)), and buffers into BUFFERS({pointer, bytes}, ...)"

#define AUTOTUNE__CUT_VALUE "AXIS(name, value, ...): put a value with a comma into parentheses, as (f<int, 4>)"

#define AUTOTUNE__MANY_PARTS "KEY: at most 8 parts: put two numbers into one, as (uint64_t)lda << 32 | (uint32_t)ldb"

/* True if the text of a call has AUTOTUNE_REJECT. Then a rejection counts even if the value of the call is no status:
   in C the value of `condition ? status : status` is an integer. The test is constant, so it costs nothing in other
   calls. */
#define AUTOTUNE__HAS(text, part) (AUTOTUNE__ADDRESS(__builtin_strstr(text, part)) != 0)
#define AUTOTUNE__REJECTS(text) AUTOTUNE__HAS(text, "autotune_reject")

/* The sentence if the call is a function or a lambda that nothing calls. */
#define AUTOTUNE__UNCALLED "a function stands in the place of its call: write f(n, tile), not f, and () behind a lambda"

#define AUTOTUNE__IS_INTEGER_TYPE(type) (((type) >= AUTOTUNE_I8 && (type) <= AUTOTUNE_U64) || (type) == AUTOTUNE_BOOL)

#ifndef __cplusplus

/* C cannot count the values in the text at compile time, since an element of a string is no constant there. In C the
   first call of the statement compares the two counts. */
#define AUTOTUNE__DEMAND_WHOLE(text)
#define AUTOTUNE__HAS_VALUES(text, count) true

/* The type of the variable that an axis becomes. The comma makes arrays and functions decay and drops qualifiers.
   Unlike ?: it does not promote small integers to int. Before gcc 11 the comma keeps qualifiers; a function call drops
   them. */
#if defined __clang__ || __GNUC__ >= 11
#define AUTOTUNE__TYPE(v) AUTOTUNE__DECAYED(v)
#else
#define AUTOTUNE__TYPE(v) __typeof__(((AUTOTUNE__DECAYED(v) (*)(void))0)())
#endif
#define AUTOTUNE__DECAYED(v) __typeof__(_Generic((v), char *: (const char *)0, default: ((void)0, (v))))
/* The autotune_type of a value. AUTOTUNE_BYTES: the type is refused. An enum counts as its integer type. */
#define AUTOTUNE__KIND(v) AUTOTUNE__KIND_OR(v, AUTOTUNE_BYTES)
#define AUTOTUNE__KIND_OR(v, other) _Generic((v), _Bool: AUTOTUNE_BOOL, char: AUTOTUNE__CHAR, \
    signed char: AUTOTUNE_I8, short: AUTOTUNE_I16, int: AUTOTUNE_I32, long: AUTOTUNE__LONG, long long: AUTOTUNE_I64, \
    unsigned char: AUTOTUNE_U8, unsigned short: AUTOTUNE_U16, unsigned: AUTOTUNE_U32, unsigned long: AUTOTUNE__ULONG, \
    unsigned long long: AUTOTUNE_U64, float: AUTOTUNE_F32, double: AUTOTUNE_F64, \
    char *: AUTOTUNE_STRING, const char *: AUTOTUNE_STRING, default: other)
/* True if v is a pointer to a function: then *v decays to the type of v. For a pointer to data this is never so. */
#define AUTOTUNE__IS_FUNCTION(v) \
    __builtin_types_compatible_p(__typeof__(((void)0, (v))), __typeof__(((void)0, *AUTOTUNE__AS_POINTER(v))))
#define AUTOTUNE__AS_POINTER(v) __builtin_choose_expr(__builtin_classify_type(((void)0, (v))) == 5, (v), (char *)0)
/* The same as AUTOTUNE__KIND for values of axes, which may be functions. */
#define AUTOTUNE__VALUE_KIND(v) AUTOTUNE__KIND_OR(v, AUTOTUNE__IS_FUNCTION(v) ? AUTOTUNE_POINTER : AUTOTUNE_BYTES)

/* Associations of _Generic: one function for signed integers, and another for unsigned integers. */
#define AUTOTUNE__BY_SIGN(takes_signed, takes_unsigned) \
    _Bool: takes_signed, char: takes_signed, signed char: takes_signed, short: takes_signed, int: takes_signed, \
    long: takes_signed, \
    long long: takes_signed, unsigned char: takes_unsigned, unsigned short: takes_unsigned, unsigned: takes_unsigned, \
    unsigned long: takes_unsigned, unsigned long long: takes_unsigned
#define AUTOTUNE__WORD(v) \
    _Generic((v), AUTOTUNE__BY_SIGN(autotune__word_signed, autotune__word_unsigned), \
             float: autotune__word_double, double: autotune__word_double, default: autotune__word_pointer)(v)
#define AUTOTUNE__KEY(text, ...) \
    AUTOTUNE__KEY_OF(text, AUTOTUNE__COUNT(__VA_ARGS__), AUTOTUNE__SPLIT(__VA_ARGS__), __VA_ARGS__)
#define AUTOTUNE__KEY_OF(text, n, split, ...) ((autotune_key){ \
    n, __extension__({ \
        enum { autotune__types = 0u AUTOTUNE__EACH_OF(AUTOTUNE__KEY_TYPE, n, split, __VA_ARGS__), \
               autotune__is_key = \
               !AUTOTUNE__HAS_ZERO_PART((uint32_t)autotune__types | (uint32_t)(~UINT64_C(0) << 4 * n)) }; \
        AUTOTUNE__ASSERT(n <= 8, AUTOTUNE__MANY_PARTS); \
        AUTOTUNE__ASSERT(autotune__is_key, "KEY: integers, enums, bools, floats and strings; an address is no key"); \
        (uint32_t)autotune__types; }), \
    { AUTOTUNE__EACH_OF(AUTOTUNE__KEY_WORD, ~, split, __VA_ARGS__) }, text })
#define AUTOTUNE__KEY_TYPE(n, left, v) | (uint32_t)AUTOTUNE__KIND(v) << (4 * ((n) - (left)) & 31)
#define AUTOTUNE__KEY_WORD(c, left, v) AUTOTUNE__WORD(v),

/* {pointer, bytes} leaves out members of a buffer on purpose. gcc 11 and later do not warn of this if the list around
   it has a designator. Other compilers warn, so the warning is off for the list. */
#if defined __clang__ || __GNUC__ < 11
#define AUTOTUNE__MISSING_OFF \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")
#define AUTOTUNE__MISSING_ON _Pragma("GCC diagnostic pop")
#else
#define AUTOTUNE__MISSING_OFF
#define AUTOTUNE__MISSING_ON
#endif
#define AUTOTUNE__BUFFERS_BYTES(...) sizeof((autotune_buffer[]){ [0] = __VA_ARGS__ })
#define AUTOTUNE__BUFFERS(...) __extension__({ \
    AUTOTUNE__MISSING_OFF \
    _Static_assert(AUTOTUNE__BUFFERS_BYTES(__VA_ARGS__) <= AUTOTUNE_MAX_BUFFERS * sizeof(autotune_buffer), \
                   "BUFFERS: at most 8 buffers"); \
    const autotune_buffers autotune__b = { .at = { __VA_ARGS__ }, \
                                           .count = AUTOTUNE__BUFFERS_BYTES(__VA_ARGS__) / sizeof(autotune_buffer) }; \
    AUTOTUNE__MISSING_ON \
    autotune__b; })

/* This _Generic has no default, so that the compiler refuses pointers. */
#define AUTOTUNE__GRID_OF(b) _Generic((b), autotune_grid: autotune__grid_same, \
    AUTOTUNE__BY_SIGN(autotune__grid_signed, autotune__grid_unsigned))(b)

/* True if the type of the call's value is autotune_status. An enum is compatible with its integer type, so _Generic
   alone would take every unsigned integer for a status. But two enums are not compatible. So a type that is compatible
   with the unused enum autotune__decoy is a plain integer, and no status. */
enum autotune__decoy { AUTOTUNE__DECOY_0, AUTOTUNE__DECOY_1 };
#define AUTOTUNE__IS_STATUS(t) \
    _Generic((t), enum autotune__decoy *: 0, \
             default: _Generic((t), autotune_status *: 1, default: AUTOTUNE__IS_BACKEND_STATUS(t)))
/* The header of a backend redefines these two macros for its own type of status. */
#define AUTOTUNE__IS_BACKEND_STATUS(t) 0
#define AUTOTUNE__TAKE_STATUS(t) autotune__take_status
/* In the value of a comma expression a function becomes a pointer to the function. So the two types are equal only if
   the call is a function that is not called. They are typedefs, since clang refuses some calls within an enumerator. */
#define AUTOTUNE__LAUNCH(call) __extension__({ \
    AUTOTUNE__SHADOWS_OFF typedef __typeof__((call)) *autotune__pointer; \
    typedef __typeof__(((void)0, (call))) autotune__returned; \
    autotune__returned *autotune__value = NULL; AUTOTUNE__SHADOWS_ON (void)autotune__value; \
    AUTOTUNE__ASSERT(!__builtin_types_compatible_p(autotune__pointer, autotune__returned), AUTOTUNE__UNCALLED); \
    AUTOTUNE__TAKE_STATUS(autotune__value)(autotune__this, \
        (int)__builtin_choose_expr(AUTOTUNE__IS_STATUS(autotune__value), (call), __extension__({ \
            if (AUTOTUNE__REJECTS(#call)) autotune__this->rejections = autotune__rejections(); \
            (void)(call); \
            AUTOTUNE__REJECTS(#call) && autotune__rejections() != autotune__this->rejections \
                ? AUTOTUNE_REJECTED : AUTOTUNE_OK; }))); })

/* A compound literal in the first clause of a for statement lives as long as the loop. So .user = &(struct mine){n} is
   safe. */
#define AUTOTUNE__HIT(site_text, ...) __extension__({ \
    AUTOTUNE__SHADOWS_OFF_WITHIN \
    AUTOTUNE__DEMAND(AUTOTUNE__ARE_OPTIONS(__VA_ARGS__), AUTOTUNE__STRAY); \
    static autotune__site autotune__s = { __FILE__, __func__, site_text, AUTOTUNE__BUILD, __LINE__, \
                                          &AUTOTUNE__NO_ENTRY, NULL, 0, NULL, NULL }; \
    const autotune_options autotune__o = { .autotune__first = 0, __VA_ARGS__ }; \
    AUTOTUNE__HIT_WITH(autotune__o); })
#define AUTOTUNE__BEGIN(begin, run, ...) \
    autotune__started(&run, begin(run.site, &(const autotune_options){ .autotune__first = 0, __VA_ARGS__ }))

#else   /* C++ */
#include <type_traits>

template <class T> T autotune__decay(T);
const char *autotune__decay(char *);             /* if the first value of an axis is a char *, the other values may be
                                                    literals; so the variable is a const char *, as in C */
#define AUTOTUNE__TYPE(v) decltype(autotune__decay(v))
template <class T> struct autotune__is_string
    : std::integral_constant<bool, std::is_same<T, char *>::value || std::is_same<T, const char *>::value> {};
template <class T>
struct autotune__is_function
    : std::integral_constant<bool, std::is_pointer<T>::value &&
                                       std::is_function<typename std::remove_pointer<T>::type>::value> {};
template <class T, bool = std::is_enum<T>::value> struct autotune__integer { typedef T type; };
template <class T> struct autotune__integer<T, true> { typedef typename std::underlying_type<T>::type type; };
template <class T> static constexpr autotune_type autotune__kind() {
    using I = typename autotune__integer<T>::type;
    return std::is_same<T, bool>::value                   ? AUTOTUNE_BOOL
           : std::is_same<T, float>::value                ? AUTOTUNE_F32
           : std::is_same<T, double>::value               ? AUTOTUNE_F64
           : autotune__is_string<T>::value                ? AUTOTUNE_STRING
           : !std::is_integral<I>::value || sizeof(I) > 8 ? AUTOTUNE_BYTES
           : std::is_signed<I>::value                     ? (sizeof(I) == 1   ? AUTOTUNE_I8
                                                             : sizeof(I) == 2 ? AUTOTUNE_I16
                                                             : sizeof(I) == 4 ? AUTOTUNE_I32
                                                                              : AUTOTUNE_I64)
                                                          : (sizeof(I) == 1   ? AUTOTUNE_U8
                                                             : sizeof(I) == 2 ? AUTOTUNE_U16
                                                             : sizeof(I) == 4 ? AUTOTUNE_U32
                                                                              : AUTOTUNE_U64);
}
#define AUTOTUNE__KIND(v) autotune__kind<AUTOTUNE__TYPE(v)>()
template <class T> static constexpr autotune_type autotune__value_kind() {
    return autotune__is_function<T>::value ? AUTOTUNE_POINTER : autotune__kind<T>();
}
#define AUTOTUNE__VALUE_KIND(v) autotune__value_kind<AUTOTUNE__TYPE(v)>()

template <class T>
AUTOTUNE__INLINE typename std::enable_if<autotune__is_string<T>::value, uint64_t>::type autotune__word(T v) {
    return autotune__word_pointer(v);
}
template <class T>
AUTOTUNE__INLINE typename std::enable_if<std::is_floating_point<T>::value, uint64_t>::type autotune__word(T v) {
    return autotune__word_double(static_cast<double>(v));
}
template <class T>
AUTOTUNE__INLINE typename std::enable_if<std::is_integral<T>::value || std::is_enum<T>::value, uint64_t>::type
autotune__word(T v) {
    return static_cast<uint64_t>(v);
}
template <class T>
AUTOTUNE__INLINE
    typename std::enable_if<!std::is_arithmetic<T>::value && !std::is_enum<T>::value && !autotune__is_string<T>::value,
                            uint64_t>::type
    autotune__word(T) {
    return 0;
}
template <class... T> struct autotune__all_keys : std::true_type {};
template <class A, class... T> struct autotune__all_keys<A, T...>
    : std::integral_constant<bool, autotune__kind<A>() != AUTOTUNE_BYTES && autotune__all_keys<T...>::value> {};
template <class... T> struct autotune__key_types : std::integral_constant<uint32_t, 0> {};
template <class A, class... T>
struct autotune__key_types<A, T...> : std::integral_constant<uint32_t, static_cast<uint32_t>(autotune__kind<A>()) |
                                                                           (autotune__key_types<T...>::value << 4)> {};
template <class... T> AUTOTUNE__INLINE autotune_key autotune__make_key(const char *text, T... v) {
    static_assert(sizeof...(T) <= 8, AUTOTUNE__MANY_PARTS);
    static_assert(autotune__all_keys<T...>::value,
                  "KEY: integers, enums, bools, floats and strings; an address is no key, "
                  "and a std::string is given as s.c_str()");
    return autotune_key{ static_cast<uint32_t>(sizeof...(T)),
                         autotune__key_types<T...>::value,
                         { autotune__word(v)... },
                         text };
}
#define AUTOTUNE__KEY(text, ...) autotune__make_key(text, __VA_ARGS__)

/* A list of buffers in braces, which lives until the end of the full expression. The conversion to autotune_buffers
   copies the list. On a hit the option is an autotune__sink, and nothing is copied. */
template <size_t N> struct autotune__buffer_list {
    static_assert(N <= AUTOTUNE_MAX_BUFFERS, "BUFFERS: at most 8 buffers");
    const autotune_buffer (&list)[N];
    operator autotune_buffers() const {
        autotune_buffers all;
        for (size_t i = 0; i < N && i < AUTOTUNE_MAX_BUFFERS; i++) all.at[i] = list[i];
        all.count = N;
        return all;
    }
};
template <size_t N>
AUTOTUNE__INLINE autotune__buffer_list<N> autotune__list_buffers(const autotune_buffer (&list)[N], int) {
    return autotune__buffer_list<N>{ list };
}
/* The memory of a buffer whose type is not `void *`: another pointer, or a number, which is a CUdeviceptr. Any other
   type is a mistake, for which the compiler prints one sentence. */
struct autotune__buffer_memory {
    void *at;
    autotune__buffer_memory(unsigned long long address)
        : at(reinterpret_cast<void *>(static_cast<uintptr_t>(address))) {}
    template <class T>
    autotune__buffer_memory(T *pointer) : at(const_cast<void *>(static_cast<const void *>(pointer))) {
        static_assert(!std::is_const<T>::value,
                      "BUFFERS({pointer, bytes}, ...): the memory is written to, and must not be const");
    }
    template <class T> autotune__buffer_memory(T) : at(nullptr) {
        static_assert(sizeof(T) == 0, "BUFFERS({pointer, bytes}, ...): the first is a pointer, or a CUdeviceptr");
    }
};
struct autotune__untyped_buffer {
    autotune__buffer_memory memory;
    size_t bytes;
    autotune_type type = AUTOTUNE_BYTES;
    double tolerance = 0;
};
template <size_t N>
AUTOTUNE__INLINE autotune_buffers autotune__list_buffers(const autotune__untyped_buffer (&list)[N], long) {
    static_assert(N <= AUTOTUNE_MAX_BUFFERS, "BUFFERS: at most 8 buffers");
    autotune_buffers all;
    for (size_t i = 0; i < N && i < AUTOTUNE_MAX_BUFFERS; i++) {
        all.at[i] = autotune_buffer{ list[i].memory.at, list[i].bytes, list[i].type, list[i].tolerance };
    }
    all.count = N;
    return all;
}
#define AUTOTUNE__BUFFERS(...) autotune__list_buffers({ __VA_ARGS__ }, 0)

AUTOTUNE__INLINE autotune_grid autotune__grid_of(autotune_grid grid) { return grid; }
template <class T>
AUTOTUNE__INLINE typename std::enable_if<std::is_integral<T>::value || std::is_enum<T>::value, autotune_grid>::type
autotune__grid_of(T x) {
    return std::is_signed<T>::value ? autotune__grid_signed(static_cast<int64_t>(x))
                                    : autotune__grid_unsigned(static_cast<uint64_t>(x));
}
#define AUTOTUNE__GRID_OF(b) autotune__grid_of(b)

/* AUTOTUNE__LAUNCH has a comma before the call, and this header overloads the comma. The first overload takes the value
   of the call if the value is a status. The second overload drops a value of any other type. The second overload needs
   a conversion of its left side. A program may overload the comma, too, for the type of its call's value. The compiler
   then prefers the overload of the program, and does not find the comma ambiguous. A call without a value gets the
   built-in comma. */
struct autotune__launcher { autotune__run *run; bool rejects; };
AUTOTUNE__INLINE autotune__launcher autotune__launch(autotune__run *run, bool rejects) {
    if (rejects) run->rejections = autotune__rejections();
    return autotune__launcher{ run, rejects };
}
AUTOTUNE__INLINE void operator,(autotune__launcher launcher, autotune_status status) {
    autotune__take_status(launcher.run, status);
}
struct autotune__dropper {
    __attribute__((__always_inline__)) autotune__dropper(autotune__launcher launcher) : of(launcher) {}
    autotune__launcher of;
};
template <class T> AUTOTUNE__INLINE void operator,(autotune__dropper dropper, const T &) {
    static_assert(!std::is_function<T>::value, AUTOTUNE__UNCALLED);
    if (dropper.of.rejects && autotune__rejections() != dropper.of.run->rejections)
        autotune__take_status(dropper.of.run, AUTOTUNE_REJECTED);
}
#define AUTOTUNE__LAUNCH(call) (autotune__launch(autotune__this, AUTOTUNE__REJECTS(#call)), (call))

/* In C++ options are assigned one by one. So options may have any order in C++14 and in later versions. The call that
   reads the options is in the same full expression as the assignments, so temporaries still live. Options that a hit
   does not need are sinks, which drop their values. */
struct autotune__sink {
    template <class T> __attribute__((__always_inline__)) bool operator=(const T &) const { return true; }
};
struct autotune__hot_options {
    __attribute__((__always_inline__)) autotune__hot_options()
        : key(), mode(AUTOTUNE_ON), result(nullptr), backend(nullptr), ranks(nullptr), name(nullptr),
          version(nullptr), watch(0) {}
    autotune_key key;
    autotune_mode mode;
    autotune_result *result;
    autotune_backend *backend;
    autotune_ranks *ranks;
    const char *name, *version;
    unsigned watch;
    autotune__sink preset, strategy, cache_state, launch_timeout, compile_threads, compile_timeout, max_seconds,
        max_loss, work, margin, max_trials, top_k, seed, stop_at_ns, restore, zero, outputs, setup, verify, user, agree,
        first_rank, cache, unseen, isolate;
};
/* After the sentence about a stray argument g++ would print a thousand more lines, and clang++ two hundred. A template
   that instantiates itself without end is a fatal error, so both compilers stop after it. nvcc needs no such template:
   it prints only a few more lines. */
#ifdef __CUDACC__
#define AUTOTUNE__DEMAND_OPTIONS(...)
#define AUTOTUNE__DEMAND_WHOLE(text) static_assert(autotune__count_values(text) > 0, AUTOTUNE__CUT_VALUE);
#else
#define AUTOTUNE__DEMAND_OPTIONS(...) \
    static_assert(autotune__stop_if<!AUTOTUNE__ARE_OPTIONS(__VA_ARGS__), autotune__stray>::value, "");
#define AUTOTUNE__DEMAND_WHOLE(text) \
    static_assert(autotune__stop_if<autotune__count_values(text) == 0, autotune__cut_value>::value, "");
template <int n> struct autotune__stray { static_assert(n < 0, AUTOTUNE__STRAY); };
template <int n> struct autotune__cut_value { static_assert(n < 0, AUTOTUNE__CUT_VALUE); };
template <int n> struct autotune__endless { enum { value = autotune__endless<n + 1>::value }; };
template <template <int> class sentence, int n> struct autotune__refused : sentence<n> {
    enum { value = autotune__endless<n>::value };
};
template <bool stop, template <int> class sentence, int n = 0> struct autotune__stop_if : std::true_type {};
template <template <int> class sentence, int n>
struct autotune__stop_if<true, sentence, n> : autotune__refused<sentence, n> {};
#endif
/* Returns how many values the text of an axis has. A comma within parentheses or quotes does not end a value. Returns 0
   if the first value was divided at a comma: f<int, 4> becomes f<int and 4>. */
constexpr size_t autotune__count_values(const char *text) {
    size_t count = 1;
    int depth = 0, open = 0, first = 0;
    char quote = 0, before = 0;
    for (; *text; before = *text++) {
        if (quote) {
            if (*text == '\\') text++;
            else if (*text == quote) quote = 0;
        } else if (*text == '"' || (*text == '\'' && (before < '0' || before > 'z'))) quote = *text;   /* not 1'000 */
        else if (*text == '(' || *text == ')') depth += *text == '(' ? 1 : -1;
        else if (depth == 0 && *text == ',' && text[1]) first = count++ == 1 ? open : first;
        else if (depth == 0)
            open += (*text == '<' && text[1] != ' ' && text[1] != '=') - (*text == '>' && before != '-');
    }
    return first == 1 && open == 0 ? 0 : count;
}
#define AUTOTUNE__HAS_VALUES(text, count) (autotune__count_values(text) == (count))
#define AUTOTUNE__SET(options, left, option) (void)(options option),
/* With nvcc the name of a function in a template is no constant, and cannot initialise the static autotune__site. So
   each miss stores the name first, unless another thread has stored it. */
#ifdef __CUDACC__
#define AUTOTUNE__FUNCTION nullptr
#define AUTOTUNE__SET_FUNCTION(site) autotune__set_function(site, __PRETTY_FUNCTION__),
AUTOTUNE__INLINE void autotune__set_function(autotune__site *site, const char *function) {
    const char *none = nullptr;
    __atomic_compare_exchange_n(&site->function, &none, function, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
#else
#define AUTOTUNE__FUNCTION __PRETTY_FUNCTION__
#define AUTOTUNE__SET_FUNCTION(site)
#endif
#define AUTOTUNE__HIT(site_text, ...) __extension__({ \
    AUTOTUNE__SHADOWS_OFF_WITHIN \
    AUTOTUNE__DEMAND_OPTIONS(__VA_ARGS__) \
    static autotune__site autotune__s = { __FILE__, AUTOTUNE__FUNCTION, site_text, AUTOTUNE__BUILD, __LINE__, \
                                          &AUTOTUNE__NO_ENTRY, nullptr, 0, nullptr, nullptr }; \
    autotune__hot_options autotune__o; \
    (AUTOTUNE__EACH(AUTOTUNE__SET, autotune__o, __VA_ARGS__) \
     AUTOTUNE__HIT_WITH(autotune__o)); })
#define AUTOTUNE__BEGIN(begin, run, ...) __extension__({ \
    autotune_options autotune__o = autotune_options(); \
    (AUTOTUNE__SET_FUNCTION(run.site) AUTOTUNE__EACH(AUTOTUNE__SET, autotune__o, __VA_ARGS__) \
     autotune__started(&run, begin(run.site, &autotune__o))); })

#endif
