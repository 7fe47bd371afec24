// SPDX-License-Identifier: Apache-2.0
// What the C reference programs share. Each has a Java twin in io.jfabric.bench.vsc that makes the same calls in the
// same order; change both together.
#ifndef JFABRIC_BENCH_H
#define JFABRIC_BENCH_H

#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BATCH = 16, WINDOW = 64, CHUNKS = 9, MAX_CHUNKS = 1000 };

// A case on the command line: name:bytes:warm-up:iterations[:chunks].
struct spec {
    char name[32];
    size_t bytes;
    long warmup;           // operations before measuring
    long iterations;       // operations in a chunk
    int chunks;            // chunks in a turn
};

struct options {
    const char *provider;
    const char *node;      // local address to bind to; NULL for the provider's choice
    const char *peer;      // host:port of the server's control socket; NULL in the server
    int cpu;               // pin the measuring thread; -1 for no pinning
    bool server;
    int turns;             // how many, unless each is asked for
    bool waits;            // the warm-up and each turn for a line on stdin, until its end
    bool tuned;            // the hints that free libfabric of locks: jfabric's Hints.oneThread()
    bool single;           // no second thread: glibc leaves out lock prefixes
    bool sleeps;           // queues are waited for in the kernel
};

// The user's context of an operation. It begins with memory for providers that write to it (FI_CONTEXT2).
struct op {
    struct fi_context2 context;
    int kind;
};
enum { RX = 0, TX = 1 };

// An endpoint with its own completion queue.
struct side {
    struct fid_ep *ep;
    struct fid_cq *cq;
    struct fid_av *av;
    struct side *other;    // the endpoint at the other end, if it is in this process: it has to make progress too
    fi_addr_t peer;
    long done[2];          // completions seen, by kind of operation
    struct op ops[2][WINDOW];
    unsigned char *memory; // sends from the first half, receives into the second
    size_t half;
    size_t inject_size;
    struct fid_mr *mr;
    void *desc;
};

struct domain {
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
};

extern struct options options;
extern int control;        // the socket to the peer; -1 if there is none

#define CHECK(call) do { \
    long check_ = (long) (call); \
    if (check_ < 0) { die(#call, check_); } } while (0)

void die(const char *what, long result);
double now_ns(void);
double thread_cpu_ns(void);
void pin(int cpu);

double median(double *values, int count);

// The size of a buffer that holds the largest message of any case.
size_t largest(const struct spec *specs, int count);

bool has_case(const struct spec *specs, int count, const char *name);

// Waits until it is asked for, warms up, then takes turns: in each, chunks one right after the other, of which the median counts. A chunk does
// spec->iterations operations and returns what they came to. The client's turns are the server's too.
void take_turns(const struct spec *spec, const char *unit, double (*chunk)(void *), void *state);

uint32_t api_version(void);
uint64_t next_key(void);
struct fi_info *get_hints(uint64_t caps);
struct fi_info *get_info(struct fi_info *hints);
void domain_open(struct domain *domain, uint64_t caps);
void domain_open_info(struct domain *domain, struct fi_info *info);
void domain_close(struct domain *domain);
void side_open(struct side *side, struct domain *domain, size_t half);
void side_close(struct side *side);
void side_connect(struct side *side, const void *address);
size_t side_name(struct side *side, void *buffer, size_t size);

static inline long side_count(struct side *side, const struct fi_cq_tagged_entry *entries, ssize_t n)
{
    if (n <= 0) {
        if (n != -FI_EAGAIN) {
            die("fi_cq_read", n);
        }
        return 0;
    }
    for (ssize_t i = 0; i < n; i++) {
        side->done[((struct op *) entries[i].op_context)->kind]++;
    }
    return n;
}

// Reads completions once; returns how many.
static inline long side_poll(struct side *side)
{
    struct fi_cq_tagged_entry entries[BATCH];
    return side_count(side, entries, fi_cq_read(side->cq, entries, BATCH));
}

// Sleeps until there are completions.
static inline void side_sleep(struct side *side, int kind, long count)
{
    struct fi_cq_tagged_entry entries[BATCH];
    while (side->done[kind] < count) {
        side_count(side, entries, fi_cq_sread(side->cq, entries, BATCH, NULL, 10000));
    }
}

// Progress on both ends, where one alone does not get on.
static inline void side_progress(struct side *side)
{
    side_poll(side);
    if (side->other) {
        side_poll(side->other);
    }
}

static inline void side_wait(struct side *side, int kind, long count)
{
    side_poll(side);
    while (side->done[kind] < count) {
        side_progress(side);
    }
}

static inline void side_send(struct side *side, size_t bytes, uint64_t tag, int slot)
{
    ssize_t result;
    while ((result = fi_tsend(side->ep, side->memory, bytes, side->desc, side->peer, tag,
                              &side->ops[TX][slot])) != 0) {
        if (result != -FI_EAGAIN) {
            die("fi_tsend", result);
        }
        side_progress(side);
    }
}

static inline void side_inject(struct side *side, size_t bytes, uint64_t tag)
{
    ssize_t result;
    while ((result = fi_tinject(side->ep, side->memory, bytes, side->peer, tag)) != 0) {
        if (result != -FI_EAGAIN) {
            die("fi_tinject", result);
        }
        side_progress(side);
    }
}

static inline void side_receive(struct side *side, size_t bytes, uint64_t tag, int slot)
{
    ssize_t result;
    while ((result = fi_trecv(side->ep, side->memory + side->half, bytes, side->desc, FI_ADDR_UNSPEC, tag, 0,
                              &side->ops[RX][slot])) != 0) {
        if (result != -FI_EAGAIN) {
            die("fi_trecv", result);
        }
        side_progress(side);
    }
}

void in_process(const struct spec *specs, int count);
void two_processes(const struct spec *specs, int count);
void scale(const struct spec *specs, int count);
void first_messages(const struct spec *spec);
void tail(const struct spec *spec);

#endif
