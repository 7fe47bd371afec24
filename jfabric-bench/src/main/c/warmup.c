// SPDX-License-Identifier: Apache-2.0
// The first message and the first round trips, and the tail of many: a single thread with two endpoints.
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    struct domain domain;
    struct side a;
    struct side b;
};

static void pair_open(struct pair *pair)
{
    unsigned char name[256];
    domain_open(&pair->domain, FI_TAGGED);
    side_open(&pair->a, &pair->domain, 64);
    side_open(&pair->b, &pair->domain, 64);
    pair->a.other = &pair->b;
    pair->b.other = &pair->a;
    side_name(&pair->b, name, sizeof(name));
    side_connect(&pair->a, name);
    side_name(&pair->a, name, sizeof(name));
    side_connect(&pair->b, name);
}

static void pair_close(struct pair *pair)
{
    side_close(&pair->a);
    side_close(&pair->b);
    domain_close(&pair->domain);
}

static void message(struct side *from, struct side *to)
{
    side_receive(to, 8, 7, 0);
    side_send(from, 8, 7, 0);
    side_wait(from, TX, from->done[TX] + 1);
    side_wait(to, RX, to->done[RX] + 1);
}

static void round_trip(struct pair *pair)
{
    message(&pair->a, &pair->b);
    message(&pair->b, &pair->a);
}

// Time from the end of fi_enable to the first message, then that of each of so many round trips: means of steps that
// become longer.
void first_messages(const struct spec *spec)
{
    struct pair pair;
    long next = 1;
    long step = 0;
    double sum = 0;
    pair_open(&pair);
    double start = now_ns();
    message(&pair.a, &pair.b);
    printf("first %.0f\n", now_ns() - start);
    fflush(stdout);
    start = now_ns();
    for (long i = 1; i <= spec->iterations; i++) {
        double before = now_ns();
        round_trip(&pair);
        sum += now_ns() - before;
        step++;
        if (i == next || i == spec->iterations) {
            printf("curve %ld %.1f\n", i, sum / step);
            next = i + (i < 4 ? 1 : i / 4);
            step = 0;
            sum = 0;
        }
    }
    printf("total %.0f\n", now_ns() - start);
    pair_close(&pair);
}

// Counts by value, 1024 for each power of two.
enum { SUB = 1024, POWERS = 34 };

static long slot_of(long value)
{
    int shift = 0;
    while (value >> shift >= 2 * SUB) {
        shift++;
    }
    return (long) shift * SUB + (value >> shift);
}

static long value_of(long slot)
{
    long shift = slot < 2 * SUB ? 0 : slot / SUB - 1;
    return (slot - shift * SUB) << shift;
}

void tail(const struct spec *spec)
{
    static const double percentiles[] = { 50, 90, 99, 99.9, 99.99, 99.999 };
    long *counts = calloc((POWERS + 2) * SUB, sizeof(*counts));
    struct pair pair;
    long most = 0;
    pair_open(&pair);
    for (long i = 0; i < spec->warmup; i++) {
        round_trip(&pair);
    }
    for (long i = 0; i < spec->iterations; i++) {
        double start = now_ns();
        round_trip(&pair);
        long ns = (long) (now_ns() - start);
        most = ns > most ? ns : most;
        counts[slot_of(ns)]++;
    }
    for (size_t p = 0; p < sizeof(percentiles) / sizeof(*percentiles); p++) {
        double wanted = percentiles[p] / 100 * spec->iterations;
        long seen = 0;
        long slot = -1;
        while (seen < wanted) {
            seen += counts[++slot];
        }
        printf("percentile %g %ld\n", percentiles[p], value_of(slot));
    }
    printf("percentile 100 %ld\n", most);
    free(counts);
    pair_close(&pair);
}
