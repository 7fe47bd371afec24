// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.guard;

import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.context.RawContext;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.quirk.Quirk;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * When udp;ofi_rxd can take an atomic that fetches, or has several targets: {@link Quirk#FETCHES_GO_ALONE}.
 * An operation has the first entry of the provider's table that is free: so these, all called fetches here, go alone,
 * after something short that had the first one. And how many operations it has entries for at all:
 * {@link Quirk#SENDS_BEYOND_SIZE_ARE_LOST}.
 *
 * <p>The provider's functions are called one at a time here: nothing may come between the look and the operation.
 */
public final class FetchGuard {
    private final ContextSlab operations;
    /** What is at most so long goes as one packet. */
    private final long packet;
    /** How many may be under way. */
    private final long most;
    /** Peers that something was sent to since nothing was under way, and those that have acknowledged something. */
    private final Set<Long> tried = new HashSet<>();
    private final Set<Long> reached = new HashSet<>();
    /** Peers of operations that nobody reports, and those of them that a later one will have been acknowledged by. */
    private final Set<Long> unreported = new HashSet<>();
    private final Set<Long> followed = new HashSet<>();
    private boolean isUsed;
    /** Whether it was something short that had the first entry last. */
    private boolean isShort;

    private FetchGuard(FabricInfoImpl info, ContextSlab operations) {
        this.operations = operations;
        this.packet = info.tx().injectSize();
        this.most = info.quirks().has(Quirk.SENDS_BEYOND_SIZE_ARE_LOST) ? info.tx().size() : Long.MAX_VALUE;
    }

    /** Null for all other providers. */
    public static FetchGuard of(FabricInfoImpl info, ContextSlab operations) {
        return info.quirks().has(Quirk.FETCHES_GO_ALONE) ? new FetchGuard(info, operations) : null;
    }

    /** Whether it is counted, and its completion will be seen. */
    private static boolean isCounted(long token) {
        return token != 0 && !RawContext.is(token);
    }

    /** Nothing that is counted is under way. */
    private void settle() {
        reached.addAll(tried);
        tried.clear();
        unreported.removeAll(followed);
        followed.clear();
    }

    /** Has an operation done that does not fetch. A read may be over before what was sent earlier is. */
    synchronized long send(long peer, long token, long length, boolean reads, LongSupplier call) {
        boolean counted = isCounted(token);
        if (counted && !operations.hasAtMost(most)) {
            return -Errno.EAGAIN;
        }
        // but this one
        boolean alone = counted && operations.busy() == 1;
        if (alone) {
            settle();
        }
        long result = call.getAsLong();
        if (result != 0) {
            return result;
        }
        if (length > packet) {
            isShort = false;
        } else if (alone && unreported.isEmpty() || !isUsed) {
            isShort = true;
        }
        isUsed = true;
        if (!counted) {
            unreported.add(peer);
            followed.remove(peer);
        } else {
            tried.add(peer);
            if (!reads && unreported.contains(peer)) {
                followed.add(peer);
            }
        }
        return result;
    }

    /** Has an operation done that fetches, if none but this one is under way. */
    synchronized long fetch(long peer, long token, LongSupplier call) {
        if (!isCounted(token) || operations.busy() != 1) {
            return -Errno.EAGAIN;
        }
        settle();
        return isReady(peer) ? call.getAsLong() : -Errno.EAGAIN;
    }

    private boolean isReady(long peer) {
        return reached.contains(peer) && unreported.isEmpty() && isShort;
    }

    /** It is not in the vector any more: whoever gets its place is another. What it was sent may still be under way. */
    public synchronized void removed(long peer) {
        tried.remove(peer);
        reached.remove(peer);
        followed.remove(peer);
    }

    /** False to try again later; {@code reports} if all operations are counted, and this one will be. */
    public synchronized boolean mayFetch(String operation, long peer, boolean reports) {
        boolean idle = reports && operations.busy() == 0;
        if (idle) {
            settle();
            if (isReady(peer)) {
                return true;
            }
        } else if (reports && (reached.contains(peer) || tried.contains(peer))) {
            return false;
        }
        throw new IllegalStateException(operation + ": the provider would crash peer " + peer + ", or never complete "
                + "it: " + remedy(peer, reports));
    }

    private String remedy(long peer, boolean reports) {
        if (!reports) {
            return "send something else to it first, from an endpoint that reports completions to a queue, without "
                    + "raw contexts; where completions are selective, by a request with OperationFlag.COMPLETION, as "
                    + "this operation is to be, too";
        }
        if (!reached.contains(peer)) {
            return "send something else to it first, and read the completion";
        }
        return unreported.isEmpty()
                ? "something longer than " + packet + " bytes went before: send something short first, while nothing "
                + "else is under way, and read the completion"
                : "what was injected, or is not reported, may still be under way to " + unreported
                + ": send something else there first, and read the completion";
    }
}
