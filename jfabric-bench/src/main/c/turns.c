// SPDX-License-Identifier: Apache-2.0
// Warm-up, turns and statistics. Turns exist so that C and Java can alternate within a fraction of a second: what
// disturbs the machine for longer then disturbs both.
#include "bench.h"
#include "control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *) a;
    double y = *(const double *) b;
    return (x > y) - (x < y);
}

double median(double *values, int count)
{
    qsort(values, count, sizeof(*values), ascending);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

size_t largest(const struct spec *specs, int count)
{
    size_t bytes = 64;
    for (int i = 0; i < count; i++) {
        bytes = specs[i].bytes > bytes ? specs[i].bytes : bytes;
    }
    return bytes;
}

bool has_case(const struct spec *specs, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(specs[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// Whether there is another turn: the server asks the client, and the client or a single process asks its user.
static bool next_turn(int turns)
{
    char more;
    char line[64];
    if (options.server) {
        control_receive(control, &more, 1);
        return more;
    }
    more = options.waits ? fgets(line, sizeof(line), stdin) != NULL : turns < options.turns;
    if (control >= 0) {
        control_send(control, &more, 1);
    }
    return more;
}

void take_turns(const struct spec *spec, const char *unit, double (*chunk)(void *), void *state)
{
    double chunks[MAX_CHUNKS];
    double *values = NULL;
    int turns = 0;
    // whoever starts several programs lets one after the other warm up
    if (!next_turn(-1)) {
        return;
    }
    for (long done = 0; done < spec->warmup; done += spec->iterations) {
        chunk(state);
    }
    if (options.waits) {
        printf("ready %s\n", unit);
        fflush(stdout);
    }
    while (next_turn(turns)) {
        for (int c = 0; c < spec->chunks; c++) {
            chunks[c] = chunk(state);
        }
        values = realloc(values, (turns + 1) * sizeof(*values));
        values[turns++] = median(chunks, spec->chunks);
        if (options.waits) {
            printf("turn %.6g\n", values[turns - 1]);
            fflush(stdout);
        }
    }
    if (!options.server && !options.waits && turns > 0) {
        double middle = median(values, turns);
        printf("result %s %s %zu %s %.6g %.6g\n", spec->name, options.provider, spec->bytes, unit, middle, values[0]);
    }
    free(values);
}
