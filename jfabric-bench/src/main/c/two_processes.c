// SPDX-License-Identifier: Apache-2.0
// Cases of two processes, server and client. The client measures and prints.
#include "bench.h"
#include "control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAG = 7, ACK = 8, END = 9, ACK_BYTES = 4 };

// What a peer needs to know: 8 bytes each, as the Java twin writes them too.
struct remote {
    uint64_t key;
    uint64_t base;
    uint64_t address_bytes;
};

static void exchange(struct side *side, struct domain *domain, struct remote *remote)
{
    unsigned char mine[256] = { 0 };
    unsigned char theirs[256];
    struct remote own = { 0 };
    own.address_bytes = side_name(side, mine, sizeof(mine));
    if (side->mr) {
        own.key = fi_mr_key(side->mr);
        own.base = domain->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR ? (uint64_t) (uintptr_t) side->memory : 0;
    }
    control_send(control, mine, sizeof(mine));
    control_send(control, &own, sizeof(own));
    control_receive(control, theirs, sizeof(theirs));
    control_receive(control, remote, sizeof(*remote));
    side_connect(side, theirs);
}

// Ping-pong, with the next receive posted before the answer is sent.
static void latency(struct side *side, size_t bytes, long count)
{
    long sent = side->done[TX];
    long received = side->done[RX];
    for (long i = 0; i < count; i++) {
        if (!options.server) {
            side_receive(side, bytes, TAG, 0);
            side_send(side, bytes, TAG, 0);
            side_wait(side, TX, ++sent);
            side_wait(side, RX, ++received);
        } else {
            side_receive(side, bytes, TAG, 0);
            side_wait(side, RX, ++received);
            side_send(side, bytes, TAG, 0);
            side_wait(side, TX, ++sent);
        }
    }
}

// Ping-pong of two sides that sleep until something comes.
static void sleepers(struct side *side, size_t bytes, long count)
{
    long sent = side->done[TX];
    long received = side->done[RX];
    for (long i = 0; i < count; i++) {
        side_receive(side, bytes, TAG, 0);
        if (options.server) {
            side_sleep(side, RX, ++received);
        }
        side_send(side, bytes, TAG, 0);
        side_sleep(side, TX, ++sent);
        if (!options.server) {
            side_sleep(side, RX, ++received);
        }
    }
}

static void receive_window(struct side *side, size_t bytes)
{
    for (int w = 0; w < WINDOW; w++) {
        side_receive(side, bytes, TAG, w);
    }
}

// Windows of messages, each window acknowledged once the receives of the next one are posted. Messages that can be
// injected are.
static void windows(struct side *side, size_t bytes, long count)
{
    if (options.server) {
        receive_window(side, bytes);
    }
    long sent = side->done[TX];
    long received = side->done[RX];
    for (long i = 0; i < count; i += WINDOW) {
        if (!options.server) {
            side_receive(side, ACK_BYTES, ACK, 0);
            if (bytes <= side->inject_size) {
                for (int w = 0; w < WINDOW; w++) {
                    side_inject(side, bytes, TAG);
                }
            } else {
                for (int w = 0; w < WINDOW; w++) {
                    side_send(side, bytes, TAG, w);
                }
                side_wait(side, TX, sent += WINDOW);
            }
            side_wait(side, RX, ++received);
        } else {
            side_wait(side, RX, received += WINDOW);
            if (i + WINDOW < count) {
                receive_window(side, bytes);
            }
            side_send(side, ACK_BYTES, ACK, 0);
            side_wait(side, TX, ++sent);
        }
    }
}

typedef ssize_t access_fn(struct side *side, size_t bytes, const struct remote *remote, int slot);

static ssize_t start_write(struct side *side, size_t bytes, const struct remote *remote, int slot)
{
    return fi_write(side->ep, side->memory, bytes, side->desc, side->peer, remote->base + side->half, remote->key,
                    &side->ops[TX][slot]);
}

static ssize_t start_read(struct side *side, size_t bytes, const struct remote *remote, int slot)
{
    return fi_read(side->ep, side->memory + side->half, bytes, side->desc, side->peer, remote->base, remote->key,
                   &side->ops[TX][slot]);
}

// Adds 8 bytes to the peer's, and fetches what was there.
static ssize_t start_atomic(struct side *side, size_t bytes, const struct remote *remote, int slot)
{
    return fi_fetch_atomic(side->ep, side->memory, bytes / 8, side->desc, side->memory + side->half, side->desc,
                           side->peer, remote->base + side->half, remote->key, FI_UINT64, FI_SUM,
                           &side->ops[TX][slot]);
}

// Remote accesses, a window of them under way at once; the server only makes progress until it is told that this is
// the end.
static void accesses(struct side *side, access_fn *start, size_t bytes, const struct remote *remote, int window,
                     long count)
{
    ssize_t result;
    long sent = side->done[TX];
    if (options.server) {
        side_receive(side, ACK_BYTES, END, 0);
        side_wait(side, RX, side->done[RX] + 1);
        return;
    }
    for (long i = 0; i < count; i += window) {
        for (int w = 0; w < window; w++) {
            while ((result = start(side, bytes, remote, w)) != 0) {
                if (result != -FI_EAGAIN) {
                    die("a remote access", result);
                }
                side_progress(side);
            }
        }
        side_wait(side, TX, sent += window);
    }
    side_send(side, ACK_BYTES, END, 0);
    side_wait(side, TX, ++sent);
}

struct work {
    const struct spec *spec;
    struct side *side;
    const struct remote *remote;
};

static void run(const struct work *work)
{
    const struct spec *spec = work->spec;
    struct side *side = work->side;
    if (strcmp(spec->name, "latency") == 0) {
        latency(side, spec->bytes, spec->iterations);
    } else if (strcmp(spec->name, "bandwidth") == 0 || strcmp(spec->name, "message-rate") == 0) {
        windows(side, spec->bytes, spec->iterations);
    } else if (strcmp(spec->name, "write-latency") == 0) {
        accesses(side, start_write, spec->bytes, work->remote, 1, spec->iterations);
    } else if (strcmp(spec->name, "read-latency") == 0) {
        accesses(side, start_read, spec->bytes, work->remote, 1, spec->iterations);
    } else if (strcmp(spec->name, "atomic-latency") == 0) {
        accesses(side, start_atomic, spec->bytes, work->remote, 1, spec->iterations);
    } else if (strcmp(spec->name, "wait-round-trip") == 0) {
        sleepers(side, spec->bytes, spec->iterations);
    } else if (strcmp(spec->name, "write-bandwidth") == 0) {
        accesses(side, start_write, spec->bytes, work->remote, WINDOW, spec->iterations);
    } else {
        fprintf(stderr, "bench: no case %s between two processes\n", spec->name);
        exit(2);
    }
}

static const char *unit(const struct spec *spec)
{
    if (strstr(spec->name, "latency") || strcmp(spec->name, "wait-round-trip") == 0) {
        return "us";
    }
    return strcmp(spec->name, "message-rate") == 0 ? "Mmsg/s" : "GB/s";
}

// Per operation, in the unit of the case: half a round trip, a whole one, a remote access, or a rate.
static double value(const struct spec *spec, double ns)
{
    if (strcmp(spec->name, "latency") == 0) {
        return ns / 2000 / spec->iterations;
    }
    if (strcmp(unit(spec), "us") == 0) {
        return ns / 1000 / spec->iterations;
    }
    if (strcmp(spec->name, "message-rate") == 0) {
        return spec->iterations * 1e3 / ns;
    }
    return spec->iterations * (double) spec->bytes / ns;
}

static double chunk(void *state)
{
    const struct work *work = state;
    double start = now_ns();
    run(work);
    return value(work->spec, now_ns() - start);
}

void two_processes(const struct spec *specs, int count)
{
    struct domain domain;
    struct side side;
    struct remote remote;
    options.sleeps = has_case(specs, count, "wait-round-trip");
    control = control_open(options.peer);
    domain_open(&domain, FI_TAGGED | FI_RMA | (has_case(specs, count, "atomic-latency") ? FI_ATOMIC : 0));
    side_open(&side, &domain, largest(specs, count));
    exchange(&side, &domain, &remote);
    for (int i = 0; i < count; i++) {
        struct work work = { &specs[i], &side, &remote };
        control_barrier(control);
        take_turns(&specs[i], unit(&specs[i]), chunk, &work);
    }
    control_barrier(control);
    close(control);
    side_close(&side);
    domain_close(&domain);
}
