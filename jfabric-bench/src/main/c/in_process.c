// SPDX-License-Identifier: Apache-2.0
// Cases of one thread with two endpoints in one process: the cost of the calls, without a peer's noise.
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Eight calls, and whatever polling the provider needs besides.
static void round_trips(struct side *a, struct side *b, size_t bytes, long count)
{
    long a_sent = a->done[TX];
    long b_sent = b->done[TX];
    long a_received = a->done[RX];
    long b_received = b->done[RX];
    for (long i = 0; i < count; i++) {
        side_receive(b, bytes, 7, 0);
        side_send(a, bytes, 7, 0);
        side_wait(a, TX, ++a_sent);
        side_wait(b, RX, ++b_received);
        side_receive(a, bytes, 7, 0);
        side_send(b, bytes, 7, 0);
        side_wait(b, TX, ++b_sent);
        side_wait(a, RX, ++a_received);
    }
}

static void empty_polls(struct side *a, long count)
{
    for (long i = 0; i < count; i++) {
        if (side_poll(a) != 0) {
            fprintf(stderr, "bench: a completion that nobody asked for\n");
            exit(1);
        }
    }
}

static void get_infos(struct fi_info *hints, long count)
{
    for (long i = 0; i < count; i++) {
        fi_freeinfo(get_info(hints));
    }
}

static void run(const struct spec *spec, struct side *a, struct side *b, struct fi_info *hints, long count)
{
    if (strcmp(spec->name, "round-trip") == 0) {
        round_trips(a, b, spec->bytes, count);
    } else if (strcmp(spec->name, "empty-poll") == 0) {
        empty_polls(a, count);
    } else if (strcmp(spec->name, "get-info") == 0) {
        get_infos(hints, count);
    } else {
        fprintf(stderr, "bench: no case %s in one process\n", spec->name);
        exit(2);
    }
}

void in_process(const struct spec *specs, int count)
{
    struct domain domain;
    struct side a;
    struct side b;
    unsigned char name[256];
    size_t half = 64;
    for (int i = 0; i < count; i++) {
        half = specs[i].bytes > half ? specs[i].bytes : half;
    }
    struct fi_info *hints = get_hints(FI_TAGGED);
    domain_open(&domain, FI_TAGGED);
    side_open(&a, &domain, half);
    side_open(&b, &domain, half);
    a.other = &b;
    b.other = &a;
    side_name(&b, name, sizeof(name));
    side_connect(&a, name);
    side_name(&a, name, sizeof(name));
    side_connect(&b, name);
    for (int i = 0; i < count; i++) {
        const struct spec *spec = &specs[i];
        double chunks[SHORT_CHUNKS];
        run(spec, &a, &b, hints, spec->warmup);
        for (int c = 0; c < SHORT_CHUNKS; c++) {
            double start = now_ns();
            run(spec, &a, &b, hints, spec->iterations);
            chunks[c] = (now_ns() - start) / spec->iterations;
        }
        report(spec, "ns", chunks, SHORT_CHUNKS);
    }
    side_close(&a);
    side_close(&b);
    domain_close(&domain);
    fi_freeinfo(hints);
}
