// Each instantiation of a template, member of a class template or generic lambda, and each of two overloads, is a tuner
// of its own. Their axes and keys are the same, so that it is their names alone that tell them apart.
#include "autotune.h"
#include "expect.h"

template <int factor> static bool known(int n) {
    autotune_result result;
    int last = 0;
    AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, last = factor * tile + n, .key = KEY(n), .preset = AUTOTUNE_FAST,
             .result = &result);
    EXPECT(last == factor + n || last == 2 * factor + n);
    return result.cache_hit;
}

template <class T> struct tuned {
    bool known() {
        autotune_result result;
        AUTOTUNE_BLOCK(SPACE(AXIS(tile, 1, 2)), .preset = AUTOTUNE_FAST, .result = &result) { (void)tile; }
        return result.cache_hit;
    }
};

static bool overloaded(int) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, (void)tile, .preset = AUTOTUNE_FAST, .result = &result);
    return result.cache_hit;
}
static bool overloaded(long) {
    autotune_result result;
    AUTOTUNE(SPACE(AXIS(tile, 1, 2)), 1, (void)tile, .preset = AUTOTUNE_FAST, .result = &result);
    return result.cache_hit;
}

int main() {
    EXPECT(!known<10>(3));
    EXPECT(!known<20>(3));
    EXPECT(known<10>(3));
    EXPECT(known<20>(3));

    EXPECT(!tuned<int>().known());
    EXPECT(!tuned<long>().known());
    EXPECT(tuned<int>().known());
    EXPECT(tuned<long>().known());

    const auto generic = [](auto value) {
        autotune_result result;
        AUTOTUNE_SELECT((.preset = AUTOTUNE_FAST, .result = &result), (void)value, (void)0);
        return result.cache_hit;
    };
    EXPECT(!generic(3));
    EXPECT(!generic(3L));
    EXPECT(generic(3));
    EXPECT(generic(3L));

    EXPECT(!overloaded(3));
    EXPECT(!overloaded(3L));
    EXPECT(overloaded(3));
    EXPECT(overloaded(3L));
    return failures != 0;
}
