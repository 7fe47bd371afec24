/* What jextract reads for rdma_getaddrinfo(3): the connection manager's header, and those that explain its fields. */
#define _GNU_SOURCE
#include <netdb.h>
#include <infiniband/ib.h>
#include <rdma/rdma_cma.h>
