// SPDX-License-Identifier: Apache-2.0
#ifndef JFABRIC_BENCH_CONTROL_H
#define JFABRIC_BENCH_CONTROL_H

#include <stddef.h>

// The server (peer NULL) listens on the loopback address, prints its port and takes one client.
int control_open(const char *peer);
void control_send(int fd, const void *data, size_t size);
void control_receive(int fd, void *data, size_t size);
void control_barrier(int fd);

#endif
