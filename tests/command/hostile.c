/* hostile.c - the helper of hostile.sh. `hostile records`, `hostile verified` and `hostile missed` print lines with
   checksums. A hostile text is a text that some reader of the output would obey. For each hostile text and each string
   of a line, they print a line with this text as the string.
   `hostile keys` prints records of two keys for each text, as `autotune fit` takes them. `hostile plain` checks that
   standard input is UTF-8 without anything that a terminal would obey, but for line feeds and tabs. `hostile csv`
   checks that it is CSV whose rows have equally many fields, none of which is a formula. `hostile strings` checks a
   script of gnuplot: outside of single quotes it has only what the command itself writes. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t crc_of(const char *text) {
    uint32_t crc = 0xFFFFFFFFu;
    for (; *text; text++) {
        crc ^= (unsigned char)*text;
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1)));
    }
    return ~crc;
}
/* Hostile texts, as they are written between the quotes of JSON. Some are escaped as the library does it. Others are
   not escaped, as in a forged record. */
static const char *const texts[] = {
    "plain", "\\\"", "it's", "*/ /*", "*/#include</tmp/x>/*", "\\\\", "\\\\\\\"", "\\u000a", "\\n", "a\\u0009b", "\ta",
    "\\u001b[2J", "\x1b]0;x\x07", "\xc2\x9b" "31m", "\xe2\x80\xae" "abc", "\xe2\x81\xa6" "a", "\xe2\x80\xa8", "=1+1",
    " =1+1", "@x", "-1+1", "  lead", "trail  ", " ", "", "<b>&amp;</b>", "]]>", "</script><script>", "%s%n%g", "??/",
    "\\q", "\\u12", "\\ud83d\\ude00", "\\udcff", "\xff", "\xed\xa0\x80", "\xef\xbf\xbf", "\x7f", "$(touch made)",
    "`touch made`", "@file", "#x", "a=b;c", ", tile=1", "null", "\"};int x[]={\"",
};
enum { TEXTS = sizeof texts / sizeof *texts };
/* A record without its head. Each @ is the place of a string. */
static const char form[] =
    "\"tuner\":\"@\",\"key\":{\"@\":%d,\"s\":\"@\"},\"program\":\"@\",\"programs\":[\"@\"],"
    "\"winner\":{\"@\":\"@\",\"tile\":8},"
    "\"median_ns\":1000.0,\"verdict\":\"@\",\"min_ns\":900.0,\"runner_up\":{\"@\":\"@\",\"tile\":9},\"lead\":0.1,"
    "\"doubt\":\"@\",\"note\":\"@\",\"default_ns\":2000.0,\"space_size\":3,\"tried\":3,\"failed\":1,\"complete\":false,"
    "\"left_out\":\"@\",\"launches\":9,\"seconds\":0.1,\"version\":\"@\",\"compiler\":\"@\",\"call\":\"@\","
    "\"device\":\"@\",\"kernels\":[{\"name\":\"@\",\"source\":\"@\",\"compiler\":\"@\"}],\"configurations\":["
    "{\"config\":{\"@\":\"@\",\"tile\":8},\"stage\":\"winner\",\"state\":\"@\",\"launches\":9,"
    "\"min_ns\":900.0,\"median_ns\":1000.0},"
    "{\"config\":{\"@\":\"@\",\"tile\":9},\"stage\":\"@\",\"state\":\"slow\",\"launches\":9,"
    "\"min_ns\":1900.0,\"median_ns\":null},"
    "{\"config\":{\"@\":\"@\",\"tile\":7},\"stage\":\"screen\",\"state\":\"failed\",\"launches\":1,\"min_ns\":null,"
    "\"median_ns\":null,\"reason\":\"@\"}]";
static const char verified_form[] =
    "\"tuner\":\"@\",\"key\":{\"@\":%d,\"s\":\"@\"},\"program\":\"@\",\"winner\":{\"@\":\"@\",\"tile\":8},"
    "\"rival\":{\"@\":\"@\"},\"lead\":-0.5,\"lead_low\":-0.6,\"lead_high\":-0.4,\"doubt\":null,"
    "\"rounds\":9,\"compared\":2,"
    "\"version\":\"@\",\"compiler\":\"@\",\"call\":\"@\",\"device\":\"@\"";
static const char failed_form[] =
    "\"tuner\":\"@\",\"key\":{\"@\":%d,\"s\":\"@\"},\"program\":\"@\",\"winner\":{\"@\":\"@\"},\"failed\":\"@\","
    "\"rival\":null,\"lead\":null,\"lead_low\":null,\"lead_high\":null,\"doubt\":\"@\",\"rounds\":9,\"compared\":2";
static const char missed_form[] =
    "\"tuner\":\"@\",\"key\":{\"@\":%d,\"s\":\"@\"},\"program\":\"@\",\"version\":\"@\",\"compiler\":\"@\","
    "\"call\":\"@\",\"device\":\"@\",\"calls\":4000,\"runs\":4";
struct kind {
    const char *name, *form;
};
static const struct kind record = {"autotune", form}, verified = {"verified", verified_form},
                         failed = {"verified", failed_form}, missed = {"missed", missed_form};
static int places(const char *at) {
    int count = 0;
    for (; *at; at++) count += *at == '@';
    return count;
}
/* Prints a record with the hostile text at one place. Each other place has a text that names this place. all: each
   place that is no name has the hostile text. */
static void print_record(struct kind kind, int id, int text, int place, int key, bool all) {
    static char line[8192];
    int at = snprintf(line, sizeof line,
                      "{\"%s\":1,\"id\":\"%016x\",\"fingerprint\":\"00000000000000f1\","
                      "\"machine\":\"00000000000000a1\",\"date\":\"2026-01-02T03:04:05Z\",", kind.name, (unsigned)id);
    char filled[4096];
    int here = 0;
    snprintf(filled, sizeof filled, kind.form, key);
    for (const char *from = filled; *from; from++) {
        if (*from != '@') {
            line[at++] = *from;
            continue;
        }
        const bool is = here == place || (all && here != 0 && here != 1 && here != 2);
        at += is     ? snprintf(line + at, 100, "%s", texts[text])
              : here ? snprintf(line + at, 100, "p%d", here)
                     : snprintf(line + at, 100, "t%d_%d", text, place);
        here++;
    }
    line[at] = 0;
    printf("%s,\"crc\":\"%08lx\"}\n", line, (unsigned long)crc_of(line));
}
static void print_records(struct kind kind, int from) {
    const int count = places(kind.form);
    for (int text = 0; text < TEXTS; text++)
        for (int place = 0; place < count; place++)
            print_record(kind, from + text * count + place, text, place, 64, false);
}
static void print_keys(void) {
    for (int text = 0; text < TEXTS; text++)
        for (int key = 64; key <= 128; key += 64) print_record(record, 1 + text * 2 + key / 128, text, -1, key, true);
}

/* ---- Checks of the output ---- */

static char *all_of_stdin(size_t *count) {
    static char text[64 << 20];
    *count = fread(text, 1, sizeof text - 1, stdin);
    return text;
}
static int check_plain(void) {
    size_t count;
    const unsigned char *text = (const unsigned char *)all_of_stdin(&count);
    for (size_t i = 0, line = 1; i < count; i++) {
        const unsigned char *at = text + i;
        const unsigned c = *at;
        bool bad = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F || (c == 0xC2 && at[1] < 0xA0);
        line += c == '\n';
        bad = bad || (c == 0xE2 && at[1] == 0x80 && at[2] >= 0xA8 && at[2] <= 0xAE);
        bad = bad || (c == 0xE2 && at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9);
        if (c >= 0x80) { /* UTF-8 */
            const int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
            bad = bad || c < 0xC2 || c > 0xF4 || (c == 0xED && at[1] > 0x9F);
            for (int k = 1; k <= more; k++) bad = bad || (at[k] & 0xC0) != 0x80;
            i += (size_t)more;
        }
        if (!bad) continue;
        printf("line %zu has the byte %02x\n", line, c);
        return 1;
    }
    return 0;
}
static int check_csv(void) {
    size_t count, fields = 0, first = 0, row = 1;
    const char *at = all_of_stdin(&count);
    while (*at) {
        static char field[1 << 16];
        size_t length = 0;
        char *end;
        const bool quoted = *at == '"';
        if (quoted)
            for (at++; *at && (*at != '"' || *++at == '"'); at++) field[length++] = *at;
        else
            while (*at && *at != ',' && *at != '\n') field[length++] = *at++;
        field[length] = 0;
        fields++;
        const char *begin = field + strspn(field, " \t\r");
        (void)strtod(begin, &end);
        if (*begin && strchr("=+-@", *begin) && (end == begin || *end))
            return printf("row %zu has the formula %s\n", row, field), 1;
        if (*at != ',' && *at != '\n') return printf("row %zu: '%.20s' behind a field\n", row, at), 1;
        if (*at++ == ',') continue;
        if (!first) first = fields;
        if (fields != first) return printf("row %zu has %zu fields and not %zu\n", row, fields, first), 1;
        fields = 0;
        row++;
    }
    return 0;
}
/* Returns 1 if a script of gnuplot has one of ` ; # @ \ ! outside of its strings, or a string without an end. */
static int check_strings(void) {
    size_t count;
    char *text = all_of_stdin(&count);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        bool in = false;
        for (const char *at = line; *at; at++) {
            if (*at == '\'') in = !in;
            else if (!in && strchr("`;#@\\!", *at)) return printf("outside of strings: %s\n", line), 1;
        }
        if (in) return printf("a string without its end: %s\n", line), 1;
    }
    return 0;
}
int main(int count, char **arguments) {
    const char *what = count == 2 ? arguments[1] : "";
    if (!strcmp(what, "records")) print_records(record, 1);
    else if (!strcmp(what, "missed")) print_records(missed, 1);
    else if (!strcmp(what, "verified")) print_records(verified, 1), print_records(failed, 1 << 20);
    else if (!strcmp(what, "keys")) print_keys();
    else if (!strcmp(what, "plain")) return check_plain();
    else if (!strcmp(what, "csv")) return check_csv();
    else if (!strcmp(what, "strings")) return check_strings();
    else return 2;
    return 0;
}
