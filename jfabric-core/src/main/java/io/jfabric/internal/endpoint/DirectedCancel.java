// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.context.RawContext;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.EpOps;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.quirk.Quirk;
import java.util.stream.Stream;

/**
 * What libfabric cannot cancel: {@code util_cancel_src} of the receive queues that several providers share looks for
 * the untagged receives from one peer at the wrong address, from 1.19 on (seen up to 2.6), and crashes.
 */
final class DirectedCancel {
    private DirectedCancel() {
    }

    static boolean crashes(FabricInfoImpl domain) {
        return domain.quirks().hasAny(Quirk.DIRECTED_CANCEL, Quirk.DIRECTED_CANCEL_IN_RXM)
                && domain.capabilities().contains(Capability.DIRECTED_RECV);
    }

    /** {@code fi_cancel} of the operation with this context; false if there is none. Inside the endpoint. */
    static boolean cancel(EndpointState endpoint, long fid, long context, boolean isShared) {
        Contexts contexts = endpoint.contexts();
        long reported = contexts.receives().find(context);
        long receive = reported != 0 ? reported : contexts.silent().find(context, false);
        long token = receive != 0 ? receive : contexts.transmits().find(context);
        if (token == 0 && contexts.isRaw()) {
            token = RawContext.token(context);
        }
        if (token == 0) {
            // where they are the same, another thread may have posted one since
            if (contexts.directed() != contexts.receives()
                    && (contexts.directed().find(context) != 0 || contexts.silent().find(context, true) != 0)) {
                throw refusal(endpoint.info());
            }
            return false;
        }
        if (endpoint.info().quirks().has(Quirk.PARTS_CANCEL)) {
            throw FabricException.of("fi_cancel", Errno.ENOSYS, "provider " + endpoint.info().provider()
                    + " crashes when an operation is cancelled; close the endpoint");
        }
        if (isShared && crashesShared(endpoint.info())) {
            throw FabricException.of("fi_cancel", Errno.ENOSYS, "provider " + endpoint.info().provider()
                    + " crashes when a receive of a shared receive context is cancelled; close the context");
        }
        if (contexts.isMultiReceive(token) && endpoint.info().quirks().has(Quirk.CANCELS_IN_USE)) {
            throw FabricException.of("fi_cancel", Errno.ENOSYS, "provider " + endpoint.info().provider()
                    + " crashes or stalls when a multi-receive is cancelled while messages come for it; close the "
                    + "endpoint");
        }
        long result = cancel(contexts, fid, token);
        if (result != -Errno.ENOENT) {
            Results.check("fi_cancel", result, null);
            if (isShared && endpoint.info().quirks().has(Quirk.SHARED_CANCEL_IS_SILENT)) {
                contexts.registry().over(token);
            }
        }
        return result != -Errno.ENOENT;
    }

    /** {@code fi_cancel}: its result may be polled before this returns. */
    static long cancel(Contexts contexts, long fid, long token) {
        contexts.cancelling(token, true);
        long result = EpOps.cancel(fid, token);
        if (result < 0) {
            contexts.cancelling(token, false);
        }
        return result;
    }

    /** Cancels all it can of a closed endpoint that the provider still has. Returns whether nothing is left. */
    static boolean cancelReceives(EndpointState endpoint, long fid, Presence presence, boolean isShared) {
        Contexts contexts = endpoint.contexts();
        if (!isShared || !crashesShared(endpoint.info())) {
            cancelReceives(endpoint, fid);
        }
        return (contexts.directed() == contexts.receives()
                || contexts.directed().busy() == 0 && !contexts.silent().isBusy(true))
                && LastReports.areAllThere(contexts, presence);
    }

    /** Cancels the receives of an endpoint in use; one that another thread has closed has none any more. */
    static void cancelReceives(EndpointImpl endpoint) {
        try {
            endpoint.call(fid -> {
                cancelReceives(endpoint.state(), fid);
                return fid;
            });
            // aliases have contexts of their own
            endpoint.eachChild(child -> {
                if (child instanceof EndpointImpl alias) {
                    cancelReceives(alias);
                }
            });
        } catch (IllegalStateException closed) {
            if (endpoint.isOpen()) {
                throw closed;
            }
        }
    }

    private static void cancelReceives(EndpointState endpoint, long fid) {
        Contexts contexts = endpoint.contexts();
        if (endpoint.info().quirks().has(Quirk.PARTS_CANCEL)) {
            return;
        }
        boolean butMultiReceives = endpoint.info().quirks().has(Quirk.CANCELS_IN_USE);
        Stream.concat(contexts.receives().tokens().stream(), contexts.silent().tokens().stream())
                .filter(token -> !butMultiReceives || !contexts.isMultiReceive(token))
                .forEach(token -> cancel(contexts, fid, token));
    }

    /** Whether a receive of a shared receive context cannot be cancelled. */
    static boolean crashesShared(FabricInfoImpl info) {
        return info.quirks().has(Quirk.SHARED_CANCEL);
    }

    private static FabricException refusal(FabricInfoImpl info) {
        return FabricException.of("fi_cancel", Errno.ENOSYS, "provider " + info.provider() + " of libfabric "
                + Known.library() + " crashes when an untagged receive from one peer is cancelled; receive from"
                + " Address.ANY or with a tag, or close the endpoint");
    }
}
