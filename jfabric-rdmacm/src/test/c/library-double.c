/*
 * A test double of librdmacm.so.1: answers with what the hints say and two more entries, which have all that only
 * InfiniBand with its services gives. double_entries is the number of entries that have not been freed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <rdma/rdma_cma.h>

int double_entries;

static void *copy(const void *data, size_t length)
{
	return length ? memcpy(malloc(length), data, length) : NULL;
}

static struct rdma_addrinfo *entry(const struct rdma_addrinfo *from)
{
	struct rdma_addrinfo *it = copy(from, sizeof *from);

	it->ai_src_addr = copy(from->ai_src_addr, from->ai_src_len);
	it->ai_dst_addr = copy(from->ai_dst_addr, from->ai_dst_len);
	it->ai_route = copy(from->ai_route, from->ai_route_len);
	it->ai_connect = copy(from->ai_connect, from->ai_connect_len);
	it->ai_next = NULL;
	double_entries++;
	return it;
}

int rdma_getaddrinfo(const char *node, const char *service, const struct rdma_addrinfo *hints,
		     struct rdma_addrinfo **res)
{
	if (node && !strncmp(node, "fail ", 5)) {
		errno = atoi(strchr(node + 5, ' ') + 1);
		return atoi(node + 5);
	}
	struct rdma_addrinfo *first = entry(hints), *second = entry(hints), *third = entry(hints);

	second->ai_src_canonname = strdup(node ? node : "");
	second->ai_dst_canonname = strdup(service ? service : "");
	second->ai_family = 9999;
	second->ai_qp_type = 9998;
	second->ai_port_space = 9997;
	second->ai_flags = 0x80000000;
	third->ai_src_len = 0;
	first->ai_next = second;
	second->ai_next = third;
	*res = first;
	return 0;
}

void rdma_freeaddrinfo(struct rdma_addrinfo *res)
{
	while (res) {
		struct rdma_addrinfo *it = res;

		res = res->ai_next;
		free(it->ai_src_addr);
		free(it->ai_dst_addr);
		free(it->ai_src_canonname);
		free(it->ai_dst_canonname);
		free(it->ai_route);
		free(it->ai_connect);
		memset(it, 0xff, sizeof *it);
		free(it);
		double_entries--;
	}
}

int rdma_resolve_addrinfo(struct rdma_cm_id *id, const char *node, const char *service,
			  const struct rdma_addrinfo *hints)
{
	(void) id, (void) node, (void) service, (void) hints;
	errno = ENOSYS;
	return -1;
}
