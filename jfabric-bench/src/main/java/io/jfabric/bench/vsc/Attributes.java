// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import io.jfabric.info.DomainAttributes;
import io.jfabric.info.DomainLimits;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.info.FabricAttributes;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.ReceiveAttributes;
import io.jfabric.info.TransmitAttributes;

/** Reads every attribute of an info into Java objects, and makes them count so that none is optimised away. */
final class Attributes {
    private Attributes() {
    }

    private static long of(Object value) {
        return value == null ? 1 : System.identityHashCode(value.getClass());
    }

    private static long of(long value) {
        return value;
    }

    static long readAll(FabricInfo info) {
        long h = 1;
        h = 31 * h + of(info.capabilities());
        h = 31 * h + of(info.mode());
        h = 31 * h + of(info.addressFormat());
        h = 31 * h + of(info.sourceAddress());
        h = 31 * h + of(info.destinationAddress());
        h = 31 * h + of(info.nic());
        h = 31 * h + of(info.handle());
        return h + read(info.tx()) + read(info.rx()) + read(info.endpoint()) + read(info.domain())
                + read(info.domain().limits()) + read(info.fabric());
    }

    private static long read(TransmitAttributes tx) {
        long h = 1;
        h = 31 * h + of(tx.capabilities());
        h = 31 * h + of(tx.mode());
        h = 31 * h + of(tx.operationFlags());
        h = 31 * h + of(tx.messageOrder());
        h = 31 * h + of(tx.completionOrder());
        h = 31 * h + of(tx.injectSize());
        h = 31 * h + of(tx.size());
        h = 31 * h + of(tx.iovLimit());
        h = 31 * h + of(tx.rmaIovLimit());
        h = 31 * h + of(tx.trafficClass());
        return h;
    }

    private static long read(ReceiveAttributes rx) {
        long h = 1;
        h = 31 * h + of(rx.capabilities());
        h = 31 * h + of(rx.mode());
        h = 31 * h + of(rx.operationFlags());
        h = 31 * h + of(rx.messageOrder());
        h = 31 * h + of(rx.completionOrder());
        h = 31 * h + of(rx.totalBufferedRecv());
        h = 31 * h + of(rx.size());
        h = 31 * h + of(rx.iovLimit());
        return h;
    }

    private static long read(EndpointAttributes endpoint) {
        long h = 1;
        h = 31 * h + of(endpoint.type());
        h = 31 * h + of(endpoint.protocol());
        h = 31 * h + of(endpoint.protocolVersion());
        h = 31 * h + of(endpoint.maxMessageSize());
        h = 31 * h + of(endpoint.messagePrefixSize());
        h = 31 * h + of(endpoint.maxOrderRawSize());
        h = 31 * h + of(endpoint.maxOrderWarSize());
        h = 31 * h + of(endpoint.maxOrderWawSize());
        h = 31 * h + of(endpoint.memTagFormat());
        h = 31 * h + of(endpoint.txContextCount());
        h = 31 * h + of(endpoint.rxContextCount());
        h = 31 * h + of(endpoint.authKey());
        return h;
    }

    private static long read(DomainAttributes domain) {
        long h = 1;
        h = 31 * h + of(domain.domainHandle());
        h = 31 * h + of(domain.name());
        h = 31 * h + of(domain.threading());
        h = 31 * h + of(domain.controlProgress());
        h = 31 * h + of(domain.dataProgress());
        h = 31 * h + of(domain.resourceManagement());
        h = 31 * h + of(domain.avType());
        h = 31 * h + of(domain.mrMode());
        h = 31 * h + of(domain.capabilities());
        h = 31 * h + of(domain.mode());
        h = 31 * h + of(domain.authKey());
        h = 31 * h + of(domain.trafficClass());
        return h;
    }

    private static long read(DomainLimits limits) {
        long h = 1;
        h = 31 * h + of(limits.mrKeySize());
        h = 31 * h + of(limits.cqDataSize());
        h = 31 * h + of(limits.cqCount());
        h = 31 * h + of(limits.endpointCount());
        h = 31 * h + of(limits.txContextCount());
        h = 31 * h + of(limits.rxContextCount());
        h = 31 * h + of(limits.maxEndpointTxContexts());
        h = 31 * h + of(limits.maxEndpointRxContexts());
        h = 31 * h + of(limits.maxEndpointStxContexts());
        h = 31 * h + of(limits.maxEndpointSrxContexts());
        h = 31 * h + of(limits.counterCount());
        h = 31 * h + of(limits.mrIovLimit());
        h = 31 * h + of(limits.maxErrorData());
        h = 31 * h + of(limits.mrCount());
        h = 31 * h + of(limits.maxEndpointAuthKeys());
        h = 31 * h + of(limits.maxGroupId());
        return h;
    }

    private static long read(FabricAttributes fabric) {
        long h = 1;
        h = 31 * h + of(fabric.fabricHandle());
        h = 31 * h + of(fabric.name());
        h = 31 * h + of(fabric.providerName());
        h = 31 * h + of(fabric.providerVersion());
        h = 31 * h + of(fabric.apiVersion());
        return h;
    }
}
