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

enum { AV_BATCH = 1000, MAX_THREADS = 64, ROUNDS = 10 };

static double resident_kib(void)
{
    long pages = 0;
    long resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld %ld", &pages, &resident) != 2) {
        perror("bench: /proc/self/statm");
        exit(1);
    }
    fclose(f);
    return resident * (sysconf(_SC_PAGESIZE) / 1024.0);
}

struct work {
    const struct spec *spec;
    struct domain domain;
};

// What a chunk of a single thread comes to: milliseconds, or KiB of memory taken at its height.
struct cost {
    bool memory;
    double start;
    double height;
};

static struct cost cost_start(const struct spec *spec)
{
    struct cost cost = { .memory = strstr(spec->name, "-memory") != NULL };
    cost.start = cost.memory ? resident_kib() : now_ns();
    return cost;
}

static void cost_height(struct cost *cost)
{
    if (cost->memory) {
        cost->height = resident_kib();
    }
}

static double cost_end(struct cost *cost)
{
    return cost->memory ? cost->height - cost->start : (now_ns() - cost->start) / 1e6;
}

// Inserts made-up IPv4 addresses into a vector, batch by batch.
static double insert_addresses(void *state)
{
    struct work *work = state;
    long count = work->spec->iterations;
    struct fi_av_attr attr = { .type = FI_AV_UNSPEC, .count = count };
    struct sockaddr_in *batch = calloc(AV_BATCH, sizeof(*batch));
    fi_addr_t *results = calloc(AV_BATCH, sizeof(*results));
    struct fid_av *av;
    struct cost cost = cost_start(work->spec);
    CHECK(fi_av_open(work->domain.domain, &attr, &av, NULL));
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
    cost_height(&cost);
    CHECK(fi_close(&av->fid));
    free(batch);
    free(results);
    return cost_end(&cost);
}

// Opens endpoints, polls each queue some times, closes them all.
static double many_endpoints(void *state)
{
    struct work *work = state;
    long count = work->spec->iterations;
    struct cost cost = cost_start(work->spec);
    struct side *sides = calloc(count, sizeof(*sides));
    for (long i = 0; i < count; i++) {
        side_open(&sides[i], &work->domain, 0);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (long i = 0; i < count; i++) {
            side_poll(&sides[i]);
        }
    }
    cost_height(&cost);
    for (long i = 0; i < count; i++) {
        side_close(&sides[i]);
    }
    free(sides);
    return cost_end(&cost);
}

static void alone(const struct spec *spec)
{
    struct work work = { .spec = spec };
    bool memory = strstr(spec->name, "-memory") != NULL;
    domain_open(&work.domain, FI_TAGGED);
    take_turns(spec, memory ? "KiB" : "ms", strncmp(spec->name, "av-", 3) == 0 ? insert_addresses : many_endpoints,
               &work);
    domain_close(&work.domain);
}

struct team {
    const struct spec *spec;
    pthread_barrier_t barrier;
    bool over;
    double ns[MAX_THREADS];
};

struct worker {
    pthread_t thread;
    struct team *team;
    int index;
};

static void to_itself(struct side *side, long count)
{
    long sent = side->done[TX];
    long received = side->done[RX];
    for (long i = 0; i < count; i++) {
        side_receive(side, 8, 7, 0);
        side_send(side, 8, 7, 0);
        side_wait(side, TX, ++sent);
        side_wait(side, RX, ++received);
    }
}

// A thread's own domain, endpoint and queue: nothing is shared with the others but the process.
static void *work(void *argument)
{
    struct worker *worker = argument;
    struct team *team = worker->team;
    struct domain domain;
    struct side side;
    unsigned char name[256];
    domain_open(&domain, FI_TAGGED);
    side_open(&side, &domain, 64);
    side_name(&side, name, sizeof(name));
    side_connect(&side, name);
    for (;;) {
        pthread_barrier_wait(&team->barrier);
        if (team->over) {
            break;
        }
        double start = thread_cpu_ns();
        to_itself(&side, team->spec->iterations);
        team->ns[worker->index] = (thread_cpu_ns() - start) / team->spec->iterations;
        pthread_barrier_wait(&team->barrier);
    }
    side_close(&side);
    domain_close(&domain);
    return NULL;
}

// All threads at once; CPU nanoseconds that a message to itself costs one.
static double together(void *state)
{
    struct team *team = state;
    pthread_barrier_wait(&team->barrier);
    pthread_barrier_wait(&team->barrier);
    return median(team->ns, (int) team->spec->bytes);
}

// spec->bytes is the number of threads.
static void threads(const struct spec *spec)
{
    struct worker workers[MAX_THREADS];
    struct team team = { .spec = spec };
    int n = (int) spec->bytes;
    if (n < 1 || n > MAX_THREADS) {
        fprintf(stderr, "bench: 1 to %d threads\n", MAX_THREADS);
        exit(2);
    }
    pthread_barrier_init(&team.barrier, NULL, n + 1);
    for (int i = 0; i < n; i++) {
        workers[i].team = &team;
        workers[i].index = i;
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    take_turns(spec, "cpu-ns", together, &team);
    team.over = true;
    pthread_barrier_wait(&team.barrier);
    for (int i = 0; i < n; i++) {
        pthread_join(workers[i].thread, NULL);
    }
}

void scale(const struct spec *specs, int count)
{
    for (int i = 0; i < count; i++) {
        const char *name = specs[i].name;
        if (strcmp(name, "threads") == 0) {
            threads(&specs[i]);
        } else if (strncmp(name, "av-insert", 9) == 0 || strncmp(name, "endpoints", 9) == 0) {
            alone(&specs[i]);
        } else {
            fprintf(stderr, "bench: no case %s\n", name);
            exit(2);
        }
    }
}
