// SPDX-License-Identifier: Apache-2.0
// Command line and clock of the C reference programs.
#define _GNU_SOURCE
#include "bench.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct options options = { .cpu = -1, .turns = 21 };

void die(const char *what, long result)
{
    fprintf(stderr, "bench: %s: %s (%ld)\n", what, fi_strerror((int) -result), result);
    exit(1);
}

static double clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

double now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

double thread_cpu_ns(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void pin(int cpu)
{
    cpu_set_t set;
    if (cpu < 0) {
        return;
    }
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof(set), &set) != 0) {
        perror("bench: sched_setaffinity");
    }
}

static void parse(struct spec *spec, const char *text)
{
    spec->chunks = CHUNKS;
    if (sscanf(text, "%31[^:]:%zu:%ld:%ld:%d", spec->name, &spec->bytes, &spec->warmup, &spec->iterations,
               &spec->chunks) < 4 || spec->iterations < 1 || spec->chunks < 1 || spec->chunks > MAX_CHUNKS) {
        fprintf(stderr, "bench: a case is NAME:BYTES:WARMUP:ITERATIONS[:CHUNKS], not '%s'\n", text);
        exit(2);
    }
}

struct command {
    const char *name;
    struct spec specs[32];
    int count;
};

static void *run(void *argument)
{
    const struct command *command = argument;
    pin(options.cpu);
    if (strcmp(command->name, "in-process") == 0) {
        in_process(command->specs, command->count);
    } else if (strcmp(command->name, "scale") == 0) {
        scale(command->specs, command->count);
    } else if (strcmp(command->name, "first") == 0 || strcmp(command->name, "tail") == 0) {
        void (*work)(const struct spec *) = strcmp(command->name, "tail") == 0 ? tail : first_messages;
        for (int i = 0; i < command->count; i++) {
            work(&command->specs[i]);
        }
    } else {
        options.server = strcmp(command->name, "server") == 0;
        two_processes(command->specs, command->count);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct command command = { .count = 0 };
    int option;
    pthread_t thread;
    if (argc < 2) {
        fprintf(stderr, "usage: bench in-process|scale|server|client|first|tail -p PROVIDER [-n NODE] [-P HOST:PORT] [-C CPU] "
                "[-s SETTING] [-1] [-t TURNS | -w] CASE:BYTES:WARMUP:ITERATIONS[:CHUNKS]...\n"
                "  -s: default, or tuned (for one thread)   -1: no second thread\n"
                "  -w: warms up for the first line on stdin, takes a turn for each other\n");
        return 2;
    }
    command.name = argv[1];
    optind = 2;
    while ((option = getopt(argc, argv, "p:n:P:C:t:s:w1")) != -1) {
        switch (option) {
        case 'p': options.provider = optarg; break;
        case 'n': options.node = optarg; break;
        case 'P': options.peer = optarg; break;
        case 'C': options.cpu = atoi(optarg); break;
        case 't': options.turns = atoi(optarg); break;
        case 's': options.tuned = strcmp(optarg, "default") != 0; break;
        case 'w': options.waits = true; break;
        case '1': options.single = true; break;
        default: return 2;
        }
    }
    for (; optind < argc && command.count < 32; optind++) {
        parse(&command.specs[command.count++], argv[optind]);
    }
    if (options.single) {
        run(&command);
        return 0;
    }
    // The work is done by a second thread, as it is in a JVM: glibc leaves out lock prefixes in a process with one
    // thread, and its malloc serves the first thread in another way than the others.
    pthread_create(&thread, NULL, run, &command);
    pthread_join(thread, NULL);
    return 0;
}
