// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;

/** What an endpoint or domain can do, or is asked to ({@code fi_info.caps}, fi_getinfo(3)). */
public enum Capability implements FabricConstant {
    /** Messages: send and receive ({@code fi_msg}). */
    MSG(Libfabric.FI_MSG(), FIRST),
    /** Remote memory access: read and write. */
    RMA(Libfabric.FI_RMA(), FIRST),
    /** Tagged messages. */
    TAGGED(Libfabric.FI_TAGGED(), FIRST),
    /** Atomic operations on remote memory. */
    ATOMIC(Libfabric.FI_ATOMIC(), FIRST),
    /** Multicast datagrams. */
    MULTICAST(Libfabric.FI_MULTICAST(), FIRST),
    /** Collective operations. */
    COLLECTIVE(Libfabric.FI_COLLECTIVE(), FIRST),
    /** May start RMA and atomic reads. */
    READ(Libfabric.FI_READ(), FIRST),
    /** May start RMA and atomic writes. */
    WRITE(Libfabric.FI_WRITE(), FIRST),
    /** May receive. */
    RECV(Libfabric.FI_RECV(), FIRST),
    /** May send. */
    SEND(Libfabric.FI_SEND(), FIRST),
    /** May be the target of reads. */
    REMOTE_READ(Libfabric.FI_REMOTE_READ(), FIRST),
    /** May be the target of writes. */
    REMOTE_WRITE(Libfabric.FI_REMOTE_WRITE(), FIRST),
    /** One posted buffer takes several messages. */
    MULTI_RECV(Libfabric.FI_MULTI_RECV(), FIRST),
    /** Delivers immediate data; always on, kept for old providers. */
    REMOTE_CQ_DATA(Libfabric.FI_REMOTE_CQ_DATA(), FIRST),
    /** Triggered and deferred operations. */
    TRIGGER(Libfabric.FI_TRIGGER(), FIRST),
    /** Operations that wait for all earlier ones to the same peer. */
    FENCE(Libfabric.FI_FENCE(), FIRST),
    /** Completions name peers by ids that the application chose. */
    AV_USER_ID(Libfabric.FI_AV_USER_ID(), FIRST),
    /** May be combined with other providers. */
    PEER(Libfabric.FI_PEER(), FIRST),
    /** Directed receive for tagged messages only. */
    TAGGED_DIRECTED_RECV(Libfabric.FI_TAGGED_DIRECTED_RECV(), new Version(2, 0)),
    /** Multi-receive for tagged messages. */
    TAGGED_MULTI_RECV(Libfabric.FI_TAGGED_MULTI_RECV(), new Version(2, 0)),
    /** Buffers in device memory. */
    HMEM(Libfabric.FI_HMEM(), FIRST),
    /** Directed receive that must name the sender; {@link Address#ANY} is not allowed. */
    EXACT_DIRECTED_RECV(Libfabric.FI_EXACT_DIRECTED_RECV(), new Version(2, 0)),
    /** RMA to persistent memory. */
    RMA_PMEM(Libfabric.FI_RMA_PMEM(), FIRST),
    /** Reports the raw address of an unknown sender. */
    SOURCE_ERR(Libfabric.FI_SOURCE_ERR(), FIRST),
    /** Reaches peers on the same host. */
    LOCAL_COMM(Libfabric.FI_LOCAL_COMM(), FIRST),
    /** Reaches peers on other hosts. */
    REMOTE_COMM(Libfabric.FI_REMOTE_COMM(), FIRST),
    /** Address vectors shared between processes. */
    SHARED_AV(Libfabric.FI_SHARED_AV(), FIRST),
    /** Counters count the RMA and atomics of peers. */
    RMA_EVENT(Libfabric.FI_RMA_EVENT(), FIRST),
    /** Completions name the sender. */
    SOURCE(Libfabric.FI_SOURCE(), FIRST),
    /** Receive contexts of a scalable endpoint can be addressed. */
    NAMED_RX_CTX(Libfabric.FI_NAMED_RX_CTX(), FIRST),
    /** Receives can be restricted to one sender. */
    DIRECTED_RECV(Libfabric.FI_DIRECTED_RECV(), FIRST);

    private final long code;
    private final Version since;

    Capability(long code, Version since) {
        this.code = code;
        this.since = since;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_" + name();
    }

    @Override
    public Version since() {
        return since;
    }
}
