/* A program in the common part of C11 and C++14, which uses only functions: it calls every function of src/api. The
   only macro is AUTOTUNE_REJECT. */
#include "autotune.h"
#include "expect.h"

/* A kernel that takes as long as its configuration says: the clock moves when it is launched. */
typedef struct kernel {
    int launches, setups, verifications;
    int64_t tile;                               /* the tile of the last launch */
    double factor;
    const char *layout;
    double sum;                                 /* each launch adds 1 */
} kernel;
static uint64_t clock_ns;
static uint64_t now(autotune_backend *self) { (void)self; return clock_ns; }

static autotune_status launch(void *user, const autotune_config *config) {
    kernel *k = (kernel *)user;
    k->launches++;
    k->tile = autotune_get_int(config, "tile");
    k->factor = autotune_get_double(config, "factor");
    k->layout = autotune_get_string(config, "layout");
    k->sum += 1;
    clock_ns += (uint64_t)((k->tile == 32 ? 1e4 : 2e4) * k->factor) + (strcmp(k->layout, "rows") ? 0 : 5000);
    if (k->tile == 48) {
        autotune_explain("tile %d of %s is %.1f too large", (int)k->tile, "the kernel", 0.5);
        return AUTOTUNE_FAILED;
    }
    if (k->tile == 64) return AUTOTUNE_REJECT("%s needs %g KiB", "tile 64", 96.5);
    return AUTOTUNE_OK;
}
static bool is_admitted(void *user, const autotune_config *config) {
    (void)user;
    return autotune_get_double(config, "factor") < 3 || !strcmp(autotune_get_label(config, "layout"), "rows");
}
static bool is_large(void *user, const autotune_config *partial) {
    (void)user;
    return autotune_get_int(partial, "tile") > 8;
}
static double model(void *user, const autotune_config *config) {
    (void)user;
    return (double)autotune_get_index(config);
}
static int priority(void *user, const autotune_config *config) {
    (void)user;
    return autotune_get_int(config, "tile") == 128 ? -1 : 1;
}
static void setup(void *user, const autotune_config *config) {
    ((kernel *)user)->setups += autotune_get_int(config, "tile") > 0;
}
static bool verify(void *user, const autotune_config *config) {
    ((kernel *)user)->verifications++;
    return autotune_get_int(config, "tile") == ((kernel *)user)->tile;
}
static autotune_status do_nothing(void *user, const autotune_config *config) {
    (void)user;
    return autotune_get_pointer(config, "kernel") == (void *)&clock_ns ? AUTOTUNE_OK : AUTOTUNE_FAILED;
}

static const int64_t tiles[] = { 8, 16, 32, 48, 64, 128 };
static const double factors[] = { 2, 1, 4 };
static const char *const layouts[] = { "rows", "columns" };
static autotune_tuner *create(void) {
    const int64_t layout_values[] = { (int64_t)(intptr_t)layouts[0], (int64_t)(intptr_t)layouts[1] };
    const autotune_axis axes[] = {
        { "tile", tiles, 6, AUTOTUNE_I64, AUTOTUNE__NULL, is_large },
        { "factor", (const int64_t *)(const void *)factors, 3, AUTOTUNE_F64, AUTOTUNE__NULL, AUTOTUNE__NULL },
        { "layout", layout_values, 2, AUTOTUNE_STRING, AUTOTUNE__NULL, AUTOTUNE__NULL }
    };
    const autotune_desc desc = { "kernel", axes, 3, AUTOTUNE__NULL, 0, is_admitted, model, priority, launch,
                                 AUTOTUNE__NULL };
    return autotune_create(&desc);
}
/* Makes a tuner whose axis has one value, a pointer. */
static autotune_tuner *create_of_pointers(void) {
    const int64_t row[] = { (int64_t)(intptr_t)&clock_ns };
    const char *const label = "the clock";
    const autotune_axis axis = { "kernel", row, 1, AUTOTUNE_POINTER, &label, AUTOTUNE__NULL };
    const autotune_desc desc = { "pointers", &axis, 1, row, 1, AUTOTUNE__NULL, AUTOTUNE__NULL, AUTOTUNE__NULL,
                                 do_nothing, AUTOTUNE__NULL };
    return autotune_create(&desc);
}

typedef struct seen { size_t keys, measurements, failures; } seen;
static void visit(void *user, const autotune_known *known) {
    seen *s = (seen *)user;
    size_t i;
    if (strcmp(known->name, "kernel")) return;
    s->keys++;
    EXPECT(known->number == 1 && known->key.count == 3);
    for (i = 0; i < known->measurement_count; i++) {
        const autotune_measurement *m = &known->measurements[i];
        const int64_t tile = autotune_get_int(&m->config, "tile");
        s->measurements++;
        if (m->status == AUTOTUNE_OK) continue;
        s->failures++;
        EXPECT(!strcmp(m->reason, tile == 48 ? "tile 48 of the kernel is 0.5 too large" : "tile 64 needs 96.5 KiB"));
    }
}
static size_t logged;
static void keep_line(void *user, autotune_log_level level, const char *line) {
    EXPECT(user == &logged && level <= AUTOTUNE_LOG_FULL && *line);
    logged++;
}

static autotune_key key_of(int n, double zero, const char *type) {
    autotune_key key = { 0, 0, { 0 }, AUTOTUNE__NULL };
    autotune_key_add_int(&key, n);
    autotune_key_add_double(&key, zero);
    autotune_key_add_string(&key, type);
    return key;
}
static void tuners(autotune_backend *backend) {
    autotune_tuner *tuner = create(), *of_pointers = create_of_pointers();
    autotune_options options = { 0 };
    autotune_result result;
    autotune_config winner;
    char f32[] = "f32";
    seen s = { 0, 0, 0 };
    kernel k = { 0, 0, 0, 0, 0, AUTOTUNE__NULL, 0 };
    EXPECT(tuner && of_pointers);
    options.key = key_of(1000, -0.0, "f32");
    options.backend = backend;
    options.user = &k;
    options.setup = setup;
    options.verify = verify;
    options.result = &result;
    options.cache = AUTOTUNE_CACHE_OFF;
    options.restore.at[0].memory = &k.sum;
    options.restore.at[0].bytes = sizeof k.sum;
    options.restore.count = 1;

    EXPECT(autotune_call(tuner, &options) == AUTOTUNE_OK);
    EXPECT(result.status == AUTOTUNE_OK && !result.cache_hit && result.verdict == AUTOTUNE_SEPARATED);
    EXPECT(!strcmp(autotune_verdict_text(result.verdict), "separated"));
    EXPECT(k.tile == 32 && k.factor == 1 && !strcmp(k.layout, "columns") && k.sum == 1);
    EXPECT(result.median_ns == 1e4 && result.default_ns > result.median_ns && result.lead > 0.4);
    EXPECT(result.space_size == 20 && result.failed == 10 && (int)result.launches == k.launches);
    EXPECT(k.setups == k.launches - 1 && k.verifications == 10);
    EXPECT(result.config.count == 3 && !strcmp(result.config.names[2], "layout"));
    EXPECT(result.config.types[1] == AUTOTUNE_F64 && !strcmp(autotune_get_label(&result.config, "tile"), "32"));
    EXPECT(autotune_call(tuner, &options) == AUTOTUNE_OK && result.cache_hit && result.launches == 1 && k.sum == 2);

    EXPECT(autotune_lookup("kernel", key_of(1000, 0, f32), &winner) == AUTOTUNE_OK && winner.index == result.index);
    EXPECT(autotune_get_index(&winner) == winner.index && autotune_get_double(&winner, "factor") == 1);
    autotune_each(visit, &s);
    EXPECT(s.keys == 1 && s.measurements == 20 && s.failures == 10);

    options.key = key_of(2000, 0, f32);
    EXPECT(autotune_lookup("kernel", options.key, AUTOTUNE__NULL) == AUTOTUNE_ERR_MISS);
    EXPECT(autotune_add(tuner, &options) == AUTOTUNE_OK && autotune_tune_all() == AUTOTUNE_OK);
    EXPECT(autotune_open_keys() == 0);
    EXPECT(autotune_lookup("kernel", options.key, AUTOTUNE__NULL) == AUTOTUNE_OK);
    EXPECT(autotune_tune(of_pointers, AUTOTUNE__NULL) == AUTOTUNE_OK);
    EXPECT(autotune_call(of_pointers, AUTOTUNE__NULL) == AUTOTUNE_OK);

    EXPECT(autotune_clear("kernel", &options.key, AUTOTUNE_MEMORY) == AUTOTUNE_OK);
    EXPECT(autotune_lookup("kernel", options.key, AUTOTUNE__NULL) == AUTOTUNE_ERR_MISS);
    while (options.key.count <= AUTOTUNE_MAX_KEY) autotune_key_add_int(&options.key, 1);
    EXPECT(autotune_call(tuner, &options) == AUTOTUNE_ERR_ARGUMENT);
    EXPECT(strstr(autotune_last_error(), "more than 8 parts"));
    autotune_destroy(of_pointers);
    autotune_destroy(tuner);
}

/* Mode ONLINE with steps. Each step runs the configuration that it gets. */
static void steps(autotune_backend *backend) {
    autotune_tuner *tuner = create();
    autotune_options options = { 0 };
    autotune_step step;
    kernel k = { 0, 0, 0, 0, 0, AUTOTUNE__NULL, 0 };
    int i;
    options.backend = backend;
    options.user = &k;
    options.cache = AUTOTUNE_CACHE_OFF;
    autotune_key_add_int(&options.key, 1);
    for (i = 0; i < 400; i++) {
        EXPECT(autotune_step_begin(tuner, &options, &step) == AUTOTUNE_OK);
        const autotune_status status = launch(&k, &step.config);
        const double ns = status == AUTOTUNE_OK ? (k.tile == 32 ? 1e4 : 2e4) * k.factor : -1;
        EXPECT(autotune_step_end(&step, ns) == status || status == AUTOTUNE_REJECTED);
    }
    EXPECT(k.launches == 400 && k.tile == 32 && k.factor == 1);
    EXPECT(autotune_step_end(&step, 1) == AUTOTUNE_ERR_ARGUMENT);
    autotune_destroy(tuner);
}

static bool differ(void *user, const size_t *values, size_t bound) {
    (void)user;
    return bound < 2 || values[0] != values[1];
}
static void searches(void) {
    int64_t values[16];
    const autotune_search_axis axes[] = { { 16, false, values }, { 16, false, AUTOTUNE__NULL },
                                          { 3, true, AUTOTUNE__NULL } };
    autotune_search_desc desc;
    autotune_search *search;
    size_t point = 0, best = 0, trials = 0;
    double least = 1e300;
    desc.axes = axes;
    desc.axis_count = 3;
    desc.where = differ;
    desc.user = AUTOTUNE__NULL;
    desc.strategy = AUTOTUNE_SURROGATE;
    desc.seed = 7;
    for (size_t i = 0; i < 16; i++) values[i] = 8 + (int64_t)i;
    search = autotune_search_create(&desc);
    EXPECT(search && autotune_search_prefer(search, 5 * 48 + 9 * 3 + 1) == AUTOTUNE_OK);
    while (autotune_search_pays(search) && autotune_search_ask(search, &point) == AUTOTUNE_OK) {
        const double x = (double)(point / 48) - 11, y = (double)(point / 3 % 16) - 4;
        const double time = 10 + x * x + y * y + (point % 3 == 2 ? 0 : 5);
        EXPECT(trials++ || point == 5 * 48 + 9 * 3 + 1);
        EXPECT(autotune_search_tell(search, point, time) == AUTOTUNE_OK);
        if (time < least) { least = time; best = point; }
    }
    EXPECT(trials < 200 && best == 11 * 48 + 4 * 3 + 2);
    autotune_search_destroy(search);
    desc.axis_count = 0;
    EXPECT(!autotune_search_create(&desc) && *autotune_last_error());
}

static autotune_status no_max(autotune_ranks *self, double *values, size_t count) {
    (void)self; (void)values; (void)count;
    return AUTOTUNE_FAILED;
}
static autotune_status no_share(autotune_ranks *self, void *bytes, size_t count) {
    (void)self; (void)bytes; (void)count;
    return AUTOTUNE_FAILED;
}
static void ranks(void) {
    autotune_ranks alone = { 0, 1, no_max, no_share, AUTOTUNE__NULL };
    EXPECT(autotune_agree(&alone) == AUTOTUNE_OK);
    autotune_waiting(&alone, 1, AUTOTUNE__NULL);
}

static void files(void) {
    const char *const text = "no record\n";
    const autotune_status saved = autotune_save("functions.jsonl");
    EXPECT(saved == AUTOTUNE_OK);
    EXPECT(autotune_load("functions.jsonl") == AUTOTUNE_OK);
    EXPECT(remove("functions.jsonl") == 0);
    EXPECT(autotune_load_text(text, strlen(text)) == AUTOTUNE_ERR_FILE);
}

int main(void) {
    autotune_backend backend = autotune_cpu();
    EXPECT(autotune_version() == AUTOTUNE_VERSION);
    EXPECT(!strcmp(autotune_status_text(AUTOTUNE_ERR_FILE),
                   "a file cannot be read or written, or not all of it is sound"));
    EXPECT(autotune_anchor(1000, 2, 0, 0) == 1024);
    backend.device = "a clock of the test";
    backend.family = AUTOTUNE__NULL;
    backend.now = now;
    autotune_set_log(keep_line, &logged);
    tuners(&backend);
    steps(&backend);
    searches();
    ranks();
    files();
    EXPECT(autotune_shutdown() == AUTOTUNE_OK);
    if (!failures) printf("functions: as expected\n");
    return failures != 0;
}
