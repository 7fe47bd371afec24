// SPDX-License-Identifier: Apache-2.0
// Cases of many: addresses in one vector, endpoints in one process, threads with an endpoint each.
#include "bench.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AV_BATCH = 1000, MAX_THREADS = 64 };

// Inserts that many made-up IPv4 addresses, batch by batch; milliseconds.
static double insert_addresses(struct domain *domain, long count)
{
    struct fi_av_attr attr = { .type = FI_AV_UNSPEC, .count = count };
    struct sockaddr_in *batch = calloc(AV_BATCH, sizeof(*batch));
    fi_addr_t *results = calloc(AV_BATCH, sizeof(*results));
    struct fid_av *av;
    CHECK(fi_av_open(domain->domain, &attr, &av, NULL));
    double start = now_ns();
    for (long i = 0; i < count; i += AV_BATCH) {
        for (int b = 0; b < AV_BATCH; b++) {
            batch[b].sin_family = AF_INET;
            batch[b].sin_port = htons(5000);
            batch[b].sin_addr.s_addr = htonl(0x0a000000 + (uint32_t) (i + b) + 1);
        }
        if (fi_av_insert(av, batch, AV_BATCH, results, 0, NULL) != AV_BATCH) {
            fprintf(stderr, "bench: fi_av_insert took only a part\n");
            exit(1);
        }
    }
    double ms = (now_ns() - start) / 1e6;
    CHECK(fi_close(&av->fid));
    free(batch);
    free(results);
    return ms;
}

static long resident_kib(void)
{
    long pages = 0;
    long resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld %ld", &pages, &resident) != 2) {
        resident = 0;
    }
    if (f) {
        fclose(f);
    }
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

// Opens that many endpoints, polls each queue ten times, closes them all; milliseconds, and KiB while they are open.
static double many_endpoints(struct domain *domain, long count, double *kib)
{
    struct side *sides = calloc(count, sizeof(*sides));
    long before = resident_kib();
    double start = now_ns();
    for (long i = 0; i < count; i++) {
        side_open(&sides[i], domain, 0);
    }
    for (int round = 0; round < 10; round++) {
        for (long i = 0; i < count; i++) {
            side_poll(&sides[i]);
        }
    }
    *kib = resident_kib() - before;
    for (long i = 0; i < count; i++) {
        side_close(&sides[i]);
    }
    double ms = (now_ns() - start) / 1e6;
    free(sides);
    return ms;
}

struct worker {
    pthread_t thread;
    const struct spec *spec;
    pthread_barrier_t *barrier;
    double ns;
};

// A thread's own domain, endpoint and queue: nothing is shared with the others but the process.
static void *work(void *argument)
{
    struct worker *worker = argument;
    const struct spec *spec = worker->spec;
    struct domain domain;
    struct side side;
    unsigned char name[256];
    domain_open(&domain, FI_TAGGED);
    side_open(&side, &domain, 64);
    side_name(&side, name, sizeof(name));
    side_connect(&side, name);
    for (int pass = 0; pass < 2; pass++) {
        long count = pass == 0 ? spec->warmup : spec->iterations;
        long sent = side.done[TX];
        long received = side.done[RX];
        pthread_barrier_wait(worker->barrier);
        double start = thread_cpu_ns();
        for (long i = 0; i < count; i++) {
            side_receive(&side, 8, 7, 0);
            side_send(&side, 8, 7, 0);
            side_wait(&side, TX, ++sent);
            side_wait(&side, RX, ++received);
        }
        worker->ns = (thread_cpu_ns() - start) / count;
    }
    pthread_barrier_wait(worker->barrier);
    side_close(&side);
    domain_close(&domain);
    return NULL;
}

// spec->bytes is the number of threads; CPU nanoseconds that a message to itself costs a thread.
static void threads(const struct spec *spec)
{
    struct worker workers[MAX_THREADS];
    double ns[MAX_THREADS];
    pthread_barrier_t barrier;
    int n = (int) spec->bytes;
    pthread_barrier_init(&barrier, NULL, n);
    for (int i = 0; i < n; i++) {
        workers[i].spec = spec;
        workers[i].barrier = &barrier;
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    for (int i = 0; i < n; i++) {
        pthread_join(workers[i].thread, NULL);
        ns[i] = workers[i].ns;
    }
    report(spec, "cpu-ns", ns, n);
}

void scale(const struct spec *specs, int count)
{
    struct domain domain;
    domain_open(&domain, FI_TAGGED);
    for (int i = 0; i < count; i++) {
        const struct spec *spec = &specs[i];
        struct spec memory = *spec;
        double ms[CHUNKS];
        double kib[CHUNKS];
        if (strcmp(spec->name, "threads") == 0) {
            threads(spec);
        } else if (strcmp(spec->name, "av-insert") == 0) {
            ms[0] = insert_addresses(&domain, spec->iterations);
            report(spec, "ms", ms, 1);
        } else if (strcmp(spec->name, "endpoints") == 0) {
            ms[0] = many_endpoints(&domain, spec->iterations, &kib[0]);
            report(spec, "ms", ms, 1);
            strcpy(memory.name, "endpoints-memory");
            report(&memory, "KiB", kib, 1);
        } else {
            fprintf(stderr, "bench: no case %s\n", spec->name);
            exit(2);
        }
    }
    domain_close(&domain);
}
