// SPDX-License-Identifier: Apache-2.0
// What io.jfabric.bench.collective.AllReduce does, by MPI: BYTES ROUNDS OPERATIONS-OF-A-ROUND.
// Prints the microseconds of one operation: fastest, median and slowest round.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double time_round(double *mine, double *result, int elements, int each)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < each; i++) {
        MPI_Allreduce(mine, result, elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - begin) * 1e6 / each;
}

int main(int argc, char **argv)
{
    int rank, size, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 4) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int elements = atoi(argv[1]) / (int)sizeof(double), rounds = atoi(argv[2]), each = atoi(argv[3]);
    double *mine = malloc(elements * sizeof(double) + 1), *result = malloc(elements * sizeof(double) + 1);
    double *times = malloc(rounds * sizeof(double));
    if (mine == NULL || result == NULL || times == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    for (int i = 0; i < elements; i++) {
        mine[i] = rank + i;
    }
    // until rank 0 tells that half a second is over
    double end = MPI_Wtime() + 0.5;
    int more;
    do {
        time_round(mine, result, elements, each);
        more = MPI_Wtime() < end;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } while (more);
    for (int round = 0; round < rounds; round++) {
        times[round] = time_round(mine, result, elements, each);
    }
    for (int i = 0; i < elements; i++) {
        wrong += result[i] != size * (size - 1) / 2.0 + (double)size * i;
    }
    if (wrong) {
        fprintf(stderr, "rank %d: %d elements are wrong\n", rank, wrong);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (rank == 0) {
        qsort(times, rounds, sizeof(double), ascending);
        printf("%.1f %.1f %.1f\n", times[0], times[rounds / 2], times[rounds - 1]);
    }
    free(mine);
    free(result);
    free(times);
    MPI_Finalize();
    return 0;
}
