/*
 * Prints what rdma_getaddrinfo answers, every field; the Java program Answers prints the same of what it sees.
 * Usage: twin CASE...; a case is NODE|SERVICE|HINTS|FLAGS|FAMILY|QP|PS|SOURCE|DESTINATION|ROUTE: "-" is a null pointer,
 * HINTS 0 passes none, numbers are decimal, addresses and route hexadecimal digits.
 */
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <rdma/rdma_cma.h>

static void print_bytes(const char *name, const void *data, size_t length)
{
	printf(" %s=", name);
	for (size_t i = 0; data && i < length; i++)
		printf("%02x", ((const unsigned char *) data)[i]);
}

static size_t bytes(const char *hex, void **out)
{
	size_t length = strcmp(hex, "-") ? strlen(hex) / 2 : 0;
	unsigned char *p = length ? calloc(1, length + 256) : NULL;

	for (size_t i = 0; i < length; i++) {
		unsigned int value;
		sscanf(hex + 2 * i, "%2x", &value);
		p[i] = (unsigned char) value;
	}
	*out = p;
	return length;
}

static const char *or_null(const char *text)
{
	return strcmp(text, "-") ? text : NULL;
}

int main(int argc, char **argv)
{
	for (int n = 1; n < argc; n++) {
		char *field[10], *rest = strdup(argv[n]);
		struct rdma_addrinfo hints, *list = NULL;
		void *data;
		int rc;

		for (int i = 0; i < 10; i++)
			field[i] = strsep(&rest, "|");
		memset(&hints, 0, sizeof hints);
		hints.ai_flags = atoi(field[3]);
		hints.ai_family = atoi(field[4]);
		hints.ai_qp_type = atoi(field[5]);
		hints.ai_port_space = atoi(field[6]);
		hints.ai_src_len = bytes(field[7], &data);
		hints.ai_src_addr = data;
		hints.ai_dst_len = bytes(field[8], &data);
		hints.ai_dst_addr = data;
		hints.ai_route_len = bytes(field[9], &data);
		hints.ai_route = data;
		errno = 0;
		rc = rdma_getaddrinfo(or_null(field[0]), or_null(field[1]), atoi(field[2]) ? &hints : NULL, &list);
		printf("%s rc=%d errno=%d\n", argv[n], rc, rc == -1 || rc == EAI_SYSTEM ? errno : 0);
		if (rc)
			continue;
		for (struct rdma_addrinfo *i = list; i; i = i->ai_next) {
			printf("  flags=%d family=%d qp=%d ps=%d", i->ai_flags, i->ai_family, i->ai_qp_type, i->ai_port_space);
			print_bytes("src", i->ai_src_addr, i->ai_src_len);
			print_bytes("dst", i->ai_dst_addr, i->ai_dst_len);
			printf(" srcname=%s dstname=%s", i->ai_src_canonname ? i->ai_src_canonname : "-",
			       i->ai_dst_canonname ? i->ai_dst_canonname : "-");
			print_bytes("route", i->ai_route, i->ai_route_len);
			print_bytes("connect", i->ai_connect, i->ai_connect_len);
			printf("\n");
		}
		rdma_freeaddrinfo(list);
	}
	return 0;
}
