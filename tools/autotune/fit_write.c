/* fit_write.c - writes a rule as a line of the cache, and as a function of C */
#include "fit.h"
#include "escape.h"
#include "shown.h"
#include <math.h>

static void append_raw(autotune__text *out, struct value value) {
    size_t length;
    const char *text = raw(value, &length);
    append(out, "%.*s", (int)length, text);
}

/* ---- A line of the cache ---- */

static void append_node(autotune__text *out, const struct times *times, const struct rule *rule, size_t at) {
    const struct node *node = &rule->nodes[at];
    if (node->part < 0) {
        append(out, "{\"config\":");
        if (node->config == SIZE_MAX)
            append(out, "null");
        else
            append_raw(out, times->configs[node->config]);
        append(out, "}");
        return;
    }
    append(out, "{\"part\":%d,\"most\":", node->part);
    append_number(out, node->most);
    append(out, ",\"then\":");
    append_node(out, times, rule, node->left);
    append(out, ",\"else\":");
    append_node(out, times, rule, node->right);
    append(out, "}");
}
void append_rule_line(autotune__text *out, const struct times *times, const struct rule *rule) {
    const size_t start = COUNT(out->at);
    append(out, "{\"autotune\":1,\"id\":\"%016llx\",\"fingerprint\":\"%016llx\",\"machine\":\"%016llx\"",
           (unsigned long long)rule_id(&times->line), (unsigned long long)times->line.fingerprint,
           (unsigned long long)times->line.machine);
    append(out, ",\"date\":\"%s\",\"unfinished\":true,\"tuner\":", times->newest);
    append_raw(out, member(times->record, "tuner"));
    append(out, ",\"key\":{},\"kind\":\"rule\",\"winner\":null,\"verdict\":\"rule\",\"keys\":%zu,\"range\":[",
           COUNT(times->keys));
    for (size_t p = 0; p < times->part_count; p++) {
        append(out, p ? "," : "");
        if (!times->parts[p].is_number) {
            append(out, "%s", times->parts[p].text);
            continue;
        }
        append(out, "[");
        append_number(out, rule->low[p]);
        append(out, ",");
        append_number(out, rule->high[p]);
        append(out, "]");
    }
    append(out, "],\"rule\":");
    append_node(out, times, rule, 0);
    append(out, ",\"device\":");
    append_raw(out, member(times->record, "device"));
    append_end(out, start);
}

/* ---- A function of C ---- */

/* Returns the name of an axis or of a part of the key if it is an identifier, else `other` and its number. */
static const char *identifier_of(const char *name, const char *other, size_t number) {
    return is_identifier(name) ? name : formatted("%s%zu", other, number + 1);
}
static struct value axis_value(struct value config, size_t axis, const char **name) {
    struct value at = {NULL, -1};
    for (size_t a = 0; a <= axis; a++)
        if (!next_member(config, &at)) return (struct value){NULL, -1};
    *name = identifier_of(shown_value(at), "axis", axis);
    return value_of(at);
}
/* Returns long long for integers, double for other numbers, and a string type for all other values. */
static const char *type_of_axis(const struct times *times, const struct rule *rule, size_t axis, const char **name) {
    static const char integer[] = "long long ", real[] = "double ", text[] = "const char *";
    const char *type = integer;
    for (size_t i = 0; i < COUNT(rule->choices); i++) {
        const struct value value = axis_value(times->configs[rule->choices[i]], axis, name);
        if (value.place < 0) return NULL;
        if (is_string(value)) type = text;
        else if (type == integer && !is_c_integer(value)) type = real;
    }
    return type;
}
static size_t place_of(const struct rule *rule, size_t config) {
    size_t i = 0;
    while (rule->choices[i] != config) i++;
    return i;
}
static void append_return(autotune__text *out, const struct times *times, const struct rule *rule, size_t config) {
    if (config == SIZE_MAX) {
        append(out, "return NULL;\n");
        return;
    }
    append(out, "return &choices[%zu]; /* ", place_of(rule, config));
    append_c_comment(out, shown_pairs(times->configs[config], true));
    append(out, " */\n");
}
static const char *part_name(const struct times *times, size_t part) {
    return identifier_of(times->parts[part].name, "part", part);
}
static void append_branch(autotune__text *out, const struct times *times, const struct rule *rule, size_t at,
                          int depth) {
    const struct node *node = &rule->nodes[at];
    if (node->part < 0) {
        append(out, "%*s", 4 * depth, "");
        append_return(out, times, rule, node->config);
        return;
    }
    append(out, "%*sif (%s <= ", 4 * depth, "", part_name(times, (size_t)node->part));
    append_number(out, node->most);
    append(out, rule->nodes[node->left].part < 0 ? ") " : ") {\n");
    if (rule->nodes[node->left].part < 0)
        append_return(out, times, rule, rule->nodes[node->left].config);
    else {
        append_branch(out, times, rule, node->left, depth + 1);
        append(out, "%*s}\n", 4 * depth, "");
    }
    append_branch(out, times, rule, node->right, depth);
}
static void append_choices(autotune__text *out, const struct times *times, const struct rule *rule, const char *name) {
    const char *axis_name = NULL, *type;
    append(out, "struct %s_choice {\n", name);
    for (size_t a = 0; (type = type_of_axis(times, rule, a, &axis_name)); a++)
        append(out, "    %s%s;\n", type, axis_name);
    append(out, "};\n");
}
static void append_table(autotune__text *out, const struct times *times, const struct rule *rule, const char *name) {
    const char *name_of_axis;
    append(out, "    static const struct %s_choice choices[] = {\n", name);
    for (size_t i = 0; i < COUNT(rule->choices); i++) {
        struct value value;
        append(out, "        { ");
        for (size_t a = 0; (value = axis_value(times->configs[rule->choices[i]], a, &name_of_axis)).place >= 0; a++) {
            append(out, a ? ", " : "");
            append_c_constant(out, value, strchr(type_of_axis(times, rule, a, &name_of_axis), '*') != NULL);
        }
        append(out, " },\n");
    }
    append(out, "    };\n");
}
static void append_range(autotune__text *out, const struct times *times, const struct rule *rule) {
    for (size_t p = 0; p < times->part_count; p++) {
        if (!times->parts[p].is_number) continue;
        append(out, "    if (%s < ", part_name(times, p));
        append_number(out, rule->low[p]);
        append(out, " || %s > ", part_name(times, p));
        append_number(out, rule->high[p]);
        append(out, ") return NULL;\n");
    }
}
int append_rule_function(autotune__text *out, const struct times *times, const struct rule *rule, const char *name,
                         const char *file, const struct regrets *regrets) {
    if (!is_identifier(name)) return fail(NOT_DONE, "--name '%s' is no identifier of C", shown(name));
    append(out, "/* %s() chooses a configuration of ", name);
    append_c_comment(out, times->tuner);
    append(out, " for a key.\n   Made by `autotune fit --format c` from %zu keys in\n   ", COUNT(times->keys));
    append_c_comment(out, file);
    append(out, " of ");
    append_c_comment(out, times->newest);
    append(out, ", on ");
    append_c_comment(out, times->device);
    append(out,
           ".\n   At keys that were left out of the rule, the chosen configuration takes longer than the best one: by\n"
           "   %.1f %% in the median, by %.1f %% at worst.\n   Returns NULL if the key is outside the range of these "
           "keys, or if no choice is fast enough for\n   keys near it. */\n#pragma once\n#include <stddef.h>\n\n",
           100 * quantile(regrets, 0.5), 100 * quantile(regrets, 1));
    append_choices(out, times, rule, name);
    append(out, "static inline const struct %s_choice *%s(", name, name);
    for (size_t p = 0, numbers = 0; p < times->part_count; p++)
        if (times->parts[p].is_number) append(out, "%sdouble %s", numbers++ ? ", " : "", part_name(times, p));
    append(out, ") {\n");
    append_table(out, times, rule, name);
    append_range(out, times, rule);
    append_branch(out, times, rule, 0, 1);
    append(out, "}\n");
    return DONE;
}
