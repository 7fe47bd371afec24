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

static void registrations(struct domain *domain, struct side *side, size_t bytes, long count)
{
    for (long i = 0; i < count; i++) {
        struct fid_mr *mr;
        CHECK(fi_mr_reg(domain->domain, side->memory, bytes, FI_SEND | FI_RECV | FI_READ | FI_WRITE | FI_REMOTE_READ
                        | FI_REMOTE_WRITE, 0, next_key(), 0, &mr, NULL));
        CHECK(fi_close(&mr->fid));
    }
}

// Windows of messages, of which only the posting is timed: of the receives or of the sends; nanoseconds in total.
static double posts(struct side *a, struct side *b, size_t bytes, bool sends, long count)
{
    double ns = 0;
    long sent = a->done[TX];
    long received = b->done[RX];
    for (long i = 0; i < count; i += WINDOW) {
        double start = now_ns();
        for (int w = 0; w < WINDOW; w++) {
            side_receive(b, bytes, 7, w);
        }
        double between = now_ns();
        for (int w = 0; w < WINDOW; w++) {
            side_send(a, bytes, 7, w);
        }
        ns += sends ? now_ns() - between : between - start;
        side_wait(a, TX, sent += WINDOW);
        side_wait(b, RX, received += WINDOW);
    }
    return ns;
}

struct work {
    const struct spec *spec;
    struct domain *domain;
    struct side *a;
    struct side *b;
    struct fi_info *hints;
};

static double chunk(void *state)
{
    struct work *work = state;
    const struct spec *spec = work->spec;
    if (strncmp(spec->name, "post-", 5) == 0) {
        return posts(work->a, work->b, spec->bytes, strcmp(spec->name, "post-send") == 0, spec->iterations)
            / spec->iterations;
    }
    double start = now_ns();
    if (strcmp(spec->name, "round-trip") == 0) {
        round_trips(work->a, work->b, spec->bytes, spec->iterations);
    } else if (strcmp(spec->name, "empty-poll") == 0) {
        empty_polls(work->a, spec->iterations);
    } else if (strcmp(spec->name, "get-info") == 0) {
        get_infos(work->hints, spec->iterations);
    } else if (strcmp(spec->name, "register") == 0) {
        registrations(work->domain, work->a, spec->bytes, spec->iterations);
    } else {
        fprintf(stderr, "bench: no case %s in one process\n", spec->name);
        exit(2);
    }
    return (now_ns() - start) / spec->iterations;
}

void in_process(const struct spec *specs, int count)
{
    struct domain domain;
    struct side a;
    struct side b;
    unsigned char name[256];
    uint64_t caps = FI_TAGGED | (has_case(specs, count, "register") ? FI_RMA : 0);
    struct fi_info *hints = get_hints(caps);
    domain_open(&domain, caps);
    side_open(&a, &domain, largest(specs, count));
    side_open(&b, &domain, largest(specs, count));
    a.other = &b;
    b.other = &a;
    side_name(&b, name, sizeof(name));
    side_connect(&a, name);
    side_name(&a, name, sizeof(name));
    side_connect(&b, name);
    for (int i = 0; i < count; i++) {
        struct work work = { &specs[i], &domain, &a, &b, hints };
        take_turns(&specs[i], "ns", chunk, &work);
    }
    side_close(&a);
    side_close(&b);
    domain_close(&domain);
    fi_freeinfo(hints);
}
