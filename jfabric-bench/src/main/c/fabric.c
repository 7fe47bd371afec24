// SPDX-License-Identifier: Apache-2.0
// Opens and closes what the programs need.
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// FI_PROGRESS_CONTROL_UNIFIED, which headers before 1.21 have not got.
enum { CONTROL_UNIFIED = 3 };

// What jfabric asks for: the older of the library's version and 2.1.
uint32_t api_version(void)
{
    uint32_t newest = FI_VERSION(2, 1);
    return fi_version() < newest ? fi_version() : newest;
}

struct fi_info *get_hints(uint64_t caps)
{
    struct fi_info *hints = fi_allocinfo();
    hints->caps = caps;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
    hints->fabric_attr->prov_name = strdup(options.provider);
    if (options.tuned) {
        hints->domain_attr->threading = FI_THREAD_DOMAIN;
        hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
    }
    return hints;
}

struct fi_info *get_info(struct fi_info *hints)
{
    struct fi_info *info;
    CHECK(fi_getinfo(api_version(), options.node, NULL, options.node ? FI_SOURCE : 0, hints, &info));
    // not a hint: fi_getinfo does not take it over from there
    if (options.tuned && FI_VERSION_GE(fi_version(), FI_VERSION(1, 21))) {
        for (struct fi_info *i = info; i; i = i->next) {
            i->domain_attr->control_progress = (enum fi_progress) CONTROL_UNIFIED;
        }
    }
    return info;
}

void domain_open_info(struct domain *domain, struct fi_info *info)
{
    domain->info = info;
    if (options.waits) {
        // a null pointer gives no text
        printf("provider %s %s\n", info->fabric_attr->prov_name, fi_tostr("", FI_TYPE_VERSION));
    }
    CHECK(fi_fabric(info->fabric_attr, &domain->fabric, NULL));
    CHECK(fi_domain(domain->fabric, info, &domain->domain, NULL));
}

void domain_open(struct domain *domain, uint64_t caps)
{
    struct fi_info *hints = get_hints(caps);
    domain_open_info(domain, get_info(hints));
    fi_freeinfo(hints);
}

void domain_close(struct domain *domain)
{
    CHECK(fi_close(&domain->domain->fid));
    CHECK(fi_close(&domain->fabric->fid));
    fi_freeinfo(domain->info);
}

// Keys of a domain differ.
uint64_t next_key(void)
{
    static uint64_t last;
    return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

static void side_memory(struct side *side, struct domain *domain, size_t half)
{
    side->half = half;
    side->inject_size = domain->info->tx_attr->inject_size;
    // from malloc, as Java's arenas take it, so that both get the same kind of pages
    side->memory = aligned_alloc(4096, (2 * half + 4095) / 4096 * 4096);
    if (!side->memory) {
        perror("bench: aligned_alloc");
        exit(1);
    }
    memset(side->memory, 1, 2 * half);
    bool local = (domain->info->domain_attr->mr_mode & FI_MR_LOCAL) != 0;
    if (local || (domain->info->caps & FI_RMA) != 0) {
        uint64_t access = FI_SEND | FI_RECV;
        if (domain->info->caps & FI_RMA) {
            access |= FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE;
        }
        CHECK(fi_mr_reg(domain->domain, side->memory, 2 * half, access, 0, next_key(), 0, &side->mr, NULL));
        side->desc = local ? fi_mr_desc(side->mr) : NULL;
    }
}

void side_open(struct side *side, struct domain *domain, size_t half)
{
    struct fi_cq_attr cq_attr = { .format = FI_CQ_FORMAT_TAGGED,
        .wait_obj = options.sleeps ? FI_WAIT_UNSPEC : FI_WAIT_NONE };
    struct fi_av_attr av_attr = { .type = FI_AV_UNSPEC };
    memset(side, 0, sizeof(*side));
    for (int i = 0; i < WINDOW; i++) {
        side->ops[TX][i].kind = TX;
    }
    CHECK(fi_av_open(domain->domain, &av_attr, &side->av, NULL));
    CHECK(fi_cq_open(domain->domain, &cq_attr, &side->cq, NULL));
    CHECK(fi_endpoint(domain->domain, domain->info, &side->ep, NULL));
    CHECK(fi_ep_bind(side->ep, &side->cq->fid, FI_TRANSMIT | FI_RECV));
    CHECK(fi_ep_bind(side->ep, &side->av->fid, 0));
    CHECK(fi_enable(side->ep));
    if (half) {
        side_memory(side, domain, half);
    }
}

void side_close(struct side *side)
{
    CHECK(fi_close(&side->ep->fid));
    if (side->mr) {
        CHECK(fi_close(&side->mr->fid));
    }
    CHECK(fi_close(&side->cq->fid));
    CHECK(fi_close(&side->av->fid));
    free(side->memory);
}

void side_connect(struct side *side, const void *address)
{
    int inserted = fi_av_insert(side->av, address, 1, &side->peer, 0, NULL);
    if (inserted != 1) {
        die("fi_av_insert", inserted < 0 ? inserted : -FI_EINVAL);
    }
}

size_t side_name(struct side *side, void *buffer, size_t size)
{
    CHECK(fi_getname(&side->ep->fid, buffer, &size));
    return size;
}
