// SPDX-License-Identifier: Apache-2.0
// The socket over which two processes find each other: addresses, keys and barriers, nothing that is measured.
#include "bench.h"
#include "control.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int control = -1;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static int accept_one(void)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *) &address, length) != 0 || listen(listener, 1) != 0
        || getsockname(listener, (struct sockaddr *) &address, &length) != 0) {
        fail("bench: listening");
    }
    printf("port %d\n", ntohs(address.sin_port));
    fflush(stdout);
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) {
        fail("bench: accept");
    }
    close(listener);
    return fd;
}

static int connect_to(const char *peer)
{
    char host[256];
    char port[16];
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
    struct addrinfo *found;
    if (sscanf(peer, "%255[^:]:%15s", host, port) != 2 || getaddrinfo(host, port, &hints, &found) != 0) {
        fprintf(stderr, "bench: the peer is HOST:PORT, not '%s'\n", peer);
        exit(2);
    }
    int fd = socket(found->ai_family, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, found->ai_addr, found->ai_addrlen) != 0) {
        fail("bench: connect");
    }
    freeaddrinfo(found);
    return fd;
}

int control_open(const char *peer)
{
    int fd = peer ? connect_to(peer) : accept_one();
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    return fd;
}

void control_send(int fd, const void *data, size_t size)
{
    if (write(fd, data, size) != (ssize_t) size) {
        fail("bench: control socket");
    }
}

void control_receive(int fd, void *data, size_t size)
{
    if (recv(fd, data, size, MSG_WAITALL) != (ssize_t) size) {
        fprintf(stderr, "bench: the peer is gone\n");
        exit(1);
    }
}

void control_barrier(int fd)
{
    char c = 0;
    control_send(fd, &c, 1);
    control_receive(fd, &c, 1);
}
