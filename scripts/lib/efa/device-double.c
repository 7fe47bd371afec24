// SPDX-License-Identifier: Apache-2.0
/*
 * A TEST DOUBLE of an EFA device, preloaded by scripts/test-efa: it answers in place of libibverbs and libefa, so that
 * the code of libfabric's efa provider runs without the hardware. Messages go through Unix sockets of this machine. It
 * has what efa asks of a first-generation device: SRD and UD queue pairs, no remote memory access. It keeps to what a
 * device is strict about: memory must be registered under the key that is given, messages fit into one packet, a
 * message that finds no receive waits (SRD) or is lost (UD), those for queue pairs that are gone fail. It says nothing
 * about EFA hardware, its speed, or the order in which it delivers.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <infiniband/efadv.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#undef ibv_get_device_list
#undef ibv_query_port
#undef ibv_reg_mr

enum { PACKET = 8928, DEPTH = 1024, PARTS = 3, GRH = 40, PAIRS = 32768, REGIONS = 65536 };
/* As the device numbers them: EFA_IO_COMP_STATUS_... */
enum { BAD_HANDLE = 4, BAD_KEY = 5, BAD_LENGTH = 6, NO_SUCH_PAIR = 9 };

struct header {
    uint32_t from, key, data, flags;
};

struct region {
    struct ibv_mr mr;
};

struct completion {
    struct completion *next;
    struct pair *pair;
    uint64_t id;
    enum ibv_wc_status status;
    enum ibv_wc_opcode opcode;
    uint32_t length, from, data, error;
    unsigned flags;
};

struct queue {
    struct ibv_cq_ex cq; /* first: what the provider holds */
    struct efadv_cq efa;
    struct completion *first, **last, now;
};

struct receive {
    uint64_t id;
    int count;
    struct ibv_sge parts[PARTS];
};

struct sending {
    struct sending *next;
    struct header header;
    uint64_t id;
    uint32_t to, length;
    int handle, error;
    char bytes[];
};

struct pair {
    struct ibv_qp_ex qp; /* first: what the provider holds */
    struct pair *next;
    struct queue *sends, *receives;
    int socket, datagrams;
    uint32_t key;
    struct receive ring[DEPTH];
    unsigned posted, taken;
    struct sending *first, **last; /* not gone yet */
    struct sending *built, **built_last, *current;
};

struct handle {
    struct ibv_ah ah;
    int here;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ibv_device device = {.node_type = IBV_NODE_UNSPECIFIED, .transport_type = IBV_TRANSPORT_UNSPECIFIED,
                                   .name = "efa_double", .dev_name = "uverbs0"};
static const uint8_t address[16] = {0xfe, 0x80, [8] = 0xd0, 0x0b, 0x1e, [15] = 1};
static struct region *regions[REGIONS];
static uint32_t regions_used;
static struct pair *pairs;

/* --- Devices ----------------------------------------------------------------------------------------------------- */

struct ibv_device **ibv_get_device_list(int *count)
{
    struct ibv_device **list = calloc(2, sizeof(*list));
    const char *sys = getenv("SYSFS_PATH");

    if (!list)
        return NULL;
    snprintf(device.ibdev_path, sizeof(device.ibdev_path), "%.200s/class/infiniband/efa_double", sys ? sys : "/sys");
    list[0] = &device;
    if (count)
        *count = 1;
    return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
    free(list);
}

const char *ibv_get_device_name(struct ibv_device *which)
{
    return which->name;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
    (void) context;
    *attr = (struct ibv_device_attr) {
        .fw_ver = "double", .vendor_id = 0x1d0f, .vendor_part_id = 0xefa0, .hw_ver = 1, .page_size_cap = 4096,
        .max_mr_size = 1ull << 40, .max_qp = PAIRS, .max_qp_wr = DEPTH, .max_sge = PARTS, .max_cq = 1024,
        .max_cqe = 32768, .max_mr = REGIONS, .max_pd = 256, .max_ah = 1024, .phys_port_cnt = 1,
    };
    return 0;
}

int efadv_query_device(struct ibv_context *context, struct efadv_device_attr *attr, uint32_t length)
{
    struct efadv_device_attr mine = {
        .max_sq_wr = DEPTH, .max_rq_wr = DEPTH, .max_sq_sge = 2, .max_rq_sge = PARTS, .inline_buf_size = 32,
    };

    (void) context;
    memset(attr, 0, length);
    memcpy(attr, &mine, length < sizeof(mine) ? length : sizeof(mine));
    return 0;
}

static int query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr, size_t length)
{
    struct ibv_port_attr mine = {
        .state = IBV_PORT_ACTIVE, .max_mtu = IBV_MTU_4096, .active_mtu = IBV_MTU_4096, .gid_tbl_len = 1,
        .max_msg_sz = PACKET, .pkey_tbl_len = 1, .active_width = 2, .active_speed = 32, .phys_state = 5,
    };

    (void) context;
    (void) port;
    memset(attr, 0, length);
    memcpy(attr, &mine, length < sizeof(mine) ? length : sizeof(mine));
    return 0;
}

int ibv_query_gid(struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid)
{
    (void) context;
    (void) port;
    (void) index;
    memcpy(gid->raw, address, sizeof(address));
    return 0;
}

/* --- Memory ------------------------------------------------------------------------------------------------------ */

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
    struct ibv_pd *pd = calloc(1, sizeof(*pd));

    if (pd)
        pd->context = context;
    return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
    free(pd);
    return 0;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *start, size_t length, uint64_t iova, unsigned access)
{
    struct region *region = calloc(1, sizeof(*region));
    uint32_t key;

    (void) iova;
    (void) access;
    if (!region)
        return NULL;
    pthread_mutex_lock(&lock);
    for (key = 1; key <= regions_used && regions[key]; key++)
        continue;
    if (key == REGIONS) {
        pthread_mutex_unlock(&lock);
        free(region);
        errno = ENOMEM;
        return NULL;
    }
    if (key > regions_used)
        regions_used = key;
    regions[key] = region;
    pthread_mutex_unlock(&lock);
    region->mr = (struct ibv_mr) {
        .context = pd->context, .pd = pd, .addr = start, .length = length, .lkey = key, .rkey = key,
    };
    return &region->mr;
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *start, size_t length, int access)
{
    return ibv_reg_mr_iova2(pd, start, length, (uintptr_t) start, access);
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
    pthread_mutex_lock(&lock);
    regions[mr->lkey] = NULL;
    pthread_mutex_unlock(&lock);
    free(mr);
    return 0;
}

static int registered(const struct ibv_sge *part)
{
    const struct region *region = part->lkey < REGIONS ? regions[part->lkey] : NULL;
    uint64_t start = region ? (uintptr_t) region->mr.addr : 0;

    return part->length == 0
            || (region && part->addr >= start && part->addr + part->length <= start + region->mr.length);
}

/* --- Peers ------------------------------------------------------------------------------------------------------- */

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
    struct handle *handle = calloc(1, sizeof(*handle));

    if (!handle)
        return NULL;
    handle->ah.context = pd->context;
    handle->ah.pd = pd;
    handle->here = !memcmp(attr->grh.dgid.raw, address, sizeof(address));
    return &handle->ah;
}

int ibv_destroy_ah(struct ibv_ah *ah)
{
    free(ah);
    return 0;
}

int efadv_query_ah(struct ibv_ah *ah, struct efadv_ah_attr *attr, uint32_t length)
{
    struct efadv_ah_attr mine = {.ahn = ((struct handle *) ah)->here ? 1 : 2};

    memset(attr, 0, length);
    memcpy(attr, &mine, length < sizeof(mine) ? length : sizeof(mine));
    return 0;
}

/* An address of the network namespace that needs no file, and is gone with its socket. */
static socklen_t name_of(uint32_t number, struct sockaddr_un *name)
{
    memset(name, 0, sizeof(*name));
    name->sun_family = AF_UNIX;
    return (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1
            + (size_t) snprintf(name->sun_path + 1, sizeof(name->sun_path) - 1, "efa-double-%u", number));
}

/* --- Completions ------------------------------------------------------------------------------------------------- */

static void complete(struct queue *queue, struct completion what)
{
    struct completion *entry = malloc(sizeof(*entry));

    if (!entry)
        abort();
    *entry = what;
    entry->next = NULL;
    *queue->last = entry;
    queue->last = &entry->next;
}

static void sent(struct pair *pair, const struct sending *work, int error)
{
    complete(pair->sends, (struct completion) {
        .pair = pair, .id = work->id, .opcode = IBV_WC_SEND, .length = work->length, .error = (uint32_t) error,
        .status = error ? IBV_WC_GENERAL_ERR : IBV_WC_SUCCESS,
    });
}

/* Returns false if the message has to wait. */
static int gone(struct pair *pair, const struct sending *work)
{
    struct sockaddr_un name;
    struct iovec parts[2] = {{(void *) &work->header, sizeof(work->header)}, {(void *) work->bytes, work->length}};
    struct msghdr message = {.msg_name = &name, .msg_iov = parts, .msg_iovlen = 2};
    int error = work->error;

    message.msg_namelen = name_of(work->to, &name);
    if (!error && !work->handle)
        error = BAD_HANDLE;
    if (!error && sendmsg(pair->socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
        if ((errno == EAGAIN || errno == ENOBUFS) && !pair->datagrams)
            return 0;
        if (errno != EAGAIN && errno != ENOBUFS && !pair->datagrams)
            error = NO_SUCH_PAIR;
    }
    sent(pair, work, error);
    return 1;
}

/* Whether an earlier message to the same peer waits. */
static int waits(const struct pair *pair, const struct sending *work)
{
    for (const struct sending *each = pair->first; each && each != work; each = each->next)
        if (each->to == work->to)
            return 1;
    return 0;
}

static void send_what_waits(struct pair *pair)
{
    struct sending **at = &pair->first;

    while (*at) {
        struct sending *work = *at;

        if (waits(pair, work) || !gone(pair, work)) {
            at = &work->next;
            continue;
        }
        *at = work->next;
        if (!*at)
            pair->last = at;
        free(work);
    }
}

/* Returns false if there is nothing to take. */
static int take(struct pair *pair)
{
    struct receive *work = pair->taken == pair->posted ? NULL : &pair->ring[pair->taken % DEPTH];
    struct header header;
    struct iovec parts[PARTS + 2] = {{&header, sizeof(header)}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 1};
    struct completion done = {.pair = pair, .opcode = IBV_WC_RECV};
    ssize_t length;

    if (!work && !pair->datagrams)
        return 0;
    for (int i = 0; work && i < work->count; i++) {
        parts[message.msg_iovlen++] = (struct iovec) {
            (void *) (uintptr_t) work->parts[i].addr, work->parts[i].length,
        };
        if (!registered(&work->parts[i]))
            done.error = BAD_KEY;
    }
    if (work && pair->datagrams) { /* the first bytes are the header's */
        if (parts[1].iov_len < GRH)
            done.error = BAD_LENGTH;
        else
            parts[1] = (struct iovec) {(char *) parts[1].iov_base + GRH, parts[1].iov_len - GRH};
    }
    if (done.error)
        message.msg_iovlen = 1;
    length = recvmsg(pair->socket, &message, MSG_DONTWAIT);
    if (length < (ssize_t) sizeof(header))
        return length >= 0;
    if (header.key != pair->key || !work)
        return 1; /* for one that had the number before, or lost */
    pair->taken++;
    if (!done.error && (message.msg_flags & MSG_TRUNC))
        done.error = BAD_LENGTH;
    done.status = done.error ? IBV_WC_GENERAL_ERR : IBV_WC_SUCCESS;
    done.id = work->id;
    done.length = (uint32_t) (length - (ssize_t) sizeof(header)) + (pair->datagrams ? GRH : 0);
    done.from = header.from;
    done.data = header.data;
    done.flags = header.flags;
    complete(pair->receives, done);
    return 1;
}

static int next_poll(struct ibv_cq_ex *cq)
{
    struct queue *queue = (struct queue *) cq;
    struct completion *entry;

    pthread_mutex_lock(&lock);
    entry = queue->first;
    if (entry) {
        queue->first = entry->next;
        if (!queue->first)
            queue->last = &queue->first;
        queue->now = *entry;
        cq->status = entry->status;
        cq->wr_id = entry->id;
    }
    pthread_mutex_unlock(&lock);
    free(entry);
    return entry ? 0 : ENOENT;
}

static int start_poll(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr)
{
    struct queue *queue = (struct queue *) cq;

    (void) attr;
    pthread_mutex_lock(&lock);
    for (struct pair *pair = pairs; pair; pair = pair->next) {
        if (pair->sends == queue)
            send_what_waits(pair);
        for (int i = 0; pair->receives == queue && i < 64 && take(pair); i++)
            continue;
    }
    pthread_mutex_unlock(&lock);
    return next_poll(cq);
}

static void end_poll(struct ibv_cq_ex *cq)
{
    (void) cq;
}

#define OF_NOW(type, name, value)                       \
    static type name(struct ibv_cq_ex *cq)              \
    {                                                   \
        struct completion *now = &((struct queue *) cq)->now; \
        (void) now;                                     \
        return value;                                   \
    }
OF_NOW(enum ibv_wc_opcode, read_opcode, now->opcode)
OF_NOW(uint32_t, read_vendor_err, now->error)
OF_NOW(uint32_t, read_byte_len, now->length)
OF_NOW(__be32, read_imm_data, now->data)
OF_NOW(uint32_t, read_qp_num, now->pair->qp.qp_base.qp_num)
OF_NOW(uint32_t, read_src_qp, now->from)
OF_NOW(unsigned, read_wc_flags, now->flags)
OF_NOW(uint32_t, read_slid, 1)
OF_NOW(uint8_t, read_sl, 0)
OF_NOW(uint8_t, read_dlid_path_bits, 0)

static int read_sgid(struct efadv_cq *efa, union ibv_gid *gid)
{
    (void) efa;
    memcpy(gid->raw, address, sizeof(address));
    return 0;
}

static struct ibv_cq_ex *create_cq(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
    struct queue *queue = calloc(1, sizeof(*queue));

    if (!queue)
        return NULL;
    queue->last = &queue->first;
    queue->efa.wc_read_sgid = read_sgid;
    queue->cq = (struct ibv_cq_ex) {
        .context = context, .channel = attr->channel, .cq_context = attr->cq_context, .cqe = (int) attr->cqe,
        .start_poll = start_poll, .next_poll = next_poll, .end_poll = end_poll, .read_opcode = read_opcode,
        .read_vendor_err = read_vendor_err, .read_byte_len = read_byte_len, .read_imm_data = read_imm_data,
        .read_qp_num = read_qp_num, .read_src_qp = read_src_qp, .read_wc_flags = read_wc_flags,
        .read_slid = read_slid, .read_sl = read_sl, .read_dlid_path_bits = read_dlid_path_bits,
    };
    return &queue->cq;
}

struct ibv_cq_ex *efadv_create_cq(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr,
        struct efadv_cq_init_attr *efa, uint32_t length)
{
    (void) efa;
    (void) length;
    return create_cq(context, attr);
}

struct efadv_cq *efadv_cq_from_ibv_cq_ex(struct ibv_cq_ex *cq)
{
    return &((struct queue *) cq)->efa;
}

static void forget(struct queue *queue, const struct pair *pair)
{
    struct completion **at = &queue->first;

    while (*at) {
        struct completion *entry = *at;

        if (entry->pair == pair) {
            *at = entry->next;
            free(entry);
        } else {
            at = &entry->next;
        }
    }
    queue->last = at;
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
    struct queue *queue = (struct queue *) cq;

    while (queue->first) {
        struct completion *entry = queue->first;

        queue->first = entry->next;
        free(entry);
    }
    free(queue);
    return 0;
}

/* --- Queue pairs ------------------------------------------------------------------------------------------------- */

static void start(struct ibv_qp_ex *qp)
{
    struct pair *pair = (struct pair *) qp;

    pthread_mutex_lock(&lock);
    pair->built = pair->current = NULL;
    pair->built_last = &pair->built;
}

static void add(struct ibv_qp_ex *qp, unsigned flags, uint32_t data)
{
    struct pair *pair = (struct pair *) qp;
    struct sending *work = calloc(1, sizeof(*work) + PACKET);

    if (!work)
        abort();
    work->id = qp->wr_id;
    work->header = (struct header) {.from = qp->qp_base.qp_num, .data = data, .flags = flags};
    *pair->built_last = pair->current = work;
    pair->built_last = &work->next;
}

static void wr_send(struct ibv_qp_ex *qp)
{
    add(qp, 0, 0);
}

static void wr_send_imm(struct ibv_qp_ex *qp, __be32 data)
{
    add(qp, IBV_WC_WITH_IMM, data);
}

static void set_address(struct ibv_qp_ex *qp, struct ibv_ah *ah, uint32_t number, uint32_t key)
{
    struct sending *work = ((struct pair *) qp)->current;

    work->handle = ((struct handle *) ah)->here;
    work->to = number;
    work->header.key = key;
}

static void append(struct sending *work, const void *bytes, size_t length)
{
    if (work->length + length > PACKET) {
        work->error = BAD_LENGTH;
        return;
    }
    memcpy(work->bytes + work->length, bytes, length);
    work->length += (uint32_t) length;
}

static void set_parts(struct ibv_qp_ex *qp, size_t count, const struct ibv_sge *parts)
{
    struct sending *work = ((struct pair *) qp)->current;

    for (size_t i = 0; i < count; i++)
        if (registered(&parts[i]))
            append(work, (void *) (uintptr_t) parts[i].addr, parts[i].length);
        else
            work->error = BAD_KEY;
}

static void set_part(struct ibv_qp_ex *qp, uint32_t key, uint64_t from, uint32_t length)
{
    struct ibv_sge part = {.addr = from, .length = length, .lkey = key};

    set_parts(qp, 1, &part);
}

static void set_inline_list(struct ibv_qp_ex *qp, size_t count, const struct ibv_data_buf *parts)
{
    for (size_t i = 0; i < count; i++)
        append(((struct pair *) qp)->current, parts[i].addr, parts[i].length);
}

static void set_inline(struct ibv_qp_ex *qp, void *from, size_t length)
{
    append(((struct pair *) qp)->current, from, length);
}

static void drop(struct sending *first)
{
    while (first) {
        struct sending *next = first->next;

        free(first);
        first = next;
    }
}

static int finish(struct ibv_qp_ex *qp)
{
    struct pair *pair = (struct pair *) qp;

    if (pair->built) {
        *pair->last = pair->built;
        pair->last = pair->built_last;
        pair->built = NULL;
        send_what_waits(pair);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

static void cancel(struct ibv_qp_ex *qp)
{
    drop(((struct pair *) qp)->built);
    ((struct pair *) qp)->built = NULL;
    pthread_mutex_unlock(&lock);
}

static int post_send(struct ibv_qp *base, struct ibv_send_wr *work, struct ibv_send_wr **bad)
{
    struct ibv_qp_ex *qp = (struct ibv_qp_ex *) base;

    (void) bad;
    start(qp);
    for (; work; work = work->next) {
        qp->wr_id = work->wr_id;
        add(qp, work->opcode == IBV_WR_SEND_WITH_IMM ? IBV_WC_WITH_IMM : 0, work->imm_data);
        set_address(qp, work->wr.ud.ah, work->wr.ud.remote_qpn, work->wr.ud.remote_qkey);
        if (work->send_flags & IBV_SEND_INLINE)
            for (int i = 0; i < work->num_sge; i++)
                set_inline(qp, (void *) (uintptr_t) work->sg_list[i].addr, work->sg_list[i].length);
        else
            set_parts(qp, (size_t) work->num_sge, work->sg_list);
    }
    return finish(qp);
}

static int post_receive(struct ibv_qp *base, struct ibv_recv_wr *work, struct ibv_recv_wr **bad)
{
    struct pair *pair = (struct pair *) base;
    int status = 0;

    pthread_mutex_lock(&lock);
    for (; work && !status; work = work->next) {
        struct receive *slot = &pair->ring[pair->posted % DEPTH];

        if (pair->posted - pair->taken == DEPTH || work->num_sge > PARTS) {
            *bad = work;
            status = work->num_sge > PARTS ? EINVAL : ENOMEM;
            break;
        }
        slot->id = work->wr_id;
        slot->count = work->num_sge;
        memcpy(slot->parts, work->sg_list, sizeof(*slot->parts) * (size_t) work->num_sge);
        pair->posted++;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

/* A number that no queue pair of this machine has. */
static int give_number(struct pair *pair)
{
    static uint32_t next;
    struct sockaddr_un name;

    if (!next)
        next = (uint32_t) getpid() * 61;
    for (int i = 0; i < PAIRS; i++) {
        uint32_t number = next++ % (PAIRS - 1) + 1;

        if (!bind(pair->socket, (struct sockaddr *) &name, name_of(number, &name))) {
            pair->qp.qp_base.qp_num = number;
            return 0;
        }
    }
    return -1;
}

static struct ibv_qp *create_qp(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
    struct pair *pair = calloc(1, sizeof(*pair));
    int room = 1 << 20;

    if (!pair)
        return NULL;
    pair->datagrams = attr->qp_type == IBV_QPT_UD;
    pair->sends = (struct queue *) attr->send_cq;
    pair->receives = (struct queue *) attr->recv_cq;
    pair->last = &pair->first;
    pair->socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    setsockopt(pair->socket, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
    pthread_mutex_lock(&lock);
    if (pair->socket < 0 || give_number(pair)) {
        pthread_mutex_unlock(&lock);
        close(pair->socket);
        free(pair);
        errno = ENOMEM;
        return NULL;
    }
    pair->next = pairs;
    pairs = pair;
    pthread_mutex_unlock(&lock);
    pair->qp.qp_base.context = context;
    pair->qp.qp_base.qp_context = attr->qp_context;
    pair->qp.qp_base.pd = attr->pd;
    pair->qp.qp_base.send_cq = attr->send_cq;
    pair->qp.qp_base.recv_cq = attr->recv_cq;
    pair->qp.qp_base.qp_type = attr->qp_type;
    pair->qp.wr_start = start;
    pair->qp.wr_send = wr_send;
    pair->qp.wr_send_imm = wr_send_imm;
    pair->qp.wr_set_ud_addr = set_address;
    pair->qp.wr_set_sge = set_part;
    pair->qp.wr_set_sge_list = set_parts;
    pair->qp.wr_set_inline_data = set_inline;
    pair->qp.wr_set_inline_data_list = set_inline_list;
    pair->qp.wr_complete = finish;
    pair->qp.wr_abort = cancel;
    return &pair->qp.qp_base;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
    struct ibv_qp_init_attr_ex more = {
        .qp_context = attr->qp_context, .send_cq = attr->send_cq, .recv_cq = attr->recv_cq, .qp_type = attr->qp_type,
        .pd = pd,
    };

    return create_qp(pd->context, &more);
}

struct ibv_qp *efadv_create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr,
        struct efadv_qp_init_attr *efa, uint32_t length)
{
    (void) efa;
    (void) length;
    return create_qp(context, attr);
}

struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp)
{
    return (struct ibv_qp_ex *) qp;
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
    if (mask & IBV_QP_STATE)
        qp->state = attr->qp_state;
    if (mask & IBV_QP_QKEY)
        ((struct pair *) qp)->key = attr->qkey;
    return 0;
}

int ibv_query_qp_data_in_order(struct ibv_qp *qp, enum ibv_wr_opcode opcode, uint32_t flags)
{
    (void) qp;
    (void) opcode;
    (void) flags;
    return 0;
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
    struct pair *pair = (struct pair *) qp, **at = &pairs;

    pthread_mutex_lock(&lock);
    while (*at != pair)
        at = &(*at)->next;
    *at = pair->next;
    forget(pair->sends, pair);
    forget(pair->receives, pair);
    pthread_mutex_unlock(&lock);
    close(pair->socket);
    drop(pair->first);
    free(pair);
    return 0;
}

/* --- Contexts ---------------------------------------------------------------------------------------------------- */

struct ibv_context *ibv_open_device(struct ibv_device *which)
{
    struct verbs_context *verbs = calloc(1, sizeof(*verbs));

    if (!verbs)
        return NULL;
    verbs->sz = sizeof(*verbs);
    verbs->query_port = query_port;
    verbs->create_cq_ex = create_cq;
    verbs->create_qp_ex = create_qp;
    verbs->context.device = which;
    verbs->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
    verbs->context.cmd_fd = verbs->context.async_fd = -1;
    verbs->context.num_comp_vectors = 1;
    verbs->context.ops.post_send = post_send;
    verbs->context.ops.post_recv = post_receive;
    return &verbs->context;
}

int ibv_close_device(struct ibv_context *context)
{
    free(verbs_get_ctx(context));
    return 0;
}
