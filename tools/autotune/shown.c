/* The inside of a JSON string, or any text. Escapes of the file stay as they are but for \", so that what is shown is one line, and can be
   given to the command again. */
static void append_shown(autotune__text *out, const char *text, size_t length) {
    const unsigned char *at = (const unsigned char *)text, *const end = at + length;
    while (at < end) {
        if (*at == '\\' && at + 1 < end && at[1] == '\\') {
            autotune__append(out, "\\\\");
            at += 2;
        } else if (*at == '\\' && at + 1 < end && at[1] == '"')
            at++;
        else
            at += autotune__append_visible(out, at, (size_t)(end - at));
    }
}
static const char *shown(const char *text) {
    autotune__text out = {NULL, false};
    append_shown(&out, text, strlen(text));
    return keep(&out);
}
static void append_value(autotune__text *out, const autotune__json *json, int at) {
    const jsmntok_t *token = &json->token[at];
    append_shown(out, json->text + token->start, (size_t)(token->end - token->start));
}
static const char *value_at(const autotune__json *json, int at) { /* "-": there is none, or null */
    autotune__text out = {NULL, false};
    if (at < 0 || autotune__is_raw(json, at, "null", 4))
        autotune__append(&out, "-");
    else
        append_value(&out, json, at);
    return keep(&out);
}
static bool is_value(const autotune__json *json, int at, const char *shown_value) {
    autotune__text out = {NULL, false};
    append_value(&out, json, at);
    const bool is = COUNT(out.at) == strlen(shown_value) && (!out.at || !memcmp(out.at, shown_value, strlen(shown_value)));
    if (out.broken) no_memory();
    autotune__free_text(&out);
    return is;
}
/* {"tile":32,"order":"ijk"} as tile=32,order=ijk, or its values alone; "-": it has none. */
static const char *pairs_at(const autotune__json *json, int object, bool names) {
    autotune__text out = {NULL, false};
    int at = 0;
    if (object < 0 || json->token[object].type != JSMN_OBJECT) return value_at(json, object);
    while ((at = autotune__next_member(json, object, at)) > 0) {
        if (COUNT(out.at)) autotune__append(&out, ",");
        if (names) {
            append_value(&out, json, at);
            autotune__append(&out, "=");
        }
        append_value(&out, json, at + 1);
    }
    if (!COUNT(out.at)) autotune__append(&out, "-");
    return keep(&out);
}
static const char *time_of(double ns) {
    autotune__text out = {NULL, false};
    autotune__append_time(&out, ns);
    return keep(&out);
}
static __attribute__((__format__(__printf__, 2, 3))) const char *number(double value, const char *format, ...) { /* "-": not measured */
    autotune__text out = {NULL, false};
    va_list list;
    va_start(list, format);
    if (!autotune__is_definite(value))
        autotune__append(&out, "-");
    else
        autotune__append_list(&out, format, list);
    va_end(list);
    return keep(&out);
}
#define NUMBER(format, value) number(value, format, value)

static const char *age_of(const char *date) { /* 3 days; "-" where the date is no past time */
    struct tm utc = {.tm_year = 0};
    const bool is_date =
        sscanf(date, "%4d-%2d-%2dT%2d:%2d:%2dZ", &utc.tm_year, &utc.tm_mon, &utc.tm_mday, &utc.tm_hour, &utc.tm_min, &utc.tm_sec) == 6;
    static const struct unit {
        double seconds;
        const char *name;
    } units[] = {{365.25 * 86400, "year"}, {30.4 * 86400, "month"}, {86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}};
    autotune__text out = {NULL, false};
    double seconds;
    size_t i = 0;
    utc.tm_year -= 1900;
    utc.tm_mon--;
    seconds = difftime(time(NULL), timegm(&utc));
    if (!is_date || seconds < 0) return "-";
    while (i < 5 && seconds < units[i].seconds) i++;
    const int count = (int)(seconds / units[i].seconds);
    autotune__append(&out, "%d %s%s", count, units[i].name, count == 1 ? "" : "s");
    return keep(&out);
}
/* A bar of up to twenty columns, to an eighth of one where the terminal has the characters. */
static const char *bar(double part) {
    enum { COLUMNS = 20 };
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const bool fine = !strcmp(nl_langinfo(CODESET), "UTF-8");
    autotune__text out = {NULL, false};
    int length = part > 0 && part <= 1 ? (int)(part * COLUMNS * 8 + 0.5) : 0;
    if (part > 0 && part <= 1 && length == 0) length = 1;
    for (int column = 0; column < length / 8; column++) autotune__append(&out, fine ? "█" : "#");
    if (length % 8) autotune__append(&out, "%s", fine ? eighths[length % 8] : length % 8 >= 4 ? "#" : "");
    return keep(&out);
}
