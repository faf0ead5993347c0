/* cache.c - the reader of the cache on disk under libFuzzer.

   The first byte of an input determines the use of the rest:
     'f'   a whole file, as it is: heads and checksums are for the reader to judge.
     'w'   the members of a record behind a head that fits the statement below, with a right checksum: is its winner
           taken?
     't'   the same with another fingerprint: do its times save launches?
     'u'   the same as an unfinished race.
   An @ in these stands for the compiler, so that inputs fit every one.
   After each input the statement runs. It must make its call once, for every input. */
#define _POSIX_C_SOURCE 200809L
#define AUTOTUNE_STATIC
#include "autotune.h"

static uint64_t virtual_ns;
static uint64_t virtual_now(autotune_backend *self) { return (void)self, virtual_ns; }
static autotune_backend virtual_clock;
static int calls;

static autotune_status launch(int tile, double scale, const char *order, bool trial) {
    virtual_ns += (uint64_t)(1000000 * tile + (int)(10 * scale) * 1000 + (*order == 'j') * 100);
    calls += !trial;
    return tile == 3 ? AUTOTUNE_FAILED : AUTOTUNE_OK;
}
static autotune_result tune(autotune_mode mode) {
    autotune_result result;
    AUTOTUNE(SPACE(RANGE(tile, 1, 4, 1), CONFIGS((scale, order), (0.5, "ij"), (1.5, "j\"i"))), 1,
             launch(tile, scale, order, autotune_trial), .name = "fuzz", .key = KEY(1.5, "k"), .mode = mode,
             .backend = &virtual_clock, .result = &result, .preset = AUTOTUNE_FAST);
    return result;
}
static void say_nothing(void *user, autotune_log_level level, const char *line) { (void)user, (void)level, (void)line; }

/* The head of a record of the statement. */
enum { HEAD = 140, DIGIT_OF_FINGERPRINT = 65 };
static char fitting[HEAD + 1];
static void learn(void) {
    const autotune_key key = KEY(1.5, "k");
    autotune__text text = {NULL, false};
    setenv("AUTOTUNE_CACHE", "readonly", 1);
    setenv("AUTOTUNE_CACHE_DIR", "/nowhere", 1);
    virtual_clock = autotune_cpu();
    virtual_clock.now = virtual_now;
    virtual_clock.device = "fuzz device";
    autotune_set_log(say_nothing, NULL);
    tune(AUTOTUNE_ON); /* so that there is a tuner, with its fingerprint */
    autotune__append_key(&text, &key, true);
    snprintf(
        fitting, sizeof fitting,
        "{\"autotune\":1,\"id\":\"%016llx\",\"fingerprint\":\"%016llx\",\"machine\":\"%016llx\","
        "\"date\":\"2026-11-20T14:05:09Z\",",
        (unsigned long long)autotune__hash_more(autotune__hash_string("fuzz"), text.at, strlen(text.at)),
        (unsigned long long)((const autotune__known_tuner *)autotune__tuners[0].value)->fingerprint,
        (unsigned long long)autotune__hash_string("fuzz device"));
    autotune__free_text(&text);
}
static void load_record(const char *head, const char *members, size_t size, bool unfinished) {
    autotune__text line = {NULL, false};
    size_t i;
    autotune__append(&line, "%s%s", head, unfinished ? "\"unfinished\":true," : "");
    for (i = 0; i < size; i++) {
        if (members[i] == '@')
            autotune__append(&line, "%s", AUTOTUNE__BUILD);
        else if (members[i] != '\n')
            autotune__append(&line, "%c", members[i]);
    }
    autotune__append(&line, ",\"crc\":\"%08lx\"}\n", (unsigned long)autotune__crc(line.at, autotune__count(line.at)));
    autotune_load_text(line.at, autotune__count(line.at));
    autotune__free_text(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *const rest = (const char *)data + 1;
    const autotune_mode modes[] = {AUTOTUNE_ON, AUTOTUNE_CACHED};
    char head[HEAD + 1];
    size_t i;
    if (!*fitting) learn();
    if (!size) return 0;
    memcpy(head, fitting, sizeof head);
    if (*data == 't') head[DIGIT_OF_FINGERPRINT] = head[DIGIT_OF_FINGERPRINT] == '0' ? '1' : '0';
    for (i = 0; i < 2; i++) {
        autotune_result result;
        if (*data == 'f')
            autotune_load_text(rest, size - 1);
        else
            load_record(head, rest, size - 1, *data == 'u');
        calls = 0;
        result = tune(modes[i]);
        if (calls < 1 || calls > 9 || result.status != AUTOTUNE_OK) abort();
        if (autotune_clear(NULL, NULL, AUTOTUNE_MEMORY) != AUTOTUNE_OK) abort();
    }
    return 0;
}
