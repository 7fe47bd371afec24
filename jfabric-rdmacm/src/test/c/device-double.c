/*
 * A test double, to be preloaded: says that there is one RDMA device, which cannot be opened. librdmacm resolves nothing
 * on a machine without any; with this one its own code runs, as far as it asks the device nothing.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

struct ibv_device;

struct ibv_device **ibv_get_device_list(int *count)
{
	static char device[4096];
	struct ibv_device **list = calloc(2, sizeof *list);

	list[0] = (struct ibv_device *) device;
	if (count)
		*count = 1;
	return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
	free(list);
}

uint64_t ibv_get_device_guid(struct ibv_device *device)
{
	(void) device;
	return 1;
}

int ibv_get_device_index(struct ibv_device *device)
{
	(void) device;
	return 0;
}

void *ibv_open_device(struct ibv_device *device)
{
	(void) device;
	errno = ENODEV;
	return NULL;
}
