/* The points of a space by their coordinates. A dimension is an axis or a table, as in space/axes.h. An axis is one
   coordinate, and so is each column of a table. So points with similar coordinates are alike, wherever their rows stand
   in the table. Coordinates that no row of the table has are no point.

   Sizes that are divisible by the same power of two are often alike: caches, vectors and groups of threads have such
   sizes. So 64, 128 and 256 may be good, and 96 and 160 bad. The order of the values does not show this. So a
   coordinate of integers may have an evenness: how often 2 divides the value. The model knows a point by its features:
   first all coordinates, then all evennesses. */
#pragma once
#include "../api/floor.h"
#include "../base/floor.h"

enum {
    AUTOTUNE__BINS = 64,                        /* the most bins of a coordinate; values of one bin count as equal */
    AUTOTUNE__FEATURES = 2 * AUTOTUNE_MAX_AXES  /* the most coordinates and evennesses */
};
#define AUTOTUNE__NOWHERE SIZE_MAX              /* no point: no row of a table has these coordinates */

typedef struct autotune__coordinate {
    size_t count;                               /* how many different values, at least 2 */
    size_t span;                                /* the largest distance of two values: count - 1. Categories have no
                                                   order: any two have the distance 1 */
    uint32_t *value;                            /* the number of the value in each row; NULL: the number of the row */
    unsigned char *evenness;                    /* of each value: the rank of its evenness among all; NULL: not used */
    size_t evennesses;                          /* how many different evennesses the values have */
} autotune__coordinate;
/* An axis or a table. The number of a point has one digit for each: the number of the row. */
typedef struct autotune__dimension_of_lattice {
    size_t rows, first, coordinates;            /* `first`: the number of its first coordinate */
} autotune__dimension_of_lattice;
typedef struct autotune__lattice {
    autotune__dimension_of_lattice dimension[AUTOTUNE_MAX_AXES];
    autotune__coordinate coordinate[AUTOTUNE_MAX_AXES];
    size_t dimensions, coordinates, points;     /* points: the product of all rows */
    size_t even[AUTOTUNE_MAX_AXES], evens;      /* the coordinates with an evenness, and how many they are */
} autotune__lattice;

/* Returns the digits of a point's number: the row of each dimension. */
static void autotune__digits_of(const autotune__lattice *lattice, size_t point, size_t *digits) {
    size_t d;
    for (d = lattice->dimensions; d-- > 0;) {
        digits[d] = point % lattice->dimension[d].rows;
        point /= lattice->dimension[d].rows;
    }
}
static size_t autotune__point_in_rows(const autotune__lattice *lattice, const size_t *digits) {
    size_t d, point = 0;
    for (d = 0; d < lattice->dimensions; d++) point = point * lattice->dimension[d].rows + digits[d];
    return point;
}
/* Returns the number of a point's value on each coordinate. */
static void autotune__values_of(const autotune__lattice *lattice, size_t point, size_t *values) {
    size_t digits[AUTOTUNE_MAX_AXES], d, i;
    autotune__digits_of(lattice, point, digits);
    for (d = 0; d < lattice->dimensions; d++) {
        const autotune__dimension_of_lattice *dimension = &lattice->dimension[d];
        for (i = dimension->first; i < dimension->first + dimension->coordinates; i++)
            values[i] = lattice->coordinate[i].value ? lattice->coordinate[i].value[digits[d]] : digits[d];
    }
}
/* Returns the first row of a dimension that has these values; dimension->rows: no row has them. */
static size_t autotune__row_with(const autotune__lattice *lattice, const autotune__dimension_of_lattice *dimension,
                                 const size_t *values) {
    const size_t first = dimension->first, end = first + dimension->coordinates;
    size_t row, i = first;
    if (i < end && !lattice->coordinate[i].value) return values[i];
    for (row = 0; row < dimension->rows; row++) {
        for (i = first; i < end && lattice->coordinate[i].value[row] == values[i];) i++;
        if (i == end) break;
    }
    return row;
}
/* Returns the point with these values; AUTOTUNE__NOWHERE: a table lacks them. The first of equal rows counts. */
static size_t autotune__point_with(const autotune__lattice *lattice, const size_t *values) {
    size_t digits[AUTOTUNE_MAX_AXES], d;
    for (d = 0; d < lattice->dimensions; d++) {
        digits[d] = autotune__row_with(lattice, &lattice->dimension[d], values);
        if (digits[d] == lattice->dimension[d].rows) return AUTOTUNE__NOWHERE;
    }
    return autotune__point_in_rows(lattice, digits);
}
static size_t autotune__features(const autotune__lattice *lattice) { return lattice->coordinates + lattice->evens; }
/* Returns the bin of each feature. A coordinate with more than AUTOTUNE__BINS values has several values in a bin. */
static void autotune__bins_of(const autotune__lattice *lattice, size_t point, unsigned char *bins) {
    const size_t most = AUTOTUNE__BINS;
    size_t i, values[AUTOTUNE_MAX_AXES];
    autotune__values_of(lattice, point, values);
    for (i = 0; i < lattice->coordinates; i++) {
        const size_t count = lattice->coordinate[i].count, value = values[i];
        if (count <= most) bins[i] = (unsigned char)value;
        else bins[i] = (unsigned char)((double)value * (double)(most - 1) / (double)(count - 1));
    }
    for (i = 0; i < lattice->evens; i++)
        bins[lattice->coordinates + i] = lattice->coordinate[lattice->even[i]].evenness[values[lattice->even[i]]];
}

/* Adds a dimension. Its coordinates are added next. */
static void autotune__add_dimension(autotune__lattice *lattice, size_t rows) {
    autotune__dimension_of_lattice *dimension = &lattice->dimension[lattice->dimensions];
    dimension->rows = rows;
    dimension->first = lattice->coordinates;
    lattice->points = lattice->dimensions++ ? lattice->points * rows : rows;
}
/* Adds a coordinate to the last dimension, unless it has one value only. The lattice owns `value` from now on. */
static void autotune__add_coordinate(autotune__lattice *lattice, size_t count, bool categorical, uint32_t *value) {
    autotune__coordinate *coordinate = &lattice->coordinate[lattice->coordinates];
    if (count < 2) { autotune__free(value); return; }
    coordinate->count = count;
    coordinate->span = categorical ? 1 : count - 1;
    coordinate->value = value;
    lattice->dimension[lattice->dimensions - 1].coordinates++;
    lattice->coordinates++;
}
static unsigned char autotune__twos_in(int64_t value) {        /* how often 2 divides it; 63 for 0 */
    unsigned char twos = 0;
    while (twos < 63 && !((uint64_t)value >> twos & 1)) twos++;
    return twos;
}
/* Adds the evenness of coordinate i. twos: how often 2 divides each value; the lattice owns the array from now on. No
   evenness is added in two cases:
   - The coordinate has categories, or at most four values.
   - The evenness ascends with the values, as for powers of two. Then the coordinate itself shows the evenness. */
static void autotune__add_evenness(autotune__lattice *lattice, size_t i, unsigned char *twos) {
    const size_t few = 4;
    autotune__coordinate *coordinate = &lattice->coordinate[i];
    unsigned char number[64] = { 0 };           /* the number of each evenness, in their order */
    size_t k, value;
    bool ascends = true;
    for (value = 1; value < coordinate->count; value++) ascends = ascends && twos[value] >= twos[value - 1];
    if (coordinate->count <= few || coordinate->span == 1 || ascends) { autotune__free(twos); return; }
    for (value = 0; value < coordinate->count; value++) number[twos[value]] = 1;
    for (k = 0; k < sizeof number; k++) if (number[k]) number[k] = (unsigned char)coordinate->evennesses++;
    for (value = 0; value < coordinate->count; value++) twos[value] = number[twos[value]];
    coordinate->evenness = twos;
    lattice->even[lattice->evens++] = i;
}
static void autotune__free_lattice(autotune__lattice *lattice) {
    size_t i;
    for (i = 0; i < lattice->coordinates; i++) {
        autotune__free(lattice->coordinate[i].value);
        autotune__free(lattice->coordinate[i].evenness);
    }
}
